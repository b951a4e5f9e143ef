/** GET /odds/closing: the closes captured of one event, within the caller's visibility. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closingObject } from '../../schemas/http/closing.ts'
import { inHours, knicks, moneyline, push, total } from './hand-made-market.ts'
import { type SimulatedService, startAt, startSimulated } from './simulated-service.ts'

const minute = 60_000
const game = { ...knicks, startsAt: inHours(0.5) }
const player = {
  market_type: 'player_points',
  line: 22.5,
  player_name: 'Sample Guard',
  stat_category: 'points',
  selections: [
    { selection_type: 'over', odds_decimal: 1.8 },
    { selection_type: 'under', odds_decimal: 2, suspended: true },
  ],
}

let service: SimulatedService
let id = ''
let key = ''
beforeAll(async () => {
  service = await startSimulated(null)
  push(service, game, {
    draftkings: [moneyline(1.9, 1.95), total(210.5, 1.9, 1.92), player],
    pinnacle: [moneyline(1.95, 1.98)],
    betmgm: [moneyline(2.1, 1.8)],
  })
  key = await service.key('enterprise')
  const { body } = await service.get('/events', key)
  id = body.data[0].id
})
afterAll(() => service.close())

describe('closing lines', () => {
  it('are none before the start, and for unknown events', async () => {
    const empty = { event_id: id, books: {} }
    const { status, body } = await service.get(`/odds/closing?event_id=${id}`, key)
    expect([status, body.data, body.updated_at]).toEqual([200, empty, null])
    const unknown = await service.get('/odds/closing?event_id=none', key)
    expect([unknown.status, unknown.body.data]).toEqual([200, { event_id: 'none', books: {} }])
  })

  it('need one event', async () => {
    for (const query of ['', `event_id=${id},other`, 'event_id=a%20b', 'event_id=%20']) {
      const { status, body } = await service.get(`/odds/closing?${query}`, key)
      expect([status, body.code]).toEqual([400, 'validation_error'])
    }
  })

  it('are for the pro tier and above', async () => {
    for (const tier of ['free', 'hobby'] as const) {
      const { status, body } = await service.get(
        `/odds/closing?event_id=${id}`,
        await service.key(tier),
      )
      expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'pro'])
    }
  })

  it('are captured by sportsbook, with the prices on offer', async () => {
    // The prices are seen again, so that they have not lapsed by the start.
    service.step(20 * minute)
    push(service, game, {
      draftkings: [moneyline(1.9, 1.95), total(210.5, 1.9, 1.92), player],
    })
    // The same game with its sides reversed.
    const turned = { ...game, home: game.away, away: game.home }
    push(service, turned, { pinnacle: [moneyline(2.04, 1.9)] })
    service.step(9 * minute)
    push(service, { ...game, isLive: true }, { draftkings: [moneyline(1.2, 4)] })
    const early = await service.get(`/odds/closing?event_id=${id}`, key)
    expect(Object.keys(early.body.data.books)).toEqual(['draftkings'])
    service.step(61_000)
    const { body, etag } = await service.get(`/odds/closing?event=${id}`, key)
    expect(closingObject.parse(body)).toBeTruthy()
    const { books, ...rest } = body.data
    expect(rest).toEqual({
      event_id: id,
      sport: 'basketball',
      league: 'nba',
      home_team: 'New York Knicks',
      away_team: 'Brooklyn Nets',
      event_start_time: new Date(startAt + 30 * minute).toISOString(),
      captured_at: new Date(startAt + 29 * minute).toISOString(),
    })
    expect(body.meta).toMatchObject({
      source: 'capture',
      updated_at: new Date(startAt + 30 * minute).toISOString(),
    })
    // BetMGM was not seen in the 15 minutes before the start.
    expect(Object.keys(books)).toEqual(['draftkings', 'pinnacle'])
    expect(books.pinnacle[1]).toEqual({
      sportsbook: 'pinnacle',
      market_type: 'moneyline',
      selection: 'New York Knicks',
      selection_type: 'home',
      odds_american: -111,
      odds_decimal: 1.9,
      withheld: null,
    })
    type Line = { market_type: string; selection_type: string; line?: number; odds_decimal: number }
    const shown = books.draftkings.map((line: Line) => [
      line.market_type,
      line.selection_type,
      line.line,
      line.odds_decimal,
    ])
    expect(shown).toEqual([
      ['moneyline', 'away', undefined, 1.95],
      ['moneyline', 'home', undefined, 1.9],
      ['player_points', 'over', 22.5, 1.8],
      ['total_points', 'over', 210.5, 1.9],
      ['total_points', 'under', 210.5, 1.92],
    ])
    expect(books.draftkings[2]).toMatchObject({
      player_name: 'Sample Guard',
      stat_category: 'points',
      selection: 'Sample Guard Over',
    })
    const again = await service.get(`/odds/closing?event_id=${id}`, key, { 'If-None-Match': etag })
    expect(again.status).toBe(304)
  })

  it('name sides as the event is shown', async () => {
    const knicksAt = async () => {
      const { data } = (await service.get(`/odds/closing?event_id=${id}&books=pinnacle`, key)).body
      const line = data.books.pinnacle.find(
        (one: { odds_decimal: number }) => one.odds_decimal === 1.9,
      )
      return [data.home_team, line.selection, line.selection_type]
    }
    expect(await knicksAt()).toEqual(['New York Knicks', 'New York Knicks', 'home'])
    // The last sportsbook with the event's own order of sides has withdrawn.
    service.step(minute)
    expect(await knicksAt()).toEqual(['Brooklyn Nets', 'New York Knicks', 'away'])
  })

  it('are of the requested sportsbooks, within those of the tier', async () => {
    const of = async (query: string, by = key) =>
      Object.keys((await service.get(`/odds/closing?event_id=${id}${query}`, by)).body.data.books)
    expect(await of('&sportsbook=pinnacle')).toEqual(['pinnacle'])
    expect(await of('&books=draftkings,pinnacle')).toEqual(['draftkings', 'pinnacle'])
    expect(await of('', await service.key('pro'))).toEqual(['draftkings'])
    const refused = await service.get(
      `/odds/closing?event_id=${id}&sportsbook=pinnacle`,
      await service.key('pro'),
    )
    expect([refused.status, refused.body.code]).toEqual([403, 'tier_restricted'])
  })

  it("are the owner's alone if the prices are", async () => {
    service.say([
      {
        type: 'book_status',
        sportsbook: 'draftkings',
        observedAt: service.clock(),
        status: 'up',
        audience: 'owner',
      },
    ])
    const of = async (by: string) =>
      Object.keys((await service.get(`/odds/closing?event_id=${id}`, by)).body.data.books)
    expect(await of(key)).toEqual(['pinnacle'])
    const hidden = await service.get(`/odds/closing?event_id=${id}`, await service.key('pro'))
    expect(hidden.body.data).toEqual({ event_id: id, books: {} })
  })

  it('say why the guard withheld a price at the start', async () => {
    const startsAt = new Date(service.clock() + minute).toISOString()
    const other = { ...game, home: 'Boston Celtics', away: 'Chicago Bulls', startsAt }
    push(service, other, {
      ...Object.fromEntries(
        ['betmgm', 'caesars', 'fanduel'].map((book) => [book, [moneyline(1.87, 2)]]),
      ),
      pinnacle: [moneyline(3.4, 1.37)],
    })
    service.step(minute + 1_000)
    const events = (await service.get('/events', key)).body.data
    const { id: eventId } = events.find(
      (one: { home_team: string }) => one.home_team === other.home,
    )
    const { body } = await service.get(`/odds/closing?event_id=${eventId}`, key)
    expect(closingObject.parse(body)).toBeTruthy()
    const { books } = body.data
    const withheldAt = (book: string) =>
      books[book].map((line: { withheld: string | null }) => line.withheld)
    expect(withheldAt('pinnacle')).toEqual(['market_mismatch', 'market_mismatch'])
    expect(withheldAt('fanduel')).toEqual([null, null])
  })

  it('disappear with the event', async () => {
    service.step(48 * 60 * minute + 1)
    const { body } = await service.get(`/odds/closing?event_id=${id}`, key)
    expect(body.data).toEqual({ event_id: id, books: {} })
    expect(service.boards.closes.size).toBe(0)
  })
})
