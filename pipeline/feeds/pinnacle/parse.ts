/**
 * Pinnacle's guest API: a list of matchups (what can be bet on) and a list of markets (prices),
 * joined by id. A league's two lists have all offers on its games, so a record is a snapshot. The
 * responses have no time of their own.
 *
 * A market that does not count the game's own points (but corners or bookings) is another question.
 * It comes as a separate matchup with other `units`, so it never mixes with goals.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { groupBy } from '../../../schemas/grouping.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { Parsed, Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  type LeftOut,
  type Question,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { gameOf, onlyOne, type Side } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketTypeFor, moneylineTypeFor } from '../kit/market-type.ts'
import { type Offered, priceOfAmerican } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'

const participantSchema = z.object({ alignment: z.string(), name: z.string() })
const matchupSchema = z.object({
  id: z.number(),
  type: z.string(),
  parentId: z.number().nullish(),
  parent: z
    .object({
      id: z.number(),
      participants: z.array(participantSchema).nullish(),
      startTime: z.unknown().optional(),
    })
    .nullish(),
  participants: z.array(participantSchema),
  league: z.object({ name: z.string(), sport: z.object({ name: z.string() }) }),
  startTime: z.unknown().optional(),
  isLive: z.boolean().nullish(),
  units: z.string().nullish(),
})
const marketSchema = z.object({
  matchupId: z.number(),
  type: z.string(),
  period: z.number(),
  key: z.string(),
  status: z.string().nullish(),
  side: z.string().nullish(),
  version: z.number().nullish(),
  limits: z.array(z.object({ amount: z.number(), type: z.string() })).nullish(),
  prices: z.array(
    z.object({
      designation: z.string().nullish(),
      participantId: z.number().nullish(),
      price: z.unknown().optional(),
      points: z.number().nullish(),
    }),
  ),
})

type Matchup = z.infer<typeof matchupSchema>
type Market = z.infer<typeof marketSchema>
type Price = Market['prices'][number]

/**
 * @param listed the matchups, @param offered their markets
 * @param receivedAt epoch ms, when the prices arrived
 */
export function parseLeague(listed: unknown, offered: unknown, receivedAt: number): Parsed {
  const skipped: Skip[] = []
  const read = readList(listed, matchupSchema, 'matchup', skipped)
  const matchups = new Map(read.map((matchup) => [matchup.id, matchup]))
  const markets = readList(offered, marketSchema, 'market', skipped)
  const byMatchup = groupBy(markets, ({ matchupId }) => matchupId)

  const games = new Map<string, { event: FeedEvent; parts: [Matchup, Market[]][] }>()
  for (const [id, markets] of byMatchup) {
    const matchup = matchups.get(id)
    const event = matchup ? eventOf(matchup) : 'unknown_matchup'
    if (!matchup || typeof event === 'string') {
      pushAll(skipped, skipMarkets(String(event), markets))
      continue
    }
    const game = games.get(String(event.externalId)) ?? { event, parts: [] }
    games.set(String(event.externalId), game)
    game.parts.push([matchup, markets])
  }

  const offers = [...games.values()].map(({ event, parts }): GameOffered => {
    // A game in play is a separate matchup, besides the pregame one.
    const isLive = parts.some(([matchup]) => matchup.isLive === true)
    const markets = parts.flatMap(([matchup, markets]) => {
      const units = matchup.units ?? 'Regular'
      if (!isLive || matchup.isLive === true) return markets.map((market) => ({ market, units }))
      pushAll(skipped, skipMarkets('superseded_by_live', markets))
      return []
    })
    return { event: { ...event, isLive }, mode: 'snapshot', markets }
  })
  return readBoard(board, offers, receivedAt, skipped)
}

/** A parsed market, and the units of its matchup. */
interface Counted {
  readonly market: Market
  readonly units: string
}

const board: Board<Counted, Price, Question> = {
  sportsbook: 'pinnacle',
  omitsEmpty: true,
  // Keys repeat between the matchups of one game: goals and corners both have a total of 9.5.
  marketId: ({ market: { matchupId, key } }) => `${matchupId}/${key}`,
  offers: ({ market }) => market.prices,
  describe: (price, { market }) => detailOf(market, price),
  question({ market, units }, { sport }) {
    const { status } = market
    return status && status !== 'open' && status !== 'suspended'
      ? 'closed'
      : questionOf(market, units, sport)
  },
  outcome(price, _question, { market }, event) {
    const outcome = outcomeOf(price, market, event)
    if (typeof outcome === 'string') return outcome
    return { ...outcome, suspended: market.status === 'suspended', maxBet: maxBetOf(market) }
  },
}

/** Returns versions by market, to recognise an outdated response. */
export function versionsOf(markets: unknown): Map<string, number> {
  const versions = new Map<string, number>()
  for (const { matchupId, key, version } of readList(markets, marketSchema, 'market', [])) {
    if (typeof version === 'number') versions.set(`${matchupId}|${key}`, version)
  }
  return versions
}

function readList<T>(value: unknown, schema: z.ZodType<T>, what: string, skipped: Skip[]): T[] {
  if (!Array.isArray(value)) {
    skipped.push({ reason: 'malformed', detail: `${what} list is ${typeof value}` })
    return []
  }
  return readEach(value, schema, 'malformed', skipped)
}

const sports = sportNames('pinnacle')

/** Returns the game of a matchup, or the reason it is not one. */
function eventOf(matchup: Matchup): FeedEvent | string {
  if (matchup.type !== 'matchup') return 'special'
  const sportName = matchup.league.sport.name
  const participants = matchup.parent?.participants ?? matchup.participants
  const teamAt = (side: Side) =>
    onlyOne(participants.filter(({ alignment }) => alignment === side))?.name
  const game = gameOf(
    {
      externalId: String(matchup.parentId ?? matchup.parent?.id ?? matchup.id),
      sport: findSport(sports.get(sportName) ?? sportName)?.id,
      league: matchup.league.name,
      homeTeam: teamAt('home'),
      awayTeam: teamAt('away'),
      startsAt: instantOf(matchup.parent?.startTime) ?? instantOf(matchup.startTime),
      isLive: matchup.isLive,
    },
    '',
    { sides: 'not_two_sided' },
  )
  return 'reason' in game ? game.reason : game
}

/** The parts of a game by period number; numbers that are not here are left out. */
const periods: Readonly<Record<string, readonly (string | undefined)[]>> = {
  soccer: ['game', '1st_half', '2nd_half'],
  football: ['game', '1st_half', '2nd_half', ...ordinals('quarter', 4)],
  basketball: ['game', '1st_half', '2nd_half', ...ordinals('quarter', 4)],
  // Period 6 is the sixty minutes without overtime.
  hockey: ['game', ...ordinals('period', 3), undefined, undefined, 'regulation'],
  baseball: ['game', '1st_5_innings', undefined, '1st_inning'],
  tennis: ['game', ...ordinals('set', 5)],
  esports: ['game', ...ordinals('map', 5)],
}

function ordinals(what: string, count: number): string[] {
  return ['1st', '2nd', '3rd', '4th', '5th'].slice(0, count).map((nth) => `${nth}_${what}`)
}

function questionOf(market: Market, units: string, sport: string): Question | LeftOut {
  const leftOut = (reason: string) => ({
    reason,
    label: reason === 'unmapped_units' ? units : `${market.type} of period ${market.period}`,
  })
  const period = (periods[sport] ?? ['game'])[market.period]
  if (period === undefined) return leftOut('unmapped_period')
  const kind = market.type
  if (kind !== 'moneyline' && kind !== 'spread' && kind !== 'total' && kind !== 'team_total') {
    return leftOut('unmapped_market')
  }
  if (units === 'Corners' && sport === 'soccer')
    return cornersOf(kind, period) ?? leftOut('unmapped_units')
  if (!countsIn(units, kind, sport)) return leftOut('unmapped_units')
  const hasDraw = market.prices.some(({ designation }) => designation === 'draw')
  if (period === 'regulation' && !(kind === 'moneyline' && hasDraw))
    return leftOut('unmapped_period')
  const segment = period === 'regulation' ? 'game' : period
  const handicap = sport === 'tennis' && segment === 'game' ? tennisHandicaps.get(units) : undefined
  const id =
    kind === 'moneyline'
      ? moneylineTypeFor(sport, hasDraw, segment)
      : kind === 'spread' && handicap !== undefined
        ? handicap
        : marketTypeFor(sport, kind, segment)
  return id === undefined ? leftOut('unmapped_market') : { marketType: id }
}

/** Returns whether these units are those of the sport's own market of this kind. */
function countsIn(units: string, kind: string, sport: string): boolean {
  if (sport !== 'tennis') return units === 'Regular'
  // Tennis comes as two matchups: the winner and the handicap in sets, the total in games.
  if (kind === 'moneyline') return units === 'Regular' || units === 'Sets'
  return kind === 'spread' ? tennisHandicaps.has(units) : units === 'Games'
}

/** The type of a handicap of a whole match of tennis, by its units. */
const tennisHandicaps: ReadonlyMap<string, string> = new Map([
  ['Sets', 'set_handicap'],
  ['Games', 'game_handicap'],
])

const cornerTypes: Readonly<Record<string, string>> = {
  total: 'total_corners',
  team_total: 'team_total_corners',
}

function cornersOf(kind: string, period: string): Question | null {
  const type = cornerTypes[kind]
  if (type === undefined) return null
  const id = typeInPeriod(type, period)
  return findMarket(id) ? { marketType: id } : null
}

/** What a price itself states; its market states the rest. */
type Stated = Pick<Offered, 'selectionType' | 'selection' | 'line' | 'price'>

/** Returns the selection of one price, or the reason why it has none. */
function outcomeOf(stated: Price, market: Market, event: FeedEvent): Stated | string {
  const { designation: side } = stated
  const price = statedPrice(stated.price, priceOfAmerican)
  // In a handicap of 0, the away side is written -0.0.
  const line = stated.points == null ? null : stated.points + 0
  const { homeTeam, awayTeam } = event
  if (market.type === 'moneyline' || market.type === 'spread') {
    const names = new Map(Object.entries({ home: homeTeam, away: awayTeam, draw: 'Draw' }))
    const selection = names.get(side ?? '')
    if (!side || selection === undefined || (side === 'draw' && market.type === 'spread')) {
      return 'unknown_participant'
    }
    return { selectionType: side, selection, line, price }
  }
  if (side !== 'over' && side !== 'under') return 'unknown_selection'
  const label = side === 'over' ? 'Over' : 'Under'
  if (market.type === 'total') return { selectionType: side, selection: label, line, price }
  const team = market.side === 'home' ? homeTeam : market.side === 'away' ? awayTeam : undefined
  if (team === undefined) return 'unknown_participant'
  return { selectionType: `${market.side}_${side}`, selection: `${team} ${label}`, line, price }
}

/** Returns the highest stake, in the guest's currency, US dollars. */
function maxBetOf({ limits }: Market): number | null {
  return limits?.find(({ type }) => type === 'maxRiskStake')?.amount ?? null
}

const skipMarkets = (reason: string, markets: readonly Market[]): Skip[] =>
  markets.flatMap((market) =>
    market.prices.map((price) => ({ reason, detail: detailOf(market, price) })),
  )

const detailOf = ({ matchupId, key }: Market, { designation, participantId, price }: Price) =>
  `${matchupId} ${key} ${designation ?? participantId ?? ''} ${price}`
