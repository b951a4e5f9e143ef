/**
 * The table of aliases in memory, by league: what a sportsbook's spelling stands for, and which names
 * are never one side. When an alias is learnt or given up is decided in `evidence.ts`.
 */

import {
  type AliasName,
  type AliasOrder,
  type AliasRow,
  aliasKey,
  aliasName,
  anySportsbook,
  keyOfAlias,
} from '../../../schemas/alias.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append } from '../../log/log.ts'

/** A side's name, and who writes it so. */
export interface SpeltName {
  readonly sportsbook: string
  readonly name: string
}

export interface Aliases {
  /** Whether anything is said of a league. */
  has(league: string): boolean
  /** The team a spelling stands for, where an alias is in force. */
  teamOf(league: string, sportsbook: string, spelling: string): string | undefined
  /** What is said of a sportsbook's own spelling, in force or not. */
  find(league: string, sportsbook: string, spelling: string): AliasRow | undefined
  /** Whether two names may not be one side. */
  areForbidden(league: string, one: SpeltName, other: SpeltName): boolean
  write(row: AliasRow): void
  remove(name: AliasName, isForbidden: boolean): void
  /** Of an event that is gone nothing is watched. */
  forgetEvent(event: { readonly id: string; readonly league: string }): void
  /** Writes what the operator says. */
  obey(order: AliasOrder): void
  restore(row: AliasRow): void
}

/** By key, one map for what names stand for and one for forbidden pairs. */
interface LeagueAliases {
  readonly meanings: Map<string, AliasRow>
  readonly forbidden: Map<string, AliasRow>
}

const isInForce = ({ state }: AliasRow) => state === 'learnt' || state === 'confirmed'

export function createAliases(emit: (change: Append) => void): Aliases {
  const leagues = new Map<string, LeagueAliases>()

  function restore(row: AliasRow) {
    let league = leagues.get(row.league)
    if (!league) {
      league = { meanings: new Map(), forbidden: new Map() }
      leagues.set(row.league, league)
    }
    const rows = row.state === 'forbidden' ? league.forbidden : league.meanings
    rows.set(keyOfAlias(row), row)
  }

  function find(league: string, sportsbook: string, spelling: string): AliasRow | undefined {
    const key = aliasKey({ league, sportsbook, spelling, team: '' }, false)
    return leagues.get(league)?.meanings.get(key)
  }

  function write(row: AliasRow) {
    restore(row)
    const key = keyOfAlias(row)
    emit({ topic: topics.aliases, partitionKey: row.league, key, value: row })
  }

  function remove(name: AliasName, isForbidden: boolean) {
    const league = leagues.get(name.league)
    const rows = isForbidden ? league?.forbidden : league?.meanings
    const key = aliasKey(name, isForbidden)
    if (!league || !rows?.delete(key)) return
    if (league.meanings.size + league.forbidden.size === 0) leagues.delete(name.league)
    emit({ topic: topics.aliases, partitionKey: name.league, key, value: null })
  }

  return {
    has: (league) => leagues.has(league),
    find,
    write,
    remove,
    restore,

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
        if (row.state === 'watched' && row.eventId === id) remove(row, false)
    },

    obey(order) {
      const { state, isForbidden, observedAt, revision, ...name } = order
      const { league, sportsbook, spelling, team } = name
      if (state === 'removed') return remove(name, isForbidden)
      if (state === 'confirmed') remove(name, true)
      for (const row of leagues.get(league)?.meanings.values() ?? [])
        if (isOverruled(row, order)) remove(row, false)
      write({
        ...{ league, sportsbook, spelling, team, state, revision },
        readings: 0,
        eventId: null,
        createdAt: observedAt,
        updatedAt: observedAt,
      })
    },
  }
}

/** Whether a row says otherwise than the operator says now. */
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
