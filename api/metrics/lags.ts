/** How far pipelines and this API are behind the log, by partition: the last answer of the log, see `asked-figure.ts`. */

import type { Log } from '../../pipeline/log/log.ts'
import { createAskedFigure } from '../../pipeline/metrics/asked-figure.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import type { Boards } from '../boards.ts'

export interface Lags {
  /** Records of feeds that no pipeline has committed; null while nobody knows. */
  pipelines(): readonly number[] | null
  /** Records of tables that the live board has not; null while nobody knows. */
  api(): readonly number[] | null
}

/** @param monotonic ms */
export function createLags(
  log: Pick<Log, 'behind' | 'lagByPartition'>,
  { live }: Pick<Boards, 'live'>,
  monotonic: () => number,
): Lags {
  const { inputs, name: group } = serviceProcessor([])
  return {
    pipelines: createAskedFigure(() => log.lagByPartition(inputs, group), monotonic),
    api: createAskedFigure(async () => (live.position ? log.behind(live.position) : []), monotonic),
  }
}
