import { describe, expect, it } from 'vitest'
import { changeMessageSchema, createBetfairBook } from '../../../pipeline/feeds/betfair/book.ts'
import { parseCatalogue, parseMarkets } from '../../../pipeline/feeds/betfair/parse.ts'
import type { Parsed } from '../../../pipeline/feeds/feed.ts'
import { parseKalshi } from '../../../pipeline/feeds/kalshi/parse.ts'
import { parseKambi } from '../../../pipeline/feeds/kambi/parse.ts'
import { parseLeague } from '../../../pipeline/feeds/pinnacle/parse.ts'
import { parseAsks, parseGames } from '../../../pipeline/feeds/polymarket/parse.ts'
import { parseOdds, parseScores } from '../../../pipeline/feeds/the-odds-api/parse.ts'
import { isPrice } from '../../../pipeline/rules/odds/odds.ts'
import { hasPayloads, loadPayload, selectionsOf } from './payloads.ts'

const junk = [
  null,
  undefined,
  '',
  'x',
  0,
  -1,
  1e308,
  Number.NaN,
  true,
  [],
  {},
  [null],
  '2026-13-45',
]

/** Returns the payload with about one in `every` of its fields replaced, by a repeatable choice. */
function damage(payload: unknown, seed: number, every: number): unknown {
  let state = seed
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const walk = (value: unknown): unknown => {
    if (draw(every) === 0) return junk[draw(junk.length)]
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return walk(payload)
}

const receivedAt = 1_700_000_000_000
const kambi = (payload: unknown) => parseKambi(payload, { sportsbook: 'unibet', receivedAt })

const parsers: readonly [string, (payload: unknown) => Parsed][] = [
  [
    'the-odds-api/odds_nba_2022-11-23_american_part1.json',
    (payload) => parseOdds(payload, { oddsFormat: 'american', receivedAt }),
  ],
  ['the-odds-api/wnba_odds_api_scores.json', (payload) => parseScores(payload, { receivedAt })],
  [
    'pinnacle-arcadia/nfl_2025w1_matchups.json',
    (matchups) => {
      const markets = loadPayload('feeds/pinnacle-arcadia/nfl_2025w1_markets_straight.json')
      return parseLeague(matchups, markets, receivedAt)
    },
  ],
  [
    'pinnacle-arcadia/nfl_2025w1_markets_straight.json',
    (markets) => {
      const matchups = loadPayload('feeds/pinnacle-arcadia/nfl_2025w1_matchups.json')
      return parseLeague(matchups, markets, receivedAt)
    },
  ],
  ['kambi/betoffer_event_mlb_phi_sd_2025-07-13.json', kambi],
  ['kambi/event_live_open_2019-02-11.json', kambi],
  [
    'kalshi/wnba_game_markets_2026-07-09.json',
    (payload) => {
      const { markets } = Object(payload) as { markets?: unknown }
      const ticker = 'KXWNBAGAME-26JUL09INDPHX'
      const title = 'Indiana vs Phoenix'
      const event = { event_ticker: ticker, series_ticker: 'KXWNBAGAME', title, markets }
      const milestone = {
        id: ticker,
        type: 'basketball_game',
        title,
        start_date: '2026-07-10T02:00:00Z',
        related_event_tickers: [ticker],
      }
      return parseKalshi(
        { events: [event], milestones: [milestone] },
        { league: 'WNBA', receivedAt },
      )
    },
  ],
  [
    'polymarket/gamma_events_wnba_2026.json',
    (payload) => {
      const { games, skipped } = parseGames(Array.isArray(payload) ? payload : [payload], 'wnba')
      return { ...parseAsks(games, { observedAt: receivedAt }), skipped }
    },
  ],
  [
    'betfair-exchange/streaming_mcm_RESUB_DELTA.json',
    (payload) => {
      parseCatalogue(payload)
      const message = changeMessageSchema.safeParse(payload)
      const book = createBetfairBook()
      if (message.success) book.apply(message.data)
      const markets = [...book.markets().values()]
      return parseMarkets(markets, new Map(), { mode: 'delta', observedAt: receivedAt })
    },
  ],
]

describe.skipIf(!hasPayloads)('damaged payloads (needs ../shared)', () => {
  it.each(parsers)(
    'never make the parser of %s throw or return an invalid price',
    (file, parse) => {
      const payload = loadPayload(`feeds/${file}`)
      for (const every of [2_000, 200, 20]) {
        for (let seed = 1; seed <= 3; seed++) {
          const parsed = parse(damage(payload, seed * 7_919, every))
          for (const { price, suspended, removed, line } of selectionsOf(parsed)) {
            expect(price === null ? suspended || removed : isPrice(price)).toBe(true)
            expect(line === null || Number.isFinite(line)).toBe(true)
          }
        }
      }
    },
  )
})
