/** Past seasons, against the published figures of one and a recomputation without boards or clocks. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Backtest, backtest } from '../../../pipeline/backtest/backtest.ts'
import type { Life } from '../../../pipeline/backtest/lives.ts'
import { summariseCloses } from '../../../pipeline/backtest/summary.ts'
import { projectRoot } from '../../../schemas/project-root.ts'

const data = join(projectRoot, '../shared/data')
const isThere = existsSync(join(data, 'opportunities'))
const hour = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: figures of many shapes
const figuresOf = (name: string): any =>
  JSON.parse(readFileSync(join(data, 'opportunities', name), 'utf8'))

/** Returns rows by column name; these files have no quotes. */
function rowsOf(path: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(data, path), 'utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe.skipIf(!isThere)('a football season replayed (needs ../shared)', () => {
  const expected = isThere ? figuresOf('football_I1_2425.json') : null
  let season: Backtest
  let lives: { early: readonly Life[]; closing: readonly Life[] }

  beforeAll(async () => {
    const path = join(data, 'football-data/I1_2425.csv')
    // The published figures are of sportsbooks only, without the exchange.
    season = await backtest({ path, without: new Set(['betfair']) }, ['pinnacle'])
    const starts = new Map(season.closes.map(({ eventId, startsAt }) => [eventId, startsAt]))
    const isEarly = ({ bornAt, eventId }: Life) => bornAt < starts.get(eventId)! - hour
    const moneylines = season.lives.filter(({ marketType }) => marketType === 'moneyline')
    lives = {
      early: moneylines.filter(isEarly),
      closing: moneylines.filter((life) => !isEarly(life)),
    }
  })

  it('has the published +EV, by sportsbook', () => {
    const names = {
      '1XB': 'onexbet',
      B365: 'bet365',
      BF: 'betfair_sportsbook',
      BW: 'bwin',
      WH: 'williamhill',
    }
    for (const [code, name] of Object.entries(names)) {
      const { positive, sum_positive_ev } = expected.ev.by_book[code]
      const found = lives.early.filter(
        ({ kind, legs }) => kind === 'ev' && legs[0]!.sportsbook === name,
      )
      // One of them is listed as 0.00 %.
      const lost = code === '1XB' ? 1 : 0
      expect(found).toHaveLength(positive - lost)
      expect(Math.abs(100 * sumOf(found.map(({ peak }) => peak)) - sum_positive_ev)).toBeLessThan(
        lost ? 0.005 : 1e-5,
      )
    }
  })

  it.each([
    ['early', '', 'arbitrage_3way_prematch'],
    ['closing', 'C', 'arbitrage_3way_closing'],
  ] as const)('has the %s arbitrages of the file, match by match', (phase, mark, figures) => {
    const profits = new Map<string, number>()
    for (const row of rowsOf('football-data/I1_2425.csv')) {
      const best = ['H', 'D', 'A'].map((side) =>
        Math.max(
          ...['B365', 'BW', 'BF', 'PS', 'WH', '1XB'].map((book) =>
            Number(row[`${book}${mark}${side}`] ?? 0),
          ),
        ),
      )
      const profit = 1 / sumOf(best.map((price) => 1 / price)) - 1
      if (profit > 0) profits.set(`${row.HomeTeam} ${row.AwayTeam}`, profit)
    }
    expect(profits.size).toBe(expected[figures].arbs)
    expect(100 * sumOf([...profits.values()])).toBeCloseTo(expected[figures].sum_profit, 5)
    const shown = [...profits.values()].filter((profit) => profit >= 0.00005)
    const found = lives[phase].filter(({ kind }) => kind === 'arbitrage')
    expect(found).toHaveLength(shown.length)
    const inOrder = (values: number[]) => [...values].sort((a, b) => a - b)
    inOrder(found.map(({ worthAtBirth }) => worthAtBirth)).forEach((profit, i) => {
      expect(profit).toBeCloseTo(inOrder(shown)[i]!, 12)
    })
  })

  it('closes with the published value', () => {
    const names = {
      B365: 'bet365',
      BW: 'bwin',
      BF: 'betfair_sportsbook',
      WH: 'williamhill',
      '1XB': 'onexbet',
    }
    const markets = {
      '1x2_closing': 'moneyline',
      'over_under_2.5_closing': 'total_goals',
      asian_handicap_closing_line_AHCh: 'point_spread',
    }
    const summaries = summariseCloses(season.closes)
    let compared = 0
    for (const [market, marketType] of Object.entries(markets)) {
      for (const [code, figures] of Object.entries<Record<string, number>>(
        expected.clv.markets[market],
      )) {
        const sportsbook = names[code as keyof typeof names]
        if (sportsbook === undefined) continue
        const found = summaries.find(
          (of) => of.marketType === marketType && of.sportsbook === sportsbook,
        )
        expect(found?.measured).toBe(figures.samples)
        expect(100 * found!.value!).toBeCloseTo(figures.avg_clv_percent!, 7)
        expect(100 * found!.absoluteValue!).toBeCloseTo(figures.avg_abs_clv_percent!, 7)
        compared++
      }
    }
    expect(compared).toBe(7)
  })
})

describe.skipIf(!isThere)('an NFL season replayed (needs ../shared)', () => {
  it('has the moneyline arbitrages of the file', async () => {
    const { arbs, list } = figuresOf('nfl_2023.json').moneyline_arbitrage
    const path = 'us-odds/nfl-multibook/nfl_2023.csv'
    const games = new Map<string, number[]>()
    for (const row of rowsOf(path)) {
      const prices = Object.entries(row)
        .filter(([name, cell]) => /^\d+_moneyline$/.test(name) && Math.abs(Number(cell)) >= 100)
        .map(([, cell]) => (Number(cell) > 0 ? 1 + Number(cell) / 100 : 1 - 100 / Number(cell)))
      games.set(row.game_id!, [...(games.get(row.game_id!) ?? []), Math.max(...prices)])
    }
    const profits = [...games.values()].map((best) => 1 / sumOf(best.map((price) => 1 / price)) - 1)
    expect(profits.filter((profit) => profit > 0)).toHaveLength(arbs)
    const { lives } = await backtest({ path: join(data, path) }, ['pinnacle'])
    const found = lives
      .filter(({ kind, marketType }) => kind === 'arbitrage' && marketType === 'moneyline')
      .map(({ peak }) => peak)
      .sort((a, b) => b - a)
    expect(found).toHaveLength(profits.filter((profit) => profit >= 0.00005).length)
    for (const [i, { profit_percent }] of list.entries()) {
      expect(100 * found[i]!).toBeCloseTo(profit_percent, 6)
    }
  })
})
