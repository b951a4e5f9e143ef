/** Whether a sportsbook's feed is up, and since when: one row per sportsbook. */
export interface SportsbookStatus {
  readonly sportsbook: string
  readonly status: 'up' | 'down'
  /** When the feed last said so (epoch ms). */
  readonly since: number
}
