/** Registers schemas, but only if that harms no stored record. */

import { setTimeout as delay } from 'node:timers/promises'
import { LogSetupError } from '../log.ts'
import { RegistryRefusedError, type SchemaRegistry } from './schema-registry.ts'

/** Returns the subject of a topic's values, as every client of a registry names it. */
export const subjectOf = (topicName: string) => `${topicName}-value`

/** A schema of the values of a topic, with the topic's name on the cluster. */
export interface TopicSchema {
  readonly topic: string
  readonly schema: object
}

/** Returns whether a topic holds records. @param topic its name on the cluster; false for one that does not exist */
export type HoldsRecords = (topic: string) => Promise<boolean>

/**
 * Registers all schemas, or none if stored records were written with another registry. Records name
 * their schema by its id. A registry that has lost its data, or another one, would give these ids
 * to other schemas. Then records would be read by wrong schemas, and the registry's data could not
 * be restored any more.
 * @param missing all schemas that the registry lacks
 * @returns their ids by topic
 * @throws LogSetupError if the registry has no schema of a topic that holds records (then none is
 * registered), or refuses a schema; LogUnavailableError; errors of `holdsRecords`
 */
export async function registerSchemas(
  registry: SchemaRegistry,
  missing: readonly TopicSchema[],
  holdsRecords: HoldsRecords,
): Promise<ReadonlyMap<string, number>> {
  const isUnreadable = await Promise.all(
    missing.map(
      async ({ topic }) =>
        // In this order, because another process may register it and then write records meanwhile.
        (await holdsRecords(topic)) && !(await registry.isKnown(subjectOf(topic))),
    ),
  )
  const unreadable = missing.flatMap(({ topic }, index) => (isUnreadable[index] ? [topic] : []))
  if (unreadable.length > 0) {
    throw new LogSetupError(
      `the schema registry knows no schema of topics that hold records (${unreadable.join(', ')}): it is not the registry that they were written with, or has lost its data. Nothing was registered. Bring its data back, or begin anew under another OVERROUND_KAFKA_TOPIC_PREFIX`,
    )
  }
  const ids = await Promise.all(missing.map((each) => register(registry, each)))
  return new Map(missing.map(({ topic }, index) => [topic, ids[index]!]))
}

async function register(registry: SchemaRegistry, { topic, schema }: TopicSchema): Promise<number> {
  const subject = subjectOf(topic)
  for (let attempts = 0; ; attempts++) {
    try {
      return await registry.register(subject, schema)
    } catch (error) {
      if (!(error instanceof RegistryRefusedError)) throw error
      // A conflict is a mistake, or another process is just registering the same schema; then it
      // goes away.
      if (error.status !== 409) {
        throw new LogSetupError(`${subject}: ${error.message}`, { cause: error })
      }
      if (attempts === 4) {
        throw new LogSetupError(
          `${subject}: the registry takes no such change of the schema: ${error.message}`,
          { cause: error },
        )
      }
      await delay(200)
    }
  }
}
