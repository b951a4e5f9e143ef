import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { projectRoot } from '../../schemas/project-root.ts'
import { filesThatDraw } from '../drawn-files.ts'

const testFiles = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(test|spec)\./i.test(file))
  .map((file) => join('test', file))
  .sort()

/** Returns each file that a configuration runs, with its project. */
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

const withoutTypes = (text: string) => text.replaceAll(/^import type [^']*'[^']*'/gm, '')

test('the soak runs every test that draws its cases, itself or by what it imports', () => {
  const texts = new Map(
    readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, withoutTypes(readFileSync(join(projectRoot, 'test', file), 'utf8'))]),
  )
  // Follows imports from the modules that draw cases to all files that import them, directly or not.
  const drawing = new Set(['seed.ts'])
  for (const [file, text] of texts)
    if (/^import .* from 'fast-check'/m.test(text)) drawing.add(file)
  for (const helper of drawing) {
    for (const [file, text] of texts) {
      const path = relative(dirname(file), helper)
      const written = path.startsWith('.') ? path : `./${path}`
      if (text.includes(`from '${written}'`) || text.includes(`import '${written}'`)) {
        drawing.add(file)
      }
    }
  }
  const drawn = [...drawing].filter((file) => /^(?!.*kafka).*\.test\.ts$/.test(file))
  expect(filesThatDraw()).toEqual(drawn.map((file) => join('test', file)).sort())
  // One file draws by itself, the other by a helper.
  expect(filesThatDraw()).toEqual(
    expect.arrayContaining(['test/web/board-parts.test.ts', 'test/crash/embedded.long.test.ts']),
  )
})
