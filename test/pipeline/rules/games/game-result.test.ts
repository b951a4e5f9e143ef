/** The result of a game from reports: sequences of one sportsbook, and several that agree or do not. */

import { describe, expect, it, test } from 'vitest'
import {
  afterReport,
  gameResultOf,
  nothingReported,
} from '../../../../pipeline/rules/games/game-result.ts'
import { readReport } from '../../../../pipeline/rules/games/game-state.ts'
import type { ReportedResult } from '../../../../schemas/game-result.ts'

const start = Date.parse('2026-05-02T12:00:00Z')
const minute = 60_000

/** Parses reports as `minute period home:away`, one after the other; `~` before one is a gap. */
function told(
  sport: string,
  text: string,
  sportsbook = 'fanduel',
  league?: string,
): ReportedResult {
  let known = nothingReported(sportsbook)
  let last: Parameters<typeof afterReport>[2] = null
  for (const line of text.split(',')) {
    const [, gap, at, period, home, away] = /^\s*(~?)(\d+) (.+) (\d+):(\d+)$/.exec(line)!
    const state = { home_score: Number(home), away_score: Number(away), game_period: period! }
    const read = readReport(sport, state, () => {}, league)!
    const now = { observedAt: start + Number(at) * minute, ...read }
    // The last report is repeated until a second before the next one.
    const repeated = last && { ...last, observedAt: now.observedAt - 1_000 }
    known = afterReport(known, sport, gap ? last : repeated, now)
    last = now
  }
  return known
}

function resultOf(sport: string, ...reports: readonly ReportedResult[]) {
  const result = gameResultOf(sport, start, reports, 'point_spread')
  if (typeof result === 'string') return result
  const text = (score: { home: number; away: number } | null | undefined) =>
    score ? `${score.home}:${score.away}` : '-'
  return {
    final: text(result.final),
    regulation: text(result.regulation),
    ...Object.fromEntries([...result.periods].map(([period, score]) => [period, text(score)])),
  }
}

describe('the reports of one sportsbook', () => {
  test.each([
    [
      'the breaks of a basketball game',
      'basketball',
      '1 Q1 2:0, 14 END Q1 28:24, 16 Q2 30:24, 30 HT 55:50, 50 Q3 60:50, 65 END Q3 80:78, 68 Q4 80:78, 90 Q4 104:100, 91 FT 104:100',
      {
        ...{ final: '104:100', regulation: '104:100' },
        ...{ '1st_quarter': '28:24', '2nd_quarter': '27:26', '3rd_quarter': '25:28' },
        ...{ '4th_quarter': '24:22', '1st_half': '55:50', '2nd_half': '49:50' },
      },
    ],
    [
      'overtime: the second half is left to the sportsbook',
      'basketball',
      '1 Q1 0:0, 30 HT 50:50, 65 END Q3 75:75, 90 Q4 100:100, 92 OT 100:100, 100 OT 108:104, 101 FT 108:104',
      {
        ...{ final: '108:104', regulation: '100:100', '3rd_quarter': '25:25' },
        ...{ '4th_quarter': '25:25', '1st_half': '50:50' },
      },
    ],
    [
      'points scored between two periods: which one had them is not known',
      'basketball',
      '1 Q1 20:20, 14 Q2 22:20, 30 HT 50:50, 90 Q4 99:98, 91 FT 99:98',
      { final: '99:98', regulation: '99:98', '1st_half': '50:50', '2nd_half': '49:48' },
    ],
    [
      'the same score on both sides of the break',
      'soccer',
      '1 1H 0:0, 46 1H 1:0, 62 2H 1:0, 110 2H 2:1, 111 FT 2:1',
      { final: '2:1', regulation: '2:1', '1st_half': '1:0', '2nd_half': '1:1' },
    ],
    [
      'a goal at the break that is taken back',
      'soccer',
      '46 HT 1:0, 62 2H 0:0, 110 2H 0:0, 111 FT 0:0',
      { final: '0:0', regulation: '0:0' },
    ],
    [
      'extra time',
      'soccer',
      '47 HT 0:1, 112 2H 1:1, 116 ET1 1:1, 150 ET2 2:1, 151 FT 2:1',
      { final: '2:1', regulation: '1:1', '1st_half': '0:1', '2nd_half': '1:0' },
    ],
    ['only the end, soon enough', 'soccer', '115 FT 3:0', { final: '3:0', regulation: '3:0' }],
    [
      'only the end, after what may be extra time',
      'soccer',
      '150 FT 3:0',
      { final: '3:0', regulation: '-' },
    ],
    [
      'a shootout',
      'hockey',
      '40 END P1 1:0, 80 END P2 1:1, 130 P3 2:2, 132 OT 2:2, 140 SO 2:2, 150 FT 3:2',
      {
        ...{ final: '3:2', regulation: '2:2', '1st_period': '1:0' },
        ...{ '2nd_period': '0:1', '3rd_period': '1:1' },
      },
    ],
    [
      'a shootout after regulation time, which the feed adds to the score',
      'soccer',
      '100 2H 1:1, 106 END 2H 1:1, 107 PEN 1:1, 118 FT 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'its kicks counted as goals',
      'soccer',
      '106 END 2H 1:1, 107 PEN 1:1, 118 FT 5:4',
      { final: '5:4', regulation: '1:1' },
    ],
    [
      'a shootout before a gap',
      'soccer',
      '107 PEN 1:1, ~118 FT 2:1',
      { final: '2:1', regulation: '-' },
    ],
    [
      'another score at the end of regulation time, before a gap',
      'soccer',
      '106 END 2H 1:1, ~118 FT 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'another score at the end of regulation time, without a gap',
      'soccer',
      '106 END 2H 1:1, 118 FT 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'extra time of a game whose start is listed late',
      'soccer',
      '95 2H 1:1, 98 END 2H 1:1, 100 ET1 1:1, 134 AET 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'extra time that only the text of the end names',
      'soccer',
      '134 AET 2:1',
      { final: '2:1', regulation: '-' },
    ],
    [
      'extra time that the end names later',
      'soccer',
      '96 2H 1:1, 97 FT 1:1, 134 AET 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'extra time that was taken back',
      'soccer',
      '93 ET1 1:0, 94 2H 1:0, ~97 FT 2:0',
      { final: '2:0', regulation: '2:0' },
    ],
    [
      'a break that was none',
      'soccer',
      '93 END 2H 1:0, 94 2H 1:0, 97 FT 2:0',
      { final: '2:0', regulation: '2:0' },
    ],
    [
      'overtime that only the text of the end names',
      'hockey',
      '149 P3 2:2, 150 Final/OT 3:2',
      { final: '3:2', regulation: '-' },
    ],
    [
      'overtime between two reports',
      'hockey',
      '149 P3 2:2, 150 FT 3:2',
      { final: '3:2', regulation: '-' },
    ],
    [
      'the end of regulation time before overtime between two reports',
      'hockey',
      '148 P3 2:2, 149 END P3 2:2, 150 FT 3:2',
      { final: '3:2', regulation: '2:2' },
    ],
    [
      'a game that was decided in regulation time',
      'hockey',
      '149 P3 3:2, 150 FT 4:2',
      { final: '4:2', regulation: '4:2' },
    ],
    ['a tie', 'hockey', '149 P3 2:2, 150 FT 2:2', { final: '2:2', regulation: '2:2' }],
    [
      'a game that was level, where overtime takes longer than a gap',
      'basketball',
      '130 Q4 99:99, 131 FT 101:99',
      { final: '101:99', regulation: '101:99' },
    ],
    [
      'overtime after what was called the end',
      'basketball',
      '130 Q4 99:99, 131 FT 99:99, 145 FT 108:99',
      { final: '108:99', regulation: '99:99' },
    ],
    [
      'the same of a game told in halves',
      'basketball',
      '65 HT 30:30, 129 2H 68:70, 130 2H 70:70, 131 FT 70:70, 145 FT 78:75',
      { final: '78:75', regulation: '70:70', '1st_half': '30:30' },
    ],
    [
      'overtime between two reports of a game told in halves',
      'lacrosse',
      '55 HT 5:5, 110 2H 10:10, 111 FT 11:10',
      { final: '11:10', regulation: '-', '1st_half': '5:5' },
    ],
    [
      'the same in soccer',
      'soccer',
      '96 2H 1:1, 97 FT 1:1, 134 FT 2:1',
      { final: '2:1', regulation: '1:1' },
    ],
    [
      'a level score that changes long after the end',
      'soccer',
      '~97 FT 1:1, 150 FT 2:1',
      { final: '2:1', regulation: '-' },
    ],
    [
      'a score that is corrected long after the end',
      'soccer',
      '~115 FT 2:0, 150 FT 2:1',
      { final: '2:1', regulation: '2:1' },
    ],
    [
      'a score that was not the last one',
      'soccer',
      '~80 FT 2:0, 81 2H 2:0, ~150 FT 2:1',
      { final: '2:1', regulation: '-' },
    ],
    [
      'extra innings',
      'baseball',
      '160 B9 2:2, 165 T10 2:2, 190 Final/10 3:2',
      { final: '3:2', regulation: '2:2' },
    ],
    ['seven innings', 'baseball', '~150 Final/7 3:2', 'game_shortened'],
    ['nine innings', 'baseball', '~150 Final/9 3:2', { final: '3:2', regulation: '3:2' }],
    [
      'innings',
      'baseball',
      '10 B1 0:1, 20 T2 0:1, 100 E5 3:2, 170 B9 4:3, 171 FT 5:3',
      { final: '5:3', regulation: '5:3', '1st_inning': '0:1', '1st_5_innings': '3:2' },
    ],
    ['a game that rain ended', 'baseball', '100 E5 3:2, 120 T7 3:2, 180 FT 3:2', 'game_shortened'],
    ['a game that nobody ended', 'basketball', '90 Q4 104:100', 'no_final_score'],
    [
      'the half of an inning, which ends none',
      'baseball',
      '5 Top 1st 0:0, 10 Bottom 1st 0:0, ~20 Top 2nd 3:0, 170 B9 4:3, 171 FT 4:3',
      { final: '4:3', regulation: '4:3' },
    ],
    [
      'a pause in a period, in words that we do not know',
      'football',
      '5 Q1 7:0, 6 Q1 - Injury timeout 7:0, 7 Q1 7:0, ~20 Q2 14:0, ~170 Q4 14:0, 171 FT 14:0',
      { final: '14:0', regulation: '14:0' },
    ],
    [
      'a period that was told too early',
      'football',
      '5 Q1 0:0, 6 Q2 0:0, 7 Q1 0:0, ~20 Q2 7:0, ~170 Q4 14:0, 171 FT 14:0',
      { final: '14:0', regulation: '14:0' },
    ],
    [
      'a break that was told too early',
      'soccer',
      '40 HT 0:0, 41 1H 0:0, ~62 2H 1:0, 110 2H 1:0, 111 FT 1:0',
      { final: '1:0', regulation: '1:0' },
    ],
  ])('%s', (_, sport, text, wanted) => {
    expect(resultOf(sport, told(sport, text))).toEqual(wanted)
  })

  it('say no end of a period by a report without one', () => {
    const at = (minutes: number, period: string | null) => {
      return { observedAt: start + minutes * minute, homeScore: 0, awayScore: 0, period }
    }
    const before = nothingReported('fanduel')
    expect(afterReport(before, 'soccer', at(30, '1H'), at(31, null)).periods).toEqual([])
    expect(afterReport(before, 'soccer', at(47, '1H'), at(48, '2H')).periods).toHaveLength(1)
  })

  it('take back a false end', () => {
    expect(resultOf('soccer', told('soccer', '95 FT 1:0, 96 2H 1:1'))).toBe('no_final_score')
    expect(resultOf('soccer', told('soccer', '95 FT 1:0, 96 FT 1:1'))).toMatchObject({
      final: '1:1',
    })
  })
})

describe('basketball in halves', () => {
  const ofColleges = (text: string) =>
    resultOf('basketball', told('basketball', text, 'fanduel', 'ncaab'))

  it('settles a game whose halves are bare numbers', () => {
    const halves = '1 1 0:0, 38 1 40:38, 39 HT 40:38, 55 2 40:38, 100 2 80:70, 101 Final 80:70'
    expect(ofColleges(halves)).toEqual({
      ...{ final: '80:70', regulation: '80:70' },
      ...{ '1st_half': '40:38', '2nd_half': '40:32' },
    })
    expect(ofColleges('38 1 40:38, 55 2 40:38, 100 2 80:70, 101 Final 80:70')).toMatchObject({
      '1st_half': '40:38',
    })
  })

  it.each([
    '38 1 40:38, 55 2 40:38, 100 2 80:80, 102 3 80:80, 110 3 90:85, 111 Final 90:85',
    '38 1st Half 40:38, 55 2nd Half 40:38, 100 End of 2nd Half 80:80, 110 OT 90:85, 111 FT 90:85',
    '38 1st 40:38, 55 2nd 40:38, ~100 2nd 80:80, 102 End of regulation 80:80, 111 Final/OT 90:85',
  ])('knows overtime: %s', (text) => {
    expect(ofColleges(text)).toEqual({
      ...{ final: '90:85', regulation: '80:80' },
      '1st_half': '40:38',
    })
  })

  it('takes the second half for the last period only where it was reached', () => {
    expect(ofColleges('38 1 40:38, 39 FT 40:38')).toBe('game_shortened')
    expect(ofColleges('38 1 40:38, 39 HT 40:38, 40 FT 40:38')).toBe('game_shortened')
  })

  it('takes nothing from quarters, which it does not have', () => {
    expect(ofColleges('38 Q1 40:38, 55 Q2 40:38, 100 End of Q2 80:70, 101 FT 80:70')).toEqual({
      ...{ final: '80:70', regulation: '-' },
    })
  })
})

describe('a game in quarters', () => {
  it.each(['football', 'basketball', 'lacrosse', 'australian_rules'])(
    'of %s that was abandoned in the third is no full one',
    (sport) => {
      expect(resultOf(sport, told(sport, '100 Q3 10:8, 101 FT 10:8'))).toBe('game_shortened')
      expect(resultOf(sport, told(sport, '100 END Q3 10:8, 101 FT 10:8'))).toBe('game_shortened')
      expect(resultOf(sport, told(sport, '100 HT 10:8, 101 FT 10:8'))).toBe('game_shortened')
    },
  )

  it.each(['Q4', 'END Q4', '2H', 'End of 2nd Half', 'End of regulation'])(
    'that ends in %s is one',
    (period) => {
      const result = resultOf('football', told('football', `190 ${period} 10:8, 191 FT 10:8`))
      expect(result).toEqual({ final: '10:8', regulation: '10:8' })
    },
  )
})

describe('a baseball game that was over early', () => {
  const settles = (...reports: readonly ReportedResult[]) =>
    ['moneyline', 'total_runs', '1st_5_innings_total_runs'].map(
      (marketType) => typeof gameResultOf('baseball', start, reports, marketType) !== 'string',
    )

  it('settles the moneyline alone while no report tells its last inning', () => {
    expect(settles(told('baseball', '109 FT 3:2'))).toEqual([true, false, false])
    expect(settles(told('baseball', '60 E5 3:2, ~109 FT 3:2'))).toEqual([true, false, false])
    const two = [told('baseball', '112 FT 3:2', 'bet365'), told('baseball', '109 FT 3:2')]
    expect(settles(...two)).toEqual([true, false, false])
    expect(settles(told('baseball', '110 FT 3:2'))).toEqual([true, true, true])
  })

  it('does so although its score is corrected later', () => {
    expect(settles(told('baseball', '100 FT 3:2, 130 FT 3:1'))).toEqual([true, false, false])
    expect(settles(told('baseball', '100 FT 3:2, 130 FT 3:1, 140 FT 3:2'))).toEqual([
      ...[true, false, false],
    ])
    expect(settles(told('baseball', '100 FT 3:2, 101 T6 3:2, ~130 FT 3:1'))).toEqual([
      ...[true, true, true],
    ])
    const { overAt, ...before } = told('baseball', '100 FT 3:2')
    expect(settles(before as ReportedResult)).toEqual([true, false, false])
    expect(overAt).toBe(start + 100 * minute)
  })

  it('settles all of it where one does', () => {
    expect(settles(told('baseball', '108 B9 3:2, 109 FT 3:2'))).toEqual([true, true, true])
    expect(settles(told('baseball', '109 Final/9 3:2'))).toEqual([true, true, true])
    expect(settles(told('baseball', '108 E9 3:2, ~109 FT 3:2'))).toEqual([true, true, true])
    const other = told('baseball', '109 Final/9 3:2', 'bet365')
    expect(settles(told('baseball', '109 FT 3:2'), other)).toEqual([true, true, true])
  })

  it('settles nothing where its last inning was no regular last one', () => {
    expect(settles(told('baseball', '109 Final/5 3:2'))).toEqual([false, false, false])
  })
})

describe('the reports of several sportsbooks', () => {
  const ended = (sportsbook: string, score: string) => told('soccer', `110 FT ${score}`, sportsbook)

  it('result in the score that most of them have', () => {
    const three = [ended('fanduel', '2:1'), ended('bet365', '2:1'), ended('pinnacle', '1:2')]
    expect(resultOf('soccer', ...three)).toEqual({ final: '2:1', regulation: '2:1' })
  })

  it('have no result if they are at odds', () => {
    expect(resultOf('soccer', ended('fanduel', '2:1'), ended('pinnacle', '1:1'))).toBe(
      'scores_differ',
    )
  })

  it('have no score of regulation time if one saw a shootout and the other nothing', () => {
    const seen = told('soccer', '107 PEN 1:1, 118 PEN 1:1', 'pinnacle')
    expect(resultOf('soccer', ended('fanduel', '2:1'), seen)).toEqual({
      ...{ final: '2:1', regulation: '-' },
    })
    const ofEnd = told('soccer', '106 END 2H 1:1', 'pinnacle')
    expect(resultOf('soccer', ended('fanduel', '2:1'), ofEnd)).toMatchObject({ regulation: '-' })
  })

  it('leave out a part of the game that they report differently', () => {
    const of = (sportsbook: string, half: string) =>
      told('soccer', `46 HT ${half}, 110 2H 2:1, 111 FT 2:1`, sportsbook)
    expect(resultOf('soccer', of('fanduel', '1:0'), of('bet365', '1:1'))).toEqual({
      ...{ final: '2:1', regulation: '2:1' },
    })
  })
})
