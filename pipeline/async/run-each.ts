/**
 * Runs `work` on each item that `assign` yields, all at the same time, until `signal` aborts. When one fails, all are
 * stopped, and the call rejects after the last has ended.
 * @param assign called with the signal that ends it
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
