/**
 * Three seasons of football and one of American football, from the recording through the board to the result of each
 * game. Bets are settled by rule, and independently from the cells of the file.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { openRecording } from '../../../../pipeline/feeds/replay/open-recording.ts'
import { settleBet } from '../../../../pipeline/rules/bets/settle-bet.ts'
import { gameResultOf } from '../../../../pipeline/rules/games/game-result.ts'
import { projectRoot } from '../../../../schemas/project-root.ts'
import { topics } from '../../../../schemas/topics.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const data = join(projectRoot, '../shared/data')
const isThere = existsSync(data)

type Cells = Record<string, string>

const cellsOf = (file: string): Cells[] =>
  parse(readFileSync(join(data, file)), { columns: true, bom: true, skip_empty_lines: true })

/** Returns the results of a recording, by the names of the two sides. */
async function resultsOf(file: string) {
  const board = createRealBoard()
  const recording = await openRecording(join(data, file))
  for await (const { records } of recording.steps()) if (records.length > 0) board.take(records)
  const events = board.tables.events
  const results = new Map<string, ReturnType<typeof gameResultOf>[]>()
  for (const [id, row] of board.tableOf(topics.gameResults)) {
    const event = events.get(id)!
    expect(row.status).toBe('final')
    const key = `${event.listedHome ?? event.homeTeam} - ${event.listedAway ?? event.awayTeam}`
    results.set(key, [
      ...(results.get(key) ?? []),
      gameResultOf(row.sport, row.startsAt, row.reports, 'point_spread'),
    ])
  }
  return [...results.values()].flat()
}

/** Settles a stake of 1 at 2.0 on a line, half by half, as a bookmaker's clerk would. */
function clerk(points: number, line: number): number {
  const halves = Number.isInteger(line * 2) ? [line, line] : [line - 0.25, line + 0.25]
  return halves.reduce((sum, half) => {
    const gap = points + half
    return sum + (gap > 0 ? 0.5 : gap < 0 ? -0.5 : 0)
  }, 0)
}

/** Returns the sorted scores, which identify a list of results without names of sides. */
function scores(list: readonly (readonly [number, number])[]) {
  return list.map(([home, away]) => `${home}:${away}`).sort()
}

describe.runIf(isThere)('a season that was played', () => {
  it.each(['football-data/I1_2425.csv', 'football-data/E1_2223.csv', 'football-data/D1_2021.csv'])(
    '%s is settled like its file',
    async (file) => {
      const rows = cellsOf(file).filter(({ FTR }) => FTR)
      const results = await resultsOf(file)
      expect(results).toHaveLength(rows.length)
      const finals = results.map((result) => {
        if (typeof result === 'string') throw new Error(result)
        expect(result.regulation).toEqual(result.final)
        return [result.final!.home, result.final!.away] as const
      })
      expect(scores(finals)).toEqual(
        scores(rows.map(({ FTHG, FTAG }) => [Number(FTHG), Number(FTAG)])),
      )
      let bets = 0
      for (const { FTHG, FTAG, HTHG, HTAG, FTR, AHCh, AHh } of rows) {
        const [home, away] = [Number(FTHG), Number(FTAG)]
        const score = { home, away }
        const half = { home: Number(HTHG), away: Number(HTAG) }
        const result = {
          final: score,
          regulation: score,
          periods: new Map([['1st_half', half]]),
        }
        const of = (marketType: string, selectionType: string, line: number | null = null) => {
          bets++
          return settleBet({ sport: 'soccer', marketType, selectionType, line }, result)
        }
        expect([of('moneyline', 'home'), of('moneyline', 'draw'), of('moneyline', 'away')]).toEqual(
          ['H', 'D', 'A'].map((letter) => (letter === FTR ? 1 : -1)),
        )
        for (const line of [1.5, 2, 2.25, 2.5, 2.75, 3, 3.5]) {
          expect(of('total_goals', 'over', line)).toBeCloseTo(clerk(home + away, -line))
          expect(of('total_goals', 'under', line)).toBeCloseTo(-clerk(home + away, -line))
        }
        const handicap = Number(AHCh || AHh)
        if (AHCh || AHh) {
          expect(of('point_spread', 'home', handicap)).toBeCloseTo(clerk(home - away, handicap))
          expect(of('point_spread', 'away', -handicap)).toBeCloseTo(clerk(away - home, -handicap))
        }
        expect(of('1st_half_moneyline_3-way', 'draw')).toBe(half.home === half.away ? 1 : -1)
      }
      expect(bets).toBeGreaterThan(5_000)
    },
  )

  it('of the NFL is settled with overtime', async () => {
    const file = 'us-odds/nfl-multibook/nfl_2023.csv'
    const teams = cellsOf(file)
    const results = await resultsOf(file)
    const games = new Map<string, Cells[]>()
    for (const row of teams) games.set(row.game_id!, [...(games.get(row.game_id!) ?? []), row])
    const played = [...games.values()]
      .filter((rows) => rows.length === 2 && /^FINAL/.test(rows[0]!.outcome!))
      .map((rows) => rows.sort((a, b) => Number(a.rotation) - Number(b.rotation)))
      .map(([away, home]) => [Number(home!.score), Number(away!.score)] as const)
    const finals = results.map((result) => {
      if (typeof result === 'string') throw new Error(result)
      return [result.final!.home, result.final!.away] as const
    })
    expect(scores(finals)).toEqual(scores(played))
  })
})
