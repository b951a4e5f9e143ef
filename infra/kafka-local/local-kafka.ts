/** The shape of running brokers and a registry, from any source. */

export type LocalKafka = {
  /** The value of OVERROUND_KAFKA_BROKERS. */
  brokers: string
  /** The value of OVERROUND_SCHEMA_REGISTRY_URL. */
  registryUrl: string
  /** Ends only processes that were started here. */
  stop(): Promise<void>
  /** Each process; only if they were started here. */
  nodes?: readonly LocalProcess[]
  registry?: LocalProcess
}

/** A process that can be stopped and started again on the same port and data. */
export type LocalProcess = {
  /** host:port of a broker, base URL of a registry. */
  readonly address: string
  /** Null while it does not run. */
  pid(): number | null
  /** Resolves when it responds. A broker of several responds once more than half of them run. */
  start(): Promise<void>
  /** An orderly shutdown: a broker hands over its partitions first. */
  end(): Promise<void>
  /** Ends it like a crash. */
  kill(): Promise<void>
  /** Pauses it until `resume`; its connections stay open. */
  pause(): void
  resume(): void
}
