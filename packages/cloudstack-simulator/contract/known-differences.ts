/** Recorded cases in which the simulator is known to answer differently, each with the reason. */
export const knownDifferences: Readonly<Record<string, string>> = {};
