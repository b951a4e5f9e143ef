/**
 * Caesars, event page JSON: one event with the markets of one of its tabs, so its records are
 * deltas (see `kit/withdrawals.ts`). Names are written as words between bars.
 *
 * The price is `a`, American and exact; `d` is cut to two digits. A handicap market's line is the
 * home side's. `betLimits` are stated without a unit and are therefore left out. A market's part of the game
 * is in its name, in `metadata.period`, or in both.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { partNamed } from '../../../schemas/reference/market-names.ts'
import type { Part } from '../../../schemas/reference/periods.ts'
import type { Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  payloadParser,
  type Question,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { gameOf, sideNamed, sidesIn } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketLabelled, type Unmapped } from '../kit/market-type.ts'
import { type Offered, priceOfAmerican } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'

const selectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  active: z.boolean(),
  display: z.boolean().default(true),
  price: z.object({ a: z.number() }).nullish(),
})

const marketSchema = z.object({
  id: z.string(),
  name: z.string(),
  templateName: z.string().nullish(),
  active: z.boolean(),
  display: z.boolean().default(true),
  line: z.number().nullish(),
  metadata: z.object({ player: z.string().optional(), period: z.string().optional() }).default({}),
  selections: z.array(z.unknown()),
  movingLines: z.object({ linePrices: z.array(z.unknown()).default([]) }).nullish(),
})

const payloadSchema = z.object({
  id: z.string(),
  name: z.string(),
  startTime: z.string(),
  type: z.string(),
  sportId: z.string(),
  competitionName: z.string(),
  active: z.boolean(),
  started: z.boolean(),
  markets: z.array(z.unknown()),
})

type Event = z.infer<typeof payloadSchema>
type Market = z.infer<typeof marketSchema>
type Selection = z.infer<typeof selectionSchema>

interface Game extends GameOffered {
  readonly isActive: boolean
}

export const parseCaesars = payloadParser(payloadSchema, (payload, observedAt) => {
  const { markets, active: isActive } = payload
  const game: Game = { event: gameOfEvent(payload), mode: 'delta', markets, isActive }
  return readBoard(board, [game], observedAt)
})

const sports = sportNames('caesars')

/** Reads the game from a name "|A| |at| |B|" or "|A| |vs| |B|". */
function gameOfEvent(event: Event): FeedEvent | Skip {
  const detail = plain(event.name)
  if (event.type !== 'MATCH') return { reason: 'outright', detail }
  return gameOf(
    {
      externalId: event.id,
      sport: sports.get(event.sportId),
      league: event.competitionName,
      ...sidesIn(event.name, /^\|(.+?)\| \|(at|vs)\| \|(.+)\|$/),
      startsAt: instantOf(event.startTime),
      isLive: event.started,
    },
    detail,
    { sport: 'unknown_sport' },
  )
}

const plain = (name: string) => name.replaceAll('|', '').replace(/\s+/g, ' ').trim()

/** The question of a market. */
interface Meaning extends Question {
  readonly answers: 'sides' | 'over_under' | 'yes_no' | 'score' | 'side_and_yes' | 'at_least'
  /**
   * The line signed from the home side, if the outcomes are sides; null if the selections have the
   * line.
   */
  readonly line: number | null
  /** The side of a team total. */
  readonly team: 'home' | 'away' | null
}

/** Sports with overtime: there `MATCH` excludes it, and `MATCH_INC_OT` includes it. */
const isPlayedOn: ReadonlySet<string> = new Set(['hockey', 'basketball', 'football'])

function partOf({ metadata: { period } }: Market, sport: string): Part {
  if (period === undefined) return 'game'
  return period === 'MATCH' && isPlayedOn.has(sport) ? 'regulation' : partNamed(period, sport)
}

function meaningOf(
  market: Market,
  hasDraw: boolean,
  { sport, homeTeam, awayTeam }: FeedEvent,
): Meaning | Unmapped {
  const name = plain(market.name)
  const part = partOf(market, sport)
  const line = market.line ?? null
  const about = { line, team: null }
  const rung = /^Total Match Goals Over\/Under (\d+(?:\.\d+)?) Goals$/.exec(name)
  const ofName = marketLabelled(rung ? 'Total Goals' : betting(name), sport, { part, hasDraw })
  // "Total Home Runs" counts home runs: a name that is listed as a whole is no team total.
  const team = typeof ofName === 'string' ? teamTotalOf(name, homeTeam, awayTeam) : null
  const labelled = team
    ? marketLabelled(`Team Total ${team.counted}`, sport, { part, hasDraw })
    : ofName
  if (typeof labelled !== 'string') {
    const { id: marketType, answers, isPlayerProp } = labelled
    const of = { ...about, marketType }
    if (answers === 'over_under') return { ...of, answers, line: rung ? Number(rung[1]) : line }
    if (answers === 'team_over_under' && team) {
      return { ...of, answers: 'over_under', team: team.side }
    }
    if (sidesOf.has(answers)) return { ...of, answers: 'sides' }
    if (answers === 'yes_no' && !isPlayerProp) return { ...of, answers }
    if (marketType === 'correct_score') return { ...of, answers: 'score' }
  }
  if (name === 'Match Result and Both Teams To Score' && part === 'game') {
    return { ...about, marketType: 'match_result_both_teams_to_score', answers: 'side_and_yes' }
  }
  return playerQuestion(market, name, part, { sport, homeTeam, awayTeam }) ?? unmappedOf(labelled)
}

const unmappedOf = (labelled: unknown): Unmapped =>
  labelled === 'unmapped_period' ? labelled : 'unmapped_market'

/** Reads "1st Half Betting" as the half's winner, "90 Minutes" as the result of 90 minutes. */
const betting = (name: string) =>
  /\b(?:Half|Quarter|Period|Set) Betting$|^\d+ Minutes?$/.test(name)
    ? `${name.replace(/ Betting$/, '')} Result`
    : name

const sidesOf: ReadonlySet<string> = new Set(['winner', 'handicap', 'two_ways', 'three_ways'])

/** Reads the team and the statistic: "Seattle Seahawks Total Points", "Total Home Points". */
function teamTotalOf(name: string, homeTeam: string, awayTeam: string) {
  const [, word, counted] = /^Total (Home|Away) (\w+)$/.exec(name) ?? []
  if (word && counted) return { side: word === 'Home' ? 'home' : 'away', counted } as const
  for (const [side, team] of [
    ['home', homeTeam],
    ['away', awayTeam],
  ] as const) {
    if (!name.startsWith(`${team} Total `)) continue
    return { side, counted: name.slice(team.length + ' Total '.length) }
  }
  return null
}

/** Reads "Nick Pivetta - Total Earned Runs Allowed"; without "Total" it is a ladder of "5+" and the like. */
function playerQuestion(
  market: Market,
  name: string,
  part: Part,
  { sport, homeTeam, awayTeam }: Pick<FeedEvent, 'sport' | 'homeTeam' | 'awayTeam'>,
): Meaning | null {
  const [, player, total, statistic] = /^(.+) - (Total )?(.+)$/.exec(name) ?? []
  if (!player || !statistic || [homeTeam, awayTeam].includes(player)) return null
  const labelled = marketLabelled(statistic, sport, { part, isOfPlayer: true })
  if (typeof labelled === 'string' || !labelled.isPlayerProp || labelled.answers !== 'over_under') {
    return null
  }
  return {
    marketType: labelled.id,
    playerName: market.metadata.player ?? player,
    statCategory: labelled.statistic,
    answers: total ? 'over_under' : 'at_least',
    line: market.line ?? null,
    team: null,
  }
}

/** Returns the source's label of the market, without the player or team that its name may contain. */
function labelOf({ name, templateName, metadata: { period } }: Market, reason: string): string {
  if (reason === 'unmapped_period' && period !== undefined) return period
  return plain(templateName ?? name).replace(/^.+ - /, '')
}

const board: Board<Market, Selection, Meaning, Game> = {
  sportsbook: 'caesars',
  market: marketSchema,
  marketId: ({ id }) => id,
  offers({ name, selections, movingLines }, skipped) {
    // Further lines of the market. So far all were empty, so their structure is unknown.
    const lines = movingLines?.linePrices ?? []
    for (const _ of lines) skipped.push({ reason: 'unmapped_line', detail: plain(name) })
    return readEach(selections, selectionSchema, 'malformed_selection', skipped)
  },
  describe: (selection, market) => `${plain(market.name)}: ${plain(selection.name)}`,
  label: ({ name }) => plain(name),
  question(market, event) {
    const meaning = meaningOf(market, market.selections.some(isDraw), event)
    if (typeof meaning !== 'string') return meaning
    return { reason: meaning, label: labelOf(market, meaning) }
  },
  outcome(selection, meaning, market, event, { isActive }) {
    const answered = answeredOf(selection, meaning, event)
    if (typeof answered === 'string') return answered
    const { active, display, price, id: externalId } = selection
    return {
      ...answered,
      price: statedPrice(price?.a, priceOfAmerican),
      externalId,
      suspended: !(isActive && market.active && market.display && active && display),
    }
  },
}

const isDraw = (selection: unknown) => (selection as { type?: unknown } | null)?.type === 'draw'

type Answered = Pick<Offered, 'selectionType' | 'selection' | 'line'>

/** Returns the selection's place in its question, or the reason why it has none. */
function answeredOf(
  { type, name }: Selection,
  { answers, line, team }: Meaning,
  game: FeedEvent,
): Answered | string {
  const words = plain(name)
  const side = sideNamed(words, game)
  switch (answers) {
    case 'sides':
    case 'side_and_yes': {
      if (!['home', 'away', 'draw'].includes(type)) return 'unmapped_selection'
      if (type !== 'draw' && side !== null && side !== type) return 'unknown_participant'
      if (answers === 'side_and_yes') {
        return { selectionType: `${type}_yes` }
      }
      return { selectionType: type, line: type === 'home' || line === null ? line : 0 - line }
    }
    case 'over_under': {
      if (type !== 'over' && type !== 'under') return 'unmapped_selection'
      return { selectionType: team === null ? type : `${team}_${type}`, line }
    }
    case 'at_least': {
      // A count of whole numbers: 4 or more is over 3.5.
      const least = /^(\d+)\+$/.exec(words)
      if (type !== 'over' || !least) return 'unmapped_selection'
      return { selectionType: 'over', line: Number(least[1]) - 0.5 }
    }
    case 'yes_no': {
      const outcome = words.toLowerCase()
      if (outcome !== 'yes' && outcome !== 'no') return 'unmapped_selection'
      return { selectionType: outcome }
    }
    case 'score':
      return scoreOf(words, game) ?? 'unmapped_selection'
  }
}

/**
 * Reads "Cape Town City 2-1", which has the named side's score first; the type has the home side's
 * first.
 */
function scoreOf(words: string, { homeTeam, awayTeam }: FeedEvent): Answered | null {
  const [, who, first, second] = /^(.+) (\d+)-(\d+)$/.exec(words) ?? []
  const isDraw = who === 'Draw' && first === second
  const isWin = (who === homeTeam || who === awayTeam) && Number(first) > Number(second)
  if (!isDraw && !isWin) return null
  const [home, away] = who === awayTeam ? [second, first] : [first, second]
  return { selectionType: `${home}_${away}`, selection: `${home}-${away}` }
}
