/** Alerts that wait because older ones of their account take all that its alerts may have. */

import type { AlertRow } from '../../schemas/alert.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { beyondLimit } from './alert-limit.ts'
import { type SetOf, waitingForSet } from './set-share.ts'

export interface AccountsOfAlerts {
  /** Returns the tier of an alert's account; undefined without the account. */
  tierOf(alert: AlertRow): Tier | undefined
  readonly setOf: SetOf
}

/**
 * Returns why alerts wait, by their id.
 * @param alerts all alerts of each account
 */
export function waitingAlerts(
  alerts: Iterable<AlertRow>,
  { tierOf, setOf }: AccountsOfAlerts,
): ReadonlyMap<string, string> {
  const oldestFirst = [...alerts].sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  )
  const beyond = beyondLimit(oldestFirst, tierOf)
  const others = oldestFirst.filter(({ id }) => !beyond.has(id))
  return new Map([...beyond, ...waitingForSet(others, setOf)])
}
