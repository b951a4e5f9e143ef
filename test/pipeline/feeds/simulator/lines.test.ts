/** The lines of simulated sportsbooks: those a match can reach, in order of their prices. */

import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../../../pipeline/feeds/simulator/simulation.ts'
import { createBoard } from './board.ts'

/** The largest spread and total lines that a match of the sport can reach, of the market types that count its parts. */
const most: Readonly<Record<string, { readonly market: RegExp; readonly line: number }[]>> = {
  tennis: [{ market: /set.*(handicap|spread)|^spread$/, line: 1.5 }],
  esports: [
    { market: /handicap|spread/, line: 1.5 },
    { market: /total/, line: 2.5 },
  ],
  mma: [{ market: /total/, line: 2.5 }],
  boxing: [{ market: /total/, line: 9.5 }],
}

interface Rung {
  readonly line: number
  readonly price: number
}

describe.each([
  [1, '2026-01-17T18:00:00Z'],
  [2, '2026-06-27T15:00:00Z'],
  [3, '2026-11-21T19:00:00Z'],
])('the lines of season %i', (seed, from) => {
  const startAt = Date.parse(from)
  const sports = new Map<string, string>()
  const board = createBoard()
  const simulation = createSimulation({ seed, startAt, events: 160, changesPerSecond: 200 })
  const seen: { sport: string; market: string; line: number }[] = []
  let pairs = 0
  const reversed: string[] = []

  function look() {
    for (const [key, { rows }] of board.listings) {
      const ladders = new Map<string, Rung[]>()
      for (const [row, { price }] of rows) {
        const [market = '', player, line, side] = row.split('|')
        if (line === 'null' || player !== 'null') continue
        seen.push({ sport: sports.get(key) ?? '', market, line: Number(line) })
        const name = `${market}|${side}`
        const rung = { line: Number(line), price }
        const ladder = ladders.get(name)
        if (ladder) ladder.push(rung)
        else ladders.set(name, [rung])
      }
      for (const [name, ladder] of ladders) count(`${key} ${name}`, ladder)
    }
  }

  /** Counts pairs in the wrong order: over is less likely at a higher line, a spread is easier with each point up. */
  function count(name: string, ladder: Rung[]) {
    const sign = name.endsWith('over') ? 1 : -1
    ladder.sort((a, b) => a.line - b.line)
    for (const [i, { line, price }] of ladder.entries()) {
      const next = ladder[i + 1]
      if (!next) continue
      pairs++
      const ratio = (next.price / price) ** sign
      // A price a quarter too long is a typing error, which the simulator sometimes makes.
      if (ratio < 1 && ratio > 0.87)
        reversed.push(`${name} ${line}: ${price}, ${next.line}: ${next.price}`)
    }
  }

  for (let step = 0; step <= 20; step++) {
    const records = simulation.step(startAt + step * 30_000)
    for (const record of records) {
      if (record.type !== 'odds') continue
      sports.set(`${record.sportsbook} ${record.event.externalId}`, record.event.sport)
    }
    board.apply(records)
    if (step % 4 === 0) look()
  }

  it('can be reached', () => {
    for (const [sport, limits] of Object.entries(most)) {
      for (const { market, line } of limits) {
        const beyond = seen.filter(
          (of) => of.sport === sport && market.test(of.market) && Math.abs(of.line) > line,
        )
        expect(beyond).toEqual([])
      }
    }
    expect(seen.filter(({ sport }) => sport in most).length).toBeGreaterThan(0)
  })

  it('are priced in order', () => {
    expect(pairs).toBeGreaterThan(10_000)
    expect(reversed).toEqual([])
  })
})
