/** A TypeScript client, compiled against the package as built. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const client = `
import type { ArbitrageItem, ErrorAnswer, OddsAnswer, OddsItem, ServerFrame, StreamEvent } from 'overround'
import { oddsItem } from 'overround/schemas/http/odds'

export function best(rows: readonly OddsItem[]): number {
  return Math.max(...rows.map(({ odds_decimal }) => odds_decimal))
}
export const legs = ({ legs }: ArbitrageItem) => legs.length
export const codeOf = (answer: OddsAnswer | ErrorAnswer): string | undefined =>
  'error' in answer ? answer.error.code : undefined
export const ids = (removed: StreamEvent<'odds:removed'>) => removed
export const seq = (frame: ServerFrame<'heartbeat'>) => frame
export const row: OddsItem = oddsItem.parse({})
// @ts-expect-error a price is a number
export const price: string = row.odds_decimal
// @ts-expect-error there is no such event
export type Stranger = StreamEvent<'odds:invented'>
`

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  },
  files: ['client.ts'],
}

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'overround-client-'))
  await mkdir(join(directory, 'node_modules'))
  await symlink(projectRoot, join(directory, 'node_modules', 'overround'))
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  await writeFile(join(directory, 'client.ts'), client)
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(tsconfig))
})
afterAll(() => rm(directory, { recursive: true }))

test('a client compiles against the exported contracts', async () => {
  const compiler = join(projectRoot, 'node_modules', '.bin', 'tsc')
  const said = await new Promise<string>((resolve) => {
    execFile(compiler, ['-p', directory], (_error, stdout, stderr) => resolve(stdout + stderr))
  })
  expect(said).toBe('')
})

test('every exported file is in the package', async () => {
  const { exports, files } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'))
  expect(files).toContain('dist')
  for (const { types, default: module } of [exports['.'], exports['./schemas/*']]) {
    expect([types, module]).toEqual([
      expect.stringMatching(/^\.\/dist\/schemas\/.*\.d\.ts$/),
      expect.stringMatching(/^\.\/dist\/schemas\/.*\.js$/),
    ])
  }
})
