/**
 * GET /api/v1/historical/clv and /historical/odds/closing: closing-line value, and the closes of a day, from the
 * archive (interface 4.13, supplement 3.7).
 */

import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { type ArchivedClose, askClosingDay } from '../../pipeline/archive/closing-history.ts'
import { askClv, type ClvAnswer, type ClvGroup } from '../../pipeline/archive/clv.ts'
import { allBooksOf, type Chains, chainsAmong } from '../../pipeline/rules/odds/chains.ts'
import {
  clusteredMean,
  type Mean,
  type SampleSums,
} from '../../pipeline/rules/odds/closing-line-value.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import {
  closingDayObject,
  closingDayQuery,
  closingWindowDays,
  clvGroup as clvGroupSchema,
  clvObject,
  clvQuery,
} from '../../schemas/http/historical.ts'
import type { DayOrInstant } from '../../schemas/http/query.ts'
import { hiddenFrom, mayShowTo } from '../access/scope.ts'
import { objectHead, objectTail } from '../answer/json.ts'
import { archiveMetaOf } from '../answer/past-meta.ts'
import { shownSelection } from '../answer/selections.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { archiveFilter } from '../ask/archive-period.ts'
import { archiveErrors } from '../ask/archive-questions.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError, invalid, retryAfter } from '../errors.ts'
import { type Admitted, type Charged, keyAction, type Route } from '../route.ts'

export interface HistoricalRoutesOptions {
  readonly archive: ArchiveAccess
  /** Null without an archive. */
  readonly archiveHealth: () => ArchiveHealth | null
  /** The clock of games: that of the recording while one is replayed. */
  readonly clock: () => number
  /** The chain of each game. */
  readonly chain: Chains
}

const requires = { feature: 'closing_lines', otherwise: 'tier_restricted' } as const
const tag = 'historical'
const dayMs = 86_400_000

export function createHistoricalRoutes(options: HistoricalRoutesOptions): readonly Route[] {
  return [clvRoute(options), closingDayRoute(options)]
}

const askingOf = (
  { limits }: ArchiveAccess,
  { caller: { accountId, tier }, charged }: Pick<Admitted, 'caller' | 'charged'>,
) => ({ caller: accountId, limits: limits[tier], decoding: charged })

// ---- closing-line value

const clvRoute = ({ archive, archiveHealth, clock, chain }: HistoricalRoutesOptions) =>
  keyAction({
    method: 'get',
    path: '/api/v1/historical/clv',
    tag,
    summary: 'Closing-line value: sportsbooks’ closes against that of a sharp book',
    description: `Compares each close with the sharp book’s close of the same event, market, selection, line and player, never across lines; the power method removes the margin of both. For each selection, the reference is the first sharp book with a close, and no sample itself; \`references\` says which, and when.`,
    requires,
    query: clvQuery,
    answer: { description: 'The groups.', schema: clvObject },
    tool: {
      name: 'get_closing_line_value',
      description:
        'Closing-line value: closes of sportsbooks compared with a sharp book, as means in percent ' +
        'with a 95 percent confidence interval, by sportsbook, sport, league, market or day.',
      inputs: ['from', 'to', 'group_by', 'sport', 'league', 'sportsbook'],
      shape: { items: ['data', 'groups'] },
    },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { group_by: groupBy = 'sportsbook', sport, league, sportsbook, fields } = query
      const shownAs = clvMembers(fields)
      const filters = readFilters({ sport, league, sportsbook }, scope)
      const range = rangeOf(query, clock())
      const shownChain = chainsAmong(chain, mayShowTo(scope))
      const answer = await askClv(archive.reads, askingOf(archive, by), {
        from: range.from,
        to: range.to,
        groupBy,
        sports: filters.sports,
        leagues: filters.leagues,
        sportsbooks: filters.named,
        hidden: hiddenFrom(scope),
        chain: shownChain,
      })
      if (!answer) throw reworked()
      const meta = {
        source: 'archive',
        tier_window_days: closingWindowDays,
        phase: 1,
        filters: filters.echo,
        ...archiveMetaOf(archiveHealth()),
      }
      return by.charged(() => {
        const data = {
          group_by: groupBy,
          ...clvData(answer, shownChain, shownAs),
          date_range: range.shown,
        }
        const tail = objectTail(answer.summary.captured, meta)
        return { headers: cacheHints, body: objectHead + JSON.stringify(data) + tail }
      })
    },
  })

const reworked = () =>
  new ApiError('not_ready', 'Closes are being recomputed with another sharp book; try again.', {
    ...retryAfter(1),
    reason: 'starting',
  })

interface Range {
  readonly from: number
  /** Exclusive end of starts (epoch ms). */
  readonly to: number
  readonly shown: { readonly from: string; readonly to: string }
}

/** Returns the requested range, cut to the window. @throws ApiError validation_error if it ends before it begins */
function rangeOf(
  query: { readonly from?: DayOrInstant | undefined; readonly to?: DayOrInstant | undefined },
  now: number,
): Range {
  const today = { at: now - (now % dayMs), isDay: true }
  if (query.from && query.to && query.from.at > lastOf(query.to)) {
    throw invalid(['from', 'to'], 'from is after to.')
  }
  if (query.from && query.from.at > (query.from.isDay ? today.at : now)) {
    const { at } = query.from
    return {
      from: at,
      to: at,
      shown: { from: shownTime(query.from), to: shownTime(query.to ?? query.from) },
    }
  }
  const latest = query.to && !query.to.isDay ? { at: now, isDay: false } : today
  const to = query.to && query.to.at <= latest.at ? query.to : latest
  const daysBefore = (days: number) => ({ at: to.at - days * dayMs, isDay: to.isDay })
  const earliest = daysBefore(closingWindowDays)
  const start = query.from ?? daysBefore(defaultDays)
  const from = start.at < earliest.at ? earliest : start.at > lastOf(to) ? to : start
  return {
    from: Math.max(0, from.at),
    // A price withdrawn from a game to come may be listed again: it has no close yet.
    to: Math.max(0, Math.min(to.isDay ? to.at + dayMs : to.at, now)),
    shown: { from: shownTime(from), to: shownTime(to) },
  }
}

const defaultDays = 7

/** Returns the time, or the last millisecond of a day. */
const lastOf = ({ at, isDay }: DayOrInstant) => (isDay ? at + dayMs - 1 : at)

const shownTime = ({ at, isDay }: DayOrInstant) => (isDay ? isoTime(at).slice(0, 10) : isoTime(at))

function clvData(
  { groups, summary, references, missing }: ClvAnswer,
  chain: Chains,
  shownAs: (group: ClvGroup) => object,
) {
  const { events, comparable, no_close, no_reference, no_equal_line } = summary
  return {
    groups: groups.map(shownAs),
    total_events: events,
    comparable_events: comparable,
    not_comparable_events: { no_close, no_reference, no_equal_line },
    sharp_reference: references[0]?.sportsbook ?? allBooksOf(chain)[0],
    references: references.map(({ first, last, ...reference }) => ({
      ...reference,
      from: isoTime(first),
      to: isoTime(last),
    })),
    missing_closes: Object.fromEntries(missing.map(({ reason, count }) => [reason, count])),
  }
}

type GroupMember = keyof ReturnType<typeof clvGroup>
const groupMembers = Object.keys(clvGroupSchema.shape) as readonly GroupMember[]

/** Returns how to show a group: the requested fields unrounded, else all fields, with percentages to two places. */
function clvMembers(fields: readonly string[] | undefined): (group: ClvGroup) => object {
  if (!fields) return (group) => clvGroup(group, shownPercent)
  const requested = groupMembers.filter((member) => fields.includes(member))
  return (group) => {
    const all = clvGroup(group, fullPercent)
    return Object.fromEntries(requested.map((member) => [member, all[member]]))
  }
}

function clvGroup(group: ClvGroup, percent: Percent) {
  const { key, samples, events, sizes } = group
  const signed = meanOf(group)
  const unsigned = meanOf({
    events,
    samples,
    sizes,
    total: group.total_abs,
    squares: group.squares_abs,
    products: group.products_abs,
  })
  return {
    group_key: key,
    samples,
    events,
    avg_clv_percent: percent(signed.mean),
    avg_clv_interval: intervalOf(signed, percent),
    avg_abs_clv_percent: percent(unsigned.mean),
    avg_abs_clv_interval: intervalOf(unsigned, percent),
    distinct_books: group.distinct_books,
    distinct_sports: group.distinct_sports,
  }
}

/** Every group has samples. */
const meanOf = (sums: SampleSums): Mean => clusteredMean(sums)!

type Percent = (fraction: number) => number

const shownPercent: Percent = (fraction) => Math.round(fraction * 1e4) / 1e2
/** Eight places, so that sums over groups lose nothing. */
const fullPercent: Percent = (fraction) => Math.round(fraction * 1e10) / 1e8

const intervalOf = ({ mean, margin }: Mean, percent: Percent) =>
  margin === null ? null : { low: percent(mean - margin), high: percent(mean + margin) }

// ---- the closes of a day

const closingDayRoute = ({ archive, clock }: HistoricalRoutesOptions) =>
  keyAction({
    method: 'get',
    path: '/api/v1/historical/odds/closing',
    tag,
    summary: 'The closes of one day in one league',
    description: `Every close of every sportsbook, by event, as captured, or those of some events, markets or sportsbooks. A day more than ${closingWindowDays} days ago is refused; a future day has no events.`,
    requires,
    query: closingDayQuery,
    answer: { description: 'The events.', schema: closingDayObject },
    tool: {
      name: 'get_historical_closing_lines',
      description: 'Every close of one day in one league, by game and sportsbook.',
      inputs: ['date', 'sport', 'league', 'event', 'market', 'sportsbook'],
      shape: { items: ['data', 'events'] },
    },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { date, sport, league, event, market, sportsbook } = query
      const absent = Object.entries({ date, sport, league }).flatMap(([name, value]) =>
        value === undefined ? [name] : [],
      )
      if (date === undefined || sport === undefined || league === undefined) {
        throw invalid(absent, `${absent.join(', ')}: required.`)
      }
      const filters = readFilters({ sport: [sport], league: [league], market, sportsbook }, scope)
      const { sports, leagues, marketTypes, named } = filters
      const { eventIds } = archiveFilter(event, filters, scope)
      const [sportId, leagueId] = [sports![0]!, leagues![0]!]
      const from = Date.parse(`${date}T00:00:00Z`)
      const now = clock()
      if (from < now - (now % dayMs) - closingWindowDays * dayMs) {
        throw new ApiError(
          'tier_restricted',
          `The ${scope.tier} tier goes back ${closingWindowDays} days.`,
          { tier: scope.tier, required_tier: null },
        )
      }
      const question = {
        sport: sportId,
        league: leagueId,
        from,
        to: from + dayMs,
        hidden: hiddenFrom(scope),
        ...{ eventIds, marketTypes, sportsbooks: named },
      }
      // A future day has no closes, and may be later than the engine can represent.
      const closes =
        from > now
          ? []
          : await askClosingDay(archive.reads, askingOf(archive, by), question).catch(asPart)
      const events = await eventsText(closes, sportId, leagueId, by.charged)
      const head = JSON.stringify({ date, sport: sportId, league: leagueId }).slice(0, -1)
      const totals = `"total_events":${events.length},"total_lines":${closes.length}}`
      const meta = {
        source: 'archive',
        tier_window_days: closingWindowDays,
        filters: given({ date, ...filters.echo, event }),
      }
      return by.charged(() => {
        const capturedAt = closes.reduce((last, close) => Math.max(last, close.captured_at), 0)
        const data = `${head},"events":[${events.join(',')}],${totals}`
        return { headers: cacheHints, body: objectHead + data + objectTail(capturedAt, meta) }
      })
    },
  })

/** @throws ApiError whose message names the filters, for a day that is too large */
function asPart(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'answer_too_large') throw error
  throw new ApiError(
    'answer_too_large',
    'The closes of this day are more than the tier allows in one response; ask for some with event, market or sportsbook.',
  )
}

const cacheHints = { 'Cache-Control': 'private, max-age=10' }

/** Returns the events as JSON. A full day takes a while, so other work runs between events. */
async function eventsText(
  closes: readonly ArchivedClose[],
  sport: string,
  league: string,
  charged: Charged,
): Promise<string[]> {
  const texts: string[] = []
  for (let at = 0; at < closes.length; ) {
    let end = at + 1
    while (end < closes.length && closes[end]!.event_id === closes[at]!.event_id) end++
    const ofEvent = closes.slice(at, end)
    texts.push(charged(() => JSON.stringify(closedEvent(ofEvent, sport, league))))
    at = end
    await turnOfOthers()
  }
  return texts
}

function closedEvent(closes: readonly ArchivedClose[], sport: string, league: string) {
  const [first] = closes as readonly [ArchivedClose]
  const books = new Map<string, { captured: number; lines: object[] }>()
  for (const close of closes) {
    let book = books.get(close.sportsbook)
    if (!book) {
      book = { captured: close.captured_at, lines: [] }
      books.set(close.sportsbook, book)
    }
    book.captured = Math.min(book.captured, close.captured_at)
    book.lines.push(closedLine(close))
  }
  const captured = Math.min(...Array.from(books.values(), (book) => book.captured))
  return {
    event_id: first.event_id,
    sport,
    league,
    home_team: first.home_team,
    away_team: first.away_team,
    event_start_time: isoTime(first.starts_at),
    first_captured_at: isoTime(captured),
    books: Array.from(books, ([book, closed]) => ({
      book,
      captured_at: isoTime(closed.captured),
      lines: closed.lines,
    })),
  }
}

/** Returns a close with the event's sides as shown. */
function closedLine(close: ArchivedClose) {
  const { market_type: marketType, selection_type: selectionType, line, price, no_vig } = close
  const row = {
    homeTeam: close.home_team,
    awayTeam: close.away_team,
    flipped: close.flipped,
    listedHome: close.listed_home,
    listedAway: close.listed_away,
  }
  return {
    market_type: marketType,
    ...shownSelection({ row }, marketType, { label: close.selection, selectionType, line }),
    odds_american: decimalToAmerican(price),
    odds_decimal: shownPrice(price),
    implied_probability: shownProbability(price),
    no_vig_probability: no_vig === null ? null : Math.round(no_vig * 1e4) / 1e4,
    withheld: close.withheld,
    ...(close.player_name !== null && { player_name: close.player_name }),
    ...(close.stat_category !== null && { stat_category: close.stat_category }),
    timestamp: isoTime(close.priced_at),
  }
}
