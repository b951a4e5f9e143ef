import { expect, it } from 'vitest'
import { createSharedResults } from '../../api/answer/shared-results.ts'

/** Creates results that are worked out when the test says so. */
function createStepped() {
  let now = 0
  const started: string[] = []
  const ends = new Map<string, { resolve(text: string): void; reject(error: Error): void }>()
  const results = createSharedResults<string>(() => now)
  return {
    started,
    ask: (key: string) =>
      results.of(key, () => {
        started.push(key)
        return new Promise<string>((resolve, reject) => ends.set(key, { resolve, reject }))
      }),
    end: (key: string) => ends.get(key)!,
    advance(ms: number) {
      now += ms
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('are worked out once for all who wait, one at a time, and kept for a minute', async () => {
  const { ask, started, end, advance } = createStepped()
  const [a, again, b] = [ask('a'), ask('a'), ask('b')]
  await settle()
  expect(started).toEqual(['a'])
  end('a').resolve('of a')
  expect(await Promise.all([a, again])).toEqual(['of a', 'of a'])
  await settle()
  expect(started).toEqual(['a', 'b'])
  end('b').resolve('of b')
  expect(await b).toBe('of b')
  advance(59_999)
  expect(await ask('a')).toBe('of a')
  expect(started).toHaveLength(2)
  advance(1)
  ask('a')
  await settle()
  expect(started).toEqual(['a', 'b', 'a'])
})

it('keep no failure', async () => {
  const { ask, started, end } = createStepped()
  const failed = ask('a')
  await settle()
  end('a').reject(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  const next = ask('a')
  await settle()
  expect(started).toEqual(['a', 'a'])
  end('a').resolve('of a')
  expect(await next).toBe('of a')
})

it('are refused when too many wait', async () => {
  const { ask, end } = createStepped()
  const waiting = Array.from({ length: 8 }, (_, at) => ask(`a${at}`))
  expect(() => ask('b')).toThrow(expect.objectContaining({ code: 'archive_busy' }))
  for (const [at, one] of waiting.entries()) {
    await settle()
    end(`a${at}`).resolve('done')
    await one
  }
})
