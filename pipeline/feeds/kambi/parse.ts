/**
 * Kambi's offering. Kambi sets prices for many sportsbooks: one set of prices per operator code.
 * Three responses are read: the full board of an event (a snapshot), and the list of a league and
 * the games in play, which hold each event's main offer only (deltas).
 *
 * Odds and lines are whole thousandths. The question of an offer is its criterion, in English: the
 * market's usual name, then after a hyphen the part of the game and whether overtime counts.
 */

import { z } from 'zod'
import type { FeedEvent, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { partNamed } from '../../../schemas/reference/market-names.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { Parsed, Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  groupByField,
  type Question,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { anonymous } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketLabelled } from '../kit/market-type.ts'
import { type Offered, priceOfDecimal } from '../kit/outcomes.ts'
import { eventSchema, gameOfEvent, givenNameFirst, type KambiEvent, stateOf } from './game.ts'

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
const boardSchema = z.object({ betOffers: z.array(z.unknown()), events: z.array(z.unknown()) })
const listedSchema = z.object({
  event: z.unknown().optional(),
  betOffers: z.array(z.unknown()).nullish(),
  mainBetOffer: z.unknown().optional(),
  liveData: z.unknown().optional(),
})
const listSchema = z.object({ events: z.array(listedSchema) })
const liveSchema = z.object({ liveEvents: z.array(listedSchema) })

type BetOffer = z.infer<typeof offerSchema>
type Outcome = z.infer<typeof outcomeSchema>

export interface KambiOptions {
  /** The operator's sportsbook: `unibet` for `ub`. */
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

/** Reads any of the three responses. */
export function parseKambi(payload: unknown, options: KambiOptions): Parsed {
  const board = boardSchema.safeParse(payload)
  if (board.success) return parseBoard(board.data, options)
  const live = liveSchema.safeParse(payload)
  if (live.success) return parseListed(live.data.liveEvents, options)
  const list = listSchema.safeParse(payload)
  if (list.success) return parseListed(list.data.events, options)
  return { records: [], skipped: [{ reason: 'malformed', detail: 'no answer we know' }] }
}

const eventList = z.object({ events: z.array(z.unknown()) })
const listedEvent = z.object({ event: eventSchema.pick({ id: true }) })

/**
 * Returns the ids in a list of a path's events, whose boards are then read one by one, and a skip
 * for each event without one; null if it is no such list, or none of its events has an id.
 */
export function eventIdsOf(
  payload: unknown,
): { readonly ids: readonly number[]; readonly skipped: readonly Skip[] } | null {
  const list = eventList.safeParse(payload)
  if (!list.success) return null
  const { events } = list.data
  const skipped: Skip[] = []
  const ids = readEach(events, listedEvent, 'malformed', skipped).map(({ event }) => event.id)
  return ids.length === 0 && events.length > 0 ? null : { ids, skipped }
}

function parseBoard(
  { betOffers, events }: z.infer<typeof boardSchema>,
  options: KambiOptions,
): Parsed {
  const skipped: Skip[] = []
  const byEvent = groupByField(betOffers, 'eventId')
  for (const [id, offers] of byEvent) {
    if (typeof id === 'number') continue
    byEvent.delete(id)
    for (const _ of offers) skipped.push({ reason: 'malformed', detail: 'betOffer.eventId' })
  }
  const games: GameOffered[] = []
  for (const event of readEach(events, eventSchema, 'malformed', skipped)) {
    pushAll(games, gamesOf(event, byEvent.get(event.id) ?? [], 'snapshot', skipped))
    byEvent.delete(event.id)
  }
  for (const [eventId, offers] of byEvent) {
    pushAll(skipped, skipOffers('unknown_event', offers, String(eventId)))
  }
  return readBoard(boardOf(options), games, options.receivedAt, skipped)
}

function parseListed(listed: readonly z.infer<typeof listedSchema>[], options: KambiOptions) {
  const { sportsbook, receivedAt: observedAt } = options
  const records: FeedRecord[] = []
  const skipped: Skip[] = []
  for (const { event: item, betOffers, mainBetOffer, liveData } of listed) {
    for (const event of readEach([item], eventSchema, 'malformed', skipped)) {
      const offers = mainBetOffer ? [mainBetOffer] : (betOffers ?? [])
      const games = gamesOf(event, offers, 'delta', skipped)
      const parsed = readBoard(boardOf(options), games, observedAt, skipped)
      pushAll(records, parsed.records)
      const game = gameOfEvent(event)
      if (typeof game === 'string' || !game.isLive) continue
      records.push({ type: 'event_status', sportsbook, observedAt, event: game, status: 'live' })
      const state = liveData ? stateOf(liveData, game.sport) : null
      if (state) records.push({ type: 'game_state', sportsbook, observedAt, event: game, state })
    }
  }
  return { records, skipped }
}

/** Returns the game with its readable offers; an empty list if the event is no game. */
function gamesOf(
  event: KambiEvent,
  items: readonly unknown[],
  mode: OddsRecord['mode'],
  skipped: Skip[],
): GameOffered[] {
  const game = gameOfEvent(event)
  if (typeof game === 'string') {
    pushAll(skipped, skipOffers(game, items, event.name))
    return []
  }
  const markets = items.flatMap((item) => {
    const offer = offerSchema.safeParse(item)
    if (offer.success) return [offer.data]
    pushAll(skipped, skipOffers('malformed_offer', [item], event.name))
    return []
  })
  return [{ event: game, mode, markets }]
}

const offerKinds = {
  handicap: 1,
  match: 2,
  overUnder: 6,
  oddEven: 10,
  yesNo: 18,
  player: 127,
} as const

type OutcomePair =
  | 'home_away'
  | 'over_under'
  | 'odd_even'
  | 'yes_no'
  | 'player_over_under'
  | 'player_yes_no'

interface Meaning extends Question {
  readonly sides: OutcomePair
  /** The side of a team total. */
  readonly team?: 'home' | 'away'
  /** 2 for "2 or more"; the line of each outcome must be the same number. */
  readonly atLeast?: number
}

const boardOf = ({ sportsbook }: KambiOptions): Board<BetOffer, Outcome, Meaning> => ({
  sportsbook,
  omitsEmpty: true,
  marketId: ({ id }) => String(id),
  offers: ({ outcomes }) => outcomes,
  describe: (outcome, offer) =>
    `${labelOf(offer)} ${outcome.label ?? outcome.type ?? ''} ${outcome.odds ?? ''}`,
  label: ({ label, participant }) => [participant, label].filter(Boolean).join(' '),
  question(offer, event) {
    const label = labelOf(offer)
    const meaning = meaningOf(offer, label, event)
    if (typeof meaning !== 'string' || !meaning.startsWith('unmapped_')) return meaning
    return { reason: meaning, label: anonymous(label, event) }
  },
  outcome(outcome, meaning, offer, event) {
    const suspended = offer.suspended === true || outcome.status === 'SUSPENDED'
    const answered = answeredOf(outcome, meaning, event)
    if (typeof answered === 'string') return answered
    return {
      ...answered,
      price: statedPrice(outcome.odds, priceOfThousandths),
      suspended,
      removed: !suspended && (outcome.status || 'OPEN') !== 'OPEN',
      externalId: String(outcome.id),
      changedAt: instantOf(outcome.changedDate),
    }
  },
})

const labelOf = ({ criterion }: BetOffer) => criterion.englishLabel ?? criterion.label

const priceOfThousandths = (odds: number) => priceOfDecimal(odds / 1000)

/** Returns the outcome in our types, or the reason why it has no place. */
function answeredOf(
  outcome: Outcome,
  { marketType, sides, team, atLeast }: Meaning,
  event: FeedEvent,
): Omit<Offered, 'price'> | string {
  const line = typeof outcome.line === 'number' ? outcome.line / 1000 : null

  const side = typesOf[sides].get(outcome.type ?? '')
  if (side === undefined) return 'unknown_selection'
  if (sides === 'odd_even' || sides === 'yes_no') return { selectionType: side }
  if (sides === 'home_away') {
    if (contradicts(outcome, side, event)) return 'unknown_participant'
    const selection = side === 'home' ? event.homeTeam : side === 'away' ? event.awayTeam : 'Draw'
    return { selection, selectionType: side, line }
  }
  if (line === null) return 'no_line'
  const word = side === 'over' ? 'Over' : 'Under'
  if (sides === 'over_under') {
    const name = team === 'home' ? event.homeTeam : event.awayTeam
    return {
      selection: team ? `${name} ${word}` : word,
      selectionType: team ? `${team}_${side}` : side,
      line,
    }
  }
  if (!outcome.participant) return 'no_player'
  const isLadder = sides === 'player_yes_no'
  if (isLadder && line !== atLeast) return 'unknown_line'
  const playerName = givenNameFirst(outcome.participant)
  return {
    playerName,
    statCategory: findMarket(marketType)?.statistic ?? null,
    selection: `${playerName} ${word}`,
    selectionType: side,
    // "At least 2" is exactly "over 1.5", and is stored under that name.
    line: isLadder ? line - 0.5 : line,
  }
}

const named = (words: Readonly<Record<string, string>>) => new Map(Object.entries(words))
const overUnder = named({ OT_OVER: 'over', OT_UNDER: 'under' })

/** The sides of outcomes, by their types. */
const typesOf: Readonly<Record<OutcomePair, ReadonlyMap<string, string>>> = {
  home_away: named({ OT_ONE: 'home', OT_CROSS: 'draw', OT_TWO: 'away' }),
  over_under: overUnder,
  odd_even: named({ OT_ODD: 'odd', OT_EVEN: 'even' }),
  yes_no: named({ OT_YES: 'yes', OT_NO: 'no' }),
  player_over_under: overUnder,
  player_yes_no: named({ OT_YES: 'over', OT_NO: 'under' }),
}

/**
 * Returns whether the named participant is the other side or unknown: then the type is not trusted.
 */
function contradicts({ participant }: Outcome, side: string, event: FeedEvent): boolean {
  if (!participant || side === 'draw') return false
  return givenNameFirst(participant) !== (side === 'home' ? event.homeTeam : event.awayTeam)
}

/** Returns the question of an offer, or the reason for leaving it out. */
function meaningOf(offer: BetOffer, label: string, event: FeedEvent): Meaning | string {
  const { sport } = event
  const kind = offer.betOfferType.id
  if (kind === offerKinds.player) return playerMeaning(label, sport)
  // Bets that are void unless a pitcher starts are priced otherwise than the plain moneyline.
  if (/\bmust start\)$/.test(label)) return 'conditional'
  const team = teamOf(label, event)
  const wording =
    team === null ? alone(label, sport, kind) : `Team ${label.replace(team.words, '')}`
  const hasDraw = offer.outcomes.some(({ type }) => type === 'OT_CROSS')
  const market = marketLabelled(wording, sport, { hasDraw })
  if (typeof market === 'string') return market
  if (!saysWhichTime(label, sport, market, hasDraw)) return 'unmapped_period'
  const { id: marketType, answers } = market
  const sides = sidesOf[kind]?.[answers]
  if (sides === undefined || market.isPlayerProp) return 'unmapped_market'
  if (answers === 'team_over_under') {
    return team === null ? 'unmapped_market' : { marketType, sides, team: team.side }
  }
  // A single inning or half has a draw; without the draw, stakes may be returned.
  const isDrawLeftOut = answers === 'winner' && market.period !== 'game' && mayTie.has(sport)
  return isDrawLeftOut && !hasDraw ? 'unmapped_market' : { marketType, sides }
}

/** The pair of outcomes, by the kind of offer and the outcomes of our market. */
const sidesOf: Readonly<Record<number, Readonly<Partial<Record<Answers, OutcomePair>>>>> = {
  [offerKinds.match]: { winner: 'home_away', three_ways: 'home_away', two_ways: 'home_away' },
  [offerKinds.handicap]: { handicap: 'home_away' },
  [offerKinds.overUnder]: { over_under: 'over_under', team_over_under: 'over_under' },
  [offerKinds.oddEven]: { odd_even: 'odd_even' },
  [offerKinds.yesNo]: { yes_no: 'yes_no' },
}

/**
 * Reads "Lead After 5 Innings", "Period 2", "Full Time", "Including Overtime": in an offer of the
 * winner, only a part of the game means its winner. For a handicap or a total, the unit is missing.
 */
const alone = (label: string, sport: string, kind: number) =>
  kind === offerKinds.match && partNamed(label, sport) !== null ? `${label} Result` : label

/**
 * Returns whether it is certain which time counts. A label states it if Kambi offers the market
 * with and without overtime. A draw implies it too, unless the label states that overtime counts.
 */
function saysWhichTime(label: string, sport: string, { period }: Market, hasDraw: boolean) {
  if (period !== 'game' && period !== '2nd_half') return true
  return hasDraw
    ? !/\b(?:overtime|extra innings)\b/i.test(label)
    : !offeredTwice[period].has(sport) || /\b(?:overtime|shootout|regular time)\b/i.test(label)
}

/** Sports in which the game, or its second half, is offered both with and without overtime. */
const offeredTwice: Readonly<Record<'game' | '2nd_half', ReadonlySet<string>>> = {
  game: new Set(['hockey']),
  '2nd_half': new Set(['basketball', 'football']),
}

/** Sports in which a part of the game may end level. */
const mayTie: ReadonlySet<string> = new Set([
  'baseball',
  'basketball',
  'football',
  'hockey',
  'soccer',
  'rugby',
  'rugby_league',
  'australian_rules',
  'lacrosse',
])

/** Returns the side of a team total by its label: "Total Runs by San Diego Padres". */
function teamOf(label: string, { homeTeam, awayTeam }: FeedEvent) {
  if (homeTeam === awayTeam) return null
  for (const [side, name] of [
    ['home', homeTeam],
    ['away', awayTeam],
  ] as const) {
    const words = ` by ${name}`
    const at = label.indexOf(words)
    if (at > 0 && /^(?: - |$)/.test(label.slice(at + words.length))) return { side, words }
  }
  return null
}

/** Reads "Total Hits by the Player - Including Extra Innings (…)": a statistic, with or without its verb. */
function playerMeaning(label: string, sport: string): Meaning | string {
  const base = label.replace(/ - Including (?:Extra Innings|Overtime)\b.*$/i, '')
  const homeRuns = /^Player to Hit (?:a Home Run|(\d) or more Home Runs)$/i.exec(base)
  if (homeRuns && sport === 'baseball') {
    const atLeast = Number(homeRuns[1] ?? 1)
    return { marketType: 'player_home_runs', sides: 'player_yes_no', atLeast }
  }
  const [, words] = /^(.+) by the Player$/i.exec(base) ?? []
  if (words === undefined) return 'unmapped_market'
  for (const statistic of [words, words.replace(/ (?:thrown|recorded|scored|made)$/i, '')]) {
    const market = marketLabelled(`Player ${statistic}`, sport)
    if (typeof market === 'string' || !market.isPlayerProp) continue
    if (market.answers === 'over_under') {
      return { marketType: market.id, sides: 'player_over_under' }
    }
  }
  return 'unmapped_market'
}

/** Returns a skip for every outcome of offers that were not read. */
function skipOffers(reason: string, offers: readonly unknown[], detail: string): Skip[] {
  return offers.flatMap((offer) => {
    const outcomes = (offer as { outcomes?: unknown } | null)?.outcomes
    const count = Array.isArray(outcomes) ? Math.max(1, outcomes.length) : 1
    return Array.from({ length: count }, () => ({ reason, detail }))
  })
}
