/** Which opportunities of a kind a request names within its scope, as prices stand now. */

import { easternOffsetMs } from '../../pipeline/rules/names/event-id.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compareValued, type OpportunityList } from '../../pipeline/views/opportunities/lists.ts'
import type { ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { dateRanges } from '../../schemas/http/opportunities/opportunity.ts'
import { type Scope, visibilityIndex } from '../access/scope.ts'
import { eventFilter, findEvent } from '../ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { detectedAt } from './about.ts'
import type { Kind } from './kind.ts'
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
  /** Leagues it asks for; undefined for all. */
  readonly leagues: readonly string[] | undefined
  /** Whether an event is one the request names. */
  events(now: number): (event: ViewEvent) => boolean
  /** Whether it names all of a kind. */
  readonly isOfAll: boolean
  /** Whether an opportunity of the scope that stands is one of them, as of now; good until the board changes. */
  names(kind: Kind, now: number): (one: Valued) => boolean
  /** Those of a kind that stand at the events that the request names, in pieces. */
  ofEvents(kind: Kind, now: number): OpportunityList['pieces']
  /** Those of a kind that the request names, as of now, the greatest rank first. */
  all(kind: Kind, now: number): Valued[]
  /** Since when it has been there, as its reader is shown it (epoch ms); null while it has no figures. */
  since(entry: ListedOpportunity): number | null
  /** What `meta.filters` says. */
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

  const namesEvents = Object.values(ofEvent).some(isGiven)
  const level = visibilityIndex(scope)

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
    const markets = filters.marketTypes && new Set(filters.marketTypes)
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
      // Last, because it may look at every price of the line.
      return kind.ties?.isAt(one, books, scope, now) ?? false
    }
  }

  const ofEvents = ({ name }: Kind, now: number) =>
    namesEvents
      ? [opportunities.listOf(name, level, now, events(now))]
      : opportunities.list(name, level, now).pieces

  return {
    leagues,
    events,
    ofEvents,
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
