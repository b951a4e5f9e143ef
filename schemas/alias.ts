/**
 * A sportsbook's spelling of a side in one league: the rows of the table `aliases`, and the operator's orders.
 */

import { hashIdentity, oddsIdOf } from './ids.ts'
import { memoise } from './memoise.ts'
import { normaliseName } from './reference/normalise-name.ts'

/**
 * - `watched`: prices agree, but not yet often enough; the games stay two.
 * - `ambiguous`: it fits several teams or games, and is matched with none of them as long as the event exists.
 * - `learnt`: prices agreed; in force until they contradict.
 * - `confirmed`: set by the operator; in force until the operator changes it.
 * - `forbidden`: the operator ruled that the two are never one side.
 * - `withdrawn`: learnt, and then contradicted; not learnt again.
 */
export const aliasStates = [
  'watched',
  'ambiguous',
  'learnt',
  'confirmed',
  'forbidden',
  'withdrawn',
] as const
export type AliasState = (typeof aliasStates)[number]

/** Means every sportsbook, in place of one. */
export const anySportsbook = '*'

export interface AliasName {
  /** League id. */
  readonly league: string
  /** Sportsbook id, or `anySportsbook`. */
  readonly sportsbook: string
  /** The side in the sportsbook's spelling. */
  readonly spelling: string
  /** The side it means, or never means. */
  readonly team: string
}

export interface AliasRow extends AliasName {
  readonly state: AliasState
  /** The number of readings of the last game's prices, a minute or more apart, that agreed. */
  readonly readings: number
  /** The event whose prices agreed, or that was kept separate; null for the operator's own. */
  readonly eventId: string | null
  readonly createdAt: number
  /** When the row last changed (epoch ms). */
  readonly updatedAt: number
  /** The revision of the order it was written by; '' for a learnt alias. */
  readonly revision: string
  /** The number of games in a row, on different days, whose prices agreed. */
  readonly evenings: number
  /** When the last of them starts (epoch ms); null for none. */
  readonly startsAt: number | null
  /** The teams and the events that an ambiguous spelling may mean; empty for others. */
  readonly teams: readonly string[]
  readonly eventIds: readonly string[]
}

/** The fields of an alias that has no evidence from prices. */
export const noEvidence = {
  readings: 0,
  eventId: null,
  evenings: 0,
  startsAt: null,
  teams: [],
  eventIds: [],
} as const

/** A record of the topic `feed.aliases`: an operator's order about one row. */
export interface AliasOrder extends AliasName {
  readonly type: 'alias'
  /** `removed`: as if nothing had been ordered or learnt. */
  readonly state: 'confirmed' | 'forbidden' | 'removed'
  /** For a removal: whether the row is a forbidden pair. */
  readonly isForbidden: boolean
  readonly observedAt: number
  readonly revision: string
}

/** Returns a name in the form compared here: letter by letter, ignoring case, accents and punctuation. */
export const aliasName = memoise((name: string) => normaliseName(name) || name.trim())

/** Returns the row's key: a spelling has one row for its meaning, and one for each side it never means. */
export const aliasKey = (
  { league, sportsbook, spelling, team }: AliasName,
  isForbidden: boolean,
): string => {
  const key = `${league}|${sportsbook}|${aliasName(spelling)}`
  return isForbidden ? `${key}|${aliasName(team)}` : key
}

export const keyOfAlias = (row: AliasRow) => aliasKey(row, row.state === 'forbidden')

/** Returns an id for addresses. */
export const aliasId = (key: string) => `alias_${oddsIdOf(hashIdentity(key))}`
