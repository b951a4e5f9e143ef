import { describe, expect, it, test } from 'vitest'
import type { AliasNames } from '../../api/access/aliases.ts'
import { createBetLookups } from '../../api/bets/bet-lookups.ts'
import type { Admitted } from '../../api/route.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { BetEvent, BetRow, BetSelection } from '../../schemas/bet.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'

const start = Date.parse('2025-03-08T00:30:00Z')
const dayMs = 86_400_000

const betOn = (event: Partial<BetEvent>): BetRow => ({
  ...{ id: 'bet_1', accountId: 'acc', revision: 'r', createdAt: start, updatedAt: start },
  reference: null,
  ...{ placedAt: start, market: 'moneyline', selection: 'home', line: null, playerName: null },
  ...{ price: 2, stake: 10, isFree: false, sportsbook: 'pinnacle', found: null, verdict: null },
  event: {
    ...{ id: null, homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets', startsAt: start },
    ...{ isDay: false, sport: 'basketball', league: 'nba' },
    ...event,
  },
})

const game = (homeTeam: string, awayTeam: string, startsAt = start, id = homeTeam) => ({
  ...{ id, sport: 'basketball', league: 'nba', homeTeam, awayTeam, startsAt },
  ...{ listedHome: null, listedAway: null, flipped: false },
})

/** What is known of events by their ids. */
interface Known {
  readonly onBoard?: Readonly<Record<string, { readonly rowCount: number } & Partial<ViewEvent>>>
  readonly closed?: readonly string[]
  /** With closes in the archive. */
  readonly captured?: readonly string[]
  readonly ended?: readonly string[]
  readonly now?: number
}

/** Look-ups in an archive of these games, which counts the names that are compared. */
function lookupsIn(
  archived: () => readonly object[],
  { onBoard = {}, closed = [], captured = [], ended = [], now = start }: Known = {},
) {
  let compared = 0
  const withAlias = (spelling: string | null, only: string | null = null): AliasNames => ({
    teamOf(_league, sportsbook, name) {
      compared++
      return name === spelling && (only ?? sportsbook) === sportsbook ? 'Brooklyn Nets' : undefined
    },
    areForbidden: () => false,
  })
  let names = withAlias(null)
  const results = ended.map((eventId): GameResultRow => {
    const report = {
      ...{ sportsbook: 'draftkings', observedAt: start, final: null },
      endedIn: null,
    }
    const reports = [{ ...report, periods: [] }]
    return {
      eventId,
      sport: 'basketball',
      league: 'nba',
      startsAt: start,
      status: 'final',
      reports,
    }
  })
  const captures = captured.map((id) => ({
    eventId: id,
    count: 2,
    lastAt: Date.parse('2025-03-08T00:29:00Z'),
  }))
  const rows = async ({ statement }: { readonly statement: string }) =>
    statement.includes('FROM closing_lines') && statement.includes('max(captured_at)')
      ? captures
      : archived()
  const lookups = createBetLookups({
    aliases: { names: () => names },
    archive: { reads: { rows }, limits: {} } as never,
    closes: { capturedOf: (id) => ({ count: Number(closed.includes(id)), lastAt: 0 }) },
    gameResults: {
      find: (id) => results.find(({ eventId }) => eventId === id),
      all: () => results,
    },
    chain: [],
    now: () => now,
  })
  const by = {
    caller: { accountId: 'acc', tier: 'sharp' },
    scope: {
      board: { find: (id: string) => onBoard[id], events: () => [] },
      isOwner: true,
      sportsbooks: new Set(),
    },
    charged: (work: () => unknown) => work(),
    inPieces(steps: Iterator<void>, finish: () => unknown) {
      while (!steps.next().done);
      return finish()
    },
  } as unknown as Admitted
  return {
    /** Returns the event or the reason of each bet, and how many names were compared. */
    async locate(...bets: readonly BetRow[]) {
      compared = 0
      const located = await lookups.locate(bets, by)
      const matches = located.map(({ match }) =>
        'found' in match ? match.found.eventId : match.reason,
      )
      return [...matches, compared]
    },
    selectionOf: lookups.selectionOf,
    findChanged: (before: BetRow, after: BetRow) => lookups.findChanged(before, after, by),
    confirm(spelling: string, sportsbook: string | null = null) {
      names = withAlias(spelling, sportsbook)
    },
  }
}

it('finds a game that is over on the board, though it has no prices and the archive does not have it', async () => {
  const row = {
    ...{ sport: 'basketball', league: 'nba', leagueMapped: true, flipped: false },
    ...{ homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets', startsAt: start },
    ...{ status: 'final', isLive: false, updatedAt: start },
  } as EventRow
  const event = { id: 'knicks', row, startsAt: start, rowCount: 0, offers: new Map() }
  const over = { onBoard: { knicks: event }, ended: ['knicks'] }
  const byName = betOn({})
  const byId = betOn({ id: 'knicks', homeTeam: null, awayTeam: null, startsAt: null })
  expect((await lookupsIn(() => [], over).locate(byName, byId)).slice(0, 2)).toEqual([
    ...['knicks', 'knicks'],
  ])
  const unreported = { ...over, ended: [] }
  expect((await lookupsIn(() => [], unreported).locate(byName, byId)).slice(0, 2)).toEqual([
    ...['no_such_event', 'no_such_event'],
  ])
})

it('keeps why a bet is not found, until a game of its days comes or changes', async () => {
  const other = game('Boston Celtics', 'Miami Heat')
  const away = game('Chicago Bulls', 'Miami Heat', start + 5 * dayMs)
  let games = [other]
  const bet = betOn({})
  const { locate } = lookupsIn(() => games)
  const [reason, compared] = await locate(bet)
  expect(reason).toBe('no_such_event')
  expect(compared).toBeGreaterThan(0)
  expect(await locate(bet)).toEqual(['no_such_event', 0])
  // A game of other days is not compared, and the archive gives games in any order.
  const second = game('Utah Jazz', 'Phoenix Suns', start + 3_600_000)
  games = [second, away, other]
  expect((await locate(bet))[1]).toBeGreaterThan(0)
  games = [other, away, second]
  expect(await locate(bet)).toEqual(['no_such_event', 0])
  games = [other, second]
  expect(await locate(bet)).toEqual(['no_such_event', 0])
  // A game that is moved, or renamed, may be the one that is meant.
  games = [other, { ...second, homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets' }]
  expect((await locate(bet))[0]).toBe('Utah Jazz')
})

it('is found at the next read after its game appears, also where only its sport is known', async () => {
  const bets = [
    betOn({}),
    betOn({ league: null }),
    betOn({ isDay: true, startsAt: start - 1_800_000 - dayMs }),
  ]
  const games = [game('Boston Celtics', 'Miami Heat')]
  const { locate } = lookupsIn(() => games)
  for (const times of [0, 1]) {
    expect((await locate(...bets)).slice(0, 3), String(times)).toEqual(
      bets.map(() => 'no_such_event'),
    )
  }
  games.push(game('New York Knicks', 'Brooklyn Nets', start, 'knicks'))
  expect((await locate(...bets)).slice(0, 3)).toEqual(bets.map(() => 'knicks'))
})

it('is found at the next read after an alias names its side', async () => {
  const bet = betOn({ awayTeam: 'Bridge Club' })
  const { locate, confirm } = lookupsIn(() => [game('New York Knicks', 'Brooklyn Nets')])
  await locate(bet)
  expect(await locate(bet)).toEqual(['no_such_event', 0])
  confirm('Bridge Club')
  expect((await locate(bet))[0]).toBe('New York Knicks')
})

const foundOn = (eventId: string): BetSelection => ({
  ...{ eventId, sport: 'basketball', league: 'nba', startsAt: start },
  ...{ homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets' },
  ...{ marketType: 'total_points', selectionType: 'over', line: 215.5, playerName: null },
})

const overOf = (event: Partial<BetEvent> = {}): BetRow => ({
  ...betOn(event),
  ...{ market: 'Total Points', selection: 'Over', line: 215.5, found: foundOn('old') },
})

describe('a bet on an event that is gone', () => {
  const old = game('New York Knicks', 'Brooklyn Nets', start, 'old')
  const other = game('NY Knicks', 'Brooklyn Nets', start + 60_000, 'other')
  const byId = {
    id: 'old',
    homeTeam: null,
    awayTeam: null,
    startsAt: null,
    sport: null,
    league: null,
  }

  test.each([
    ['named by its sides', overOf()],
    ['named by its id', overOf(byId)],
  ])('%s is found on the other event for its game', async (_, row) => {
    for (const onBoard of [{}, { old: { rowCount: 0 } }]) {
      const { locate, selectionOf } = lookupsIn(() => [old, other], { onBoard })
      const bet = { ...row }
      expect((await locate(bet))[0]).toBe('other')
      expect(selectionOf(bet)).toMatchObject({
        ...{ eventId: 'other', marketType: 'total_points', selectionType: 'over', line: 215.5 },
      })
      expect((await locate(bet))[0]).toBe('other')
    }
  })

  const cases: readonly (readonly [string, Known])[] = [
    ['prices', { onBoard: { old: { rowCount: 2 } } }],
    ['a close', { closed: ['old'] }],
    ['a close that only the archive has', { captured: ['old'], now: start + 3 * dayMs }],
    ['a result', { ended: ['old'] }],
    ['a result that only the archive may have', { now: start + 40 * dayMs }],
  ]
  test.each(cases)('stays if that has %s', async (_, known) => {
    expect((await lookupsIn(() => [old, other], known).locate(overOf()))[0]).toBe('old')
  })

  it('is found after days where the archive has none of its closes either', async () => {
    const known = { captured: ['other'], now: start + 3 * dayMs }
    expect((await lookupsIn(() => [old, other], known).locate(overOf()))[0]).toBe('other')
  })

  it('that is named by its id is not compared again while its games stay the same', async () => {
    const { locate } = lookupsIn(() => [old, game('Boston Celtics', 'Miami Heat')])
    const bet = overOf(byId)
    const [, compared] = await locate(bet)
    expect(compared).toBeGreaterThan(0)
    expect(await locate(bet)).toEqual(['old', 0])
  })

  it('stays if no other event is for its game', async () => {
    const far = game('Boston Celtics', 'Miami Heat')
    expect((await lookupsIn(() => [old, far]).locate(overOf()))[0]).toBe('old')
  })
})

describe('a bet at another sportsbook', () => {
  const games = [game('New York Knicks', 'Brooklyn Nets', start, 'knicks')]
  const onBoard = { knicks: { rowCount: 2 }, old: { rowCount: 2 } }
  const spelt = (event: Partial<BetEvent>, sportsbook: string, eventId = 'old') => ({
    ...{ ...overOf(event), sportsbook, found: foundOn(eventId) },
  })

  it('is on the game that its names mean there', async () => {
    const { findChanged } = lookupsIn(() => games, { onBoard })
    const found = await findChanged(spelt({}, 'pinnacle'), spelt({}, 'bet365'))
    expect(found).toMatchObject({ eventId: 'knicks', selectionType: 'over' })
  })

  it.each([
    ['names', {}, 3_600_000],
    ['its id', { id: 'knicks' }, 2 * dayMs],
  ])('keeps the start that its game had when it was placed by %s', async (_, event, laterMs) => {
    const moved = game('New York Knicks', 'Brooklyn Nets', start + laterMs, 'knicks')
    const { findChanged } = lookupsIn(() => [moved], { onBoard })
    const [before, after] = ['pinnacle', 'bet365'].map((book) => spelt(event, book, 'knicks'))
    expect(await findChanged(before!, after!)).toEqual(foundOn('knicks'))
  })

  it('is on none if its names meant one before, and mean none there', async () => {
    const { findChanged, confirm } = lookupsIn(() => games, { onBoard })
    confirm('Bridge Club', 'pinnacle')
    const club = { awayTeam: 'Bridge Club' }
    expect(await findChanged(spelt(club, 'pinnacle', 'knicks'), spelt(club, 'bet365'))).toBeNull()
  })

  it('keeps its game if its names are not found any more', async () => {
    const { findChanged } = lookupsIn(() => [], { onBoard })
    expect(await findChanged(spelt({}, 'pinnacle'), spelt({}, 'bet365'))).toEqual(foundOn('old'))
  })
})
