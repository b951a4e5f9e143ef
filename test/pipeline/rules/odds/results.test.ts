import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { middleFigures } from '../../../../pipeline/rules/odds/middles.ts'
import { middleKind } from '../../../../pipeline/rules/odds/questions.ts'
import {
  keyNumbers,
  middleOutlook,
  resultChances,
} from '../../../../pipeline/rules/odds/results.ts'
import { markets } from '../../../../schemas/reference/markets.ts'
import { sports } from '../../../../schemas/reference/sports.ts'

const outlook = (sport: string, marketType: string, low: number, high: number) =>
  middleOutlook({ sport, league: '', marketType, low, high })
const chance = (sport: string, marketType: string, low: number, high: number) =>
  middleOutlook({ sport, league: '', marketType, low, high })?.probability ?? Number.NaN

describe('the published numbers', () => {
  test.each([
    ['hockey', 'puck_line', 0.47, 0.005],
    ['baseball', 'run_line', 0.3, 0.005],
  ])(
    'an even game of %s at the %s ends with a margin of 1 in about %d',
    (sport, type, mass, by) => {
      const found = outlook(sport, type, -1.5, 1.5)
      // It goes on until one side leads, so 0 is no result of it.
      expect(found?.numbers).toEqual([-1, 1])
      expect(found?.keyNumbers).toEqual([1])
      expect(Math.abs((found?.keyNumberProbability ?? 0) - mass)).toBeLessThan(by)
    },
  )

  test.each([
    ['basketball', 'total_points', 226.5, 229.5, 18],
    // Half the root of the summed variances of total and margin.
    ['basketball', 'team_total', 108.5, 112.5, Math.hypot(18, 12.5) / 2],
    ['basketball', '1st_half_total_points', 110.5, 114.5, 18 / Math.SQRT2],
    ['basketball', '3rd_quarter_point_spread', 0.5, 2.5, 12.5 / 2],
    ['football', '1st_half_point_spread', 2.5, 7.5, 13.5 / Math.SQRT2],
    ['basketball', 'player_points', 22.5, 25.5, Math.sqrt(1.2 * 24)],
    ['baseball', 'player_strikeouts', 4.5, 6.5, Math.sqrt(1.2 * 5.5)],
    ['curling', 'player_shots', 0.5, 2.5, Math.sqrt(1.2 * 1.5)],
    ['tennis', 'total_games', 21.5, 23.5, Math.sqrt(1.2 * 22.5)],
  ])('%s %s between %d and %d is a normal curve of deviation %d', (sport, type, low, high, sd) => {
    // The curve is cut halfway between results: for half lines from low to high. By Simpson's rule.
    const middle = (low + high) / 2
    const density = (x: number) =>
      Math.exp(-((x - middle) ** 2) / (2 * sd * sd)) / (sd * Math.sqrt(2 * Math.PI))
    const steps = 2_000
    const width = (high - low) / steps
    let sum = density(low) + density(high)
    for (let i = 1; i < steps; i++) sum += (i % 2 ? 4 : 2) * density(low + i * width)
    expect(chance(sport, type, low, high)).toBeCloseTo((sum * width) / 3, 11)
  })
})

describe('the statistic of a player', () => {
  // By the measured variance per point of the line, see docs/middles.md.
  test.each([
    ['passing_yards', 249.5, 257.5, 0.041],
    ['receiving_yards', 54.5, 59.5, 0.054],
    ['rushing_yards', 69.5, 73.5, 0.038],
    ['longest_reception', 21.5, 23.5, 0.066],
    ['passing_completions', 21.5, 23.5, 0.129],
    ['receptions', 4.5, 6.5, 0.303],
  ])('of %s is between %d and %d with about %d', (statistic, low, high, expected) => {
    const found = chance('football', `player_${statistic}`, low, high)
    expect(Math.abs(found - expected)).toBeLessThan(0.001)
  })

  test('is a geometric count where it is the runs of a batter: the line halves it', () => {
    // 0.5 x 0.5 ^ (-1.5 / 31.5) - 0.5 x 0.5 ^ (1.5 / 31.5)
    expect(chance('cricket', 'player_runs', 29.5, 32.5)).toBeCloseTo(0.033013, 6)
    const even = resultChances('player_runs', 'cricket', 24.5)!
    let below = 0
    for (let runs = 0; runs <= 24; runs++) below += even(runs)
    expect(below).toBeCloseTo(0.5, 12)
    expect(even(-1)).toBe(0)
    // In baseball it is a small count.
    expect(chance('baseball', 'player_runs', 0.5, 2.5)).toBeGreaterThan(0.5)
  })

  test.each([
    ['basketball', 'player_fantasy_score', 36.5, 40.5],
    ['australian_rules', 'player_fantasy_points', 88.5, 92.5],
    ['golf', 'player_strokes', 68.5, 70.5],
    ['mma', 'player_significant_strikes', 44.5, 48.5],
    ['soccer', 'player_passes', 43.5, 47.5],
  ])('has no model where nobody measured it: in %s, %s', (sport, type, low, high) => {
    expect(outlook(sport, type, low, high)).toBeNull()
  })
})

describe('a level result', () => {
  test('is none of a game of basketball, and its chance is that of all others in proportion', () => {
    // Deviation 12.5 about 0: 0.03191 on 0, 0.03181 on 1 and on -1. 0.06362 / (1 - 0.03191) = 0.06571.
    const even = outlook('basketball', 'point_spread', -1.5, 1.5)
    expect(even?.numbers).toEqual([-1, 1])
    expect(even?.probability).toBeCloseTo(0.06571, 4)
    const { worst, expectedValue } = middleFigures(1.91, 1.91, even!.between, 1)
    expect(worst).toBeCloseTo(-0.045, 9)
    // -0.045 + 0.06571 x 0.955
    expect(expectedValue).toBeCloseTo(0.01775, 4)
    // About -3.5: 0.06376 on -4 and -3, 0.03069 on 0. 0.06376 / (1 - 0.03069) = 0.06578.
    expect(chance('basketball', 'point_spread', -4.5, -2.5)).toBeCloseTo(0.06578, 4)
  })

  test.each([
    ['basketball', 'point_spread'],
    ['hockey', 'puck_line'],
    ['baseball', 'run_line'],
    ['lacrosse', 'point_spread'],
  ])('ends no full game of %s, so nothing is between -0.5 and 0.5 or on 0', (sport, type) => {
    for (const [low, high] of [
      [-0.5, 0.5],
      [0, 0.5],
      [-0.5, 0],
      [-0.25, 0.25],
    ] as const) {
      expect(outlook(sport, type, low, high)).toMatchObject({
        numbers: [],
        probability: 0,
        pushNumbers: [],
        pushProbability: 0,
      })
    }
    expect(outlook(sport, type, -1, 2)?.pushNumbers).toEqual([-1, 2])
    expect(resultChances(type, sport, 0.5)!(0)).toBe(0)
  })

  test.each([
    ['soccer', 'asian_handicap', 0.2, 0.4],
    ['football', 'point_spread', 0, 0.005],
    ['rugby', 'point_spread', 0.02, 0.03],
    // Golden point is played for ten minutes.
    ['rugby_league', 'point_spread', 0.003, 0.005],
    ['australian_rules', 'point_spread', 0.01, 0.012],
    ['basketball', '1st_half_point_spread', 0.04, 0.05],
    ['basketball', '4th_quarter_point_spread', 0.06, 0.07],
    ['hockey', '1st_period_puck_line', 0.2, 0.4],
    ['baseball', '1st_5_innings_run_line', 0.1, 0.2],
  ])('of %s by %s is possible: %d to %d', (sport, type, least, most) => {
    const found = outlook(sport, type, -0.5, 0.5)
    expect(found?.numbers).toHaveLength(1)
    expect(found?.probability).toBeGreaterThan(least)
    expect(found?.probability).toBeLessThan(most)
  })
})

/** Returns Poisson probabilities by products, independent of the model's logarithms. */
function poissonTable(mean: number, upTo: number) {
  const table = [Math.exp(-mean)]
  for (let n = 1; n <= upTo; n++) table.push(((table[n - 1] ?? 0) * mean) / n)
  return table
}

describe('counts', () => {
  const cases = [
    ['hockey', 'total_goals'],
    ['soccer', '1st_half_total_goals'],
    ['baseball', 'total_runs'],
    ['baseball', '1st_5_innings_total_runs'],
    ['soccer', 'total_corners'],
    ['soccer', 'total_cards'],
    ['soccer', 'team_total_goals'],
    ['football', 'team_total_touchdowns'],
    ['tennis', 'total_aces'],
  ] as const
  test.each(cases)('%s %s are Poisson about the midpoint of the lines', (sport, type) => {
    for (let low = 0; low < 25; low += 0.5) {
      for (let size = 0.5; size < 8; size += 0.5) {
        const table = poissonTable(low + size / 2, 60)
        let sum = 0
        table.forEach((mass, n) => {
          if (n > low && n < low + size) sum += mass
        })
        expect(chance(sport, type, low, low + size)).toBeCloseTo(sum, 11)
      }
    }
  })

  test('a margin is the difference of two counts, settled by one when level in overtime', () => {
    for (const [sport, type, sum, isLevelPossible] of [
      ['soccer', '2nd_half_point_spread', 1.35, true],
      ['soccer', 'asian_handicap_corners', 10, true],
      ['hockey', 'puck_line', 6, false],
      ['hockey', '1st_period_puck_line', 2, true],
      ['baseball', 'run_line', 15.5, false],
      ['baseball', '1st_5_innings_run_line', (15.5 * 5) / 9, true],
    ] as const) {
      for (let midpoint = -1; midpoint <= 1; midpoint += 0.25) {
        const home = poissonTable((sum + midpoint) / 2, 80)
        const away = poissonTable((sum - midpoint) / 2, 80)
        const byMargin = new Map<number, number>()
        home.forEach((p, h) => {
          away.forEach((q, a) => {
            for (const side of h === a && !isLevelPossible ? [1, -1] : [h - a, h - a]) {
              byMargin.set(side, (byMargin.get(side) ?? 0) + (p * q) / 2)
            }
          })
        })
        for (const reach of [0.5, 1.5, 2.5, 3]) {
          const [low, high] = [midpoint - reach, midpoint + reach]
          let expected = 0
          for (const [margin, mass] of byMargin) {
            const from = low * 2 === Math.round(low * 2) ? low : low + 0.25
            const to = high * 2 === Math.round(high * 2) ? high : high - 0.25
            if (margin > from && margin < to) expected += mass
          }
          expect(chance(sport, type, low, high)).toBeCloseTo(expected, 10)
        }
      }
    }
  })

  test('a margin of a strong favourite is as likely and as short to compute on either side', () => {
    const exp = vi.spyOn(Math, 'exp')
    const table = [28.6, 0.6].map((mean) => poissonTable(mean, 150))
    const of = (sign: 1 | -1) => {
      const before = exp.mock.calls.length
      const found = resultChances('puck_line', 'hockey', 28 * sign)!
      const chances = [26, 27, 31, 40].map((margin) => found(sign * margin))
      return { chances, terms: exp.mock.calls.length - before }
    }
    const [ahead, behind] = [of(1), of(-1)]
    exp.mockRestore()
    expect(behind).toEqual(ahead)
    const expected = [26, 27, 31, 40].map((margin) =>
      table[1]!.reduce((sum, mass, n) => sum + mass * (table[0]![n + margin] ?? 0), 0),
    )
    for (const [i, chance] of ahead.chances.entries()) expect(chance).toBeCloseTo(expected[i]!, 12)
  })

  test('no margin is expected of far more than what both count', () => {
    expect(outlook('hockey', 'puck_line', 29, 31)).not.toBeNull()
    for (const far of [30.25, 1_000, 100_000]) {
      expect(outlook('hockey', 'puck_line', far - 0.5, far + 0.5)).toBeNull()
      expect(outlook('hockey', 'puck_line', -far - 0.5, 0.5 - far)).toBeNull()
      expect(resultChances('run_line', 'baseball', 10 * -far)).toBeNull()
    }
  })
})

describe('every market that has a model', () => {
  const modelled = markets.flatMap(({ id }) =>
    sports
      .map((sport) => [sport.id, id] as const)
      .filter(([sport]) => outlook(sport, id, 3.5, 5.5) !== null),
  )
  const market = fc.constantFrom(...modelled)
  const line = fc.integer({ min: -160, max: 1000 }).map((quarters) => quarters / 4)
  const size = fc.integer({ min: 1, max: 80 }).map((quarters) => quarters / 4)

  /** The chance of a century and more, which only a batter has. */
  const beyond = (sport: string, type: string, high: number) =>
    type === 'player_runs' && sport === 'cricket'
      ? 0.5 ** (Math.ceil(high) / (high - 99.5 + 0.5))
      : 0

  test('spreads one whole over all results', () => {
    expect(modelled.length).toBeGreaterThan(300)
    for (const [sport, type] of modelled) {
      for (const midpoint of [0.5, 3.75, 6]) {
        const all = chance(sport, type, midpoint - 99.5, midpoint + 99.5)
        // The normal curve of a small count has a part below zero, which belongs to the whole.
        expect(Math.abs(all - 1), `${sport} ${type} ${midpoint}`).toBeLessThan(
          sport === 'australian_rules' ? 0.01 : beyond(sport, type, midpoint + 99.5) + 1e-6,
        )
      }
    }
  })

  test('returns a probability, of which key numbers are a part', () => {
    fc.assert(
      fc.property(market, line, size, ([sport, type], low, gap) => {
        const found = outlook(sport, type, low, low + gap)
        const middle = low + gap / 2
        // Measured results have a limited range.
        if (found === null)
          return Math.abs(middle) >= 15 || (middleKind(type) === 'total' && middle <= 0)
        return (
          found.probability >= 0 &&
          found.probability <= 1 &&
          found.keyNumberProbability >= 0 &&
          found.keyNumberProbability <= found.probability &&
          found.numbers.every((result) => result > low && result < low + gap)
        )
      }),
      { numRuns: 10_000 },
    )
  })

  test('never makes a middle less likely that reaches further about the same midpoint', () => {
    fc.assert(
      fc.property(market, line, size, size, ([sport, type], low, gap, wider) => {
        const before = chance(sport, type, low, low + gap)
        const after = chance(sport, type, low - wider, low + gap + wider)
        return Number.isNaN(before) || after >= before - 1e-12
      }),
      { numRuns: 6_000 },
    )
  })

  test('is the same for the other side of a margin', () => {
    const margins = modelled.filter(([, type]) => middleKind(type) === 'margin')
    fc.assert(
      fc.property(fc.constantFrom(...margins), line, size, ([sport, type], low, gap) => {
        const here = chance(sport, type, low, low + gap)
        const there = chance(sport, type, -low - gap, -low)
        return Number.isNaN(here) ? Number.isNaN(there) : Math.abs(here - there) < 1e-12
      }),
      { numRuns: 4_000 },
    )
  })

  test('returns the same from its cache and without it', () => {
    const ask = () => outlook('football', 'point_spread', 2.5, 7.5)
    const first = ask()
    expect(ask()).toBe(first)
    for (let i = 0; i < 60_000; i++) outlook('hockey', 'total_goals', i / 4, i / 4 + 1)
    for (let i = 0; i < 200; i++) outlook(`sport ${i}`, 'total_points', 1.5, 3.5)
    expect(ask()).toEqual(first)
    expect(Object.isFrozen(first)).toBe(true)
    expect(Object.isFrozen(first?.numbers)).toBe(true)
  })
})

describe('a football margin', () => {
  const nfl = (low: number, high: number) => chance('football', 'point_spread', low, high)

  test('has the sign that the spread favours more often, but not always', () => {
    const chanceOf = resultChances('point_spread', 'football', 3)!
    expect(chanceOf(3)).toBeGreaterThan(0.08)
    expect(chanceOf(3)).toBeLessThan(0.09)
    expect(chanceOf(-3) / chanceOf(3)).toBeGreaterThan(0.8)
    expect(nfl(-3.5, -2.5)).toBe(nfl(2.5, 3.5))
  })

  test('is 3 or 7 more often than its neighbours, and seldom 0', () => {
    const chanceOf = resultChances('point_spread', 'football', 5)!
    for (const key of [3, 7, 10]) {
      expect(chanceOf(key)).toBeGreaterThan(1.2 * chanceOf(key - 1))
      expect(chanceOf(key)).toBeGreaterThan(1.2 * chanceOf(key + 1))
    }
    expect(nfl(-0.5, 0.5)).toBeLessThan(0.005)
  })

  test('is even at the line that is expected, whole, half or quarter', () => {
    const cases = [
      ['football', 'point_spread', [-10.5, -3, -2.75, 0, 0.5, 3, 6.5, 7, 14]],
      ['football', 'total_points', [37, 41.5, 44, 47.25, 51]],
      ['soccer', 'asian_handicap', [-1.75, -0.5, 0, 0.25, 0.5, 1, 2.25]],
    ] as const
    for (const [sport, type, lines] of cases) {
      for (const line of lines) {
        const chanceOf = resultChances(type, sport, line)!
        let ahead = 0
        for (let result = -120; result <= 120; result++) {
          const halves = line * 2 === Math.round(line * 2) ? [line] : [line - 0.25, line + 0.25]
          for (const half of halves) ahead += chanceOf(result) * Math.sign(result - half)
        }
        expect(Math.abs(ahead), `${sport} ${type} ${line}`).toBeLessThan(1e-7)
      }
    }
  })
})

describe('the unit of a market', () => {
  test.each([
    ['point_spread', 'margin'],
    ['1st_5_innings_run_line', 'margin'],
    ['asian_handicap_corners', 'margin'],
    ['total_points', 'total'],
    ['1st_half_team_total_goals', 'total'],
    ['player_points', 'total'],
    ['moneyline', null],
    ['race_to', null],
    ['match_result_total_goals', null],
    ['season_wins', null],
    ['player_prop', null],
    ['alternate_point_spread_we_never_saw', null],
  ])('by %s is %s', (marketType, kind) => {
    expect(middleKind(marketType)).toBe(kind)
  })

  test.each([
    ['tennis', 'set_handicap'],
    ['tennis', 'game_handicap'],
    ['tennis', '1st_set_total_games'],
    ['tennis', 'total_sets'],
    ['mma', 'total_rounds'],
    ['esports', 'map_handicap'],
    ['snooker', 'total_frames'],
    ['cricket', 'total_runs'],
    ['curling', 'total_points'],
    ['football', 'season_wins'],
    ['football', 'moneyline'],
    ['chess', 'point_spread'],
    ['constructor', 'total_points'],
    ['football', 'a_total_of_something'],
  ])('in %s by %s has no model, so no probability', (sport, marketType) => {
    expect(outlook(sport, marketType, 1.5, 4.5)).toBeNull()
  })

  test('a total expected at or below zero has none either', () => {
    expect(outlook('soccer', 'total_goals', -2, 1.5)).toBeNull()
    expect(outlook('basketball', 'player_points', -2, 2)).toBeNull()
  })

  test('lines that enclose no result leave the probability at 0', () => {
    expect(outlook('soccer', 'total_goals', 2.5, 3)).toMatchObject({ numbers: [], probability: 0 })
  })
})

describe('key numbers', () => {
  test.each([
    ['football', 'margin', [2, 3, 4], [3]],
    ['football', 'margin', [-10, -9, -8, -7], [7, 10]],
    ['football', 'margin', [-3, -2, -1, 0, 1, 2, 3], [3]],
    ['football', 'total', [3, 7], []],
    ['hockey', 'margin', [-1], [1]],
    ['basketball', 'margin', [1, 3, 7], []],
    ['constructor', 'margin', [1], []],
  ] as const)('of %s by %s among %j are %j', (sport, kind, numbers, keys) => {
    expect(keyNumbers(sport, kind, numbers)).toEqual(keys)
  })

  test('are those of full games only', () => {
    expect(outlook('football', '1st_half_point_spread', 2.5, 7.5)?.keyNumbers).toEqual([])
    expect(outlook('soccer', 'asian_handicap_corners', 0.5, 1.5)?.keyNumbers).toEqual([])
  })
})
