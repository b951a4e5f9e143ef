/**
 * Runs a recording through the processor of the service, in this process: the replay feed's records
 * in order, by only the recording's own clock, so that a file always gives the same moments.
 *
 * Between two records the clock ticks every minute, as long as unseen prices can stay on the board.
 * So prices expire in time and not only at the next record.
 */

import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import { topics } from '../../schemas/topics.ts'
import { openReplay, type ReplayOptions } from '../feeds/replay/replay.ts'
import { createSink } from '../feeds/sink.ts'
import type { Append, LogRecord } from '../log/log.ts'
import { serviceProcessor } from '../processors/service-processor.ts'
import type { Chains } from '../rules/odds/chains.ts'
import type { Fees } from '../rules/odds/fees.ts'
import { preMatchExpiryMs } from '../rules/odds/freshness.ts'

const minuteMs = 60_000
/** Minutes after which all prices that were not seen again have expired. */
const minutesWatched = Math.ceil(preMatchExpiryMs / minuteMs) + 1

/** The changes at one time of a recording. */
export interface Moment {
  /** Epoch ms; never decreases. */
  readonly at: number
  /** Whether only time has passed. */
  readonly isTick: boolean
  /** Changes of tables, in the order of the commit. */
  readonly changes: readonly Append[]
}

/** A recording, and how to use its sportsbooks. */
export interface RecordingToRun extends Pick<ReplayOptions, 'path' | 'league'> {
  /** Ids of sportsbooks to leave out. */
  readonly without?: ReadonlySet<string>
  /** Ids of sportsbooks that are only used to measure others. */
  readonly references?: ReadonlySet<string>
  /** Fees that are subtracted from prices in opportunities; by default none. */
  readonly fees?: Fees
}

export interface RunOfRecording {
  /** Counts of records by type, and of left-out records by reason. */
  readonly counts: ReadonlyMap<string, number>
  /** Ids of all sportsbooks of the recording, even those that were left out. */
  readonly sportsbooks: ReadonlySet<string>
}

/**
 * @param chain what +EV is measured against
 * @param take called for each moment
 * @throws RecordingError when the path holds no recording
 * @throws DecisionError when a record breaks the processor, which is a bug
 */
export async function runRecording(
  { without, references, fees, ...recording }: RecordingToRun,
  chain: Chains,
  signal: AbortSignal,
  take: (moment: Moment) => void,
): Promise<RunOfRecording> {
  const counts = new Map<string, number>()
  const sportsbooks = new Set<string>()
  const rules = { ...(references && { references }), ...(fees && { fees }) }
  const state = serviceProcessor(chain, rules).create(counts)
  let offset = 0
  let now: number | null = null

  function decide(appends: readonly Append[], at: number, isTick: boolean) {
    const records = appends.map(({ topic, key, value }): LogRecord => {
      return { topic, key, value, partition: 0, offset: offset++ }
    })
    take({ at, isTick, changes: state.decide(records) })
  }

  function tick(at: number) {
    const value: TickRecord = { type: 'tick', observedAt: at, isRecorded: true }
    decide([{ topic: topics.feedOdds, partitionKey: 0, key: 'tick', value } as Append], at, true)
    now = at
  }

  /** Runs one step: the appended records, and the tick that ends it. */
  async function append(appends: readonly Append[]) {
    const stated = appends.filter(({ topic, value }) => {
      if (topic.name === topics.feedRejected.name) return false
      const { sportsbook } = value as { readonly sportsbook?: string }
      if (sportsbook === undefined) return true
      sportsbooks.add(sportsbook)
      return !without?.has(sportsbook)
    })
    const ticks = stated.filter(({ value }) => (value as FeedRecord | TickRecord).type === 'tick')
    const [last] = ticks
    const stepAt = last ? (last.value as TickRecord).observedAt : now
    if (stepAt === null) return
    for (let i = 1; now !== null && i <= minutesWatched && now + minuteMs < stepAt; i++) {
      tick(now + minuteMs)
    }
    const at = Math.max(now ?? stepAt, stepAt)
    decide(
      stated.filter((one) => !ticks.includes(one)),
      at,
      false,
    )
    tick(at)
  }

  const sink = createSink({ partitionCount: 1, append }, () => now ?? 0)
  await openReplay(recording).run(sink, signal)
  return { counts: new Map([...sink.counts, ...counts]), sportsbooks }
}
