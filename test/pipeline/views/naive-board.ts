/**
 * The board's view the slow way: plain maps, every page sorted and rendered from scratch. Its rows
 * and their order follow the interface, not the code under test.
 */

import type { LogRecord } from '../../../pipeline/log/log.ts'
import { flipSelectionType } from '../../../pipeline/rules/odds/questions.ts'
import { createPageBuffer } from '../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../pipeline/views/query/odds-filter.ts'
import { type PageRange, writeOddsPage } from '../../../pipeline/views/query/odds-page.ts'
import { placeOf } from '../../../pipeline/views/query/row-place.ts'
import { attributeList } from '../../../schemas/attributes.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { MainLineRow } from '../../../schemas/main-line.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import type { WithheldPrice, WithheldReason } from '../../../schemas/withheld-price.ts'

let nextOffset = 0

/** Returns the implied probability with four places; if that is 0, with six. */
export const shownChance = (price: number) =>
  Math.round(10_000 / price) / 10_000 || Math.round(1e6 / price) / 1e6

/** Returns a changelog record as read. */
export function logRecord<Row>(topic: Topic<Row>, key: string, value: Row | null): LogRecord {
  return { topic: topic as Topic, partition: 0, offset: nextOffset++, key, value }
}

interface Seen {
  lastSeenAt: number
  externalId: string | null
}

export interface NaiveRow {
  readonly odds: OddsRow
  readonly event: EventRow
  readonly lastSeenAt: number
  readonly withheld: WithheldReason | null
}

export type NaiveBoard = ReturnType<typeof createNaiveBoard>

export function createNaiveBoard(books?: ReadonlySet<string>) {
  const events = new Map<string, EventRow>()
  const seen = new Map<string, Map<string, Seen>>()
  const odds = new Map<number, OddsRow>()
  const withheld = new Map<number, WithheldPrice>()
  const mainLines = new Map<string, MainLineRow>()
  /** Events whose own row is gone. One with prices stays until these are gone too. */
  const forgotten = new Set<string>()

  const rowsOf = (eventId: string) => [...odds.values()].filter((row) => row.eventId === eventId)

  function forgetEmpty(eventId: string) {
    if (!forgotten.has(eventId) || rowsOf(eventId).length > 0) return
    events.delete(eventId)
    seen.delete(eventId)
    forgotten.delete(eventId)
  }

  function seenOf(eventId: string, sportsbook: string, lastSeenAt: number): Seen {
    let byBook = seen.get(eventId)
    if (!byBook) {
      byBook = new Map()
      seen.set(eventId, byBook)
    }
    let found = byBook.get(sportsbook)
    if (!found) {
      found = { lastSeenAt, externalId: null }
      byBook.set(sportsbook, found)
    }
    return found
  }

  /** Without a sighting, the first price of a sportsbook gives its time. */
  const seenAt = ({ eventId, sportsbook, observedAt }: OddsRow) =>
    seenOf(eventId, sportsbook, observedAt)

  function apply({ topic, key, value }: LogRecord) {
    if (topic.name === 'events') {
      if (value) {
        const isNew = !events.has(key)
        events.set(key, value as EventRow)
        forgotten.delete(key)
        if (isNew) for (const row of rowsOf(key)) seenAt(row)
        return
      }
      // Prices waiting for an event that never came are dropped.
      if (!events.has(key)) for (const row of rowsOf(key)) odds.delete(row.id)
      forgotten.add(key)
      forgetEmpty(key)
    } else if (topic.name === 'sightings') {
      const sighting = value as Sighting | null
      if (!sighting || (books && !books.has(sighting.sportsbook))) return
      const found = seenOf(sighting.eventId, sighting.sportsbook, sighting.lastSeenAt)
      found.lastSeenAt = sighting.lastSeenAt
      found.externalId = sighting.externalId
    } else if (topic.name === 'odds') {
      const row = value as OddsRow | null
      if (!row) {
        const before = odds.get(Number(key))
        odds.delete(Number(key))
        if (before) forgetEmpty(before.eventId)
        return
      }
      if (books && !books.has(row.sportsbook)) return
      if (events.has(row.eventId)) seenAt(row)
      // Of the prices that wait for their event, the newest of each row counts, in order of arrival.
      else odds.delete(row.id)
      odds.set(row.id, row)
    } else if (topic.name === 'main-lines') {
      const row = value as MainLineRow | null
      if (row) mainLines.set(key, row)
      else mainLines.delete(key)
    } else if (topic.name === 'withheld-prices') {
      const row = value as WithheldPrice | null
      if (row) withheld.set(row.id, row)
      else withheld.delete(Number(key))
    }
  }

  /** @param whose index of a set of sportsbooks, or the row's own sportsbook */
  function isOnMainLine(row: OddsRow, whose: number | 'own'): boolean {
    if (row.line === null) return true
    const [side, ...rest] = row.selectionType.split('_')
    const team = rest.length > 0 && (side === 'home' || side === 'away') ? side : null
    const of = [...mainLines.values()].find(
      (one) =>
        one.eventId === row.eventId &&
        one.marketType === row.marketType &&
        one.playerName === row.playerName &&
        one.isLive === row.isLive &&
        one.team === team,
    )
    const line = homesLine(row.marketType, row.selectionType, row.line)
    if (!of) return true
    if (whose !== 'own') return of.lines[whose] === line
    const own = of.own.find(({ sportsbook }) => sportsbook === row.sportsbook)
    return !own || own.line === line
  }

  /** Returns every row of a known event, in page order. */
  function rows(): NaiveRow[] {
    return [...odds.values()]
      .flatMap((row) => {
        const event = events.get(row.eventId)
        if (!event) return []
        const lastSeenAt = seen.get(row.eventId)!.get(row.sportsbook)!.lastSeenAt
        return [{ odds: row, event, lastSeenAt, withheld: withheld.get(row.id)?.reason ?? null }]
      })
      .sort(comparePageOrder)
  }

  /** Tests of whether a row fits a field of a filter, one for each. */
  const tests: {
    readonly [Member in keyof OddsFilter]-?: (
      value: NonNullable<OddsFilter[Member]>,
      row: NaiveRow,
      filter: OddsFilter,
    ) => boolean
  } = {
    sports: (sports, { event }) => sports.includes(event.sport),
    leagues: (leagues, { event }) => leagues.includes(event.league),
    sportsbooks: (sportsbooks, { odds }) => sportsbooks.includes(odds.sportsbook),
    marketTypes: (marketTypes, { odds }) => marketTypes.includes(odds.marketType),
    eventIds: (eventIds, { event }) => eventIds.includes(event.id),
    live: (live, { odds }) => odds.isLive === live,
    stalePregame: (is, { odds }) => (odds.isStalePregamePrice === true) === is,
    minAmerican: (least, { odds }) => american(odds.price) >= least,
    maxAmerican: (most, { odds }) => american(odds.price) <= most,
    mainLine: (is, { odds }, { lineSet = 3 }) => isOnMainLine(odds, lineSet) === is,
    ownMainLine: (is, { odds }) => isOnMainLine(odds, 'own') === is,
    isEventNamed: (isNamed, { event }) => isNamed(event),
    // These only modify other fields.
    lineSet: () => true,
    isMarketNamed: () => true,
  }

  return {
    events,
    odds,
    rows,
    applyAll(records: readonly LogRecord[]) {
      for (const record of records) apply(record)
    },
    clear() {
      events.clear()
      seen.clear()
      odds.clear()
      withheld.clear()
      mainLines.clear()
      forgotten.clear()
    },
    matching: (filter: OddsFilter): NaiveRow[] =>
      rows().filter((row) =>
        Object.entries(tests).every(([member, test]) => {
          const value = filter[member as keyof OddsFilter]
          return value === undefined || test(value as never, row, filter)
        }),
      ),
    /** Returns the newest record of each main line. */
    mainLineRecords: () =>
      [...mainLines].map(([key, row]) => logRecord(topics.mainLines, key, row)),
    externalId: (eventId: string, sportsbook: string) =>
      seen.get(eventId)?.get(sportsbook)?.externalId ?? null,
  }
}

const text = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const marketRank = (type: string) => findMarket(type)?.numericalId ?? Number.MAX_SAFE_INTEGER
const sideRank = (type: string) => {
  if (['home', 'over', 'yes', 'odd'].includes(type)) return 0
  if (['away', 'under', 'no', 'even'].includes(type)) return 1
  return type === 'draw' ? 2 : 3
}

function comparePageOrder(a: NaiveRow, b: NaiveRow): number {
  const [x, y] = [a.odds, b.odds]
  return (
    a.event.startsAt - b.event.startsAt ||
    text(a.event.id, b.event.id) ||
    marketRank(x.marketType) - marketRank(y.marketType) ||
    text(x.marketType, y.marketType) ||
    text(x.playerName ?? '', y.playerName ?? '') ||
    (x.line ?? -1e9) - (y.line ?? -1e9) ||
    sideRank(x.selectionType) - sideRank(y.selectionType) ||
    text(x.selectionType, y.selectionType) ||
    text(x.selection, y.selection) ||
    text(x.sportsbook, y.sportsbook)
  )
}

/** Returns home's line where this outcome has its own. */
export const homesLine = (marketType: string, selectionType: string, line: number) =>
  (selectionType === 'away' && marketType !== 'race_to_points' ? -line : line) + 0

const iso = (at: number) => new Date(at).toISOString()

export function american(price: number): number {
  const exact = price >= 2 ? 100 * (price - 1) : -100 / (price - 1)
  const rounded = price >= 2 ? Math.round(exact) : -Math.round(-exact)
  return rounded === -100 ? 100 : rounded
}

/** Returns the row as a client parses it (interface 2.1). */
export function rendered({ odds, event, lastSeenAt, withheld }: NaiveRow): Record<string, unknown> {
  const { selectionType, price } = odds
  const probability = shownChance(price)
  return {
    id: String(odds.id),
    sportsbook: odds.sportsbook,
    sportsbook_name: findSportsbook(odds.sportsbook)?.displayName ?? odds.sportsbook,
    event_id: odds.eventId,
    sport: event.sport,
    league: event.league,
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    market_type: odds.marketType,
    selection: odds.selection,
    selection_type: event.flipped
      ? flipSelectionType(selectionType, odds.marketType)
      : selectionType,
    // A handicap on the draw is stated from the home side.
    line:
      event.flipped && odds.marketType === 'moneyline_3-way' && odds.line ? -odds.line : odds.line,
    event_start_time: iso(event.startsAt),
    ...(odds.playerName !== null && { player_name: odds.playerName }),
    ...(findSportsbook(odds.sportsbook)?.deepLinks && {
      deep_link: `/api/v1/deeplink/${odds.id}`,
    }),
    ...(odds.statCategory !== null && { stat_category: odds.statCategory }),
    last_seen_at: iso(lastSeenAt),
    timestamp: iso(lastSeenAt),
    odds_changed_at: odds.changedAt === null ? null : iso(odds.changedAt),
    odds_american: american(price),
    odds_decimal: Math.round(price * 1_000) / 1_000,
    odds_probability: probability,
    probability,
    is_live: odds.isLive,
    is_active: odds.isActive,
    status: odds.isLive ? 'live' : 'upcoming',
    ...shownOf(odds),
    ...(withheld !== null && { withheld }),
  }
}

/** Returns the stated attributes that rows show. */
const shownOf = (odds: OddsRow) =>
  Object.fromEntries(
    attributeList.flatMap(([name, { json, shown }]) =>
      shown && odds[name] !== null ? [[json, odds[name]]] : [],
    ),
  )

const buffer = createPageBuffer()

/** Returns the marked sportsbooks. */
export const booksOf = ({ sportsbooks }: BoardView, marks: Uint8Array) =>
  new Set(sportsbooks.filter((_, book) => marks[book] === 1))

/** Writes a page after other bytes, as the route does, and parses it. */
export function readPage(view: BoardView, filter: OddsFilter, range: PageRange) {
  buffer.length = buffer.bytes.write('before[')
  const page = writeOddsPage(view, filter, range, buffer)
  const body = buffer.bytes.toString('utf8', 'before'.length, buffer.length)
  const rows = JSON.parse(`${body}]`) as Record<string, unknown>[]
  return {
    ...page,
    rows,
    last: page.last < 0 ? null : placeOf(view, page.last),
    books: booksOf(view, page.books),
  }
}

/** Returns every row of a filter, page by page over cursors. */
export function walk(view: BoardView, filter: OddsFilter, limit: number) {
  const rows: Record<string, unknown>[] = []
  let after: PageRange['after']
  for (;;) {
    const page = readPage(view, filter, { limit, offset: 0, after })
    rows.push(...page.rows)
    if (!page.hasMore) return rows
    if (rows.length > view.rows.size) throw new Error('the walk goes round')
    after = structuredClone(page.last!)
  }
}
