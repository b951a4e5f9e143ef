/**
 * `npm run generate`: makes the clients' generated files when they are missing or older than their sources. They are
 * not in git. It is plain JavaScript because it runs before anything is compiled.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const made = [
  'api/clients/typescript/src/generated/routes.ts',
  'api/clients/typescript/src/generated/stream-filters.ts',
  'api/clients/typescript/src/generated/tables.ts',
  'api/clients/typescript/src/generated/families.ts',
  'api/clients/typescript/src/generated/attributes.ts',
  'api/clients/python/src/overround/_generated.py',
]
const followed = ['schemas', 'pipeline', 'api', 'infra/clients', 'package.json']
const isOfOthers = /^api\/(?:clients|web)\//

const writtenAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

function newest() {
  const files = followed.flatMap((folder) =>
    folder.includes('.')
      ? [folder]
      : readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  return Math.max(...files.filter((file) => !isOfOthers.test(file)).map(writtenAt))
}

if (Math.min(...made.map(writtenAt)) <= newest()) {
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  if (existsSync(tsx)) {
    const program = join(import.meta.dirname, 'generate.ts')
    const { status } = spawnSync(process.execPath, [tsx, program], { cwd: root, stdio: 'inherit' })
    process.exitCode = status ?? 1
  } else {
    console.error(
      'The generated files of the clients are missing or old. Run npm ci, then try again.',
    )
    process.exitCode = 1
  }
}
