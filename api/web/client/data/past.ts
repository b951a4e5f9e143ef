/** The whole board at a past time: prices and their games. */

import type { Game, Page } from '../../wire.ts'
import { cursorPages } from './pages.ts'
import { createPlayVotes, withPlay } from './play-votes.ts'
import type { WireRow } from './price-store.ts'
import { RefusedError } from './refused.ts'

/** Fields of a row that describe its game, besides those that every page reads. */
export const gameFields = 'sport,league,home_team,away_team,event_start_time'

export interface PastRow extends WireRow {
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly event_start_time: string
  readonly is_live: boolean
}

/** Wait between two tries if the service does not state one. */
const waitMs = 2_000

/**
 * Reads the board. Tries again while the archive is slow or starting.
 *
 * @param get sends a request by path and query
 * @param query filters and fields of `/odds`, including `gameFields`, and a league or an event
 * @param at epoch ms, not in the future
 */
export async function readPast(
  get: (path: string) => Promise<Page<PastRow>>,
  query: string,
  at: number,
  signal: AbortSignal,
): Promise<readonly PastRow[]> {
  const rows: PastRow[] = []
  const asOf = encodeURIComponent(new Date(at).toISOString())
  const read = (cursor: string) =>
    patiently(() => get(`/odds?${query}&as_of=${asOf}&limit=200${cursor}`), signal)
  for await (const page of cursorPages(read)) rows.push(...page)
  return rows
}

/** A proxy that is busy or has no service behind it may pass the request later. One that refuses it will not. */
const isRefusedByProxy = ({ isOurs, status }: RefusedError) =>
  !isOurs && status < 500 && ![408, 425, 429].includes(status)

/** @throws RefusedError if another try would be refused too, or the signal has aborted */
async function patiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal) {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RefusedError) || error.isFinal || signal.aborted) throw error
      if (error.reason === 'off' || error.reason === 'absent') throw error
      if (isRefusedByProxy(error)) throw error
      const ms = error.retryAfter === null ? waitMs : error.retryAfter * 1_000
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
}

/**
 * Returns the games by id, in play where their prices say so. Scores of the past are not available here.
 * @param at the time of the prices (epoch ms)
 */
export function gamesIn(rows: readonly PastRow[], at: number): ReadonlyMap<string, Game> {
  const votes = createPlayVotes()
  const firstRows = new Map<string, PastRow>()
  for (const row of rows) {
    const { event_id: id = '', sportsbook = '' } = row
    votes.add(id, sportsbook, row.is_live)
    if (!firstRows.has(id)) firstRows.set(id, row)
  }
  const games = new Map<string, Game>()
  for (const [id, row] of firstRows) {
    const { sport, league, home_team, away_team, event_start_time: start_time } = row
    const ofRow = { id, sport, league, home_team, away_team, start_time }
    const { is_live } = withPlay({ ...ofRow, is_live: false, status: 'upcoming' }, votes, at)
    games.set(id, { ...ofRow, is_live, status: is_live ? 'live' : 'upcoming' })
  }
  return games
}

/** Returns the past time in an address (epoch ms); null if there is none or it is invalid. */
export function pastIn(parameters: URLSearchParams, now: number): number | null {
  const at = Date.parse(parameters.get('at') ?? '')
  return Number.isNaN(at) || at > now ? null : at
}

/** Writes a time for the address, in seconds. */
export const addressOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Returns the query part that keeps a link at the same past time. */
export const pastQuery = (at: number | null) => (at === null ? '' : `&at=${addressOf(at)}`)
