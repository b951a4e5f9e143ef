/**
 * DraftKings, sports content API v1: lists of events, markets and selections joined by ids. A response holds one
 * subcategory of a league, so its records are deltas (see `kit/withdrawals.ts`).
 *
 * Prices are `trueOdds`: the decimal text is cut to two digits, the American one is rounded.
 */

import { z } from 'zod'
import type { FeedEvent, FeedFuture, FeedFutureSelection } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
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
import { offered, toFuturesRecords } from '../kit/futures-records.ts'
import { gameOf, sideNamed } from '../kit/game.ts'
import { dayOrInstantOf, instantOf } from '../kit/instant.ts'
import { type Labelled, questionLabelled } from '../kit/market-type.ts'
import { priceOfAmerican, priceOfDecimal } from '../kit/outcomes.ts'

const sportsbook = 'draftkings'

const participantSchema = z.object({
  name: z.string(),
  venueRole: z.string().optional(),
  type: z.string().optional(),
})

const eventSchema = z.object({
  id: z.string(),
  sportId: z.string(),
  leagueId: z.string(),
  name: z.string(),
  startEventDate: z.string(),
  status: z.string(),
  participants: z.array(participantSchema).default([]),
  metadata: z.object({ settlementDate: z.string().optional() }).optional(),
})

const marketSchema = z.object({
  id: z.string(),
  eventId: z.string(),
  name: z.string(),
  marketType: z.object({ name: z.string() }),
  isSuspended: z.boolean().optional(),
})

const selectionSchema = z.object({
  id: z.string(),
  marketId: z.string(),
  label: z.string(),
  displayOdds: z.object({ american: z.string().optional() }).optional(),
  trueOdds: z.number().optional(),
  points: z.number().optional(),
  outcomeType: z.string().optional(),
  participants: z.array(participantSchema).optional(),
  isDisabled: z.boolean().optional(),
})

const payloadSchema = z.object({
  sports: z.array(z.object({ id: z.string(), name: z.string() })),
  leagues: z.array(z.object({ id: z.string(), name: z.string() })),
  events: z.array(z.unknown()),
  markets: z.array(z.unknown()),
  selections: z.array(z.unknown()),
})

type Event = z.infer<typeof eventSchema>
type Selection = z.infer<typeof selectionSchema>
/** A market with its selections. */
const offersSchema = marketSchema.extend({ selections: z.array(z.unknown()) })
type Offers = z.infer<typeof offersSchema>
/** Undefined where we do not have the sport, or the payload not the league. */
type Place = Readonly<Record<'sport' | 'league', string | undefined>>

export const parseDraftKings = payloadParser(payloadSchema, (payload, observedAt) => {
  const sportNames = new Map(payload.sports.map(({ id, name }) => [id, name]))
  const leagueNames = new Map(payload.leagues.map(({ id, name }) => [id, name]))
  const skipped: Skip[] = []
  const events = byId(readEach(payload.events, eventSchema, 'malformed', skipped))
  // The selections of an unreadable market count as those of an unknown one.
  const listed = byId(readEach(payload.markets, marketSchema, 'malformed_market', []))
  const markets = new Map<string, Offers[]>()
  const ofSeason: Offers[] = []
  for (const [id, selections] of groupByField(payload.selections, 'marketId')) {
    const market = listed.get(String(id))
    if (!market || !events.has(market.eventId)) {
      for (const selection of readSelections(selections, skipped)) {
        skipped.push({ reason: 'unknown_market', detail: selection.id })
      }
    } else if (isOfSeason(market)) ofSeason.push({ ...market, selections })
    else addTo(markets, market.eventId, { ...market, selections })
  }
  const placeOf = ({ sportId, leagueId }: Event): Place => ({
    sport: findSport(sportNames.get(sportId) ?? '')?.id,
    league: leagueNames.get(leagueId),
  })
  const games = new Map([...events].map(([id, event]) => [id, gameOfEvent(event, placeOf(event))]))
  const { records } = readBoard(board, joined(games, markets, 'delta'), observedAt, skipped)
  const futures = toFuturesRecords(
    ofSeason.flatMap((market) => {
      const prices = seasonPricesOf(market, skipped)
      if (prices.length === 0) return []
      const event = events.get(market.eventId) as Event
      const future = futureOf(event, market, placeOf(event))
      if (!('reason' in future)) return [{ sportsbook, observedAt, future, prices }]
      for (const _ of prices) skipped.push(future)
      return []
    }),
  )
  return {
    records: [...records, ...futures.records],
    skipped: [...skipped, ...futures.skipped],
  }
})

const readSelections = (items: readonly unknown[], skipped: Skip[]) =>
  readEach(items, selectionSchema, 'malformed_selection', skipped)

const isOfSeason = ({ name }: { readonly name: string }) => /\bseason\b/i.test(name)

/** Reads "NFL 2025/26 - Kyler Murray", which is about one of its participants, the player; the other is the team. */
function futureOf(
  { name, participants, metadata }: Event,
  market: Offers,
  { sport, league }: Place,
): FeedFuture | Skip {
  const detail = `${name}: ${market.name}`
  const [, season = null, subject] = /^(.+) - (.+)$/.exec(name) ?? []
  if (!sport || !league) return { reason: 'unknown_sport', detail }
  if (subject === undefined || !participants.some((one) => one.name === subject)) {
    return { reason: 'unknown_participant', detail }
  }
  return {
    externalId: market.id,
    sport,
    league,
    name: market.name,
    futureType: 'OVER_UNDER',
    subject,
    season,
    settlesAt: dayOrInstantOf(metadata?.settlementDate),
  }
}

function seasonPricesOf(market: Offers, skipped: Skip[]): FeedFutureSelection[] {
  return readSelections(market.selections, skipped).flatMap((selection) => {
    const price = seasonPriceOf(selection, market)
    if (typeof price !== 'string') return [price]
    skipped.push({ reason: price, detail: `${market.name}: ${selection.label}` })
    return []
  })
}

function seasonPriceOf(selection: Selection, market: Offers): FeedFutureSelection | string {
  const side = /^(over|under)$/i.exec(selection.outcomeType ?? '')?.[0]
  const line = lineOf(selection)
  if (side === undefined) return 'season_prop'
  if (line === null) return 'no_line'
  const suspended = isSuspended(selection, market)
  const price = priceOf(selection)
  if (typeof price !== 'number' && !suspended) return price === null ? 'no_price' : 'bad_price'
  const stated = price === 'bad' ? null : price
  return offered(side, stated, { line, externalId: selection.id, suspended })
}

const isSuspended = (selection: Selection, market: Offers) =>
  market.isSuspended === true || selection.isDisabled === true

/** Reads a game, which has a home and an away side; a season has neither. */
function gameOfEvent(event: Event, place: Place): FeedEvent | Skip {
  const home = event.participants.find(({ venueRole }) => venueRole?.startsWith('Home'))
  const away = event.participants.find(({ venueRole }) => venueRole?.startsWith('Away'))
  return gameOf(
    {
      externalId: event.id,
      ...place,
      homeTeam: home?.name,
      awayTeam: away?.name,
      startsAt: instantOf(event.startEventDate),
      isLive: event.status === 'STARTED',
    },
    event.name,
    { sport: 'unknown_sport', league: 'unknown_sport' },
  )
}

/** DraftKings' outcome types of each form of our markets. */
const sidesOf: Readonly<Partial<Record<Answers, readonly string[]>>> = {
  winner: ['home', 'away', 'draw'],
  three_ways: ['home', 'away', 'draw'],
  two_ways: ['home', 'away'],
  handicap: ['home', 'away'],
  over_under: ['over', 'under'],
  team_over_under: ['over', 'under'],
}

const outcomeTypes: Readonly<Record<string, string>> = { tie: 'draw' }

function sideOf({ outcomeType }: Pick<Selection, 'outcomeType'>): string {
  const word = outcomeType?.toLowerCase() ?? ''
  return outcomeTypes[word] ?? word
}

const board: Board<Offers, Selection, Labelled<readonly string[]>> = {
  sportsbook,
  market: offersSchema,
  marketId: ({ id }) => id,
  offers: ({ selections }, skipped) => readSelections(selections, skipped),
  describe: ({ label }, { name }) => `${name}: ${label}`,
  label: ({ label }) => label,
  question({ marketType: { name: label } }, { sport }, selections) {
    const hasDraw = selections.some((selection) => sideOf(selection) === 'draw')
    return questionLabelled(label, sport, sidesOf, { hasDraw })
  },
  outcome(selection, { form: sides, answers }, market, game) {
    const isOfTeam = answers === 'team_over_under'
    const side = sideOf(selection)
    if (!sides.includes(side)) return 'unmapped_selection'
    const team = isOfTeam ? teamSideOf(selection, market, game) : null
    if (isOfTeam && team === null) return 'unknown_participant'
    return {
      selectionType: team === null ? side : `${team}_${side}`,
      line: lineOf(selection),
      price: priceOf(selection),
      externalId: selection.id,
      suspended: isSuspended(selection, market),
    }
  },
}

function priceOf({ trueOdds, displayOdds }: Selection): number | null | 'bad' {
  if (trueOdds !== undefined) return statedPrice(trueOdds, priceOfDecimal)
  // The minus is U+2212, which no number parser accepts.
  const american = displayOdds?.american?.replace('\u2212', '-')
  return statedPrice(american && Number(american), priceOfAmerican)
}

function lineOf({ points, label }: Selection): number | null {
  if (points !== undefined) return points
  const inLabel = /^(?:Over|Under) (\d+(?:\.\d+)?)$/.exec(label)
  return inLabel ? Number(inLabel[1]) : null
}

/** Returns the side that a team total counts, by the selection's participant and the market's name. */
function teamSideOf({ participants }: Selection, { name }: Offers, game: FeedEvent) {
  const team = participants?.find(({ type }) => type === 'Team')?.name ?? name.split(':')[0]
  return team === undefined ? null : sideNamed(team, game)
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.id, row]))
