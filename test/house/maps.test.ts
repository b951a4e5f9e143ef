/** The map at the door of a room names each of its files, and no other. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

/** Returns the files in the first column of a map's tables. */
const filesNamed = (map: string) =>
  map
    .split('\n')
    .flatMap((row) => row.split('|')[1]?.match(/[\w-]+\.(?:ts|json)(?!\w)/g) ?? [])
    .sort()

const filesIn = (...room: readonly string[]) =>
  readdirSync(join(projectRoot, ...room))
    .filter((name) => name !== 'README.md' && !name.endsWith('.d.ts'))
    .sort()

const mapOf = (...room: readonly string[]) =>
  readFileSync(join(projectRoot, ...room, 'README.md'), 'utf8')

test.each(['embedded', 'kafka'])('the map of the log has all files of %s', (adapter) => {
  const [section] = mapOf('pipeline', 'log').split(`## \`${adapter}/\``).slice(1)
  expect(filesNamed(section!.split('\n## ')[0]!)).toEqual(filesIn('pipeline', 'log', adapter))
})

test('the map of the kit of sources has all its files', () => {
  expect(filesNamed(mapOf('pipeline', 'feeds', 'kit'))).toEqual(filesIn('pipeline', 'feeds', 'kit'))
})
