/**
 * How far pipelines and this API are behind the log, and since when pipelines stand still, by partition. The log is
 * asked, see `polled-figure.ts`.
 */

import type { Log } from '../../pipeline/log/log.ts'
import { createPolledFigure, type PolledFigure } from '../../pipeline/metrics/polled-figure.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import type { Boards } from '../boards.ts'

export interface Lags {
  /** Records of feeds that no pipeline has committed. */
  readonly pipelines: PolledFigure<readonly number[]>
  /** Records of tables that the live board has not; no answer while the board has not begun to read. */
  readonly api: PolledFigure<readonly number[]>
  /** What is known of pipelines that stand still; null behind an outage of the log until it answers again. */
  readonly silence: PolledFigure<Silence>
  /**
   * Asks for what the check `pipelines` of `/health` goes by, of which only those know who ask again and again. To be
   * called every second; how often the log is asked is the figures' own business.
   */
  poll(): void
}

export interface Silence {
  /**
   * For how long no pipeline has committed anything (ms), as far as this process has seen. A pipeline that runs commits
   * every second, if only the tick of the clock.
   */
  readonly byPartition: readonly number[]
  /** How old the answer of the log is by which that is known (ms). */
  readonly answerAgeMs: number
}

type LagLog = Pick<Log, 'behind' | 'committed' | 'lagByPartition' | 'outage'>

/** @param monotonic ms */
export function createLags(
  log: LagLog,
  boards: Pick<Boards, 'live' | 'isRecorded'>,
  monotonic: () => number,
): Lags {
  const { inputs, name: group } = serviceProcessor([])
  const { live } = boards
  const pipelines = createPolledFigure(() => log.lagByPartition(inputs, group), monotonic)
  const silence = createSilence(
    () => log.committed(inputs, group),
    () => log.outage() !== null,
    monotonic,
  )
  return {
    pipelines,
    api: createPolledFigure(async () => {
      if (!live.position) throw new Error('the board has not begun to read')
      return log.behind(live.position)
    }, monotonic),
    silence,
    poll() {
      silence.last()
      if (boards.isRecorded) pipelines.last()
    },
  }
}

/**
 * Keeps since when each partition's offset has stood, so that the silence goes on while a question hangs or fails.
 * @param isAway whether the log does not answer anybody: pipelines cannot commit then, so all counts begin anew
 */
function createSilence(
  readCommitted: () => Promise<readonly number[]>,
  isAway: () => boolean,
  monotonic: () => number,
): PolledFigure<Silence> {
  interface HeldOffset {
    readonly offset: number
    readonly since: number
  }
  let known: { readonly offsets: readonly HeldOffset[]; readonly answeredAt: number } | null = null

  const commits = createPolledFigure(async () => {
    const committed = await readCommitted()
    const answeredAt = monotonic()
    const offsets = committed.map((offset, partition) => {
      const before = known?.offsets[partition]
      return before?.offset === offset ? before : { offset, since: answeredAt }
    })
    known = { offsets: offsets, answeredAt }
  }, monotonic)

  function silenceNow(): Silence | null {
    if (isAway()) known = null
    if (!known) return null
    const now = monotonic()
    return {
      byPartition: known.offsets.map(({ since }) => now - since),
      answerAgeMs: now - known.answeredAt,
    }
  }

  return {
    last() {
      commits.last()
      return silenceNow()
    },
    async now() {
      await commits.now()
      return silenceNow()
    },
  }
}
