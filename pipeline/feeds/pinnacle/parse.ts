/**
 * Pinnacle's guest API: a list of matchups (what can be bet on) and a list of markets (prices)
 * that are joined by id. A league's two lists hold everything the site offers on its games, so a
 * record is a snapshot. The answers carry no time of their own.
 *
 * What is counted in something else than the game's own points (corners, bookings) is another
 * question, and comes as a matchup of its own with other `units`: it never mixes with goals.
 */

import { z } from 'zod'
import type { FeedEvent, FeedRecord } from '../../../schemas/feed-record.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { type Answer, priceOfAmerican, toMarkets, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { marketTypeFor, moneylineTypeFor } from '../market-type.ts'

const participantSchema = z.object({
  alignment: z.string(),
  name: z.string(),
  id: z.number().nullish(),
})
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

/** @param receivedAt epoch ms, when the prices had arrived */
export function parseLeague(
  answers: { readonly matchups: unknown; readonly markets: unknown },
  { receivedAt }: { readonly receivedAt: number },
): Parsed {
  const skipped: Skip[] = []
  const matchups = new Map<number, Matchup>()
  for (const matchup of readList(answers.matchups, matchupSchema, 'matchup', skipped)) {
    matchups.set(matchup.id, matchup)
  }
  const byMatchup = new Map<number, Market[]>()
  for (const market of readList(answers.markets, marketSchema, 'market', skipped)) {
    const before = byMatchup.get(market.matchupId)
    if (before) before.push(market)
    else byMatchup.set(market.matchupId, [market])
  }

  const games = new Map<string, { event: FeedEvent; parts: [Matchup, Market[]][] }>()
  for (const [id, markets] of byMatchup) {
    const matchup = matchups.get(id)
    const event = matchup ? eventOf(matchup) : 'unknown_matchup'
    if (!matchup || typeof event === 'string') {
      skipped.push(...skipMarkets(String(event), markets))
      continue
    }
    const key = String(event.externalId)
    const game = games.get(key)
    if (game) game.parts.push([matchup, markets])
    else games.set(key, { event, parts: [[matchup, markets]] })
  }

  const records: FeedRecord[] = []
  for (const { event, parts } of games.values()) {
    // A game in play is a matchup of its own beside the one it was before the start.
    const isLive = parts.some(([matchup]) => matchup.isLive === true)
    const offered: Answer[] = []
    for (const [matchup, markets] of parts) {
      if (isLive && matchup.isLive !== true) {
        skipped.push(...skipMarkets('superseded_by_live', markets))
        continue
      }
      for (const market of markets) {
        skipped.push(...placeMarket(offered, market, matchup.units ?? 'Regular', event))
      }
    }
    const { markets, repeated } = toMarkets(offered)
    skipped.push(...repeated)
    if (markets.length === 0) continue
    records.push({
      type: 'odds',
      sportsbook: 'pinnacle',
      mode: 'snapshot',
      observedAt: receivedAt,
      event: { ...event, isLive },
      markets,
    })
  }
  return { records, skipped }
}

/** Versions by market, to tell an answer that is older than the last from a newer one. */
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
  return value.flatMap((item) => {
    const read = schema.safeParse(item)
    if (read.success) return [read.data]
    const issue = read.error.issues[0]
    skipped.push({ reason: 'malformed', detail: `${what} ${issue?.path.join('.')}` })
    return []
  })
}

/** The game of a matchup, or the reason it is not one. */
function eventOf(matchup: Matchup): FeedEvent | string {
  if (matchup.type !== 'matchup') return 'special'
  const sport = sportOf(matchup.league.sport.name)
  if (sport === null) return 'unsupported_sport'
  const participants = matchup.parent?.participants ?? matchup.participants
  const named = (side: string) =>
    participants.filter(({ alignment }) => alignment === side).map(({ name }) => name)
  const [homeTeam, ...otherHome] = named('home')
  const [awayTeam, ...otherAway] = named('away')
  if (!homeTeam || !awayTeam || otherHome.length + otherAway.length > 0) return 'not_two_sided'
  const startsAt = instantOf(matchup.parent?.startTime) ?? instantOf(matchup.startTime)
  if (startsAt === null) return 'bad_start'
  return {
    externalId: String(matchup.parentId ?? matchup.parent?.id ?? matchup.id),
    sport,
    league: matchup.league.name,
    homeTeam,
    awayTeam,
    startsAt,
    isLive: matchup.isLive === true,
  }
}

/** "Football" is American here: soccer has its own name. */
function sportOf(name: string): string | null {
  return findSport(sportNames[name] ?? name)?.id ?? null
}

const sportNames: Readonly<Record<string, string>> = {
  'Mixed Martial Arts': 'mma',
  'E Sports': 'esports',
  'Aussie Rules': 'australian_rules',
}

/** What a period number means; numbers that are not here are left out. */
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

function placeMarket(offered: Answer[], market: Market, units: string, event: FeedEvent): Skip[] {
  if (market.status && market.status !== 'open' && market.status !== 'suspended') {
    return skipMarkets('closed', [market])
  }
  const marketType = typeOf(market, units, event.sport)
  if ('reason' in marketType) {
    const { reason, label } = marketType
    return skipMarkets(reason, [market]).map((skip) => ({ ...skip, ...(label && { label }) }))
  }
  const { id } = marketType
  const skipped: Skip[] = []
  const suspended = market.status === 'suspended'
  // Keys repeat between the matchups of one game: goals and corners both have a total of 9.5.
  const marketId = `${market.matchupId}/${market.key}`
  const maxBet = maxBetOf(market)
  for (const price of market.prices) {
    const answer = answerOf(price, market, event)
    if (typeof answer === 'string') {
      skipped.push({ reason: answer, detail: detailOf(market, price) })
      continue
    }
    offered.push({ ...unstated, marketId, marketType: id, ...answer, suspended, maxBet })
  }
  return skipped
}

function typeOf(market: Market, units: string, sport: string): { id: string } | Skip {
  const skip = (reason: string): Skip => ({
    reason,
    detail: market.key,
    label: reason === 'unmapped_units' ? units : `${market.type} of period ${market.period}`,
  })
  const period = (periods[sport] ?? ['game'])[market.period]
  if (period === undefined) return skip('unmapped_period')
  const kind = market.type
  if (kind !== 'moneyline' && kind !== 'spread' && kind !== 'total' && kind !== 'team_total') {
    return skip('unmapped_market')
  }
  if (units === 'Corners' && sport === 'soccer')
    return cornersOf(kind, period) ?? skip('unmapped_units')
  if (!countsIn(units, kind, sport)) return skip('unmapped_units')
  const hasDraw = market.prices.some(({ designation }) => designation === 'draw')
  if (period === 'regulation' && !(kind === 'moneyline' && hasDraw)) return skip('unmapped_period')
  const segment = period === 'regulation' ? 'game' : period
  const handicap = sport === 'tennis' && segment === 'game' ? tennisHandicaps.get(units) : undefined
  const id =
    kind === 'moneyline'
      ? moneylineTypeFor(sport, hasDraw, segment)
      : kind === 'spread' && handicap !== undefined
        ? handicap
        : marketTypeFor(sport, kind, segment)
  return id === undefined ? skip('unmapped_market') : { id }
}

/** Whether these units are what the sport's own market of this kind counts. */
function countsIn(units: string, kind: string, sport: string): boolean {
  if (sport !== 'tennis') return units === 'Regular'
  // Tennis comes as two matchups: the winner and the handicap in sets, the total in games.
  if (kind === 'moneyline') return units === 'Regular' || units === 'Sets'
  return kind === 'spread' ? tennisHandicaps.has(units) : units === 'Games'
}

/** A handicap of a whole match of tennis, by what it counts. */
const tennisHandicaps: ReadonlyMap<string, string> = new Map([
  ['Sets', 'set_handicap'],
  ['Games', 'game_handicap'],
])

const cornerTypes: Readonly<Record<string, string>> = {
  total: 'total_corners',
  team_total: 'team_total_corners',
}

function cornersOf(kind: string, period: string): { id: string } | null {
  const type = cornerTypes[kind]
  if (type === undefined) return null
  const id = typeInPeriod(type, period)
  return findMarket(id) ? { id } : null
}

/** What a price says by itself; the rest is its market's. */
type Stated = Pick<Answer, 'selectionType' | 'selection' | 'line' | 'price'>

/** The selection of one price, or the reason it has none. */
function answerOf(price: Price, market: Market, event: FeedEvent): Stated | string {
  const { designation: side } = price
  const isPriced = price.price !== null && price.price !== undefined
  if (!isPriced && market.status !== 'suspended') return 'no_price'
  const decimal = typeof price.price === 'number' ? priceOfAmerican(price.price) : null
  if (isPriced && decimal === null) return 'bad_price'
  const line = price.points ?? null
  const { homeTeam, awayTeam } = event
  const names: Readonly<Record<string, string>> = { home: homeTeam, away: awayTeam, draw: 'Draw' }
  if (market.type === 'moneyline') {
    const selection = names[side ?? '']
    if (!side || selection === undefined) return 'unknown_participant'
    return { selectionType: side, selection, line: null, price: decimal }
  }
  if (line === null) return 'no_line'
  if (market.type === 'spread') {
    const selection = side === 'draw' ? undefined : names[side ?? '']
    if (!side || selection === undefined) return 'unknown_participant'
    // The away side of a level handicap is written -0.0.
    return { selectionType: side, selection, line: line + 0, price: decimal }
  }
  if (side !== 'over' && side !== 'under') return 'unknown_selection'
  const label = side === 'over' ? 'Over' : 'Under'
  if (market.type === 'total') {
    return { selectionType: side, selection: label, line, price: decimal }
  }
  const team = market.side === 'home' ? homeTeam : market.side === 'away' ? awayTeam : undefined
  if (team === undefined) return 'unknown_participant'
  return {
    selectionType: `${market.side}_${side}`,
    selection: `${team} ${label}`,
    line,
    price: decimal,
  }
}

/** The highest stake, in the guest's currency, US dollars. */
function maxBetOf({ limits }: Market): number | null {
  return limits?.find(({ type }) => type === 'maxRiskStake')?.amount ?? null
}

const skipMarkets = (reason: string, markets: readonly Market[]): Skip[] =>
  markets.flatMap((market) =>
    market.prices.map((price) => ({ reason, detail: detailOf(market, price) })),
  )

const detailOf = ({ matchupId, key }: Market, { designation, participantId, price }: Price) =>
  `${matchupId} ${key} ${designation ?? participantId ?? ''} ${price}`
