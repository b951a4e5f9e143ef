/** An opportunity of any kind in one form, converted from the API's form, and joined with others of the same bet. */

import { type Kind, type KindFields, kindViews, type WireOf } from './kinds.ts'

export interface Opportunity extends KindFields {
  readonly id: string
  readonly kind: Kind
  readonly eventId: string
  readonly title: string
  readonly league: string
  readonly market: string
  readonly player: string | null
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
    isLive: item.is_live,
    startsAt: Date.parse(item.start_time),
    detectedAt: Date.parse(item.detected_at),
    warnings: item.warnings,
    ...kindViews[kind].read(item),
  }
}

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
