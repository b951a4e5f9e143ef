/** Pushed games in play as shown on /gamestate, /events and by the tool, and their visibility. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AddOn } from '../../schemas/account.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { type InProcess, oddsRecord, type Quote, startInProcess } from './service-in-process.ts'
import { openEvents, openFrames } from './stream-reader.ts'

let service: InProcess
const keyOf = new Map<string, string>()
const newKey = async (tier: Tier, addOns: readonly AddOn[] = []) =>
  (await service.accounts.create({ name: tier, tier, addOns, expiresAt: null })).value

beforeAll(async () => {
  service = await startInProcess()
  await service.ingest(games.map((quote) => oddsRecord(service.clock(), quote)))
  await service.settled()
})
// New keys for each test, because requests are limited by the minute.
beforeEach(async () => {
  keyOf.set('all', await newKey('enterprise'))
  keyOf.set('hobby', await newKey('hobby', ['game_state']))
  keyOf.set('none', await newKey('pro'))
})
afterAll(() => service.close())

const ask = (path: string, key = 'all', headers: Record<string, string> = {}) =>
  service.request(path, { headers: { 'X-API-Key': keyOf.get(key) ?? key, ...headers } })

const soccer = { sport: 'soccer', league: 'england_-_premier_league' }
const leeds: Quote = {
  sportsbook: 'fanduel',
  ...soccer,
  home: 'Leeds United',
  away: 'Brentford',
  isLive: true,
}
const knicks: Quote = {
  sportsbook: 'fanduel',
  home: 'New York Knicks',
  away: 'Chicago Bulls',
  isLive: true,
}
const rugby: Quote = {
  sportsbook: 'fanduel',
  sport: 'rugby',
  league: 'Top 14',
  home: 'Toulon',
  away: 'Pau',
  isLive: true,
}
const later: Quote = { sportsbook: 'fanduel', home: 'Utah Jazz', away: 'Miami Heat' }
const games = [
  leeds,
  knicks,
  rugby,
  later,
  // Two sportsbooks against one have the sides reversed, so the event is shown that way.
  { ...leeds, sportsbook: 'draftkings', home: 'Brentford', away: 'Leeds United' },
  { ...leeds, sportsbook: 'betmgm', home: 'Brentford', away: 'Leeds United' },
]

interface Told extends Quote {
  readonly state: Readonly<Record<string, unknown>>
}

/** Pushes game states observed now. */
async function tell(...told: readonly Told[]) {
  const records = told.map(({ state, ...quote }) => {
    const { markets: _, mode: __, ...record } = oddsRecord(service.clock(), quote)
    return { ...record, type: 'game_state', state }
  })
  const { status, body } = await service.ingest(records)
  expect([status, body.data.rejected]).toEqual([202, []])
  await service.settled()
}

/** Pushes prices observed now. */
async function price(quote: Quote) {
  await service.ingest([oddsRecord(service.clock(), quote)])
  await service.settled()
}

const withdraw = (quote: Quote) => price({ ...quote, markets: [] })

const score = (home: number, away: number, more: object = {}) => ({
  home_score: home,
  away_score: away,
  ...more,
})

describe('games in play', () => {
  it('are shown by sport and event, as their sportsbooks agree', async () => {
    await tell(
      {
        ...knicks,
        state: score(63, 58, {
          game_period: '3rd quarter',
          game_clock: '6:41',
          possession: 'away',
          fouls_home: 3,
          fouls_away: 4,
          is_timeout: false,
        }),
      },
      {
        ...knicks,
        sportsbook: 'draftkings',
        state: score(63, 58, { game_period: 'Q3', game_clock: '6:50' }),
      },
      { ...knicks, sportsbook: 'pinnacle', state: score(91, 58, { game_period: 'QUARTER_3' }) },
      { ...rugby, state: score(12, 10, { game_period: '1st half', game_clock: '31:00' }) },
    )
    const { status, body } = await ask('/gamestate')
    expect(status).toBe(200)
    expect(Object.keys(body.data)).toEqual(['basketball', 'other'])
    const [[id, state]] = Object.entries<object>(body.data.basketball) as [[string, object]]
    expect(id).toMatch(/^nba_bulls_knicks_/)
    expect(state).toEqual({
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      sport: 'basketball',
      league: 'nba',
      home_score: 63,
      away_score: 58,
      is_live: true,
      primary_book: 'draftkings',
      book_count: 3,
      game_period: 'Q3',
      game_clock: '6:41',
      possession: 'away',
      fouls_home: 3,
      fouls_away: 4,
      is_timeout: false,
    })
    expect(body.updated_at).toBe(new Date(service.clock()).toISOString())
  })

  it.each([
    ['/gamestate/basketball', ['basketball'], 1],
    ['/gamestate/BasketBall', ['basketball'], 1],
    ['/gamestate/other', ['other'], 1],
    ['/gamestate/rugby_union', ['other'], 1],
    ['/gamestate/hockey', [], 0],
    ['/gamestate/quidditch', [], 0],
    ['/gamestate/__proto__', [], 0],
  ])('%s has the games of its sport', async (path, places, count) => {
    const { status, body } = await ask(path)
    expect([status, Object.keys(body.data)]).toEqual([200, places])
    const shown = places.flatMap((place) => Object.keys(body.data[place as string]))
    expect(shown).toHaveLength(count)
    if (count === 0) expect(body.updated_at).toBeNull()
  })

  it('are those in play in the list of events, and no others', async () => {
    await tell({ ...later, state: score(0, 0) })
    const inPlay = async (key: string) => {
      const { body } = await ask('/gamestate', key)
      return Object.values<object>(body.data)
        .flatMap((games) => Object.keys(games))
        .sort()
    }
    const { body } = await ask('/events?live=true&has_score=true')
    const scored = body.data.map(({ id }: { id: string }) => id).sort()
    const { body: upcoming } = await ask('/events?live=false')
    const shown = await inPlay('all')
    expect(shown).toEqual(scored)
    expect(upcoming.data.map(({ id }: { id: string }) => id)).toContainEqual(
      expect.stringMatching(/^nba_heat_jazz_/),
    )
    for (const { id } of upcoming.data) expect(shown).not.toContain(id)
  })

  it('are none that the list of events does not show to the account', async () => {
    const hockey = { sport: 'hockey', league: 'NHL', isLive: true }
    const rangers = { ...hockey, home: 'New York Rangers', away: 'Boston Bruins' }
    const leafs = { ...hockey, home: 'Toronto Maple Leafs', away: 'Montreal Canadiens' }
    const key = await newKey('hobby', ['game_state', 'streaming'])
    const url = `${service.base}/stream?channel=gamestate&sport=hockey`
    const stream = await openEvents(url, { 'X-API-Key': key })
    await stream.next('snapshot:complete')
    /** Returns the home teams that both lists show. */
    const shown = async (by: string) => {
      const { body: states } = await ask('/gamestate/hockey', by)
      const { body: events } = await ask('/events?sport=hockey&live=true', by)
      const listed = events.data.map((event: { home_team: string }) => event.home_team).sort()
      const games = Object.values<{ home_team: string }>(states.data.hockey ?? {})
      expect(games.map((game) => game.home_team).sort()).toEqual(listed)
      return listed
    }
    await tell(
      { ...rangers, sportsbook: 'fanduel', state: score(1, 0) },
      { ...leafs, sportsbook: 'fanduel', state: score(2, 2) },
    )
    expect([await shown('all'), await shown(key)]).toEqual([[], []])

    // The hobby tier sees the score of one sportsbook, but not the prices of the other.
    await price({ ...leafs, sportsbook: 'pinnacle' })
    expect([await shown('all'), await shown(key)]).toEqual([['Toronto Maple Leafs'], []])
    await price({ ...rangers, sportsbook: 'fanduel' })
    expect(await shown(key)).toEqual(['New York Rangers'])
    const [{ home_team: added }] = (await stream.next('gamestate:update')).body.events
    expect(added).toBe('New York Rangers')

    const before = await ask('/gamestate/hockey', key)
    await withdraw({ ...rangers, sportsbook: 'fanduel' })
    expect(await shown(key)).toEqual([])
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' }
    expect((await ask('/gamestate/hockey', key, headers)).status).toBe(200)
    expect((await stream.next('gamestate:removed')).body.count).toBe(1)
    stream.close()
    await withdraw({ ...leafs, sportsbook: 'pinnacle' })
  })

  it('follow the sides that readers see', async () => {
    await tell({
      ...leeds,
      state: score(2, 1, {
        corners_home: 5,
        corners_away: 3,
        possession: 'home',
        game_period: '2H',
      }),
    })
    const { body } = await ask('/gamestate/soccer')
    const [state] = Object.values(body.data.soccer)
    expect(state).toMatchObject({
      home_team: 'Brentford',
      away_team: 'Leeds United',
      home_score: 1,
      away_score: 2,
      corners_home: 3,
      corners_away: 5,
      possession: 'away',
    })
  })

  it('have the situation at bat only if all of it is known', async () => {
    const mariners: Quote = {
      sportsbook: 'fanduel',
      sport: 'baseball',
      league: 'MLB',
      home: 'Seattle Mariners',
      away: 'San Diego Padres',
      isLive: true,
    }
    const count = { outs: 1, balls: 2, strikes: 0, runner_first: true, runner_second: false }
    const state = score(2, 4, { game_period: 'Top of 5th', ...count })
    await price(mariners)
    const shown = async () =>
      Object.values<object>((await ask('/gamestate/baseball')).body.data.baseball)[0]
    await tell({ ...mariners, state })
    expect(await shown()).not.toHaveProperty('in_play')
    await tell({ ...mariners, state: { ...state, runner_third: false } })
    expect(await shown()).toMatchObject({
      game_period: 'T5',
      in_play: {
        outs: 1,
        balls: 2,
        strikes: 0,
        runners: { first: true, second: false, third: false },
      },
    })
    expect(await shown()).not.toHaveProperty('outs')
    await withdraw(mariners)
  })

  it('are in a batch of prices as in the list of events', async () => {
    const { body: events } = await ask('/events')
    const ids = events.data.map(({ id }: { id: string }) => id)
    const { status, body } = await service.request('/odds/batch', {
      method: 'POST',
      headers: { 'X-API-Key': keyOf.get('all') ?? '' },
      body: JSON.stringify({ event_ids: ids }),
    })
    expect(status).toBe(200)
    const states = (of: { game_state?: object }[]) => of.map(({ game_state }) => game_state)
    expect(states(body.data.events)).toEqual(states(events.data))
    expect(states(events.data).filter((state) => state !== undefined)).not.toHaveLength(0)
  })

  it('are in the list of events, in short form', async () => {
    const state = score(64, 58, { game_period: 'Q3', game_clock: '5:59' })
    await tell({ ...knicks, state }, { ...knicks, sportsbook: 'draftkings', state })
    const { body } = await ask('/events')
    const states = new Map(
      body.data.map((event: { home_team: string; game_state: unknown }) => [
        event.home_team,
        event.game_state,
      ]),
    )
    expect(states.get('New York Knicks')).toEqual({
      home_score: 64,
      away_score: 58,
      period: 'Q3',
      clock: '5:59',
      score_type: 'points',
      possession: null,
      is_timeout: null,
      power_play: null,
      last_play: null,
    })
    expect(states.get('Utah Jazz')).toBeUndefined()
    const named = async (query: string, key?: string) =>
      (await ask(`/events?${query}`, key)).body.data.map(
        ({ home_team }: { home_team: string }) => home_team,
      )
    expect((await named('has_score=true')).sort()).toEqual([
      'Brentford',
      'New York Knicks',
      'Toulon',
    ])
    expect(await named('has_score=false')).toEqual(['Utah Jazz'])
    // Scores are current, so the delayed board of the free tier has none.
    expect(await named('has_score=true', await newKey('free'))).toEqual([])
  })
})

describe('a score', () => {
  const knicksNow = async () =>
    Object.values<Record<string, unknown>>(
      (await ask('/gamestate/basketball')).body.data.basketball,
    )[0]!

  it('is stale after ten seconds of its sportsbook’s silence, and its sport’s after thirty of all', async () => {
    await tell(
      { ...knicks, sportsbook: 'draftkings', state: score(70, 60) },
      { ...knicks, state: score(70, 60) },
    )
    const fresh = await ask('/gamestate/basketball')
    const again = (etag: string | null) =>
      ask('/gamestate/basketball', 'all', { 'If-None-Match': etag ?? '' })
    service.advance(10_000)
    expect((await again(fresh.headers.get('etag'))).status).toBe(304)
    expect(await knicksNow()).not.toHaveProperty('stale')
    service.advance(1)
    const stale = await again(fresh.headers.get('etag'))
    expect([stale.status, await knicksNow()]).toMatchObject([200, { home_score: 70, stale: true }])
    expect(await knicksNow()).not.toHaveProperty('aggregator_stale')
    service.advance(20_000)
    expect(await knicksNow()).toMatchObject({ stale: true, aggregator_stale: true })
    // A state of another game of the sport: the feed is alive, this score is still stale.
    await tell({ ...later, isLive: true, state: score(0, 0) })
    expect(await knicksNow()).not.toHaveProperty('aggregator_stale')
    expect(await knicksNow()).toMatchObject({ stale: true })
    await tell({ ...knicks, state: score(70, 60) })
    expect(await knicksNow()).not.toHaveProperty('stale')
  })
})

describe('the view of games in play', () => {
  it.each([
    ['free', []],
    ['hobby', []],
    ['sharp', ['streaming']],
  ] as const)('is refused to %s with add-ons %j', async (tier, addOns) => {
    const key = await newKey(tier, addOns)
    for (const path of ['/gamestate', '/gamestate/soccer']) {
      const { status, body } = await ask(path, key)
      expect([status, body.code, body.tier, body.addon, body.error.addon]).toEqual([
        403,
        'tier_restricted',
        tier,
        'game_state',
        'game_state',
      ])
    }
  })

  it('has only the account’s own sportsbooks', async () => {
    await tell(
      { ...knicks, state: score(80, 70) },
      { ...knicks, sportsbook: 'pinnacle', state: score(82, 70) },
      { ...knicks, sportsbook: 'bet365', state: score(82, 70) },
    )
    const seen = async (key: string) =>
      Object.values<object>((await ask('/gamestate/basketball', key)).body.data.basketball).find(
        (state) => (state as { home_team: string }).home_team === 'New York Knicks',
      )
    expect(await seen('hobby')).toMatchObject({
      home_score: 80,
      primary_book: 'fanduel',
      book_count: 1,
    })
    expect(await seen('all')).toMatchObject({
      home_score: 82,
      primary_book: 'bet365',
      book_count: 3,
    })
    expect(await seen('hobby')).toMatchObject({ home_score: 80 })
  })

  it('has only those in lists, batches and streams', async () => {
    const key = await newKey('hobby', ['game_state', 'streaming'])
    const headers = { 'X-API-Key': key }
    const hidden = ['pinnacle', 'bet365'].map((sportsbook) => ({ ...knicks, sportsbook }))
    const ofHidden = (home: number) => hidden.map((game) => ({ ...game, state: score(home, 70) }))
    await tell({ ...knicks, state: score(80, 70) }, ...ofHidden(82))
    const events = await openEvents(`${service.base}/stream?channel=gamestate`, headers)
    const frames = await openFrames(`${service.base}/ws?channels=gamestate`, { headers })
    for (const stream of [events, frames]) await stream.next('snapshot:complete')

    const list = (await ask('/events?team=knicks', key)).body.data
    const id = list[0].id
    const batch = await service.request('/odds/batch', {
      method: 'POST',
      headers,
      body: JSON.stringify({ event_ids: [id] }),
    })
    for (const { game_state } of [list[0], batch.body.data.events[0]]) {
      expect(game_state.home_score).toBe(80)
    }
    expect((await ask(`/events/${id}`, key)).text).not.toMatch(/score|pinnacle|bet365/)

    await tell(...ofHidden(83))
    await tell({ ...knicks, state: score(81, 70) })
    const [block, frame] = [
      await events.next('gamestate:update'),
      await frames.next('gamestate:update'),
    ]
    for (const [told] of [block.body.events, frame.data.events]) {
      expect(told).toMatchObject({
        event_id: id,
        home_score: 81,
        primary_book: 'fanduel',
        book_count: 1,
      })
    }
    for (const text of [events.text(), JSON.stringify(frames.frames)]) {
      expect(text).not.toMatch(/"home_score":8[23]|pinnacle|bet365/)
    }
    for (const stream of [events, frames]) stream.close()
  })

  it('is the same by the tool, whose refusal names the add-on', async () => {
    const call = async (args: object, key: string) => {
      const { body } = await service.request('/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'X-API-Key': keyOf.get(key)!,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_game_state', arguments: args },
        }),
      })
      return body.result
    }
    for (const key of ['all', 'hobby']) {
      const { body } = await ask('/gamestate/basketball', key)
      const { content } = await call({ sport: 'basketball' }, key)
      const games = body.data.basketball
      const told = JSON.parse(content[0].text).data.basketball
      expect(Object.keys(told).length).toBeGreaterThan(0)
      expect(Object.keys(told)).toEqual(Object.keys(games))
      for (const [id, game] of Object.entries<object>(told)) expect(games[id]).toMatchObject(game)
    }
    const refused = await call({ sport: 'basketball' }, 'none')
    expect(refused.isError).toBe(true)
    expect(JSON.parse(refused.content[0].text).error).toMatchObject({
      code: 'tier_restricted',
      addon: 'game_state',
    })
  })
})

describe('a game', () => {
  it('leaves when it is over', async () => {
    const { markets: _, mode: __, ...record } = oddsRecord(service.clock(), rugby)
    await service.ingest([{ ...record, type: 'event_status', status: 'final' }])
    await service.settled()
    expect((await ask('/gamestate/other')).body.data).toEqual({})
  })
})
