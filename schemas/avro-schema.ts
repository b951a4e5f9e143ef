/**
 * Reads the Avro schemas in `avro/`. An enum whose values the code already lists is named there and filled in here, so
 * that a value is added in one place.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type avro from 'avsc'
import { devigMethods } from './fair-measure.ts'
import { opportunityKinds } from './opportunity.ts'
import { lifeEnds } from './opportunity-life.ts'
import { projectRoot } from './project-root.ts'
import { audiences, sourceStates } from './source.ts'

/** The values of each enum. Stored rows name a value by its place: a new one goes to the end. */
const symbolsOf: Readonly<Record<string, readonly string[]>> = {
  OpportunityKind: opportunityKinds,
  DevigMethod: devigMethods,
  LifeEnd: lifeEnds,
  SourceState: sourceStates,
  SourceAudience: audiences,
}

/**
 * Reads a schema whole, as it is registered.
 * @param name the file's name without its ending
 */
export function readAvroSchema(name: string): avro.Schema {
  const path = join(projectRoot, 'schemas', 'avro', `${name}.avsc`)
  return JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    key === 'type' && Object.hasOwn(symbolsOf, value)
      ? { type: 'enum', name: value, symbols: symbolsOf[value] }
      : value,
  )
}
