/** How a cluster is reached: the client of all that talks to it. */

import { Kafka, logLevel } from 'kafkajs'
import { clientRetry } from './kafka-group.ts'

export interface KafkaLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/**
 * kafkajs's words go to our logger, one level lower than it means them: what it calls an error it
 * goes on to repeat, and a single refused request is either repeated or thrown to us.
 */
export function connectionTo(
  brokers: readonly string[],
  clientId: string,
  logger: KafkaLogger,
  requestTimeout = 30_000,
) {
  return new Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout,
    retry: clientRetry,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, level, log: { message, timestamp: _, ...fields } }) => {
        const said = { ...fields, from: `kafkajs ${namespace}` }
        const refused = message.startsWith('Response ')
        if (level === logLevel.ERROR && !refused) logger.warn(said, message)
        else logger.debug(said, message)
      },
  })
}
