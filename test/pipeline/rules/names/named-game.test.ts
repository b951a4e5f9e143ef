import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { easternOffsetMs } from '../../../../pipeline/rules/names/event-id.ts'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import {
  createGameFinder,
  dayOf,
  findGameOfSides,
  type KnownGame,
  type KnownGames,
  type Spellings,
  type StatedGame,
} from '../../../../pipeline/rules/names/named-game.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { flipLine, flipSelectionType } from '../../../../pipeline/rules/odds/questions.ts'
import { readStatedSelection } from '../../../../pipeline/rules/odds/stated-selection.ts'

const hour = 3_600_000
const tipOff = Date.parse('2026-11-21T00:30:00Z')

const game = (
  id: string,
  home: string,
  away: string,
  more: Partial<KnownGame> = {},
): KnownGame => ({
  ...{ id, home, away, startsAt: tipOff, sport: 'basketball', league: 'nba', flipped: false },
  externalIds: new Map(),
  ...more,
})

const gamesOf = (games: readonly KnownGame[]): KnownGames => ({
  find: (id) => games.find((one) => one.id === id),
  on: (day, { sport, league }) =>
    games.filter(
      (one) =>
        dayOf(one.startsAt) === day &&
        (league === null ? one.sport === sport : one.league === league),
    ),
})

const plain: Spellings = { read: (name) => name, areForbidden: () => false }

const stated = (home: string, away: string, more: object = {}) => ({
  ...{ home, away, startsAt: tipOff, isDay: false, sport: 'basketball', league: 'nba' },
  sportsbook: 'draftkings',
  ...more,
})

const findNamedGame = (of: StatedGame, games: KnownGames, spellings: Spellings) =>
  createGameFinder(games, spellings)(of)

const idOf = (found: ReturnType<typeof findNamedGame>) =>
  typeof found === 'string' ? found : found.game.id

const slate = [
  game('a', 'New York Knicks', 'Brooklyn Nets'),
  game('b', 'Utah Jazz', 'Miami Heat', { startsAt: tipOff + hour }),
  game('c', 'Los Angeles Lakers', 'Phoenix Suns', { startsAt: tipOff + 2 * hour }),
  game('d', 'New York Knicks', 'Brooklyn Nets', { startsAt: tipOff + 48 * hour }),
  game('e', 'New York Mets', 'Atlanta Braves', { sport: 'baseball', league: 'mlb' }),
  game('f', 'New York Mets', 'Atlanta Braves', {
    ...{ sport: 'baseball', league: 'mlb', startsAt: tipOff - 5 * hour },
  }),
]

describe('the game that a person means', () => {
  test.each([
    ['by its names and start', stated('NY Knicks', 'Nets'), 'a'],
    ['with the sides turned', stated('Nets', 'NY Knicks'), 'a'],
    [
      'at a start some minutes off',
      stated('Jazz', 'Heat', { startsAt: tipOff + 70 * 60_000 }),
      'b',
    ],
    [
      'of any league of a sport',
      stated('Lakers', 'Suns', { league: null, startsAt: tipOff + 2 * hour }),
      'c',
    ],
    [
      'of a doubleheader, by its start',
      stated('Mets', 'Braves', { sport: 'baseball', league: 'mlb' }),
      'e',
    ],
    // Half past midnight in London is the evening before in New York.
    [
      'by its day on the clock of the league',
      stated('Knicks', 'Nets', { isDay: true, startsAt: Date.parse('2026-11-20') }),
      'a',
    ],
  ] as const)('%s', (_, of, id) => {
    expect(idOf(findNamedGame(of, gamesOf(slate), plain))).toBe(id)
  })

  test.each([
    ['of other teams', stated('Knicks', 'Celtics'), 'no_such_event'],
    ['of one team alone', stated('Knicks', 'Knicks'), 'no_such_event'],
    ['of another day', stated('Knicks', 'Nets', { startsAt: tipOff + 24 * hour }), 'no_such_event'],
    [
      'of a doubleheader, by its day',
      stated('Mets', 'Braves', {
        sport: 'baseball',
        league: 'mlb',
        isDay: true,
        startsAt: Date.parse('2026-11-20'),
      }),
      'several_events',
    ],
    ['of a league that has none', stated('Knicks', 'Nets', { league: 'wnba' }), 'no_such_event'],
  ] as const)('is told apart from one %s', (_, of, reason) => {
    expect(findNamedGame(of, gamesOf(slate), plain)).toBe(reason)
  })

  test('follows the operator’s spellings', () => {
    const aliased = {
      ...plain,
      read: (name: string) => (name === 'Gotham' ? 'New York Knicks' : name),
    }
    expect(idOf(findNamedGame(stated('Gotham', 'Nets'), gamesOf(slate), aliased))).toBe('a')
    const forbidden = {
      ...plain,
      areForbidden: (_l: string, _s: string, spelling: string, side: string) =>
        spelling === 'Knicks' && side === 'New York Knicks',
    }
    expect(findNamedGame(stated('Knicks', 'Nets'), gamesOf(slate), forbidden)).toBe('no_such_event')
    expect(findNamedGame(stated('Nets', 'Knicks'), gamesOf(slate), forbidden)).toBe('no_such_event')
    expect(idOf(findNamedGame(stated('NY Knicks', 'Nets'), gamesOf(slate), forbidden))).toBe('a')
  })
})

test('a bet is on the same side at the same line, whichever way round a person and the rows have the game', () => {
  const teams = ['New York Knicks', 'Brooklyn Nets', 'Utah Jazz', 'Miami Heat', 'Chicago Bulls']
  const pair = fc
    .tuple(fc.constantFrom(...teams), fc.constantFrom(...teams))
    .filter(([one, other]) => one !== other)
  const bets = fc.constantFrom(
    { market: 'moneyline', answers: ['own', 'other'] },
    { market: 'spread', answers: ['own', 'other'] },
    { market: 'team total', answers: ['own over', 'other under'] },
    { market: 'total', answers: ['over', 'under'] },
  )
  fc.assert(
    fc.property(
      pair,
      fc.boolean(),
      fc.boolean(),
      bets,
      fc.nat(1),
      fc.integer({ min: -20, max: 20 }),
      ([own, other], isTurned, areRowsTurned, { market, answers }, which, half) => {
        const [home, away] = isTurned ? [other, own] : [own, other]
        const [rowHome, rowAway] = areRowsTurned ? [other, own] : [own, other]
        const meant = findNamedGame(
          stated(home, away),
          gamesOf([game('g', rowHome, rowAway)]),
          plain,
        )
        if (typeof meant === 'string') throw new Error(meant)
        const selection = answers[which]!.replace('own', own).replace('other', other)
        const line = market === 'moneyline' ? null : market === 'spread' ? half / 2 : 100 + half / 2
        const bet = { market, selection, line, playerName: null }
        const read = readStatedSelection(bet, { home, away }, sideOptionsOf('basketball', 'nba'))
        if (!read.ok) throw new Error(read.message)
        const { marketType, selectionType } = read
        const inRows = meant.swapped ? flipSelectionType(selectionType, marketType) : selectionType
        const lineInRows = meant.swapped
          ? flipLine(selectionType, read.line, marketType)
          : read.line
        // A line belongs to its side, so it stays.
        expect(lineInRows).toBe(line)
        const [side = ''] = inRows.split('_')
        const named = side === 'home' ? rowHome : side === 'away' ? rowAway : null
        const wanted = market === 'total' ? null : which === 0 ? own : other
        expect(named).toBe(wanted)
      },
    ),
    { numRuns: 400 },
  )
})

describe('many games looked up at a time', () => {
  const towns = ['Arden', 'Brill', 'Corby', 'Derwent', 'Elm Park', 'Frome']
  const kinds = ['', ' United', ' Rovers', ' FC', ' U21', ' B', ' Women']
  const name = fc
    .tuple(fc.constantFrom(...towns), fc.constantFrom(...kinds))
    .map(([town, kind]) => town + kind)
  const sides = fc.tuple(name, name).filter(([home, away]) => home !== away)
  const minutes = fc.integer({ min: -36 * 60, max: 36 * 60 })
  const played = fc.record({ sides, minutes, league: fc.constantFrom('nba', 'euroleague') })
  const asked = fc.record({ sides, minutes, isDay: fc.boolean(), isAnyLeague: fc.boolean() })

  /** Searches every start of the day and every game, without an index. */
  function findSlowly(of: StatedGame, games: readonly KnownGame[]): string {
    const found = new Set<string>()
    for (const league of new Set(games.map((one) => one.league))) {
      if (of.league !== null && of.league !== league) continue
      const days = [-1, 0, 1].map((apart) => dayOf(of.startsAt) + apart)
      const around = games.filter(
        (one) => one.league === league && days.includes(dayOf(one.startsAt)),
      )
      const matchAt = (startsAt: number, among: readonly KnownGame[]) =>
        findMatch({ ...of, startsAt }, among, sideOptionsOf(of.sport, league))?.candidate
      if (of.isDay) {
        const offset = (at: number) => (league === 'nba' ? easternOffsetMs(at) : 0)
        const ofDay = around.filter(
          ({ startsAt }) => dayOf(startsAt + offset(startsAt)) === dayOf(of.startsAt),
        )
        for (const one of ofDay) {
          if (!matchAt(one.startsAt, [one])) continue
          const meant = matchAt(one.startsAt, ofDay)
          if (meant) found.add(meant.id)
        }
      } else {
        const best = matchAt(of.startsAt, around)
        const alone = best ? [best] : around.filter((one) => matchAt(of.startsAt, [one]))
        if (best || alone.length > 1) for (const one of alone) found.add(one.id)
      }
    }
    const [id, ...others] = found
    return id === undefined ? 'no_such_event' : others.length > 0 ? 'several_events' : id
  }

  test('equal a search through every game of their days, one by one', () => {
    fc.assert(
      fc.property(
        fc.array(played, { maxLength: 8 }),
        fc.array(asked, { maxLength: 12 }),
        (slate, bets) => {
          const games = slate.map(({ sides: [home, away], minutes: at, league }, i) =>
            game(`${i}`, home, away, { league, startsAt: tipOff + at * 60_000 }),
          )
          const find = createGameFinder(gamesOf(games), plain)
          for (const {
            sides: [home, away],
            minutes: at,
            isDay,
            isAnyLeague,
          } of bets) {
            const startsAt = tipOff + at * 60_000
            const of = stated(home, away, {
              startsAt: isDay ? dayOf(startsAt) * 24 * hour : startsAt,
              isDay,
              ...(isAnyLeague && { league: null }),
            })
            const slowly = findSlowly(of, games)
            expect(idOf(find(of))).toBe(slowly)
            // The same query again gives the same game, in any order.
            expect(idOf(find({ ...of }))).toBe(slowly)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  /** Returns games that count reads of their names: each comparison reads one. */
  function counted(
    count: number,
    sidesOf: (i: number) => readonly [string, string],
    minutesApart = 1,
  ) {
    const told = { reads: 0 }
    const games = Array.from({ length: count }, (_, i): KnownGame => {
      const [home, away] = sidesOf(i)
      const startsAt = tipOff + i * minutesApart * 60_000
      return Object.defineProperty(game(`${i}`, home, away, { startsAt }), 'home', {
        get() {
          told.reads++
          return home
        },
      })
    })
    return { told, games }
  }

  const letters = (i: number) =>
    [i % 20, Math.floor(i / 20) % 20, 7]
      .map((at) => 'bcdfghjklmnpqrstvwxz'[at]! + 'aeio'[at % 4]!)
      .join('')
  const byDate = { isDay: true, startsAt: Date.parse('2026-11-20') }

  test('are compared with the games of a day once per name, however often they are named', () => {
    const sidesOf = (i: number) => [`${letters(2 * i)} Town`, `${letters(2 * i + 1)} City`] as const
    const { told, games } = counted(200, sidesOf)
    const find = createGameFinder(gamesOf(games), plain)
    for (let i = 0; i < 2_000; i++) {
      const [home, away] = sidesOf(i % 200)
      expect(find(stated(home, away, byDate))).not.toBe('no_such_event')
    }
    // Each game's two names are compared with all games once, and with a few candidates again.
    expect(told.reads).toBeLessThan(3 * 200 * 200)
  })

  test('are not compared where a name is longer than any side of the day', () => {
    const longest = `${'Arden '.repeat(30)}Rovers`
    const sidesOf = (i: number) => [`${letters(2 * i)} Town`, `${letters(2 * i + 1)} City`] as const
    const { told, games } = counted(200, sidesOf)
    const find = createGameFinder(gamesOf(games), plain)
    for (let i = 0; i < 200; i++) {
      const [home, away] = sidesOf(i)
      for (const at of [{}, byDate]) {
        expect(find(stated(`${longest} ${home}`, away, at))).toBe('no_such_event')
        expect(find(stated(home, `${longest} ${away}`, at))).toBe('no_such_event')
      }
    }
    // The first reads the length of each name. The others compare the shorter name of each bet with a day once.
    expect(told.reads).toBeLessThan(2 * 200 * 200)

    const long = game('long', longest, 'Brill United')
    expect(idOf(findNamedGame(stated(longest, 'Brill United'), gamesOf([long]), plain))).toBe(
      'long',
    )
  })

  test('have no candidates in a league where nobody has one of the names', () => {
    const { told, games } = counted(200, () => ['Arden Rovers', 'Brill United'], 0)
    const find = createGameFinder(gamesOf(games), plain)
    expect(find(stated('Zwolle', 'Brill United'))).toBe('no_such_event')
    // Each game is read for the length of its names and for the name that it does not have.
    expect(told.reads).toBeLessThanOrEqual(3 * 200)
  })

  test('are several if more games of a day fit than can be separated, without comparing them all', () => {
    const { told, games } = counted(240, () => ['Arden Rovers', 'Brill United'], 5)
    const find = createGameFinder(gamesOf(games), plain)
    expect(find(stated('Arden Rovers', 'Brill United', byDate))).toBe('several_events')
    expect(told.reads).toBeLessThan(10 * 240)
  })
})

describe('the game of two sides, without a start', () => {
  test.each([
    ['the only one of them', stated('Jazz', 'Heat'), 'b'],
    ['with the sides turned', stated('Heat', 'Jazz'), 'b'],
    ['of any league of the sport', stated('Lakers', 'Suns', { league: null }), 'c'],
    ['none where they play twice', stated('Knicks', 'Nets'), null],
    ['none where they do not play each other', stated('Knicks', 'Jazz'), null],
  ])('is %s', (_name, sides, id) => {
    const games = slate.filter(({ sport }) => sport === sides.sport)
    expect(findGameOfSides(sides, games, plain)?.id ?? null).toBe(id)
  })

  test('is none where the operator forbids a name', () => {
    const spellings = { ...plain, areForbidden: () => true }
    expect(findGameOfSides(stated('Jazz', 'Heat'), slate, spellings)).toBeNull()
  })
})
