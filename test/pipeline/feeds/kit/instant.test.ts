import { expect, it } from 'vitest'
import { dayOrInstantOf, instantOf } from '../../../../pipeline/feeds/kit/instant.ts'

const evening = Date.parse('2025-09-05T17:00:00Z')

it.each([
  ['2025-09-05T17:00:00Z', evening],
  ['2025-09-05T17:00:00.0000000Z', evening],
  ['2025-09-05T17:00', evening],
  ['2025-09-05 17:00:00', evening],
  ['2025-09-05 17:00:00+00', evening],
  ['2025-09-05T13:00:00-04', evening],
  ['2025-09-05T13:00:00-0400', evening],
  ['2025-09-05T13:00:00-04:00', evening],
])('reads %s', (text, at) => {
  expect(instantOf(text)).toBe(at)
  expect(dayOrInstantOf(text)).toBe(at)
})

it.each([
  '2025-09-05',
  '2025-09',
  '2025',
  '20250905',
  '12',
  '1',
  'Sep 5, 2025',
  'TBD',
  '',
  '2025-13-05T17:00:00Z',
  '2025-09-05T17:00:00Z, or later',
  1_757_091_600_000,
  null,
])('has no instant of %j', (value) => {
  expect(instantOf(value)).toBeNull()
})

it('reads a day alone where something is settled on one', () => {
  expect(dayOrInstantOf('2025-09-05')).toBe(Date.parse('2025-09-05T00:00:00Z'))
  for (const text of ['2025-09', '2025', '12', '2025-13-05']) {
    expect(dayOrInstantOf(text)).toBeNull()
  }
})
