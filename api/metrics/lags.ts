/**
 * How far pipelines and this API are behind the log, and for how long pipelines have been silent, by partition. The
 * figures are polled from the log, see `polled-figure.ts`.
 */

import type { Log } from '../../pipeline/log/log.ts'
import { createPolledFigure, type PolledFigure } from '../../pipeline/metrics/polled-figure.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import type { Boards } from '../boards.ts'

export interface Lags {
  /** Records of feeds that no pipeline has committed. */
  readonly pipelines: PolledFigure<readonly number[]>
  /** Records of tables that the live board has not read; null before the board has begun to read. */
  readonly api: PolledFigure<readonly number[]>
  /** How long pipelines have been silent; null after an outage of the log until it responds again. */
  readonly silence: PolledFigure<Silence>
  /**
   * Updates the figures of the health check `pipelines`, which needs a history. To be called every second; the figures
   * limit how often they query the log.
   */
  poll(): void
}

export interface Silence {
  /**
   * Time without a commit of any pipeline (ms), as far as this process has seen. A running pipeline commits at least
   * a clock tick every second.
   */
  readonly byPartition: readonly number[]
  /** Age of the log's response that this is based on (ms). */
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
 * Records since when each partition's committed offset is unchanged, so that silence grows while a query is stuck.
 * @param isAway whether the log is down: pipelines cannot commit then, so the counts restart
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
