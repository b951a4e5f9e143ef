/**
 * The sets of sportsbooks that an account's alerts on opportunities name. A process keeps few sets, and an alert keeps
 * its set awake, so the alerts of one account have a share of them. Beyond it the newest alerts wait.
 */

import type { AlertRow, OpportunityAlert } from '../../schemas/alert.ts'
import type { ChosenSet } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { booksOf } from './opportunity-rule.ts'

/**
 * Returns the set that sportsbooks make for an alert's account; null or undefined for none.
 * @throws ApiError if the account may not choose them
 */
export type SetOf = (alert: AlertRow, books: readonly string[]) => ChosenSet | null | undefined

/** Returns why alerts wait, by their id, for those beyond their account's share. */
export function waitingForSet(alerts: Iterable<AlertRow>, setOf: SetOf): Map<string, string> {
  const waiting = new Map<string, string>()
  const sets = new Map<string, Set<ChosenSet>>()
  for (const alert of oldestFirst(alerts)) {
    const set = setNamed(alert, setOf)
    if (!set) continue
    const ofAccount = sets.get(alert.accountId) ?? new Set()
    sets.set(alert.accountId, ofAccount)
    if (ofAccount.has(set) || ofAccount.size < set.mostOfAccount) ofAccount.add(set)
    else waiting.set(alert.id, reasonWith(set.mostOfAccount))
  }
  return waiting
}

function oldestFirst(alerts: Iterable<AlertRow>): OpportunityAlert[] {
  const some: OpportunityAlert[] = []
  // Reading a query takes long, and few of them name sportsbooks.
  for (const alert of alerts) {
    if (alert.type === 'opportunity' && !alert.isPaused && alert.query.includes('books=')) {
      some.push(alert)
    }
  }
  return some.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

function setNamed(alert: OpportunityAlert, setOf: SetOf) {
  try {
    const books = booksOf(alert)
    return books && setOf(alert, books)
  } catch (error) {
    // The alert is blocked for a reason of its own.
    if (error instanceof ApiError) return null
    throw error
  }
}

const reasonWith = (most: number) =>
  `Older alerts of the account follow ${most} other sets of sportsbooks, as many as the alerts of one account may; this one waits for room.`
