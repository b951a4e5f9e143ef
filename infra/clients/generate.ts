/**
 * Generates files of the clients: the TypeScript client's types and the Python client's columns from the OpenAPI
 * document, stream filters from the table of filters, the channels of tables, the attributes of prices, and the families
 * of opportunities.
 * `generate.mjs` decides when.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRoutes, type RouteParts } from '../../api/routes/all-routes.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { attributesSource } from './attributes-source.ts'
import { familiesSource } from './families-source.ts'
import { filtersSource } from './filters-source.ts'
import { pythonSource } from './python-source.ts'
import { type OpenApiDocument, routesSource } from './routes-source.ts'
import { tablesSource } from './tables-source.ts'

/** Stands for the parts of a running service, which only requests would use. */
const absent: unknown = new Proxy(() => undefined, { get: () => absent, apply: () => absent })
const parts = new Proxy({} as RouteParts, {
  get: (_, name) => (name === 'chain' || name === 'linkHosts' ? [] : absent),
})

function documentOf(): OpenApiDocument {
  const route = createRoutes(parts).find(({ path }) => path.endsWith('/openapi.json'))
  if (route?.kind !== 'action') throw new Error('no route describes the others')
  const { body } = (route.handle as () => { readonly body: Uint8Array })()
  return JSON.parse(Buffer.from(body).toString())
}

function write(path: string, source: string): void {
  const file = join(projectRoot, 'api', 'clients', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
}

const description = documentOf()
write('typescript/src/generated/routes.ts', await routesSource(description))
write('typescript/src/generated/stream-filters.ts', filtersSource())
write('typescript/src/generated/tables.ts', await tablesSource())
write('typescript/src/generated/families.ts', familiesSource())
write('typescript/src/generated/attributes.ts', attributesSource())
write('python/src/overround/_generated.py', pythonSource(description))
