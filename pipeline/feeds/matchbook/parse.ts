/**
 * Matchbook: events with their markets, runners and the prices on each, as `/edge/rest/events` gives
 * them with `include-prices`. Back prices can be bet on, lay prices are the other side of the same
 * bet and never a second price; commission is in no price (`rules/fees.ts`). An amount becomes a
 * `maxBet` where it is in dollars, which depends on the account.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { type Answer, addTo, priceOfDecimal, skipEach, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { marketTypeFor, moneylineTypeFor } from '../market-type.ts'
import { toSnapshots } from '../odds-records.ts'
import { issueOf } from '../payload-issue.ts'

const sportsbook = 'matchbook'

const id = z.union([z.number(), z.string().min(1)]).transform(String)
const priceSchema = z.object({
  'available-amount': z.number(),
  currency: z.string().nullish(),
  'decimal-odds': z.number(),
  side: z.string(),
})
const runnerSchema = z.object({
  id,
  name: z.string(),
  status: z.string(),
  withdrawn: z.boolean().nullish(),
  handicap: z.number().nullish(),
  prices: z.array(z.unknown()).nullish(),
})
const marketSchema = z.object({
  id,
  name: z.string(),
  status: z.string(),
  'market-type': z.string(),
  handicap: z.number().nullish(),
  runners: z.array(z.unknown()),
})
const eventSchema = z.object({
  id,
  name: z.string(),
  start: z.string(),
  status: z.string(),
  'in-running-flag': z.boolean().nullish(),
  'meta-tags': z.array(z.object({ name: z.string(), type: z.string().nullish() })),
  markets: z.array(z.unknown()).nullish(),
})
/** A page of events, and how many there are in all. */
export const eventsPage = z.object({ events: z.array(z.unknown()), total: z.number() })

type Event = z.infer<typeof eventSchema>
type Market = z.infer<typeof marketSchema>
type Runner = z.infer<typeof runnerSchema>
type Price = z.infer<typeof priceSchema>

/** @param events with all of their markets: records are snapshots */
export function parseMatchbook(
  events: readonly unknown[],
  { receivedAt }: { readonly receivedAt: number },
): Parsed {
  const skipped: Skip[] = []
  const games = new Map<string, FeedEvent>()
  const answers = new Map<string, Answer[]>()
  for (const item of events) {
    const read = eventSchema.safeParse(item)
    if (!read.success) {
      skipped.push({ reason: 'malformed', detail: issueOf(read.error) })
      continue
    }
    const game = gameOf(read.data)
    const key = read.data.id
    if (!('reason' in game)) games.set(key, game)
    for (const item of read.data.markets ?? []) {
      const market = marketSchema.safeParse(item)
      if (!market.success) {
        skipped.push({ reason: 'malformed_market', detail: issueOf(market.error) })
        continue
      }
      const offers = offersOf(market.data, skipped)
      const details = offers.map(
        ({ runner, price }) => `${market.data.name}: ${runner.name} ${price}`,
      )
      const question = 'reason' in game ? game.reason : questionOf(market.data, game, offers)
      if (typeof question === 'string') {
        skipped.push(...skipEach(question, details))
        continue
      }
      for (const [at, offer] of offers.entries()) {
        const answered = question(offer.runner)
        if (typeof answered === 'string') {
          skipped.push({ reason: answered, detail: details[at] as string })
          continue
        }
        addTo(answers, key, {
          ...unstated,
          ...answered,
          marketId: market.data.id,
          externalId: offer.runner.id,
          price: offer.price,
          maxBet: offer.maxBet,
          suspended: [read.data.status, market.data.status, offer.runner.status].includes(
            'suspended',
          ),
        })
      }
    }
  }
  const of = { sportsbook, observedAt: receivedAt }
  const { records, skipped: repeated } = toSnapshots(games, answers, of)
  return { records, skipped: [...skipped, ...repeated] }
}

// ---- events

/** By the name of the tag of type SPORT. */
const sports: Readonly<Record<string, string>> = {
  'american football': 'football',
  'australian rules': 'australian_rules',
  baseball: 'baseball',
  basketball: 'basketball',
  boxing: 'boxing',
  cricket: 'cricket',
  darts: 'darts',
  football: 'soccer',
  'ice hockey': 'hockey',
  mma: 'mma',
  'mma/ufc': 'mma',
  'rugby league': 'rugby_league',
  'rugby union': 'rugby',
  snooker: 'snooker',
  soccer: 'soccer',
  tennis: 'tennis',
}

function gameOf(event: Event): FeedEvent | Skip {
  const detail = event.name
  const tag = (type: string) => event['meta-tags'].find((of) => of.type === type)?.name
  const sport = sports[(tag('SPORT') ?? '').toLowerCase()]
  if (!sport) return { reason: 'unsupported_sport', detail }
  if (event.status !== 'open' && event.status !== 'suspended') return { reason: 'closed', detail }
  const [, first, word, second] = /^(.+?) (vs?\.?|at|@) (.+)$/i.exec(event.name) ?? []
  if (!first || !word || !second) return { reason: 'outright', detail }
  const league = tag('COMPETITION')
  if (!league) return { reason: 'unknown_league', detail }
  const startsAt = instantOf(event.start)
  if (startsAt === null) return { reason: 'bad_start', detail }
  const isSecondHome = /^(?:at|@)$/i.test(word)
  return {
    externalId: event.id,
    sport,
    league,
    homeTeam: isSecondHome ? second : first,
    awayTeam: isSecondHome ? first : second,
    startsAt,
    isLive: event['in-running-flag'] === true,
  }
}

// ---- prices

interface Offer {
  readonly runner: Runner
  readonly price: number
  readonly maxBet: number | null
}

/** The best price one can back each runner at. */
function offersOf(market: Market, skipped: Skip[]): Offer[] {
  return market.runners.flatMap((item): Offer[] => {
    const read = runnerSchema.safeParse(item)
    if (!read.success) {
      skipped.push({ reason: 'malformed_runner', detail: issueOf(read.error) })
      return []
    }
    const runner = read.data
    const levels: Price[] = []
    for (const item of runner.prices ?? []) {
      const level = priceSchema.safeParse(item)
      if (!level.success) skipped.push({ reason: 'malformed_price', detail: issueOf(level.error) })
      else if (level.data.side === 'back' && level.data['available-amount'] > 0) {
        levels.push(level.data)
      }
    }
    const [first, ...others] = levels
    if (!first) return []
    const best = others.reduce(
      (most, level) => (level['decimal-odds'] > most['decimal-odds'] ? level : most),
      first,
    )
    const detail = `${market.name}: ${runner.name} ${best['decimal-odds']}`
    const price = priceOfDecimal(best['decimal-odds'])
    if (price === null) skipped.push({ reason: 'bad_price', detail })
    const isGone =
      runner.withdrawn === true || (runner.status !== 'open' && runner.status !== 'suspended')
    if (price !== null && isGone) skipped.push({ reason: 'runner_removed', detail })
    if (price === null || isGone) return []
    const isInDollars = best.currency === 'USD'
    return [{ runner, price, maxBet: isInDollars ? best['available-amount'] : null }]
  })
}

// ---- markets

type Answered = Pick<Answer, 'marketType' | 'selectionType' | 'line'>

/** Words of questions about a part of the game, or about something else than its score. */
const isOfPart =
  /\b(?:1st|2nd|3rd|4th|first|second|half|half-time|halftime|quarter|period|inning|innings|set|map|corners?|cards?|booking|bookings)\b/i

const isDraw = (name: string) => /^(?:the )?draw\b/i.test(name)

/** How the runners of a market answer it, or the reason for leaving all of them out. */
function questionOf(
  market: Market,
  game: FeedEvent,
  offers: readonly Offer[],
): ((runner: Runner) => Answered | string) | string {
  if (market.status !== 'open' && market.status !== 'suspended') return 'closed'
  if (isOfPart.test(market.name)) return 'unmapped_period'
  const { sport } = game
  const sideOf = (name: string) =>
    name === game.homeTeam ? 'home' : name === game.awayTeam ? 'away' : null
  switch (market['market-type']) {
    case 'one_x_two':
    case 'money_line': {
      const hasDraw =
        market['market-type'] === 'one_x_two' || offers.some(({ runner }) => isDraw(runner.name))
      const marketType = moneylineTypeFor(sport, hasDraw)
      if (!marketType) return 'unmapped_market'
      return ({ name }) => {
        const selectionType = isDraw(name) ? 'draw' : sideOf(name)
        return selectionType ? { marketType, selectionType, line: null } : 'unknown_participant'
      }
    }
    case 'handicap': {
      const marketType = marketTypeFor(sport, 'spread')
      if (!marketType) return 'unmapped_market'
      return ({ name, handicap }) => {
        // "Miami Dolphins -3.5", and of two half bets "Leeds +0.0/0.5".
        const [, team = '', words = ''] = /^(.+?) \(?([+-]?[\d./+-]+)\)?$/.exec(name) ?? []
        const selectionType = sideOf(team)
        if (!selectionType) return 'unknown_participant'
        const named = lineOf(words)
        if (named === null || (handicap != null && handicap !== named)) return 'line_disagrees'
        return { marketType, selectionType, line: named + 0 }
      }
    }
    case 'total': {
      const marketType = marketTypeFor(sport, 'total')
      if (!marketType) return 'unmapped_market'
      return ({ name, handicap }) => {
        const [, word = '', words = ''] = /^(over|under) \(?([\d./]+)\)?$/i.exec(name) ?? []
        const named = lineOf(words)
        const stated = handicap ?? market.handicap
        if (word === '') return 'unmapped_selection'
        if (named === null || (stated != null && stated !== named)) return 'line_disagrees'
        return { marketType, selectionType: word.toLowerCase(), line: named }
      }
    }
    case 'both_to_score': {
      if (sport !== 'soccer') return 'unmapped_market'
      return ({ name }) => {
        const word = name.toLowerCase()
        return word === 'yes' || word === 'no'
          ? { marketType: 'both_teams_to_score', selectionType: word, line: null }
          : 'unmapped_selection'
      }
    }
    default:
      return 'unmapped_market'
  }
}

/** "2.5", "-3.5", and the middle of two half bets: "2.5/3.0", "-0.0/0.5". */
function lineOf(words: string): number | null {
  const [, sign, first, second] =
    /^([+-]?)(\d+(?:\.\d+)?)(?:\/[+-]?(\d+(?:\.\d+)?))?$/.exec(words) ?? []
  if (first === undefined) return null
  const size = second === undefined ? Number(first) : (Number(first) + Number(second)) / 2
  return sign === '-' ? 0 - size : size
}
