import type { Audience } from './source.ts'

/** Whether a sportsbook's sources are up, since when, and who sees it: one row per sportsbook. */
export interface SportsbookStatus {
  readonly sportsbook: string
  readonly status: 'up' | 'down'
  /** The start of this status (epoch ms). */
  readonly since: number
  readonly audience: Audience
}
