/** The files and commands named in the guides must exist. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { tierRights, tiers } from '../../api/access/tiers.ts'
import { describeSettings } from '../../pipeline/settings/settings.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'

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

test.each(guides)('every file and command named in %s exists', (guide) => {
  const text = readFileSync(join(projectRoot, guide), 'utf8')
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!)
  // A name with a placeholder or a star is not one file.
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

/** Returns whether a path from the root, or a bare file name anywhere, exists. */
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

test('the guide of tiers has the sportsbooks of each, and how many', () => {
  const guide = readFileSync(join(projectRoot, 'docs', 'access.md'), 'utf8')
  const cells = guide
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [, , ...besides] = cells.slice(cells.findIndex(([, head]) => head === 'sees besides'))
  let below = new Set<string>()
  for (const [i, tier] of (['free', 'hobby', 'pro'] as const).entries()) {
    const books = tierBooks[tier]!
    const added = [...books].filter((id) => !below.has(id))
    expect(besides[i]).toEqual([tier, added.map((id) => `\`${id}\``).join(', ')])
    below = new Set(books)
  }
  expect(besides[3]![0]).toBe('sharp, enterprise')
  for (const tier of tiers) {
    const row = cells.find(([name, requests]) => name === tier && /^[\d,]+$/.test(requests!))!
    const { requestsPerMinute, sportsbooks, batchEvents } = tierRights[tier]
    const figures = [requestsPerMinute.toLocaleString('en'), String(sportsbooks?.size ?? 'all')]
    expect([tier, row[1], row[2], row[4]]).toEqual([tier, ...figures, String(batchEvents)])
  }
})
