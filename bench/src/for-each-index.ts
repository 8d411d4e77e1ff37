const CONCURRENT = 16;

/** Does something for each number from 1 to `count`, some at a time. */
export async function forEachIndex(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async (): Promise<void> => {
    while (next <= count) await act(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}
