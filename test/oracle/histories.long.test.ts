/** Made-up histories through the board, with crashes, compared with the slow board. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Append } from '../../pipeline/log/log.ts'
import { isOver } from '../../pipeline/rules/games/event-end.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import { compareBoards } from './compare-boards.ts'
import { createRealBoard } from './real-board.ts'
import { simulateHistory } from './simulated-history.ts'
import { createSlowBoard } from './slow-board.ts'
import { type History, histories } from './statements.ts'

/** A plan to read a history: batch sizes in turn, each with its fault. */
type Plan = readonly { readonly size: number; readonly fault: 'none' | 'restart' | 'lost batch' }[]

const plansOf = (min: number, max: number): fc.Arbitrary<Plan> =>
  fc.array(
    fc.record({
      size: fc.integer({ min, max }),
      fault: fc.constantFrom(
        'none' as const,
        'none' as const,
        'restart' as const,
        'lost batch' as const,
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
const plans = plansOf(1, 8)

/** Reads a history by a plan and compares after every batch. */
function play({ records, meaningOf, gameOf }: History, plan: Plan) {
  const slow = createSlowBoard(meaningOf)
  const real = createRealBoard()
  let compared = 0
  for (let from = 0, turn = 0; from < records.length; turn++) {
    const { size, fault } = plan[turn % plan.length] as Plan[number]
    const batch = records.slice(from, from + size)
    from += size
    if (fault === 'restart') real.restart()
    if (fault === 'lost batch') real.loseBatch(batch)
    real.take(batch)
    for (const record of batch) slow.take(record)
    const expected = slow.read()
    expect(compareBoards(expected, real.tables, gameOf)).toEqual([])
    compared += expected.odds.size
  }
  return { real, compared }
}

/** Returns the final tables after a last tick, which drops expired rows. */
function endedBy(history: History, plan: Plan) {
  const { real } = play(history, plan)
  const observedAt = Math.max(...history.records.map((record) => record.observedAt))
  real.take([{ type: 'tick', observedAt }])
  return real.tables
}

/** Returns whether it has two prices of one outcome: the second may withdraw the row of the first. */
function contradictsItself(record: BoardRecord): boolean {
  if (record.type !== 'odds') return false
  const ids = record.markets.map(({ externalId }) => externalId)
  return new Set(ids).size < ids.length
}

/** Pushed and polled sportsbooks, with every way to write an id. */
const books = ['pinnacle', 'draftkings', 'betmgm', 'bovada', 'kalshi', 'betfair', 'unibet_uk']

/**
 * Returns rows by id. If a sportsbook has no close on a game, it keeps only that there is a reason, because a
 * restart forgets a start at which the sportsbook had nothing on the board (`docs/closing-lines.md`).
 */
function closesIn(table: ReadonlyMap<string, ClosingLine>) {
  const offerOf = ({ eventId, sportsbook }: ClosingLine) => `${eventId} ${sportsbook}`
  const closed = new Set<string>()
  for (const line of table.values()) if (line.price !== null) closed.add(offerOf(line))
  return Object.fromEntries(
    Array.from(table, ([id, line]) => [id, closed.has(offerOf(line)) ? line : 'a reason']),
  )
}

/** Returns the games that one record's changes ended. */
function endedIn(appends: readonly Append[]): ReadonlySet<string> {
  const rows = appends.filter(({ topic, value }) => topic.name === topics.events.name && value)
  const over = rows.filter(({ value }) => isOver((value as EventRow).status))
  return new Set(over.map(({ key }) => key))
}

describe('the board over made-up histories', () => {
  it('equals the slow board after every batch, despite repeats, delays and crashes', () => {
    let rows = 0
    let removals = 0
    fc.assert(
      fc.property(histories, plans, (history, plan) => {
        const { real, compared } = play(history, plan)
        rows += compared
        removals += real.tombstones()
      }),
      { numRuns: 50 },
    )
    console.info(`histories: ${rows} rows and ${removals} removals compared`)
  })

  it('ends with the same tables for every batch size and every crash', () => {
    fc.assert(
      fc.property(histories, plans, (history, plan) => {
        const byOne = endedBy(history, [{ size: 1, fault: 'none' }])
        const byPlan = endedBy(history, plan)
        for (const table of ['events', 'sightings', 'odds', 'sportsbookStatus'] as const) {
          expect(Object.fromEntries(byPlan[table])).toEqual(Object.fromEntries(byOne[table]))
        }
        expect(closesIn(byPlan.closingLines)).toEqual(closesIn(byOne.closingLines))
      }),
      { numRuns: 40 },
    )
  })

  it('writes no row without a change', () => {
    fc.assert(
      fc.property(histories, ({ records }) => {
        const real = createRealBoard()
        for (const record of records) {
          const before = new Map(real.tables.odds)
          const latest = new Map(before)
          const appends = real.take([record])
          const ended = endedIn(appends)
          for (const { topic, key, value } of appends) {
            if (topic.name !== 'odds') continue
            const former = latest.get(key)
            expect(value).not.toEqual(former ?? null)
            if (value === null) latest.delete(key)
            else latest.set(key, value as OddsRow)
            // A record may list a price and withdraw it, if it names the outcome twice or ends the game.
            const takesBack = contradictsItself(record) || ended.has(former?.eventId ?? '')
            if (value === null && takesBack) continue
            expect(value).not.toEqual(before.get(key) ?? null)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('equals the slow board on days of a simulated market, each game one event', () => {
    let rows = 0
    let removals = 0
    let games = 0
    const markets = fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      events: fc.integer({ min: 4, max: 8 }),
      changesPerSecond: fc.integer({ min: 5, max: 40 }),
      repeated: fc.constantFrom(0, 0.1),
      overtaken: fc.constantFrom(0, 0.1),
    })
    fc.assert(
      fc.property(markets, plansOf(40, 800), (market, plan) => {
        const history = simulateHistory({ ...market, books })
        const { real, compared } = play(history, plan)
        rows += compared
        removals += real.tombstones()
        games += real.eventsSeen()
      }),
      { numRuns: 1 },
    )
    console.info(`simulated: ${games} games, ${rows} rows and ${removals} removals compared`)
  })
})
