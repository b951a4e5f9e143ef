/**
 * Seasons with closing lines and final scores, and the fit of `measured-results.json` to them: weights by
 * maximum likelihood, with additional games for each result that end as the curve alone predicts.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { measured } from '../../../../pipeline/rules/odds/result-curves.ts'
import type { MeasuredResults } from '../../../../schemas/reference/measured-results.ts'
import { groupBy } from '../../../oracle/slow-opportunities.ts'

const shared = new URL('../../../../../shared/data/', import.meta.url)
const nflFile = new URL('us-odds/nfl-archive-open-close/nfl_2011-2021_consensus.json.gz', shared)
const laterNfl = (season: number) => new URL(`us-odds/nfl-multibook/nfl_${season}.csv`, shared)
const football = new URL('football-data/', shared)

export const areSeasonsHere = existsSync(nflFile) && existsSync(football)

/** One game: the sportsbooks' closing line, and the result. */
export interface ClosedGame {
  readonly season: number
  readonly line: number
  readonly result: number
}

interface Game {
  readonly season: number
  /** The home side's margin expected by the closing spread. */
  readonly margin: number
  readonly total: number
  readonly home: number
  readonly away: number
}

export const marginsOf = (games: readonly Game[]): ClosedGame[] =>
  games.map(({ season, margin, home, away }) => ({ season, line: margin, result: home - away }))

export const totalsOf = (games: readonly Game[]): ClosedGame[] =>
  games.map(({ season, total, home, away }) => ({ season, line: total, result: home + away }))

/** Reads NFL games: one consensus close until 2021, the median of sportsbooks in 2022 and 2023. */
export function nflGames(): Game[] {
  const archive: Record<string, string | number>[] = JSON.parse(
    gunzipSync(readFileSync(nflFile)).toString(),
  )
  const games = archive.map(
    (row): Game => ({
      season: Number(row.season),
      margin: 0 - Number(row.home_close_spread),
      total: Number(row.close_over_under),
      home: Number(row.home_final),
      away: Number(row.away_final),
    }),
  )
  for (const season of [2022, 2023]) games.push(...multibookGames(season))
  // In about one game of eleven spread and total are swapped, and it is unknown whose spread it is.
  return games.filter(({ total }) => total >= 20)
}

function multibookGames(season: number): Game[] {
  const rows: Record<string, string>[] = parse(readFileSync(laterNfl(season)), { columns: true })
  const byGame = groupBy(rows, ({ game_id = '' }) => game_id)
  return [...byGame.values()].flatMap((sides): Game[] => {
    // The visitor has the lower rotation number.
    const [away = {}, home = {}] = sides.toSorted((a, b) => Number(a.rotation) - Number(b.rotation))
    if (!home.score || !away.score) return []
    const closes = (what: string) => {
      const lines = Object.keys(home)
        .filter((column) => /^\d+_/.test(column) && column.endsWith(`_${what}`) && home[column])
        .map((column) => Number(home[column]))
        .toSorted((a, b) => a - b)
      return lines[Math.floor(lines.length / 2)] ?? Number.NaN
    }
    const scores = { home: Number(home.score), away: Number(away.score) }
    return [{ season, margin: 0 - closes('spread'), total: closes('total'), ...scores }]
  })
}

/** Reads soccer's closing Asian handicaps of eleven divisions. A season is named by the year it ends in. */
export function soccerMargins(): ClosedGame[] {
  return soccerRows().flatMap(({ season, row }): ClosedGame[] =>
    row.AHCh && row.FTHG && row.FTAG
      ? [{ season, line: 0 - Number(row.AHCh), result: Number(row.FTHG) - Number(row.FTAG) }]
      : [],
  )
}

/** Reads soccer's goals, with the probability of three or more by the closing prices of over and under 2.5. */
export function soccerGoals(): { readonly over: number; readonly goals: number }[] {
  return soccerRows().flatMap(({ row }) => {
    const over = Number(row['PC>2.5'] || row['AvgC>2.5'])
    const under = Number(row['PC<2.5'] || row['AvgC<2.5'])
    if (!(over > 1 && under > 1 && row.FTHG && row.FTAG)) return []
    return [{ over: under / (over + under), goals: Number(row.FTHG) + Number(row.FTAG) }]
  })
}

function soccerRows() {
  const files = readdirSync(football).filter((name) =>
    /^[A-Z]+\d_\d{4}(-partial)?\.csv$/.test(name),
  )
  return files.flatMap((name) => {
    const season = 2000 + Number(/_\d\d(\d\d)/.exec(name)![1])
    const rows: Record<string, string>[] = parse(readFileSync(new URL(name, football)), {
      columns: true,
      bom: true,
      relaxColumnCount: true,
    })
    return rows.map((row) => ({ season, row }))
  })
}

// ---- the fit

/** Additional games counted per result. */
const priorGames = { margin: 20, total: 60 } as const
const rounds = 15

/** @param count number of results with their own weight */
export function fitWeights(
  of: Omit<MeasuredResults, 'weights'>,
  count: number,
  games: readonly ClosedGame[],
): number[] {
  const prior = priorGames[of.counts]
  const placeOf = (result: number) =>
    (of.counts === 'margin' ? Math.abs(result) : result) - of.firstWeight
  const seen = new Float64Array(count)
  for (const { result } of games) if (placeOf(result) in seen) seen[placeOf(result)]! += 1
  const gamesAt = groupBy(games, ({ line }) => String(line))
  let weights = Array.from(seen, () => 1)
  for (let round = 0; round < rounds; round++) {
    const expected = new Float64Array(count)
    const curve = measured({ ...of, weights })
    for (const [line, { length }] of gamesAt) {
      const chanceOf = curve(Number(line))!
      for (let result = of.least; result <= of.most; result++) {
        const place = placeOf(result)
        if (place in expected) expected[place]! += length * chanceOf(result)
      }
    }
    weights = weights.map((weight, at) => (weight * (seen[at]! + prior)) / (expected[at]! + prior))
  }
  return weights.map((weight) => Number(weight.toFixed(3)))
}

/** The sizes and growths to try, in the tenths that they are stated in. */
const sizes = tenths(1.5, 3.5)
const growths = tenths(0, 1)

function tenths(from: number, to: number): number[] {
  return Array.from({ length: Math.round(10 * (to - from)) + 1 }, (_, i) =>
    Number((from + i / 10).toFixed(1)),
  )
}

/** Fits the two numbers of a curve without weights that predict games best. */
export function fitSize(of: MeasuredResults, games: readonly ClosedGame[]): MeasuredResults {
  let best = of
  let most = Number.NEGATIVE_INFINITY
  for (const size of sizes) {
    for (const growth of growths) {
      const tried = { ...of, size, growth }
      const found = likelihood(tried, games)
      if (found <= most) continue
      best = tried
      most = found
    }
  }
  return best
}

/** Returns how well a curve predicts games: the mean logarithm of the probabilities of their results. */
export function likelihood(of: MeasuredResults, games: readonly ClosedGame[]): number {
  const curve = measured(of)
  const sum = games.reduce((sum, { line, result }) => sum + Math.log(curve(line)!(result)), 0)
  return sum / games.length
}
