/**
 * Every module is used, or starts something. So a new route, source, table, view, kind, channel, listener or page that
 * is in no list fails here, although it compiles.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

/** They start a process, a thread or a page, or are what other packages import. */
const starts = [
  'api/command-line/main.ts',
  'api/web/build.ts',
  'api/web/client/guide.ts',
  'api/web/client/main.tsx',
  'api/web/client/reference.ts',
  'pipeline/backup/begin-log-anew-process.ts',
  'pipeline/process/pipeline-worker.ts',
  'schemas/contracts.ts',
]

interface Module {
  readonly file: string
  readonly text: string
}

const modulesIn = (folder: string): readonly Module[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
    .map((file) => ({ file, text: readFileSync(join(projectRoot, file), 'utf8') }))

/** Matches the path in an import, also at run time and in `new URL(…, import.meta.url)`, and the word for a type's. */
const imports = /\b(?:(?:import|export) (type )?[^'"]*?from |import |import\(|URL\()\s*'(\.[^']+)'/g

const hasValues = ({ text }: Module) =>
  /^export (?:async |default )?(?:function|const|class|let|\{)/m.test(text)

test('every module is used, or starts something', () => {
  const used = new Set<string>()
  const usedAsType = new Set<string>()
  const all = ['schemas', 'pipeline', 'api', 'infra', 'benchmarks'].flatMap(modulesIn)
  for (const { file, text } of all) {
    for (const [, type, path] of text.matchAll(imports)) {
      const to = relative(projectRoot, join(projectRoot, dirname(file), path!))
      if (type) usedAsType.add(to)
      else used.add(to)
    }
  }
  // The clients are packages of their own, which users import.
  const own = all.filter(({ file }) => /^(?:schemas|pipeline|api(?!\/clients))\//.test(file))
  const unused = own.filter(
    (one) => !used.has(one.file) && (hasValues(one) || !usedAsType.has(one.file)),
  )
  expect(unused.map(({ file }) => file).toSorted()).toEqual(starts)
})
