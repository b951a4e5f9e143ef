/** Prices in play that have not changed since before the start, on every surface that shows rows. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'
import { openEvents, openFrames } from './stream-reader.ts'

const startsAt = '2026-11-20T12:00:30Z'

let service: InProcess
let key: string
beforeAll(async () => {
  service = await startInProcess()
  const account = { name: 'stale', tier: 'enterprise', addOns: [], expiresAt: null } as const
  key = (await service.accounts.create(account)).value
})
afterAll(() => service.close())

interface Price {
  readonly side: 'home' | 'away' | 'draw'
  readonly odds: number
  readonly changedAt?: string
}

/** Ingests everything that a sportsbook offers on the game. */
async function say(isLive: boolean, ...prices: readonly Price[]) {
  await sayAt('draftkings', isLive, ...prices)
}

async function sayAt(sportsbook: string, isLive: boolean, ...prices: readonly Price[]) {
  service.advance(10_000)
  const { status } = await service.ingest([
    {
      type: 'odds',
      sportsbook,
      mode: 'snapshot',
      observed_at: new Date(service.clock()).toISOString(),
      event: {
        sport: 'soccer',
        league: 'England - Premier League',
        home_team: 'Leeds United',
        away_team: 'Brentford',
        start_time: startsAt,
        is_live: isLive,
      },
      markets: [
        {
          market_type: 'moneyline',
          selections: prices.map(({ side, odds, changedAt }) => ({
            selection_type: side,
            odds_decimal: odds,
            ...(changedAt !== undefined && { changed_at: changedAt }),
          })),
        },
      ],
    },
  ])
  expect(status).toBe(202)
  await service.settled()
}

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
const flagsOf = (rows: readonly any[]) =>
  Object.fromEntries(rows.map((row) => [row.selection_type, row.is_stale_pregame_price]))

describe('a price of before the start', () => {
  it('is marked as one from the start of play until it moves', async () => {
    const headers = { 'X-API-Key': key }
    const rows = async (query = '') =>
      (await service.request(`/odds?${query}`, { headers })).body.data
    await say(false, { side: 'home', odds: 2 }, { side: 'away', odds: 3.9 })
    expect(flagsOf(await rows())).toEqual({ home: undefined, away: undefined })

    const events = await openEvents(`${service.base}/stream/odds`, headers)
    const frames = await openFrames(`${service.base}/ws?channels=odds`, { headers })
    const stale = await openEvents(
      `${service.base}/stream/odds?is_stale_pregame_price=true`,
      headers,
    )
    for (const stream of [events, frames, stale]) await stream.next('snapshot:complete')
    // Away moves as play begins, and the new draw's price has a time of change before the start.
    await say(
      true,
      { side: 'home', odds: 2 },
      { side: 'away', odds: 4 },
      { side: 'draw', odds: 3.5, changedAt: '2026-11-20T11:00:00Z' },
    )
    const inPlay = { home: true, away: undefined, draw: true }
    expect(flagsOf(await rows())).toEqual(inPlay)
    const batch = await service.request('/odds/batch', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_ids: [(await rows())[0].event_id] }),
    })
    expect(flagsOf(batch.body.data.events[0].odds)).toEqual(inPlay)
    expect(flagsOf((await frames.next('odds:update')).data)).toEqual(inPlay)
    const first = (await events.next('odds:update')).body.odds
    const flags = (odds: typeof first) =>
      odds.map((row: Record<string, unknown>) => row.is_stale_pregame_price)
    expect(flags(first)).toEqual([true, undefined, true])
    expect((await stale.next('odds:update')).body.count).toBe(2)

    const named = async (query: string) => Object.keys(flagsOf(await rows(query)))
    expect(await named('is_stale_pregame_price=true')).toEqual(['home', 'draw'])
    expect(await named('is_stale_pregame_price=false')).toEqual(['away'])
    const delta = async (since: string) =>
      (await service.request(`/odds/delta?is_stale_pregame_price=true&since=${since}`, { headers }))
        .body
    const { server_time } = (await delta('2026-11-20T12:00:00Z')).meta

    const [from, of] = [events.blocks.length, stale.blocks.length]
    await say(
      true,
      { side: 'home', odds: 2.1 },
      { side: 'away', odds: 4 },
      { side: 'draw', odds: 3.5 },
    )
    expect(flagsOf(await rows())).toEqual({ home: undefined, away: undefined, draw: true })
    expect(flags((await events.next('odds:update', from)).body.odds)).toEqual([null])
    expect((await stale.next('odds:removed', of)).body.count).toBe(1)
    const { data, removed } = await delta(server_time)
    expect([data.length, removed.length]).toEqual([0, 1])
    for (const stream of [events, frames, stale]) stream.close()
  })

  it('is not marked once play is undone', async () => {
    await say(false, { side: 'home', odds: 2.1 }, { side: 'draw', odds: 3.5 })
    const { body } = await service.request('/odds', { headers: { 'X-API-Key': keys.sharp } })
    expect(flagsOf(body.data)).toEqual({ home: undefined, draw: undefined })
  })
})

describe('an opportunity in play', () => {
  const sides = (home: number, away: number, draw: number) =>
    [
      { side: 'home', odds: home },
      { side: 'away', odds: away },
      { side: 'draw', odds: draw },
    ] as const

  it('warns of a price that has not moved since before the start', async () => {
    const found = async () => {
      const headers = { 'X-API-Key': key }
      const { body } = await service.request('/opportunities/arbitrage?min_profit=0', { headers })
      return body.data.map(({ warnings }: { warnings: string[] }) =>
        warnings.includes('STALE_PREGAME_PRICE'),
      )
    }
    for (const book of ['draftkings', 'fanduel', 'betmgm']) {
      await sayAt(book, false, ...sides(2, 4, 3.5))
    }
    expect(await found()).toEqual([])
    for (const book of ['fanduel', 'betmgm']) await sayAt(book, true, ...sides(1.85, 4.4, 3.9))
    await sayAt('draftkings', true, ...sides(2, 4, 3.5))
    expect(await found()).toEqual([true])
    await sayAt('draftkings', true, ...sides(2.01, 4, 3.5))
    expect(await found()).toEqual([false])
  })
})
