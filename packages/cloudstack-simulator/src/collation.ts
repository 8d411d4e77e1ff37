/** Equality as the management server's database has it: without regard to case. */
export function sameText(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}
