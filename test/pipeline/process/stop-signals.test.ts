import { expect, it } from 'vitest'
import { createStopSignals } from '../../../pipeline/process/stop-signals.ts'

it('takes a signal that npm repeats for the same key, and a later one for an order to end', () => {
  let ms = 5_000
  const asks = createStopSignals(() => ms)
  expect(asks()).toBe('stop')
  expect(asks()).toBe('same')
  ms += 399
  expect(asks()).toBe('same')
  ms += 1
  expect(asks()).toBe('end')
})
