import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tiers } from '../../api/access/tiers.ts'
import { arbitrageCsv, type ShownArbitrage } from '../../api/opportunities/kinds/arbitrage.ts'
import { rangeOf } from '../../api/opportunities/listing.ts'
import { unguarded } from '../../pipeline/text/formula-text.ts'
import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'
import {
  inHours,
  knicks,
  leeds,
  moneyline,
  packers,
  points,
  push,
  pushDisagreement,
  pushStatus,
  spread,
  teamTotal,
  total,
} from './hand-made-market.ts'
import { oddsRecord, startInProcess } from './service-in-process.ts'
import { type SimulatedService, startAt, startSimulated } from './simulated-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Json = any

const second = 1_000
const minute = 60 * second

const lists = {
  ev: '/opportunities/ev',
  arbitrage: '/opportunities/arbitrage',
  middles: '/opportunities/middles',
  low_hold: '/opportunities/low_hold',
} as const

type List = keyof typeof lists

/** Parameters of each list that leave out nothing but what a test names. */
const everything: Readonly<Record<List, string>> = {
  ev: 'max_hold=10',
  arbitrage: 'min_profit=-100',
  middles: 'min_size=0',
  low_hold: 'max_hold=10',
}

async function withService(test: (service: SimulatedService) => Promise<void>) {
  const service = await startSimulated(null)
  try {
    await test(service)
  } finally {
    await service.close()
  }
}

/** Returns the items of a list, at most 200. */
async function itemsOf(service: SimulatedService, list: List, key: string, query = '') {
  const path = `${lists[list]}?${everything[list]}&limit=200${query && `&${query}`}`
  const { status, body } = await service.get(path, key)
  expect([path, status, body.error]).toEqual([path, 200, undefined])
  return body.data as Json[]
}

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

/** Computes no-vig probabilities by the power method, by bisection. */
function fairOf(...prices: number[]): number[] {
  let low = 0.5
  let high = 5
  while (high - low > 1e-13) {
    const k = (low + high) / 2
    const sum = prices.reduce((total, price) => total + (1 / price) ** k, 0)
    if (sum > 1) low = k
    else high = k
  }
  return prices.map((price) => (1 / price) ** low)
}

const hold = (...prices: number[]) => prices.reduce((sum, price) => sum + 1 / price, -1)

/** Returns the area under the standard normal curve from -x to x, by Simpson's rule. */
function normalWithin(x: number): number {
  const steps = 1_000
  const width = (2 * x) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const at = -x + i * width
    sum += (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2) * Math.exp((-at * at) / 2)
  }
  return ((sum * width) / 3) * (1 / Math.sqrt(2 * Math.PI))
}

describe('+EV', () => {
  it('is the price against the sharp book’s without its margin', () =>
    withService(async (service) => {
      const over = 1.962
      const sharp = [1.847, 2.08] as const
      push(service, knicks, {
        pinnacle: [total(228.5, ...sharp)],
        draftkings: [total(228.5, over, 1.85)],
        fanduel: [total(228.5, 1.85, 1.9)],
      })
      service.step(4 * second)
      const [exact = 0] = fairOf(...sharp)
      expect([round(exact, 3), round(100 * (exact * over - 1), 1)]).toEqual([0.531, 4.1])
      // The tier does not see the sharp book: its probability is in steps of half a percent, its width of one.
      const fair = 0.53
      const ev = fair * over - 1
      const width = 0.03

      const [item, ...others] = await itemsOf(service, 'ev', await service.key('pro'))
      expect(others).toEqual([])
      const confidence = 100 * ((0.35 * 3) / 8 + 0.25 + 0.2 * (1 - width / 0.08) + 0.2)
      expect(item).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        event_id: 'nba_knicks_nets_2026-05-02_b3',
        game_id: 'nba_knicks_nets_2026-05-02_b3',
        game: 'Brooklyn Nets @ New York Knicks',
        event_name: 'Brooklyn Nets @ New York Knicks',
        home_team: 'New York Knicks',
        away_team: 'Brooklyn Nets',
        start_time: inHours(5),
        sport: 'basketball',
        league: 'nba',
        market: 'total_points',
        market_type: 'total_points',
        selection: 'Over 228.5',
        line: 228.5,
        sportsbook: 'draftkings',
        sharp_book: 'pinnacle',
        devig_book: 'pinnacle',
        devig_method: 'power',
        odds_decimal: over,
        odds_american: -104,
        fair_probability: round(fair, 4),
        no_vig_odds: Math.round(-100 / (1 / fair - 1)),
        ev_percentage: round(100 * ev, 2),
        ev_percent: round(100 * ev, 2),
        kelly_percent: round((100 * ev) / (over - 1), 2),
        market_width: round(100 * width, 2),
        book_count: 3,
        confidence_score: Math.round(confidence),
        confidence: Math.round(confidence),
        arb_available: false,
        arb_profit: null,
        is_live: false,
        is_player_prop: false,
        player_name: null,
        stat_category: null,
        possibly_stale: false,
        oldest_odds_age_seconds: 4,
        warnings: ['SINGLE_SHARP_REF'],
        detected_at: new Date(startAt).toISOString(),
      })
      expect(item).not.toHaveProperty('sharp_odds_decimal')

      // A tier that sees the sharp book also sees its price, and the arbitrage with it.
      const [seen] = await itemsOf(service, 'ev', await service.key('sharp'), 'sort=-ev')
      const profit = 1 / (1 / over + 1 / sharp[1]) - 1
      expect(seen).toMatchObject({
        id: item.id,
        sharp_odds_decimal: sharp[0],
        sharp_odds_american: -118,
        fair_probability: round(exact, 4),
        ev_percentage: round(100 * (exact * over - 1), 2),
        market_width: round(100 * hold(...sharp), 2),
        arb_available: true,
        arb_profit: round(100 * profit, 2),
      })
    }))

  it('trusts old prices less, and says so', () =>
    withService(async (service) => {
      const key = await service.key('sharp')
      push(service, knicks, { pinnacle: [moneyline(1.9, 2)] })
      service.step(60 * second)
      push(service, knicks, { draftkings: [moneyline(2, 1.85)] })
      service.step(65 * second)
      // The sharp price is 125 s old. Freshness adds nothing to the score from 120 s on.
      const [item] = await itemsOf(service, 'ev', key)
      const score = 100 * ((0.35 * 2) / 8 + 0.2 * (1 - hold(1.9, 2) / 0.08) + 0.2)
      expect(item).toMatchObject({
        confidence_score: Math.round(score),
        possibly_stale: true,
        oldest_odds_age_seconds: 125,
        warnings: ['POTENTIALLY_STALE_ODDS', 'SINGLE_SHARP_REF', 'STALE_PREMATCH_ODDS'],
      })
    }))

  it('falls back along the chain of sharp books, and only to one with the whole market', () =>
    withService(async (service) => {
      const key = await service.key('pro')
      push(service, knicks, {
        pinnacle: [{ ...moneyline(1.9, 2), selections: [moneyline(1.9, 2).selections[0]] }],
        bookmaker: [moneyline(1.9, 2)],
        betfair: [moneyline(1.91, 2.01)],
        draftkings: [moneyline(2, 1.85)],
      })
      const [item] = await itemsOf(service, 'ev', key)
      expect(item).toMatchObject({ sharp_book: 'bookmaker', sportsbook: 'draftkings' })
    }))

  it('has an arbitrage only on its own line and its own team', () =>
    withService(async (service) => {
      const key = await service.key('pro')
      // The totals of both teams share one line. The arbitrage is on the home team's.
      push(service, knicks, {
        pinnacle: [
          teamTotal('home', 110.5, 1.9, 1.95),
          { ...teamTotal('away', 110.5, 1.9, 1.95), external_id: 'x' },
        ],
        draftkings: [teamTotal('home', 110.5, 2.02, 1.8), teamTotal('away', 110.5, 2.02, 1.8)],
        fanduel: [teamTotal('home', 110.5, 1.8, 2.02), teamTotal('away', 110.5, 1.8, 1.9)],
      })
      const items = await itemsOf(service, 'ev', key)
      const byTeam = items.map(({ selection, sportsbook, arb_available }) => [
        selection,
        sportsbook,
        arb_available,
      ])
      expect(byTeam).toHaveLength(2)
      for (const [selection, , hasArbitrage] of byTeam) {
        expect([selection, hasArbitrage]).toEqual([selection, /Knicks/.test(selection)])
      }
      const arbitrages = await itemsOf(service, 'arbitrage', key)
      expect(arbitrages).toHaveLength(1)
    }))
})

describe('arbitrage', () => {
  const twoWays = {
    caesars: [moneyline(1.52, 2.72)],
    draftkings: [moneyline(1.606, 2.45)],
    betmgm: [moneyline(1.57, 2.5)],
  }

  it('takes the best price of each answer and shares the stake', () =>
    withService(async (service) => {
      push(service, knicks, twoWays)
      service.step(9 * second)
      const implied = 1 / 1.606 + 1 / 2.72
      for (const tier of ['hobby', 'pro', 'sharp'] as const) {
        const [item, ...others] = await itemsOf(service, 'arbitrage', await service.key(tier))
        expect(others).toEqual([])
        expect(item).toMatchObject({
          event_id: 'nba_knicks_nets_2026-05-02_b3',
          market_type: 'moneyline',
          line: null,
          profit_percent: 0.98,
          implied_total: round(100 * implied, 2),
          is_live: false,
          possibly_stale: false,
          oldest_odds_age_seconds: 9,
          is_alternate_line: false,
          ev_available: false,
          ev_percentage: null,
          warnings: [],
          legs: [
            {
              sportsbook: 'draftkings',
              selection: 'New York Knicks',
              line: null,
              odds_decimal: 1.606,
              odds_american: -165,
              implied_probability: 0.6227,
              stake_percent: round(100 / 1.606 / implied, 2),
              timestamp: new Date(startAt).toISOString(),
            },
            {
              sportsbook: 'caesars',
              selection: 'Brooklyn Nets',
              odds_decimal: 2.72,
              odds_american: 172,
              implied_probability: 0.3676,
              stake_percent: round(100 / 2.72 / implied, 2),
            },
          ],
        })
        expect(item.legs[0].stake_percent + item.legs[1].stake_percent).toBeCloseTo(100, 10)
      }
    }))

  it('takes three legs where there are three answers', () =>
    withService(async (service) => {
      push(service, leeds, {
        fanduel: [moneyline(3.1, 2.5, 3.4)],
        betmgm: [moneyline(2.9, 2.55, 3.65)],
        caesars: [moneyline(2.85, 2.72, 3.4)],
      })
      const key = await service.key('hobby')
      const [item] = await itemsOf(service, 'arbitrage', key)
      expect(item).toMatchObject({ profit_percent: 3.71, implied_total: 96.42, warnings: [] })
      expect(item.legs).toMatchObject([
        { sportsbook: 'fanduel', selection: 'Leeds United', stake_percent: 33.46 },
        { sportsbook: 'caesars', selection: 'Brentford', stake_percent: 38.13 },
        { sportsbook: 'betmgm', selection: 'Draw', stake_percent: 28.41 },
      ])
      const { body } = await service.get(`${lists.arbitrage}?min_profit=3.72`, key)
      expect(body.data).toEqual([])
    }))

  it('tells the best expected value among its legs', () =>
    withService(async (service) => {
      push(service, knicks, { ...twoWays, pinnacle: [moneyline(1.58, 2.52)] })
      const [item] = await itemsOf(service, 'arbitrage', await service.key('sharp'))
      const [home = 0, away = 0] = fairOf(1.58, 2.52)
      const best = Math.max(home * 1.606 - 1, away * 2.72 - 1)
      expect(item).toMatchObject({ ev_available: true, ev_percentage: round(100 * best, 2) })
      // The hobby tier does not have +EV, so its fields are empty.
      const [plain] = await itemsOf(service, 'arbitrage', await service.key('hobby'))
      expect(plain).toMatchObject({ id: item.id, ev_available: false, ev_percentage: null })
    }))

  it('is not believed above ten percent, nor made at one sportsbook', () =>
    withService(async (service) => {
      push(service, knicks, { draftkings: [moneyline(2.4, 1.6)], fanduel: [moneyline(1.6, 2.4)] })
      push(service, packers, { draftkings: [moneyline(2.02, 2.02)] })
      expect(await itemsOf(service, 'arbitrage', await service.key('pro'))).toEqual([])
    }))
})

describe('middles', () => {
  it('of totals, with every number worked out', () =>
    withService(async (service) => {
      push(service, knicks, { fanduel: [total(226.5, 1.909, 1.909)] })
      service.step(2_500)
      push(service, knicks, {
        caesars: [total(229.5, 1.87, 1.952)],
        betmgm: [total(226.5, 1.87, 1.91), total(229.5, 1.85, 1.93)],
      })
      service.step(4_000)
      const key = await service.key('pro')
      const [item] = await itemsOf(service, 'middles', key, 'sportsbook=caesars&sort=ev')
      const [p1, p2] = [1 / 1.909, 1 / 1.952]
      const implied = p1 + p2
      const worst = 1 / implied - 1
      const best = 2 / implied - 1
      // Both lines are priced near even, so the normal curve applies: 227 to 229 at a deviation of 18.
      const probability = normalWithin(1.5 / 18)
      const ev = probability * best + (1 - probability) * worst
      const fair = fairOf(1.87, 1.952)
      const quality =
        40 * (probability / 0.25) +
        30 * ((100 * ev + 5) / 20) +
        15 * (3 / 5) +
        15 * ((60 - 6.5) / 55)
      expect(item).toMatchObject({
        market_type: 'total_points',
        side1: {
          book: 'fanduel',
          selection: 'Over 226.5',
          line: 226.5,
          odds: { decimal: 1.909, american: -110, probability: 0.5238, fair_probability: 0.5 },
          odds_decimal: 1.909,
          odds_american: -110,
          odds_probability: 0.5238,
          stake_percent: round((100 * p1) / implied, 2),
          odds_age_seconds: 6.5,
        },
        side2: {
          book: 'caesars',
          selection: 'Under 229.5',
          line: 229.5,
          odds: { decimal: 1.952, fair_probability: round(fair[1]!, 4) },
          stake_percent: round((100 * p2) / implied, 2),
          odds_age_seconds: 4,
        },
        middle_size: 3,
        middle_numbers: [227, 228, 229],
        middle_probability: round(probability, 4),
        worst_case_loss: round(100 * worst, 2),
        best_case_profit: round(100 * best, 2),
        expected_value: round(100 * ev, 2),
        roi_percentage: round(100 * ev, 2),
        break_even_percent: round((-100 * worst) / (best - worst), 2),
        market_overround: round(100 * implied, 2),
        quality_score: round(quality, 1),
        odds_age_seconds: 6.5,
        is_guaranteed_profit: false,
        guaranteed_roi: null,
        key_numbers: [],
        key_number_probability: 0,
        warnings: ['MODEL_EXCEEDS_PRICES'],
      })
      const one = await service.get(`/opportunities/middles/${item.id}`, key)
      expect(one.body.data).toEqual(item)
    }))

  it('of handicaps, with the key numbers of the sport', () =>
    withService(async (service) => {
      push(service, packers, {
        draftkings: [spread(-2.5, 1.952, 1.87)],
        caesars: [spread(-6.5, 1.93, 1.893)],
        betmgm: [spread(-2.5, 1.91, 1.9), spread(-6.5, 1.91, 1.87)],
      })
      service.step(33 * second)
      const key = await service.key('pro')
      const [item] = await itemsOf(service, 'middles', key, 'sportsbook=caesars')
      const implied = 1 / 1.952 + 1 / 1.893
      const [worst, best] = [1 / implied - 1, 2 / implied - 1]
      // The measured probability given the spread, half of that over all games.
      const ev = 0.1746 * best + 0.8254 * worst
      expect(item).toMatchObject({
        side1: { book: 'draftkings', selection: 'Green Bay Packers -2.5', line: -2.5 },
        side2: { book: 'caesars', selection: 'Chicago Bears +6.5', line: 6.5 },
        middle_size: 4,
        middle_numbers: [3, 4, 5, 6],
        middle_probability: 0.1746,
        // The probability above is rounded.
        expected_value: expect.closeTo(100 * ev, 1),
        key_numbers: [3],
        key_number_probability: 0.082,
        warnings: [
          'HIGH_PROBABILITY',
          'LARGE_GAP',
          'STALE_ODDS',
          'MODEL_EXCEEDS_PRICES',
          'MARKET_MISMATCH_SUSPECTED',
        ],
      })
    }))

  it('that pay whatever happens are called guaranteed', () =>
    withService(async (service) => {
      push(service, knicks, {
        draftkings: [total(220.5, 2.06, 1.8)],
        fanduel: [total(222.5, 1.8, 2.06)],
        betmgm: [total(220.5, 2, 1.85), total(222.5, 1.85, 2)],
      })
      const key = await service.key('pro')
      const [item] = await itemsOf(service, 'middles', key, 'sort=ev')
      expect(item).toMatchObject({
        side1: { book: 'draftkings' },
        side2: { book: 'fanduel' },
        worst_case_loss: 3,
        is_guaranteed_profit: true,
        guaranteed_roi: 3,
      })
      expect(item.warnings).toContain('GUARANTEED_PROFIT')
    }))

  it('believe the prices of alternate lines more than the curve', () =>
    withService(async (service) => {
      push(service, knicks, {
        draftkings: [total(200.5, 1.2, 4.6), total(225.5, 1.9, 1.9)],
        fanduel: [total(203.5, 1.25, 4.2), total(225.5, 1.9, 1.9)],
        betmgm: [total(200.5, 1.19, 4.5), total(203.5, 1.24, 4.1)],
      })
      const key = await service.key('pro')
      const items = await itemsOf(service, 'middles', key, 'sportsbook=fanduel')
      const item = items.find(({ side1, side2 }) => side1.line === 200.5 && side2.line === 203.5)
      const over = fairOf(1.2, 4.6)[0]!
      const under = fairOf(1.25, 4.2)[1]!
      expect(item.side1.book).toBe('draftkings')
      expect(item.middle_probability).toBe(round(Math.max(0, over + under - 1), 4))
      expect(item.middle_probability).toBeLessThan(normalWithin(1.5 / 18))
    }))
})

describe('/opportunities/middles/{id}', () => {
  it('is refused, unknown or another tier’s', () =>
    withService(async (service) => {
      push(service, knicks, {
        draftkings: [total(226.5, 1.9, 1.9), moneyline(2.05, 1.8)],
        fanduel: [total(226.5, 1.9, 1.9), moneyline(1.8, 2.05)],
        pinnacle: [total(229.5, 1.95, 1.96)],
        circa: [total(229.5, 1.95, 1.95)],
      })
      const pro = await service.key('pro')
      const sharp = await service.key('sharp')
      const [item] = await itemsOf(service, 'middles', sharp)
      expect(item.side2.book).toBe('pinnacle')
      const at = (id: string) => `/opportunities/middles/${id}`
      expect((await service.get(at(item.id), sharp)).status).toBe(200)
      const [arbitrage] = await itemsOf(service, 'arbitrage', sharp)
      for (const [id, key] of [
        [item.id, pro],
        ['0123456789abcdef', sharp],
        [arbitrage.id, sharp],
      ]) {
        const { status, body } = await service.get(at(id), key)
        expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
      }
      for (const id of ['x', item.id.toUpperCase().replace(/\d/g, 'A'), `${item.id}0`, '%00']) {
        const { status, body } = await service.get(at(id), sharp)
        expect([id, status, body.error.code]).toEqual([id, 400, 'validation_error'])
      }
    }))
})

describe('/opportunities/middles/summary', () => {
  it('stands for ten seconds', () =>
    withService(async (service) => {
      const key = await service.key('pro')
      const summary = async () =>
        (await service.get('/opportunities/middles/summary', key)).body.data
      expect(await summary()).toEqual({
        total: 0,
        positive_ev_count: 0,
        guaranteed_profit_count: 0,
        player_prop_count: 0,
        has_key_numbers_count: 0,
        by_sport: {},
        by_market: {},
        by_sportsbook: {},
        avg_middle_size: 0,
        avg_probability: 0,
        avg_ev: 0,
        best_ev: null,
      })
      push(service, knicks, {
        draftkings: [total(220.5, 1.95, 1.9)],
        fanduel: [total(222.5, 1.9, 1.95)],
      })
      service.step(9_999)
      expect((await summary()).total).toBe(0)
      service.step(1)
      expect((await summary()).total).toBe(1)
      pushStatus(service, 'fanduel', 'down')
      service.step(9_999)
      expect((await summary()).total).toBe(1)
      service.step(1)
      expect((await summary()).total).toBe(0)
    }))
})

describe('low hold', () => {
  it('names all sportsbooks with the best price', () =>
    withService(async (service) => {
      push(service, knicks, {
        draftkings: [total(228.5, 1.962, 1.87)],
        betmgm: [total(228.5, 1.962, 1.85)],
        fanduel: [total(228.5, 1.85, 2.01)],
      })
      service.step(8_800)
      const key = await service.key('pro')
      const [item, ...others] = await itemsOf(service, 'low_hold', key)
      expect(others).toEqual([])
      const left = hold(1.962, 2.01)
      const fresh = 0.25
      const score = 100 * ((0.35 * 3) / 8 + fresh + 0.2 * (1 - left / 0.08) + 0.2 * 0.8)
      expect(item).toMatchObject({
        line: 228.5,
        hold_percentage: round(100 * left, 2),
        side1: {
          selection: 'Over 228.5',
          books: ['betmgm', 'draftkings'],
          line: 228.5,
          odds: {
            american: -104,
            decimal: 1.962,
            implied_probability: round(1 / 1.962, 4),
            probability: round(1 / 1.962, 4),
            fair_probability: round(1 / 1.962 / (1 + left), 4),
          },
        },
        side2: { selection: 'Under 228.5', books: ['fanduel'], odds: { american: 101 } },
        side3: null,
        all_books: ['betmgm', 'draftkings', 'fanduel'],
        confidence: Math.round(score),
        odds_age_seconds: 8.8,
        possibly_stale: false,
      })
      for (const side of [item.side1, item.side2]) {
        for (const [book, link] of Object.entries(side.deep_links)) {
          expect(side.books).toContain(book)
          expect(link).toMatch(/^https:\/\/[a-z.]+\//)
        }
      }
      // The filter matches either of the two sportsbooks that share the best price.
      for (const book of ['draftkings', 'betmgm', 'fanduel']) {
        expect(await itemsOf(service, 'low_hold', key, `sportsbook=${book}`)).toHaveLength(1)
      }
      expect(await itemsOf(service, 'low_hold', key, 'sportsbook=caesars')).toEqual([])
    }))

  it('names no sportsbook whose price has not been seen for too long, or is down', () =>
    withService(async (service) => {
      const key = await service.key('pro')
      const old = { betmgm: [moneyline(2, 1.8)] }
      const kept = { draftkings: [moneyline(2, 1.85)], fanduel: [moneyline(1.9, 1.95)] }
      push(service, knicks, old)
      service.step(4 * minute)
      push(service, knicks, kept)
      const books = async () => (await itemsOf(service, 'low_hold', key))[0].side1.books
      expect(await books()).toEqual(['betmgm', 'draftkings'])
      service.step(2 * minute)
      expect(await books()).toEqual(['draftkings'])
      push(service, knicks, old)
      expect(await books()).toEqual(['betmgm', 'draftkings'])
      pushStatus(service, 'draftkings', 'down')
      expect(await books()).toEqual(['betmgm'])
    }))

  it('has three sides where there are three answers, and may be below zero', () =>
    withService(async (service) => {
      push(service, leeds, {
        fanduel: [moneyline(2.5, 2.9, 3.45)],
        caesars: [moneyline(2.4, 3.1, 3.3)],
        betmgm: [moneyline(2.45, 2.95, 3.45)],
      })
      push(service, knicks, { draftkings: [moneyline(2.04, 1.85)], fanduel: [moneyline(1.9, 2)] })
      const items = await itemsOf(service, 'low_hold', await service.key('pro'))
      expect(items.map(({ hold_percentage }) => hold_percentage)).toEqual([
        round(100 * hold(2.04, 2), 2),
        round(100 * hold(2.5, 3.1, 3.45), 2),
      ])
      expect(items[0].hold_percentage).toBeLessThan(0)
      expect(items[1]).toMatchObject({
        side1: { selection: 'Leeds United', books: ['fanduel'] },
        side2: { selection: 'Brentford', books: ['caesars'] },
        side3: { selection: 'Draw', books: ['betmgm', 'fanduel'] },
        all_books: ['betmgm', 'caesars', 'fanduel'],
      })
    }))
})

describe('an opportunity', () => {
  /** Offers with one opportunity of each kind, all at draftkings. */
  const offers = {
    pinnacle: [moneyline(1.95, 1.95), total(226.5, 1.95, 1.95)],
    draftkings: [moneyline(2.05, 1.85), total(224.5, 1.95, 1.9)],
    fanduel: [moneyline(1.88, 2.02), total(226.5, 1.9, 1.95)],
  }
  const { draftkings, ...others } = offers
  const suspended = draftkings.map((market) => ({ ...market, suspended: true }))

  const ends: readonly [string, (service: SimulatedService) => void][] = [
    [
      'a price has not been seen for five minutes',
      (service) => {
        service.step(5 * minute)
        push(service, knicks, others)
        service.step(1)
      },
    ],
    ['a price is suspended', (service) => push(service, knicks, { draftkings: suspended })],
    [
      'a price is withdrawn',
      (service) => push(service, knicks, { draftkings: [points('Guard', 9.5, 1.9, 1.9)] }),
    ],
    ['a source is down', (service) => pushStatus(service, 'draftkings', 'down')],
    [
      'the event has started',
      (service) => {
        while (service.clock() < Date.parse(knicks.startsAt)) {
          service.step(4 * minute)
          push(service, knicks, offers)
        }
      },
    ],
  ]

  it.each(ends)('ends when %s', (_, end) =>
    withService(async (service) => {
      const key = await service.key('pro')
      push(service, knicks, offers)
      const before = new Map<List, Json[]>()
      for (const list of Object.keys(lists) as List[]) {
        const items = await itemsOf(service, list, key)
        before.set(
          list,
          items.filter((item) => JSON.stringify(item).includes('draftkings')),
        )
        expect([list, before.get(list)!.length > 0]).toEqual([list, true])
      }
      const [middle] = before.get('middles')!
      end(service)
      for (const list of Object.keys(lists) as List[]) {
        expect([list, await itemsOf(service, list, key, 'sportsbook=draftkings')]).toEqual([
          list,
          [],
        ])
      }
      const { status } = await service.get(`/opportunities/middles/${middle.id}`, key)
      expect(status).toBe(404)
    }),
  )

  it.each(ends)('does not begin when %s', (name, end) =>
    withService(async (service) => {
      const key = await service.key('pro')
      push(service, knicks, others)
      end(service)
      if (name.includes('down')) push(service, knicks, { draftkings: offers.draftkings })
      for (const list of Object.keys(lists) as List[]) {
        expect([list, await itemsOf(service, list, key, 'sportsbook=draftkings')]).toEqual([
          list,
          [],
        ])
      }
    }),
  )

  it('keeps its id and the time it was detected at while it lives', () =>
    withService(async (service) => {
      const key = await service.key('sharp')
      const detected = async () => {
        const found: Record<string, string> = {}
        for (const list of Object.keys(lists) as List[]) {
          for (const { id, detected_at } of await itemsOf(service, list, key)) {
            found[`${list} ${id}`] = detected_at
          }
        }
        return found
      }
      push(service, knicks, offers)
      const first = await detected()
      const at = new Date(service.clock()).toISOString()
      expect(new Set(Object.values(first))).toEqual(new Set([at]))
      service.step(minute)
      // Another price makes new opportunities of the same bets.
      push(service, knicks, { draftkings: [moneyline(2.06, 1.85), total(224.5, 1.96, 1.9)] })
      const [arbitrage] = await itemsOf(service, 'arbitrage', key, 'market=moneyline')
      expect(arbitrage.legs[0].odds_decimal).toBe(2.06)
      expect(await detected()).toEqual(first)
      pushStatus(service, 'draftkings', 'down')
      service.step(minute)
      pushStatus(service, 'draftkings', 'up')
      push(service, knicks, { draftkings })
      const again = await detected()
      expect(Object.keys(again).sort()).toEqual(Object.keys(first).sort())
      expect(again[`arbitrage ${arbitrage.id}`]).toBe(new Date(service.clock()).toISOString())
    }))

  it('shows the line of a side whose team has a number in its name', () =>
    withService(async (service) => {
      const game = {
        sport: 'soccer',
        league: 'Germany - Bundesliga',
        home: 'Schalke 04',
        away: 'Mainz 05',
        startsAt: inHours(5),
      }
      const handicap = (line: number, home: number, away: number) => ({
        ...spread(line, home, away),
        market_type: 'asian_handicap',
      })
      push(service, game, {
        draftkings: [handicap(4, 2.05, 1.85)],
        fanduel: [handicap(4, 1.9, 2.02)],
      })
      const [item] = await itemsOf(service, 'arbitrage', await service.key('pro'))
      const selections = item.legs.map(({ selection }: Json) => selection)
      expect(selections).toEqual(['Schalke 04 +4', 'Mainz 05 -4'])
    }))
})

describe('lists', () => {
  const books = ['pinnacle', 'circa', 'betfair', ...[...(tierBooks.pro ?? [])]]
  let service: SimulatedService
  let key: string
  beforeAll(async () => {
    service = await startSimulated({
      seed: 5,
      events: 12,
      changesPerSecond: 60,
      books,
      leagues: ['nba', 'nfl', 'nhl', 'england_-_premier_league'],
    })
    key = await service.key('enterprise')
    for (let i = 0; i < 30; i++) service.step(1_700)
    pushDisagreement(service, books)
  })
  afterAll(() => service.close())

  /** Returns every item, page by page. */
  async function walk(list: List, query: string, { limit = 200, as = key } = {}) {
    const items: Json[] = []
    let body: Json
    let offset: number | null = 0
    do {
      const path = `${lists[list]}?${query}&limit=${limit}&offset=${offset}`
      body = (await service.get(path, as)).body
      items.push(...body.data)
      const { pagination, meta } = body
      expect(meta.pagination).toEqual(pagination)
      expect(pagination).toMatchObject({ limit, offset, count: body.data.length })
      expect(meta).toMatchObject({ count: body.data.length, total: pagination.total })
      expect(pagination.has_more).toBe(pagination.next_offset !== null)
      offset = pagination.next_offset
    } while (offset !== null)
    expect(body.pagination.total).toBe(items.length)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    return { items, meta: body.meta }
  }

  const wholes = new Map<string, Promise<Json[]>>()

  /** Returns the unfiltered list in an order, cached. */
  function whole(list: List, sort: string): Promise<Json[]> {
    const query = `${everything[list]}${sort && `&sort=${sort}`}`
    let known = wholes.get(list + sort)
    if (!known) {
      known = walk(list, query).then(({ items }) => items)
      wholes.set(list + sort, known)
    }
    return known
  }

  /** Returns the prices of an item in one form: sportsbooks and American odds. */
  function sidesOf(item: Json): { books: string[]; american: number }[] {
    if (item.legs) {
      return item.legs.map((leg: Json) => ({
        books: [leg.sportsbook],
        american: leg.odds_american,
      }))
    }
    if (item.side1?.books) {
      return [item.side1, item.side2, item.side3]
        .filter((side) => side !== null)
        .map((side) => ({ books: side.books, american: side.odds.american }))
    }
    if (item.side1) {
      return [item.side1, item.side2].map((side) => ({
        books: [side.book],
        american: side.odds_american,
      }))
    }
    return [{ books: [item.sportsbook], american: item.odds_american }]
  }

  /** Numbers the calendar days of New York. */
  const dayNumber = (at: number) => {
    const [year, month, day] = easternDay(at).split('-').map(Number)
    return Date.UTC(year!, month! - 1, day!) / 86_400_000
  }

  const isInRange: Record<string, (days: number) => boolean> = {
    today: (days) => days === 0,
    tomorrow: (days) => days === 1,
    week: (days) => days >= 0 && days < 7,
  }

  interface Parameter {
    /** Returns a value to send, from one of the items. */
    value(item: Json): unknown
    keeps(item: Json, value: Json): boolean
  }

  const equal = (member: string): Parameter => ({
    value: (item) => item[member],
    keeps: (item, value) => item[member] === value,
  })
  const atLeast = (member: string): Parameter => ({
    value: (item) => item[member],
    keeps: (item, value) => item[member] >= value,
  })
  const atMost = (member: string): Parameter => ({
    value: (item) => item[member],
    keeps: (item, value) => item[member] <= value,
  })
  const sameText = (member: string): Parameter => ({
    value: (item) => item[member]?.toUpperCase() ?? 'nobody',
    keeps: (item, value) => item[member]?.toUpperCase() === value,
  })
  const age = (member: string): Parameter => ({
    // A value between two of the shown tenths.
    value: (item) => round(item[member] + 0.0495, 4),
    keeps: (item, value) => item[member] <= value,
  })

  const ofAll: Record<string, Parameter> = {
    sport: equal('sport'),
    league: equal('league'),
    market: equal('market_type'),
    event: equal('event_id'),
    live: equal('is_live'),
    sportsbook: {
      value: (item) => sidesOf(item)[0]!.books.at(-1),
      keeps: (item, value) => sidesOf(item).some((side) => side.books.includes(value)),
    },
    team: {
      value: (item) => item.home_team,
      keeps: (item, value) => [item.home_team, item.away_team].includes(value),
    },
    min_odds: {
      value: (item) => sidesOf(item)[0]!.american,
      keeps: (item, value) => sidesOf(item).every(({ american }) => american >= value),
    },
    max_odds: {
      value: (item) => sidesOf(item).at(-1)!.american,
      keeps: (item, value) => sidesOf(item).every(({ american }) => american <= value),
    },
    date_range: {
      value: (item) => ['today', 'tomorrow', 'week'][item.id.charCodeAt(0) % 3],
      keeps: (item, value) => {
        const days = dayNumber(Date.parse(item.start_time)) - dayNumber(service.clock())
        return isInRange[value]!(days)
      },
    },
  }

  const parameters: Record<List, Record<string, Parameter>> = {
    ev: {
      ...ofAll,
      min_ev: atLeast('ev_percentage'),
      max_ev: atMost('ev_percentage'),
      min_market_width: atLeast('market_width'),
      max_market_width: atMost('market_width'),
      max_hold: {
        value: (item) => Math.max(0, item.market_width),
        keeps: (item, value) => item.market_width <= value,
      },
      min_kelly: atLeast('kelly_percent'),
      max_kelly: atMost('kelly_percent'),
      min_confidence: atLeast('confidence_score'),
      max_confidence: atMost('confidence_score'),
      max_odds_age: age('oldest_odds_age_seconds'),
      is_player_prop: equal('is_player_prop'),
      is_alternate_line: equal('is_alternate_line'),
      arb_available: equal('arb_available'),
      player: sameText('player_name'),
      stat_category: sameText('stat_category'),
      selection: {
        value: ({ selection }) => selection.toUpperCase(),
        // The value may be given with or without the line.
        keeps: ({ selection }, value) =>
          [selection, selection.replace(/ [+-]?[\d.]+$/, '')].some(
            (text) => text.toUpperCase() === value,
          ),
      },
    },
    arbitrage: {
      ...ofAll,
      min_profit: atLeast('profit_percent'),
      max_odds_age: age('oldest_odds_age_seconds'),
    },
    middles: {
      ...ofAll,
      min_size: atLeast('middle_size'),
      max_odds_age: age('odds_age_seconds'),
    },
    low_hold: {
      ...ofAll,
      max_hold: atMost('hold_percentage'),
      max_odds_age: age('odds_age_seconds'),
    },
  }

  /** The field of each sort, and whether it is shown as exactly as it is sorted. */
  const sorts: Record<List, Record<string, [member: string, isExact: boolean]>> = {
    ev: {
      ev: ['ev_percentage', false],
      confidence: ['confidence_score', true],
      confidence_score: ['confidence_score', true],
      kelly: ['kelly_percent', false],
      kelly_percent: ['kelly_percent', false],
      time: ['start_time', true],
      start_time: ['start_time', true],
      book_count: ['book_count', true],
      books: ['book_count', true],
      odds: ['odds_decimal', false],
    },
    arbitrage: {
      profit: ['profit_percent', false],
      time: ['start_time', true],
      start_time: ['start_time', true],
      sport: ['sport', true],
      market: ['market_type', true],
    },
    middles: {
      quality: ['quality_score', false],
      ev: ['expected_value', false],
      probability: ['middle_probability', false],
      middle_size: ['middle_size', true],
    },
    low_hold: {
      hold: ['hold_percentage', false],
      market: ['market_type', true],
      sport: ['sport', true],
    },
  }

  const names = Object.keys(lists) as List[]

  it('have enough of every kind to be worth looking at', async () => {
    for (const list of names) {
      const items = await whole(list, '')
      expect([list, items.length > 30]).toEqual([list, true])
    }
    const ev = await whole('ev', '')
    for (const member of ['is_player_prop', 'is_alternate_line', 'arb_available', 'is_live']) {
      expect([member, new Set(ev.map((item) => item[member])).size]).toEqual([member, 2])
    }
  })

  it.each(names)('of %s are sorted by every name, ties by id', async (list) => {
    const ids = (items: readonly Json[]) => items.map(({ id }) => id)
    const first = await whole(list, '')
    for (const [name, [member, isExact]] of Object.entries(sorts[list])) {
      for (const sort of [name, `-${name}`]) {
        const items = await whole(list, sort)
        expect([sort, ids(items).sort()]).toEqual([sort, ids(first).sort()])
        const sign = sort.startsWith('-') || list === 'middles' ? -1 : 1
        const compare = (a: Json, b: Json) =>
          sign * (a[member] < b[member] ? -1 : a[member] > b[member] ? 1 : 0)
        if (isExact) {
          const inOrder = [...items].sort((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1))
          expect([sort, ids(items)]).toEqual([sort, ids(inOrder)])
        } else {
          for (let i = 1; i < items.length; i++) {
            expect([sort, i, compare(items[i - 1], items[i]) <= 0]).toEqual([sort, i, true])
          }
        }
      }
    }
    const byDefault = { ev: '-ev', arbitrage: '-profit', middles: 'quality', low_hold: 'hold' }
    expect(ids(first)).toEqual(ids(await whole(list, byDefault[list])))
  })

  it.each(names)(
    'of %s are what any filters leave of the whole list, in its order',
    async (list) => {
      const all = await whole(list, '')
      const sort = fc.constantFrom(...Object.keys(sorts[list]).flatMap((one) => [one, `-${one}`]))
      const named = fc.uniqueArray(
        fc.tuple(fc.constantFrom(...Object.keys(parameters[list])), fc.nat(all.length - 1)),
        { selector: ([name]) => name, minLength: 1, maxLength: 4 },
      )
      const property = fc.asyncProperty(sort, named, fc.nat(40), async (order, given, offset) => {
        const values = given.map(
          ([name, at]) => [name, parameters[list][name]!.value(all[at])] as const,
        )
        const wanted = (await whole(list, order)).filter((item) =>
          values.every(([name, value]) => parameters[list][name]!.keeps(item, value)),
        )
        const query = new URLSearchParams(everything[list])
        for (const [name, value] of values) query.set(name, String(value))
        query.set('sort', order)
        query.set('limit', '17')
        query.set('offset', String(offset))
        const { body } = await service.get(`${lists[list]}?${query}`, key)
        expect(body.data).toEqual(wanted.slice(offset, offset + 17))
        expect(body.pagination.total).toBe(wanted.length)
        expect(body.meta.summary.count).toBe(wanted.length)
      })
      await fc.assert(property, { numRuns: 120 })
    },
  )

  it('name all parameters in meta.filters, in our ids', async () => {
    const path = `${lists.ev}?league=NBA&live=false&devig_book=Pinnacle&player=x&min_ev=1&sort=ev`
    const { body } = await service.get(path, key)
    expect(body.meta.filters).toEqual({
      league: ['nba'],
      live: false,
      devig_book: 'pinnacle',
      player_name: 'x',
      min_ev: 1,
      max_hold: 5,
    })
  })

  it.each(names)('of %s have bounds unless others are asked for', async (list) => {
    const bounds: Record<List, (item: Json) => boolean> = {
      ev: ({ market_width, ev_percentage }) => market_width <= 5 && ev_percentage >= 0,
      arbitrage: ({ profit_percent }) => profit_percent >= 0.5,
      middles: ({ middle_size }) => middle_size >= 0.5,
      low_hold: ({ hold_percentage }) => hold_percentage <= 5,
    }
    const { items } = await walk(list, '')
    const ids = items.map(({ id }) => id)
    expect(ids).toEqual((await whole(list, '')).filter(bounds[list]).map(({ id }) => id))
  })

  it.each(names)('of %s are walked through completely and without repeats', async (list) => {
    const { items } = await walk(list, everything[list], { limit: 23 })
    expect(items).toEqual(await whole(list, ''))
    const { body } = await service.get(`${lists[list]}?${everything[list]}&limit=500`, key)
    expect(body.pagination.limit).toBe(200)
    expect(body.data).toEqual(items.slice(0, 200))
    const past = await service.get(`${lists[list]}?${everything[list]}&offset=5000`, key)
    expect(past.body).toMatchObject({ data: [], pagination: { has_more: false, count: 0 } })
  })

  it('keep the best of each event and market when asked for', async () => {
    const all = await whole('arbitrage', '')
    const { items } = await walk('arbitrage', `${everything.arbitrage}&group=best`)
    const seen = new Set<string>()
    // The list is sorted by profit, so the first of each group is the best.
    const best = all.filter(({ event_id, market_type }) => {
      const group = `${event_id} ${market_type}`
      return !seen.has(group) && seen.add(group)
    })
    expect(items.map(({ id }) => id)).toEqual(best.map(({ id }) => id))
    expect(items.length).toBeLessThan(all.length)
  })

  it.each(['pro', 'sharp'] as const)('are summed up in meta for %s', async (tier) => {
    const as = await service.key(tier)
    const counts = (keys: readonly string[]) => {
      const found: Record<string, number> = {}
      for (const one of keys) found[one] = (found[one] ?? 0) + 1
      return found
    }
    const average = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    const by = (items: Json[], member: string) => counts(items.map((item) => item[member]))
    for (const list of names) {
      const { items, meta } = await walk(list, everything[list], { as })
      const values = (member: string): number[] => items.map((item) => item[member])
      const { summary } = meta
      expect(summary.count).toBe(items.length)
      expect(items.length).toBeGreaterThan(0)
      if (list === 'middles') {
        expect(summary).toEqual({ count: items.length })
        continue
      }
      expect(summary.by_market).toEqual(by(items, 'market_type'))
      expect(summary.by_sport).toEqual(by(items, 'sport'))
      if (list === 'ev') {
        expect(summary.by_sportsbook).toEqual(by(items, 'sportsbook'))
        expect(summary.max_ev).toBe(Math.max(...values('ev_percentage')))
        expect(Math.abs(summary.avg_ev - average(values('ev_percentage')))).toBeLessThan(0.006)
      } else if (list === 'arbitrage') {
        expect(summary.max_profit).toBe(Math.max(...values('profit_percent')))
        const difference = summary.avg_profit - average(values('profit_percent'))
        expect(Math.abs(difference)).toBeLessThan(0.006)
        expect(meta.books_analyzed).toBe(books.length - (tier === 'pro' ? 3 : 0))
      } else {
        expect(summary.min_hold).toBe(Math.min(...values('hold_percentage')))
        const difference = summary.avg_hold - average(values('hold_percentage'))
        expect(Math.abs(difference)).toBeLessThan(0.006)
      }
    }
    const { items } = await walk('middles', everything.middles, { as })
    for (const [query, of] of [
      ['', items],
      ['?sport=football', items.filter(({ sport }) => sport === 'football')],
      ['?league=nhl', items.filter(({ league }) => league === 'nhl')],
    ] as const) {
      const { body } = await service.get(`/opportunities/middles/summary${query}`, as)
      const count = (keeps: (item: Json) => boolean) => of.filter(keeps).length
      expect(body.data).toMatchObject({
        total: of.length,
        positive_ev_count: expect.any(Number),
        guaranteed_profit_count: count(({ is_guaranteed_profit }) => is_guaranteed_profit),
        player_prop_count: count(({ is_player_prop }) => is_player_prop),
        has_key_numbers_count: count(({ key_numbers }) => key_numbers.length > 0),
        by_sport: by(of, 'sport'),
        by_market: by(of, 'market_type'),
        by_sportsbook: counts(of.flatMap(({ side1, side2 }) => [side1.book, side2.book])),
      })
      // A positive expected value may be shown as 0.
      expect(body.data.positive_ev_count).toBeGreaterThanOrEqual(
        count(({ expected_value }) => expected_value > 0),
      )
      if (of.length === 0) continue
      const near = (value: number, member: string, by: number) =>
        expect(Math.abs(value - average(of.map((item) => item[member])))).toBeLessThan(by)
      near(body.data.avg_middle_size, 'middle_size', 0.006)
      near(body.data.avg_probability, 'middle_probability', 0.0002)
      near(body.data.avg_ev, 'expected_value', 0.012)
      const best = Math.max(...of.map(({ expected_value }) => expected_value))
      if (best > 0) expect(body.data.best_ev.ev).toBe(best)
    }
  })

  it('show the prices that /odds shows at the same moment', async () => {
    const prices = new Map<string, Json>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Json = await service.get(`/odds?limit=200&cursor=${cursor}`, key)
      for (const row of body.data) prices.set(row.id, row)
      cursor = body.meta.pagination.next_cursor
    }
    const now = service.clock()
    const hold = (item: Json, shown: Json, book: string) => {
      const row = prices.get(shown.odds_id)
      expect(row).toMatchObject({
        sportsbook: book,
        event_id: item.event_id,
        market_type: item.market_type,
        odds_decimal: shown.odds_decimal,
        odds_american: shown.odds_american,
        line: shown.line,
        is_live: item.is_live,
        is_active: true,
        home_team: item.home_team,
      })
      return row
    }
    for (const item of await whole('ev', '')) hold(item, item, item.sportsbook)
    for (const item of await whole('arbitrage', '')) {
      for (const leg of item.legs) {
        expect(hold(item, leg, leg.sportsbook).last_seen_at).toBe(leg.timestamp)
      }
    }
    for (const item of await whole('middles', '')) {
      for (const side of [item.side1, item.side2]) {
        const { last_seen_at } = hold(item, side, side.book)
        const seconds = Math.max(0, now - Date.parse(last_seen_at)) / 1_000
        expect(side.odds_age_seconds).toBe(round(seconds, 1))
      }
    }
    for (const item of await whole('low_hold', '')) {
      for (const side of [item.side1, item.side2, item.side3]) {
        for (const [book, link] of Object.entries<string>(side?.deep_links ?? {})) {
          expect(URL.canParse(link)).toBe(true)
          const isIt = (row: Json) =>
            row.sportsbook === book &&
            row.event_id === item.event_id &&
            row.market_type === item.market_type &&
            // The list of opportunities appends the line.
            side.selection.startsWith(row.selection) &&
            row.line === side.line &&
            row.is_live === item.is_live
          const shown = {
            odds_id: [...prices.values()].find(isIt)?.id,
            odds_decimal: side.odds.decimal,
            odds_american: side.odds.american,
            line: side.line,
          }
          hold(item, shown, book)
        }
      }
    }
  })

  it('are empty in the same form', async () => {
    for (const list of names) {
      const { status, body } = await service.get(`${lists[list]}?event=none`, key)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        data: [],
        updated_at: null,
        pagination: { total: 0, count: 0, has_more: false, next_offset: null },
        meta: { count: 0, total: 0, summary: { count: 0 } },
      })
    }
  })

  it('refuse what cannot be asked', async () => {
    const refusals: readonly [List, string, string][] = [
      ...names.flatMap((list): [List, string, string][] => [
        [list, 'offset=5001', 'validation_error'],
        [list, 'limit=0', 'validation_error'],
        [list, 'sort=price', 'validation_error'],
        [list, 'date_range=yesterday', 'validation_error'],
        [list, 'min_odds=1.9', 'validation_error'],
        [list, 'no_parameter=1', 'validation_error'],
        [list, 'league=nbaa', 'invalid_filter'],
        [list, 'sport=basketbal', 'invalid_filter'],
        [list, 'sportsbook=pinacle', 'invalid_filter'],
        [list, 'market=spred', 'invalid_filter'],
      ]),
      ['ev', 'devig_book=pinacle', 'invalid_filter'],
      ['ev', 'min_confidence=-1', 'validation_error'],
      ['arbitrage', 'format=xml', 'validation_error'],
      ['arbitrage', 'group=worst', 'validation_error'],
      ['middles', 'min_size=-1', 'validation_error'],
    ]
    for (const [list, query, code] of refusals) {
      const { status, body } = await service.get(`${lists[list]}?${query}`, key)
      expect([list, query, status, body.code]).toEqual([list, query, 400, code])
    }
    const { body } = await service.get(`${lists.ev}?devig_book=pinacle`, key)
    expect(body.error.details).toMatchObject({
      fields: { devig_book: ['pinacle'] },
      reference: { devig_book: '/api/v1/sportsbooks' },
    })
  })

  it('are served under the dash as well', async () => {
    const here = await service.get(lists.low_hold, key)
    const there = await service.get('/opportunities/low-hold', key)
    expect(there.body).toEqual(here.body)
  })

  describe('as CSV', () => {
    const path = `${lists.arbitrage}?format=csv&min_profit=-100&limit=200`

    async function fetchCsv(headers: Record<string, string> = {}) {
      return fetch(service.base + path, { headers: { 'X-API-Key': key, ...headers } })
    }

    it('are the same items', async () => {
      const response = await fetchCsv()
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toBe(
        'attachment; filename="arbitrage_2026-05-02.csv"',
      )
      const rows: Json[] = parseCsv(await response.text(), { columns: true })
      const { body } = await service.get(path.replace('csv', 'json'), key)
      const leg = (of: Json, i: number) => ({
        [`book${i}`]: of?.sportsbook ?? '',
        [`selection${i}`]: of?.selection ?? '',
        [`odds${i}`]: String(of?.odds_american ?? ''),
        [`stake${i}%`]: String(of?.stake_percent ?? ''),
      })
      expect(rows).toEqual(
        body.data.map((item: Json) => ({
          event: item.event_name,
          sport: item.sport,
          market: item.market_type,
          line: String(item.line ?? ''),
          'profit%': String(item.profit_percent),
          implied_total: String(item.implied_total),
          ...leg(item.legs[0], 1),
          ...leg(item.legs[1], 2),
          is_live: String(item.is_live),
          is_alternate_line: String(item.is_alternate_line),
          possibly_stale: String(item.possibly_stale),
          warnings: item.warnings.join(' '),
          detected_at: item.detected_at,
          ...leg(item.legs[2], 3),
          is_cross_line: String(item.is_cross_line),
          line1: String(item.legs[0].line ?? ''),
          line2: String(item.legs[1].line ?? ''),
          line3: String(item.legs[2]?.line ?? ''),
          max_bet1: String(item.legs[0].max_bet ?? ''),
          max_bet2: String(item.legs[1].max_bet ?? ''),
          max_bet3: String(item.legs[2]?.max_bet ?? ''),
        })),
      )
      expect(new Set(body.data.map(({ legs }: Json) => legs.length))).toEqual(new Set([2, 3]))
    })

    it('have a tag of their own that still stands until something changes', async () => {
      const first = await fetchCsv()
      const etag = first.headers.get('etag')!
      await first.text()
      const again = await fetchCsv({ 'If-None-Match': etag })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const json = await service.get(path.replace('csv', 'json'), key)
      expect(json.etag).not.toBe(etag)
      const kept = await fetchCsv()
      expect(kept.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(kept.headers.get('x-cache-status')).toBe('HIT')
    })
  })
})

describe('a CSV cell', () => {
  const item = (event_name: string, selection: string): ShownArbitrage =>
    ({
      event_name,
      sport: 'soccer',
      market_type: 'asian_handicap',
      line: -0.5,
      profit_percent: 1,
      implied_total: 99.01,
      is_live: false,
      is_alternate_line: false,
      is_cross_line: false,
      possibly_stale: false,
      warnings: ['LIVE_GAME', 'VERY_STALE_ODDS'],
      detected_at: '2026-05-02T18:00:00.000Z',
      legs: [-110, 115].map((odds_american) => ({
        line: odds_american < 0 ? -0.5 : 0.5,
        sportsbook: 'draftkings',
        selection,
        odds_american,
        stake_percent: 50,
      })),
    }) as unknown as ShownArbitrage

  it('is text as it is, and a formula for no spreadsheet', () => {
    const texts = [
      '=1+1',
      '+1',
      '-1',
      '@A1',
      '＝1+1',
      '＋1',
      '－1',
      '＠A1',
      '\t=1',
      '\r=1',
      '\n=1',
      '"q"',
      'a,b',
      'a\r\nb',
      'Bär',
    ]
    for (const text of texts) {
      const [row]: Json[] = parseCsv(arbitrageCsv([item(text, text)]), { columns: true })
      const isFormula = /^[=+\-@\t\r\n＝＋－＠]/.test(text)
      const shown = isFormula ? `'${text}` : text
      expect([row.event, row.selection1, row.selection2]).toEqual([shown, shown, shown])
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (event, selection) => {
        const rows: Json[] = parseCsv(arbitrageCsv([item(event, selection), item('x', 'y')]), {
          columns: true,
        })
        expect(rows).toHaveLength(2)
        expect(unguarded(rows[0].event)).toBe(event)
        expect(rows[0].event).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
        expect(rows[0].selection1).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
      }),
    )
  })

  it('is a number where it is one, with its sign', () => {
    const [, line] = arbitrageCsv([item('x', 'y')]).split('\r\n')
    expect(line).toBe(
      'x,soccer,asian_handicap,-0.5,1,99.01,draftkings,y,-110,50,draftkings,y,115,50,false,false,false,LIVE_GAME VERY_STALE_ODDS,2026-05-02T18:00:00.000Z,,,,,false,-0.5,0.5,,,,',
    )
  })
})

const easternFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const easternDay = (at: number) => easternFormat.format(at)

describe('date_range', () => {
  it.each(['2026-03-08', '2026-11-01', '2026-07-04', '2026-12-31'])(
    'is of whole days in New York about %s',
    (day) => {
      const next = (date: string, days: number) =>
        new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
      for (let hour = -20; hour <= 56; hour++) {
        for (const minutes of [0, 1, 29, 59]) {
          const now = Date.parse(`${day}T00:00:00Z`) + (60 * hour + minutes) * minute
          const today = easternDay(now)
          for (const [range, first, last] of [
            ['today', 0, 1],
            ['tomorrow', 1, 2],
            ['week', 0, 7],
          ] as const) {
            const { from, to } = rangeOf(range, now)
            const ends = [from - 1, from, to - 1, to].map(easternDay)
            expect([range, new Date(now), ends]).toEqual([
              range,
              new Date(now),
              [first - 1, first, last - 1, last].map((days) => next(today, days)),
            ])
          }
        }
      }
    },
  )

  it('has days of 23 and 25 hours', () => {
    const length = (now: string) => {
      const { from, to } = rangeOf('today', Date.parse(now))
      return (to - from) / 3_600_000
    }
    expect(length('2026-03-08T12:00:00Z')).toBe(23)
    expect(length('2026-11-01T12:00:00Z')).toBe(25)
    expect(length('2026-11-02T12:00:00Z')).toBe(24)
  })
})

describe('devig_book', () => {
  const market = {
    seed: 9,
    events: 14,
    changesPerSecond: 60,
    books: ['pinnacle', 'circa', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'kalshi'],
    leagues: ['nba', 'england_-_premier_league'],
  }

  it('finds the opportunities of a service whose only sharp book is this one', async () => {
    const usual = await startSimulated(market)
    for (let i = 0; i < 15; i++) usual.step(1_700)
    try {
      for (const chain of [['circa'], ['draftkings'], ['pinnacle'], ['kalshi', 'circa']]) {
        const [sharpBook] = chain as [string]
        const other = await startSimulated(market, { sharpBook, chain })
        try {
          for (let i = 0; i < 15; i++) other.step(1_700)
          for (const tier of ['pro', 'sharp'] as const) {
            const path = `${lists.ev}?max_hold=10&limit=200`
            const books = chain.length > 1 ? `devig_books=${chain}` : `devig_book=${sharpBook}`
            const here = await usual.get(`${path}&${books}`, await usual.key(tier))
            const there = await other.get(path, await other.key(tier))
            // The age that the opportunity would have had there is not known.
            // The other service's sharp book is not the first of this one's chain, and decides its main lines.
            const undated = ({
              detected_at,
              is_alternate_line,
              confidence,
              confidence_score,
              warnings,
              ...item
            }: Json) => item
            const [mine, its] = [here.body, there.body]
            expect(its.data.length).toBeGreaterThan(0)
            expect(mine.data.map(undated)).toEqual(its.data.map(undated))
            expect(mine.pagination).toEqual(its.pagination)
            expect(mine.meta.summary).toEqual(its.meta.summary)
          }
        } finally {
          await other.close()
        }
      }
    } finally {
      await usual.close()
    }
  })

  it('answers on more than 20,000 prices', () =>
    withService(async (service) => {
      const players = Array.from({ length: 240 }, (_, i) => points(`Guard ${i}`, 9.5, 1.9, 1.9))
      const offers = Object.fromEntries(
        Array.from({ length: 42 }, (_, i) => [i === 0 ? 'betfair' : `book ${i}`, players]),
      )
      push(service, knicks, offers)
      const small = Object.fromEntries(
        ['betfair', 'draftkings'].map((book, i) => [book, [moneyline(1.96 + i / 10, 1.96)]]),
      )
      push(service, { ...packers, startsAt: inHours(5) }, small)
      const key = await service.key('sharp')
      for (const filter of ['', '&league=nfl']) {
        const { body } = await service.get(`${lists.ev}?devig_book=betfair${filter}`, key)
        expect(body.data).toMatchObject([{ sportsbook: 'draftkings', sharp_book: 'betfair' }])
      }
    }))
})

describe('the routes', () => {
  const id = '0123456789abcdef'
  const expected: readonly [path: string, from: Tier, code: string][] = [
    ['/opportunities/ev', 'pro', 'feature_required'],
    ['/opportunities/arbitrage', 'hobby', 'feature_required'],
    ['/opportunities/arbitrage?format=csv', 'hobby', 'feature_required'],
    ['/opportunities/middles', 'pro', 'tier_restricted'],
    ['/opportunities/middles/summary', 'pro', 'tier_restricted'],
    [`/opportunities/middles/${id}`, 'pro', 'tier_restricted'],
    ['/opportunities/middles/no-id', 'pro', 'tier_restricted'],
    ['/opportunities/low_hold', 'pro', 'feature_required'],
    ['/opportunities/low-hold', 'pro', 'feature_required'],
  ]

  it('are open to the tiers that have them, add-ons or not', () =>
    withService(async (service) => {
      for (const tier of tiers) {
        for (const addOns of [[], ['streaming', 'game_state']] as const) {
          const key = await service.key(tier, addOns)
          for (const [path, from, code] of expected) {
            if (path.includes('csv')) continue
            const { status, body } = await service.get(path, key)
            if (tiers.indexOf(tier) < tiers.indexOf(from)) {
              expect([tier, path, status, body.code]).toEqual([tier, path, 403, code])
              expect(body.error).toMatchObject({ code, tier, required_tier: from })
            } else if (path.endsWith(id)) expect([path, status]).toEqual([path, 404])
            else if (path.endsWith('no-id')) expect([path, status]).toEqual([path, 400])
            else expect([tier, path, status]).toEqual([tier, path, 200])
            service.step(5_000)
          }
        }
      }
    }))

  it('refuse a sportsbook that the tier does not see, whatever else is asked', () =>
    withService(async (service) => {
      for (const [tier, book] of [
        ['hobby', 'bet365'],
        ['pro', 'pinnacle'],
      ] as const) {
        const key = await service.key(tier)
        for (const list of Object.keys(lists) as List[]) {
          if (tier === 'hobby' && list !== 'arbitrage') continue
          for (const name of ['sportsbook', 'add_sportsbook']) {
            const { status, body } = await service.get(`${lists[list]}?${name}=${book}`, key)
            expect([list, status, body.code]).toEqual([list, 403, 'tier_restricted'])
            expect(body.required_tier).toBe(tier === 'hobby' ? 'pro' : 'sharp')
          }
        }
      }
      // The tier sees no rows of betfair, but results measured by its prices.
      const named = await service.get(`${lists.ev}?devig_book=betfair`, await service.key('pro'))
      expect(named.status).toBe(200)
    }))

  it('find what was pushed, and the old paths say where', async () => {
    const service = await startInProcess()
    try {
      const now = service.clock()
      const offers = { draftkings: [2.05, 1.85], fanduel: [1.88, 2.02] } as const
      const records = Object.entries(offers).map(([sportsbook, prices]) =>
        oddsRecord(now, { sportsbook, prices }),
      )
      expect((await service.ingest(records)).status).toBe(202)
      await service.settled()
      const list = async () => {
        service.advance(1_001)
        return (await service.get('/opportunities/arbitrage')).body.data
      }
      expect(await list()).toMatchObject([
        { profit_percent: round(100 * (1 / (1 / 2.05 + 1 / 2.02) - 1), 2) },
      ])
      const observed_at = new Date(now + second).toISOString()
      const down = { type: 'book_status', sportsbook: 'fanduel', observed_at, status: 'down' }
      await service.ingest([down])
      await service.settled()
      await expect.poll(list).toEqual([])

      for (const [path, successor] of [
        ['/ev', '/opportunities/ev'],
        ['/arbitrage', '/opportunities/arbitrage'],
        ['/middles', '/opportunities/middles'],
        ['/low_hold', '/opportunities/low-hold'],
      ] as const) {
        const { status, body } = await service.request(`${path}?sport=nba`)
        expect([status, body.code, body.correct_endpoint]).toEqual([
          410,
          'unknown_endpoint',
          successor,
        ])
        expect((await service.get(successor)).status).toBe(200)
      }
    } finally {
      await service.close()
    }
  })
})

describe('a low hold', () => {
  it('names no sportsbook that the guard withholds, nor one that says two prices of one answer', () =>
    withService(async (service) => {
      push(service, knicks, {
        // Its two prices imply less than 100 percent, so they belong to another question.
        bet365: [moneyline(2.1, 2.05)],
        draftkings: [moneyline(2.1, 1.77)],
        fanduel: [moneyline(2.02, 1.86)],
        caesars: [moneyline(2.03, 1.85)],
      })
      const key = await service.key('sharp')
      const [item] = await itemsOf(service, 'low_hold', key)
      expect([item!.side1.books, item!.side2.books]).toEqual([['draftkings'], ['fanduel']])
      expect(await itemsOf(service, 'low_hold', key, 'sportsbook=bet365')).toEqual([])
    }))
})

describe('a +EV', () => {
  it('of more than a quarter is a wrong price', () =>
    withService(async (service) => {
      push(service, knicks, { pinnacle: [moneyline(9, 1.08)], draftkings: [moneyline(20, 1.03)] })
      expect(await itemsOf(service, 'ev', await service.key('sharp'))).toEqual([])
    }))
})
