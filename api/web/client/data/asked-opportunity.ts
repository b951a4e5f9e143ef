/** An opportunity that an address names by its id: all that is known of it is its explanation. */

import { shownPrice } from '../../../../pipeline/rules/odds/odds.ts'
import type { Explanation } from '../../wire.ts'
import { kindNamed } from './kinds.ts'
import { asExplained, type Opportunity } from './opportunity.ts'

export function opportunityOf(id: string, explained: Explanation): Opportunity {
  const legs = explained.quotes.filter(({ role }) => role === 'leg')
  const one: Opportunity = {
    id,
    kind: kindNamed(explained.kind),
    eventId: explained.event_id,
    title: explained.event_name,
    league: explained.league,
    market: explained.market_type,
    player: explained.player_name,
    statistic: null,
    isLive: explained.is_live,
    startsAt: Date.parse(explained.start_time),
    detectedAt: Date.parse(explained.detected_at),
    warnings: explained.warnings,
    worth: 0,
    fair: null,
    chance: null,
    priceAgeMs: Math.max(...legs.map(({ age_seconds = 0 }) => 1_000 * age_seconds)),
    legs: legs.map((quote) => ({
      ...{ sportsbook: quote.sportsbook, selection: quote.selection, tied: [], stake: null },
      ...{ selectionType: quote.selection_type, line: quote.line },
      price: shownPrice(quote.odds_decimal!),
      american: quote.odds_american!,
      deepLink: quote.deep_link ?? null,
      maxBet: quote.max_bet ?? null,
    })),
  }
  return asExplained(one, explained)
}
