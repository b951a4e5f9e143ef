/** Finds the messages whose opportunity or price is gone. */

import { type AlertDeliveryRow, deliveryKey } from '../../schemas/alert.ts'
import type { AlertBook } from './alert-book.ts'
import type { Decisions } from './decisions.ts'

const looksUntilGone = 2

/**
 * Makes a function that looks at all messages that stand, and returns those that are gone: each once, at the second
 * look in a row that does not find it, so that prices that pause for a moment end none.
 */
export function createGoneLook(
  book: Pick<AlertBook, 'standing'>,
  decisions: Pick<Decisions, 'isGone'>,
) {
  /** How many looks did not find it, by `deliveryKey`. */
  let missing: ReadonlyMap<string, number> = new Map()
  return (): AlertDeliveryRow[] => {
    const absent = new Map<string, number>()
    const gone: AlertDeliveryRow[] = []
    for (const { row, opportunityId } of book.standing()) {
      const { alertId, occasion } = row
      if (!decisions.isGone({ alertId, occasion, opportunityId })) continue
      const key = deliveryKey(row)
      const looks = (missing.get(key) ?? 0) + 1
      absent.set(key, looks)
      // One that was found may not have been read back from the log yet.
      if (looks === looksUntilGone) gone.push(row)
    }
    missing = absent
    return gone
  }
}
