/** An opportunity of any kind in one form, converted from the API's form, and joined with others of the same bet. */

import { shownPrice } from '../../../../pipeline/rules/odds/odds.ts'
import { teamOf } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import { questionPath } from '../../question-path.ts'
import type { Explanation } from '../../wire.ts'
import { type Kind, type KindFields, kindViews, type WireOf } from './kinds.ts'
import { rungLine } from './ladder.ts'
import { kindOf, type MarketKinds } from './market-kinds.ts'

export interface Opportunity extends KindFields {
  readonly id: string
  readonly kind: Kind
  readonly eventId: string
  readonly title: string
  readonly league: string
  readonly market: string
  readonly player: string | null
  /** The statistic of the player's market; null also where it is not known. */
  readonly statistic: string | null
  readonly isLive: boolean
  readonly startsAt: number
  readonly detectedAt: number
  readonly warnings: readonly string[]
}

export function readOpportunity<K extends Kind>(kind: K, item: WireOf[K]): Opportunity {
  return {
    id: item.id,
    kind,
    eventId: item.event_id,
    title: item.event_name,
    league: item.league,
    market: item.market_type,
    player: item.player_name,
    statistic: item.stat_category,
    isLive: item.is_live,
    startsAt: Date.parse(item.start_time),
    detectedAt: Date.parse(item.detected_at),
    warnings: item.warnings,
    ...kindViews[kind].read(item),
  }
}

/** Returns an opportunity with the worth, the warnings, the sportsbooks and the prices that its explanation has. */
export function asExplained(
  one: Opportunity,
  { quotes, result, warnings }: Pick<Explanation, 'quotes' | 'result' | 'warnings'>,
): Opportunity {
  const worth = result[kindViews[one.kind].figure]
  const priced = quotes.filter(({ role }) => role === 'leg')
  return {
    ...one,
    worth: typeof worth === 'number' ? 100 * worth : one.worth,
    warnings,
    legs: one.legs.map((leg, i) => {
      const quote = priced.find(({ selection }) => selection === leg.selection) ?? priced[i]
      if (quote?.odds_decimal === undefined) return leg
      const { sportsbook } = quote
      const price = shownPrice(quote.odds_decimal)
      const isSamePrice = price === leg.price
      // Tied sportsbooks have one price, so the one that the list has chosen stays.
      if (isSamePrice && leg.tied.includes(sportsbook)) return leg
      const isSameBook = sportsbook === leg.sportsbook
      return {
        ...leg,
        sportsbook,
        price,
        american: quote.odds_american ?? leg.american,
        tied: isSameBook && isSamePrice ? leg.tied : [],
        deepLink: isSameBook ? leg.deepLink : null,
        maxBet: isSameBook ? leg.maxBet : null,
      }
    }),
  }
}

/** Returns the path of the page that shows the question and the line of its first bet. */
export function pricesPathOf(
  { eventId, market, player, statistic, legs }: Opportunity,
  kinds: MarketKinds,
): string {
  const { selectionType, line } = legs[0]!
  const team = teamOf(selectionType)
  const { isHandicap } = kindOf({ market, team }, kinds, undefined)
  const rung = rungLine({ answer: selectionType, line }, isHandicap)
  return questionPath(eventId, {
    ...{ market, player, statistic, team },
    ...(rung !== null && { line: rung }),
  })
}

/** Returns whether a bet is at another price or sportsbook than before. */
export const hasMoved = (before: Opportunity, now: Opportunity): boolean =>
  now.legs.some(({ sportsbook, price }, i) => {
    const leg = before.legs[i]!
    return sportsbook !== leg.sportsbook || price !== leg.price
  })

/** A bet at the sportsbook with the best price, and the same bet at others, in the order of the list. */
export interface Bet {
  readonly best: Opportunity
  readonly others: readonly Opportunity[]
}

/** Joins the +EV of one selection into one row, whichever sportsbooks offer it. */
export function joinBets(list: readonly Opportunity[]): readonly Bet[] {
  const bets = new Map<string, { best: Opportunity; others: Opportunity[] }>()
  for (const one of list) {
    const name =
      one.kind === 'ev'
        ? [one.eventId, one.market, one.player, one.legs[0]!.selection].join('|')
        : one.id
    const bet = bets.get(name)
    if (!bet) bets.set(name, { best: one, others: [] })
    else if (one.worth <= bet.best.worth) bet.others.push(one)
    else {
      bet.others.unshift(bet.best)
      bet.best = one
    }
  }
  return [...bets.values()]
}
