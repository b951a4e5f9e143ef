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
    const lane = /^[^.]+\.(?:(long|kafka)\.)?test\.ts$/.exec(file.split('/').at(-1)!)
    expect(lane && (lane[1] ?? 'quick'), file).toBe(project)
  }
})

test('the scripts run every lane, and CI runs them all', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const ci = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8')
  expect(scripts.test).toMatch(/vitest run --project quick$/)
  expect(scripts['test:all']).toMatch(/vitest run$/)
  expect(scripts['test:kafka']).toMatch(/vitest run --config vitest.kafka.config.ts$/)
  // It builds once, and runs what the scripts run.
  expect(ci).toMatch(/^ {2}npx vitest run "\$@" /m)
  expect(ci).toMatch(/ run_tests tests$/m)
  expect(ci).toMatch(/^run_tests kafka --config vitest.kafka.config.ts /m)
})
