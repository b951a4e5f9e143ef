/**
 * The state of the sources, and its effect on sportsbooks: the tables `sources`, `added-sources` and
 * `sportsbook-status` in memory, written only by their changelogs.
 */

import {
  type AddedSource,
  isServing,
  type SourceRow,
  type SourceState,
  sourceForgottenMs,
  sourceSilentMs,
} from '../../../schemas/source.ts'
import { isOutdated, type SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import { keepRows, readTables, type TableView, takeRows } from '../table.ts'

export interface SourcesView extends TableView {
  /**
   * Returns the running sources, by name. A source whose process has ended counts as down, and is
   * dropped after some time. One that the operator added is not dropped: it runs until it is
   * removed.
   * @param now epoch ms
   */
  list(now: number): readonly SourceRow[]
  /** The sources that the operator added through the API, by name. */
  readonly added: ReadonlyMap<string, AddedSource>
  sportsbook(sportsbook: string): SportsbookStatus | undefined
  /** Sportsbooks without any source that is up: their prices are not used. */
  readonly down: ReadonlySet<string>
  /** Sportsbooks that only the owner's accounts may see. Each change makes a new set. */
  readonly ownersOnly: ReadonlySet<string>
  /** Returns the sources whose state has changed since the last call, in order of change. */
  takeTurns(now: number): readonly SourceRow[]
  /** A number that grows with every change of a sportsbook's status. */
  readonly version: number
}

/** The most state changes that are kept if nobody takes them. */
const mostTurns = 1_000

export function createSourcesView(): SourcesView {
  const sources = new Map<string, SourceRow>()
  const added = new Map<string, AddedSource>()
  const sportsbooks = new Map<string, SportsbookStatus>()
  const down = new Set<string>()
  const lastStates = new Map<string, SourceState>()
  let ownersOnly: ReadonlySet<string> = new Set()
  let turns: SourceRow[] = []
  let isReplaying = true
  let version = 0

  function takeStatus(status: SportsbookStatus | null) {
    if (!status) return
    const { sportsbook, audience, since } = status
    if (isOutdated(since, sportsbooks.get(sportsbook))) return
    sportsbooks.set(sportsbook, status)
    if (status.status === 'down') down.add(sportsbook)
    else down.delete(sportsbook)
    version++
    const isOwners = audience === 'owner'
    if (ownersOnly.has(sportsbook) === isOwners) return
    const next = new Set(ownersOnly)
    if (isOwners) next.add(sportsbook)
    else next.delete(sportsbook)
    ownersOnly = next
  }

  function takeSource(row: SourceRow | null, key: string) {
    if (!row) {
      sources.delete(key)
      lastStates.delete(key)
      return
    }
    sources.set(key, row)
    if (lastStates.get(key) === row.state) return
    lastStates.set(key, row.state)
    // States from before the start of this process are not reported.
    if (!isReplaying && turns.length < mostTurns) turns.push(row)
  }

  /** Returns the row with its current state. */
  function seenAt(row: SourceRow, now: number): SourceRow {
    if (now - row.updatedAt <= sourceSilentMs || row.state === 'paused') return row
    const isDown = !isServing(row.state)
    const since = isDown ? row.since : row.updatedAt + sourceSilentMs
    return { ...row, state: 'down', reason: 'not_running', since, nextTryAt: null }
  }

  return {
    ...readTables(
      takeRows(topics.sportsbookStatus, takeStatus),
      takeRows(topics.sources, takeSource),
      keepRows(topics.addedSources, added),
    ),
    reset() {
      sources.clear()
      added.clear()
      sportsbooks.clear()
      down.clear()
      lastStates.clear()
      turns = []
      isReplaying = true
      if (ownersOnly.size > 0) ownersOnly = new Set()
      version++
    },
    caughtUp() {
      isReplaying = false
    },
    list: (now) =>
      [...sources.values()]
        .filter(
          ({ source, updatedAt }) => now - updatedAt <= sourceForgottenMs || added.has(source),
        )
        .map((row) => seenAt(row, now))
        .sort((a, b) => (a.source < b.source ? -1 : 1)),
    added,
    sportsbook: (sportsbook) => sportsbooks.get(sportsbook),
    down,
    get ownersOnly() {
      return ownersOnly
    },
    takeTurns(now) {
      if (turns.length === 0) return turns
      const taken = turns
      turns = []
      return taken.map((row) => seenAt(row, now))
    },
    get version() {
      return version
    },
  }
}
