/** The candidate that a mistyped word most likely means; undefined when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const tolerance = Math.max(2, Math.floor(word.length / 4));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((left, right) => left.distance - right.distance);
  const [nearest] = ranked;
  return nearest && nearest.distance <= tolerance ? nearest.candidate : undefined;
}

/** Levenshtein's distance: insertions, deletions and replacements from one word to the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
