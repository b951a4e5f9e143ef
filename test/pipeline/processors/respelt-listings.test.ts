/** Statements of a sportsbook without ids about its game under other names, or with the sides in the other order. */

import { describe, expect, it } from 'vitest'
import type { EventStatusRecord, FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import { selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000
const hour = 60 * minute

type Sides = readonly [home: string, away: string]
type Said = Parameters<typeof statement>[4] & { mode?: OddsRecord['mode'] }

interface Game {
  readonly sport: string
  readonly league: string
  readonly sides: Sides
}

const nba: Game = { sport: 'basketball', league: 'nba', sides: ['Utah Jazz', 'Memphis Grizzlies'] }
const mlb: Game = { sport: 'baseball', league: 'mlb', sides: ['Chicago Cubs', 'New York Mets'] }
const serieA: Game = {
  ...{ sport: 'soccer', league: 'italy_-_serie_a' },
  sides: ['Internazionale Milano', 'Hellas Verona'],
}
const atp: Game = {
  ...{ sport: 'tennis', league: 'atp_tokyo' },
  sides: ['Casper Ruud', 'Alexander Bublik'],
}

const reversed = ([home, away]: Sides): Sides => [away, home]
const removed = (type: string) => ({ ...selection(type, 0), price: null, removed: true })
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
const marketOff = (record: OddsRecord): OddsRecord => ({
  ...record,
  markets: record.markets.map((market) => ({ ...market, suspended: true, selections: [] })),
})
const empty = (record: OddsRecord): OddsRecord => ({ ...record, mode: 'snapshot', markets: [] })
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

describe.each([false, true])('a withdrawal (restarting: %s)', (restarts) => {
  const named = (game: Game, home: string, away: string): Game => ({ ...game, sides: [home, away] })
  const short = named(nba, 'Jazz', 'Grizzlies')
  const turned = named(nba, ...reversed(nba.sides))
  const both = ['home', 'away'].map(removed)

  it.each([
    ['of home under short names', odds(short, [removed('home')], later), ['away 1.7']],
    ['of both with codes', odds(named(nba, 'UTA Jazz', 'MEM Grizzlies'), both, later), []],
    ['of the market without selections', marketOff(odds(short, [], later)), []],
    ['by an empty snapshot', empty(odds(short, [], later)), []],
    ['by a snapshot that removes all', odds(short, both, { ...later, mode: 'snapshot' }), []],
    ['of away in the other order', odds(turned, [removed('away')], later), ['away 1.7']],
    ['of the market in the other order', marketOff(odds(turned, [], later)), []],
    [
      'with the first id that it states',
      odds(short, [removed('home')], { ...later, externalId: '7' }),
      ['away 1.7'],
    ],
  ] as const)('applies to the current listing: %s', (_, record, left) => {
    const others = by('fanduel', prices(nba, [1.9, 2.05]))
    expect(rowsAfter([prices(nba), others, record], restarts)).toEqual(left)
  })

  it('applies to it in the words of tennis and soccer', () => {
    const players = odds(named(atp, 'Ruud C.', 'Bublik A.'), [removed('home')], later)
    expect(rowsAfter([prices(atp), players], restarts)).toEqual(['away 1.7'])
    const three = ['home', 'draw', 'away'].map((type, at) => selection(type, 2 + at))
    const listed = odds(serieA, three, { mode: 'snapshot' })
    const clubs = named(serieA, 'Inter', 'Verona')
    const off = odds(clubs, ['home', 'draw', 'away'].map(removed), later)
    expect(rowsAfter([listed, off], restarts)).toEqual([])
  })

  it('leaves the listing on its sides', () => {
    const off = odds(turned, [removed('away')], later)
    const again = odds(nba, [selection('home', 2.3)], { laterMs: 2 * minute })
    const last = odds(turned, [removed('home')], { laterMs: 3 * minute })
    expect(rowsAfter([prices(nba), off, again, last], restarts)).toEqual(['home 2.3'])
  })

  it('without an id applies to the listing that has one, which goes on', () => {
    const withId = { externalId: 'A' }
    const off = odds(short, [removed('home')], later)
    const again = odds(nba, [selection('away', 1.72)], { laterMs: 2 * minute, ...withId })
    expect(rowsAfter([prices(nba, [2.2, 1.7], withId), off, again], restarts)).toEqual([
      'away 1.72',
    ])
  })

  it('of another start or another id is not of it', () => {
    const otherStart = odds(short, both, { ...later, startsLaterMs: 5 * minute })
    const kept = ['away 1.7', 'home 2.2']
    expect(rowsAfter([prices(nba), otherStart], restarts)).toEqual(kept)
    const withId = prices(nba, [2.2, 1.7], { externalId: 'A' })
    const otherId = odds(short, both, { ...later, externalId: 'B' })
    expect(rowsAfter([withId, otherId], restarts)).toEqual(kept)
  })

  it('reaches the game of two on a day that has its start', () => {
    const second = { startsLaterMs: 6 * hour }
    const listed = [prices(mlb), prices(mlb, [2.1, 1.8], second)]
    const off = odds(named(mlb, 'CHI Cubs', 'NY Mets'), both, { ...later, ...second })
    expect(rowsAfter([...listed, off], restarts)).toEqual(['away 1.7', 'home 2.2'])
  })
})

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
