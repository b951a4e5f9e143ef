import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { projectRoot } from '../../schemas/project-root.ts'

const testFiles = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(test|spec)\./i.test(file))
  .map((file) => join('test', file))
  .sort()

/** Of each file that a configuration runs, the project it runs in. */
async function filesOf(config: string): Promise<Array<readonly [file: string, project: string]>> {
  const vitest = await createVitest('test', { config: join(projectRoot, config), watch: false })
  try {
    const specifications = await vitest.globTestSpecifications()
    return specifications.map(({ moduleId, project }) => [
      relative(projectRoot, moduleId),
      project.name,
    ])
  } finally {
    await vitest.close()
  }
}

test('every test file is in one lane, the one that its name says', async () => {
  const files = [
    ...(await filesOf('vitest.config.ts')),
    ...(await filesOf('vitest.kafka.config.ts')),
  ].sort()
  expect(files.map(([file]) => file)).toEqual(testFiles)
  for (const [file, project] of files) {
    const name = file.split('/').at(-1)!
    const lane = /^[^.]+\.(?:(long|nightly|kafka|nightly-kafka)\.)?test\.ts$/.exec(name)
    expect(lane && (lane[1] ?? 'quick'), file).toBe(project)
  }
})

test('the scripts run every lane, and so do CI and its nightly rest', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const ci = (file: string) => readFileSync(join(projectRoot, '.ci', file), 'utf8')
  expect(scripts.test).toMatch(/vitest run --project quick$/)
  expect(scripts['test:all']).toMatch(/vitest run --project quick --project long$/)
  expect(scripts['test:kafka']).toMatch(
    /vitest run --config vitest.kafka.config.ts --project kafka$/,
  )
  expect(scripts['test:nightly']).toBe('bash .ci/nightly')
  expect(ci('run')).toMatch(/ run_tests tests --project quick --project long$/m)
  expect(ci('run')).toMatch(/^run_tests kafka --config vitest.kafka.config.ts --project kafka /m)
  expect(ci('nightly')).toMatch(/ run_tests nightly --project nightly$/m)
  expect(ci('nightly')).toMatch(/ --config vitest.kafka.config.ts --project nightly-kafka /m)
})
