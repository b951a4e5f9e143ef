/**
 * Bovada, coupon JSON: groups of events, each with its display groups of markets. Prices and
 * handicaps are texts. If all `numMarkets` of an event are in the response, it is a snapshot; a
 * coupon of main lines has fewer and is a delta.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { partNamed } from '../../../schemas/reference/market-names.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import type { Part } from '../../../schemas/reference/periods.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import type { Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  type LeftOut,
  payloadParser,
  type Question,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { gameOf, sideNamed } from '../kit/game.ts'
import { marketLabelled, type Unmapped } from '../kit/market-type.ts'
import { priceOfAmerican, priceOfDecimal } from '../kit/outcomes.ts'

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

interface Game extends GameOffered {
  readonly competitors: Event['competitors']
}

export const parseBovada = payloadParser(payloadSchema, (payload, observedAt) => {
  const skipped: Skip[] = []
  const games = payload.flatMap(({ path, events }) =>
    readEach(events, eventSchema, 'malformed', skipped).map((event): Game => {
      const { competitors, displayGroups, numMarkets } = event
      const markets = displayGroups.flatMap((group) => group.markets)
      const mode = markets.length === numMarkets ? 'snapshot' : 'delta'
      return { event: gameOfEvent(event, path), mode, markets, competitors }
    }),
  )
  return readBoard(board, games, observedAt, skipped)
})

function gameOfEvent(event: Event, path: Place): FeedEvent | Skip {
  const detail = event.description
  if (event.type !== 'GAMEEVENT') return { reason: 'outright', detail }
  const home = event.competitors.find((competitor) => competitor.home)
  const away = event.competitors.find((competitor) => !competitor.home)
  if (event.competitors.length !== 2) return { reason: 'unknown_participant', detail }
  const named = (level: string) => path.find(({ type }) => type === level)?.description
  const country = named('COUNTRY')
  const league = named('LEAGUE')
  return gameOf(
    {
      externalId: event.id,
      sport: findSport(named('SPORT') ?? '')?.id,
      // Many countries have a "National League", so the country is part of the name.
      league: league && country !== undefined ? `${country} - ${league}` : league,
      homeTeam: home?.name,
      awayTeam: away?.name,
      startsAt: event.startTime,
      isLive: event.live,
    },
    detail,
    { sport: 'unknown_sport', league: 'unknown_sport' },
  )
}

/**
 * Abbreviations that mean the whole game; for others, the description is read, which has the full
 * words.
 */
const wholeGame: ReadonlySet<string> = new Set(['G', 'M', 'MT'])

function partOf({ period: { abbreviation, description } }: Market, sport: string): Part {
  if (wholeGame.has(abbreviation)) return 'game'
  if (abbreviation === 'RT') return partNamed('regulation time', sport)
  return partNamed(description, sport) ?? partNamed(abbreviation, sport)
}

/**
 * The kinds of outcomes allowed for a key. The key names the form of the bet, the description the
 * question.
 */
const formsByKey: ReadonlyMap<string, ReadonlySet<Answers>> = new Map([
  ['2W-12', new Set<Answers>(['winner', 'two_ways'])],
  ['3W-1X2', new Set<Answers>(['winner', 'three_ways'])],
  ['2W-HCAP', new Set<Answers>(['handicap'])],
  ['2W-OU', new Set<Answers>(['over_under', 'team_over_under'])],
  ['GAME-PROP-12', new Set<Answers>(['yes_no'])],
  ['GAME-PROP-1X2', new Set<Answers>(['double_chance'])],
])

/** Markets that are recognised by description and outcomes, under any key. */
const knownByOutcomes: ReadonlySet<string> = new Set(['set_betting', 'total_sets'])

interface Meaning extends Question {
  readonly answers: Answers
  readonly hasDraw: boolean
  readonly team: 'home' | 'away' | null
  /** The line between two outcomes that are exact numbers: "2" and "3" are under and over 2.5. */
  readonly between: number | null
}

function meaningOf(market: Market, game: FeedEvent): Meaning | LeftOut {
  const { description, key } = market
  const { sport } = game
  const leftOut = (reason: Unmapped) => ({ reason, label: labelOf(market, reason) })
  const forms = formsByKey.get(key)
  const [, wording = description, name] = /^(.+?)(?: O\/U)? - (.+)$/.exec(description) ?? []
  const team = name === undefined ? null : sideNamed(name, game)
  if (name !== undefined && team === null) return leftOut('unmapped_market')
  const hasDraw = key === '3W-1X2'
  const label = team === null ? wording : `Team ${wording}`
  const labelled = marketLabelled(label, sport, { part: partOf(market, sport), hasDraw })
  if (typeof labelled === 'string') return leftOut(labelled)
  const { id: marketType, answers, isPlayerProp } = labelled
  const isOfForm = knownByOutcomes.has(marketType) || forms?.has(answers) === true
  const isOther = isPlayerProp || !isOfForm || (answers === 'team_over_under') !== !!team
  if (isOther) return leftOut('unmapped_market')
  const between = marketType === 'total_sets' ? lineBetween(market) : null
  return { marketType, answers, hasDraw, team, between }
}

/** Returns the line between "2" and "3", or "2 Sets" and "3 Sets", without other outcomes; else null. */
function lineBetween({ outcomes }: Market): number | null {
  const numbers = outcomes.map((item) => setsCounted(outcomeSchema.safeParse(item).data))
  const [lower = Number.NaN, higher] = numbers.sort((a, b) => a - b)
  return numbers.length === 2 && higher === lower + 1 ? lower + 0.5 : null
}

const setsCounted = (outcome: Outcome | undefined) =>
  Number(
    /^(?:exactly )?(\d)(?: sets)?$/i.exec(outcome?.description.trim() ?? '')?.[1] ?? Number.NaN,
  )

const sideTypes: Readonly<Record<string, string>> = {
  H: 'home',
  A: 'away',
  D: 'draw',
  O: 'over',
  U: 'under',
}

const board: Board<Market, Outcome, Meaning, Game> = {
  sportsbook: 'bovada',
  market: marketSchema,
  marketId: ({ id }) => id,
  offers: ({ outcomes }, skipped) =>
    readEach(outcomes, outcomeSchema, 'malformed_selection', skipped),
  describe: (outcome, { description }) => `${description}: ${outcome.description}`,
  label: ({ description }) => description,
  question: meaningOf,
  outcome(outcome, meaning, market, event, game) {
    const selectionType = selectionTypeOf(outcome, meaning, event)
    if (selectionType === null) return 'unmapped_selection'
    if (contradicts(selectionType, outcome, game)) return 'unknown_participant'
    const statuses = [market.status, outcome.status]
    return {
      selectionType: meaning.team === null ? selectionType : `${meaning.team}_${selectionType}`,
      line: meaning.between ?? lineOf(outcome),
      price: priceOf(outcome),
      externalId: outcome.id,
      suspended: statuses.includes('S'),
      removed: statuses.some((status) => status !== 'O' && status !== 'S'),
    }
  },
}

/** Returns the unknown label, without the players or teams after its hyphen. */
const labelOf = ({ key, description, period }: Market, reason: Unmapped) =>
  reason === 'unmapped_period'
    ? `${period.abbreviation} ${period.description}`
    : `${key} ${description.split(' - ')[0]}`

const sides: ReadonlySet<string> = new Set(['home', 'away'])
const sidesAndDraw: ReadonlySet<string> = new Set(['home', 'away', 'draw'])
const counts: ReadonlySet<string> = new Set(['over', 'under'])

function selectionTypeOf(
  outcome: Outcome,
  { answers, hasDraw, between }: Meaning,
  game: FeedEvent,
): string | null {
  const { description, type } = outcome
  if (between !== null) return setsCounted(outcome) > between ? 'over' : 'under'
  if (answers === 'score') return scoreOf(outcome, game)
  if (answers === 'yes_no') {
    return description === 'Yes' || description === 'No' ? description.toLowerCase() : null
  }
  if (answers === 'double_chance') {
    // The type names only the first of the two teams; the description names both results.
    if (description === `${game.homeTeam} / Draw`) return 'home_draw'
    if (description === `${game.awayTeam} / Draw`) return 'away_draw'
    return description === `${game.homeTeam} / ${game.awayTeam}` ? 'home_away' : null
  }
  const isCount = answers === 'over_under' || answers === 'team_over_under'
  const side = sideTypes[type]
  const allowed = isCount ? counts : hasDraw ? sidesAndDraw : sides
  return side !== undefined && allowed.has(side) ? side : null
}

/**
 * Reads "H 2-1", a score from the winner's side; our type has home's score first. A score without a
 * name already has home's first, unless the outcome's side would lose by it.
 */
function scoreOf({ description, type }: Outcome, game: FeedEvent): string | null {
  const [, winner = '', first, second] =
    /^(.*?)[\s:(]*(\d)\s*[-:]\s*(\d)\)?$/.exec(description.trim()) ?? []
  if (first === undefined || second === undefined || first === second) return null
  const named = winner === '' ? null : sideNamed(winner, game)
  if (winner !== '' && named === null) return null
  const typed = sideTypes[type]
  const side = named ?? (typed === 'home' || typed === 'away' ? typed : null)
  if (side === null) return `${first}_${second}`
  const [won, lost] = first > second ? [first, second] : [second, first]
  return side === 'home' ? `${won}_${lost}` : `${lost}_${won}`
}

/** Returns whether a side's outcome belongs to the other side's competitor. */
function contradicts(selectionType: string, { competitorId }: Outcome, { competitors }: Game) {
  if (competitorId === undefined || !['home', 'away'].includes(selectionType)) return false
  const competitor = competitors.find(({ id }) => id === competitorId)
  return competitor === undefined || competitor.home !== (selectionType === 'home')
}

/** Returns the line. Quarter lines are two half stakes, one on each handicap: 0.0 and -0.5 make -0.25. */
function lineOf({ price }: Outcome): number | null {
  const handicap = numberOf(price?.handicap)
  if (price?.handicap2 === undefined) return handicap
  const second = numberOf(price.handicap2)
  return handicap === null || second === null ? null : (handicap + second) / 2
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : null
}

/** Returns the price. The American price is exact; the decimal text is converted from it. */
function priceOf({ price }: Outcome): number | null | 'bad' {
  const { american, decimal } = price ?? {}
  if (american === undefined) {
    return statedPrice(decimal && (numberOf(decimal) ?? decimal), priceOfDecimal)
  }
  return statedPrice(american === 'EVEN' ? 100 : (numberOf(american) ?? american), priceOfAmerican)
}
