/**
 * Responses of a schema registry, on disk: ids of our schemas by subject, and schemas of stored records by id. An id is
 * read from here only if the registry does not respond. The schema of an id is always read from
 * here, because it never changes.
 *
 * Each log has its own file, named by its epoch: another cluster has other ids, and a record written with a wrong id
 * would be decoded with a wrong schema.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'
import type { KafkaLogger } from './connection.ts'

export interface SchemaCache {
  idOf(subject: string, schema: object): number | null
  keepId(subject: string, schema: object, id: number): void
  schema(id: number): object | null
  keepSchema(id: number, schema: object): void
}

const content = z.object({
  ids: z.record(z.string(), z.number().int()),
  schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/** @param path null to keep the responses in memory only */
export function openSchemaCache(path: string | null, logger: KafkaLogger): SchemaCache {
  const { ids, schemas } = (path !== null && readCache(path)) || { ids: {}, schemas: {} }

  function save() {
    if (path === null) return
    try {
      mkdirSync(dirname(path), { recursive: true })
      // Processes and threads share the file. So its content is merged with ours, written to
      // another file, and that one renamed.
      const aside = `${path}.${process.pid}-${threadId}`
      const others = readCache(path)
      const all = { ids: { ...others?.ids, ...ids }, schemas: { ...others?.schemas, ...schemas } }
      writeFileSync(aside, JSON.stringify(all))
      renameSync(aside, path)
    } catch (err) {
      logger.warn({ err, path }, 'schemas are not kept: the next start needs the registry')
    }
  }

  const keyOf = (subject: string, schema: object) =>
    `${subject} ${createHash('sha256').update(JSON.stringify(schema)).digest('hex')}`

  return {
    idOf: (subject, schema) => ids[keyOf(subject, schema)] ?? null,
    keepId(subject, schema, id) {
      const key = keyOf(subject, schema)
      if (ids[key] === id) return
      ids[key] = id
      save()
    },
    schema: (id) => schemas[id] ?? null,
    keepSchema(id, schema) {
      schemas[id] = schema as Record<string, unknown>
      save()
    },
  }
}

/** Returns null if the file is missing or invalid: then the registry is needed. */
function readCache(path: string) {
  try {
    return content.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
