/** A text for people, of at most so many characters: what users write may be as long as they like. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
