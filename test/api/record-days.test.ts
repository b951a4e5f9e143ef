import { describe, expect, it } from 'vitest'
import { daysOf } from '../../api/routes/record.ts'
import { archiveTime } from '../../pipeline/archive/archived-tables.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const daysFrom = (query: { from?: string; to?: string }) => {
  const { from, to } = daysOf({ from: undefined, to: undefined, ...query }, now)
  return [from, to].map((at) => archiveTime(at).slice(0, 10))
}

describe('the days of a record', () => {
  it.each([
    [{}, ['2026-11-14', '2026-11-21']],
    [{ to: '2026-11-01' }, ['2026-10-26', '2026-11-02']],
    [{ from: '2026-11-19' }, ['2026-11-19', '2026-11-21']],
    [{ to: '9999-12-31' }, ['2199-12-25', '2200-01-01']],
    [{ from: '0001-01-01', to: '1970-01-01' }, ['1970-01-01', '1970-01-02']],
  ])('of %j are whole, and within those of the archive', (query, days) => {
    expect(daysFrom(query)).toEqual(days)
  })

  it.each([
    [{ from: '9999-12-30' }, 'from has to be before to.'],
    [{ from: '2026-01-01' }, 'from and to are 31 days apart at most.'],
    [{ to: '0001-01-01' }, 'from has to be before to.'],
  ])('of %j are refused', (query, message) => {
    expect(() => daysFrom(query)).toThrow(message)
  })
})
