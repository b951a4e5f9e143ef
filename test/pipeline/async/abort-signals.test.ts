import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { within } from '../../../pipeline/async/abort-signals.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('a time limit beside another signal ends the wait, also after garbage was collected', async () => {
  const stop = new AbortController()
  const waits = Array.from({ length: 8 }, () => {
    const { signal } = within(500, stop.signal)
    const both = AbortSignal.any([signal, new AbortController().signal])
    return new Promise((resolve) => both.addEventListener('abort', resolve))
  })
  for (let times = 0; times < 3; times++) {
    collectGarbage()
    await delay(10)
  }
  await Promise.all(waits)
})

it('a time limit ends early with its signal, and not once it is forgotten', async () => {
  const stop = new AbortController()
  const early = within(60_000, stop.signal)
  const forgotten = within(1)
  forgotten.forget()
  stop.abort()
  expect(early.signal.aborted).toBe(true)
  await delay(20)
  expect(forgotten.signal.aborted).toBe(false)
})
