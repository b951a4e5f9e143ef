import type { Audience } from './source.ts'

/** Whether a sportsbook's sources are up, since when, and who sees it: one row per sportsbook. */
export interface SportsbookStatus {
  readonly sportsbook: string
  readonly status: 'up' | 'down'
  /** The start of this status (epoch ms). */
  readonly since: number
  readonly audience: Audience
}

/**
 * Returns whether a status of this time (epoch ms) is older than the known one. Each partition has its own row of a
 * sportsbook, and a partition that is behind has an older status.
 */
export const isOutdated = (at: number, known: SportsbookStatus | undefined) =>
  known !== undefined && at < known.since
