/** Selects the opportunities of a kind that a request names within its scope, by current prices. */

import { easternOffsetMs } from '../../pipeline/rules/names/event-id.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compareValued, type OpportunityList } from '../../pipeline/views/opportunities/lists.ts'
import type { ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { dateRanges } from '../../schemas/http/opportunities/opportunity.ts'
import { type Scope, visibilityOfScope } from '../access/scope.ts'
import { eventFilter, findEvent } from '../ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { detectedAt } from './about.ts'
import type { Kind, NamedPart } from './kind.ts'
import { valueIn } from './priced.ts'

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
  readonly starts_within_minutes?: number | undefined
}

export interface Listing {
  /** The requested leagues; undefined for all. */
  readonly leagues: readonly string[] | undefined
  /** Returns the part of the board that the request names. */
  part(now: number): NamedPart
  /** Returns steps that bring the list of a kind up to date before `all`; null if there are none. */
  ahead(kind: Kind): Iterator<void> | null
  /** Whether the request has no filters of its own. */
  readonly isOfAll: boolean
  /** Returns a predicate of the scope's current opportunities as of now, valid until the board changes. */
  names(kind: Kind, now: number): (one: Valued) => boolean
  /** Returns a kind's current opportunities on the requested events, in pieces. */
  ofEvents(kind: Kind, now: number): OpportunityList['pieces']
  /** Returns the kind's matching opportunities as of now, by descending rank. */
  all(kind: Kind, now: number): Valued[]
  /** Returns since when an opportunity exists, as shown to the caller (epoch ms); null while it has no figures. */
  since(entry: ListedOpportunity): number | null
  /** Returns `meta.filters`. */
  echo(): Readonly<Record<string, unknown>>
}

/** @throws ApiError invalid_filter, tier_restricted, validation_error */
export function requestedOpportunities(
  query: ListQuery & { readonly offset: number },
  scope: Scope,
): Listing {
  const filters = readFilters(query, scope)
  scope.among?.set?.require()
  const { board, opportunities } = scope
  const { sports, leagues, named } = filters
  const { event: ids, live, min_odds, max_odds, team, date, q, date_range, min_age_ms } = query
  const { starts_within_minutes } = query
  const isEventNamed = eventFilter({ team, date, q })
  const books = named && new Set(named)
  const ofEvent = { ids, sports, leagues, isEventNamed, date_range, starts_within_minutes }
  const ofPrice = { markets: filters.marketTypes, books, live, min_odds, max_odds, min_age_ms }

  const marketsNow = () => filters.marketTypes && new Set(filters.marketTypes)
  const namesEvents = Object.values(ofEvent).some(isGiven)
  const visibility = visibilityOfScope(scope)

  function events(now: number) {
    const range = date_range && rangeOf(date_range, now)
    const soon = now + (starts_within_minutes ?? 0) * 60_000
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
        (!range || (startsAt >= range.from && startsAt < range.to)) &&
        (starts_within_minutes === undefined || (startsAt > now && startsAt <= soon))
      answers.set(event, isNamed)
      return isNamed
    }
  }

  function names(kind: Kind, now: number) {
    const { rows } = board
    const markets = marketsNow()
    const isOfEvent = namesEvents ? events(now) : null
    const isOnOffer = (row: number) => {
      const odds = american(rows.price(row))
      return (
        (min_odds === undefined || odds >= min_odds) && (max_odds === undefined || odds <= max_odds)
      )
    }
    return (one: Valued): boolean => {
      const { legs } = one.taken
      const first = legs[0]!
      if (markets && !markets.has(one.marketType)) return false
      if (live !== undefined && rows.isLive(first) !== live) return false
      if (isOfEvent && !isOfEvent(rows.block(first).event)) return false
      if ((min_odds !== undefined || max_odds !== undefined) && !legs.every(isOnOffer)) return false
      if (
        min_age_ms !== undefined &&
        now - detectedAt(opportunities.item(one), scope) < min_age_ms
      ) {
        return false
      }
      if (!books || legs.some((row) => books.has(rows.sighted(row).sportsbook))) return true
      // Checked last, because it may read every price of the line.
      return kind.ties?.isAt(one, books, scope, now) ?? false
    }
  }

  const ofEvents = ({ name }: Kind, now: number) =>
    namesEvents
      ? [opportunities.listOf(name, visibility, now, events(now))]
      : opportunities.list(name, visibility, now).pieces

  return {
    leagues,
    part: (now) => ({
      isOfEvent: events(now),
      markets: marketsNow(),
      sportsbooks: books ?? scope.among?.sportsbooks,
    }),
    ofEvents,
    ahead: ({ name }) => (namesEvents ? null : opportunities.listAhead(name, visibility)),
    isOfAll: !namesEvents && !Object.values(ofPrice).some(isGiven),
    names,
    all(kind, now) {
      const isNamed = names(kind, now)
      const named: Valued[] = []
      for (const piece of ofEvents(kind, now)) {
        for (const one of piece) if (isNamed(one)) named.push(one)
      }
      return named.sort(compareValued)
    },
    since(entry) {
      const value = valueIn(scope, entry)
      return value && detectedAt(opportunities.item(value), scope)
    },
    echo: () => ({
      ...filters.echo,
      ...given({ event: ids, live, min_odds, max_odds, team, date, q, date_range }),
      ...given({ starts_within_minutes, min_age_ms }),
    }),
  }
}

const american = decimalToAmerican

const isGiven = (value: unknown) => value !== undefined && value !== null

/** Returns today, tomorrow or seven days in US Eastern time, whatever the length of a day (epoch ms). */
export function rangeOf(range: (typeof dateRanges)[number], now: number) {
  const first = range === 'tomorrow' ? 1 : 0
  const last = range === 'week' ? 7 : first + 1
  return { from: easternMidnight(now, first), to: easternMidnight(now, last) }
}

/** Returns midnight in US Eastern time, `days` after the day of `now` (epoch ms). */
function easternMidnight(now: number, days: number): number {
  const local = new Date(now + easternOffsetMs(now))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days)
  // Clocks change at two in the morning local time, so the offset at five UTC also holds at midnight.
  return midnight - easternOffsetMs(midnight + 5 * 3_600_000)
}
