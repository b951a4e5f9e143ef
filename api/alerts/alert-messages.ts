/** Messages of alerts. Each has all that a bettor needs for the bet. The figures are those of the lists. */

import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { ruleOf } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Item, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { AlertRow, OpportunityAlert } from '../../schemas/alert.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { familyOf, wordsOf } from '../../schemas/opportunity.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import type { Scope } from '../access/scope.ts'
import { withState } from '../answer/deep-links.ts'
import { eventName } from '../answer/events.ts'
import { detectedAt } from '../opportunities/about.ts'
import { warningsOf } from '../opportunities/item-texts.ts'
import type { Kind, Moment } from '../opportunities/kind.ts'
import {
  ageMs,
  deepLinkOf,
  percent,
  type Quote,
  selectionOf,
  shownAge,
} from '../opportunities/quotes.ts'
import { stakesOf } from '../opportunities/stakes.ts'

export interface MessageParts {
  /** Address of the service for receivers, without a trailing slash. */
  readonly publicUrl: () => string
  /** Whether prices may be simulated; null until a pipeline has reported it. */
  readonly isSimulated: () => boolean | null
  /** Returns an account's profile; empty if it has none. */
  readonly profileOf: (accountId: string) => ProfileRow
  /** Time by the service's clock (epoch ms). */
  readonly clock: () => number
}

/** Returns the worth of an opportunity: the gain of a stake of 1, for sure or on average. */
export const worthOf = ({ figures, entry }: Valued): number => ruleOf(entry.row.kind).worth(figures)

/** Fields about the rule that messages of every type have. */
export function aboutRule(
  { id, name }: Pick<AlertRow, 'id' | 'name'>,
  paths: { readonly list: string; readonly page: string },
  parts: MessageParts,
) {
  const base = parts.publicUrl()
  return {
    alert: { id, name },
    links: { list: base + paths.list, page: base + paths.page },
    simulated: parts.isSimulated(),
  }
}

/** Returns the addresses of the list and page that show an opportunity rule's matches. */
export const opportunityPaths = ({ kind, query }: Pick<OpportunityAlert, 'kind' | 'query'>) => ({
  list: `/api/v1/opportunities/${familyOf(kind)}${query && `?${query}`}`,
  page: `/opportunities?kind=${familyOf(kind)}${query && `&${query}`}`,
})

/** @param bestSent the best worth of this opportunity in an earlier message; null if there is none */
export function opportunityMessage(
  alert: OpportunityAlert,
  kind: Kind,
  one: Valued,
  bestSent: number | null,
  moment: Moment,
  parts: MessageParts,
): MessageOf<'alert.opportunity'> {
  const { scope, now } = moment
  const item: Item = scope.opportunities.item(one)
  const { event, row } = item
  const [first] = item.legs
  const base = parts.publicUrl()
  const { total, unit, kelly } = alert.stakes
  const profile = parts.profileOf(alert.accountId)
  const stakes = stakesOf(item, kind, scope, {
    profile,
    total: total ?? undefined,
    unit: unit ?? undefined,
    kelly: kelly ?? undefined,
  })
  const missing = missingStake(stakes)
  const edge = percent(worthOf(one))
  const since = detectedAt(item, scope)
  const { list, page } = opportunityPaths(alert)
  const about = aboutRule(alert, { list, page: `${page}&why=${row.id}` }, parts)
  return {
    type: 'alert.opportunity',
    timestamp: isoTime(parts.clock()),
    data: {
      ...about,
      kind: familyOf(row.kind),
      title: `${wordsOf(row.kind)} ${edge} %: ${eventName(event)}`,
      event: aboutEvent(first!),
      market_type: first!.marketType,
      edge_percent: edge,
      told_before_percent: bestSent === null ? null : percent(bestSent),
      legs: item.legs.map((leg, i) => {
        const stake = missing === null ? stakes.legs[i]!.stake : null
        return { ...aboutOffer(scope, leg, now, base, profile.state), stake }
      }),
      stake_total: missing === null ? stakes.total : null,
      stake_unit: stakes.unit,
      stake_missing: missing,
      currency: stakes.currency,
      worst_profit: missing === null ? stakes.worst_profit : null,
      detected_at: isoTime(since),
      age_seconds: shownAge(Math.max(0, now - since)),
      warnings: [...warningsOf(item, kind.at(moment))],
      links: { ...about.links, why: base + explanationPath(row.id, alert) },
      opportunity_id: row.id,
    },
  }
}

/** Returns why stakes are rounded down to nothing; null if they are not, or nothing is to be staked. */
function missingStake({ total, limited_by, kelly_part }: ReturnType<typeof stakesOf>) {
  if (total > 0 || kelly_part === 0) return null
  return limited_by === null ? 'below_unit' : 'limit_below_unit'
}

/** Returns the path of the explanation, with the rule's `books`: the opportunity may exist only among them. */
function explanationPath(id: string, { query }: OpportunityAlert): string {
  const books = new URLSearchParams(query).get('books')
  const path = `/api/v1/opportunities/${id}/explain`
  return books === null ? path : `${path}?${new URLSearchParams({ books })}`.replaceAll('%2C', ',')
}

/** Returns the sportsbooks of prices, each once. */
export const sportsbooksOf = (quotes: readonly Pick<Quote, 'sportsbook'>[]): string[] => [
  ...new Set(quotes.map(({ sportsbook }) => sportsbook)),
]

/** Returns the event fields of a price. */
export const aboutEvent = ({ event, isLive }: Quote) => ({
  id: event.id,
  name: eventName(event),
  sport: event.row.sport,
  league: event.row.league,
  start_time: isoTime(event.startsAt),
  is_live: isLive,
})

/**
 * Returns the fields of a price that can be bet on, with its link.
 * @param base address of the service
 * @param state of the account's profile; null without one
 */
export function aboutOffer(
  scope: Scope,
  quote: Quote,
  now: number,
  base: string,
  state: string | null,
) {
  const { label, line } = selectionOf(quote)
  const link = deepLinkOf(scope, quote)
  return {
    sportsbook: quote.sportsbook,
    selection: label,
    line,
    odds_decimal: shownPrice(quote.price),
    odds_american: decimalToAmerican(quote.price),
    odds_age_seconds: shownAge(ageMs(quote, now)),
    link: link === null ? null : base + withState(link, state ?? undefined),
  }
}
