/** A build of this tree in place of a later version: the same programs, one more field in rows and statements. */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'

/** The changed schemas, with their topics. */
export const changedSchemas = [
  { file: 'feed-odds.avsc', topic: 'feed.odds' },
  { file: 'events.avsc', topic: 'events' },
  { file: 'odds.avsc', topic: 'odds' },
  { file: 'sightings.avsc', topic: 'sightings' },
  { file: 'opportunities.avsc', topic: 'opportunities' },
] as const

export const addedField = 'saidByTheNewer'

/** The new field, with the value that all its records have. */
const field = { name: addedField, type: ['string', 'null'], default: 'something' }

/** @returns the directory of the build, inside `directory` */
export function makeNewerBuild(directory: string): string {
  const root = join(directory, 'newer')
  const schemas = join('schemas', 'avro')
  mkdirSync(root, { recursive: true })
  for (const path of ['package.json', 'dist', schemas]) {
    cpSync(join(projectRoot, path), join(root, path), { recursive: true })
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  for (const { file } of changedSchemas) {
    const path = join(root, schemas, file)
    const schema = JSON.parse(readFileSync(path, 'utf8')) as { fields: object[] }
    schema.fields.push(field)
    writeFileSync(path, JSON.stringify(schema))
  }
  return root
}
