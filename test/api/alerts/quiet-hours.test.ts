import { expect, it } from 'vitest'
import { minutesOf, quietUntil, timeOf } from '../../../api/alerts/quiet-hours.ts'

const at = (text: string) => Date.parse(text)
const quiet = (from: string, to: string, timeZone = 'UTC') => ({
  from: minutesOf(from),
  to: minutesOf(to),
  timeZone,
})

it.each([
  ['of one day', quiet('13:00', '14:30'), '2026-11-20T13:00:00Z', '2026-11-20T14:30:00Z'],
  ['before them', quiet('13:00', '14:30'), '2026-11-20T12:59:59Z', null],
  ['at their end', quiet('13:00', '14:30'), '2026-11-20T14:30:00Z', null],
  ['over midnight', quiet('23:00', '07:00'), '2026-11-20T23:30:10Z', '2026-11-21T07:00:00Z'],
  ['behind midnight', quiet('23:00', '07:00'), '2026-11-21T00:00:00Z', '2026-11-21T07:00:00Z'],
  ['by day', quiet('23:00', '07:00'), '2026-11-20T12:00:00Z', null],
  [
    'of another zone',
    quiet('23:00', '07:00', 'America/New_York'),
    '2026-11-21T05:00:00Z',
    '2026-11-21T12:00:00Z',
  ],
  [
    'of a zone with half hours',
    quiet('00:00', '01:00', 'Asia/Kolkata'),
    '2026-11-20T18:45:00Z',
    '2026-11-20T19:30:00Z',
  ],
  [
    'when the clock goes forward',
    quiet('22:00', '07:00', 'America/New_York'),
    '2027-03-14T03:30:00Z',
    '2027-03-14T11:00:00Z',
  ],
  [
    'when the clock goes back',
    quiet('22:00', '07:00', 'America/New_York'),
    '2026-11-01T03:30:00Z',
    '2026-11-01T12:00:00Z',
  ],
  [
    'that end at a time that the clock skips',
    quiet('22:00', '02:30', 'America/New_York'),
    '2027-03-14T06:59:20Z',
    '2027-03-14T07:00:00Z',
  ],
])('quiet hours %s', (_, hours, now, until) => {
  expect(quietUntil(hours, at(now))).toBe(until === null ? null : at(until))
})

it('times are read and written alike', () => {
  for (const time of ['00:00', '09:05', '23:59']) expect(timeOf(minutesOf(time))).toBe(time)
})
