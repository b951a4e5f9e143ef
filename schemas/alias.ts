/**
 * What a sportsbook's spelling of a side stands for in one league: the rows of the table `aliases`, and
 * what an operator orders of it.
 */

import { hashIdentity, oddsIdOf } from './ids.ts'
import { memoise } from './memoise.ts'
import { normaliseName } from './reference/normalise-name.ts'

/**
 * - `watched`: prices agree, but not yet often enough; the games stay two.
 * - `ambiguous`: it fits several teams or games, and is none of them while the event stands.
 * - `learnt`: prices agreed; in force until they contradict.
 * - `confirmed`: the operator said so; in force until the operator says otherwise.
 * - `forbidden`: the operator said that the two are never one side.
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

/** In place of a sportsbook: every one. */
export const anySportsbook = '*'

export interface AliasName {
  /** League id. */
  readonly league: string
  /** Sportsbook id, or `anySportsbook`. */
  readonly sportsbook: string
  /** The side as the sportsbook writes it. */
  readonly spelling: string
  /** The side it stands for, or never stands for. */
  readonly team: string
}

export interface AliasRow extends AliasName {
  readonly state: AliasState
  /** How many readings of the last game's prices, a minute or more apart, agreed. */
  readonly readings: number
  /** The event whose prices agreed, or that stands alone; null for the operator's own. */
  readonly eventId: string | null
  readonly createdAt: number
  /** When the row last changed (epoch ms). */
  readonly updatedAt: number
  /** Of the order it was written by; '' for what was learnt. */
  readonly revision: string
  /** How many games in a row, on days of their own, had prices that agreed. */
  readonly evenings: number
  /** When the last of them starts (epoch ms); null for none. */
  readonly startsAt: number | null
  /** The teams and the events that an ambiguous spelling may be of; none for others. */
  readonly teams: readonly string[]
  readonly eventIds: readonly string[]
}

/** What is said of a name beside its row's own members where prices say nothing. */
export const noEvidence = {
  readings: 0,
  eventId: null,
  evenings: 0,
  startsAt: null,
  teams: [],
  eventIds: [],
} as const

/** A record of the topic `feed.aliases`: an operator's word on one row. */
export interface AliasOrder extends AliasName {
  readonly type: 'alias'
  /** `removed`: as if nothing had been said or learnt. */
  readonly state: 'confirmed' | 'forbidden' | 'removed'
  /** Of the row to be removed: whether it is a forbidden pair. */
  readonly isForbidden: boolean
  readonly observedAt: number
  readonly revision: string
}

/** How names are compared here: letter by letter, but for case, accents and punctuation. */
export const aliasName = memoise((name: string) => normaliseName(name) || name.trim())

/** One row says what a spelling stands for; what it never stands for may be several. */
export const aliasKey = (
  { league, sportsbook, spelling, team }: AliasName,
  isForbidden: boolean,
): string => {
  const key = `${league}|${sportsbook}|${aliasName(spelling)}`
  return isForbidden ? `${key}|${aliasName(team)}` : key
}

export const keyOfAlias = (row: AliasRow) => aliasKey(row, row.state === 'forbidden')

/** For addresses. */
export const aliasId = (key: string) => `alias_${oddsIdOf(hashIdentity(key))}`
