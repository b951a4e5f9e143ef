/**
 * Reads writers' schemas by id, from the cache or the registry. A replica of the registry that is
 * behind does not know a new schema yet. So a missing schema is requested again for some seconds,
 * and at later records.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { KafkaLogger } from './connection.ts'
import type { SchemaCache } from './schema-cache.ts'
import type { SchemaRegistry } from './schema-registry.ts'

/** @returns null for a schema that is not in the registry now @throws LogUnavailableError as the registry */
export type SchemaReader = (id: number) => Promise<object | null>

export interface SchemaReaderOptions {
  readonly registry: Pick<SchemaRegistry, 'schema'>
  readonly cache: Pick<SchemaCache, 'schema' | 'keepSchema'>
  readonly logger: KafkaLogger
  /** Monotonic ms. */
  readonly now?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

/** The pauses before a missing schema is asked for again: eight seconds in all. */
const pausesMs = [250, 500, 1_000, 2_000, 4_000]
/**
 * For this long, a missing schema is not requested again, and no call waits for other missing ones.
 * Otherwise a topic of broken records, each with another schema, would stand still.
 */
const askAgainMs = 30_000

export function createSchemaReader(options: SchemaReaderOptions): SchemaReader {
  const { registry, cache, logger, now = () => performance.now() } = options
  const { pause = (ms) => delay(ms, undefined, { ref: false }) } = options
  /** When missing schemas were last requested, by id. */
  const missing = new Map<number, number>()
  const underWay = new Map<number, Promise<object | null>>()
  let waitedInVainAt = Number.NEGATIVE_INFINITY

  const isLately = (at: number) => now() - at < askAgainMs

  async function ask(id: number): Promise<object | null> {
    const pauses = missing.has(id) || isLately(waitedInVainAt) ? [] : pausesMs
    let schema = await registry.schema(id)
    for (const ms of pauses) {
      if (schema) break
      await pause(ms)
      schema = await registry.schema(id)
    }
    if (schema) found(id, schema)
    else miss(id, 1 + pauses.length)
    return schema
  }

  function found(id: number, schema: object) {
    if (missing.delete(id)) logger.info({ id }, 'a schema that was missing is in the registry')
    cache.keepSchema(id, schema)
  }

  function miss(id: number, tries: number) {
    if (tries > 1) waitedInVainAt = now()
    if (!missing.has(id)) {
      logger.warn({ id, tries }, 'a schema is not in the registry: its records are left out')
    }
    missing.set(id, now())
  }

  return async (id) => {
    const known = cache.schema(id)
    if (known) return known
    const missedAt = missing.get(id)
    if (missedAt !== undefined && isLately(missedAt)) return null
    let asking = underWay.get(id)
    if (!asking) {
      asking = ask(id).finally(() => underWay.delete(id))
      underWay.set(id, asking)
    }
    return asking
  }
}
