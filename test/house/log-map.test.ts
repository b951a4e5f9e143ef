/** The map at the door of the log names each file of its two adapters, and no other. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const room = join(projectRoot, 'pipeline', 'log')
const map = readFileSync(join(room, 'README.md'), 'utf8')

test.each(['embedded', 'kafka'])('the map of the log has all files of %s', (adapter) => {
  const [section] = map.split(`## \`${adapter}/\``).slice(1)
  const rows = section!.split('\n## ')[0]!.split('\n')
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[\w-]+\.ts/g) ?? [])
  const files = readdirSync(join(room, adapter)).filter((name) => !name.endsWith('.d.ts'))
  expect(named.sort()).toEqual(files.sort())
})
