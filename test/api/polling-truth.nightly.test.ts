/**
 * Clients that only poll `/odds/delta` with the `server_time` of the previous response, at their
 * own intervals, over twelve simulated minutes: whenever checked, a client holds exactly what its
 * filter and tier show at that moment.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

type Row = Record<string, unknown> & { id: string }

/** Returns the content that a delta promises. A new sighting is no change of it. */
const contentOf = ({ last_seen_at, timestamp, ...row }: Row) => JSON.stringify(row)

interface Client {
  readonly tier: Tier
  readonly filter: string
  readonly limit: number
  /** Longest pause between polls (ms). */
  readonly pauseMs: number
}

const clients: readonly Client[] = [
  { tier: 'enterprise', filter: '', limit: 500, pauseMs: 2_000 },
  { tier: 'enterprise', filter: '&live=true', limit: 500, pauseMs: 20_000 },
  { tier: 'enterprise', filter: '&live=false&market=main', limit: 50, pauseMs: 20_000 },
  { tier: 'enterprise', filter: '&min_odds=100&max_odds=250', limit: 200, pauseMs: 20_000 },
  { tier: 'sharp', filter: '&sportsbook=pinnacle,draftkings', limit: 100, pauseMs: 20_000 },
  { tier: 'pro', filter: '&sport=soccer', limit: 500, pauseMs: 20_000 },
  { tier: 'hobby', filter: '&league=nba,mlb', limit: 500, pauseMs: 20_000 },
  { tier: 'free', filter: '', limit: 500, pauseMs: 20_000 },
]

describe('a client that only polls /odds/delta', () => {
  let service: SimulatedService
  beforeAll(async () => {
    service = await startSimulated({
      seed: 5,
      events: 9,
      changesPerSecond: 30,
      books: ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'bet365', 'circa'],
      leagues: ['nba', 'mlb', 'england_-_premier_league', 'spain_-_la_liga'],
    })
    for (let i = 0; i < 65; i++) service.step(1_000)
  })
  afterAll(() => service.close())

  it('misses nothing when it begins at the present time, on the delayed board too', async () => {
    for (const tier of ['free', 'enterprise'] as const) {
      const key = await service.key(tier)
      const now = new Date(service.clock()).toISOString()
      const ahead = new Date(service.clock() + 5_000).toISOString()
      for (const since of [now, ahead]) {
        const { body } = await service.get(`/odds/delta?since=${since}`, key)
        const board = tier === 'free' ? service.boards.delayed : service.boards.live
        expect(Date.parse(body.meta.server_time)).toBe(Math.floor(board.watermark / 1_000))
      }
    }
  })

  it('always ends equal to the board', async () => {
    const random = createRandom(11)
    const polling = await Promise.all(
      clients.map(async (client) => ({
        ...client,
        key: await service.key(client.tier),
        /** Row content by id. */
        rows: new Map<string, string>(),
        since: '2020-01-01T00:00:00Z',
        nextAt: 0,
        polls: 0,
        taken: 0,
        removed: 0,
        resyncs: 0,
      })),
    )
    type Polling = (typeof polling)[number]

    async function get(client: Polling, path: string) {
      let reply = await service.get(path, client.key)
      if (reply.status === 429) {
        // A new key avoids the rate limit without advancing the clock.
        client.key = await service.key(client.tier)
        reply = await service.get(path, client.key)
      }
      expect([path, reply.status]).toEqual([path, 200])
      return reply.body
    }

    /** Returns everything the filter shows now, page by page. */
    async function snapshot(client: Polling): Promise<Map<string, string>> {
      const rows = new Map<string, string>()
      let cursor = ''
      for (;;) {
        const { data, pagination } = await get(
          client,
          `/odds?limit=200${client.filter}${cursor && `&cursor=${cursor}`}`,
        )
        for (const row of data as Row[]) rows.set(row.id, contentOf(row))
        if (!pagination.has_more) return rows
        cursor = pagination.next_cursor
      }
    }

    async function poll(client: Polling) {
      for (;;) {
        const delta = await get(
          client,
          `/odds/delta?since=${client.since}&limit=${client.limit}${client.filter}`,
        )
        client.since = delta.meta.server_time
        if (delta.since_clamped) {
          client.resyncs++
          client.rows = await snapshot(client)
          continue
        }
        for (const id of delta.removed) client.removed += client.rows.delete(id) ? 1 : 0
        for (const row of delta.data as Row[]) client.rows.set(row.id, contentOf(row))
        client.taken += delta.data.length
        if (!delta.pagination.has_more && !delta.removed_truncated) return
      }
    }

    async function expectEqual(client: Polling) {
      expect(client.rows).toEqual(await snapshot(client))
    }

    const endsAt = service.clock() + 12 * 60_000
    while (service.clock() < endsAt) {
      for (const client of polling) {
        if (service.clock() < client.nextAt) continue
        await poll(client)
        if (client.polls++ % 2 === 0) await expectEqual(client)
        client.nextAt = service.clock() + 100 + random.below(client.pauseMs)
      }
      service.step(100 + random.below(1_900))
    }
    for (const { filter, polls, taken, removed, resyncs } of polling) {
      // Only the first `since` is more than ten minutes ago; the board's journal reaches back to the start.
      expect([filter, resyncs]).toEqual([filter, 1])
      expect(polls).toBeGreaterThan(30)
      expect(taken).toBeGreaterThan(100)
      expect([filter, removed > 0]).toEqual([filter, true])
    }
  })
})
