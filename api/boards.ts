/**
 * What the API reads: views in memory, written by the changelog alone. There are two boards, `live`,
 * and `delayed`, which is what the free tier sees: its sportsbooks, as they were a minute ago. What time
 * alone does to them without a pipeline is done here: prices that it would have withdrawn become inactive.
 */

import type { Log, LogRecord } from '../pipeline/log/log.ts'
import { type Fees, noFees } from '../pipeline/rules/odds/fees.ts'
import { type BoardView, createBoardView } from '../pipeline/views/board/board-view.ts'
import { type ClosesView, createClosesView } from '../pipeline/views/closes/closes-view.ts'
import { createFuturesView, type FuturesView } from '../pipeline/views/futures/futures-view.ts'
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
import type { View } from '../pipeline/views/view.ts'
import type { EventRow } from '../schemas/event.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { tierBooks } from '../schemas/reference/tier-books.ts'
import type { Sighting } from '../schemas/sighting.ts'
import type { SportsbookStatus } from '../schemas/sportsbook-status.ts'
import { topics } from '../schemas/topics.ts'
import type { WithheldPrice } from '../schemas/withheld-price.ts'
import { freeDelaySeconds } from './access/tiers.ts'
import { createSignedLinks, type SignedLinks } from './answer/signed-links.ts'
import { createDelayLine } from './delay-line.ts'
import { createFollower, type Follower } from './follower.ts'

export interface Boards extends Follower {
  readonly live: BoardView
  readonly delayed: BoardView
  /** Opportunities of the live board. The delayed board has none: its tier may not see opportunities. */
  readonly opportunities: OpportunityView
  readonly sources: SourcesView
  /** Of the live board, as opportunities are: the delayed tier may not see futures. */
  readonly futures: FuturesView
  /** Of the live board: the delayed tier sees no scores. */
  readonly gameStates: GameStatesView
  /** Of the live board: the delayed tier may not see closes. */
  readonly closes: ClosesView
  /** As futures. */
  readonly splits: SplitsView
  /** The addresses that lead to what is on the boards. */
  readonly links: SignedLinks
  /**
   * The time by which prices have an age and games a start (epoch ms): that of a recording while one is
   * replayed, else the clock's. Accounts, limits and stamps go by the clock.
   */
  now(): number
  /** Whether that is the time of a recording, which stands still when the recording ends. */
  readonly isRecorded: boolean
}

/**
 * @param fees those that opportunities count
 * @param links those of a test, when not given
 * @param watchers see what the views are told, before them and behind them
 */
export function createBoards(
  log: Log,
  clock: () => number,
  fees: Fees = noFees,
  links: SignedLinks = createSignedLinks(log.secret),
  { before, behind }: { readonly before?: View; readonly behind?: View } = {},
): Boards {
  const live = createBoardView({ links })
  const opportunities = createOpportunityView(live, fees)
  const futures = createFuturesView()
  const gameStates = createGameStatesView()
  const closes = createClosesView()
  const splits = createSplitsView()
  const sources = createSourcesView()
  const delayed = createBoardView({ links, ...(tierBooks.free && { books: tierBooks.free }) })
  const recorded = createRecordedTimeView()
  // Who may see a sportsbook is known before its prices are.
  const views: readonly View[] = [
    ...(before ? [before] : []),
    sources,
    live,
    opportunities,
    futures,
    gameStates,
    closes,
    splits,
    delayedBoard(delayed),
    recorded,
  ]
  const now = () => recorded.at ?? clock()
  const staleness = createStaleness((at) => {
    // The time of a recording goes on only with its records.
    const seenAt = recorded.at ?? at
    live.withholdStale(seenAt)
    delayed.withholdStale(seenAt - freeDelaySeconds * 1_000)
  })
  return {
    live,
    delayed,
    opportunities,
    futures,
    gameStates,
    closes,
    splits,
    sources,
    links,
    now,
    get isRecorded() {
      return recorded.at !== null
    },
    ...createFollower(log, [...views, staleness, ...(behind ? [behind] : [])], clock),
  }
}

/** What has expired is looked for this often, as the pipeline does. */
const staleEveryMs = 1_000

/** Lets boards go stale by the clock alone: without a pipeline nobody says so. */
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

/** The free tier's board, behind its delay. */
export const delayedBoard = (board: BoardView) =>
  createDelayLine(board, { delayMs: freeDelaySeconds * 1_000, instantOf, isKept: isForFree })

/** Events pass whichever sportsbooks offer them: the view does not list those without rows. */
function isForFree({ topic, value }: LogRecord): boolean {
  if (value === null || topic.name === topics.events.name) return true
  const { sportsbook } = value as OddsRow | Sighting | SportsbookStatus | WithheldPrice
  return tierBooks.free?.has(sportsbook) ?? true
}

function instantOf({ topic, value }: LogRecord): number {
  if (topic.name === topics.odds.name) return (value as OddsRow).observedAt
  if (topic.name === topics.sightings.name) return (value as Sighting).lastSeenAt
  if (topic.name === topics.sportsbookStatus.name) return (value as SportsbookStatus).since
  if (topic.name === topics.withheldPrices.name) return (value as WithheldPrice).since
  return (value as EventRow).updatedAt
}
