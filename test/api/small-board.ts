/** A board filled by hand, with a way to call its routes without a server. */

import { expect } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import { readQuery } from '../../api/ask/read-query.ts'
import type { Prepared, ReadRoute } from '../../api/route.ts'
import type { Append, LogRecord } from '../../pipeline/log/log.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import { createFuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { createGameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import { createOpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { createSourcesView } from '../../pipeline/views/sources/sources-view.ts'
import { createSplitsView } from '../../pipeline/views/splits/splits-view.ts'
import { noAttributes } from '../../schemas/attributes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { oddsId } from '../../schemas/ids.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { type Sighting, sightingKey } from '../../schemas/sighting.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { WithheldReason } from '../../schemas/withheld-price.ts'
import { oddsIdentityText } from '../odds-identity.ts'
import { slowMainLines } from '../oracle/slow-main-lines.ts'

export const baseTime = Date.parse('2027-01-14T21:00:00.000Z')
export const knicks = 'nba_bulls_knicks_2027-01-14_b3'
export const leeds = 'england_-_premier_league_brentford_leeds_2027-01-15_b2'

const games: Readonly<Record<string, Partial<EventRow>>> = {
  [knicks]: {
    sport: 'basketball',
    league: 'nba',
    homeTeam: 'New York Knicks',
    awayTeam: 'Chicago Bulls',
    startsAt: Date.parse('2027-01-15T00:40:00.000Z'),
  },
  [leeds]: {
    sport: 'soccer',
    league: 'england_-_premier_league',
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    startsAt: Date.parse('2027-01-15T15:00:00.000Z'),
  },
}

export function game(id: string, more: Partial<EventRow> = {}): EventRow {
  return {
    id,
    sport: 'basketball',
    league: 'nba',
    leagueMapped: true,
    homeTeam: 'Home',
    awayTeam: 'Away',
    flipped: false,
    startsAt: baseTime + 3_600_000,
    status: 'upcoming',
    isLive: false,
    updatedAt: baseTime,
    ...games[id],
    ...more,
  }
}

/** The price of a sportsbook; by default in the moneyline. */
export type Quote = Partial<OddsRow> & Pick<OddsRow, 'sportsbook' | 'price'>

export function quote(eventId: string, of: Quote): OddsRow {
  const { homeTeam, awayTeam, league } = game(eventId)
  const selectionType = of.selectionType ?? 'home'
  const playerName = of.playerName ?? null
  const word = { home: homeTeam, away: awayTeam, draw: 'Draw', over: 'Over', under: 'Under' }[
    selectionType
  ]
  const selection = playerName === null ? word : `${playerName} ${word}`
  const row = {
    eventId,
    league,
    marketType: 'moneyline',
    selection: selection ?? selectionType,
    selectionType,
    line: null,
    playerName,
    statCategory: null,
    isLive: false,
    isActive: true,
    observedAt: baseTime,
    changedAt: null,
    ...noAttributes,
    ...of,
  }
  return { id: oddsId(oddsIdentityText(row)), ...row }
}

/** Returns the record that a sportsbook was seen to offer a game. */
export function sighting(
  eventId: string,
  sportsbook: string,
  lastSeenAt: number,
  externalId: string | null = null,
): Sighting {
  const { league, homeTeam, awayTeam, startsAt, isLive } = game(eventId)
  return {
    eventId,
    league,
    sportsbook,
    lastSeenAt,
    externalId,
    listing: 'l',
    formerListings: [],
    hasGivenPrices: true,
    statedAt: null,
    homeTeam,
    awayTeam,
    startsAt,
    swapped: false,
    isLive,
    statedStatus: null,
  }
}

function record<Row>(topic: Topic<Row>, key: string, value: Row | null): LogRecord {
  return { topic: topic as Topic, partition: 0, offset: 0, key, value }
}

function put<Row>(table: Map<string, Row>, key: string, row: Row | null) {
  if (row) table.set(key, row)
  else table.delete(key)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

export type SmallBoard = ReturnType<typeof createSmallBoard>

export function createSmallBoard() {
  const board = createBoardView()
  const sources = createSourcesView()
  let now = baseTime

  const apply = (...records: LogRecord[]) => applyAll(records)
  const tables = { events: new Map<string, EventRow>(), odds: new Map<string, OddsRow>() }
  const applyAll = (records: readonly LogRecord[]) => {
    for (const { topic, key, value } of records) {
      if (topic.name === topics.events.name) put(tables.events, key, value as EventRow | null)
      if (topic.name === topics.odds.name) put(tables.odds, key, value as OddsRow | null)
    }
    sources.apply(records)
    board.apply(records, { epoch: 'e', offsets: {} }, now)
  }

  const opportunities = createOpportunityView(board)
  const scopes = createScopes({
    live: board,
    delayed: board,
    opportunities,
    futures: createFuturesView(),
    gameStates: createGameStatesView(),
    splits: createSplitsView(),
    sources,
    delayedSources: sources,
  })
  const scopeOf = (tier: Tier) => scopes.of({ tier, isOwner: false })

  /** @param query query string of the route @throws ApiError */
  function prepare(
    route: ReadRoute,
    query = '',
    { tier = 'sharp' as Tier, path = {} as Record<string, string> } = {},
  ): Prepared {
    const read = readQuery(createQueryReader(route.query, []), route.query, query)
    return route.prepare({ query: read, path, scope: scopeOf(tier), profile: emptyProfile('') })
  }

  /** Writes a response and validates it against its route. */
  function write(route: ReadRoute, prepared: Prepared) {
    const page = createPageBuffer()
    const written = prepared.write(page)
    const body: Body = JSON.parse(page.bytes.toString('utf8', 0, page.length))
    expect(route.answer?.schema?.parse(body)).toEqual(body)
    return { ...written, body }
  }

  return {
    board,
    clock: () => now,
    advance(ms: number) {
      now += ms
    },
    scope: scopeOf,
    prepare,
    write,
    get(route: ReadRoute, query = '', options: Parameters<typeof prepare>[2] = {}) {
      return write(route, prepare(route, query, options)).body
    },
    /** Applies a processor's changelog. */
    take(changelog: readonly Append[]) {
      applyAll(changelog.map(({ topic, key, value }) => record(topic, key, value)))
    },
    event(id: string, more: Partial<EventRow> = {}) {
      apply(record(topics.events, id, game(id, more)))
    },
    odds(eventId: string, ...quotes: Quote[]) {
      const rows = quotes.map((of) => quote(eventId, of))
      apply(...rows.map((row) => record(topics.odds, String(row.id), row)))
    },
    /** Decides main lines as the pipeline does, without sharp sportsbooks. */
    decideMainLines() {
      const decided = slowMainLines({ ...tables, sportsbookStatus: new Map() }, [])
      apply(...[...decided].map(([key, row]) => record(topics.mainLines, key, row)))
    },
    /** Withholds a price as the guard does; null releases it. */
    judge(eventId: string, of: Quote, reason: WithheldReason | null) {
      const { id, sportsbook, league } = quote(eventId, of)
      const row = reason && { id, sportsbook, league, reason, since: now }
      apply(record(topics.withheldPrices, String(id), row))
    },
    withdraw(eventId: string, of: Quote) {
      apply(record(topics.odds, String(quote(eventId, of).id), null))
    },
    seen(
      eventId: string,
      sportsbook: string,
      lastSeenAt: number,
      externalId: string | null = null,
    ) {
      const row = sighting(eventId, sportsbook, lastSeenAt, externalId)
      apply(record(topics.sightings, sightingKey(eventId, sportsbook), row))
    },
  }
}

/** Returns the code and details of the ApiError that `ask` throws. */
export function refusal(ask: () => unknown): { code: string; details: Record<string, unknown> } {
  try {
    ask()
  } catch (error) {
    const { code, details } = error as { code: string; details: Record<string, unknown> }
    return { code, details }
  }
  throw new Error('it was answered')
}
