/**
 * GET /record: the opportunities listed on each day and their results, from the archive. /record/public is public if
 * the operator enables it. It has only opportunities whose sportsbooks the free tier sees, delayed like its board.
 */

import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { instantOf, type Period } from '../../pipeline/archive/price-history.ts'
import {
  type LivesToSettle,
  livesToSettle,
  type RecordFigures,
  type RecordQuery,
  type ResultToSettleBy,
  recordFigures,
  sampleSums,
} from '../../pipeline/archive/record.ts'
import { settledOf } from '../../pipeline/rules/bets/settle-bet.ts'
import { type MeanRange, meanClv, type ValuedBet } from '../../pipeline/rules/odds/bettor-clv.ts'
import { type Chains, chainsAmong } from '../../pipeline/rules/odds/chains.ts'
import { clusteredMean, type SampleSums } from '../../pipeline/rules/odds/closing-line-value.ts'
import type { Settled } from '../../pipeline/rules/odds/two-lines.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import type { ReportedResult } from '../../schemas/game-result.ts'
import { addTo } from '../../schemas/grouping.ts'
import type { Query } from '../../schemas/http/query.ts'
import {
  leastEvents,
  leastSamples,
  publicRecordQuery,
  type RecordFigure,
  recordAnswer,
  recordDays,
  recordQuery,
} from '../../schemas/http/record.ts'
import { opportunityKinds, visibilityBit } from '../../schemas/opportunity.ts'
import { anonymous, createScopes, mayShowTo, type Scope } from '../access/scope.ts'
import { publicRequestsPerMinute } from '../access/tiers.ts'
import { inBatches } from '../answer/charged-batches.ts'
import { csvHeaders, csvText } from '../answer/csv.ts'
import { objectBody } from '../answer/json.ts'
import { archiveMetaOf } from '../answer/past-meta.ts'
import { createSharedResults } from '../answer/shared-results.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { requireSpan, withinArchive } from '../ask/archive-period.ts'
import {
  type Asker,
  archiveErrors,
  createArchiveQuestions,
  historyFeature,
  seenThen,
} from '../ask/archive-questions.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { settleByScore } from '../bets/settled-bets.ts'
import type { Boards } from '../boards.ts'
import { keyAction, openAction, type Route } from '../route.ts'
import { scopesThen } from './opportunity-lives.ts'

export interface RecordRoutesOptions {
  readonly boards: Boards
  readonly archive: ArchiveAccess
  readonly archiveHealth: () => ArchiveHealth | null
  /** The chain of each game. */
  readonly chain: Chains
  /** Whether `/record/public` is enabled. */
  readonly publicRecord: boolean
}

/** The items of each day, and the items over all days, which have no `day`. */
interface CountedRecord {
  readonly items: readonly (ReturnType<typeof itemOf> & { readonly day?: string })[]
  /** The time up to which lives count (epoch ms). */
  readonly until: number
}

const dayMs = 86_400_000
const unfiltered = { sport: undefined, league: undefined, sportsbook: undefined }

export function createRecordRoutes(options: RecordRoutesOptions): readonly Route[] {
  const { boards, archive, archiveHealth, chain, publicRecord } = options
  const ask = createArchiveQuestions(archive, archiveHealth)
  const publicRecords = createSharedResults<CountedRecord>(() => boards.now())

  async function answer(
    query: Query<typeof recordQuery>,
    scope: Scope,
    by: Asker,
    isPublic: boolean,
  ) {
    const filters = readFilters(query, scope)
    const until = boards.now() - 1_000 * scope.delaySeconds
    const period = daysOf(query, until)
    const mayShow = mayShowTo(scope)
    const archiveQuery: RecordQuery = {
      period,
      kinds: [...(query.kind ?? opportunityKinds)].sort(),
      // The public record has opportunities shown to any tier. `within` limits them to the free tier's sportsbooks.
      scopes: isPublic
        ? visibilityBit.hobby | visibilityBit.pro | visibilityBit.all
        : scopesThen(scope),
      sportsbooks: seenThen(scope, filters),
      within: isPublic ? scope.sportsbooks : undefined,
      until,
      leagues: filters.leagues,
      sports: filters.sports,
      chain: chainsAmong(chain, mayShow),
      fees: boards.opportunities.fees,
    }
    const workOut = () => recordOf(archiveQuery, by, mayShow, isPublic)
    // Everything but the time decides a public record.
    const key = JSON.stringify({ ...archiveQuery, until: null })
    const { items, until: countedUntil } = isPublic
      ? await publicRecords.of(key, workOut)
      : await workOut()
    const days = items.filter(({ day }) => day !== undefined)
    const [from, to] = [dayOf(period.from), dayOf(period.to - 1)]
    if (query.format === 'csv') return csvFile(days, `record_${from}_${to}`)
    const total = items.filter(({ day }) => day === undefined)
    return {
      body: objectBody({ from, to, is_public: isPublic, total, days }, countedUntil, {
        filters: { ...filters.echo, ...given({ kind: query.kind }) },
        ...archiveMetaOf(archiveHealth()),
      }),
    }
  }

  async function recordOf(
    archiveQuery: RecordQuery,
    by: Asker,
    mayShow: (sportsbook: string) => boolean,
    isPublic: boolean,
  ): Promise<CountedRecord> {
    const figures = await ask.rows<RecordFigures>(recordFigures(archiveQuery), by)
    const settled = await settle(archiveQuery, by, mayShow)
    const items: CountedRecord['items'][number][] = []
    for (const counted of figures) {
      const bets = settled.get(`${counted.day} ${counted.kind}`) ?? []
      items.push(
        by.charged(() => ({
          ...(counted.day !== '' && { day: counted.day }),
          ...itemOf(counted, bets, isPublic),
        })),
      )
      await turnOfOthers()
    }
    return { items, until: archiveQuery.until }
  }

  /** Returns the gains of settled lives by day and kind, and by kind under the empty day. */
  async function settle(
    archiveQuery: RecordQuery,
    by: Asker,
    mayShow: (sportsbook: string) => boolean,
  ): Promise<ReadonlyMap<string, readonly ValuedBet[]>> {
    const results = new Map<string, ResultToSettleBy & { readonly all: ReportedResult[] }>()
    const [, statementOfResults] = livesToSettle(archiveQuery)
    const resultRows = await ask.rows<ResultToSettleBy>(statementOfResults, by)
    await inBatches(resultRows, by.charged, (row) => {
      const reports: ReportedResult[] = JSON.parse(row.reports)
      const all = reports.filter(({ observedAt }) => observedAt <= archiveQuery.until)
      results.set(row.event_id, { ...row, all })
    })
    const outcomeOf = (lives: LivesToSettle, leg: number): Settled | null => {
      const result = results.get(lives.event_id)
      if (!result) return null
      const playedAt = instantOf(result.starts)
      const bet = {
        eventId: lives.event_id,
        sport: result.sport,
        startsAt: lives.starts_at || playedAt,
        marketType: lives.market_type,
        selectionType: lives.selection_types[leg]!,
        line: lives.lines[leg]!,
      }
      const status = result.status as EventStatus
      const row = { sport: bet.sport, startsAt: playedAt, status, reports: result.all }
      const by = settleByScore(
        bet,
        // Counts as placed at the start: bets in play that count the score only from their placing
        // were not read.
        playedAt,
        row,
        { eventOf: () => undefined, mayShow, now: archiveQuery.until },
        false,
      )
      return typeof by === 'string' ? null : settledOf(by.outcome)
    }
    const gains = new Map<string, ValuedBet[]>()
    // One day at a time, because a response has a limit of rows.
    for (const period of results.size === 0 ? [] : eachDay(archiveQuery.period)) {
      const [statement] = livesToSettle({ ...archiveQuery, period })
      await inBatches(await ask.rows<LivesToSettle>(statement, by), by.charged, (lives) => {
        const outcomes = lives.selection_types.map((_, leg) => outcomeOf(lives, leg))
        if (!outcomes.every((outcome) => outcome !== null)) return
        const bet = {
          eventId: lives.event_id,
          stake: lives.lives,
          clv: gainOf(lives, outcomes) / lives.lives,
        }
        addTo(gains, `${lives.day} ${lives.kind}`, bet)
        addTo(gains, ` ${lives.kind}`, bet)
      })
    }
    return gains
  }

  const shared = {
    method: 'get',
    tag: 'historical',
    query: recordQuery,
    answer: { description: 'The record.', schema: recordAnswer, csv: csvText([csvColumns]) },
  } as const
  const ofKey = keyAction({
    ...shared,
    path: '/api/v1/record',
    requires: historyFeature,
    summary: 'The service’s own record: opportunities listed each day, and their results',
    description:
      'Opportunities that have ended, by day of detection and kind: how long they lasted, their worth as listed, the value of +EV at the close, and the gain by final scores. Flagged ones are counted too.',
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    handle: ({ query, scope, ...by }) => answer(query, scope, by, false),
  })
  if (!publicRecord) return [ofKey]
  const scopes = createScopes(boards)
  const everybody: Asker = {
    caller: { accountId: 'everybody', tier: 'free' },
    charged: (work) => work(),
  }
  return [
    ofKey,
    openAction({
      ...shared,
      query: publicRecordQuery,
      access: 'public',
      readsBoard: true,
      path: '/api/v1/record/public',
      perMinute: publicRequestsPerMinute,
      summary: 'The record for everybody, without a key',
      description:
        'As `/record`, but only opportunities with all legs at sportsbooks of the free tier, as late as its board. Only if the operator has set `OVERROUND_PUBLIC_RECORD` to on.',
      errors: ['rate_limited', 'service_unavailable', ...archiveErrors],
      handle: ({ query }) =>
        answer({ ...unfiltered, ...query }, scopes.of(anonymous), everybody, true),
    }),
  ]
}

/** Returns the period in whole UTC days. @throws ApiError validation_error */
export function daysOf(
  { from, to }: Pick<Query<typeof recordQuery>, 'from' | 'to'>,
  now: number,
): Period {
  const end = to === undefined ? now - (now % dayMs) + dayMs : Date.parse(to) + dayMs
  const last = withinArchive(end)
  const first = withinArchive(from === undefined ? last - 7 * dayMs : Date.parse(from))
  const period = { from: first, to: last }
  requireSpan(period, recordDays)
  return period
}

const dayOf = (at: number) => isoTime(at).slice(0, 10)

function* eachDay({ from, to }: Period): Iterable<Period> {
  for (let at = from; at < to; at += dayMs) yield { from: at, to: at + dayMs }
}

/** Returns the total gain of a stake of 1 on each life. The sums suffice, because `returned` is linear in the price. */
function gainOf({ shares, wins, lives }: LivesToSettle, outcomes: readonly Settled[]): number {
  const returns = outcomes.map((bet, leg) =>
    bet > 0 ? (1 - bet) * shares[leg]! + bet * wins : (1 + bet) * shares[leg]!,
  )
  return returns.reduce((sum, value) => sum + value, 0) - lives
}

const percent = (fraction: number) => Math.round(fraction * 1e4) / 100 + 0

function itemOf(counted: RecordFigures, settled: readonly ValuedBet[], isPublic: boolean) {
  const sums = (what: 'clv' | 'beat') => {
    const all = sampleSums(counted, what)
    return figureOf(all, rangeOf(all))
  }
  const beat = sums('beat')
  const within = (share: number | null) => share && Math.min(100, Math.max(0, share))
  const isValued = counted.kind === 'ev'
  const { lives, events } = counted
  // The worth of a single +EV would show everybody the price of a sharp book that the free tier does not see.
  const isVeiled = isPublic && isTooFew({ samples: lives, events })
  return {
    kind: counted.kind,
    listed: lives,
    events,
    median_seconds: counted.median_stood / 1_000,
    avg_worth_percent: isVeiled ? null : percent(counted.mean_worth),
    gone_at_once: counted.gone_at_once,
    clv: isValued ? sums('clv') : null,
    beat_close: isValued ? { ...beat, low: within(beat.low), high: within(beat.high) } : null,
    settled: figureOf(
      {
        samples: settled.reduce((sum, { stake }) => sum + stake, 0),
        events: new Set(settled.map(({ eventId }) => eventId)).size,
      },
      meanClv(settled, ({ stake }) => stake),
    ),
  }
}

function rangeOf(sums: SampleSums): MeanRange | null {
  const found = clusteredMean(sums)
  if (!found) return null
  const { mean, margin } = found
  return {
    mean,
    low: margin === null ? null : mean - margin,
    high: margin === null ? null : mean + margin,
  }
}

type Counts = Pick<SampleSums, 'samples' | 'events'>

const isTooFew = ({ samples, events }: Counts) => samples < leastSamples || events < leastEvents

/** With too few samples no mean is shown. */
function figureOf({ samples, events }: Counts, range: MeanRange | null): RecordFigure {
  const too_few = isTooFew({ samples, events })
  const shown = (value: number | null | undefined) =>
    too_few || value === null || value === undefined ? null : percent(value)
  const [mean, low, high] = [range?.mean, range?.low, range?.high].map(shown) as [
    number | null,
    number | null,
    number | null,
  ]
  return { samples, events, too_few, percent: mean, low, high }
}

const figureColumns = ['samples', 'events', 'percent', 'low', 'high'] as const
const plainColumns = [
  'kind',
  'listed',
  'events',
  'median_seconds',
  'avg_worth_percent',
  'gone_at_once',
] as const
const figures = ['clv', 'beat_close', 'settled'] as const
const csvColumns = [
  'day',
  ...plainColumns,
  ...figures.flatMap((name) => figureColumns.map((column) => `${name}_${column}`)),
]

/** A mean of too few samples is an empty cell. */
function csvFile(
  days: readonly (ReturnType<typeof itemOf> & { readonly day?: string })[],
  name: string,
) {
  const lines = days.map((item) => [
    item.day ?? '',
    ...plainColumns.map((column) => item[column] ?? ''),
    ...figures.flatMap((figure) => figureColumns.map((column) => item[figure]?.[column] ?? '')),
  ])
  return {
    headers: csvHeaders(name),
    body: csvText([csvColumns, ...lines]),
  }
}
