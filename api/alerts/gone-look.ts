/** Finds the messages whose opportunity or price is gone. */

import { type AlertDeliveryRow, deliveryKey } from '../../schemas/alert.ts'
import type { AlertBook } from './alert-book.ts'
import type { Decisions } from './decisions.ts'

const looksUntilGone = 2

/**
 * Creates a function that checks the messages that stand, and returns those that are gone. Each is
 * returned once, by the second look in a row that finds it gone, so that a short pause of a price
 * ends no message.
 */
export function createGoneLook(
  book: Pick<AlertBook, 'standing'>,
  decisions: Pick<Decisions, 'isGone'>,
) {
  /** How many looks in a row found it gone, by `deliveryKey`. */
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
      // Not again later: a returned message may not have been read back from the log yet.
      if (looks === looksUntilGone) gone.push(row)
    }
    missing = absent
    return gone
  }
}
