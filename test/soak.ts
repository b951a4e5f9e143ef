/**
 * Runs the tests that draw their cases again and again, each round with another seed, and reports the seeds that
 * failed.
 *
 *     npm run test:soak -- --minutes 60            draws new seeds for an hour
 *     npm run test:soak -- --listed                the seeds of seeds.json, once each
 *     npm run test:soak -- --minutes 10 lives      of files with this in their names
 *
 * A failure found by a new seed becomes a fixed case: a test by hand, an example of the property, or a line of
 * `seeds.json`.
 */

import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { projectRoot } from '../schemas/project-root.ts'
import { filesThatDraw } from './drawn-files.ts'
import seeds from './seeds.json' with { type: 'json' }

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, listed: { type: 'boolean' } },
  allowPositionals: true,
})
const endsAt = performance.now() + Number(values.minutes) * 60_000
if (Number.isNaN(endsAt)) throw new Error('--minutes must be a number')

const files = filesThatDraw().filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
)

const failed: number[] = []
let rounds = 0
for (const seed of values.listed ? seeds : drawnSeeds()) {
  rounds++
  console.log(`round ${rounds}: seed ${seed}, ${files.length} files`)
  const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], {
    cwd: projectRoot,
    env: { ...process.env, OVERROUND_TEST_SEED: String(seed) },
    stdio: 'inherit',
  })
  if (status !== 0) {
    failed.push(seed)
    console.log(
      `failed with seed ${seed}; to repeat it: OVERROUND_TEST_SEED=${seed} npx vitest run <file>`,
    )
  }
}
console.log(
  `${rounds - failed.length} passed, ${failed.length} failed${failed.length > 0 ? `: seeds ${failed.join(', ')}` : ''}`,
)
process.exitCode = failed.length > 0 ? 1 : 0

function* drawnSeeds() {
  do yield randomInt(1, 2 ** 31)
  while (performance.now() < endsAt)
}
