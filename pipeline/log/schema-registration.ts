/** Registering schemas where it harms nothing that is stored already. */

import { setTimeout as delay } from 'node:timers/promises'
import { LogSetupError } from './log.ts'
import { RegistryRefusedError, type SchemaRegistry } from './schema-registry.ts'

/** The subject of a topic's values, as every client of a registry names it. */
export const subjectOf = (topicName: string) => `${topicName}-value`

/** @param topic by its name on the cluster; false for one that is not there */
export type HoldsRecords = (topic: string) => Promise<boolean>

/**
 * Registers a schema of a topic's values. Records name the schema that they were written with by its id, so a
 * registry that has lost its data, or is another one, would have them read by whatever gets their ids next.
 * @returns its id
 * @throws LogSetupError where the registry takes no such change, or knows no schema of a topic that holds records
 */
export async function registerSchema(
  registry: SchemaRegistry,
  topic: string,
  schema: object,
  holdsRecords: HoldsRecords,
): Promise<number> {
  const subject = subjectOf(topic)
  // In this order: another process may register it, and write, meanwhile.
  if ((await holdsRecords(topic)) && !(await registry.isKnown(subject))) {
    throw new LogSetupError(
      `${topic} holds records, and the schema registry knows no schema of them (${subject}): it is not the registry that they were written with, or has lost its data. Bring that back, or begin anew under another OVERROUND_KAFKA_TOPIC_PREFIX`,
    )
  }
  for (let attempts = 0; ; attempts++) {
    try {
      return await registry.register(subject, schema)
    } catch (error) {
      // A conflict is either a mistake or another process half-way through registering the same schema
      // for the first time: the latter passes.
      if (!(error instanceof RegistryRefusedError) || error.status !== 409) throw error
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
