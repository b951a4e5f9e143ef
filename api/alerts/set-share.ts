/**
 * The sets of sportsbooks that an account's alerts on opportunities name. A process keeps few sets,
 * and an alert keeps its set awake, so the alerts of one account have a share of them. The sets of
 * the oldest alerts count; an alert with a further set waits. An alert that may not run for another
 * reason takes no share.
 */

import type { AlertRow, OpportunityAlert } from '../../schemas/alert.ts'
import type { ChosenSet } from '../access/scope.ts'
import { ApiError } from '../errors.ts'

/**
 * Returns the set of sportsbooks that an alert names, without waking it; null or undefined for none.
 * @throws ApiError if the account may not have the alert now
 */
export type SetOf = (alert: OpportunityAlert) => ChosenSet | null | undefined

/**
 * Returns why alerts wait, by their id: those beyond their account's share.
 * @param oldestFirst the alerts, oldest first
 */
export function waitingForSet(oldestFirst: Iterable<AlertRow>, setOf: SetOf): Map<string, string> {
  const waiting = new Map<string, string>()
  const sets = new Map<string, Set<ChosenSet>>()
  for (const alert of oldestFirst) {
    // Reading a query takes long, and few of them name sportsbooks.
    if (alert.type !== 'opportunity' || alert.isPaused || !alert.query.includes('books=')) continue
    const set = setNamed(alert, setOf)
    if (!set) continue
    const ofAccount = sets.get(alert.accountId) ?? new Set()
    sets.set(alert.accountId, ofAccount)
    if (ofAccount.has(set) || ofAccount.size < set.mostOfAccount) ofAccount.add(set)
    else waiting.set(alert.id, reasonWith(set.mostOfAccount))
  }
  return waiting
}

function setNamed(alert: OpportunityAlert, setOf: SetOf) {
  try {
    return setOf(alert)
  } catch (error) {
    // The alert is blocked for a reason of its own.
    if (error instanceof ApiError) return null
    throw error
  }
}

const reasonWith = (most: number) =>
  `Older alerts of the account follow ${most} other sets of sportsbooks, as many as the alerts of one account may; this one waits for room.`
