/**
 * The channel of games in play: after any sequence of changes a reading client has the rows that
 * `/gamestate` shows, with their staleness, and was sent nothing twice.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import type { ReadRoute } from '../../api/route.ts'
import { createGameStateRoutes } from '../../api/routes/game-states.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { GameState, GameStateRow } from '../../schemas/game-state.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import { gameStateRow } from '../../schemas/stream/game-state.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

type Streams = ReturnType<typeof createStreamsByHand>
type Client = ReturnType<Streams['open']>
type Row = { readonly event_id: string; readonly sport: string; readonly stale?: true }

const sportOf: Readonly<Record<string, readonly [sport: string, league: string]>> = {
  a: ['basketball', 'nba'],
  b: ['basketball', 'nba'],
  c: ['soccer', 'england_-_premier_league'],
  d: ['hockey', 'nhl'],
}
const ids = Object.keys(sportOf)
/** The home teams and starts of the games whose filters are tested; the others have those of `small-board.ts`. */
const gamesBy: Readonly<Record<string, { homeTeam: string; startsAt?: number }>> = {
  a: { homeTeam: 'New York Knicks' },
  c: { homeTeam: 'Leeds United', startsAt: Date.parse('2027-01-13T20:00:00.000Z') },
}

function rowOf(eventId: string, score: number, at: number): GameStateRow {
  const [sport = '', league = ''] = sportOf[eventId]!
  const state: GameState = {
    fromLevel: 0,
    observedAt: at,
    homeScore: score,
    awayScore: 0,
    period: null,
    backing: 'one',
    clock: null,
    primaryBook: 'draftkings',
    primaryAt: at,
    bookCount: 1,
    situation: {},
    before: null,
  }
  return { eventId, sport, league, reports: [], states: [state] }
}

const price = { sportsbook: 'pinnacle', price: 2 }

function withGames() {
  const streams = createStreamsByHand()
  for (const id of ids) {
    const [sport = '', league = ''] = sportOf[id]!
    streams.event(id, { sport, league, isLive: true, status: 'live', ...gamesBy[id] })
    streams.odds(id, price)
  }
  return streams
}

/** Returns the current response of `/gamestate`, by event id. */
function restOf({ boards }: Streams): Map<string, object> {
  const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
  const [route] = createGameStateRoutes(boards.now) as readonly ReadRoute[]
  const page = createPageBuffer()
  route!.prepare({ query: {}, path: {}, scope, profile: emptyProfile('') }).write(page)
  const { data } = JSON.parse(page.bytes.toString('utf8', 0, page.length))
  const games = Object.values<Record<string, object>>(data).flatMap((of) => Object.entries(of))
  return new Map(games.map(([event_id, state]) => [event_id, { event_id, ...state }]))
}

/**
 * Returns a client's rows after all its frames.
 * @throws Error for a frame that changes nothing
 */
function heldBy({ frames }: Client): Map<string, Row> {
  const held = new Map<string, Row>()
  for (const { type, data } of frames) {
    if (type === 'gamestate:snapshot') {
      if (data.offset === 0) held.clear()
      for (const row of data.events) held.set(row.event_id, gameStateRow.parse(row) as Row)
    }
    if (type === 'gamestate:update') {
      for (const row of data.events as Row[]) {
        expect(row.sport).toBe(data.sport)
        expect(row).not.toEqual(held.get(row.event_id))
        held.set(row.event_id, row)
      }
      expect(data.count).toBe(data.events.length)
    }
    if (type === 'gamestate:removed') {
      for (const id of data.ids) {
        expect(held.get(id)?.sport).toBe(data.sport)
        held.delete(id)
      }
    }
  }
  return held
}

const open = (streams: Streams, query = '') =>
  streams.open(`channels=gamestate${query}`, 'enterprise')

describe('the channel of games in play', () => {
  it('sends all games in order, then changes, a block for each sport, then removals', async () => {
    const streams = withGames()
    for (const id of ['d', 'c', 'a']) streams.gameState(id, rowOf(id, 1, streams.clock()))
    const client = open(streams)
    await streams.pass(400)
    const [{ data }] = client.of('gamestate:snapshot')
    expect(data).toMatchObject({ count: 3, total: 3, offset: 0, has_more: false })
    expect(data.events.map((row: Row) => row.event_id)).toEqual(['a', 'd', 'c'])
    streams.gameState('a', rowOf('a', 2, streams.clock()))
    streams.gameState('b', rowOf('b', 0, streams.clock()))
    streams.gameState('c', null)
    await streams.pass(200)
    const received = client.frames.slice(-2).map(({ type, data: of }) => [type, of.sport, of.count])
    expect(received).toEqual([
      ['gamestate:update', 'basketball', 2],
      ['gamestate:removed', 'soccer', 1],
    ])
    streams.close()
  })

  it('sends a score that turns stale, and fresh again', async () => {
    const streams = withGames()
    streams.gameState('a', rowOf('a', 1, streams.clock()))
    const client = open(streams)
    await streams.pass(400)
    streams.advance(10_001)
    await streams.pass(200)
    expect(client.of('gamestate:update').at(-1)?.data.events).toMatchObject([{ stale: true }])
    streams.advance(20_000)
    await streams.pass(200)
    expect(client.of('gamestate:update').at(-1)?.data.events).toMatchObject([
      { stale: true, aggregator_stale: true },
    ])
    streams.gameState('a', rowOf('a', 1, streams.clock()))
    await streams.pass(200)
    const [fresh] = client.of('gamestate:update').at(-1)!.data.events
    expect([fresh.home_score, fresh.stale, fresh.aggregator_stale]).toEqual([
      1,
      undefined,
      undefined,
    ])
    // No shown field changed, so nothing is sent.
    const count = client.frames.length
    streams.gameState('a', rowOf('a', 1, streams.clock()))
    await streams.pass(200)
    expect(client.frames).toHaveLength(count)
    streams.close()
  })

  it('reports that there is none', async () => {
    const streams = withGames()
    const client = open(streams)
    await streams.pass(400)
    expect(client.of('gamestate:snapshot').map(({ data }) => data)).toEqual([
      { events: [], count: 0, total: 0, offset: 0, has_more: false },
    ])
    streams.close()
  })

  it('sends frames of at most 256 KB, however many games and however long their words', async () => {
    const streams = createStreamsByHand()
    const long = '日'.repeat(300)
    const many = Array.from({ length: 1_500 }, (_, i) => `game${i}`)
    for (const id of many) {
      streams.event(id, { isLive: true, status: 'live', homeTeam: '本'.repeat(100) })
      streams.odds(id, price)
      const row = { ...rowOf('a', 1, streams.clock()), eventId: id }
      const [state] = row.states
      streams.gameState(id, { ...row, states: [{ ...state!, situation: { last_play: long } }] })
    }
    const client = open(streams)
    await streams.until('all', () => client.of('snapshot:complete').length > 0)
    const sizes = client.frames.map((frame) => Buffer.byteLength(JSON.stringify(frame)))
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024)
    expect(heldBy(client).size).toBe(many.length)
    const chunks = client.of('gamestate:snapshot').map(({ data }) => data)
    expect(chunks.map(({ has_more }) => has_more)).toEqual([
      ...Array.from({ length: chunks.length - 1 }, () => true),
      false,
    ])
    for (const id of many) streams.gameState(id, null)
    await streams.pass(300)
    expect(heldBy(client).size).toBe(0)
    streams.close()
  })

  it.each([
    ['&sport=basketball', ['a', 'b']],
    ['&league=nhl', ['d']],
    ['&event_id=c', ['c']],
    ['&sportsbook=pinnacle', ['a', 'b', 'd', 'c']],
    ['&team=knicks', ['a']],
    ['&q=leeds', ['c']],
    ['&date=2027-01-13', ['c']],
    ['&live=true', ['a', 'b', 'd', 'c']],
    ['&live=false', []],
  ])('with %s has only those games', async (query, asked) => {
    const streams = withGames()
    for (const id of ids) streams.gameState(id, rowOf(id, 1, streams.clock()))
    const client = open(streams, query)
    await streams.pass(400)
    expect([...heldBy(client).keys()]).toEqual(asked)
    for (const id of ids) streams.gameState(id, rowOf(id, 2, streams.clock()))
    await streams.pass(200)
    const received = client.of('gamestate:update').flatMap(({ data }) => data.events)
    expect(received.map(({ event_id }) => event_id).sort()).toEqual([...asked].sort())
    streams.close()
  })

  const anyId = fc.constantFrom(...ids)
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('tell'), id: anyId, score: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('leave'), id: anyId }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('flip'), id: anyId }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('end'), id: anyId }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('price', 'withdraw'), id: anyId }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('age'),
        ms: fc.constantFrom(50, 4_000, 11_000, 31_000),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(10, 90, 150, 400) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('fill', 'drain', 'join', 'again', 'replace') }),
    },
  )

  it('leaves every client with the content of REST, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const streams = withGames()
        const slow = open(streams)
        const clients = [open(streams), slow, streams.open('', 'enterprise')]
        let flipped = false
        for (const of of steps as { do: string; id: string; score: number; ms: number }[]) {
          const { id, score, ms } = of
          const [sport = '', league = ''] = sportOf[id] ?? []
          const event = { sport, league, isLive: true, status: 'live' } as const
          if (of.do === 'tell') streams.gameState(id, rowOf(id, score, streams.clock()))
          else if (of.do === 'leave') streams.gameState(id, null)
          else if (of.do === 'price') streams.odds(id, price)
          else if (of.do === 'withdraw') streams.withdraw(id, price)
          else if (of.do === 'flip') {
            flipped = !flipped
            streams.event(id, { ...event, flipped })
          } else if (of.do === 'end') streams.event(id, { ...event, status: 'final' })
          else if (of.do === 'age') streams.advance(ms)
          else if (of.do === 'pass') await streams.pass(ms)
          else if (of.do === 'fill') slow.state.isFull = true
          else if (of.do === 'join') clients.push(open(streams))
          else if (of.do === 'again') {
            slow.state.isFull = false
            slow.session.drained()
            await streams.pass(50)
            slow.say({ type: 'subscribe', channels: ['gamestate'] })
          } else if (of.do === 'replace') streams.replace()
          else {
            slow.state.isFull = false
            slow.session.drained()
          }
        }
        slow.state.isFull = false
        slow.session.drained()
        clients.push(open(streams))
        await streams.pass(3_000)
        const rest = restOf(streams)
        for (const client of clients) {
          if (client.state.closed === null) {
            expect(Object.fromEntries(heldBy(client))).toEqual(Object.fromEntries(rest))
          }
        }
        // A board that is read anew ends the clients that it cannot update.
        const isReplaced = steps.some((of) => of.do === 'replace')
        const closed = clients.map(({ state }) => state.closed)
        expect(closed.every((code) => code === null || (isReplaced && code === 1001))).toBe(true)
        streams.close()
      }),
      { numRuns: 60 },
    )
  })
})
