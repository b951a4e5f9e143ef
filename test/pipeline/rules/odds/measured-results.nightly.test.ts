/**
 * The measured results against the seasons they were fitted to, and the table of `docs/middles.md`: each
 * half of the seasons (odd and even years) is predicted by the fit to the other half.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { measured, normal, type Results } from '../../../../pipeline/rules/odds/result-curves.ts'
import {
  type MeasuredResults,
  measuredResults,
} from '../../../../schemas/reference/measured-results.ts'
import {
  areSeasonsHere,
  type ClosedGame,
  fitSize,
  fitWeights,
  likelihood,
  marginsOf,
  nflGames,
  soccerGoals,
  soccerMargins,
  totalsOf,
} from './measured-seasons.ts'

const resultsOf = (sport: string, counts: MeasuredResults['counts']) =>
  measuredResults.find((row) => row.sport === sport && row.counts === counts)!
const nflMargin = resultsOf('football', 'margin')
const nflTotal = resultsOf('football', 'total')
const soccerMargin = resultsOf('soccer', 'margin')
const soccerTotal = resultsOf('soccer', 'total')

/** How often games ended this way, and how often that was predicted. */
interface Row {
  readonly what: string
  readonly games: number
  readonly seen: number
  readonly said: number
}

const halfOf = ({ season }: ClosedGame) => season % 2

type Fit = (of: MeasuredResults, games: readonly ClosedGame[]) => MeasuredResults

const withWeights: Fit = (of, games) => ({
  ...of,
  weights: fitWeights(of, of.weights.length, games),
})

/** Fits each half of the seasons, and predicts a game by the fit of the other half. */
function foretold(of: MeasuredResults, games: readonly ClosedGame[], refit = withWeights) {
  const fitFor = (half: number): MeasuredResults =>
    refit(
      of,
      games.filter((game) => halfOf(game) !== half),
    )
  const fitted = [fitFor(0), fitFor(1)] as const
  const curves = [measured(fitted[0]), measured(fitted[1])] as const
  return { fitted, curveFor: (game: ClosedGame) => curves[halfOf(game) as 0 | 1] }
}

/**
 * @param isAsked selects games by their line; of margins, the favourite's
 * @param range returns the open range of results, from the line or absolute
 */
function rowOf(
  what: string,
  games: readonly ClosedGame[],
  curveFor: (game: ClosedGame) => Results,
  isAsked: (line: number) => boolean,
  range: (line: number) => readonly [low: number, high: number],
): Row {
  const asked = games.filter(({ line }) => isAsked(line))
  let seen = 0
  let said = 0
  for (const game of asked) {
    const [low, high] = range(game.line)
    if (game.result > low && game.result < high) seen++
    const chanceOf = curveFor(game)(game.line)!
    for (let result = Math.floor(low) + 1; result < high; result++) said += chanceOf(result)
  }
  return { what, games: asked.length, seen: seen / asked.length, said: said / asked.length }
}

const errorOf = ({ games, seen }: Row) => Math.sqrt((seen * (1 - seen)) / games)

/** Formats a row as in the guide. */
const lineOf = (row: Row) =>
  `| ${row.what} | ${row.games} | ${row.said.toFixed(3)} | ${row.seen.toFixed(3)} ± ${errorOf(row).toFixed(3)} |`

/** Returns a margin as the favourite's. */
const asFavourite = ({ season, line, result }: ClosedGame): ClosedGame =>
  line < 0 ? { season, line: 0 - line, result: 0 - result } : { season, line, result }

describe.skipIf(!areSeasonsHere)('measured results (need ../shared)', () => {
  const guide = readFileSync(new URL('../../../../docs/middles.md', import.meta.url), 'utf8')
  let margins: ClosedGame[]
  let totals: ClosedGame[]
  let soccer: ClosedGame[]

  beforeAll(() => {
    const nfl = nflGames()
    margins = marginsOf(nfl).map(asFavourite)
    totals = totalsOf(nfl)
    soccer = soccerMargins().map(asFavourite)
  })

  const isShown = (row: Row) => {
    expect.soft(guide).toContain(lineOf(row))
    expect.soft(Math.abs(row.seen - row.said), row.what).toBeLessThan(3 * errorOf(row))
  }
  const isNear = (line: number, by: number) => (of: number) => Math.abs(of - line) <= by

  test('have the weights that the seasons give', () => {
    expect(nflMargin.weights).toEqual(fitWeights(nflMargin, nflMargin.weights.length, margins))
    expect(nflTotal.weights).toEqual(fitWeights(nflTotal, nflTotal.weights.length, totals))
    expect(soccerMargin.weights).toEqual([])
  })

  test('have two numbers for soccer that predict no worse than the best, as far as the games can tell', () => {
    const best = fitSize(soccerMargin, soccer)
    const lost = likelihood(best, soccer) - likelihood(soccerMargin, soccer)
    console.log(
      `soccer margins: in use ${soccerMargin.size} and ${soccerMargin.growth}, best ${best.size} and ${best.growth}, ` +
        `${(lost * soccer.length).toFixed(2)} apart in log-likelihood`,
    )
    // Two fitted numbers gain 1 by chance alone.
    expect(lost * soccer.length).toBeLessThan(1)
  })

  test('predict NFL margins of the other half of the seasons', () => {
    const { fitted, curveFor } = foretold(nflMargin, margins)
    const about = (line: number, by: number) => isNear(line, by)
    const rows = [
      rowOf(
        'NFL: 3 where the spread closes at 2.5 to 3.5',
        margins,
        curveFor,
        about(3, 0.5),
        () => [2.5, 3.5],
      ),
      rowOf('NFL: 3 to 7 where it closes at 4 to 6', margins, curveFor, about(5, 1), () => [
        2.5, 7.5,
      ]),
      rowOf('NFL: 7 to 10 where it closes at 6.5 to 10.5', margins, curveFor, about(8.5, 2), () => [
        6.5, 10.5,
      ]),
      rowOf('NFL: 7 where it closes at 6.5 to 7.5', margins, curveFor, about(7, 0.5), () => [
        6.5, 7.5,
      ]),
      rowOf('NFL: 4 to 6 where it closes at 3 to 7', margins, curveFor, about(5, 2), () => [3, 7]),
      rowOf(
        'NFL: the underdog by 3 where it closes at 1 to 3.5',
        margins,
        curveFor,
        about(2.25, 1.25),
        () => [-3.5, -2.5],
      ),
      rowOf(
        'NFL: 3 or less either way where it closes at 3 or less',
        margins,
        curveFor,
        about(0, 3),
        () => [-3.5, 3.5],
      ),
      rowOf(
        'NFL: the spread itself, where it is whole',
        margins,
        curveFor,
        Number.isInteger,
        (line) => [line - 0.5, line + 0.5],
      ),
      rowOf(
        'NFL: within 2 of the spread',
        margins,
        curveFor,
        () => true,
        (line) => [line - 2.25, line + 2.25],
      ),
    ]
    for (const row of rows) isShown(row)
    for (const half of [0, 1] as const) {
      const games = margins.filter((game) => halfOf(game) === half)
      expect(likelihood(fitted[half], games)).toBeGreaterThan(
        likelihood({ ...nflMargin, weights: [] }, games) + 0.05,
      )
    }
  })

  test('predict NFL totals of the other half of the seasons', () => {
    const { fitted, curveFor } = foretold(nflTotal, totals)
    const rows = [
      rowOf(
        'NFL total: the line itself, where it is whole',
        totals,
        curveFor,
        Number.isInteger,
        (line) => [line - 0.5, line + 0.5],
      ),
      rowOf(
        'NFL total: within 2 of the line',
        totals,
        curveFor,
        () => true,
        (line) => [line - 2.25, line + 2.25],
      ),
      rowOf('NFL total: 41 where it closes at 39 to 43', totals, curveFor, isNear(41, 2), () => [
        40.5, 41.5,
      ]),
      rowOf('NFL total: 44 where it closes at 42 to 46', totals, curveFor, isNear(44, 2), () => [
        43.5, 44.5,
      ]),
      rowOf('NFL total: 42 where it closes at 40 to 44', totals, curveFor, isNear(42, 2), () => [
        41.5, 42.5,
      ]),
      rowOf('NFL total: 51 where it closes at 49 to 53', totals, curveFor, isNear(51, 2), () => [
        50.5, 51.5,
      ]),
    ]
    for (const row of rows) isShown(row)
    for (const half of [0, 1] as const) {
      const games = totals.filter((game) => halfOf(game) === half)
      expect(likelihood(fitted[half], games)).toBeGreaterThan(
        likelihood({ ...nflTotal, weights: [] }, games) + 0.005,
      )
    }
  })

  test('predict soccer margins of the other half of the seasons, by two numbers for all of them', () => {
    const { fitted, curveFor } = foretold(soccerMargin, soccer, fitSize)
    console.log(
      `soccer margins: ${fitted.map(({ size, growth }) => `${size} and ${growth}`).join('; ')}`,
    )
    const rows = [0, 0.25, 0.5, 0.75, 1, 1.5].flatMap((line) =>
      [0, 1].map((margin) =>
        rowOf(
          margin === 0
            ? `Soccer: level where the handicap closes at ${line}`
            : `Soccer: the favourite by 1 where it closes at ${line}`,
          soccer,
          curveFor,
          (of) => of === line,
          () => [margin - 0.5, margin + 0.5],
        ),
      ),
    )
    for (const row of rows) isShown(row)
    for (const half of [0, 1] as const) {
      const games = soccer.filter((game) => halfOf(game) === half)
      const plain = likelihood({ ...soccerMargin, size: 2.7, growth: 0 }, games)
      expect(likelihood(fitted[half], games)).toBeGreaterThan(plain)
      expect(likelihood(soccerMargin, games)).toBeGreaterThan(plain)
    }
  })

  test('predict soccer goals as a count that is even at the line', () => {
    const chanceOf = measured(soccerTotal)(2.5)!
    const goals = soccerGoals().filter(({ over }) => Math.abs(over - 0.5) <= 0.03)
    for (const [count, word] of [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'four'],
    ] as const) {
      const row: Row = {
        what: `Soccer: ${word} goals where over 2.5 closes at 47 to 53 %`,
        games: goals.length,
        seen: goals.filter((game) => game.goals === count).length / goals.length,
        said: chanceOf(count),
      }
      isShown(row)
    }
  })

  test('are better than one curve without weights', () => {
    // The former curve of the model for totals.
    const curve = normal(nflTotal.size)
    const plain = totals.reduce((sum, { line, result }) => sum + Math.log(curve(line)!(result)), 0)
    expect(likelihood(nflTotal, totals)).toBeGreaterThan(plain / totals.length + 0.01)
  })
})
