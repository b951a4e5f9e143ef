/** The merged state of several sportsbooks' reports: tables of cases by sport, and properties that always hold. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flipSides, mergeReports, readReport } from '../../../../pipeline/rules/games/game-state.ts'
import type { GameReport, GameState } from '../../../../schemas/game-state.ts'

const noon = Date.parse('2026-05-02T12:00:00Z')
const second = 1_000

type Score = readonly [home: number, away: number]

interface Said {
  readonly at?: number
  readonly period?: string | null
  readonly clock?: string | null
  readonly situation?: GameReport['situation']
}

const report = (sportsbook: string, score: Score | null, said: Said = {}): GameReport => ({
  sportsbook,
  observedAt: noon + (said.at ?? 0),
  homeScore: score?.[0] ?? null,
  awayScore: score?.[1] ?? null,
  period: said.period ?? null,
  clock: said.clock ?? null,
  situation: said.situation ?? {},
})

/** Parses reports as `book home:away period clock`, one a line. */
function reports(text: string): GameReport[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [book = '', score = '', period, clock] = line.trim().split(/\s+/)
      const [home = 0, away = 0] = score.split(':').map(Number)
      return report(book, [home, away], { period: period ?? null, clock: clock ?? null })
    })
}

const stateOf = (
  homeScore: number,
  awayScore: number,
  period: string | null = null,
): GameState => ({
  fromLevel: 0,
  observedAt: noon - 5 * second,
  homeScore,
  awayScore,
  period,
  backing: 'agreed',
  clock: null,
  primaryBook: 'draftkings',
  primaryAt: noon - 5 * second,
  bookCount: 2,
  situation: {},
  before: null,
})

const shown = (merged: ReturnType<typeof mergeReports>) =>
  merged && [`${merged.homeScore}:${merged.awayScore}`, merged.period, merged.clock]

describe('the score', () => {
  it.each([
    ['of one sportsbook is its own', 'basketball', 'a 63:58 Q3 6:41', null, '63:58', 'Q3', '6:41'],
    [
      'is what two show, not an outlier above',
      'basketball',
      'a 63:58 Q3 6:41\nb 63:58 Q3 6:50\nc 91:58 Q3 6:45',
      null,
      '63:58',
      'Q3',
      '6:41',
    ],
    [
      'nor an outlier below',
      'hockey',
      'a 3:2 P2 9:00\nb 3:2 P2 9:05\nc 0:0 P2 9:01',
      null,
      '3:2',
      'P2',
      '9:00',
    ],
    [
      'is the highest of several that two show each',
      'football',
      'a 21:14 Q3\nb 21:14 Q3\nc 14:14 Q3\nd 14:14 Q3',
      null,
      '21:14',
      'Q3',
      null,
    ],
    [
      'is of those at the most advanced period that two have reached',
      'basketball',
      'a 60:50 Q3 11:50\nb 60:50 Q3 11:48\nc 58:50 Q2 0:03\nd 58:50 Q2 0:01',
      null,
      '60:50',
      'Q3',
      '11:48',
    ],
    [
      'is not moved by one who is a period ahead',
      'soccer',
      'a 2:1 FT\nb 1:1 2H 80:00\nc 1:1 2H 80:10',
      null,
      '1:1',
      '2H',
      '80:10',
    ],
    [
      'of runs counts the half of the inning',
      'baseball',
      'a 2:4 B5\nb 2:4 B5\nc 2:3 T5\nd 2:3 T5',
      null,
      '2:4',
      'B5',
      null,
    ],
    [
      'of tennis is the sum of its sets',
      'tennis',
      'a 9:7 S2\nb 9:7 S2\nc 6:4 S1',
      null,
      '9:7',
      'S2',
      null,
    ],
    [
      'of volleyball likewise',
      'volleyball',
      'a 41:38 S2\nb 41:38 S2\nc 25:20 S1',
      null,
      '41:38',
      'S2',
      null,
    ],
    [
      'of cricket is runs',
      'cricket',
      'a 152:0 I1\nb 152:0 I1\nc 1520:0 I1',
      null,
      '152:0',
      'I1',
      null,
    ],
    [
      'of a shootout stands beside its period',
      'soccer',
      'a 1:1 PEN\nb 1:1 PEN\nc 1:1 ET2 119:00',
      null,
      '1:1',
      'PEN',
      null,
    ],
    [
      'of those who say no period counts too',
      'soccer',
      'a 1:0\nb 1:0\nc 3:0 2H 70:00',
      null,
      '1:0',
      '2H',
      '70:00',
    ],
    [
      'is not raised by two who say no period, once two say theirs',
      'basketball',
      'a 50:48 Q3 6:41\nb 50:48 Q3 6:50\nc 130:128\nd 130:128',
      null,
      '50:48',
      'Q3',
      '6:41',
    ],
    [
      'nor lowered by them',
      'basketball',
      'a 50:48 Q3\nb 52:50 Q3\nc 20:18\nd 20:18',
      null,
      '50:48',
      'Q3',
      null,
    ],
    [
      'nor raised by who says a period that nobody knows',
      'soccer',
      'a 1:0 2H\nb 1:0 2H\nc 2:0 Cooling\nd 2:0 Cooling',
      null,
      '1:0',
      '2H',
      null,
    ],
    [
      'of one at the period is backed by another who says none',
      'basketball',
      'a 50:48 Q3\nb 52:48 Q3\nc 52:48\nd 130:128\ne 130:128',
      null,
      '52:48',
      'Q3',
      null,
    ],
    [
      'is not held by who says no period either',
      'basketball',
      'a 50:48 Q3\nb 50:48 Q3\nc 130:128\nd 130:128',
      stateOf(130, 128, 'Q3'),
      '50:48',
      'Q3',
      null,
    ],
    [
      'is what two show, not that of one who is wrong about the period and below',
      'basketball',
      'a 50:48 Q3 11:40\nb 50:48 Q2 0:04\nc 40:30 Q4 2:00',
      stateOf(50, 48, 'Q2'),
      '50:48',
      'Q2',
      '0:04',
    ],
    [
      'nor of one who contradicts them',
      'soccer',
      'a 0:2 2H 46:00\nb 1:1 2H 45:30\nc 1:1 HT',
      stateOf(1, 1, 'HT'),
      '1:1',
      'HT',
      null,
    ],
    [
      'has the period of those who show it, where one is a period behind and above',
      'basketball',
      'a 50:48 Q3 6:41\nb 50:48\nc 70:60 Q2 2:00',
      null,
      '50:48',
      'Q3',
      '6:41',
    ],
    [
      'is of the later period where two have less there: it was corrected',
      'soccer',
      'a 1:1 ET1 91:00\nb 1:0 ET1 91:00\nc 2:1 2H 90:00\nd 2:1 2H 90:00',
      null,
      '1:0',
      'ET1',
      '91:00',
    ],
    [
      'stands where no two agree',
      'basketball',
      'a 65:58 Q3\nb 63:60 Q3\nc 90:0 Q3',
      stateOf(63, 58, 'Q3'),
      '63:58',
      'Q3',
      null,
    ],
    [
      'goes on to what two have passed where no two agree',
      'basketball',
      'a 65:58 Q3\nb 67:58 Q3\nc 63:58 Q3',
      stateOf(63, 58, 'Q3'),
      '65:58',
      'Q3',
      null,
    ],
    [
      'goes back with two',
      'soccer',
      'a 1:1 2H\nb 1:1 2H\nc 2:1 2H',
      stateOf(2, 1, '2H'),
      '1:1',
      '2H',
      null,
    ],
    [
      'does not go back with one',
      'soccer',
      'a 1:1 2H\nb 2:1 2H\nc 2:1 2H',
      stateOf(2, 1, '2H'),
      '2:1',
      '2H',
      null,
    ],
    [
      'does not go back with two who lag behind two others',
      'basketball',
      'a 63:58 Q3\nb 63:58 Q3\nc 65:58 Q3\nd 66:58 Q3',
      stateOf(65, 58, 'Q3'),
      '65:58',
      'Q3',
      null,
    ],
    [
      'stands before two who contradict each other',
      'basketball',
      'a 10:58 Q3\nb 63:58 Q3',
      stateOf(63, 58, 'Q3'),
      '63:58',
      'Q3',
      null,
    ],
  ])('%s (%s)', (_, sport, text, before, score, period, clock) => {
    const merged = mergeReports(sport, reports(text), before)
    expect(shown(merged)).toEqual([score, period, clock])
  })

  it('is unknown until it is reported', () => {
    const situation = { is_timeout: true }
    expect(mergeReports('basketball', [report('a', null, { situation })], null)).toBeNull()
  })

  it('excludes sportsbooks that have been silent for half a minute', () => {
    const late = report('a', [0, 0], { at: -31 * second })
    const nearly = report('a', [0, 0], { at: -30 * second })
    const others = [report('b', [1, 0])]
    expect(mergeReports('soccer', [late, ...others], null)).toMatchObject({
      homeScore: 1,
      bookCount: 1,
      primaryBook: 'b',
    })
    expect(mergeReports('soccer', [nearly, ...others], null)).toMatchObject({
      homeScore: 0,
      bookCount: 2,
      primaryBook: 'a',
    })
  })

  it('is of the first sportsbook in order that has it and was recently observed', () => {
    const before = [report('zzz', [1, 0]), report('fanduel', [1, 0]), report('draftkings', [1, 0])]
    expect(mergeReports('soccer', before, null)?.primaryBook).toBe('draftkings')
    const silent = report('draftkings', [1, 0], { at: -11 * second })
    expect(mergeReports('soccer', [...before.slice(0, 2), silent], null)).toMatchObject({
      primaryBook: 'fanduel',
      primaryAt: noon,
    })
  })
})

describe('period and clock', () => {
  it.each([
    ['counts down in basketball', 'basketball', 'a 1:0 Q3 6:41\nb 1:0 Q3 6:50', '6:41'],
    ['counts up in soccer', 'soccer', 'a 1:0 2H 63:20\nb 1:0 2H 63:05', '63:20'],
    ['counts what is added', 'soccer', 'a 1:0 2H 90+3\nb 1:0 2H 92:10', '90+3'],
    [
      'of another period does not count',
      'hockey',
      'a 1:0 P2 19:00\nb 1:0 P2 19:20\nc 1:0 P1 0:10',
      '19:00',
    ],
    [
      'that runs a minute ahead of all others is wrong',
      'basketball',
      'a 1:0 Q3 0:10\nb 1:0 Q3 6:50\nc 1:0 Q3 6:52',
      '6:50',
    ],
    ['of one alone is believed', 'basketball', 'a 1:0 Q3 0:10', '0:10'],
  ])('a clock %s', (_, sport, text, clock) => {
    expect(mergeReports(sport, reports(text), null)?.clock).toBe(clock)
  })

  it('a period is shown once two have reached it, whatever was shown before', () => {
    const one = reports('a 1:0 2H\nb 1:0 1H\nc 1:0 1H')
    expect(mergeReports('soccer', one, null)?.period).toBe('1H')
    expect(mergeReports('soccer', one, stateOf(1, 0, '2H'))?.period).toBe('1H')
    const two = reports('a 1:0 2H\nb 1:0 2H\nc 1:0 1H')
    expect(mergeReports('soccer', two, stateOf(1, 0, '1H'))?.period).toBe('2H')
  })

  it.each([
    ['basketball', 'a 90:80 Q4', 'b 63:58 Q3\nc 63:58 Q3\nd 63:58 Q3\ne 63:58 Q3', '63:58', 'Q3'],
    ['basketball', 'a 63:58 Final', 'b 63:58 Q3\nc 63:58 Q3', '63:58', 'Q3'],
    ['soccer', 'a 3:1 FT', 'b 1:1 2H\nc 1:1 2H', '1:1', '2H'],
    ['hockey', 'a 5:4 SO', 'b 2:1 P2', '2:1', 'P2'],
    ['baseball', 'a 9:3 B9', 'b 2:3 T5\nc 2:3 T5', '2:3', 'T5'],
    ['tennis', 'a 18:14 S3', 'b 6:4 S1\nc 6:4 S1', '6:4', 'S1'],
    ['esports', 'a 2:1 M4', 'b 1:1 M3\nc 1:1 M3', '1:1', 'M3'],
  ])(
    'of %s, one that is ahead does not hold back the others',
    (sport, ahead, rest, score, period) => {
      let state: GameState | null = null
      const told: GameReport[] = []
      for (const [i, said] of [...reports(ahead), ...reports(rest)].entries()) {
        told.push({ ...said, observedAt: noon + i * 6 * second })
        state = { fromLevel: 0, ...mergeReports(sport, told, state)! }
        // A single report is believed.
        if (i === 0) expect(state.homeScore).toBe(told[0]!.homeScore)
      }
      expect(shown(state)?.slice(0, 2)).toEqual([score, period])
    },
  )
})

describe('the situation', () => {
  it('has each group of fields from the first sportsbook in order that has any', () => {
    const merged = mergeReports(
      'soccer',
      [
        report('zzz', [1, 0], {
          situation: { corners_home: 9, corners_away: 9, possession: 'away' },
        }),
        report('fanduel', [1, 0], { situation: { corners_home: 5 } }),
        report('bet365', [1, 0], { situation: { yellow_cards_home: 1, yellow_cards_away: 2 } }),
      ],
      null,
    )
    // One sportsbook's corners of a side are not combined with another's.
    expect(merged?.situation).toEqual({
      corners_home: 5,
      yellow_cards_home: 1,
      yellow_cards_away: 2,
      possession: 'away',
    })
  })
})

describe('a report', () => {
  const read = (sport: string, state: Parameters<typeof readReport>[1]) => {
    const leftOut: string[] = []
    const found = readReport(sport, state, (member) => leftOut.push(member))
    return { found, leftOut }
  }

  it('is read in our spelling, without fields that a sport lacks', () => {
    const { found, leftOut } = read('soccer', {
      home_score: 1,
      away_score: 2,
      period: 'SECOND_HALF',
      clock: "63'",
      corners_home: 5,
      hits_home: 3,
      red_cards_away: -1,
      possession: 'left',
      weather: 'rain',
      fouls_home: null,
    })
    expect(found).toEqual({
      homeScore: 1,
      awayScore: 2,
      period: '2H',
      clock: '63',
      situation: { corners_home: 5 },
    })
    expect(leftOut).toEqual(['hits_home', 'red_cards_away', 'possession', 'weather'])
  })

  it('has no score if it has only one side of it, or an invalid number', () => {
    for (const state of [
      { home_score: 1 },
      { home_score: 1, away_score: 1.5 },
      { home_score: 1, away_score: -1 },
      { home_score: 1, away_score: '2' },
      { home_score: 1, away_score: 1e9 },
    ]) {
      expect(read('soccer', state).found).toMatchObject({ homeScore: null, awayScore: null })
    }
  })

  it('keeps an unknown period, and is none before the game', () => {
    expect(read('soccer', { game_period: ' Water break ' }).found?.period).toBe('Water break')
    expect(
      read('soccer', { home_score: 0, away_score: 0, game_period: 'Not started' }).found,
    ).toBeNull()
  })

  it('of a game in halves has no quarter', () => {
    const leftOut: string[] = []
    const readOf = (game_period: string) =>
      readReport('basketball', { game_period }, (member) => leftOut.push(member), 'ncaab')?.period
    expect([readOf('2'), readOf('3'), readOf('TV timeout')]).toEqual(['2H', 'OT', 'TV timeout'])
    expect(leftOut).toEqual([])
    expect([readOf('Q3'), readOf('2nd quarter')]).toEqual([null, null])
    expect(leftOut).toEqual(['game_period', 'game_period'])
  })

  it('of tennis has who serves in possession', () => {
    expect(read('tennis', { server: 'away' }).found?.situation).toEqual({
      server: 'away',
      possession: 'away',
    })
    expect(read('tennis', { possession: 'home' }).found?.situation).toEqual({
      server: 'home',
      possession: 'home',
    })
  })

  it('flipped has every sided field flipped, and twice is itself', () => {
    const state = report('a', [1, 2], {
      situation: {
        corners_home: 5,
        home_pitcher: 'Starter A',
        possession: 'home',
        power_play: 'away',
        batting_team: 'home',
        server: 'away',
        last_play: 'home',
        is_timeout: true,
        outs: 2,
      },
    })
    const flipped = flipSides(state)
    expect([flipped.homeScore, flipped.awayScore]).toEqual([2, 1])
    expect(flipped.situation).toEqual({
      corners_away: 5,
      away_pitcher: 'Starter A',
      possession: 'away',
      power_play: 'home',
      batting_team: 'away',
      server: 'home',
      // Text is not flipped.
      last_play: 'home',
      is_timeout: true,
      outs: 2,
    })
    expect(flipSides(flipped)).toEqual(state)
  })
})

describe('what always holds', () => {
  /** Rising scores as reported by two sportsbooks, each with its own delay. */
  const play = fc.array(
    fc.record({
      scores: fc.constantFrom<Score>([0, 0], [1, 0], [0, 1], [2, 0], [0, 3]),
      heard: fc.tuple(fc.nat(1), fc.nat(1)),
      lie: fc.tuple(fc.nat(40), fc.nat(40)),
      periods: fc.nat(6),
    }),
    { minLength: 1, maxLength: 40 },
  )

  it('an outlier moves the score nowhere, and never back', () => {
    fc.assert(
      fc.property(play, (steps) => {
        const truth: Score[] = [[0, 0]]
        const known = [0, 0]
        let state: GameState | null = null
        steps.forEach(({ scores, heard, lie }, i) => {
          const [home, away] = truth.at(-1)!
          truth.push([home + scores[0], away + scores[1]])
          for (const book of [0, 1]) {
            if (heard[book] === 1) known[book] = truth.length - 1
          }
          const honest = known.map((at) => truth[at]!)
          // A report that equals another's is no outlier.
          const isAlone = !honest.some((score) => score[0] === lie[0] && score[1] === lie[1])
          const at = i * second
          const told = [
            report('a', honest[0]!, { at, period: 'Q1' }),
            report('b', honest[1]!, { at, period: 'Q1' }),
            ...(isAlone ? [report('bet365', lie as unknown as Score, { at, period: 'Q1' })] : []),
          ]
          const merged = mergeReports('basketball', told, state)!
          if (state) {
            const total = (of: Pick<GameState, 'homeScore' | 'awayScore'>) =>
              of.homeScore + of.awayScore
            expect(total(merged)).toBeGreaterThanOrEqual(total(state))
          }
          const [most] = [...honest].sort((a, b) => b[0] + b[1] - a[0] - a[1])
          expect(merged.homeScore).toBeLessThanOrEqual(most![0])
          expect(merged.awayScore).toBeLessThanOrEqual(most![1])
          state = { fromLevel: 0, ...merged }
        })
      }),
      { numRuns: 500 },
    )
  })

  it('two who show a score alike, at one period or the next, are not overruled by one who contradicts them', () => {
    const quarter = fc.integer({ min: 1, max: 4 })
    const score = fc.tuple(fc.nat(5), fc.nat(5))
    fc.assert(
      fc.property(
        fc.record({ score, quarter, isNext: fc.boolean(), isKnown: fc.boolean() }),
        fc.record({ score, quarter, name: fc.constantFrom('a', 'bet365') }),
        ({ score: theirs, quarter: at, isNext, isKnown }, one) => {
          const next = isNext ? at + 1 : at
          const isAbove = one.score[0] > theirs[0] || one.score[1] > theirs[1]
          const isBelow = one.score[0] < theirs[0] || one.score[1] < theirs[1]
          fc.pre((one.quarter > at && isBelow) || (one.quarter < next && isAbove))
          const told = [
            report('b', theirs, { period: `Q${next}` }),
            report('c', theirs, { period: isKnown ? `Q${at}` : null }),
            report(one.name, one.score, { period: `Q${one.quarter}` }),
          ]
          const merged = mergeReports('basketball', told, null)!
          expect([merged.homeScore, merged.awayScore]).toEqual(theirs)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  const anyReport = (sportsbook: string) =>
    fc.record({
      sportsbook: fc.constant(sportsbook),
      observedAt: fc.constant(noon),
      homeScore: fc.nat(3),
      awayScore: fc.nat(3),
      period: fc.constantFrom('Q1', 'Q2', 'HT', null),
      clock: fc.constantFrom('6:41', '2:00', null),
      situation: fc.constant({}),
    })
  const books = ['a', 'b', 'c', 'd']

  it('sportsbooks may report for the first time in any order', () => {
    const periods = ['Q1', 'Q2', 'HT', 'Q4', 'OT', 'Final', null, 'Water break']
    const report = (sportsbook: string) =>
      fc.record({
        ...{ sportsbook: fc.constant(sportsbook), homeScore: fc.nat(4), awayScore: fc.nat(4) },
        period: fc.constantFrom(...periods),
        clock: fc.constantFrom('6:41', '6:10', '2:00', null),
        situation: fc.constant({}),
      })
    const five = [...books, 'e']
    const said = (
      sportsbook: string,
      homeScore: number,
      awayScore: number,
      period: string | null,
    ) => ({ sportsbook, homeScore, awayScore, period, clock: null, situation: {} }) as const
    const oneOfNoPeriod = [
      said('a', 0, 0, 'Final'),
      said('b', 1, 1, null),
      said('c', 0, 0, 'Q1'),
      said('d', 0, 0, 'Q1'),
      said('e', 1, 0, 'Final'),
    ]
    fc.assert(
      fc.property(
        fc.tuple(...five.map(report)),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (said, one, other) => {
          const told = (order: readonly number[]) => {
            let state: GameState | null = null
            const known: GameReport[] = []
            for (const [i, at] of order.entries()) {
              known.push({ ...said[at]!, observedAt: noon + i * second })
              state = { fromLevel: 0, ...mergeReports('basketball', known, state)! }
            }
            return [...shown(state)!, state?.bookCount]
          }
          expect(told(other)).toEqual(told(one))
        },
      ),
      // A score that one without a period had a part in does not hold once two state theirs.
      { numRuns: 2_000, examples: [[oneOfNoPeriod, [4, 3, 2, 1, 0], [4, 1, 0, 3, 2]]] },
    )
  })

  it('reports of one instant may come in any order', () => {
    fc.assert(
      fc.property(
        fc.tuple(...books.map(anyReport)),
        fc.tuple(...books.map(anyReport)),
        fc.shuffledSubarray(books, { minLength: 4 }),
        (earlier, now, order) => {
          const first = mergeReports('basketball', earlier, null)!
          const later = now.map((of) => ({ ...of, observedAt: noon + second }))
          const take = (names: readonly string[]) => {
            let state: GameState = { fromLevel: 0, ...first }
            let known: readonly GameReport[] = earlier
            for (const name of names) {
              const next = later.find(({ sportsbook }) => sportsbook === name)!
              known = known.map((of) => (of.sportsbook === name ? next : of))
              state = { fromLevel: 0, ...mergeReports('basketball', known, state)! }
            }
            return state
          }
          expect(take(order)).toEqual(take(books))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('the order in which reports are held does not matter, and another look changes nothing', () => {
    fc.assert(
      fc.property(
        fc.tuple(...books.map(anyReport)),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (told, order) => {
          const before = stateOf(1, 1, 'Q1')
          const merged = mergeReports('basketball', told, before)!
          const shuffled = order.map((at) => told[at]!)
          expect(mergeReports('basketball', shuffled, before)).toEqual(merged)
          expect(mergeReports('basketball', told, { fromLevel: 0, ...merged })).toEqual(merged)
        },
      ),
      { numRuns: 500 },
    )
  })
})
