import { expect, it } from 'vitest'
import type { AliasNames } from '../../api/access/aliases.ts'
import { createBetLookups } from '../../api/bets/bet-lookups.ts'
import type { Admitted } from '../../api/route.ts'
import type { BetEvent, BetRow } from '../../schemas/bet.ts'

const start = Date.parse('2025-03-08T00:30:00Z')
const dayMs = 86_400_000

const betOn = (event: Partial<BetEvent>): BetRow => ({
  ...{ id: 'bet_1', accountId: 'acc', revision: 'r', createdAt: start, reference: null },
  ...{ placedAt: start, market: 'moneyline', selection: 'home', line: null, playerName: null },
  ...{ price: 2, stake: 10, sportsbook: 'pinnacle', found: null, verdict: null },
  event: {
    ...{ id: null, homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets', startsAt: start },
    ...{ isDay: false, sport: 'basketball', league: 'nba' },
    ...event,
  },
})

const game = (homeTeam: string, awayTeam: string, startsAt = start, id = homeTeam) => ({
  ...{ event_id: id, sport: 'basketball', league: 'nba', home_team: homeTeam },
  ...{ away_team: awayTeam, listed_home: null, listed_away: null, flipped: false },
  starts: new Date(startsAt).toISOString().replace('T', ' ').slice(0, 23),
})

/** Look-ups in an archive of these games, which counts the names that are compared. */
function lookupsIn(archived: () => readonly object[]) {
  let compared = 0
  const withAlias = (spelling: string | null): AliasNames => ({
    teamOf(_league, _sportsbook, name) {
      compared++
      return name === spelling ? 'Brooklyn Nets' : undefined
    },
    areForbidden: () => false,
  })
  let names = withAlias(null)
  const lookups = createBetLookups({
    aliases: { names: () => names },
    archive: { reads: { rows: async () => archived() }, limits: {} } as never,
    closes: { capturedOf: () => ({ count: 0, lastAt: 0 }) },
    gameResults: { find: () => undefined },
    chain: [],
    now: () => start,
  })
  const by = {
    caller: { accountId: 'acc', tier: 'sharp' },
    scope: { board: { find: () => undefined, events: () => [] }, isOwner: true },
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
    confirm(spelling: string) {
      names = withAlias(spelling)
    },
  }
}

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
  games = [other, { ...second, home_team: 'New York Knicks', away_team: 'Brooklyn Nets' }]
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
