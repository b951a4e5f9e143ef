/** Periods and clocks in the spellings of sportsbooks, with a table for each sport. */

import { describe, expect, it } from 'vitest'
import {
  countsUp,
  rankOf,
  readClock,
  readPeriod,
} from '../../../../pipeline/rules/games/game-periods.ts'

const spellings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  basketball: {
    Q1: ['Q1', '1Q', '1st Quarter', 'FIRST_QUARTER', 'quarter 1', '1st Qtr', '1', 'Period 1'],
    'END Q1': [
      'End of 1st',
      'End of 1st Quarter',
      'END Q1',
      'END_1Q',
      '1st quarter break',
      'break after Q1',
    ],
    HT: ['HT', 'Half Time', 'HALFTIME', 'half-time', 'End of 2nd Quarter', 'End of 1st Half'],
    Q3: ['Q3', '3rd quarter', 'quarter: 3'],
    '1H': ['1H', 'H1', '1st Half', 'FIRST_HALF'],
    '2H': ['2nd half', 'second half'],
    OT: ['OT', 'Overtime', '1OT', 'OT1', '1st Overtime', 'Q5', '5th quarter'],
    OT2: ['2OT', 'OT2', 'Double Overtime', 'Overtime 2', '2nd OT'],
    FT: ['FT', 'Final', 'FINISHED', 'Full Time', 'Final/OT', 'Game over', 'Ended'],
  },
  football: {
    Q4: ['Q4', '4th Quarter', '4th', 'FOURTH_QUARTER'],
    HT: ['Halftime'],
    OT: ['OT', 'Overtime'],
  },
  hockey: {
    P1: ['P1', '1P', '1st Period', 'FIRST_PERIOD', 'Period 1', '1st'],
    'END P1': ['End of 1st Period', '1st Intermission', 'END P1'],
    P3: ['3rd period', 'p3'],
    OT: ['OT', '4th period', 'Overtime'],
    SO: ['SO', 'Shootout', 'Penalty shootout', 'Penalties'],
  },
  soccer: {
    '1H': ['1H', '1st Half', 'FIRST_HALF', 'first half', '1st', 'period 1'],
    HT: ['HT', 'Half Time', 'Interval'],
    '2H': ['2H', 'H2', '2nd half', 'SECOND_HALF', '2'],
    ET1: ['ET1', '1st half of extra time', 'Extra Time 1', '1ET', 'Extra time', '1st Extra Time'],
    'END ET1': ['Extra time half time', 'ET HT', 'END ET1'],
    ET2: ['ET2', '2nd half extra time', 'Extra time 2nd half', '2nd extra time'],
    PEN: ['PEN', 'Penalties', 'Penalty Shootout', 'pens'],
    FT: ['FT', 'Full-time', 'After penalties', 'AET', 'Match ended'],
  },
  baseball: {
    T1: ['T1', 'Top 1st', 'Top of 1st', 'top of the 1st inning', 'TOP_1'],
    M5: ['Middle of the 5th', 'Mid 5th', 'M5'],
    B5: ['B5', 'Bottom 5th', 'Bot 5', 'Bottom of the 5th', '5th inning bottom', 'BOT_5TH'],
    E5: ['End of 5th', 'E5', 'End 5th inning'],
    T11: ['Top 11th', 'T11', 'Inning 11 top'],
    I7: ['7th inning', 'Inning 7', '7'],
  },
  tennis: {
    S1: ['S1', 'Set 1', '1st Set', 'FIRST_SET', '1'],
    S5: ['5th set', 'set 5', 'Fifth Set'],
  },
  volleyball: { S3: ['3rd set', 'S3', 'Set 3'] },
  table_tennis: { G4: ['Game 4', '4th game', 'G4', '4'] },
  cricket: { I1: ['1st innings', 'Innings 1', 'I1'], I2: ['2nd Innings', 'second inning'] },
  esports: { M2: ['Map 2', '2nd map', 'M2'] },
  snooker: { F11: ['Frame 11', '11th frame'] },
  darts: { S2: ['Set 2'], L3: ['Leg 3'] },
  mma: { R2: ['Round 2', 'R2', '2nd round'] },
  rugby: { '1H': ['1st half'], '2H': ['2H'] },
  australian_rules: { Q4: ['4th quarter', 'Q4'] },
  handball: { '2H': ['2nd Half'], OT: ['Overtime'] },
  curling: { E4: ['4th end', 'End 4', 'E4'] },
}

const cases = Object.entries(spellings).flatMap(([sport, periods]) =>
  Object.entries(periods).flatMap(([ours, theirs]) =>
    [ours, ...theirs].map((text) => [sport, text, ours] as const),
  ),
)

describe('a period', () => {
  it.each(cases)('of %s, "%s", is %s', (sport, text, ours) => {
    expect(readPeriod(sport, text)).toMatchObject({ text: ours })
  })

  it.each([
    ['1', '1H'],
    ['2nd', '2H'],
    ['Period 2', '2H'],
    ['1st half', '1H'],
    ['HT', 'HT'],
    ['End of 1st', 'HT'],
    ['End of regulation', 'END 2H'],
    ['3', 'OT'],
    ['4', 'OT2'],
    ['OT', 'OT'],
    ['Final/OT', 'FT'],
    ['Q2', null],
    ['3rd quarter', null],
    ['END Q1', null],
    ['5th Quarter', null],
  ])('of men’s college basketball, which plays halves, "%s", is %s', (text, ours) => {
    expect(readPeriod('basketball', text, 'ncaab')).toEqual(
      ours === null ? null : expect.objectContaining({ text: ours }),
    )
  })

  it('of other basketball is a quarter', () => {
    for (const league of ['nba', 'ncaaw', 'euroleague', '']) {
      expect(readPeriod('basketball', '2', league)).toMatchObject({ text: 'Q2' })
    }
  })

  it.each(['Not Started', 'NS', 'Pre-game', 'scheduled'])('"%s" has not begun', (text) => {
    expect(readPeriod('soccer', text)).toBe('before')
  })

  it.each([
    ['baseball', 'Final/10', 'I10'],
    ['baseball', 'Final/11', 'I11'],
    ['baseball', 'F/10', 'I10'],
    ['baseball', 'Final (10)', 'I10'],
    ['baseball', 'Final - 11 innings', 'I11'],
    ['baseball', 'Final/7', 'I7'],
    ['basketball', 'Final/OT', 'OT'],
    ['basketball', 'Final/2OT', 'OT2'],
    ['basketball', 'F/2OT', 'OT2'],
    ['basketball', 'Final - Double Overtime', 'OT2'],
    ['hockey', 'F/SO', 'SO'],
    ['hockey', 'FINAL (SO)', 'SO'],
    ['hockey', 'F/OT', 'OT'],
    ['hockey', 'AOT', 'OT'],
    ['soccer', 'AET', 'ET2'],
    ['soccer', 'FT (AET)', 'ET2'],
    ['soccer', 'Full time (after extra time)', 'ET2'],
    ['soccer', 'AP', 'PEN'],
    ['soccer', 'FT-Pens', 'PEN'],
    ['soccer', 'FT_PEN', 'PEN'],
    ['soccer', 'AET (4-3 pens)', 'PEN'],
    ['soccer', 'After penalties', 'PEN'],
  ])('of %s, "%s", is the end after %s', (sport, text, endedIn) => {
    const end = readPeriod(sport, text)
    expect(end).toMatchObject({ text: 'FT', endedIn })
    expect(rankOf(sport, text)).toBe(rankOf(sport, 'FT'))
    expect(rankOf(sport, endedIn)).not.toBeNull()
  })

  it.each([
    ['soccer', 'in extra time', null],
    ['hockey', 'In overtime', null],
    ['baseball', 'F10', null],
    ['soccer', 'M2', null],
    ['basketball', 'After 2OT', 'END OT2'],
    ['basketball', 'End of regulation', 'END Q4'],
    ['hockey', 'End Regulation', 'END P3'],
    ['soccer', 'End of regulation time', 'END 2H'],
    ['snooker', 'F/10', 'F10'],
  ])('of %s, "%s", is no end', (sport, text, ours) => {
    const period = readPeriod(sport, text)
    expect(period === null || period === 'before' ? period : period.text).toBe(ours)
  })

  it.each(['', '   ', 'Rain delay', 'Q0', 'xyz 3', '🏀', '__proto__', 'constructor'])(
    '"%s" is unknown',
    (text) => {
      expect(readPeriod('basketball', text)).toBeNull()
      expect(rankOf('basketball', text)).toBeNull()
    },
  )

  it.each([
    ['basketball', 'Q1 END Q1 Q2 HT Q3 END Q3 Q4 OT OT2 FT'],
    ['basketball', '1H HT 2H OT FT'],
    ['hockey', 'P1 END P1 P2 END P2 P3 OT SO FT'],
    ['soccer', '1H HT 2H ET1 END ET1 ET2 PEN FT'],
    ['baseball', 'T1 M1 B1 E1 T2 B2 T9 B9 T10 FT'],
    ['tennis', 'S1 END S1 S2 S3 S4 S5 FT'],
  ])('of %s is later than the one before it: %s', (sport, text) => {
    const periods = text.match(/END \w+|\S+/g)!
    const ranks = periods.map((period) => rankOf(sport, period))
    for (const [i, rank] of ranks.entries()) {
      if (i > 0) expect([periods[i], rank! > ranks[i - 1]!]).toEqual([periods[i], true])
    }
  })
})

describe('a clock', () => {
  it.each([
    ['6:41', '6:41', 401],
    ['06:41', '06:41', 401],
    ['63:20', '63:20', 3_800],
    ["90+3'", '90+3', 5_580],
    ['45:00 +2:13', '45:00+2:13', 2_833],
    ["63'", '63', 3_780],
    ['0:41.5', '0:41.5', 41],
    [':09.8', '0:09.8', 9],
  ])('%s is written %s', (text, ours, seconds) => {
    expect(readClock(text)).toEqual({ text: ours, seconds })
  })

  it.each(['', 'HT', '6:75', '-1:00', '1e3', '1:2:3'])('"%s" is invalid', (text) => {
    expect(readClock(text)).toBeNull()
  })

  it('counts up if it states the time played', () => {
    expect(['soccer', 'rugby', 'basketball', 'hockey', 'football'].map(countsUp)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
