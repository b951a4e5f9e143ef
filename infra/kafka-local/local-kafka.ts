/** A broker and a registry that run, however they were started. */

export type LocalKafka = {
  /** As OVERROUND_KAFKA_BROKERS. */
  brokers: string
  /** As OVERROUND_SCHEMA_REGISTRY_URL. */
  registryUrl: string
  /** Ends what was started, and nothing that was found running. */
  stop(): Promise<void>
  /** Kills the broker as a crash would; only where the process is ours. */
  killBroker?(): Promise<void>
  /** Starts the broker again on the same port and data, after `killBroker`. */
  restartBroker?(): Promise<void>
}
