/**
 * Handicaps on two lines of which one is the other with its sign turned: a verdict on the one depends on the other, so
 * it must follow changes of either. Withheld prices and opportunities, of all and of a chosen set of sportsbooks, are
 * compared with those recomputed from all rows, after every batch.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBookSets } from '../../pipeline/processors/opportunities/book-sets.ts'
import { noFees } from '../../pipeline/rules/odds/fees.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { visibilityBit } from '../../schemas/opportunity.ts'
import { topics } from '../../schemas/topics.ts'
import { costlyRuns } from '../seed.ts'
import { onLog, plain } from './made-up-histories.ts'
import { noon, statement } from './moneylines.ts'
import { createRealBoard } from './real-board.ts'
import { slowOpportunities } from './slow-opportunities.ts'
import { apply } from './watched-book-sets.ts'

const second = 1_000
const minute = 60 * second
const chain = ['pinnacle']
const sportsbooks = ['draftkings', 'fanduel', 'betmgm', 'pinnacle'] as const

/** A chosen set of sportsbooks. */
const someBooks = new Set(['fanduel', 'betmgm'])

const price = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom([1.9, 1.9], [1.87, 1.95], [2, 1.83]) },
  { weight: 2, arbitrary: fc.constantFrom([2.3, 1.65], [1.3, 3.5], [1.25, 4.2]) },
)

/** A sportsbook's prices on one line of home, of both sides or of one. */
const rung = fc.record({
  line: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(-7.5, -7.5, 7.5) },
    fc.constantFrom(-7, 1.5, -1.5, 0),
  ),
  price,
  sides: fc.oneof({ weight: 5, arbitrary: fc.constant(3) }, fc.constantFrom(1, 2)),
  suspended: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, fc.constant(true)),
})

const sportsbook = fc.constantFrom(...sportsbooks)
const act = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('spreads' as const),
      sportsbook,
      rungs: fc.uniqueArray(rung, { maxLength: 3, selector: ({ line }) => line }),
    }),
  },
  fc.record({ does: fc.constant('source' as const), sportsbook, isUp: fc.boolean() }),
  fc.record({ does: fc.constant('start' as const) }),
)
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

const steps = fc.array(
  fc.record({
    acts: fc.array(act, { minLength: 1, maxLength: 2 }),
    waitMs: fc.oneof(
      { weight: 8, arbitrary: fc.constant(second) },
      fc.constantFrom(2 * minute, 4 * minute),
    ),
    restarts: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
)

/** @param isLive whether the game is in play */
function recordOf(act: Act, at: number, isLive: boolean): BoardRecord {
  if (act.does === 'source') {
    const { sportsbook, isUp } = act
    const status = isUp ? 'up' : 'down'
    return onLog({ type: 'book_status', sportsbook, status, observedAt: at })
  }
  const said = statement(
    act.does === 'start' ? 'pinnacle' : act.sportsbook,
    'Northville',
    'Southbury',
    [],
  )
  const event = { ...said.event, sport: 'basketball', league: 'nba', isLive }
  const from = { sportsbook: said.sportsbook, observedAt: at, event }
  if (act.does === 'start') return onLog({ ...from, type: 'event_status', status: 'live' })
  const selections = act.rungs.flatMap(({ line, price: [home, away], sides, suspended }) => [
    ...(sides & 1 ? [{ ...plain, suspended, selectionType: 'home', line, price: home! }] : []),
    ...(sides & 2
      ? [{ ...plain, suspended, selectionType: 'away', line: -line, price: away! }]
      : []),
  ])
  const market = { ...said.markets[0]!, marketType: 'point_spread', selections }
  return onLog({ ...said, ...from, markets: [market] })
}

describe('spreads that nobody agrees with on their lines', () => {
  it('are withheld as the slow rule withholds them, after every change of their line or the other', () => {
    const references = fc.constantFrom(new Set<string>(), new Set(['pinnacle']))
    let turned = 0
    let healed = 0
    let accompanied = 0
    fc.assert(
      fc.property(steps, references, (history, references) => {
        const board = createRealBoard({ sharpChain: chain, references })
        const sets = createBookSets(chain, noFees, 1, references)
        const chosen = new Set<string>()
        const set = { sportsbooks: someBooks, fees: noFees, isOwners: false }
        const noDetection = () => undefined
        const finder = sets.open(set, noDetection, (id, row) => {
          if (row) chosen.add(id)
          else chosen.delete(id)
        })!
        let now = noon
        let isLive = false
        let before = 0
        for (const { acts, waitMs, restarts } of history) {
          if (restarts) board.restart()
          now += waitMs
          isLive ||= acts.some(({ does }) => does === 'start')
          const records = acts.map((act) => recordOf(act, now, isLive))
          const changes = board.take([...records, { type: 'tick', observedAt: now }])
          for (const change of changes) apply(sets, change)
          sets.prices.advance(now)
          sets.settle()
          finder.look(Number.POSITIVE_INFINITY)
          const slow = slowOpportunities(board.tables, now, chain, noFees, null, references)
          const withheld = [...board.tableOf(topics.withheldPrices).values()]
          const expected = [...slow.withheld].map(({ id }) => id)
          expect(withheld.map(({ id }) => id).sort()).toEqual(expected.sort())
          expect([...board.tables.opportunities.keys()].sort()).toEqual(
            [...slow.rows.keys()].sort(),
          )
          const ofSet = slowOpportunities(board.tables, now, chain, noFees, someBooks, references)
          const bookOf = (id: number) => board.tables.odds.get(String(id))!.sportsbook
          const among = [...ofSet.rows.values()].filter(
            ({ scopes, legs }) =>
              (scopes & visibilityBit.all) !== 0 && legs.every((id) => someBooks.has(bookOf(id))),
          )
          expect([...chosen].sort()).toEqual(among.map(({ id }) => id).sort())
          const swapped = withheld.filter(({ reason }) => reason === 'swapped')
          const count = swapped.length
          const rows = [...board.tables.odds.values()].filter(({ isActive }) => isActive)
          accompanied += swapped.filter(({ id }) => {
            const { sportsbook, line, selectionType } = board.tables.odds.get(String(id))!
            const isBeside = (row: OddsRow) =>
              row.sportsbook !== sportsbook &&
              row.line === line &&
              row.selectionType === selectionType
            return rows.some(isBeside)
          }).length
          turned += Math.max(0, count - before)
          healed += Math.max(0, before - count)
          before = count
        }
      }),
      { numRuns: costlyRuns(150) },
    )
    console.info(`withheld ${turned}, released ${healed}, beside others ${accompanied}`)
    expect(turned).toBeGreaterThan(0)
    expect(healed).toBeGreaterThan(0)
    expect(accompanied).toBeGreaterThan(0)
  })
})
