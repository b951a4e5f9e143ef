/** The comparison of boards must notice a wrong board. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { compareBoards, type GameOfListing } from './compare-boards.ts'
import { selection, statement } from './moneylines.ts'
import { createRealBoard } from './real-board.ts'
import { createSlowBoard, type MeaningOf } from './slow-board.ts'

const three = [selection('home', 2.5), selection('draw', 3.2), selection('away', 2.9)]
const records: readonly BoardRecord[] = [
  statement('pinnacle', 'Leeds United', 'Brentford', three),
  statement('betfair', 'Brentford', 'Leeds United', three),
  statement('pinnacle', 'Arsenal', 'Chelsea', three),
  statement('pinnacle', 'Leeds United', 'Brentford', three.slice(0, 2), { laterMs: 1_000 }),
]
const meaningOf: MeaningOf = ({ event }) => ({
  game: event.homeTeam === 'Arsenal' ? 'A' : 'L',
  isReversed: event.homeTeam === 'Brentford',
})
const gameOf: GameOfListing = ({ externalId }) => (externalId?.includes('Arsenal') ? 'A' : 'L')

describe('the comparison of boards', () => {
  let slow = createSlowBoard(meaningOf)
  let real = createRealBoard()

  beforeEach(() => {
    slow = createSlowBoard(meaningOf)
    real = createRealBoard()
    for (const record of records) slow.take(record)
    real.take(records)
  })

  const differences = () => compareBoards(slow.read(), real.tables, gameOf).map(({ what }) => what)

  function changeRow(change: (row: OddsRow) => Partial<OddsRow>) {
    const [key, row] = [...real.tables.odds][0] as [string, OddsRow]
    real.tables.odds.set(key, { ...row, ...change(row) })
  }

  it('finds no difference between equal boards', () => {
    expect(real.tables.odds.size).toBe(8)
    expect(differences()).toEqual([])
  })

  it.each([
    ['price', { price: 2.51 }],
    ['isActive', { isActive: false }],
    ['isLive', { isLive: true }],
    ['maxBet', { maxBet: 1 }],
    ['changedAt', { changedAt: 1 }],
    ['observedAt', { observedAt: 1 }],
  ])('notices another %s', (what, change) => {
    changeRow(() => change)
    expect(differences()).toEqual([what])
  })

  it('notices a line that moved from its side', () => {
    changeRow(() => ({ line: -0.5 }))
    expect(differences()).toEqual(['id', 'row invented', 'row missing'])
  })

  it('notices a row that was lost, and one that should have been withdrawn', () => {
    const [[key, row]] = [...real.tables.odds] as [[string, OddsRow]]
    real.tables.odds.delete(key)
    expect(differences()).toEqual(['row missing'])
    real.tables.odds.set(key, row)
    slow.take(
      statement('pinnacle', 'Leeds United', 'Brentford', three.slice(0, 1), { laterMs: 1_000 }),
    )
    expect(differences()).toEqual(['row invented'])
  })

  it('notices a statement that was not taken', () => {
    slow.take(statement('betfair', 'Brentford', 'Leeds United', three, { laterMs: 5_000 }))
    expect(differences()).toEqual(['lastSeenAt'])
  })

  it('notices exchanged sides', () => {
    for (const [key, row] of real.tables.odds) {
      if (row.sportsbook !== 'betfair') continue
      const swapped = { home: 'away', away: 'home', draw: 'draw' }[row.selectionType] as string
      real.tables.odds.set(key, { ...row, selectionType: swapped })
    }
    expect(differences()).toContain('price')
  })

  it('notices two games in one event and one game in two', () => {
    const [first, second] = [...real.tables.events.keys()] as [string, string]
    for (const [key, sighting] of real.tables.sightings) {
      if (sighting.eventId !== second) continue
      real.tables.sightings.delete(key)
      real.tables.sightings.set(`${first}|other`, {
        ...sighting,
        eventId: first,
        sportsbook: 'other',
      })
    }
    expect(differences()).toContain('two games in one event')

    real = createRealBoard()
    real.take(records)
    const [[key, sighting]] = [...real.tables.sightings] as [[string, Sighting]]
    real.tables.sightings.set(key.replace(sighting.eventId, 'elsewhere'), {
      ...sighting,
      eventId: 'elsewhere',
    })
    expect(differences()).toContain('one game in two events')
  })
})
