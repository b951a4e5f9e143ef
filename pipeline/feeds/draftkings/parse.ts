/**
 * DraftKings, sports content API v1: lists of events, markets and selections joined by ids. An
 * answer holds one subcategory of a league, so its records are deltas (see `withdrawals.ts`).
 *
 * Prices are `trueOdds`: the decimal text is cut to two digits, the American one is rounded.
 */

import { z } from 'zod'
import type { FeedEvent, FeedFuture, FeedFutureSelection } from '../../../schemas/feed-record.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { type Answer, addTo, priceOfAmerican, priceOfDecimal, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { offered, toFuturesRecords } from '../futures-records.ts'
import { instantOf } from '../instant.ts'
import { marketLabelled } from '../market-type.ts'
import { toOddsRecords } from '../odds-records.ts'
import { issueOf } from '../payload-issue.ts'

const sportsbook = 'draftkings'

const participantSchema = z.object({
  id: z.string().optional(),
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
type Market = z.infer<typeof marketSchema>
type Game = FeedEvent & { readonly sport: string }

export function parseDraftKings(payload: unknown, observedAt: number): Parsed {
  const read = payloadSchema.safeParse(payload)
  if (!read.success) {
    return { records: [], skipped: [{ reason: 'malformed_payload', detail: issueOf(read.error) }] }
  }
  const { sports, leagues } = read.data
  const sportNames = new Map(sports.map(({ id, name }) => [id, name]))
  const leagueNames = new Map(leagues.map(({ id, name }) => [id, name]))
  const events = byId(read.data.events, eventSchema)
  const markets = byId(read.data.markets, marketSchema)

  const games = new Map<string, Game | Skip>()
  for (const [id, event] of events) {
    games.set(id, gameOf(event, sportNames.get(event.sportId), leagueNames.get(event.leagueId)))
  }

  const skipped: Skip[] = []
  const answers = new Map<string, Answer[]>()
  const seasonProps = new Map<string, FeedFutureSelection[]>()
  const withDraw = marketsWithDraw(read.data.selections)
  for (const item of read.data.selections) {
    const selection = selectionSchema.safeParse(item)
    if (!selection.success) {
      skipped.push({ reason: 'malformed_selection', detail: issueOf(selection.error) })
      continue
    }
    const market = markets.get(selection.data.marketId)
    const game = market && games.get(market.eventId)
    if (!market || !game) {
      skipped.push({ reason: 'unknown_market', detail: selection.data.id })
      continue
    }
    if (isOfSeason(market)) {
      const price = seasonPriceOf(selection.data, market)
      if ('reason' in price) skipped.push(price)
      else addTo(seasonProps, market.id, price)
      continue
    }
    const answer = answerOf(selection.data, market, game, withDraw.has(market.id))
    if ('reason' in answer) skipped.push(answer)
    else addTo(answers, market.eventId, answer)
  }

  const { records, skipped: repeated } = toOddsRecords(answers, (eventId) => {
    const event = games.get(eventId) as Game
    return { sportsbook, mode: 'delta', observedAt, event }
  })
  const futures = toFuturesRecords(
    [...seasonProps].flatMap(([marketId, prices]) => {
      const market = markets.get(marketId) as Market
      const event = events.get(market.eventId) as Event
      const [sport, league] = [sportNames.get(event.sportId), leagueNames.get(event.leagueId)]
      const future = futureOf(event, market, sport, league)
      if (!('reason' in future)) return [{ sportsbook, observedAt, future, prices }]
      skipped.push(...prices.map(() => future))
      return []
    }),
  )
  return {
    records: [...records, ...futures.records],
    skipped: [...skipped, ...repeated, ...futures.skipped],
  }
}

const isOfSeason = ({ name }: Market) => /\bseason\b/i.test(name)

/**
 * "NFL 2025/26 - Kyler Murray" is about one of its participants, the player; the other is the team.
 */
function futureOf(
  { name, participants, metadata }: Event,
  market: Market,
  sportName: string | undefined,
  league: string | undefined,
): FeedFuture | Skip {
  const detail = `${name}: ${market.name}`
  const [, season = null, subject] = /^(.+) - (.+)$/.exec(name) ?? []
  const sport = sportName && findSport(sportName)?.id
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
    settlesAt: instantOf(metadata?.settlementDate),
  }
}

function seasonPriceOf(selection: Selection, market: Market): FeedFutureSelection | Skip {
  const detail = `${market.name}: ${selection.label}`
  const side = /^(over|under)$/i.exec(selection.outcomeType ?? '')?.[0]
  const line = lineOf(selection)
  if (side === undefined) return { reason: 'season_prop', detail }
  if (line === null) return { reason: 'no_line', detail }
  const suspended = market.isSuspended === true || selection.isDisabled === true
  const price = statedPrice(selection)
  if (price === 'bad' || (price === null && !suspended)) {
    return { reason: price === 'bad' ? 'bad_price' : 'no_price', detail }
  }
  return offered(side, price, { line, externalId: selection.id, suspended })
}

/** The ids of markets that a draw is an answer to. */
function marketsWithDraw(selections: readonly unknown[]): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  for (const item of selections) {
    const { marketId, outcomeType } = (item ?? {}) as { marketId?: unknown; outcomeType?: unknown }
    if (typeof outcomeType === 'string' && sideOf({ outcomeType }) === 'draw') found.add(marketId)
  }
  return found
}

/** A game has a home and an away side; a season has neither. */
function gameOf(
  event: Event,
  sportName: string | undefined,
  league: string | undefined,
): Game | Skip {
  const home = event.participants.find(({ venueRole }) => venueRole?.startsWith('Home'))
  const away = event.participants.find(({ venueRole }) => venueRole?.startsWith('Away'))
  if (!home || !away) return { reason: 'unknown_participant', detail: event.name }
  const sport = sportName && findSport(sportName)?.id
  const startsAt = instantOf(event.startEventDate)
  if (!sport || !league) return { reason: 'unknown_sport', detail: event.name }
  if (startsAt === null) return { reason: 'bad_start', detail: event.name }
  return {
    externalId: event.id,
    sport,
    league,
    homeTeam: home.name,
    awayTeam: away.name,
    startsAt,
    isLive: event.status === 'STARTED',
  }
}

/** What may be answered, by the answers of our market. */
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
  const said = outcomeType?.toLowerCase() ?? ''
  return outcomeTypes[said] ?? said
}

function answerOf(
  selection: Selection,
  market: Market,
  game: Game | Skip,
  hasDraw: boolean,
): Answer | Skip {
  const detail = `${market.name}: ${selection.label}`
  if ('reason' in game) return { reason: game.reason, detail }
  const label = market.marketType.name
  const labelled = marketLabelled(label, game.sport, { hasDraw })
  if (typeof labelled === 'string') return { reason: labelled, detail, label }
  const { id: marketType, answers, hasLine, isPlayerProp } = labelled
  const sides = isPlayerProp ? undefined : sidesOf[answers]
  if (!sides) return { reason: 'unmapped_market', detail, label }

  const side = sideOf(selection)
  if (!sides.includes(side)) return { reason: 'unmapped_selection', detail }
  const isTeam = answers === 'team_over_under'
  const team = isTeam ? teamSideOf(selection, market, game) : null
  if (isTeam && team === null) return { reason: 'unknown_participant', detail }

  const line = hasLine ? lineOf(selection) : null
  if (hasLine && line === null) return { reason: 'no_line', detail }

  const suspended = market.isSuspended === true || selection.isDisabled === true
  const stated = statedPrice(selection)
  if (stated === 'bad' || (stated === null && !suspended)) {
    return { reason: stated === 'bad' ? 'bad_price' : 'no_price', detail }
  }
  return {
    ...unstated,
    marketId: market.id,
    marketType,
    selectionType: team === null ? side : `${team}_${side}`,
    line,
    price: stated,
    externalId: selection.id,
    suspended,
  }
}

function statedPrice({ trueOdds, displayOdds }: Selection): number | null | 'bad' {
  if (trueOdds !== undefined) return priceOfDecimal(trueOdds) ?? 'bad'
  if (displayOdds?.american === undefined) return null
  // The minus is U+2212, which no number parser takes.
  return priceOfAmerican(Number(displayOdds.american.replace('\u2212', '-'))) ?? 'bad'
}

function lineOf({ points, label }: Selection): number | null {
  if (points !== undefined) return points
  const inLabel = /^(?:Over|Under) (\d+(?:\.\d+)?)$/.exec(label)
  return inLabel ? Number(inLabel[1]) : null
}

/** The side a team total counts, which the selection's participant and the market's name say. */
function teamSideOf({ participants }: Selection, { name }: Market, game: Game) {
  const team = participants?.find(({ type }) => type === 'Team')?.name ?? name.split(':')[0]
  if (team === game.homeTeam) return 'home'
  if (team === game.awayTeam) return 'away'
  return null
}

function byId<Row extends { readonly id: string }>(
  items: readonly unknown[],
  schema: z.ZodType<Row>,
): Map<string, Row> {
  const rows = items.flatMap((item) => {
    const row = schema.safeParse(item)
    return row.success ? [row.data] : []
  })
  return new Map(rows.map((row) => [row.id, row]))
}
