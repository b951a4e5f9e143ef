import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBovada } from '../../../pipeline/feeds/bovada/parse.ts'
import { parseCaesars } from '../../../pipeline/feeds/caesars/parse.ts'
import { parseDraftKings } from '../../../pipeline/feeds/draftkings/parse.ts'
import { parseFanDuel } from '../../../pipeline/feeds/fanduel/parse.ts'
import type { Parsed } from '../../../pipeline/feeds/feed.ts'
import {
  eventsPage as kalshiEventsPage,
  parseKalshi,
} from '../../../pipeline/feeds/kalshi/parse.ts'
import {
  eventsPage as matchbookEventsPage,
  parseMatchbook,
} from '../../../pipeline/feeds/matchbook/parse.ts'
import { parseNovig } from '../../../pipeline/feeds/novig/parse.ts'
import { createBooks } from '../../../pipeline/feeds/polymarket/books.ts'
import { parseAsks, parseGames } from '../../../pipeline/feeds/polymarket/parse.ts'
import {
  eventsAnswer,
  marketsAnswer,
  marketsByEvent,
  parseProphetX,
} from '../../../pipeline/feeds/prophetx/parse.ts'
import { parseReferenceJson } from '../../../pipeline/feeds/reference-rows/parse.ts'
import { marketsPage, ordersAnswer, parseSxBet } from '../../../pipeline/feeds/sx-bet/parse.ts'
import * as exchanges from './exchange-payloads.ts'
import { hasSample, readJsonSample, repeatedSelections, selectionsOf } from './feed-samples.ts'

/** Checks the guarantees of every parser about its records, whatever the input. */
function expectSound({ records, skipped }: Parsed) {
  for (const { price, suspended, line, selectionType } of selectionsOf(records)) {
    expect(price === null ? suspended : Number.isFinite(price) && price > 1).toBe(true)
    expect(line === null || Number.isFinite(line)).toBe(true)
    expect(selectionType).toMatch(/^[a-z0-9_+]+$/)
  }
  for (const { reason } of skipped) expect(reason).toMatch(/^[a-z_]+$/)
  expect(repeatedSelections(records)).toEqual([])
}

const junk = [undefined, null, 0, -1, '', 'constructor', 'EVEN', '|', [], {}, true, Number.NaN]

/** Returns a copy of a value with the part at `steps` replaced. */
function spoil(value: unknown, steps: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return replacement
  const keys = Object.keys(value)
  const key = keys[step % keys.length]
  if (key === undefined) return replacement
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...value }
  copy[key] = spoil(copy[key], rest, replacement)
  return copy
}

const parsers: Record<string, [string, (payload: unknown) => Parsed]> = {
  DraftKings: [
    'feeds/crossbook/mlb_allstar_2025-07-16/20250715T1811Z/draftkings.json',
    (payload) => parseDraftKings(payload, 1),
  ],
  FanDuel: [
    'feeds/fanduel/ncaaf_event_stanford_colorado_2023-10-14.json',
    (payload) => parseFanDuel(payload, 1),
  ],
  Bovada: ['feeds/bovada/coupon_soccer.json', (payload) => parseBovada(payload, 1)],
  Caesars: ['feeds/caesars/soccer_event_2025-03-12.json', (payload) => parseCaesars(payload, 1)],
}

describe.skipIf(!hasSample('feeds'))('spoiled payloads (needs ../shared)', () => {
  it.each(Object.entries(parsers))('never throw in the %s parser', (_name, [file, parse]) => {
    const sample = readJsonSample(file)
    expectSound(parse(sample))
    fc.assert(
      fc.property(
        fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...junk),
        (steps, replacement) => expectSound(parse(spoil(sample, steps, replacement))),
      ),
      { numRuns: 120, seed: 7 },
    )
  })
})

const nothing: Parsed = { records: [], skipped: [] }
const { receivedAt } = exchanges

/** Payloads written after the exchanges' documentation. A payload here is all that a client reads. */
const exchangeParsers: Record<string, [unknown, (payload: never) => Parsed]> = {
  Kalshi: [
    ['GAME', 'SPREAD', 'TOTAL'].map(exchanges.kalshiPage),
    (pages: unknown) => {
      const read = (Array.isArray(pages) ? pages : []).flatMap(
        (page) => kalshiEventsPage.safeParse(page).data ?? [],
      )
      return parseKalshi(
        {
          events: read.flatMap(({ events }) => events),
          milestones: read.flatMap(({ milestones }) => milestones ?? []),
        },
        { league: 'NBA', receivedAt },
      )
    },
  ],
  'Kalshi books': [
    exchanges.kalshiBook,
    (book: unknown) => {
      const { events, milestones } = exchanges.kalshiPage('TOTAL')
      const books = new Map([['T-224', book]])
      return parseKalshi({ events, milestones, books }, { league: 'NBA', receivedAt })
    },
  ],
  Polymarket: [
    [...exchanges.polymarketEvents, ...exchanges.polymarketSoccer],
    (events: unknown) => {
      const list = Array.isArray(events) ? events : []
      const { games, skipped } = parseGames(list, 'nba')
      const parsed = parseAsks(games, { observedAt: receivedAt })
      return { ...parsed, skipped: [...skipped, ...parsed.skipped] }
    },
  ],
  'Polymarket books': [
    exchanges.polymarketTokens.map(exchanges.polymarketBook),
    (frame: unknown) => {
      const books = createBooks()
      books.take(JSON.stringify(frame) ?? '')
      const { games } = parseGames(exchanges.polymarketEvents, 'nba')
      return parseAsks(games, { observedAt: receivedAt, askOf: books.bestAsk })
    },
  ],
  'SX Bet': [
    { markets: exchanges.sxBetMarkets, orders: exchanges.sxBetOrders },
    (payload: unknown) => {
      const { markets, orders } = Object(payload) as { markets?: unknown; orders?: unknown }
      const page = marketsPage.safeParse(markets).data
      const list = ordersAnswer.safeParse(orders).data
      if (!page || !list) return nothing
      return parseSxBet(page.data.markets, list.data, receivedAt)
    },
  ],
  Matchbook: [
    exchanges.matchbookEvents,
    (payload: unknown) => {
      const page = matchbookEventsPage.safeParse(payload).data
      return page ? parseMatchbook(page.events, receivedAt) : nothing
    },
  ],
  Novig: [
    { events: exchanges.novigEvents, markets: exchanges.novigMarkets },
    (payload: unknown) => {
      const { events, markets } = Object(payload) as { events?: unknown; markets?: unknown }
      if (!Array.isArray(events) || !Array.isArray(markets)) return nothing
      return parseNovig(events, markets, receivedAt)
    },
  ],
  ProphetX: [
    { events: exchanges.prophetXEvents, markets: exchanges.prophetXMarkets },
    (payload: unknown) => {
      const { events, markets } = Object(payload) as { events?: unknown; markets?: unknown }
      const listed = eventsAnswer.safeParse(events).data
      const byEvent = marketsAnswer.safeParse(markets).data
      if (!listed || !byEvent) return nothing
      return parseProphetX(listed.data.sport_events, marketsByEvent(byEvent), receivedAt)
    },
  ],
}

describe('spoiled payloads of exchanges', () => {
  it.each(Object.entries(exchangeParsers))('never throw in the %s parser', (_name, entry) => {
    const [sample, parse] = entry as [unknown, (payload: unknown) => Parsed]
    const whole = parse(sample)
    expectSound(whole)
    expect(selectionsOf(whole.records).length).toBeGreaterThan(0)
    fc.assert(
      fc.property(
        fc.array(fc.nat(60), { minLength: 1, maxLength: 10 }),
        fc.constantFrom(...junk, '0.5', '1e400', '-1', 1e308, 'Draw', ['Yes', 'No']),
        (steps, replacement) => expectSound(parse(spoil(sample, steps, replacement))),
      ),
      { numRuns: 400, seed: 7 },
    )
  })
})

describe('spoiled reference rows', () => {
  it('never throw', () => {
    const word = fc.constantFrom(
      ...['England', 'Argentina', 'Draw', 'England & No', 'Over', 'Yes', 'X Yes', 'constructor'],
    )
    const type = fc.constantFrom('home', 'away', 'draw', 'over', 'under', 'other', 'yes', '2_1')
    const market = fc.constantFrom(
      ...['moneyline', 'point_spread', 'total_goals', 'player_shots', 'first_goal_scorer'],
      ...['double_chance', 'correct_score', 'team_total_goals', 'constructor'],
    )
    const row = fc.record({
      id: fc.nat(),
      sportsbook: fc.constantFrom('a', 'b'),
      event_id: fc.constant('e'),
      sport: fc.constant('soccer'),
      league: fc.constant('l'),
      home_team: fc.constant('England'),
      away_team: fc.constantFrom('Argentina', ''),
      market_type: market,
      selection: word,
      selection_type: type,
      odds_american: fc.constantFrom<number | string>(150, -200, '150', 'x'),
      odds_decimal: fc.constantFrom<number | string>(2.5, 1.5, '2.50', 1),
      line: fc.constantFrom(null, 0.5, '-1.5', ''),
      event_start_time: fc.constantFrom('2026-07-15T19:00Z', 'soon'),
      is_live: fc.constantFrom<boolean | string>(true, 'False'),
      timestamp: fc.constant('2026-07-13T01:45:33.481436094Z'),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const parsed = parseReferenceJson(rows)
        expectSound(parsed)
        expect(selectionsOf(parsed.records).length + parsed.skipped.length).toBe(rows.length)
      }),
      { numRuns: 150, seed: 7 },
    )
  })
})
