import { expect, it } from 'vitest'
import { watchRegistry } from '../../../../pipeline/log/kafka/registry-watch.ts'

it('a registry that does not respond is reported once, and once when it responds again', async () => {
  const lines: string[] = []
  const note = (_fields: object, message: string) => lines.push(message)
  const logger = { debug() {}, info: note, warn: note }
  const stop = new AbortController()
  let isAway = false
  let calls = 0
  const ask = async () => {
    calls++
    if (isAway) throw new Error('ECONNREFUSED')
  }
  const outage = watchRegistry(ask, logger, stop.signal, 1)
  await expect.poll(() => calls).toBeGreaterThan(2)
  expect(outage()).toBeNull()
  isAway = true
  await expect.poll(outage).toEqual({ forMs: expect.any(Number), reason: 'ECONNREFUSED' })
  const { forMs } = outage()!
  const before = calls
  await expect.poll(() => calls).toBeGreaterThan(before + 5)
  expect(outage()!.forMs).toBeGreaterThanOrEqual(forMs)
  isAway = false
  await expect.poll(outage).toBeNull()
  expect(lines).toEqual([
    'the schema registry does not answer',
    'the schema registry answers again',
  ])
  stop.abort()
})
