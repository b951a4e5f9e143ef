/**
 * The views that the API reads, in memory. The changelog writes them. While no pipeline runs,
 * prices that it would have withdrawn become inactive by the clock. There are two boards: `live`,
 * and `delayed` for the free tier, with its sportsbooks as they were a minute ago.
 */

import type { Log, LogRecord } from '../pipeline/log/log.ts'
import type { Chains } from '../pipeline/rules/odds/chains.ts'
import { type Fees, noFees } from '../pipeline/rules/odds/fees.ts'
import { noReferences, sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import { type BoardView, createBoardView } from '../pipeline/views/board/board-view.ts'
import { type ClosesView, createClosesView } from '../pipeline/views/closes/closes-view.ts'
import { createFuturesView, type FuturesView } from '../pipeline/views/futures/futures-view.ts'
import {
  createGameResultsView,
  type GameResultsView,
} from '../pipeline/views/game-states/game-results-view.ts'
import {
  createGameStatesView,
  type GameStatesView,
} from '../pipeline/views/game-states/game-states-view.ts'
import {
  createOpportunityView,
  type OpportunityView,
} from '../pipeline/views/opportunities/opportunity-view.ts'
import { createRecordedTimeView } from '../pipeline/views/recorded-time-view.ts'
import { createSourcesView, type SourcesView } from '../pipeline/views/sources/sources-view.ts'
import { createSplitsView, type SplitsView } from '../pipeline/views/splits/splits-view.ts'
import { keepRows, readTables } from '../pipeline/views/table.ts'
import type { View } from '../pipeline/views/view.ts'
import type { EventRow } from '../schemas/event.ts'
import { type MainLineRow, mainLineSets, questionOfKey } from '../schemas/main-line.ts'
import type { OddsRow } from '../schemas/odds.ts'
import type { OpportunityRow } from '../schemas/opportunity.ts'
import { tierBooks } from '../schemas/reference/tier-books.ts'
import type { Sighting } from '../schemas/sighting.ts'
import type { SportsbookStatus } from '../schemas/sportsbook-status.ts'
import { topics } from '../schemas/topics.ts'
import type { WithheldPrice } from '../schemas/withheld-price.ts'
import { freeDelaySeconds } from './access/tiers.ts'
import { createSignedLinks, type SignedLinks } from './answer/signed-links.ts'
import { type BookSetViews, createBookSetViews } from './book-sets.ts'
import { createDelayLine } from './delay-line.ts'
import { createFollower, type Follower } from './follower.ts'

export interface Boards extends Follower {
  readonly live: BoardView
  readonly delayed: BoardView
  /** Opportunities of the live board. The delayed board has none: its tier may not see opportunities. */
  readonly opportunities: OpportunityView
  /** Their rows as late as the delayed board, by id, except those with bets that it does not have. */
  readonly delayedOpportunities: ReadonlyMap<string, OpportunityRow>
  /** Opportunities among sportsbooks that accounts chose. */
  readonly bookSets: BookSetViews
  readonly sources: SourcesView
  /** Statuses of sportsbooks for the delayed board, which has no other data of sources. */
  readonly delayedSources: SourcesView
  /** Futures of the live board. The delayed tier may not see them. */
  readonly futures: FuturesView
  /** Games in play of the live board. The delayed tier sees no scores. */
  readonly gameStates: GameStatesView
  /** Results of games. Only the values of bets read them. */
  readonly gameResults: GameResultsView
  /** Closes of the live board. The delayed tier may not see them. */
  readonly closes: ClosesView
  /** Splits of the live board. The delayed tier may not see them. */
  readonly splits: SplitsView
  /** Signs the links of prices on the boards. */
  readonly links: SignedLinks
  /**
   * Returns the time for ages of prices and starts of games (epoch ms): a recording's while one is replayed, else the
   * clock's. Accounts, limits and stamps always use the clock.
   */
  now(): number
  /** Whether `now` is the time of a recording, which stops when the recording ends. */
  readonly isRecorded: boolean
}

interface BoardRules {
  /** The chain of each game. */
  readonly chain: Chains
  /** Sportsbooks that only serve as references and take no bets. */
  readonly references: ReadonlySet<string>
  /** Most sets of sportsbooks in use at once. */
  readonly mostSets: number
}

const usualRules = { chain: sharpChain('pinnacle'), references: noReferences, mostSets: 32 }

/**
 * Creates the views of a log. The view `before` takes records before all others, `behind` after them.
 * @param fees the fees that opportunities take into account
 * @param links default: signed with the log's secret
 */
export function createBoards(
  log: Log,
  clock: () => number,
  fees: Fees = noFees,
  links: SignedLinks = createSignedLinks(log.secret),
  { before, behind }: { readonly before?: View; readonly behind?: View } = {},
  { chain, references, mostSets }: BoardRules = usualRules,
): Boards {
  const live = createBoardView({ links, references })
  const opportunities = createOpportunityView(live, fees)
  const delayedOpportunities = new Map<string, OpportunityRow>()
  const futures = createFuturesView()
  const gameStates = createGameStatesView()
  const gameResults = createGameResultsView()
  const closes = createClosesView()
  const splits = createSplitsView()
  const sources = createSourcesView()
  const delayedSources = createSourcesView()
  const delayed = createBoardView({
    ...{ links, references },
    ...(tierBooks.free && { books: tierBooks.free }),
  })
  const recorded = createRecordedTimeView()
  const now = () => recorded.at ?? clock()
  const bookSets = createBookSetViews({
    ...{ board: live, sources, table: opportunities, chain, most: mostSets, now },
  })
  // Sources first, because a sportsbook's audience must be known before its prices.
  const views: readonly View[] = [
    ...(before ? [before] : []),
    sources,
    live,
    opportunities,
    bookSets,
    futures,
    gameStates,
    gameResults,
    closes,
    splits,
    delayedStatuses(delayedSources),
    delayedBoard(delayed),
    delayedRows(delayedOpportunities, live),
    recorded,
  ]
  const staleness = createStaleness((at) => {
    // The time of a recording advances only with its records.
    const seenAt = recorded.at ?? at
    live.markStale(seenAt)
    delayed.markStale(seenAt - freeDelaySeconds * 1_000)
  })
  return {
    live,
    delayed,
    opportunities,
    delayedOpportunities,
    bookSets,
    futures,
    gameStates,
    gameResults,
    closes,
    splits,
    sources,
    delayedSources,
    links,
    now,
    get isRecorded() {
      return recorded.at !== null
    },
    ...createFollower(log, [...views, staleness, ...(behind ? [behind] : [])], clock),
  }
}

/** Interval of looking for expired prices, as in the pipeline. */
const staleEveryMs = 1_000

/** Creates a view that marks expired prices by the clock, even if no pipeline runs. */
function createStaleness(markStale: (at: number) => void): View {
  let lookedAt = 0
  return {
    tables: [],
    reset() {},
    apply() {},
    advance(at) {
      if (Math.abs(at - lookedAt) < staleEveryMs) return
      lookedAt = at
      markStale(at)
    },
  }
}

/** Puts the free tier's board behind its delay line. */
export const delayedBoard = (board: BoardView) =>
  createDelayLine(board, {
    delayMs: freeDelaySeconds * 1_000,
    instantOf,
    keep: ofFreeTier,
    groupOf: ({ topic, value }) =>
      topic.name === topics.odds.name ? marketOf(value as OddsRow) : null,
    // Main lines move with the prices of their market. The state of a whole sportsbook moves them too: after a start,
    // such a move may be shown up to a minute early.
    followedBy: ({ topic, key }) =>
      topic.name === topics.mainLines.name ? marketOf(questionOfKey(key)) : null,
    movesTime: ({ topic }) => topic.name === topics.sightings.name,
    cut(record, at) {
      const { eventId, sportsbook } = record.value as Sighting
      const isShown = board.find(eventId)?.offers.has(sportsbook) ?? false
      return isShown
        ? { ...record, value: { ...(record.value as Sighting), lastSeenAt: at } }
        : null
    },
  })

const marketOf = ({ eventId, marketType }: Pick<OddsRow, 'eventId' | 'marketType'>) =>
  `${eventId} ${marketType}`

/** Puts the sportsbook statuses of the free tier behind its delay line. */
const delayedStatuses = (sources: SourcesView) =>
  createDelayLine(sources, {
    delayMs: freeDelaySeconds * 1_000,
    instantOf,
    keep: (record) =>
      record.topic.name === topics.sportsbookStatus.name ? ofFreeTier(record) : null,
  })

/** Puts rows of opportunities behind the delay line. @param live the board by which those with other bets are left out */
function delayedRows(opportunities: Map<string, OpportunityRow>, { rows }: BoardView) {
  const { free } = tierBooks
  const isElsewhere = (oddsId: number) => {
    const row = rows.find(oddsId)
    // During a replay the price may come later.
    return row >= 0 && free !== null && !free.has(rows.sighted(row).sportsbook)
  }
  const view = {
    ...readTables(keepRows(topics.opportunities, opportunities)),
    reset: () => opportunities.clear(),
  }
  return createDelayLine(view, {
    delayMs: freeDelaySeconds * 1_000,
    instantOf: ({ value }) => (value as OpportunityRow).detectedAt,
    keep: (record) =>
      (record.value as OpportunityRow | null)?.legs.some(isElsewhere) ? null : record,
  })
}

/** Returns what the free tier may know of a record; null for nothing. */
function ofFreeTier(record: LogRecord): LogRecord | null {
  const { topic, value } = record
  const { free } = tierBooks
  // All events pass, because the view does not list events without rows.
  if (value === null || !free || topic.name === topics.events.name) return record
  if (topic.name === topics.mainLines.name) {
    return { ...record, value: mainLinesAmong(free, value as MainLineRow) }
  }
  const { sportsbook } = value as OddsRow | Sighting | SportsbookStatus | WithheldPrice
  return free.has(sportsbook) ? record : null
}

/**
 * Returns the main lines for a board of the free tier's sportsbooks alone; null if none of them has
 * prices for the question.
 */
function mainLinesAmong(free: ReadonlySet<string>, row: MainLineRow): MainLineRow | null {
  const line = row.lines[freeSet]!
  if (line === null) return null
  return {
    ...row,
    lines: row.lines.map(() => line),
    own: row.own.filter(({ sportsbook }) => free.has(sportsbook)),
  }
}

const freeSet = mainLineSets.indexOf('free')

function instantOf({ topic, value }: LogRecord): number {
  if (topic.name === topics.odds.name) return (value as OddsRow).observedAt
  if (topic.name === topics.sightings.name) return (value as Sighting).lastSeenAt
  if (topic.name === topics.sportsbookStatus.name) return (value as SportsbookStatus).since
  if (topic.name === topics.withheldPrices.name) return (value as WithheldPrice).since
  return (value as EventRow).updatedAt
}
