/** Takes rows of the archive in batches, at the cost of the account that asked for them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Charged } from '../route.ts'

/** Items in a batch. */
export const batchLength = 500

/**
 * Takes items in order, in batches between which other work runs.
 * @throws ClientGoneError once the client has left
 */
export async function inBatches<Item>(
  items: Iterable<Item>,
  charged: Charged,
  take: (item: Item) => void,
): Promise<void> {
  const left = items[Symbol.iterator]()
  /** @returns whether there may be more */
  const takeBatch = () => {
    for (let i = 0; i < batchLength; i++) {
      const next = left.next()
      if (next.done) return false
      take(next.value)
    }
    return true
  }
  while (charged(takeBatch)) await nextTurn()
}
