/** The guides name files and commands: each of them has to be there. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings } from '../../pipeline/config.ts'
import { projectRoot } from '../../schemas/project-root.ts'

const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'api/clients/typescript/README.md',
  'api/clients/python/README.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const folders = ['schemas', 'pipeline', 'api', 'infra', 'benchmarks', 'test']

const fileNames = new Set(
  folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      basename(file),
    ),
  ),
)
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

test.each(guides)('what %s names is there', (guide) => {
  const text = readFileSync(join(projectRoot, guide), 'utf8')
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!)
  // With a placeholder or a star it is no one file.
  const paths = named.filter((code) => /^[\w./-]+$/.test(code))
  const missingPaths = paths.filter(
    (path) => folders.some((folder) => path.startsWith(`${folder}/`)) && !isThere(path),
  )
  const missingFiles = paths.filter(
    (path) => !path.includes('/') && /[a-z]\.(ts|json|md)$/.test(path) && !isThere(path),
  )
  const links = [...text.matchAll(/\]\((?!http|#)([^)#]+)/g)].map(([, link]) => link!)
  const brokenLinks = links.filter((link) => !existsSync(join(projectRoot, guide, '..', link)))
  const commands = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:]*)/g)].map(
    ([, script]) => script!,
  )
  expect({
    missingPaths,
    missingFiles,
    brokenLinks,
    missingScripts: commands.filter((script) => !(script in scripts)),
  }).toEqual({ missingPaths: [], missingFiles: [], brokenLinks: [], missingScripts: [] })
})

/** A path from the root, or the bare name of a file somewhere. */
function isThere(path: string): boolean {
  return existsSync(join(projectRoot, path)) || fileNames.has(path)
}

test('every setting is in the guide of settings, and no other', () => {
  const names = (text: string) => [...new Set(text.match(/\bOVERROUND_\w+/g))].toSorted()
  const guide = readFileSync(join(projectRoot, 'docs', 'settings.md'), 'utf8')
  const rows = guide.split('\n').filter((line) => line.startsWith('| `OVERROUND_'))
  const firstCells = rows.map((row) => row.split('|')[1]!)
  expect(names(firstCells.join())).toEqual(names(describeSettings()))
})

test('the list of guides has every guide', () => {
  const list = readFileSync(join(projectRoot, 'docs', 'README.md'), 'utf8')
  const names = readdirSync(join(projectRoot, 'docs')).filter((name) => name.endsWith('.md'))
  expect(names.filter((name) => name !== 'README.md' && !list.includes(`](${name})`))).toEqual([])
})
