/** An account's own bets over HTTP, with the real log, archiver and engine. */

import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBets } from '../../api/bets/bet-ledger.ts'
import { createFollower } from '../../api/follower.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { betsClvAnswer } from '../../schemas/http/bets/closing-values.ts'
import { topics } from '../../schemas/topics.ts'
import { type BetsService, closeOf, pastEvent, startBetsService } from './bets-service.ts'
import { adminToken, keys, oddsRecord } from './service-in-process.ts'

let service: BetsService
let key: string

const day = 86_400_000

/** A game of a past season, which is in the archive only. */
const knicks = pastEvent({ id: 'nba_nets_knicks_2025-03-07_b3' })
/** The sides of its rows are reversed against those it is shown with. */
const turned = pastEvent({
  id: 'nba_heat_jazz_2025-03-07_b3',
  homeTeam: 'Miami Heat',
  awayTeam: 'Utah Jazz',
  flipped: true,
  startsAt: knicks.startsAt + 3_600_000,
})
const bulls = pastEvent({
  id: 'nba_bulls_celtics_2025-03-08_b3',
  homeTeam: 'Boston Celtics',
  awayTeam: 'Chicago Bulls',
  startsAt: knicks.startsAt + day,
})
/** Two games of the same sides on one day. */
const doubleheader = [17, 23].map((hour, i) =>
  pastEvent({
    id: `mlb_mets_phillies_2025-04-12_b${i + 1}`,
    sport: 'baseball',
    league: 'mlb',
    homeTeam: 'New York Mets',
    awayTeam: 'Philadelphia Phillies',
    startsAt: Date.parse(`2025-04-12T${hour}:05:00Z`),
  }),
)
const uncaptured = pastEvent({
  id: 'nba_lakers_suns_2025-03-09_b3',
  homeTeam: 'Los Angeles Lakers',
  awayTeam: 'Phoenix Suns',
  startsAt: knicks.startsAt + 2 * day,
})

const spread = (selectionType: string, line: number) => ({
  marketType: 'point_spread',
  selectionType,
  line,
})

const withheldAt = (line: number) => ({
  ...{ sportsbook: 'pinnacle', ...spread('home', line), price: 3.4, noVig: null },
})

const closes = [
  closeOf(knicks, { sportsbook: 'pinnacle', selectionType: 'home', price: 1.8, noVig: 0.541 }),
  closeOf(knicks, { sportsbook: 'pinnacle', selectionType: 'away', price: 2.12, noVig: 0.459 }),
  closeOf(knicks, { sportsbook: 'draftkings', selectionType: 'home', price: 1.77, noVig: 0.536 }),
  // The first sharp book closed at another line, the next one at the bet's line.
  closeOf(knicks, { sportsbook: 'pinnacle', ...spread('home', -3.5), price: 1.95, noVig: 0.501 }),
  closeOf(knicks, { sportsbook: 'circa', ...spread('home', -2.5), price: 1.8, noVig: 0.535 }),
  closeOf(turned, { sportsbook: 'pinnacle', selectionType: 'home', price: 3.1, noVig: 0.31 }),
  closeOf(turned, { sportsbook: 'pinnacle', selectionType: 'away', price: 1.4, noVig: 0.69 }),
  closeOf(turned, { sportsbook: 'pinnacle', ...spread('away', -6.5), price: 1.9, noVig: 0.502 }),
  closeOf(bulls, {
    sportsbook: 'pinnacle',
    selectionType: 'home',
    missing: 'suspended',
    missingSince: bulls.startsAt - 1,
  }),
  closeOf(bulls, { sportsbook: 'pinnacle', selectionType: 'away', price: 4.2 }),
  closeOf(bulls, {
    sportsbook: 'draftkings',
    marketType: 'total_points',
    selectionType: 'over',
    line: 220.5,
    price: 1.91,
    noVig: 0.5,
  }),
  closeOf(bulls, { ...withheldAt(-1.5), withheld: 'swapped' }),
  closeOf(bulls, { ...withheldAt(-2.5), withheld: 'market_mismatch' }),
  closeOf(bulls, { sportsbook: 'circa', ...spread('home', -2.5), price: 1.9, noVig: 0.51 }),
]

const stated = (more: object = {}) => ({
  placed_at: '2025-03-07T12:00:00Z',
  league: 'NBA',
  home_team: 'NY Knicks',
  away_team: 'Brooklyn',
  start_time: '2025-03-08T00:30:00Z',
  market: 'moneyline',
  selection: 'home',
  odds_decimal: 1.95,
  stake: 10,
  sportsbook: 'DraftKings',
  ...more,
})

beforeAll(async () => {
  service = await startBetsService()
  await service.pastEvents([knicks, turned, bulls, ...doubleheader, uncaptured])
  await service.closes(closes)
  await service.archiveAll()
  key = await service.keyOf('sharp')
})
afterAll(() => service.close())

/** Opens the ledger of another process on the log. */
async function anotherLedger() {
  const stopped = new AbortController()
  const ledger = openBets(service.log, service.clock)
  const follower = createFollower(service.log, [ledger.view], service.clock)
  const following = follower.follow(stopped.signal)
  await follower.ready
  const stop = async () => {
    stopped.abort()
    await following
  }
  return { ledger, stop }
}

/** Creates an account with these bets and reads their closing line values. */
async function weighed(bets: readonly object[]) {
  const own = await service.keyOf('sharp')
  const added = await service.post(bets, own)
  expect([added.status, added.body.data?.rejected]).toEqual([200, []])
  const { status, body } = await service.clv(own)
  expect(status).toBe(200)
  return { added: added.body.data, ...body.data, meta: body.meta, key: own }
}

/** Returns the only bet of `weighed`. */
const valued = async (more: object = {}) => (await weighed([stated(more)])).bets[0]

describe('the value of a bet', () => {
  it("is the sharp book's no-vig close times the odds of the bet, less one", async () => {
    const bet = await valued()
    expect(bet.clv_percent).toBeCloseTo(100 * (0.541 * 1.95 - 1), 6)
    expect(bet).toMatchObject({
      reason: null,
      found: { event_id: knicks.id, market_type: 'moneyline', selection: 'New York Knicks' },
      close: { sportsbook: 'pinnacle', no_vig_probability: 0.541, odds_decimal: 1.8 },
      sportsbook_close: { sportsbook: 'draftkings', no_vig_probability: 0.536 },
    })
    expect(bet.sportsbook_clv_percent).toBeCloseTo(100 * (0.536 * 1.95 - 1), 6)
  })

  it('is of the side that was bet on, whichever side the bettor calls home', async () => {
    const bets = [
      { selection: 'Nets' },
      { selection: 'away' },
      { home_team: 'Brooklyn', away_team: 'NY Knicks', selection: 'home' },
      { home_team: 'Brooklyn', away_team: 'NY Knicks', selection: 'Brooklyn Nets' },
    ]
    for (const { clv_percent } of (await weighed(bets.map((bet) => stated(bet)))).bets) {
      expect(clv_percent).toBeCloseTo(100 * (0.459 * 1.95 - 1), 6)
    }
  })

  it('is of the right side of an event that is shown with its sides reversed', async () => {
    const game = { start_time: '2025-03-08T01:30:00Z', odds_decimal: 1.5 }
    // Miami is shown as home, and its rows are those of the away side.
    const byName = { ...game, home_team: 'Miami Heat', away_team: 'Utah Jazz' }
    const byId = {
      ...{ event_id: turned.id, odds_decimal: 1.5 },
      ...{ home_team: null, away_team: null, start_time: null, league: null },
    }
    const { bets } = await weighed([
      stated({ ...byName, selection: 'home' }),
      stated({ ...byName, selection: 'Heat' }),
      stated({ ...byId, selection: 'home' }),
      stated({ ...byId, selection: 'Miami Heat' }),
      stated({ ...byId, market: 'spread', selection: 'home', line: -6.5 }),
    ])
    const values = bets.map(({ clv_percent }: { clv_percent: number }) => clv_percent)
    const heat = 100 * (0.69 * 1.5 - 1)
    const wanted = [heat, heat, heat, heat, 100 * (0.502 * 1.5 - 1)].sort()
    for (const [i, value] of values.sort().entries()) expect(value).toBeCloseTo(wanted[i]!, 6)
  })

  it('is measured against the next sharp book that closed at the line of the bet', async () => {
    const bet = await valued({ market: 'Handicap', selection: 'Knicks', line: -2.5 })
    expect(bet.close.sportsbook).toBe('circa')
    expect(bet.clv_percent).toBeCloseTo(100 * (0.535 * 1.95 - 1), 6)
  })

  it('uses the close that was captured last, also if the game moved to another month', async () => {
    const first = pastEvent({
      id: 'nba_rockets_pelicans_2025-03-30_b3',
      homeTeam: 'New Orleans Pelicans',
      awayTeam: 'Houston Rockets',
      startsAt: Date.parse('2025-03-31T00:30:00Z'),
    })
    const moved = { ...first, startsAt: Date.parse('2025-04-02T00:30:00Z') }
    const line = { sportsbook: 'pinnacle', selectionType: 'home' } as const
    await service.pastEvents([first])
    await service.closes([closeOf(first, { ...line, missing: 'postponed' })])
    await service.archiveAll()
    const { bets, key: own } = await weighed([
      stated({
        home_team: 'Pelicans',
        away_team: 'Rockets',
        start_time: '2025-03-31T00:30:00Z',
        placed_at: '2025-03-31T12:00:00Z',
      }),
      stated({ home_team: 'Pelicans', away_team: 'Rockets', start_time: '2025-03-30' }),
    ])
    const reasons = bets.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toEqual(['placed_after_start', 'postponed'])
    await service.pastEvents([{ ...moved, updatedAt: moved.startsAt }])
    await service.closes([closeOf(moved, { ...line, price: 1.9, noVig: 0.52 })])
    await service.archiveAll()
    // The bets were placed after the first start, and before the actual one.
    for (const bet of (await service.clv(own)).body.data.bets) {
      expect(bet.clv_percent).toBeCloseTo(100 * (0.52 * 1.95 - 1), 6)
      expect(bet.close.start_time).toBe('2025-04-02T00:30:00.000Z')
    }
  })

  it('takes the day of the start by the league’s clock', async () => {
    expect((await valued({ start_time: '2025-03-07' })).found?.event_id).toBe(knicks.id)
    expect(await valued({ start_time: '2025-03-08' })).toMatchObject({
      found: null,
      reason: 'no_such_event',
    })
  })
})

describe('a bet without a value gives the reason', () => {
  const of = (event: typeof knicks, more: object = {}) => ({
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    start_time: new Date(event.startsAt).toISOString(),
    league: event.league,
    placed_at: '2025-03-01T12:00:00Z',
    ...more,
  })

  it.each([
    ['no_such_event', { home_team: 'Denver Nuggets' }],
    ['several_events', of(doubleheader[0]!, { start_time: '2025-04-12' })],
    ['placed_after_start', { placed_at: '2025-03-08T00:30:00Z' }],
    ['suspended', of(bulls)],
    ['not_devigged', of(bulls, { selection: 'away' })],
    ['withheld', of(bulls, { market: 'spread', line: -1.5 })],
    ['no_price_at_line', { market: 'spread', line: -9.5 }],
    ['no_reference', of(bulls, { market: 'total', selection: 'over', line: 220.5 })],
    ['close_not_kept', of(uncaptured)],
  ])('%s', async (reason, more) => {
    const { bets, reasons, total } = await weighed([stated(more)])
    expect([bets[0].clv_percent, bets[0].reason]).toEqual([null, reason])
    expect(reasons).toEqual({ [reason]: 1 })
    expect(total).toMatchObject({ bets: 1, with_clv: 0, avg_clv: null, stake_weighted_clv: null })
  })

  it('and the withheld close, where no other sharp book has one', async () => {
    const { bets } = await weighed([stated(of(bulls, { market: 'spread', line: -1.5 }))])
    expect(bets[0].close).toMatchObject({
      sportsbook: 'pinnacle',
      odds_decimal: 3.4,
      no_vig_probability: null,
      withheld: 'swapped',
      missing: null,
    })
  })

  it('unless the next sharp book has a close that was not withheld, which is named', async () => {
    const bet = { market: 'spread', line: -2.5, sportsbook: 'Pinnacle' }
    const { bets, ...sums } = await weighed([stated(of(bulls, bet))])
    expect(bets[0]).toMatchObject({
      reason: null,
      close: { sportsbook: 'circa', no_vig_probability: 0.51, withheld: null },
      sportsbook_clv_percent: null,
      sportsbook_close: { sportsbook: 'pinnacle', withheld: 'market_mismatch' },
    })
    expect(bets[0].clv_percent).toBeCloseTo(100 * (0.51 * 1.95 - 1), 6)
    expect(sums.sharp_references).toEqual({ circa: 1 })
  })

  it('no_close_yet before the start, and archive_behind while its own closes are still on the log', async () => {
    const startsAt = '2026-11-20T13:00:00Z'
    const game = { home: 'Denver Nuggets', away: 'Orlando Magic', startsAt }
    await service.ingest([oddsRecord(service.clock(), { sportsbook: 'pinnacle', ...game })])
    await service.settled()
    const own = await service.keyOf('sharp')
    const bet = stated({
      placed_at: new Date(service.clock()).toISOString(),
      home_team: 'Nuggets',
      away_team: 'Magic',
      start_time: startsAt,
    })
    const added = await service.post([bet], own)
    const eventId = added.body.data.bets[0].event_id
    expect(eventId).toMatch(/^nba_magic_nuggets/)
    const reasonNow = async () => (await service.clv(own)).body.data.bets[0].reason
    expect(await reasonNow()).toBe('no_close_yet')

    service.advance(2 * 3_600_000)
    const event = pastEvent({ id: eventId, startsAt: Date.parse(startsAt) })
    const line = { selectionType: 'home', price: 1.9 } as const
    // The archive has the close of another sharp book, and the first one's is still pending.
    await service.closes([closeOf(event, { ...line, sportsbook: 'circa', noVig: 0.5 })])
    await service.archiveAll()
    expect(await reasonNow()).toBeNull()
    // Pending closes of another game do not matter for this one.
    const other = pastEvent({ id: 'nba_suns_kings_2026-11-20_b3', startsAt: Date.parse(startsAt) })
    await service.closes([closeOf(other, { ...line, sportsbook: 'circa', noVig: 0.5 })])
    await expect.poll(() => service.boards.closes.capturedOf(other.id).count).toBe(1)
    expect(await reasonNow()).toBeNull()
    await service.closes([closeOf(event, { ...line, sportsbook: 'pinnacle', noVig: 0.52 })])
    await expect.poll(reasonNow).toBe('archive_behind')
    await service.archiveAll()
    const { body } = await service.clv(own)
    expect(body.data.bets[0].close.sportsbook).toBe('pinnacle')
    expect(body.data.bets[0].clv_percent).toBeCloseTo(100 * (0.52 * 1.95 - 1), 6)
  })

  it('archive_behind while the archive has a close that has become a missing one since', async () => {
    const startsAt = service.clock() - 3_600_000
    const event = pastEvent({ id: 'nba_kings_suns_2026-11-20_b3', startsAt })
    const sides = { homeTeam: 'Sacramento Kings', awayTeam: 'Phoenix Suns' }
    const line = { sportsbook: 'pinnacle', selectionType: 'home' } as const
    await service.pastEvents([{ ...event, ...sides }])
    await service.closes([closeOf(event, { ...line, price: 1.9, noVig: 0.5 })])
    await service.archiveAll()
    const { bets, key: own } = await weighed([
      stated(of({ ...event, ...sides }, { placed_at: '2026-11-19T12:00:00Z' })),
    ])
    expect(bets[0].reason).toBeNull()
    const { version } = service.boards.closes
    const gone = { missing: 'postponed', missingSince: startsAt, capturedAt: startsAt + 60_000 }
    await service.closes([closeOf(event, { ...line, ...gone } as never)])
    await expect.poll(() => service.boards.closes.version).toBeGreaterThan(version)
    expect((await service.clv(own)).body.data.bets[0].reason).toBe('archive_behind')
    await service.archiveAll()
    expect((await service.clv(own)).body.data.bets[0].reason).toBe('postponed')
  })

  it('gets its value once its event is known', async () => {
    const late = pastEvent({
      id: 'nba_hawks_spurs_2025-03-10_b3',
      homeTeam: 'San Antonio Spurs',
      awayTeam: 'Atlanta Hawks',
      startsAt: knicks.startsAt + 3 * day,
    })
    const { bets, key: own } = await weighed([stated(of(late))])
    expect(bets[0]).toMatchObject({ found: null, reason: 'no_such_event' })
    await service.pastEvents([late])
    const close = { sportsbook: 'pinnacle', selectionType: 'home', price: 2, noVig: 0.6 }
    await service.closes([closeOf(late, close)])
    await service.archiveAll()
    const { body } = await service.clv(own)
    expect(body.data.bets[0].clv_percent).toBeCloseTo(100 * (0.6 * 1.95 - 1), 6)
    // Matched bets are cached: the games of their day are not queried again.
    const askedFor = async () => {
      const before = service.queries.length
      await service.clv(own)
      return service.queries.length - before
    }
    const known = await askedFor()
    const { key: other } = await weighed([stated(of(late))])
    const before = service.queries.length
    await service.clv(other)
    expect(known).toBe(service.queries.length - before)
  })

  it('is shown with its event once that is known, also when its result is stated', async () => {
    const late = pastEvent({
      id: 'nba_magic_heat_2025-03-11_b3',
      homeTeam: 'Miami Heat',
      awayTeam: 'Orlando Magic',
      startsAt: knicks.startsAt + 4 * day,
    })
    const bet = stated(of(late, { reference: 'late slip' }))
    const { bets, key: own } = await weighed([bet, stated({ home_team: 'Nobody' })])
    expect(bets).toMatchObject([{ found: null }, { found: null }])
    await service.pastEvents([late])
    await service.archiveAll()
    const [{ id }] = bets.filter((bet: { home_team: string }) => bet.home_team !== 'Nobody')
    const settled = (await service.settle(id, { outcome: 'won' }, own)).body.data
    expect(settled).toMatchObject({ found: { event_id: late.id }, by_hand: { outcome: 'won' } })
    const listed = async (query: string) =>
      (await service.read(`/account/bets${query}`, own)).body.data
    expect(await listed('?found=true')).toEqual([settled])
    const again = (await service.post(bet, own)).body.data.bets
    expect(again).toMatchObject([{ status: 'duplicate', event_id: late.id, reason: null }])
    expect(await listed('?found=false')).toMatchObject([{ home_team: 'Nobody', found: null }])
  })
})

it('costs its account the time to decode the archive’s results', async () => {
  const { key: own } = await weighed([stated(), stated({ home_team: 'Nobody' })])
  const [queryCount, charged] = [service.queries.length, service.charged()]
  await service.clv(own)
  expect(service.charged() - charged).toBe(service.queries.length - queryCount)
  expect(service.charged()).toBeGreaterThan(charged)
})

describe('a bet on an Asian handicap', () => {
  const napoli = {
    ...{ sport: 'soccer', league: 'Italy - Serie A' },
    ...{ home: 'Napoli', away: 'Lazio' },
  }
  const handicap = (name: string, home: number, away: number) => [
    {
      market_type: name,
      line: -0.5,
      selections: [
        { selection_type: 'home', odds_decimal: home },
        { selection_type: 'away', odds_decimal: away },
      ],
    },
  ]

  it('is valued by the close of the spread, from the push to the value', async () => {
    const startsAt = new Date(service.clock() + 600_000).toISOString()
    const say = (sportsbook: string, markets: object[]) =>
      oddsRecord(service.clock(), { ...napoli, sportsbook, startsAt, markets })
    await service.ingest([
      say('pinnacle', handicap('asian_handicap', 2.05, 1.87)),
      say('fanduel', handicap('spreads', 1.88, 2.02)),
    ])
    await service.settled()
    const own = await service.keyOf('sharp')
    const bet = {
      ...{ league: 'Serie A', sport: 'soccer', home_team: 'Napoli', away_team: 'Lazio' },
      ...{ placed_at: new Date(service.clock()).toISOString(), start_time: startsAt },
      ...{ market: 'asian_handicap', selection: 'Lazio', line: 0.5, odds_decimal: 2.1 },
    }
    const added = await service.post([stated(bet)], own)
    expect(added.body.data).toMatchObject({ accepted: 1, rejected: [] })
    service.advance(900_000)
    const tick = { type: 'tick', observedAt: service.clock() } as const
    await service.log.append([
      { topic: topics.feedOdds, partitionKey: 'italy_-_serie_a', key: 'tick', value: tick },
    ])
    await service.settled()
    await service.archiveAll()
    const [weighedBet] = (await service.clv(own)).body.data.bets
    expect(weighedBet).toMatchObject({
      found: { market_type: 'point_spread', line: 0.5 },
      close: { sportsbook: 'pinnacle', odds_decimal: 1.87 },
    })
    const fair = devig([2.05, 1.87])!.probabilities[1]!
    expect(weighedBet.clv_percent).toBeCloseTo(100 * (fair * 2.1 - 1), 6)
    expect(weighedBet.clv_percent).toBeCloseTo(9.98, 2)
  })

  it('is found among closes of its former name, and as a bet stored under it', async () => {
    const game = pastEvent({
      ...{ id: 'italy_-_serie_a_roma_torino_2025-03-08_b3', sport: 'soccer' },
      ...{ league: 'italy_-_serie_a', homeTeam: 'Roma', awayTeam: 'Torino' },
    })
    const close = { marketType: 'asian_handicap', selectionType: 'home', line: -0.5 }
    await service.pastEvents([game])
    await service.closes([
      closeOf(game, { ...close, sportsbook: 'pinnacle', price: 2, noVig: 0.5 }),
      // The upgrade filed the market anew: withdrawn under one name, closed under the other.
      closeOf(game, { ...close, sportsbook: 'circa', missing: 'withdrawn' }),
    ])
    await service.archiveAll()
    const bets = ['asian_handicap', 'spread'].map((market) =>
      stated({
        ...{ league: 'Serie A', sport: 'soccer', home_team: 'Roma', away_team: 'Torino' },
        ...{ start_time: '2025-03-08', market, selection: 'home', line: -0.5 },
      }),
    )
    const { bets: weighedBets, key: own } = await weighed(bets)
    for (const { clv_percent } of weighedBets)
      expect(clv_percent).toBeCloseTo(100 * (0.5 * 1.95 - 1), 6)
    expect(weighedBets).toHaveLength(2)

    const { accountId } = service.accounts.keyring.authenticate(own, service.clock())
    const { ledger, stop } = await anotherLedger()
    const [row] = ledger.of(accountId)
    const former = { ...row!, found: { ...row!.found!, marketType: 'asian_handicap' } }
    const record = { topic: topics.bets, partitionKey: accountId, key: `${accountId}|${row!.id}` }
    await service.log.append([{ ...record, value: { ...former, stake: 77 } }])
    await expect.poll(() => ledger.find(accountId, row!.id)?.stake).toBe(77)
    expect(ledger.find(accountId, row!.id)?.found?.marketType).toBe('point_spread')
    await stop()
  })

  it('is found in an archive filled by an earlier build', async () => {
    const game = pastEvent({
      ...{ id: 'italy_-_serie_a_milan_inter_2025-03-08_b3', sport: 'soccer' },
      ...{ league: 'italy_-_serie_a', homeTeam: 'Milan', awayTeam: 'Inter' },
    })
    await service.pastEvents([game])
    await service.closes([
      closeOf(game, {
        ...{ marketType: 'point_spread', selectionType: 'home', line: -0.5 },
        ...{ sportsbook: 'pinnacle', price: 2, noVig: 0.5 },
      }),
    ])
    await service.archiveAll()
    await service.undoMigration(7, [
      `ALTER TABLE closing_lines UPDATE market_type = 'asian_handicap'
      WHERE event_id = '${game.id}' SETTINGS mutations_sync = 1`,
    ])
    const bet = {
      ...{ league: 'Serie A', sport: 'soccer', home_team: 'Milan', away_team: 'Inter' },
      ...{ start_time: '2025-03-08', market: 'asian_handicap', selection: 'home', line: -0.5 },
    }
    const { bets, key: own } = await weighed([stated(bet)])
    expect(bets[0].clv_percent).toBeNull()
    await service.migrate()
    const valueNow = async () => (await service.clv(own)).body.data.bets[0].clv_percent
    await expect.poll(valueNow).toBeCloseTo(100 * (0.5 * 1.95 - 1), 6)
  })
})

describe('a bet on a player', () => {
  const points = { marketType: 'player_points', selectionType: 'over', line: 20.5 }
  const rockets = pastEvent({
    ...{ id: 'nba_jazz_rockets_2025-03-12_b3', homeTeam: 'Houston Rockets', awayTeam: 'Utah Jazz' },
    startsAt: knicks.startsAt + 5 * day,
  })
  const closing = (playerName: string, noVig: number, selectionType = 'over') =>
    closeOf(rockets, {
      ...{ ...points, selectionType, playerName },
      ...{ sportsbook: 'pinnacle', price: 1.9, noVig },
    })
  const betOn = (player_name: string) =>
    stated({
      ...{ home_team: 'Houston Rockets', away_team: 'Utah Jazz' },
      ...{ start_time: new Date(rockets.startsAt).toISOString() },
      ...{ market: 'player_points', selection: 'over', line: 20.5, player_name },
    })

  beforeAll(async () => {
    await service.pastEvents([rockets])
    await service.closes([
      closing("Day'Ron Sharpe", 0.51),
      closing('Jabari Smith Jr', 0.52),
      closing('Nikola Jovic', 0.53),
      closing('Jalen Williams', 0.54),
      closing('Jaylin Williams', 0.55),
      closing('Josh Green (UTA)', 0.56),
      closing('Josh Green (HOU)', 0.57),
      closing('Ömer Yurtseven', 0.58),
    ])
    await service.archiveAll()
  })

  it.each([
    ['DayRon Sharpe', 0.51],
    ['SHARPE, DAY’RON', 0.51],
    ['Day-Ron Sharpe (HOU)', 0.51],
    ['Jabari Smith', 0.52],
    ['Smith Jr., Jabari', 0.52],
    ['Nikola Jović', 0.53],
    ['Jović Nikola', 0.53],
    ['Jalen Williams', 0.54],
    ['Williams, Jaylin', 0.55],
    ['Josh Green (UTA)', 0.56],
    ['Josh Green (HOU)', 0.57],
    ['Omer Yurtseven', 0.58],
  ])('named %s is matched to the player of the closes', async (name, noVig) => {
    const { bets } = await weighed([betOn(name)])
    expect(bets[0].clv_percent).toBeCloseTo(100 * (noVig * 1.95 - 1), 6)
  })

  it.each(['Jalin Williams', 'Josh Green'])(
    'named %s, which could mean two players or none, has no value',
    async (name) => {
      const { bets } = await weighed([betOn(name)])
      expect(bets[0]).toMatchObject({ clv_percent: null })
    },
  )
})

describe('the archive’s state in a response', () => {
  it('tells how far it is behind, while it is', async () => {
    const own = await service.keyOf('sharp')
    expect((await service.clv(own)).body.meta).not.toHaveProperty('archive')
    service.health.behindRecords = 151_330
    service.health.behindMs = 91_500
    const archive = { records_behind: 151_330, seconds_behind: 91.5 }
    expect((await service.clv(own)).body.meta.archive).toEqual(archive)
    const values = await service.read('/historical/clv', own)
    expect([values.status, values.body.meta.archive]).toEqual([200, archive])
    service.health.behindMs = null
    expect((await service.clv(own)).body.meta.archive.seconds_behind).toBeNull()
    service.health.behindRecords = 0
    expect((await service.clv(own)).body.meta).not.toHaveProperty('archive')
  })
})

describe('bets that are posted', () => {
  it('are stored once under a reference, however often they are sent', async () => {
    const own = await service.keyOf('sharp')
    const bet = stated({ reference: 'slip 1' })
    const [first, again] = await Promise.all([
      service.post(bet, own),
      service.post([bet, bet], own),
    ])
    const ids = [first, again].flatMap(({ body }) =>
      body.data.bets.map(({ id }: { id: string }) => id),
    )
    expect(new Set(ids).size).toBe(1)
    expect(first.body.data.duplicates + again.body.data.duplicates).toBe(2)
    const other = await service.post(stated({ reference: 'slip 1', stake: 20 }), own)
    expect(other.body.data.rejected).toMatchObject([{ line: 1, code: 'reference_conflict' }])
    expect((await service.read('/account/bets', own)).body.pagination.total).toBe(1)
    // The same reference in another account is another bet.
    const stranger = await service.keyOf('sharp')
    const theirs = await service.post(bet, stranger)
    expect(theirs.body.data.bets[0].status).toBe('stored')
    expect(theirs.body.data.bets[0].id).not.toBe(ids[0])
  })

  it('in a file with bad lines are stored if good, and the bad ones are named', async () => {
    const own = await service.keyOf('sharp')
    const lines = [
      '\ufeffPlaced At,league,home_team,away_team,start_time,market,selection,line,odds_american,stake,sportsbook,reference',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,"Nets, Brooklyn",2025-03-07,spread,home,−2.5,-105,50,draftkings,a',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,spread,home,,-105,50,draftkings,b',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,spread,home,-2.5,-50,50,draftkings,c',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,moneyline,home,,+105,"5"0,draftkings,d',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,moneyline,Celtics,,+105,50,draftkings,e',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,over under or so,over,210,+105,50,draftkings,f',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-32,moneyline,home,,+105,50,draftkings,g',
      '2027-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,moneyline,home,,+105,50,draftkings,h',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,moneyline,home,,+105,-5,draftkings,i',
      '',
      '2025-03-07T12:00:00Z,NBA,NY Knicks,Brooklyn,2025-03-07,moneyline,home,,+105,50,draftkings,j',
    ]
    const { status, body } = await service.postCsv(`${lines.join('\r\n')}\r\n`, own)
    expect(status).toBe(200)
    expect(
      body.data.rejected.map(({ line, code }: { line: number; code: string }) => [line, code]),
    ).toEqual([
      [3, 'missing_line'],
      [4, 'invalid_price'],
      [5, 'malformed_csv'],
      [6, 'unknown_selection'],
      [7, 'unknown_market'],
      [8, 'invalid_date'],
      [9, 'placed_in_future'],
      [10, 'invalid_field'],
    ])
    expect(body.data.rejected_count).toBe(8)
    expect(
      body.data.bets.map(({ line, reference, event_id }: Record<string, unknown>) => [
        line,
        reference,
        event_id,
      ]),
    ).toEqual([
      [2, 'a', knicks.id],
      [12, 'j', knicks.id],
    ])
    const { bets } = (await service.clv(own)).body.data
    expect(bets.map(({ line }: { line: number }) => line).sort()).toEqual([-2.5, null])
  })

  it.each([
    ['no JSON', '{"placed_at":', 'application/json'],
    ['a column that nobody knows', 'placed_at,oddz\n1,2\n', 'text/csv'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 'application/json'],
    ['more bets than one request takes', JSON.stringify(Array(5_001).fill({})), 'application/json'],
  ])('are refused as a whole with %s', async (_, text, type) => {
    const bytes = Buffer.from(text, 'latin1')
    const { status, body } = await service.request('/account/bets', {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': type },
      body: bytes,
    })
    expect([status, body.code]).toEqual([400, 'validation_error'])
  })

  it.each([
    ['unknown_field', stated({ odds: 1.9 })],
    ['missing_field', stated({ stake: undefined })],
    ['missing_price', stated({ odds_decimal: undefined })],
    ['price_mismatch', stated({ odds_american: 150 })],
    ['missing_event', stated({ start_time: undefined })],
    ['same_teams', stated({ away_team: 'ny knicks ' })],
    ['invalid_field', stated({ event_id: knicks.id })],
    ['unexpected_line', stated({ line: -1.5 })],
    ['answer_of_another_market', stated({ selection: 'over' })],
    ['missing_player', stated({ market: 'player_points', selection: 'over', line: 20.5 })],
    ['not_an_object', 7],
    ['unknown_market', stated({ sport: 'tennis', league: 'ATP', market: 'spread', line: 1 })],
  ])('are refused one by one: %s', async (code, bet) => {
    const { status, body } = await service.post([bet], key)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ accepted: 0, rejected: [{ line: 1, code }] })
  })

  it('are stored while the archive is away, and found later', async () => {
    const own = await service.keyOf('sharp')
    service.setUp(false)
    const { body } = await service.post(stated(), own)
    expect(body.data.bets).toMatchObject([{ event_id: null, reason: 'archive_not_ready' }])
    const away = await service.clv(own)
    expect([away.status, away.body.code]).toEqual([503, 'not_ready'])
    expect(away.headers.get('retry-after')).toBe('1')
    service.setUp(true)
    expect((await service.clv(own)).body.data.bets[0].reason).toBeNull()
  })

  it('are found by the league and market of the game that they are found on later', async () => {
    const own = await service.keyOf('sharp')
    service.setUp(false)
    const unnamed = { home_team: undefined, away_team: undefined, start_time: undefined }
    // Neither says its league; the second calls the spread of a margin a handicap.
    const byId = { ...unnamed, league: undefined, event_id: knicks.id }
    await service.post(
      [
        stated(byId),
        stated({ ...byId, market: 'handicap', line: -3.5 }),
        stated({ league: 'NBA', home_team: 'Nobody' }),
      ],
      own,
    )
    service.setUp(true)
    const marketsOf = async (query: string, what: 'clv' | 'results' = 'clv') => {
      const { body } = await service[what](own, query)
      const markets = body.data.bets.map(
        (bet: { found: { market_type: string } | null }) => bet.found?.market_type ?? null,
      )
      expect(body.data.total.bets).toBe(markets.length)
      return markets.sort()
    }
    // The first request has not found any of them before.
    expect(await marketsOf('?league=mlb')).toEqual([])
    const all = ['moneyline', null, 'point_spread']
    expect(await marketsOf('?league=nba', 'results')).toEqual(all)
    expect(await marketsOf('?league=nba')).toEqual(all)
    expect(await marketsOf('?market=point_spread')).toEqual(['point_spread'])
    expect(await marketsOf('?league=nba&market=moneyline')).toEqual(['moneyline', null])
  })

  it('follow the operator’s aliases', async () => {
    const alias = (state: string) =>
      service.request('/admin/aliases', {
        method: 'POST',
        headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          aliases: [{ league: 'nba', spelling: 'Gotham', team: 'New York Knicks', state }],
        }),
      })
    expect((await valued({ home_team: 'Gotham' })).reason).toBe('no_such_event')
    await alias('confirmed')
    expect((await valued({ home_team: 'Gotham' })).found.event_id).toBe(knicks.id)
    await service.request('/admin/aliases', {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        aliases: [
          { league: 'nba', spelling: 'NY Knicks', team: 'New York Knicks', state: 'forbidden' },
        ],
      }),
    })
    expect((await valued()).reason).toBe('no_such_event')
    expect((await valued({ home_team: 'Knicks' })).found.event_id).toBe(knicks.id)
    const { body } = await service.request('/admin/aliases?league=nba', {
      headers: { Authorization: `Bearer ${adminToken}` },
    })
    for (const { id } of body.data)
      await service.request(`/admin/aliases/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${adminToken}` },
      })
  })
})

describe('bets that are listed', () => {
  it('are paged and filtered, and come as a file that can be posted again', async () => {
    const own = await service.keyOf('sharp')
    const bets = [
      stated({ placed_at: '2025-03-05T12:00:00Z', reference: '=HYPERLINK("x")' }),
      stated({ placed_at: '2025-03-06T12:00:00Z', market: 'spread', line: -2.5 }),
      stated({ placed_at: '2025-03-07T12:00:00Z', sportsbook: 'FanDuel', reference: '－1, "two"' }),
      stated({ placed_at: '2025-03-07T13:00:00Z', home_team: 'Nobody' }),
    ]
    await service.post(bets, own)
    const listed = async (query: string) =>
      (await service.read(`/account/bets?${query}`, own)).body.data.map(
        ({ placed_at }: { placed_at: string }) => placed_at.slice(8, 13),
      )
    expect(await listed('')).toEqual(['07T13', '07T12', '06T12', '05T12'])
    expect(await listed('limit=2&offset=1')).toEqual(['07T12', '06T12'])
    expect(await listed('sportsbook=FanDuel')).toEqual(['07T12'])
    expect(await listed('market=spread')).toEqual(['06T12'])
    expect(await listed('from=2025-03-06&to=2025-03-06')).toEqual(['06T12'])
    expect(await listed('found=false')).toEqual(['07T13'])
    expect(await listed('league=NBA&found=true')).toHaveLength(3)
    expect(await listed('q=nets+fanduel')).toEqual(['07T12'])
    expect(await listed('q=nobody')).toEqual(['07T13'])

    const file = await service.read('/account/bets?format=csv', own)
    expect(file.headers.get('content-type')).toContain('text/csv')
    const cells = parse(file.text, { columns: true }) as Record<string, string>[]
    expect(cells.map(({ reference }) => reference)).toEqual([
      '',
      `'－1, "two"`,
      '',
      `'=HYPERLINK("x")`,
    ])
    const copy = await service.keyOf('sharp')
    const sent = await service.postCsv(file.text, copy)
    expect(sent.body.data.rejected).toEqual([])
    const plain = async (of: string) =>
      (await service.read('/account/bets', of)).body.data.map(
        ({ id: _, created_at: __, ...rest }: Record<string, unknown>) => rest,
      )
    expect(await plain(copy)).toEqual(await plain(own))

    // Posted to its own account, with or without references, each is a duplicate of its bet.
    const again = await service.postCsv(file.text, own)
    expect(again.body.data).toMatchObject({ accepted: 4, duplicates: 4, rejected: [] })
    const { data: before } = (await service.read('/account/bets', own)).body
    const settled = file.text.replace(/(?<=[^\r\n]*Nobody[^\r\n]*,)(?=,,,,bet_)/, 'lost')
    const changed = (await service.postCsv(settled, own)).body.data
    expect(changed.bets.map(({ status }: { status: string }) => status).sort()).toEqual([
      ...['duplicate', 'duplicate', 'duplicate', 'settled'],
    ])
    const { data: after } = (await service.read('/account/bets', own)).body
    expect(after.map(({ id }: { id: string }) => id)).toEqual(
      before.map(({ id }: { id: string }) => id),
    )
    const conflict = await service.post(stated({ id: before[0].id, stake: 99 }), own)
    expect(conflict.body.data.rejected).toMatchObject([{ code: 'reference_conflict' }])
    const foreign = await service.post(stated({ id: before[0].id }), copy)
    expect(foreign.body.data.bets[0]).toMatchObject({ status: 'stored' })
    expect(foreign.body.data.bets[0].id).not.toBe(before[0].id)
  })

  it('survive a replay of the log, and are gone for good when deleted', async () => {
    const own = await service.keyOf('sharp')
    const { body } = await service.post([stated(), stated({ stake: 11 })], own)
    const [{ id }, other] = body.data.bets
    expect((await service.remove(id, own)).body.data).toEqual({ deleted: true, id })
    expect((await service.remove(id, own)).status).toBe(404)
    const { data } = (await service.read('/account/bets', own)).body
    expect(data.map((bet: { id: string }) => bet.id)).toEqual([other.id])

    const { ledger, stop } = await anotherLedger()
    const { accountId } = service.accounts.keyring.authenticate(own, service.clock())
    expect(ledger.of(accountId)).toMatchObject([{ id: other.id, stake: 11, price: 1.95 }])
    expect(ledger.find(accountId, id)).toBeUndefined()
    await stop()
  })

  it('are limited to the number of the tier', async () => {
    const { ledger, stop } = await anotherLedger()
    const own = await service.keyOf('sharp')
    const { accountId } = service.accounts.keyring.authenticate(own, service.clock())
    await service.post(stated({ reference: 'there' }), own)
    await expect.poll(() => ledger.of(accountId)).toHaveLength(1)
    const {
      id: _,
      accountId: __,
      verdict,
      revision,
      createdAt,
      found,
      ...there
    } = ledger.of(accountId)[0]!
    expect([revision, createdAt, found !== null]).toEqual([
      expect.any(String),
      service.clock(),
      true,
    ])
    const named = (reference: string | null) => ({
      statement: { ...there, reference },
      ...{ found: null, verdict, id: null },
    })
    const wanted = [named('a'), named('there'), named(null), named('b'), named('a')]
    const added = await Promise.all([
      ledger.add(accountId, wanted, 3),
      ledger.add(accountId, [named('c')], 3),
    ])
    expect(added.flat().map(({ status }) => status)).toEqual([
      ...['stored', 'duplicate', 'stored', 'too_many_bets', 'duplicate'],
      'too_many_bets',
    ])
    expect(ledger.of(accountId)).toHaveLength(3)
    await stop()
  })
})

describe('the sums of many bets', () => {
  /** Returns the 97.5 % point of Student's t by summing its density. */
  function studentPoint(degrees: number): number {
    const density = (x: number) => (1 + (x * x) / degrees) ** (-(degrees + 1) / 2)
    const step = 1e-3
    let half = 0
    // For ten degrees and more the rest beyond 100 is negligible.
    for (let x = 0; x < 100; x += step) half += step * density(x + step / 2)
    let area = 0
    for (let x = 0; ; x += step) {
      area += step * density(x + step / 2)
      if (area >= 0.95 * half) return x + step
    }
  }

  interface Expected {
    readonly event: string
    readonly book: string
    readonly market: string
    readonly month: string
    readonly stake: number
    readonly clv: number | null
  }

  /** Returns the mean with its interval over all pairs of bets, without sums by event. */
  function meanOf(bets: readonly Expected[], weight: (bet: Expected) => number) {
    const valued = bets.filter(({ clv }) => clv !== null)
    if (valued.length === 0) return null
    const total = valued.map(weight).reduce((a, b) => a + b)
    const mean = valued.map((bet) => weight(bet) * bet.clv!).reduce((a, b) => a + b) / total
    let variance = 0
    for (const one of valued)
      for (const other of valued)
        if (one.event === other.event)
          variance += weight(one) * (one.clv! - mean) * weight(other) * (other.clv! - mean)
    const events = new Set(valued.map(({ event }) => event)).size
    if (events === 1) return { percent: 100 * mean, low: null, high: null }
    const error = Math.sqrt((variance * events) / (events - 1)) / total
    const reach = studentPoint(events - 1) * error
    return { percent: 100 * mean, low: 100 * (mean - reach), high: 100 * (mean + reach) }
  }

  function expectMean(
    actual: Record<string, number | null> | null,
    bets: Expected[],
    byStake: boolean,
  ) {
    const wanted = meanOf(bets, byStake ? ({ stake }) => stake : () => 1)
    expect(actual === null).toBe(wanted === null)
    if (!actual || !wanted) return
    expect(actual.percent).toBeCloseTo(wanted.percent, 6)
    if (wanted.low === null) return expect([actual.low, actual.high]).toEqual([null, null])
    // Summing the density in steps is not exact.
    const reach = (wanted.high! - wanted.low) / 2
    expect(Math.abs(actual.high! - actual.percent! - reach) / reach).toBeLessThan(1e-3)
    expect(Math.abs(actual.percent! - actual.low! - reach) / reach).toBeLessThan(1e-3)
  }

  it('equal an independent computation to 1e-6, over several queries to the archive', async () => {
    let seed = 20_250_307
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      return seed / 0x80000000
    }
    const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
    const teams = [
      'Milwaukee Bucks',
      'Utah Jazz',
      'Miami Heat',
      'Indiana Pacers',
      'Dallas Mavericks',
    ]
    const games = Array.from({ length: 24 }, (_, i) =>
      pastEvent({
        id: `nba_sum_${i}_2024-01-${i + 1}_b3`,
        homeTeam: teams[i % 5]!,
        awayTeam: teams[(i + 1 + (Math.floor(i / 5) % 4)) % 5]!,
        startsAt: Date.parse('2024-01-20T00:30:00Z') + i * day,
      }),
    )
    const chances = games.map(() => 0.2 + 0.6 * random())
    await service.pastEvents(games)
    await service.closes(
      games.flatMap((game, i) => [
        closeOf(game, {
          sportsbook: 'pinnacle',
          selectionType: 'home',
          price: 2,
          noVig: chances[i]!,
        }),
        closeOf(game, {
          sportsbook: 'pinnacle',
          ...spread('away', 3.5),
          price: 2,
          noVig: 1 - chances[i]!,
        }),
      ]),
    )
    await service.archiveAll()
    const bets: Expected[] = []
    const sent = Array.from({ length: 700 }, (_, n) => {
      const at = Math.floor(random() * games.length)
      const { id, homeTeam, awayTeam, startsAt } = games[at]!
      const kind = pick(['home', 'spread', 'other line'] as const)
      const book = pick(['draftkings', 'fanduel', 'betmgm'])
      const placedAt = startsAt - Math.floor(random() * 20 * day) - 1
      const price = Math.round(1_100 + 1_900 * random()) / 1_000
      const stake = Math.round(1 + 99 * random())
      const chance = kind === 'home' ? chances[at]! : 1 - chances[at]!
      bets.push({
        event: id,
        book,
        market: kind === 'home' ? 'moneyline' : 'point_spread',
        month: new Date(placedAt).toISOString().slice(0, 7),
        stake,
        clv: kind === 'other line' ? null : chance * price - 1,
      })
      return stated({
        placed_at: new Date(placedAt).toISOString(),
        ...{
          home_team: homeTeam,
          away_team: awayTeam,
          start_time: new Date(startsAt).toISOString(),
        },
        ...(kind !== 'home' && { market: 'spread', line: kind === 'spread' ? 3.5 : 4.5 }),
        ...{ selection: kind === 'home' ? 'home' : awayTeam, odds_decimal: price, stake },
        ...{ sportsbook: book, reference: `${n}` },
      })
    })
    const own = await service.keyOf('sharp')
    expect((await service.post(sent, own)).body.data.accepted).toBe(700)
    const { body } = await service.clv(own, '?limit=200')
    expect(betsClvAnswer.strict().parse(body)).toEqual(body)
    const { data, meta } = body
    expect(data.bets).toHaveLength(200)
    expect(meta.pagination).toMatchObject({ total: 700, has_more: true, next_offset: 200 })
    const without = bets.filter(({ clv }) => clv === null).length
    expect(data.reasons).toEqual({ no_price_at_line: without })
    expect(data.sharp_references).toEqual({ pinnacle: 700 - without })

    const checks: [Record<string, never>[], (bet: Expected) => string][] = [
      [data.by_sportsbook, ({ book }) => book],
      [data.by_market, ({ market }) => market],
      [data.by_month, ({ month }) => month],
      [[{ ...data.total, group_key: 'all' }], () => 'all'],
    ]
    for (const [groups, keyOf] of checks) {
      expect(new Set(groups.map(({ group_key }) => group_key))).toEqual(new Set(bets.map(keyOf)))
      for (const group of groups) {
        const some = bets.filter((bet) => keyOf(bet) === group.group_key)
        const valued = some.filter(({ clv }) => clv !== null)
        const stakeOf = (of: Expected[]) => of.reduce((sum, { stake }) => sum + stake, 0)
        expect(group).toMatchObject({
          bets: some.length,
          with_clv: valued.length,
          events: new Set(valued.map(({ event }) => event)).size,
          beat_close: valued.filter(({ clv }) => clv! > 0).length,
          stake: stakeOf(some),
          stake_with_clv: stakeOf(valued),
        })
        expectMean(group.avg_clv!, some, false)
        expectMean(group.stake_weighted_clv!, some, true)
      }
    }
    const filtered = await service.clv(own, '?sportsbook=fanduel&market=moneyline')
    const some = bets.filter(({ book, market }) => book === 'fanduel' && market === 'moneyline')
    expect(filtered.body.data.total.bets).toBe(some.length)
    expectMean(filtered.body.data.total.avg_clv, some, false)
  })
})

describe('hostile input', () => {
  const payloads = [
    "' OR 1=1 --",
    "'); DROP TABLE closing_lines; --",
    '{ids:Array(String)}',
    "\\'; SELECT 1",
    'a\u2028b`c"d',
    '%27%20OR%201',
    "['x','y']",
    '$(sleep 9)',
  ]

  it('is a name like any other, in every field that reaches the archive', async () => {
    const own = await service.keyOf('sharp')
    const bets = payloads.flatMap((text) => [
      stated({ home_team: text }),
      stated({ league: text, sport: text }),
      stated({ sport: text, league: undefined, market: 'moneyline' }),
      stated({ sportsbook: text }),
      stated({ market: 'player_points', selection: 'over', line: 1.5, player_name: text }),
      {
        ...stated({ event_id: text, league: undefined, reference: text }),
        ...{ home_team: undefined, away_team: undefined, start_time: undefined },
      },
    ])
    const added = await service.post(bets, own)
    expect(added.status).toBe(200)
    const codes = new Set(added.body.data.rejected.map(({ code }: { code: string }) => code))
    expect([...codes].filter((code) => code !== 'unknown_market')).toEqual([])
    const { status, body } = await service.clv(own)
    expect(status).toBe(200)
    expect(body.data.total).toMatchObject({ bets: added.body.data.accepted })
    for (const text of payloads) {
      const at = encodeURIComponent(text)
      for (const name of ['sportsbook', 'league', 'market'])
        expect((await service.clv(own, `?${name}=${at}`)).status).toBe(200)
      expect((await service.remove(at, own)).status).toBe(404)
    }
    expect((await valued()).reason).toBeNull()
  })

  it('is no key of an account: ids and references with separators stay in their account', async () => {
    const own = await service.keyOf('sharp')
    const references = ['a|b', '|', 'acct_x|bet_1', '\u{1f3c0}']
    await service.post(
      references.map((reference) => stated({ reference })),
      own,
    )
    const { data } = (await service.read('/account/bets', own)).body
    expect(data.map(({ reference }: { reference: string }) => reference).sort()).toEqual(
      [...references].sort(),
    )
  })
})

describe('a source for its owner alone', () => {
  it('is no reference, close or event to others', async () => {
    const secret = pastEvent({
      id: 'nba_kings_magic_2025-03-12_b3',
      homeTeam: 'Sacramento Kings',
      awayTeam: 'Orlando Magic',
      startsAt: knicks.startsAt + 5 * day,
    })
    const shared = pastEvent({
      id: 'nba_kings_hornets_2025-03-14_b3',
      homeTeam: 'Sacramento Kings',
      awayTeam: 'Charlotte Hornets',
      startsAt: knicks.startsAt + 7 * day,
    })
    const home = { selectionType: 'home', price: 1.9 } as const
    await service.pastEvents([secret, shared])
    await service.closes([
      closeOf(secret, { ...home, sportsbook: 'sbobet', noVig: 0.5 }),
      closeOf(shared, { ...home, sportsbook: 'sbobet', noVig: 0.6 }),
      closeOf(shared, { ...home, sportsbook: 'onexbet', noVig: 0.55 }),
    ])
    await service.archiveAll()
    const status = (audience: 'owner' | 'all') =>
      service.log.append([
        {
          topic: topics.sportsbookStatus,
          partitionKey: 'sbobet',
          key: 'sbobet',
          value: { sportsbook: 'sbobet', status: 'up', since: service.clock(), audience },
        },
      ])
    await status('owner')
    await service.settled()
    const bets = [secret, shared].map((game) =>
      stated({
        home_team: game.homeTeam,
        away_team: game.awayTeam,
        start_time: new Date(game.startsAt).toISOString(),
        sportsbook: 'sbobet',
      }),
    )
    const own = await service.keyOf('sharp')
    await service.post(bets, own)
    const { body } = await service.clv(own)
    expect(body.data.sharp_reference).not.toContain('sbobet')
    const [a, b] = body.data.bets
    const [unseen, seen] = a.found === null ? [a, b] : [b, a]
    expect(unseen).toMatchObject({ found: null, reason: 'no_such_event' })
    expect(seen).toMatchObject({ close: { sportsbook: 'onexbet' }, sportsbook_close: null })
    const owner = await service.keyOf('sharp', { owner: true })
    await service.post(bets, owner)
    const { data } = (await service.clv(owner)).body
    expect(data.sharp_references).toEqual({ sbobet: 2 })
    await status('all')
    await service.settled()
  })
})

describe('bets of another account', () => {
  it('are not shown by any route, tier or token', async () => {
    const [mine, theirs, owners] = await Promise.all([
      service.keyOf('enterprise'),
      service.keyOf('enterprise'),
      service.keyOf('enterprise', { owner: true }),
    ])
    const { body } = await service.post(stated({ reference: 'secret slip' }), mine)
    const { id } = body.data.bets[0]
    for (const other of [theirs, owners, key]) {
      for (const path of ['/account/bets', '/account/bets?format=csv', '/account/bets/clv']) {
        const { status, text } = await service.read(path, other)
        expect(status).toBe(200)
        expect(text).not.toContain(id)
        expect(text).not.toContain('secret slip')
      }
      for (const guess of [id, encodeURIComponent(`../${id}`), encodeURIComponent(`|${id}`)]) {
        expect((await service.remove(guess, other)).status).toBe(404)
      }
    }
    const operator = { Authorization: `Bearer ${adminToken}` }
    for (const path of [
      '/account/bets',
      '/account/bets/clv',
      '/account/bets/results',
      '/admin/accounts',
    ]) {
      const { text } = await service.request(path, { headers: operator })
      expect(text).not.toContain(id)
    }
    const told = await service.request('/mcp', {
      method: 'POST',
      headers: {
        'X-API-Key': theirs,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'get_bet_results', arguments: {} },
      }),
    })
    expect(told.body.result.isError).toBeFalsy()
    expect(told.text).not.toContain(id)
    const { data } = (await service.read('/account/bets', mine)).body
    expect(data.map((bet: { id: string }) => bet.id)).toEqual([id])
  })

  it('are stored for sharp accounts and above, and others read and delete theirs', async () => {
    for (const tier of ['free', 'hobby', 'pro'] as const) {
      const lower = await service.keyOf(tier)
      for (const { status, body } of [
        await service.post(stated(), lower),
        await service.clv(lower),
      ]) {
        expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'sharp'])
      }
      expect((await service.read('/account/bets', lower)).body.data).toEqual([])
    }
    expect((await service.post(stated(), keys.sharp)).body.data.accepted).toBe(1)
  })

  it('query the archive in the name of their own account', async () => {
    const before = service.queries.length
    await weighed([stated()])
    const callers = new Set(service.queries.slice(before))
    expect(callers.size).toBe(1)
    expect([...callers][0]).toMatch(/^acct_/)
  })
})
