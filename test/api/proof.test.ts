/** The proof of a client's book while every event of the board changes. */

import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { createProver, type Proof } from '../../api/stream/channels/odds/proof.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import { baseTime, eventRow, oddsRow, position } from '../pipeline/views/histories.ts'
import { logRecord } from '../pipeline/views/naive-board.ts'

const eventCount = 100
const linesOfEvent = 200
/** The most steps that the proof may take, with a change of every event before each. */
const mostRounds = 10

const event = eventRow({
  op: 'event',
  fixture: 0,
  day: 1,
  flipped: false,
  rename: false,
  isLive: false,
})
const price = oddsRow({
  op: 'odds',
  fixture: 0,
  book: 0,
  answer: 0,
  price: 1.5,
  isLive: false,
  isActive: true,
  at: 0,
  changed: false,
  attributes: {},
})

function row(of: number, line: number): OddsRow {
  const market =
    line === 0
      ? { marketType: 'moneyline', line: null }
      : { marketType: 'total', selectionType: 'over', selection: 'Over', line }
  return { ...price, ...market, id: 1_000 * of + line + 1, eventId: `game-${of}` }
}

it.each<[string, OddsFilter]>([
  ['one market', { marketTypes: ['moneyline'] }],
  ['everything', {}],
])('completes for a query of %s, and equals that of the rows', (_what, filter) => {
  const view = createBoardView({})
  const rows = new Map<number, OddsRow>()
  let now = baseTime
  const take = (changed: readonly OddsRow[]) => {
    for (const one of changed) rows.set(one.id, one)
    now += 10
    view.apply(
      changed.map((one) => logRecord(topics.odds, String(one.id), one)),
      position,
      now,
    )
  }
  const events = Array.from({ length: eventCount }, (_, of) => of)
  view.apply(
    events.map((of) => logRecord(topics.events, `game-${of}`, { ...event, id: `game-${of}` })),
    position,
    now,
  )
  for (const of of events) {
    take(Array.from({ length: linesOfEvent }, (_, line) => row(of, line)))
  }
  const proof = createProver(view).open()
  let proven: Proof | null = null
  let rounds = 0
  while (!proven && rounds < mostRounds) {
    rounds++
    take(events.map((of) => ({ ...row(of, 0), price: 1.5 + rounds / 100 })))
    proven = proof.step(filter)
  }
  let sum = 0
  let count = 0
  for (const { id, marketType, price: decimal, line, isLive, isActive } of rows.values()) {
    if (filter.marketTypes && !filter.marketTypes.includes(marketType)) continue
    count++
    const text = `${id} ${decimal} ${decimalToAmerican(decimal)} ${line} ${isLive} ${isActive}`
    sum = (sum + crc32(text)) >>> 0
  }
  expect(proven).toEqual({ rows: count, checksum: sum.toString(16).padStart(8, '0') })
})
