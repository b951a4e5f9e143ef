/**
 * A recording through the processor of the service, in this process: the replay feed's records, in
 * their order, by the recording's own clock. Nothing here reads another one, so that the same file
 * always comes to the same moments.
 *
 * The clock goes from step to step. Between two steps it is told each minute for as long as a price can
 * be on the board unseen, because what is no longer seen ends then, and not with the next step.
 */

import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import { topics } from '../../schemas/topics.ts'
import { openReplay, type ReplayOptions } from '../feeds/replay/replay.ts'
import { createSink } from '../feeds/sink.ts'
import type { Append, LogRecord } from '../log/log.ts'
import { serviceProcessor } from '../processors/service-processor.ts'
import { preMatchExpiryMs } from '../rules/odds/freshness.ts'

const minuteMs = 60_000
/** After that many minutes nothing is on the board that was not seen again. */
const minutesWatched = Math.ceil(preMatchExpiryMs / minuteMs) + 1

/** What one instant of a recording changed. */
export interface Moment {
  /** Epoch ms; never before that of the moment before. */
  readonly at: number
  /** Nothing was said: time has passed. */
  readonly isTick: boolean
  /** In the tables of the service, in the order of the commit. */
  readonly changes: readonly Append[]
}

/** A recording, and what of it counts. */
export interface RecordingToRun extends Pick<ReplayOptions, 'path' | 'league'> {
  /** Sportsbooks that are left out, by id. */
  readonly without?: ReadonlySet<string>
}

export interface RunOfRecording {
  /** Records by type, and what was left out, by reason. */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * @param chain the sportsbooks that +EV is measured against, the first choice first
 * @param take called for each moment
 * @throws RecordingError for a path that holds no recording
 * @throws DecisionError where a record breaks the processor: a mistake of ours
 */
export async function runRecording(
  { without, ...recording }: RecordingToRun,
  chain: readonly string[],
  signal: AbortSignal,
  take: (moment: Moment) => void,
): Promise<RunOfRecording> {
  const counts = new Map<string, number>()
  const state = serviceProcessor(chain).create(counts)
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

  /** One step: what was said, and the tick that ends it. */
  async function append(appends: readonly Append[]) {
    const stated = appends.filter(
      ({ topic, value }) =>
        topic.name !== topics.feedRejected.name &&
        !without?.has((value as { readonly sportsbook?: string }).sportsbook ?? ''),
    )
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
  return { counts: new Map([...sink.counts, ...counts]) }
}
