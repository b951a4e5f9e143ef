/** Hand-written markets, pushed to a simulated service as a client of ingest would. */

import { parseMember } from '../../pipeline/feeds/push/parse.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { oddsRecord, type Quote } from './service-in-process.ts'
import { type SimulatedService, startAt } from './simulated-service.ts'

export const inHours = (hours: number) => new Date(startAt + hours * 3_600_000).toISOString()

export const knicks = {
  home: 'New York Knicks',
  away: 'Brooklyn Nets',
  startsAt: inHours(5),
} as const

export const packers = {
  sport: 'football',
  league: 'NFL',
  home: 'Green Bay Packers',
  away: 'Chicago Bears',
  startsAt: inHours(6),
} as const

export const leeds = {
  sport: 'soccer',
  league: 'England - Premier League',
  home: 'Leeds United',
  away: 'Brentford',
  startsAt: inHours(7),
} as const

export interface Answer {
  readonly selection_type: string
  readonly odds_decimal?: number
  readonly line?: number
  readonly suspended?: boolean
}

const answer = (selection_type: string, odds_decimal: number, more: object = {}): Answer => ({
  selection_type,
  odds_decimal,
  ...more,
})

export const moneyline = (home: number, away: number, draw?: number) => ({
  market_type: 'moneyline',
  selections: [
    answer('home', home),
    answer('away', away),
    ...(draw === undefined ? [] : [answer('draw', draw)]),
  ],
})

export const total = (line: number, over: number, under: number) => ({
  market_type: 'total_points',
  line,
  selections: [answer('over', over), answer('under', under)],
})

/** @param line the line of home */
export const spread = (line: number, home: number, away: number) => ({
  market_type: 'point_spread',
  selections: [answer('home', home, { line }), answer('away', away, { line: 0 - line })],
})

export const teamTotal = (side: 'home' | 'away', line: number, over: number, under: number) => ({
  market_type: 'team_total',
  line,
  selections: [answer(`${side}_over`, over), answer(`${side}_under`, under)],
})

export const points = (player_name: string, line: number, over: number, under: number) => ({
  market_type: 'player_points',
  line,
  player_name,
  stat_category: 'points',
  selections: [answer('over', over), answer('under', under)],
})

/** Parses records as ingest does; throws where it would refuse one. */
export function parsed(now: number, records: readonly object[]): FeedRecord[] {
  return records.map((record) => {
    const read = parseMember(record, now)
    if (!read.ok) throw new Error(`${read.code}: ${read.message}`)
    return read.record
  })
}

/** Pushes each sportsbook's full offer on a game, observed now. */
export function push(
  service: SimulatedService,
  game: Omit<Quote, 'sportsbook'>,
  offers: Readonly<Record<string, readonly object[]>>,
) {
  const now = service.clock()
  const records = Object.entries(offers).map(([sportsbook, markets]) =>
    oddsRecord(now, { ...game, sportsbook, markets }),
  )
  service.say(parsed(now, records))
}

/** Reports that a sportsbook's feed went down or came back. */
export function pushStatus(service: SimulatedService, sportsbook: string, status: 'up' | 'down') {
  const now = service.clock()
  const observed_at = new Date(now).toISOString()
  service.say(parsed(now, [{ type: 'book_status', sportsbook, observed_at, status }]))
}

/**
 * Pushes games on which the sportsbooks disagree more than usual, to get many opportunities of every kind: basketball,
 * football and soccer, before the start and in play, today and on the days after.
 * @param options.by largest error of a probability
 * @param options.isHeard sportsbooks that are not heard push nothing, and do not change the others' prices
 */
export function pushDisagreement(
  service: SimulatedService,
  books: readonly string[],
  { by = 0.03, isHeard = (_: string): boolean => true } = {},
) {
  const now = service.clock()
  let state = 7
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const noise = () => by * (random() + random() - 1)
  /** Returns prices for these probabilities, at a margin of 2 %. */
  const prices = (...chances: readonly number[]) =>
    chances.map((chance) => Math.round(1e3 / (chance + noise() + 0.02 / chances.length)) / 1e3)
  const pair = (chance: number) => prices(chance, 1 - chance) as [number, number]
  const records = Array.from({ length: 36 }, (_, game) => {
    const { sport, league } = [knicks, packers, leeds].map((of) => ({
      sport: 'basketball',
      league: 'NBA',
      ...of,
    }))[game % 3]!
    const isLive = game % 7 === 0
    const chance = 0.35 + 0.3 * random()
    const lines = [3.5, 4.5, 6.5].map((line) => (random() < 0.5 ? line : 0 - line))
    const about = {
      sport,
      league,
      home: `${sport} Home ${game + 100}`,
      away: `${sport} Away ${game + 100}`,
      isLive,
      startsAt: new Date(now + (isLive ? -0.5 : 1 + 5.3 * game) * 3_600_000).toISOString(),
    }
    return books.flatMap((sportsbook) => {
      if (random() < 0.25) return []
      const [home = 2, away = 2, draw = 2] = prices(0.8 * chance, 0.8 * (1 - chance), 0.2)
      const markets =
        sport === 'soccer'
          ? [moneyline(home, away, draw)]
          : [
              moneyline(...pair(chance)),
              ...lines.map((line) => spread(line, ...pair(chance + line / 50))),
              points('Sample Guard', 20.5, ...pair(0.5)),
            ]
      const observedAt = now - Math.floor((isLive ? 40 : 150) * 1_000 * random())
      return [oddsRecord(now, { ...about, sportsbook, markets, observedAt })]
    })
  })
  service.say(parsed(now, records.flat()).filter(({ sportsbook }) => isHeard(sportsbook)))
}
