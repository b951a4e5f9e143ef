/**
 * Kambi's offering, which prices for many sportsbooks: one operator code, one set of prices.
 * Three answers are read: the full board of an event (a snapshot), and the list of a league and the
 * games in play, which hold each event's main offer only (deltas).
 *
 * Odds and lines are whole thousandths. What an offer asks is its criterion, in English; only the
 * wordings listed here are placed.
 */

import { z } from 'zod'
import type {
  FeedEvent,
  FeedRecord,
  GameStateRecord,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { isPrice } from '../../rules/odds.ts'
import { type Answer, toMarkets, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { marketTypeFor, moneylineTypeFor } from '../market-type.ts'

const outcomeSchema = z.object({
  id: z.number(),
  type: z.string().nullish(),
  label: z.string().nullish(),
  participant: z.string().nullish(),
  odds: z.unknown().optional(),
  line: z.number().nullish(),
  changedDate: z.unknown().optional(),
  status: z.string().nullish(),
})
const offerSchema = z.object({
  id: z.number(),
  eventId: z.number().nullish(),
  criterion: z.object({ label: z.string(), englishLabel: z.string().nullish() }),
  betOfferType: z.object({ id: z.number() }),
  suspended: z.boolean().nullish(),
  outcomes: z.array(outcomeSchema),
})
const eventSchema = z.object({
  id: z.number(),
  name: z.string(),
  homeName: z.string().nullish(),
  awayName: z.string().nullish(),
  start: z.unknown().optional(),
  group: z.string().nullish(),
  path: z.array(z.object({ name: z.string(), englishName: z.string().nullish() })).nullish(),
  sport: z.string(),
  state: z.string().nullish(),
})
const sideStatistics = z.object({
  yellowCards: z.number().nullish(),
  redCards: z.number().nullish(),
  corners: z.number().nullish(),
})
const liveDataSchema = z.object({
  matchClock: z
    .object({ minute: z.number(), second: z.number(), period: z.string().nullish() })
    .nullish(),
  score: z.object({ home: z.string(), away: z.string() }).nullish(),
  statistics: z
    .object({ football: z.object({ home: sideStatistics, away: sideStatistics }).nullish() })
    .nullish(),
})
const boardSchema = z.object({ betOffers: z.array(z.unknown()), events: z.array(z.unknown()) })
const listedSchema = z.object({
  event: z.unknown().optional(),
  betOffers: z.array(z.unknown()).nullish(),
  mainBetOffer: z.unknown().optional(),
  liveData: z.unknown().optional(),
})
const listSchema = z.object({ events: z.array(listedSchema) })
const liveSchema = z.object({ liveEvents: z.array(listedSchema) })

type KambiEvent = z.infer<typeof eventSchema>
type BetOffer = z.infer<typeof offerSchema>
type Outcome = z.infer<typeof outcomeSchema>

export interface KambiOptions {
  /** The sportsbook of the operator that was asked: `unibet` of `ub`. */
  readonly sportsbook: string
  readonly receivedAt: number
}

/** Sportsbooks by Kambi operator code; others are named in the configuration. */
export const sportsbookByOperator: Readonly<Record<string, string>> = {
  ub: 'unibet',
  ubuk: 'unibet_uk',
  ubfr: 'unibet_fr',
  ubnl: 'unibet_nl',
  ubse: 'unibet_se',
  rsiusnj: 'betrivers',
  rsi2uspa: 'betrivers',
  rsiusil: 'betrivers',
  rsi: 'betrivers',
}

/** Reads any of the three answers. */
export function parseKambi(payload: unknown, options: KambiOptions): Parsed {
  const board = boardSchema.safeParse(payload)
  if (board.success) return parseBoard(board.data, options)
  const live = liveSchema.safeParse(payload)
  if (live.success) return parseListed(live.data.liveEvents, options)
  const list = listSchema.safeParse(payload)
  if (list.success) return parseListed(list.data.events, options)
  return { records: [], skipped: [{ reason: 'malformed', detail: 'no answer we know' }] }
}

/** Events of a list view, whose boards are then asked for one by one. */
export function eventIdsOf(payload: unknown): number[] {
  const list = listSchema.safeParse(payload)
  if (!list.success) return []
  return list.data.events.flatMap(({ event }) => {
    const read = eventSchema.safeParse(event)
    return read.success ? [read.data.id] : []
  })
}

function parseBoard(
  { betOffers, events }: z.infer<typeof boardSchema>,
  options: KambiOptions,
): Parsed {
  const skipped: Skip[] = []
  const byEvent = new Map<number, unknown[]>()
  for (const offer of betOffers) {
    const eventId = (offer as { eventId?: unknown } | null)?.eventId
    if (typeof eventId !== 'number') {
      skipped.push({ reason: 'malformed', detail: 'betOffer.eventId' })
      continue
    }
    const before = byEvent.get(eventId)
    if (before) before.push(offer)
    else byEvent.set(eventId, [offer])
  }
  const records: FeedRecord[] = []
  for (const item of events) {
    const event = eventSchema.safeParse(item)
    if (!event.success) {
      skipped.push(malformed('event', event.error))
      continue
    }
    const offers = byEvent.get(event.data.id) ?? []
    byEvent.delete(event.data.id)
    const parsed = parseOffers(event.data, offers, 'snapshot', options)
    records.push(...parsed.records)
    skipped.push(...parsed.skipped)
  }
  for (const [eventId, offers] of byEvent) {
    skipped.push(...skipOffers('unknown_event', offers, String(eventId)))
  }
  return { records, skipped }
}

function parseListed(listed: readonly z.infer<typeof listedSchema>[], options: KambiOptions) {
  const records: FeedRecord[] = []
  const skipped: Skip[] = []
  for (const { event: item, betOffers, mainBetOffer, liveData } of listed) {
    const event = eventSchema.safeParse(item)
    if (!event.success) {
      skipped.push(malformed('event', event.error))
      continue
    }
    const offers = mainBetOffer ? [mainBetOffer] : (betOffers ?? [])
    const parsed = parseOffers(event.data, offers, 'delta', options)
    records.push(...parsed.records)
    skipped.push(...parsed.skipped)
    const game = gameOf(event.data)
    if (typeof game === 'string' || !game.isLive) continue
    const { sportsbook, receivedAt: observedAt } = options
    records.push({ type: 'event_status', sportsbook, observedAt, event: game, status: 'live' })
    const state = liveData ? stateOf(liveData, game.sport) : null
    if (state) records.push({ type: 'game_state', sportsbook, observedAt, event: game, state })
  }
  return { records, skipped }
}

function parseOffers(
  event: KambiEvent,
  items: readonly unknown[],
  mode: OddsRecord['mode'],
  { sportsbook, receivedAt }: KambiOptions,
): Parsed {
  const game = gameOf(event)
  if (typeof game === 'string') {
    return { records: [], skipped: skipOffers(game, items, event.name) }
  }
  const answers: Answer[] = []
  const skipped: Skip[] = []
  for (const item of items) {
    const offer = offerSchema.safeParse(item)
    if (offer.success) skipped.push(...placeBetOffer(answers, offer.data, game))
    else skipped.push(...skipOffers('malformed_offer', [item], event.name))
  }
  const { markets, repeated } = toMarkets(answers)
  skipped.push(...repeated)
  const record = { type: 'odds', sportsbook, mode, observedAt: receivedAt, event: game } as const
  return { records: markets.length === 0 ? [] : [{ ...record, markets }], skipped }
}

/** The game, or the reason it is not one. */
function gameOf(event: KambiEvent): FeedEvent | string {
  const sport = sportOf(event.sport)
  if (sport === null) return 'unsupported_sport'
  const { homeName, awayName } = event
  if (!homeName || !awayName) return 'outright'
  const startsAt = instantOf(event.start)
  if (startsAt === null) return 'bad_start'
  return {
    externalId: String(event.id),
    sport,
    league: leagueOf(event),
    homeTeam: givenNameFirst(homeName),
    awayTeam: givenNameFirst(awayName),
    startsAt,
    isLive: event.state === 'STARTED',
  }
}

/** "FOOTBALL" is soccer here. */
function sportOf(name: string): string | null {
  return name === 'FOOTBALL' ? 'soccer' : (findSport(sportNames[name] ?? name)?.id ?? null)
}

const sportNames: Readonly<Record<string, string>> = {
  MARTIAL_ARTS: 'mma',
  UFC_MMA: 'mma',
  AUSTRALIAN_RULES: 'australian_rules',
}

/** Country and league, because "Premier League" alone is many; the path begins with the sport. */
function leagueOf({ path, group, sport }: KambiEvent): string {
  const names = (path ?? []).slice(1).map(({ englishName, name }) => englishName ?? name)
  return names.length > 0 ? names.join(' - ') : (group ?? sport)
}

/** Score and clock of a game in play, for the sports whose members mean what they say. */
function stateOf(liveData: unknown, sport: string): GameStateRecord['state'] | null {
  const live = liveDataSchema.safeParse(liveData)
  if (!live.success || !scoredSports.has(sport)) return null
  const { matchClock, score, statistics } = live.data
  if (!score || !/^\d+$/.test(score.home) || !/^\d+$/.test(score.away)) return null
  const state: Record<string, string | number> = {
    home_score: Number(score.home),
    away_score: Number(score.away),
  }
  if (matchClock?.period) state.game_period = matchClock.period
  if (matchClock && clockedSports.has(sport)) {
    state.game_clock = `${matchClock.minute}:${String(matchClock.second).padStart(2, '0')}`
  }
  const counted = sport === 'soccer' ? statistics?.football : null
  for (const side of ['home', 'away'] as const) {
    const { corners, yellowCards, redCards } = counted?.[side] ?? {}
    if (typeof corners === 'number') state[`corners_${side}`] = corners
    if (typeof yellowCards === 'number') state[`yellow_cards_${side}`] = yellowCards
    if (typeof redCards === 'number') state[`red_cards_${side}`] = redCards
  }
  return state
}

/** Elsewhere the score counts sets, frames or overs, which one pair of numbers does not say. */
const scoredSports: ReadonlySet<string> = new Set([
  'soccer',
  'basketball',
  'football',
  'hockey',
  'baseball',
])
const clockedSports: ReadonlySet<string> = new Set(['soccer', 'basketball', 'football', 'hockey'])

const offerKinds = { handicap: 1, match: 2, overUnder: 6, oddEven: 10, player: 127 } as const

type AnswerPair = 'home_away' | 'over_under' | 'odd_even' | 'player_over_under' | 'player_yes_no'

interface Meaning {
  readonly marketType: string
  readonly sides: AnswerPair
  /** The side whose total it is. */
  readonly team?: 'home' | 'away'
  /** "2 or more" is 2, which the line of each outcome has to repeat. */
  readonly atLeast?: number
}

function placeBetOffer(answers: Answer[], offer: BetOffer, event: FeedEvent): Skip[] {
  const label = offer.criterion.englishLabel ?? offer.criterion.label
  const skip = (reason: string, outcome: Outcome): Skip => ({
    reason,
    detail: `${label} ${outcome.label ?? outcome.type ?? ''} ${outcome.odds ?? ''}`,
  })
  const meaning = meaningOf(offer, label, event)
  if (typeof meaning === 'string') return offer.outcomes.map((outcome) => skip(meaning, outcome))
  const skipped: Skip[] = []
  for (const outcome of offer.outcomes) {
    const answer = answerOf(offer, outcome, meaning, event)
    if (typeof answer === 'string') skipped.push(skip(answer, outcome))
    else answers.push(answer)
  }
  return skipped
}

/** The outcome's answer, or the reason why it has no place. */
function answerOf(
  offer: BetOffer,
  outcome: Outcome,
  { marketType, sides, team, atLeast }: Meaning,
  event: FeedEvent,
): Answer | string {
  const suspended = offer.suspended === true || outcome.status === 'SUSPENDED'
  if (outcome.status && outcome.status !== 'OPEN' && !suspended) return 'closed'
  const price = typeof outcome.odds === 'number' ? outcome.odds / 1000 : null
  if (outcome.odds !== undefined && outcome.odds !== null) {
    if (price === null || !isPrice(price)) return 'bad_price'
  } else if (!suspended) {
    return 'no_price'
  }
  const answer = {
    ...unstated,
    marketId: String(offer.id),
    marketType,
    price,
    suspended,
    externalId: String(outcome.id),
    changedAt: instantOf(outcome.changedDate),
  }
  const line = typeof outcome.line === 'number' ? outcome.line / 1000 : null

  if (sides === 'home_away') {
    const side = sideTypes[outcome.type ?? '']
    if (side === undefined) return 'unknown_selection'
    if (contradicts(outcome, side, event)) return 'unknown_participant'
    const hasLine = findMarket(marketType)?.hasLine === true
    if (hasLine && line === null) return 'no_line'
    const selection = side === 'home' ? event.homeTeam : side === 'away' ? event.awayTeam : 'Draw'
    return { ...answer, selection, selectionType: side, line: hasLine ? line : null }
  }
  if (sides === 'odd_even') {
    const side = outcome.type === 'OT_ODD' ? 'odd' : outcome.type === 'OT_EVEN' ? 'even' : null
    return side === null ? 'unknown_selection' : { ...answer, selectionType: side }
  }
  if (line === null) return 'no_line'
  const yesNo = sides === 'player_yes_no'
  const side = (yesNo ? yesNoTypes : overUnderTypes)[outcome.type ?? '']
  if (side === undefined) return 'unknown_selection'
  const word = side === 'over' ? 'Over' : 'Under'
  if (sides === 'over_under') {
    const name = team === 'home' ? event.homeTeam : event.awayTeam
    return {
      ...answer,
      selection: team ? `${name} ${word}` : word,
      selectionType: team ? `${team}_${side}` : side,
      line,
    }
  }
  if (!outcome.participant) return 'no_player'
  if (yesNo && line !== atLeast) return 'unknown_line'
  const playerName = givenNameFirst(outcome.participant)
  return {
    ...answer,
    playerName,
    statCategory: findMarket(marketType)?.statistic ?? null,
    selection: `${playerName} ${word}`,
    selectionType: side,
    // "At least 2" is exactly "over 1.5", and is kept under the one name for both.
    line: yesNo ? line - 0.5 : line,
  }
}

const sideTypes: Readonly<Record<string, string>> = {
  OT_ONE: 'home',
  OT_CROSS: 'draw',
  OT_TWO: 'away',
}
const overUnderTypes: Readonly<Record<string, string>> = { OT_OVER: 'over', OT_UNDER: 'under' }
const yesNoTypes: Readonly<Record<string, string>> = { OT_YES: 'over', OT_NO: 'under' }

/** Whether the participant named is the other side's, or nobody's: then the type is not believed. */
function contradicts({ participant }: Outcome, side: string, event: FeedEvent): boolean {
  if (!participant || side === 'draw') return false
  return givenNameFirst(participant) !== (side === 'home' ? event.homeTeam : event.awayTeam)
}

/** What an offer asks, or the reason for leaving it out. */
function meaningOf(offer: BetOffer, label: string, event: FeedEvent): Meaning | string {
  const { sport } = event
  const kind = offer.betOfferType.id
  if (kind === offerKinds.player) return playerMeaning(label, sport)
  // Bets that are void unless a pitcher starts are priced apart from the plain moneyline.
  if (/\bmust start\)$/.test(label)) return 'conditional'
  // Where overtime always counts, saying so changes nothing; in hockey it is another market.
  const plain = sport === 'hockey' ? label : label.replace(/ - Including Overtime$/, '')
  const { base, period } = splitPeriod(plain)
  if (period === undefined) return 'unmapped_period'
  const known = (marketType: string | undefined, sides: AnswerPair): Meaning | string =>
    marketType === undefined ? 'unmapped_market' : { marketType, sides }

  if (kind === offerKinds.match) {
    if (base === 'Draw No Bet') {
      return known(marketTypeFor(sport, 'draw_no_bet', period), 'home_away')
    }
    const hasDraw = offer.outcomes.some(({ type }) => type === 'OT_CROSS')
    const isWinner =
      winnerLabels.has(base) ||
      // Ninety minutes decide soccer; elsewhere "full time" leaves overtime out.
      (base === 'Full Time' && sport === 'soccer') ||
      // "Lead After 5 Innings", and an inning by itself, with a draw.
      (base === '' && period !== 'game' && hasDraw)
    if (!isWinner) return 'unmapped_market'
    return known(moneylineTypeFor(sport, hasDraw, period), 'home_away')
  }
  if (kind === offerKinds.handicap) {
    return handicapLabels[sport]?.includes(base)
      ? known(marketTypeFor(sport, 'spread', period), 'home_away')
      : 'unmapped_market'
  }
  if (kind === offerKinds.oddEven) {
    if (base !== 'Total Runs Odd/Even' || sport !== 'baseball') return 'unmapped_market'
    const type = typeInPeriod('total_runs_odd_even', period)
    return known(findMarket(type)?.id, 'odd_even')
  }
  if (kind === offerKinds.overUnder) {
    const total = totalLabels[sport]
    if (total === undefined) return 'unmapped_market'
    if (base === total) return known(marketTypeFor(sport, 'total', period), 'over_under')
    const team = teamOf(base, `${total} by `, event)
    if (team === null) return 'unmapped_market'
    const marketType = marketTypeFor(sport, 'team_total', period)
    return marketType === undefined ? 'unmapped_market' : { marketType, sides: 'over_under', team }
  }
  return 'unmapped_market'
}

function teamOf(label: string, before: string, event: FeedEvent): 'home' | 'away' | null {
  if (!label.startsWith(before) || event.homeTeam === event.awayTeam) return null
  const name = label.slice(before.length)
  return name === event.homeTeam ? 'home' : name === event.awayTeam ? 'away' : null
}

const winnerLabels: ReadonlySet<string> = new Set([
  'Moneyline',
  'Moneyline - Including Overtime',
  'Match Odds',
])

const handicapLabels: Readonly<Record<string, readonly string[]>> = {
  baseball: ['Run Line', 'Handicap'],
  basketball: ['Point Spread'],
  football: ['Point Spread'],
  hockey: ['Puck Line - Including Overtime'],
}

const totalLabels: Readonly<Record<string, string>> = {
  baseball: 'Total Runs',
  basketball: 'Total Points',
  football: 'Total Points',
  soccer: 'Total Goals',
  tennis: 'Total Games',
}

const numbers = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th']

/** "Handicap - First 5 Innings": what is asked, and of which part of the game. */
function splitPeriod(label: string): { base: string; period: string | undefined } {
  const lead = /^Lead After (\d) Innings$/.exec(label)
  if (lead) return { base: '', period: firstInnings(lead[1]) }
  const alone = /^(Inning|Quarter|Period|Half|Set) (\d)$/.exec(label)
  if (alone) return { base: '', period: partOf(alone[1], alone[2]) }
  const innings = /^(.+) - First (\d) Innings$/.exec(label)
  if (innings) return { base: innings[1] ?? '', period: firstInnings(innings[2]) }
  const part = /^(.+) - (Inning|Quarter|Period|Half|Set) (\d)$/.exec(label)
  if (part) return { base: part[1] ?? '', period: partOf(part[2], part[3]) }
  const half = /^(.+) - (1st|2nd) Half$/.exec(label)
  if (half) return { base: half[1] ?? '', period: `${half[2]}_half` }
  return { base: label, period: 'game' }
}

const firstInnings = (count?: string) =>
  count && ['3', '5', '7'].includes(count) ? `1st_${count}_innings` : undefined

function partOf(what?: string, number?: string): string | undefined {
  const nth = numbers[Number(number) - 1]
  return what && nth ? `${nth}_${what.toLowerCase()}` : undefined
}

const playerTypes: Readonly<Record<string, string>> = {
  'Strikeouts thrown by the Player': 'player_strikeouts',
  'Total Outs Recorded by the Player': 'player_outs_recorded',
  'Total Bases Recorded by the Player': 'player_total_bases',
  'Total Doubles by the Player': 'player_doubles',
  'Total Hits by the Player': 'player_hits',
  'Total RBIs by the Player': 'player_rbis',
  'Total Runs Scored by the Player': 'player_runs',
  'Total Stolen Bases by the Player': 'player_stolen_bases',
}

function playerMeaning(label: string, sport: string): Meaning | string {
  if (sport !== 'baseball') return 'unmapped_market'
  const base = label.replace(/ - Including Extra Innings( \(.*\))?$/, '')
  const homeRuns = /^Player to Hit (?:a Home Run|(\d) or more Home Runs)$/i.exec(base)
  if (homeRuns) {
    const atLeast = Number(homeRuns[1] ?? 1)
    return { marketType: 'player_home_runs', sides: 'player_yes_no', atLeast }
  }
  const marketType = playerTypes[base]
  return marketType === undefined ? 'unmapped_market' : { marketType, sides: 'player_over_under' }
}

/** A skip for every outcome of offers that were not looked into. */
function skipOffers(reason: string, offers: readonly unknown[], detail: string): Skip[] {
  return offers.flatMap((offer) => {
    const outcomes = (offer as { outcomes?: unknown } | null)?.outcomes
    const count = Array.isArray(outcomes) ? Math.max(1, outcomes.length) : 1
    return Array.from({ length: count }, () => ({ reason, detail }))
  })
}

const malformed = (what: string, error: z.ZodError): Skip => ({
  reason: 'malformed',
  detail: `${what} ${error.issues[0]?.path.join('.') ?? ''}`,
})

/** "Surname, Given" as "Given Surname"; other names as they are. */
function givenNameFirst(name: string): string {
  const [surname, given, ...more] = name.split(',').map((part) => part.trim())
  return surname && given && more.length === 0 ? `${given} ${surname}` : name
}
