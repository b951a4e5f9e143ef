/** Runs what a log gives to this process, each assignment or holding beside the others. */

/**
 * Runs `work` on each of what `assign` yields, at once, until `signal` aborts. When one fails, all are
 * told to stop, and it rejects after the last has.
 * @param given asked with the signal that ends it
 */
export async function runEach<Item>(
  assign: (signal: AbortSignal) => AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController()
  const whileAll = AbortSignal.any([signal, failed.signal])
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  const fail = (error: unknown) => {
    failures.push(error)
    failed.abort()
  }
  try {
    for await (const item of assign(whileAll)) {
      const done: Promise<void> = work(item, whileAll)
        .catch(fail)
        .finally(() => running.delete(done))
      running.add(done)
    }
  } catch (error) {
    fail(error)
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
