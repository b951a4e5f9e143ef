/** Brokers and a registry that run, however they were started. */

export type LocalKafka = {
  /** As OVERROUND_KAFKA_BROKERS. */
  brokers: string
  /** As OVERROUND_SCHEMA_REGISTRY_URL. */
  registryUrl: string
  /** Ends what was started, and nothing that was found running. */
  stop(): Promise<void>
  /** Each process for itself; only where they are ours. */
  nodes?: readonly LocalProcess[]
  registry?: LocalProcess
}

/** One process that can be taken away and brought back on the same port and data. */
export type LocalProcess = {
  /** host:port of a broker, the base address of a registry. */
  readonly address: string
  /** Null while it does not run. */
  pid(): number | null
  /** Runs again, and answers. A broker of several answers once more than half of them run. */
  start(): Promise<void>
  /** As a deployment does: a broker hands its partitions over first. */
  end(): Promise<void>
  /** As a crash does. */
  kill(): Promise<void>
  /** Stops it where it stands, its connections open, until `resume`. */
  pause(): void
  resume(): void
}
