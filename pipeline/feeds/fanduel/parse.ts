/**
 * FanDuel, event page JSON: maps of events and markets under `attachments`, runners inside their market. A page holds
 * one tab of an event, so its records are deltas (see `kit/withdrawals.ts`).
 *
 * A runner's `handicap` is from its own side. It is 0 in markets without lines, but also in a
 * spread of 0: a spread lacks its line only if the handicap is absent. Alternate totals carry their
 * line in the name only. A runner's id repeats across markets.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import type { Skip } from '../feed.ts'
import {
  type Board,
  groupByField,
  joined,
  payloadParser,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { gameOf, sidesIn } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { type Labelled, questionLabelled } from '../kit/market-type.ts'
import { priceOfAmerican, priceOfDecimal } from '../kit/outcomes.ts'

const eventSchema = z.object({
  eventId: z.number(),
  name: z.string(),
  openDate: z.string(),
  inPlay: z.boolean(),
  competitionId: z.number().optional(),
  eventTypeId: z.number(),
})

const runnerSchema = z.object({
  selectionId: z.number(),
  runnerName: z.string(),
  handicap: z.number().optional(),
  runnerStatus: z.string(),
  result: z.object({ type: z.string().optional() }).optional(),
  winRunnerOdds: z
    .object({
      americanDisplayOdds: z.object({ americanOddsInt: z.number() }).optional(),
      trueOdds: z
        .object({ decimalOdds: z.object({ decimalOdds: z.number() }).optional() })
        .optional(),
    })
    .optional(),
})

const marketSchema = z.object({
  marketId: z.string(),
  eventId: z.number(),
  marketName: z.string(),
  marketType: z.string(),
  marketStatus: z.string(),
  runners: z.array(z.unknown()),
})

const payloadSchema = z.object({
  attachments: z.object({
    eventTypes: z.record(z.string(), z.object({ name: z.string() })).default({}),
    competitions: z.record(z.string(), z.object({ name: z.string() })).default({}),
    events: z.record(z.string(), z.unknown()),
    markets: z.record(z.string(), z.unknown()).default({}),
  }),
})

type Market = z.infer<typeof marketSchema>
type Runner = z.infer<typeof runnerSchema>

export const parseFanDuel = payloadParser(payloadSchema, ({ attachments }, observedAt) => {
  const { eventTypes, competitions, events, markets } = attachments
  const games = new Map<number, FeedEvent | Skip>()
  const skipped: Skip[] = []
  for (const event of readEach(Object.values(events), eventSchema, 'malformed', skipped)) {
    const { eventId, eventTypeId, competitionId } = event
    const league = competitions[String(competitionId)]?.name
    games.set(eventId, gameOfEvent(event, eventTypes[eventTypeId]?.name, league))
  }
  const offered = groupByField(Object.values(markets), 'eventId')
  return readBoard(board, joined(games, offered, 'delta'), observedAt, skipped)
})

/** Reads "Stanford @ Colorado", with the home side last, or "Leeds v Brentford", with it first. */
function gameOfEvent(
  event: z.infer<typeof eventSchema>,
  sportName: string | undefined,
  league: string | undefined,
): FeedEvent | Skip {
  const sides = sidesIn(event.name, /^(.+?) (@|v) (.+)$/)
  const sport = sportName && findSport(sportName)?.id
  return gameOf(
    {
      externalId: String(event.eventId),
      sport,
      league,
      homeTeam: sides && teamIn(sides.homeTeam, sport),
      awayTeam: sides && teamIn(sides.awayTeam, sport),
      startsAt: instantOf(event.openDate),
      isLive: event.inPlay,
    },
    event.name,
    { sport: 'unknown_sport', league: 'unknown_sport' },
  )
}

/**
 * Returns the team without the starting pitcher, whom baseball games name behind it: "New York
 * Yankees (W Warren)". Other brackets stay, because they name another contest: "(W)", "(U21)",
 * "(Game 2)".
 */
const teamIn = (name: string, sport: string | undefined) =>
  (sport === 'baseball' ? name.replace(startingPitcher, '') : name).trim()

const startingPitcher = / \((?:(?:\p{Lu}\.?){1,2} \p{L}[^)]*|TBD|TBA|Undecided)\)$/u

/** FanDuel's result types of each form of our markets. */
const resultTypes: Readonly<Partial<Record<Answers, readonly string[]>>> = {
  winner: ['HOME', 'AWAY', 'DRAW'],
  three_ways: ['HOME', 'AWAY', 'DRAW'],
  two_ways: ['HOME', 'AWAY'],
  handicap: ['HOME', 'AWAY'],
  over_under: ['OVER', 'UNDER'],
}

const board: Board<Market, Runner, Labelled<readonly string[]>> = {
  sportsbook: 'fanduel',
  market: marketSchema,
  marketId: ({ marketId }) => marketId,
  offers: ({ runners }, skipped) => readEach(runners, runnerSchema, 'malformed_selection', skipped),
  describe: ({ runnerName }, { marketName }) => `${marketName}: ${runnerName}`,
  label: ({ runnerName }) => runnerName,
  question({ marketType: label, runners }, { sport }) {
    const isOfScore = scores.has(mainMarketType(sport, 'total'))
    const named = isOfScore ? label.replace(totalOfAnySport, 'TOTAL') : label
    return questionLabelled(named, sport, resultTypes, { hasDraw: runners.some(isDraw) })
  },
  outcome(runner, { form: results }, market, game) {
    const type = runner.result?.type ?? ''
    if (!results.includes(type)) return 'unmapped_selection'
    if (contradicts(type, runner.runnerName, game)) return 'unknown_participant'
    const suspended = [market.marketStatus, runner.runnerStatus].includes('SUSPENDED')
    const isOpen = market.marketStatus === 'OPEN' && runner.runnerStatus === 'ACTIVE'
    return {
      selectionType: type.toLowerCase(),
      line: lineOf(runner, market),
      price: priceOf(runner),
      externalId: String(runner.selectionId),
      suspended,
      removed: !isOpen && !suspended,
    }
  },
}

/** FanDuel's code for a total of the game, also of goals and runs. */
const totalOfAnySport = /TOTAL_POINTS(?=_\(OVER\/UNDER\))/
const scores: ReadonlySet<string> = new Set(['total_points', 'total_goals', 'total_runs'])

const isDraw = (runner: unknown) =>
  (runner as { result?: { type?: unknown } } | null)?.result?.type === 'DRAW'

/** Matches the line of a total in a runner's name: "Over (50.5)", "Over 50.5". */
const totalInName = /\b(?:over|under) \(?(\d+(?:\.\d+)?)(?![\d.])/i
/**
 * Matches the line of a handicap, signed from the side's own view: "Colorado (-20.5)", "Colorado
 * -20.5".
 */
const handicapInName = / \(?(0(?=\))|[+-]\d+(?:\.\d+)?)\)?$/

/** Returns whether the runner's name is the other side's. */
function contradicts(type: string, runnerName: string, { sport, homeTeam, awayTeam }: FeedEvent) {
  const name = teamIn(runnerName.replace(handicapInName, ''), sport)
  return (type === 'HOME' && name === awayTeam) || (type === 'AWAY' && name === homeTeam)
}

/**
 * Returns the line. Alternate markets have it in the runner's name, usually with a `handicap` of 0.
 */
function lineOf({ handicap, runnerName }: Runner, { marketType }: Market): number | null {
  const isTotal = /TOTAL/.test(marketType)
  if (/(?:^|_)ALTERNATE/.test(marketType)) {
    const [, line] = (isTotal ? totalInName : handicapInName).exec(runnerName) ?? []
    if (line !== undefined) return Number(line) + 0
    return handicap || null
  }
  // No game has a total of 0: the handicap is missing. A spread of 0 is a line.
  return handicap === undefined || (isTotal && handicap === 0) ? null : handicap
}

function priceOf({ winRunnerOdds }: Runner): number | null | 'bad' {
  const decimal = winRunnerOdds?.trueOdds?.decimalOdds?.decimalOdds
  if (decimal !== undefined) return statedPrice(decimal, priceOfDecimal)
  return statedPrice(winRunnerOdds?.americanDisplayOdds?.americanOddsInt, priceOfAmerican)
}
