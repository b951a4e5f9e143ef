/** What a sportsbook without ids says of its game under other names, or with the sides in the other order. */

import { describe, expect, it } from 'vitest'
import type { EventStatusRecord, FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import { selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

type Sides = readonly [home: string, away: string]
type Said = Parameters<typeof statement>[4] & { mode?: OddsRecord['mode'] }

interface Game {
  readonly sport: string
  readonly league: string
  readonly sides: Sides
}

const nba: Game = { sport: 'basketball', league: 'nba', sides: ['Utah Jazz', 'Memphis Grizzlies'] }
const mlb: Game = { sport: 'baseball', league: 'mlb', sides: ['Chicago Cubs', 'New York Mets'] }
const reversed = ([home, away]: Sides): Sides => [away, home]
const suspended = (type: string) => ({ ...selection(type, 0), price: null, suspended: true })

function odds(
  { sport, league, sides }: Game,
  selections: readonly FeedSelection[],
  { mode = 'delta', ...more }: Said = {},
): OddsRecord {
  const made = statement('draftkings', ...sides, selections, { externalId: null, ...more })
  return { ...made, mode, event: { ...made.event, sport, league } }
}

const prices = (game: Game, by: readonly [number, number] = [2.2, 1.7], said: Said = {}) =>
  odds(game, [selection('home', by[0]), selection('away', by[1])], { mode: 'snapshot', ...said })
const by = (sportsbook: string, record: OddsRecord): OddsRecord => ({ ...record, sportsbook })

/** Returns the sportsbook's prices after these records, each taken alone. */
function rowsAfter(records: readonly (OddsRecord | EventStatusRecord)[], restarts = false) {
  const board = createRealBoard()
  for (const record of records) {
    if (restarts) board.restart()
    board.take([record])
  }
  return [...board.tables.odds.values()]
    .filter(({ sportsbook }) => sportsbook === 'draftkings')
    .sort((a, b) => a.price - b.price)
    .map(({ selectionType, price, isActive }) =>
      [selectionType, price, ...(isActive ? [] : ['suspended'])].join(' '),
    )
}

const later = { laterMs: minute }

describe.each([nba, mlb])('the sides of a game of $league in the other order', (game) => {
  const turned = { ...game, sides: reversed(game.sides) }
  const listed = [prices(game), by('fanduel', prices(game, [1.9, 2.05]))]

  it.each([false, true])(
    'keep the prices that a delta does not name (restarting: %s)',
    (restarts) => {
      const off = odds(turned, [suspended('away')], later)
      expect(rowsAfter([...listed, off], restarts)).toEqual(['away 1.7', 'home 2.2 suspended'])
      const moved = odds(turned, [selection('away', 2.3)], later)
      const back = odds(game, [selection('away', 1.65)], { laterMs: 2 * minute })
      expect(rowsAfter([...listed, moved, back], restarts)).toEqual(['away 1.65', 'home 2.3'])
    },
  )

  it('keep all prices when a status has them', () => {
    const { event, sportsbook, observedAt } = odds(turned, [], later)
    const status = {
      type: 'event_status',
      sportsbook,
      observedAt,
      event,
      status: 'upcoming',
    } as const
    expect(rowsAfter([...listed, status])).toEqual(['away 1.7', 'home 2.2'])
  })

  it('are corrected under an id: the prices not named again go', () => {
    const id = { externalId: '7' }
    const wrong = prices(turned, [2.2, 1.7], id)
    const right = odds(game, [selection('home', 2.25)], { ...later, ...id })
    expect(rowsAfter([...listed.slice(1), wrong, right])).toEqual(['home 2.25'])
  })
})
