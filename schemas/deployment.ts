/**
 * The deployment that a log belongs to: two rows of the compacted topic `deployments`, both in partition 0. `own` is
 * the deployment that the log belongs to, written by its first pipeline and whenever its settings change; `refused`
 * is the other deployment that was refused last.
 */
export interface DeploymentRow {
  /** Null if it has no name. */
  readonly name: string | null
  readonly prices: PriceOrigin
  /** The settings that decisions depend on, as text by name. */
  readonly settings: Readonly<Record<string, string>>
  /** The process that wrote the row: host and process id. */
  readonly process: string
  /** Epoch ms. */
  readonly writtenAt: number
}

/** The origin of a log's prices: sportsbooks, the simulator, or a recording. */
export type PriceOrigin = 'live' | 'simulated' | 'recorded'

export type DeploymentKey = 'own' | 'refused'
