/**
 * Bovada, coupon JSON: groups of events, each with its display groups of markets. Prices and
 * handicaps are texts. An event whose `numMarkets` are all in the answer is a snapshot; a coupon
 * of main lines names fewer, and is a delta.
 */

import { z } from 'zod'
import type { FeedEvent, FeedRecord } from '../../../schemas/feed-record.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { type Answer, priceOfAmerican, priceOfDecimal, toMarkets, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { marketTypeFor } from '../market-type.ts'
import { issueOf } from '../payload-issue.ts'

const sportsbook = 'bovada'

const outcomeSchema = z.object({
  id: z.string(),
  description: z.string(),
  status: z.string(),
  type: z.string(),
  competitorId: z.string().optional(),
  price: z
    .object({
      american: z.string().optional(),
      decimal: z.string().optional(),
      handicap: z.string().optional(),
      handicap2: z.string().optional(),
    })
    .optional(),
})

const marketSchema = z.object({
  id: z.string(),
  description: z.string(),
  key: z.string(),
  status: z.string(),
  period: z.object({ description: z.string(), abbreviation: z.string() }),
  outcomes: z.array(z.unknown()),
})

const eventSchema = z.object({
  id: z.string(),
  description: z.string(),
  type: z.string(),
  startTime: z.number().int(),
  live: z.boolean(),
  numMarkets: z.number().optional(),
  competitors: z.array(z.object({ id: z.string(), name: z.string(), home: z.boolean() })),
  displayGroups: z.array(z.object({ markets: z.array(z.unknown()) })),
})

const payloadSchema = z.array(
  z.object({
    path: z.array(z.object({ description: z.string(), type: z.string() })),
    events: z.array(z.unknown()),
  }),
)

type Place = z.infer<typeof payloadSchema>[number]['path']
type Event = z.infer<typeof eventSchema>
type Market = z.infer<typeof marketSchema>
type Outcome = z.infer<typeof outcomeSchema>

export function parseBovada(payload: unknown, observedAt: number): Parsed {
  const read = payloadSchema.safeParse(payload)
  if (!read.success) {
    return { records: [], skipped: [{ reason: 'malformed_payload', detail: issueOf(read.error) }] }
  }
  const records: FeedRecord[] = []
  const skipped: Skip[] = []
  for (const { path, events } of read.data) {
    for (const item of events) {
      const event = eventSchema.safeParse(item)
      if (!event.success) {
        skipped.push({ reason: 'malformed_event', detail: issueOf(event.error) })
        continue
      }
      const game = gameOf(event.data, path)
      const { answers, skips, marketCount } = readMarkets(event.data, game)
      const { markets, repeated } = toMarkets(answers)
      skipped.push(...skips, ...repeated)
      if ('reason' in game) continue
      const mode = marketCount === event.data.numMarkets ? 'snapshot' : 'delta'
      if (mode === 'delta' && markets.length === 0) continue
      records.push({ type: 'odds', sportsbook, mode, observedAt, event: game, markets })
    }
  }
  return { records, skipped }
}

function readMarkets(event: Event, game: FeedEvent | Skip) {
  const answers: Answer[] = []
  const skips: Skip[] = []
  const items = event.displayGroups.flatMap(({ markets }) => markets)
  for (const item of items) {
    const market = marketSchema.safeParse(item)
    if (!market.success) {
      skips.push({ reason: 'malformed_market', detail: issueOf(market.error) })
      continue
    }
    for (const item of market.data.outcomes) {
      const outcome = outcomeSchema.safeParse(item)
      if (!outcome.success) {
        skips.push({ reason: 'malformed_selection', detail: issueOf(outcome.error) })
        continue
      }
      const answer = answerOf(outcome.data, market.data, event, game)
      if ('reason' in answer) skips.push(answer)
      else answers.push(answer)
    }
  }
  return { answers, skips, marketCount: items.length }
}

function gameOf(event: Event, path: Place): FeedEvent | Skip {
  const detail = event.description
  if (event.type !== 'GAMEEVENT') return { reason: 'outright', detail }
  const home = event.competitors.find((competitor) => competitor.home)
  const away = event.competitors.find((competitor) => !competitor.home)
  if (event.competitors.length !== 2 || !home || !away) {
    return { reason: 'unknown_participant', detail }
  }
  const named = (level: string) => path.find(({ type }) => type === level)?.description
  const sport = findSport(named('SPORT') ?? '')?.id
  const league = named('LEAGUE')
  if (!sport || !league) return { reason: 'unknown_sport', detail }
  const country = named('COUNTRY')
  return {
    externalId: event.id,
    sport,
    // Many countries have a "National League": its country is part of the name.
    league: country === undefined ? league : `${country} - ${league}`,
    homeTeam: home.name,
    awayTeam: away.name,
    startsAt: event.startTime,
    isLive: event.live,
  }
}

const segments: Readonly<Record<string, string>> = {
  G: 'game',
  M: 'game',
  '1H': '1st_half',
  '2H': '2nd_half',
  '1Q': '1st_quarter',
  '2Q': '2nd_quarter',
  '3Q': '3rd_quarter',
  '4Q': '4th_quarter',
  '1P': '1st_period',
  '2P': '2nd_period',
  '3P': '3rd_period',
}

/** Soccer is settled after regulation time; elsewhere that is a question of its own. */
function periodOf({ period: { abbreviation } }: Market, sport: string): string | null {
  if (abbreviation === 'RT') return sport === 'soccer' ? 'game' : null
  return segments[abbreviation] ?? null
}

type Kind = 'moneyline' | 'moneyline_3-way' | 'spread' | 'total' | 'yes_no' | 'double_chance'

/** By key and description: a total of corners has the key of the total of goals. */
const kinds: Readonly<Record<string, Kind>> = {
  '2W-12 Moneyline': 'moneyline',
  '3W-1X2 3-Way Moneyline': 'moneyline_3-way',
  '2W-HCAP Goal Spread': 'spread',
  '2W-HCAP Point Spread': 'spread',
  '2W-HCAP Runline': 'spread',
  '2W-HCAP Puck Line': 'spread',
  '2W-OU Total': 'total',
  '2W-OU Total Points': 'total',
  '2W-OU Total Runs': 'total',
  '2W-OU Total Goals': 'total',
  'GAME-PROP-12 Both Teams To Score': 'yes_no',
  'GAME-PROP-1X2 Double Chance': 'double_chance',
}

const sideTypes: Readonly<Record<string, string>> = {
  H: 'home',
  A: 'away',
  D: 'draw',
  O: 'over',
  U: 'under',
}

function marketTypeOf(kind: Kind, sport: string, period: string): string | undefined {
  if (kind !== 'yes_no' && kind !== 'double_chance') {
    // Where a draw is the rule, three ways are the moneyline.
    const isMoneyline = kind === 'moneyline_3-way' && sport === 'soccer'
    return marketTypeFor(sport, isMoneyline ? 'moneyline' : kind, period)
  }
  const type = kind === 'yes_no' ? 'both_teams_to_score' : kind
  return findMarket(typeInPeriod(type, period))?.id
}

function answerOf(
  outcome: Outcome,
  market: Market,
  event: Event,
  game: FeedEvent | Skip,
): Answer | Skip {
  const detail = `${market.description}: ${outcome.description}`
  if ('reason' in game) return { reason: game.reason, detail }
  const kind = kinds[`${market.key} ${market.description}`]
  const period = periodOf(market, game.sport)
  if (!kind) return { reason: 'unmapped_market', detail }
  if (period === null) return { reason: 'unmapped_period', detail }
  const marketType = marketTypeOf(kind, game.sport, period)
  if (!marketType) return { reason: 'unmapped_market', detail }

  const selectionType = selectionTypeOf(outcome, kind, game)
  if (selectionType === null) return { reason: 'unmapped_selection', detail }
  if (contradicts(selectionType, outcome, event)) return { reason: 'unknown_participant', detail }

  const isOpen = market.status === 'O' && outcome.status === 'O'
  const isSuspended =
    !isOpen && [market.status, outcome.status].every((s) => s === 'O' || s === 'S')
  if (!isOpen && !isSuspended) return { reason: 'closed', detail }

  const hasLine = kind === 'spread' || kind === 'total'
  const line = hasLine ? lineOf(outcome) : null
  if (hasLine && line === null) return { reason: 'no_line', detail }
  const price = statedPrice(outcome)
  if (price === 'bad') return { reason: 'bad_price', detail }
  if (price === null && !isSuspended) return { reason: 'no_price', detail }
  return {
    ...unstated,
    marketId: market.id,
    marketType,
    selectionType,
    line,
    price,
    externalId: outcome.id,
    suspended: isSuspended,
  }
}

const typesOf: Readonly<Record<Exclude<Kind, 'yes_no' | 'double_chance'>, readonly string[]>> = {
  moneyline: ['home', 'away'],
  'moneyline_3-way': ['home', 'away', 'draw'],
  spread: ['home', 'away'],
  total: ['over', 'under'],
}

function selectionTypeOf(outcome: Outcome, kind: Kind, game: FeedEvent): string | null {
  const { description, type } = outcome
  if (kind === 'yes_no') {
    return description === 'Yes' || description === 'No' ? description.toLowerCase() : null
  }
  if (kind === 'double_chance') {
    // The type names the first of the two teams only; the description names both results.
    if (description === `${game.homeTeam} / Draw`) return 'home_draw'
    if (description === `${game.awayTeam} / Draw`) return 'away_draw'
    return description === `${game.homeTeam} / ${game.awayTeam}` ? 'home_away' : null
  }
  const side = sideTypes[type]
  return side !== undefined && typesOf[kind].includes(side) ? side : null
}

/** Whether a side's outcome belongs to the other side's competitor. */
function contradicts(selectionType: string, { competitorId }: Outcome, { competitors }: Event) {
  if (competitorId === undefined || !['home', 'away'].includes(selectionType)) return false
  const competitor = competitors.find(({ id }) => id === competitorId)
  return competitor === undefined || competitor.home !== (selectionType === 'home')
}

/** Quarter lines are two half stakes, one on each handicap: 0.0 and -0.5 make -0.25. */
function lineOf({ price }: Outcome): number | null {
  const handicap = numberOf(price?.handicap)
  if (price?.handicap2 === undefined) return handicap
  const second = numberOf(price.handicap2)
  return handicap === null || second === null ? null : (handicap + second) / 2
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : null
}

/** The decimal text is converted from the American one, which is exact. */
function statedPrice({ price }: Outcome): number | null | 'bad' {
  if (price?.american !== undefined) {
    const american = price.american === 'EVEN' ? 100 : numberOf(price.american)
    return (american === null ? null : priceOfAmerican(american)) ?? 'bad'
  }
  if (price?.decimal === undefined) return null
  const decimal = numberOf(price.decimal)
  return (decimal === null ? null : priceOfDecimal(decimal)) ?? 'bad'
}
