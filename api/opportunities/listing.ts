/** Which opportunities of a kind a request names within its scope, as prices stand now. */

import { easternOffsetMs } from '../../pipeline/rules/event-id.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { ListedOpportunity } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { dateRanges } from '../../schemas/http/opportunities/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { eventFilter, findEvent } from '../ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { detectedAt } from './about.ts'
import type { Item, Kind, Priced } from './kind.ts'
import { withFigures } from './priced.ts'
import { isStanding } from './quotes.ts'

export interface ListQuery extends FilterQuery {
  readonly event?: readonly string[] | undefined
  readonly team?: readonly string[] | undefined
  readonly date?: string | undefined
  readonly q?: string | undefined
  readonly live?: boolean | undefined
  readonly min_age_ms?: number | undefined
  readonly min_odds?: number | undefined
  readonly max_odds?: number | undefined
  readonly date_range?: (typeof dateRanges)[number] | undefined
}

export interface Listing {
  /** Whether an event is one the request names. */
  events(now: number): (event: ViewEvent) => boolean
  /**
   * Those of a kind that the request names, as of now.
   * @param entries default: all of the table
   */
  all<Figures extends object>(
    kind: Kind<Figures>,
    now: number,
    entries?: Iterable<ListedOpportunity>,
  ): Item<Figures>[]
  /** Whether an opportunity is one of them, with its figures as of now; null where it is not. */
  among<Figures extends object>(
    kind: Kind<Figures>,
    now: number,
  ): (entry: ListedOpportunity) => Item<Figures> | null
  /** Since when it has been there, as its reader is shown it (epoch ms); null while it has no figures. */
  since<Figures extends object>(kind: Kind<Figures>, entry: ListedOpportunity): number | null
  /** What `meta.filters` says. */
  echo(): Readonly<Record<string, unknown>>
}

/** @throws ApiError invalid_filter, tier_restricted, validation_error */
export function requestedOpportunities(
  query: ListQuery & { readonly offset: number },
  scope: Scope,
): Listing {
  const filters = readFilters(query, scope)
  const { sports, leagues, named } = filters
  const { event: ids, live, min_odds, max_odds, team, date, q, date_range, min_age_ms } = query
  const isEventNamed = eventFilter({ team, date, q })
  const books = named && new Set(named)
  const minAgeMs = min_age_ms ?? Number.NEGATIVE_INFINITY

  function events(now: number) {
    const range = date_range && rangeOf(date_range, now)
    const eventIds = ids && new Set(ids.flatMap((id) => findEvent(scope, id)?.id ?? []))
    const answers = new Map<ViewEvent, boolean>()
    return (event: ViewEvent) => {
      const known = answers.get(event)
      if (known !== undefined) return known
      const { row, startsAt } = event
      const isNamed =
        (!eventIds || eventIds.has(event.id)) &&
        (!sports || sports.includes(row.sport)) &&
        (!leagues || leagues.includes(row.league)) &&
        (!isEventNamed || isEventNamed(row)) &&
        (!range || (startsAt >= range.from && startsAt < range.to))
      answers.set(event, isNamed)
      return isNamed
    }
  }

  function among<Figures extends object>(kind: Kind<Figures>, now: number) {
    const { opportunityBit } = scope
    const markets = filters.marketTypes && new Set(filters.marketTypes)
    const isOfEvent = events(now)
    return (entry: ListedOpportunity): Item<Figures> | null => {
      if ((entry.row.scopes & opportunityBit) === 0) return null
      const item = withFigures(scope, entry, kind)
      if (!item || !isOfEvent(item.event)) return null
      if (now - detectedAt(item, scope) < minAgeMs) return null
      const { legs } = item
      const { marketType, isLive } = legs[0]!
      if (markets && !markets.has(marketType)) return null
      if (live !== undefined && isLive !== live) return null
      if (min_odds !== undefined && legs.some(({ price }) => american(price) < min_odds))
        return null
      if (max_odds !== undefined && legs.some(({ price }) => american(price) > max_odds))
        return null
      if (!isStanding(legs, scope, now) || !isStanding(item.reference, scope, now)) return null
      // Last, because it may look at every price of the line.
      const isAtBooks = !books || hasLegAt(item, books) || kind.ties?.isAt(item, books, scope, now)
      return isAtBooks ? item : null
    }
  }

  return {
    events,
    among,
    since(kind, entry) {
      const item = withFigures(scope, entry, kind)
      return item && detectedAt(item, scope)
    },
    all<Figures extends object>(
      kind: Kind<Figures>,
      now: number,
      entries: Iterable<ListedOpportunity> = scope.opportunities.all(kind.name),
    ) {
      const itemOf = among(kind, now)
      const items: Item<Figures>[] = []
      for (const entry of entries) {
        const item = itemOf(entry)
        if (item) items.push(item)
      }
      return items
    },
    echo: () => ({
      ...filters.echo,
      ...given({ event: ids, live, min_odds, max_odds, team, date, q, date_range, min_age_ms }),
    }),
  }
}

const american = decimalToAmerican

const hasLegAt = ({ legs }: Priced, books: ReadonlySet<string>) =>
  legs.some(({ sportsbook }) => books.has(sportsbook))

/** Today, tomorrow or seven days by US Eastern time, whatever the length of the day (epoch ms). */
export function rangeOf(range: (typeof dateRanges)[number], now: number) {
  const first = range === 'tomorrow' ? 1 : 0
  const last = range === 'week' ? 7 : first + 1
  return { from: easternMidnight(now, first), to: easternMidnight(now, last) }
}

/** Midnight in US Eastern time, `days` after that of the day of `now` (epoch ms). */
function easternMidnight(now: number, days: number): number {
  const local = new Date(now + easternOffsetMs(now))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days)
  // The clock changes at two in the morning: what holds at five UTC holds at midnight.
  return midnight - easternOffsetMs(midnight + 5 * 3_600_000)
}
