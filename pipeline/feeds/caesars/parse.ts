/**
 * Caesars, event page JSON: one event with the markets of the tab that was asked for, so its
 * records are deltas (see `withdrawals.ts`). Names are words between bars.
 *
 * The price is `a`, American and exact; `d` is cut to two digits. A handicap market's line is the
 * home side's. `betLimits` are stated without a unit and are therefore left out.
 */

import { z } from 'zod'
import type { FeedEvent, FeedRecord } from '../../../schemas/feed-record.ts'
import { findMarket, type MainKind } from '../../../schemas/reference/markets.ts'
import { type Answer, priceOfAmerican, toMarkets } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { marketTypeFor } from '../market-type.ts'
import { issueOf } from '../payload-issue.ts'

const sportsbook = 'caesars'

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

export function parseCaesars(payload: unknown, observedAt: number): Parsed {
  const read = payloadSchema.safeParse(payload)
  if (!read.success) {
    return { records: [], skipped: [{ reason: 'malformed_payload', detail: issueOf(read.error) }] }
  }
  const game = gameOf(read.data)
  const answers: Answer[] = []
  const skipped: Skip[] = []
  for (const item of read.data.markets) {
    const market = marketSchema.safeParse(item)
    if (!market.success) {
      skipped.push({ reason: 'malformed_market', detail: issueOf(market.error) })
      continue
    }
    for (const item of market.data.selections) {
      const selection = selectionSchema.safeParse(item)
      if (!selection.success) {
        skipped.push({ reason: 'malformed_selection', detail: issueOf(selection.error) })
        continue
      }
      const answer = answerOf(selection.data, market.data, read.data, game)
      if ('reason' in answer) skipped.push(answer)
      else answers.push(answer)
    }
    // Further lines of the market: every one seen so far was empty, so their shape is not known.
    for (const _ of market.data.movingLines?.linePrices ?? []) {
      skipped.push({ reason: 'unmapped_line', detail: plain(market.data.name) })
    }
  }
  const { markets, repeated } = toMarkets(answers)
  skipped.push(...repeated)
  if ('reason' in game || markets.length === 0) return { records: [], skipped }
  const records: FeedRecord[] = [
    { type: 'odds', sportsbook, mode: 'delta', observedAt, event: game, markets },
  ]
  return { records, skipped }
}

/** Theirs, not ours: their football is soccer. */
const sports: ReadonlyMap<string, string> = new Map([
  ['americanfootball', 'football'],
  ['baseball', 'baseball'],
  ['basketball', 'basketball'],
  ['boxing', 'boxing'],
  ['football', 'soccer'],
  ['icehockey', 'hockey'],
  ['tennis', 'tennis'],
])

/** "|A| |at| |B|" is played at B's; "|A| |vs| |B|" at A's. */
function gameOf(event: Event): FeedEvent | Skip {
  const detail = plain(event.name)
  if (event.type !== 'MATCH') return { reason: 'outright', detail }
  const [, first, word, second] = /^\|(.+?)\| \|(at|vs)\| \|(.+)\|$/.exec(event.name) ?? []
  if (!first || !second) return { reason: 'unknown_participant', detail }
  const sport = sports.get(event.sportId)
  if (!sport) return { reason: 'unknown_sport', detail }
  const startsAt = instantOf(event.startTime)
  if (startsAt === null) return { reason: 'bad_start', detail }
  return {
    externalId: event.id,
    sport,
    league: event.competitionName,
    homeTeam: word === 'at' ? second : first,
    awayTeam: word === 'at' ? first : second,
    startsAt,
    isLive: event.started,
  }
}

const plain = (name: string) => name.replaceAll('|', '').replace(/\s+/g, ' ').trim()

/** What a market asks. */
interface Question {
  readonly marketType: string
  readonly playerName: string | null
  readonly statCategory: string | null
  readonly answers: 'sides' | 'over_under' | 'yes_no' | 'score' | 'side_and_yes' | 'at_least'
  /** From the home side's view where the answers are sides; null when the selections carry it. */
  readonly line: number | null
  readonly period: string
}

const kinds: Readonly<Record<string, MainKind>> = {
  '90 Minutes': 'moneyline',
  'Money Line': 'moneyline',
  'Handicap Betting': 'spread',
  Spread: 'spread',
  'Run Line': 'spread',
  'Puck Line': 'spread',
  'Total Goals': 'total',
  'Total Points': 'total',
  'Total Runs': 'total',
}

const halves: Readonly<Record<string, string>> = {
  '1st Half Betting': '1st_half',
  '2nd Half Betting': '2nd_half',
}

const playerTypes: Readonly<Record<string, string>> = {
  'Pitching Strikeouts': 'player_strikeouts',
  'Outs Recorded': 'player_outs_recorded',
  'Earned Runs Allowed': 'player_earned_runs',
  'Hits Allowed': 'player_hits_allowed',
}

const periods: Readonly<Record<string, string>> = {
  MATCH: 'game',
  FIRST_HALF: '1st_half',
  SECOND_HALF: '2nd_half',
}

function questionOf(market: Market, { sport, homeTeam, awayTeam }: FeedEvent): Question | null {
  const name = plain(market.name)
  const line = market.line ?? null
  const about = { playerName: null, statCategory: null, line, period: 'game' }
  const kind = kinds[name]
  if (kind) {
    const answers = kind === 'total' ? 'over_under' : 'sides'
    const marketType = marketTypeFor(sport, kind)
    return marketType ? { ...about, marketType, answers } : null
  }
  const half = halves[name]
  if (half) {
    const marketType = marketTypeFor(sport, 'moneyline', half)
    return marketType ? { ...about, marketType, answers: 'sides', period: half } : null
  }
  const rung = /^Total Match Goals Over\/Under (\d+(?:\.\d+)?) Goals$/.exec(name)
  if (rung) {
    return { ...about, marketType: 'total_goals', answers: 'over_under', line: Number(rung[1]) }
  }
  if (name === 'Both Teams To Score') {
    return { ...about, marketType: 'both_teams_to_score', answers: 'yes_no' }
  }
  if (name === 'Correct Score') return { ...about, marketType: 'correct_score', answers: 'score' }
  if (name === 'Match Result and Both Teams To Score') {
    return { ...about, marketType: 'match_result_both_teams_to_score', answers: 'side_and_yes' }
  }
  const [, player, total, stat] = /^(.+) - (Total )?(.+)$/.exec(name) ?? []
  const marketType = playerTypes[stat ?? '']
  if (!player || !marketType || [homeTeam, awayTeam].includes(player)) return null
  return {
    ...about,
    marketType,
    playerName: market.metadata.player ?? player,
    statCategory: findMarket(marketType)?.statistic ?? null,
    answers: total ? 'over_under' : 'at_least',
  }
}

function answerOf(
  selection: Selection,
  market: Market,
  event: Event,
  game: FeedEvent | Skip,
): Answer | Skip {
  const detail = `${plain(market.name)}: ${plain(selection.name)}`
  if ('reason' in game) return { reason: game.reason, detail }
  const question = questionOf(market, game)
  if (!question) return { reason: 'unmapped_market', detail }
  const { period } = market.metadata
  if (period !== undefined && periods[period] !== question.period) {
    return { reason: 'unmapped_period', detail }
  }
  const answered = answeredOf(selection, question, game)
  if (typeof answered === 'string') return { reason: answered, detail }

  const suspended = [event.active, market.active, market.display, selection.active].includes(false)
  const hidden = suspended || !selection.display
  if (!selection.price && !hidden) return { reason: 'no_price', detail }
  const price = selection.price ? priceOfAmerican(selection.price.a) : null
  if (selection.price && price === null) return { reason: 'bad_price', detail }
  return {
    marketId: market.id,
    marketType: question.marketType,
    playerName: question.playerName,
    statCategory: question.statCategory,
    ...answered,
    price,
    externalId: selection.id,
    suspended: hidden,
  }
}

type Answered = Pick<Answer, 'selectionType' | 'selection' | 'line'>

/** The selection's place in its question, or the reason why it has none. */
function answeredOf(
  { type, name }: Selection,
  { answers, line, marketType }: Question,
  game: FeedEvent,
): Answered | string {
  const words = plain(name)
  const side = words === game.homeTeam ? 'home' : words === game.awayTeam ? 'away' : null
  switch (answers) {
    case 'sides':
    case 'side_and_yes': {
      if (!['home', 'away', 'draw'].includes(type)) return 'unmapped_selection'
      if (type !== 'draw' && side !== null && side !== type) return 'unknown_participant'
      if (answers === 'side_and_yes') {
        return { selectionType: `${type}_yes`, selection: null, line: null }
      }
      if (findMarket(marketType)?.answers === 'winner') {
        return { selectionType: type, selection: null, line: null }
      }
      if (line === null) return 'no_line'
      return { selectionType: type, selection: null, line: type === 'home' ? line : 0 - line }
    }
    case 'over_under': {
      if (type !== 'over' && type !== 'under') return 'unmapped_selection'
      return line === null ? 'no_line' : { selectionType: type, selection: null, line }
    }
    case 'at_least': {
      // Counted in whole numbers: 4 or more is over 3.5.
      const least = /^(\d+)\+$/.exec(words)
      if (type !== 'over' || !least) return 'unmapped_selection'
      return { selectionType: 'over', selection: null, line: Number(least[1]) - 0.5 }
    }
    case 'yes_no': {
      const answer = words.toLowerCase()
      if (answer !== 'yes' && answer !== 'no') return 'unmapped_selection'
      return { selectionType: answer, selection: null, line: null }
    }
    case 'score':
      return scoreOf(words, game) ?? 'unmapped_selection'
  }
}

/** "Cape Town City 2-1" counts the named side first; the type counts the home side first. */
function scoreOf(words: string, { homeTeam, awayTeam }: FeedEvent): Answered | null {
  const [, who, first, second] = /^(.+) (\d+)-(\d+)$/.exec(words) ?? []
  const isDraw = who === 'Draw' && first === second
  const isWin = (who === homeTeam || who === awayTeam) && Number(first) > Number(second)
  if (!isDraw && !isWin) return null
  const [home, away] = who === awayTeam ? [second, first] : [first, second]
  return { selectionType: `${home}_${away}`, selection: `${home}-${away}`, line: null }
}
