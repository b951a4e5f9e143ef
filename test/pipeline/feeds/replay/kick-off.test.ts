import { describe, expect, it } from 'vitest'
import { seasonInstant, ukInstant } from '../../../../pipeline/feeds/replay/kick-off.ts'
import { iso } from './written.ts'

describe('UK kick-offs', () => {
  it.each([
    ['26/03/2022', '15:00', '2022-03-26T15:00:00.000Z'],
    ['27/03/2022', '15:00', '2022-03-27T14:00:00.000Z'],
    ['29/10/2022', '12:30', '2022-10-29T11:30:00.000Z'],
    ['30/10/2022', '12:30', '2022-10-30T12:30:00.000Z'],
    ['30/10/2022', '01:30', '2022-10-30T00:30:00.000Z'],
    ['01/07/2022', '00:15', '2022-06-30T23:15:00.000Z'],
    ['31/12/2021', '23:45', '2021-12-31T23:45:00.000Z'],
  ])('takes %s %s for %s', (date, time, instant) => {
    expect(iso(ukInstant(date, time))).toBe(instant)
  })

  it.each([
    ['31/02/2022', '15:00'],
    ['10/08/2025 15:00', ''],
    ['2022-3-26', '15:00'],
    ['26/03/2022', '25:00'],
    ['26/03/2022', ''],
  ])('takes %s %s for no time', (date, time) => {
    expect(ukInstant(date, time)).toBeNull()
  })
})

describe('kick-offs of a US season', () => {
  it.each([
    [2023, 'Mon 9/11', '8:15 PM', '2023-09-12T00:15:00.000Z'],
    [2018, 'Sun 11/4', '1:00 PM', '2018-11-04T18:00:00.000Z'],
    [2018, 'Sun 10/28', '9:30 AM', '2018-10-28T13:30:00.000Z'],
    [2018, 'Sun 2/3', '6:30 PM', '2019-02-03T23:30:00.000Z'],
    [2020, 'Thu 11/26', '12:30 PM', '2020-11-26T17:30:00.000Z'],
  ])('takes %i %s %s for %s', (season, date, time, instant) => {
    expect(iso(seasonInstant(season, date, time))).toBe(instant)
  })

  it('takes a weekday of another year for no time', () => {
    expect(seasonInstant(2022, 'Mon 9/11', '8:15 PM')).toBeNull()
  })
})
