/**
 * Every data file beside the code is validated where it is imported: with one wrong value the built service does not
 * start, and the error names the file.
 */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const paths = ['schemas', 'pipeline', 'api'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => !/^api\/(?:clients|web)\/|node_modules/.test(path)),
)
const dataFiles = paths.filter((path) => path.endsWith('.json'))
const sources = paths.filter((path) => path.endsWith('.ts'))

/** Returns the module that imports a data file. */
function readerOf(file: string): string | undefined {
  const imported = /^import .* from '([^']+[.]json)' with/gm
  return sources.find((path) =>
    [...readFileSync(join(projectRoot, path), 'utf8').matchAll(imported)].some(
      ([, relative]) => join(dirname(path), relative!) === file,
    ),
  )
}

/** Loads modules of `dist` anew for each query, and replaces the first value of the query's file by `{}`. */
const hooks = `
export async function resolve(name, context, next) {
  const found = await next(name, context)
  const query = context.parentURL && new URL(context.parentURL).search
  return query && found.url.includes('/dist/') ? { ...found, url: found.url + query } : found
}
export async function load(url, context, next) {
  const { pathname, searchParams } = new URL(url)
  const loaded = await next(url, context)
  if (!pathname.endsWith('/dist/' + searchParams.get('wrong'))) return loaded
  return { ...loaded, source: JSON.stringify(spoilt(JSON.parse(loaded.source))) }
}
function spoilt(value) {
  if (value === null || typeof value !== 'object') return {}
  const [first] = Object.keys(value)
  return Array.isArray(value) ? value.with(0, spoilt(value[0])) : { ...value, [first]: spoilt(value[first]) }
}
`
const program = `
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'
const [root, hooks, ...pairs] = process.argv.slice(1)
register('data:text/javascript,' + encodeURIComponent(hooks))
for (const pair of pairs) {
  const [file, reader] = pair.split(' ')
  const query = '?wrong=' + encodeURIComponent(file)
  const said = await import(pathToFileURL(root + '/dist/' + reader) + query).then(() => 'taken', (error) => error.message)
  console.log(file + ': ' + said)
}
`

test('a wrong data file is refused by its name', () => {
  expect(dataFiles.length).toBeGreaterThan(30)
  const pairs = dataFiles.map((file) => `${file} ${readerOf(file)?.replace(/\.ts$/, '.js')}`)
  const args = ['--input-type=module', '-e', program, '--', projectRoot, hooks, ...pairs]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const said = stdout.trim().split('\n')
  expect(stderr.replaceAll(/.*Warning.*\n/g, '')).toBe('')
  expect(said.map((line) => line.replace(/ is not of its shape: .*/, ''))).toEqual(
    dataFiles.map((file) => `${file}: ${file}`),
  )
})
