/** Market types are names from outside: those that came and went leave nothing behind. */

import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../../pipeline/log/log.ts'
import { countLevel } from '../../../../pipeline/views/board/board-index.ts'
import { createRowScan, isManyRows } from '../../../../pipeline/views/query/row-scan.ts'
import type { EventRow } from '../../../../schemas/event.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import { announcements, createBoardPair, oddsRow } from '../histories.ts'
import { logRecord } from '../naive-board.ts'

const typesAtOnce = 1_000

const template = oddsRow({
  op: 'odds',
  fixture: 0,
  book: 0,
  answer: 14,
  price: 2,
  changed: false,
  isLive: false,
  isActive: true,
  at: 0,
})

/** Returns the rows of a round, each of a market type of its own. */
const round = (number: number) =>
  Array.from({ length: typesAtOnce }, (_, i): OddsRow => {
    const name = `market_${String(number).padStart(3, '0')}_${String(i).padStart(4, '0')}`
    return { ...template, id: 1e14 + number * typesAtOnce + i, marketType: name }
  })

const stated = (rows: readonly OddsRow[]) =>
  rows.map((row) => logRecord(topics.odds, String(row.id), row))
const withdrawn = (rows: readonly OddsRow[]) =>
  rows.map(({ id }) => logRecord(topics.odds, String(id), null))

describe('market types that no list names', () => {
  it('may be as many as 70,000 one after another, with numbers for those of now', () => {
    const { view, take } = createBoardPair()
    take(announcements())
    for (let number = 0; number < 70; number++) {
      take([...(number > 0 ? withdrawn(round(number - 1)) : []), ...stated(round(number))])
    }
    const last = round(69)
    const filter = { marketTypes: last.slice(0, 100).map(({ marketType }) => marketType) }
    expect(isManyRows(view, filter)).toBe(true)
    const found = createRowScan(view, filter).gather({
      from: 0,
      to: Number.POSITIVE_INFINITY,
    })
    expect(found.map((row) => view.rows.block(row).marketType).sort()).toEqual(filter.marketTypes)
    expect(view.marketTypes()).toHaveLength(typesAtOnce)
    expect(view.rows.columns.marketEnd).toBeLessThanOrEqual(typesAtOnce + 1)
    expect(view.total(countLevel.market(round(0)[0]!.marketType), undefined, undefined)).toBe(0)
  })

  it('may be 70,000 at once', () => {
    const { view, take } = createBoardPair()
    const [{ value: event }] = announcements() as [LogRecord]
    const rounds = Array.from({ length: 70 }, (_, number) => ({ id: `game-of-${number}`, number }))
    take(rounds.map(({ id }) => logRecord(topics.events, id, { ...(event as EventRow), id })))
    const rows = rounds.flatMap(({ id, number }) =>
      round(number).map((row) => ({ ...row, eventId: id })),
    )
    take(stated(rows))
    const filter = { marketTypes: rows.slice(0, 5_000).map(({ marketType }) => marketType) }
    expect(isManyRows(view, filter)).toBe(true)
    expect(createRowScan(view, filter).total()).toBe(5_000)
    expect(view.marketTypes()).toHaveLength(70_000)
  })
})
