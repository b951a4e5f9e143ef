/**
 * The table of aliases in memory, by league: the side that a sportsbook's spelling means, and which names are never
 * one side. `joining.ts` decides when an alias is learnt or given up.
 *
 * A watched pair outlives its event for some time, so that an alias can be learnt over several
 * evenings. The number per league is limited: the pair whose prices agreed longest ago is dropped
 * first.
 */

import {
  type AliasName,
  type AliasOrder,
  type AliasRow,
  aliasKey,
  aliasName,
  anySportsbook,
  keyOfAlias,
  noEvidence,
} from '../../../schemas/alias.ts'
import { topics } from '../../../schemas/topics.ts'
import { invariant } from '../../invariant.ts'
import type { Append } from '../../log/log.ts'

/** A side's name, and the sportsbook that uses the spelling. */
export interface SpeltName {
  readonly sportsbook: string
  readonly name: string
}

export interface Aliases {
  /** Returns whether a league has aliases. */
  has(league: string): boolean
  /** Returns the team that a spelling means, if an alias is in force. */
  teamOf(league: string, sportsbook: string, spelling: string): string | undefined
  /** Returns the alias of a sportsbook's own spelling, in force or not. */
  find(league: string, sportsbook: string, spelling: string): AliasRow | undefined
  /** Returns whether it is decided that two names are not one side. */
  areForbidden(league: string, one: SpeltName, other: SpeltName): boolean
  write(row: AliasRow): void
  remove(name: AliasName, isForbidden: boolean): void
  /** Removes the ambiguity that a removed event caused. */
  forgetEvent(event: { readonly id: string; readonly league: string }): void
  /** Drops pairs that have been watched for too long. */
  forgetOld(now: number): void
  /** Writes the operator's decision. */
  apply(order: AliasOrder): void
  restore(row: AliasRow): void
}

/** The aliases of a league by key, one map for the meanings of names and one for forbidden pairs. */
interface LeagueAliases {
  readonly meanings: Map<string, AliasRow>
  readonly forbidden: Map<string, AliasRow>
  watchedCount: number
}

const dayMs = 24 * 60 * 60_000
/** A pair of names is not watched any more this many days after the last game that had both. */
const watchedDays = 60
/** The most names of a league that are watched at a time. */
const watchedMost = 500

const isInForce = ({ state }: AliasRow) => state === 'learnt' || state === 'confirmed'

export function createAliases(emit: (change: Append) => void): Aliases {
  const leagues = new Map<string, LeagueAliases>()
  /** The day, since 1970, of the last `forgetOld`. Whole days count, so that a restart changes nothing. */
  let sweptOn = Number.NaN

  function put(row: AliasRow): LeagueAliases {
    let league = leagues.get(row.league)
    if (!league) {
      league = { meanings: new Map(), forbidden: new Map(), watchedCount: 0 }
      leagues.set(row.league, league)
    }
    const rows = row.state === 'forbidden' ? league.forbidden : league.meanings
    const key = keyOfAlias(row)
    if (isWatched(rows.get(key))) league.watchedCount--
    if (isWatched(row)) league.watchedCount++
    rows.set(key, row)
    return league
  }

  function find(league: string, sportsbook: string, spelling: string): AliasRow | undefined {
    const key = aliasKey({ league, sportsbook, spelling, team: '' }, false)
    return leagues.get(league)?.meanings.get(key)
  }

  function write(row: AliasRow) {
    const league = put(row)
    if (league.watchedCount > watchedMost) remove(longestAgo(league), false)
    const key = keyOfAlias(row)
    emit({ topic: topics.aliases, partitionKey: row.league, key, value: row })
  }

  function remove(name: AliasName, isForbidden: boolean) {
    const league = leagues.get(name.league)
    const rows = isForbidden ? league?.forbidden : league?.meanings
    const key = aliasKey(name, isForbidden)
    if (!league || !rows) return
    if (isWatched(rows.get(key))) league.watchedCount--
    if (!rows.delete(key)) return
    if (league.meanings.size + league.forbidden.size === 0) leagues.delete(name.league)
    emit({ topic: topics.aliases, partitionKey: name.league, key, value: null })
  }

  return {
    has: (league) => leagues.has(league),
    find,
    write,
    remove,
    restore: (row) => void put(row),

    teamOf(league, sportsbook, spelling) {
      if (!leagues.has(league)) return undefined
      const own = find(league, sportsbook, spelling)
      const row = own && isInForce(own) ? own : find(league, anySportsbook, spelling)
      return row && isInForce(row) ? row.team : undefined
    },

    areForbidden(league, one, other) {
      for (const row of leagues.get(league)?.forbidden.values() ?? [])
        if (forbids(row, one, other) || forbids(row, other, one)) return true
      return false
    },

    forgetEvent({ id, league }) {
      for (const row of leagues.get(league)?.meanings.values() ?? [])
        if (row.state === 'ambiguous' && row.eventId === id) remove(row, false)
    },

    forgetOld(now) {
      const today = Math.floor(now / dayMs)
      if (today === sweptOn) return
      sweptOn = today
      for (const { meanings } of leagues.values())
        for (const row of meanings.values())
          if (isWatched(row) && today - Math.floor(seenAt(row) / dayMs) > watchedDays)
            remove(row, false)
    },

    apply(order) {
      const { state, isForbidden, observedAt, revision, ...name } = order
      const { league, sportsbook, spelling, team } = name
      if (state === 'removed') return remove(name, isForbidden)
      if (state === 'confirmed') remove(name, true)
      for (const row of leagues.get(league)?.meanings.values() ?? [])
        if (isOverruled(row, order)) remove(row, false)
      write({
        ...{ league, sportsbook, spelling, team, state, revision },
        ...noEvidence,
        createdAt: observedAt,
        updatedAt: observedAt,
      })
    },
  }
}

const isWatched = (row: AliasRow | undefined) => row?.state === 'watched'

/** Returns the start of the last game that had both names of a watched row. */
const seenAt = ({ startsAt, updatedAt }: AliasRow) => startsAt ?? updatedAt

/**
 * Returns the oldest row; among equals the first by key, so that the order in which rows were restored does not
 * matter.
 */
function longestAgo({ meanings }: LeagueAliases): AliasRow {
  let oldest: AliasRow | undefined
  for (const row of meanings.values()) {
    if (!isWatched(row)) continue
    const earlierMs = oldest === undefined ? 1 : seenAt(oldest) - seenAt(row)
    if (!oldest || earlierMs > 0 || (earlierMs === 0 && keyOfAlias(row) < keyOfAlias(oldest)))
      oldest = row
  }
  invariant(oldest, 'more rows are watched than may be')
  return oldest
}

/** Returns whether a row contradicts the operator's order. */
function isOverruled(row: AliasRow, { sportsbook, spelling, team, state }: AliasOrder): boolean {
  if (sportsbook !== anySportsbook && sportsbook !== row.sportsbook) return false
  const [from, to] = [aliasName(row.spelling), aliasName(row.team)]
  const [ours, theirs] = [aliasName(spelling), aliasName(team)]
  if (state === 'confirmed') return from === ours && row.state !== 'confirmed'
  return (from === ours && to === theirs) || (from === theirs && to === ours)
}

function forbids({ sportsbook, spelling, team }: AliasRow, one: SpeltName, other: SpeltName) {
  if (sportsbook !== anySportsbook && sportsbook !== one.sportsbook) return false
  return aliasName(spelling) === aliasName(one.name) && aliasName(team) === aliasName(other.name)
}
