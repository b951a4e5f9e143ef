/**
 * How far pipelines and this API are behind the log, and since when pipelines stand still, by partition. The log is
 * asked, see `asked-figure.ts`.
 */

import type { Log } from '../../pipeline/log/log.ts'
import { type AskedFigure, createAskedFigure } from '../../pipeline/metrics/asked-figure.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import type { Boards } from '../boards.ts'

export interface Lags {
  /** Records of feeds that no pipeline has committed. */
  readonly pipelines: AskedFigure<readonly number[]>
  /** Records of tables that the live board has not. */
  readonly api: AskedFigure<readonly number[]>
  /**
   * For how long no pipeline has committed anything (ms), as far as this process has seen: it has to be asked again
   * and again. A pipeline that runs commits every second, if only the tick of the clock.
   */
  readonly silence: AskedFigure<readonly number[]>
}

/** @param monotonic ms */
export function createLags(
  log: Pick<Log, 'behind' | 'committed' | 'lagByPartition'>,
  { live }: Pick<Boards, 'live'>,
  monotonic: () => number,
): Lags {
  const { inputs, name: group } = serviceProcessor([])
  const silenceOf = createSilences(monotonic)
  return {
    pipelines: createAskedFigure(() => log.lagByPartition(inputs, group), monotonic),
    api: createAskedFigure(async () => (live.position ? log.behind(live.position) : []), monotonic),
    silence: createAskedFigure(async () => {
      // What happened while the log was away is not known: it counts anew.
      const committed = await log.committed(inputs, group).catch(() => null)
      return silenceOf(committed)
    }, monotonic),
  }
}

/** @returns takes each look at what is committed, and says since when (ms ago) that has not moved, by partition */
function createSilences(monotonic: () => number) {
  let seen: readonly { readonly offset: number; readonly since: number }[] = []
  return (committed: readonly number[] | null): readonly number[] => {
    const now = monotonic()
    seen = (committed ?? []).map((offset, partition) => {
      const before = seen[partition]
      return before?.offset === offset ? before : { offset, since: now }
    })
    if (!committed) throw new Error('the log does not say what is committed')
    return seen.map(({ since }) => now - since)
  }
}
