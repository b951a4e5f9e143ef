import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const files = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts'),
)

/** A time limit: of a test or hook (`}, 60_000)`, `}, installMs)`), of a poll, or of vitest's own waits. */
const limits = [
  /\n *\},\s+(?!0\))[\d_]{5,},?\s*\)/g,
  /\n *\},\n *\w+Ms,\n *\)/g,
  /\btimeout: [\d_]+/g,
  /\bvi\.wait(?:For|Until)\(/g,
]

test('no test has a time limit of its own: `patienceMs` ends endless waits', () => {
  const own = files.flatMap((file) => {
    const text = readFileSync(join(projectRoot, 'test', file), 'utf8')
    const found = limits.flatMap((limit) => text.match(limit) ?? [])
    return found.map((limit) => `${file}: ${limit.replaceAll(/\s+/g, ' ').trim()}`)
  })
  expect(own).toEqual([])
})

/**
 * A timeout as the signal of one request, which holds it. One that only `AbortSignal.any` refers to may be collected:
 * it never aborts then.
 */
const heldTimeout = /(?:\bsignal: |\bconst isOver = )AbortSignal\.timeout\(/

test('a time limit beside other signals is `within`', () => {
  const lines = ['pipeline', 'api'].flatMap((room) =>
    readdirSync(join(projectRoot, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
      .flatMap((file) => readFileSync(join(projectRoot, room, file), 'utf8').split('\n')),
  )
  const timeouts = lines.filter((line) => line.includes('AbortSignal.timeout('))
  expect(timeouts.length).toBeGreaterThan(0)
  expect(timeouts.filter((line) => !heldTimeout.test(line))).toEqual([])
})
