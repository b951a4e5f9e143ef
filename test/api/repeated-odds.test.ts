/** `/odds` keeps parts of a query's response: after each change it must say what a new query says. */

import { expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { createSmallBoard, knicks, leeds } from './small-board.ts'

it.each([
  'league=nba',
  'league=nba&limit=1',
  'league=nba&sort=-odds_american&limit=2',
  'sport=basketball&sportsbook=fanduel,pinnacle',
  `event=${knicks}`,
])('a repeated query says what a new one says: %s', (query) => {
  const board = createSmallBoard()
  const route = createOddsRoute(createCursors('secret'))
  const fanduel = { sportsbook: 'fanduel', price: 2 }
  const draftkings = { sportsbook: 'draftkings', price: 1.9 }
  const pinnacle = { sportsbook: 'pinnacle', price: 1.95 }
  const away = { ...fanduel, selectionType: 'away' }
  board.event(knicks)
  board.event(leeds)
  board.odds(knicks, fanduel, draftkings)
  const repeated = board.prepare(route, query)
  const changes = [
    () => board.odds(knicks, { ...fanduel, price: 2.1 }),
    () => board.seen(knicks, 'fanduel', board.clock() + 1_000),
    () => board.odds(knicks, away),
    () => board.odds(knicks, pinnacle),
    () => board.odds(leeds, { sportsbook: 'betmgm', price: 3 }),
    () => board.withdraw(knicks, fanduel),
    () => board.withdraw(knicks, pinnacle),
    () => board.withdraw(knicks, away),
    () => board.withdraw(knicks, draftkings),
    () => board.event(knicks, { status: 'postponed' }),
  ]
  const bodies = new Set<string>()
  for (const change of changes) {
    change()
    const { body, tag } = board.write(route, repeated)
    expect({ body, tag }).toEqual(board.write(route, board.prepare(route, query)))
    bodies.add(JSON.stringify(body))
  }
  expect(bodies.size).toBeGreaterThan(changes.length / 2)
})
