/** Calls `work` for every item, `workers` at a time, with the number of the worker. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const loop = async (worker: number): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      const item = items[index];
      if (index >= items.length || item === undefined) return;
      await work(item, worker);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, (_, worker) => loop(worker)));
}
