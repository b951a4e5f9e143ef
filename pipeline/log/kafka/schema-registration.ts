/** Registration of schemas, only where it harms no stored record. */

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
 * Registers schemas: all of them, or none where the registry is not the one that records were written with. Records
 * name their schema by its id. A registry that has lost its data, or is another one, assigns these ids anew: the
 * records would be read by the wrong schemas, and the registry's data could no longer be restored.
 * @param missing all schemas that the registry lacks
 * @returns their ids by topic
 * @throws LogSetupError where the registry knows no schema of a topic that holds records (nothing is registered
 * then), or refuses a schema; LogUnavailableError; errors of `holdsRecords`
 */
export async function registerSchemas(
  registry: SchemaRegistry,
  missing: readonly TopicSchema[],
  holdsRecords: HoldsRecords,
): Promise<ReadonlyMap<string, number>> {
  const isUnreadable = await Promise.all(
    missing.map(
      async ({ topic }) =>
        // In this order: another process may register it, and write, meanwhile.
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
      // A conflict is either a mistake or another process half-way through registering the same schema
      // for the first time: the latter passes.
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
