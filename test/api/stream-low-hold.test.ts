import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamBounds } from '../../api/opportunities/bounds.ts'
import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import { openStreamClient } from '../clients/open-stream-client.ts'
import { fillOpportunities } from './filled-board.ts'
import { gameTotal } from './game-total.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { eventually, openEvents, openFrames } from './stream-reader.ts'

it('a bound of a stream is of one kind', () => {
  const contracts: readonly OpportunityContract[] = Object.values(opportunityContracts)
  const parameters = contracts.flatMap(({ streamQuery, addressQuery }) =>
    Object.keys({ ...streamQuery, ...addressQuery }),
  )
  expect(parameters.toSorted()).toEqual(['max_hold', 'min_ev', 'min_profit', 'min_size'])
  expect(streamBounds({ max_hold: 1, min_ev: 3 })).toEqual({
    ev: { min_ev: 3, max_hold: 5 },
    arbitrage: { min_profit: 0.5 },
    middle: { min_size: 0.5 },
    low_hold: { max_hold: 1 },
  })
})

type Bodies = Readonly<
  Record<string, readonly { readonly id: string; readonly hold_percentage: number }[] | undefined>
>

describe('low holds of one sportsbook', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess()
  })
  afterAll(() => service.close())

  const total = (sportsbook: string, over: number, under: number) =>
    gameTotal(sportsbook, over, under, 210.5, new Date(service.clock()).toISOString())

  it('come and go with a price that ties with a leg, like the list', async () => {
    const say = async (...prices: ReturnType<typeof total>[]) => {
      service.advance(1_000)
      await service.ingest(prices)
      await service.settled()
    }
    await say(
      total('pinnacle', 1.9, 1.9),
      total('draftkings', 1.98, 1.85),
      total('fanduel', 1.85, 1.98),
      total('betmgm', 1.9, 1.9),
    )
    const account = { name: 'ties', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value: key } = await service.accounts.create(account)
    const client = openStreamClient({
      base: service.base,
      key,
      transport: 'sse',
      channels: ['low_hold'],
      filters: { sportsbook: ['pinnacle'] },
    })
    try {
      await eventually('the stream is ready', () => client.isReady())
      const listed = async () =>
        (await service.get('/opportunities/low_hold?sportsbook=pinnacle')).body.data.length
      const shown = () => client.opportunities.low_hold.size
      expect([await listed(), shown()]).toEqual([0, 0])
      await say(total('pinnacle', 1.98, 1.85))
      expect(await listed()).toBe(1)
      await eventually('it is detected', () => shown() === 1)
      await say(total('pinnacle', 1.8, 1.85))
      expect(await listed()).toBe(0)
      await eventually('it has expired', () => shown() === 0)
    } finally {
      client.close()
    }
  })

  it('lead to the pages of the state that a list or a stream names', async () => {
    const say = async (line: number) => {
      service.advance(1_000)
      const at = new Date(service.clock()).toISOString()
      await service.ingest([
        gameTotal('betmgm', 2.02, 1.85, line, at),
        gameTotal('draftkings', 1.85, 2.02, line, at),
      ])
      await service.settled()
    }
    await say(220.5)
    const account = { name: 'states', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value: key } = await service.accounts.create(account)
    const headers = { 'X-API-Key': key }
    /** Returns the links of a line's items at the sportsbook that has pages by state. */
    // biome-ignore lint/suspicious/noExplicitAny: items as they come
    const ledBy = (items: readonly any[], line: number) =>
      items.filter((item) => item.line === line).map(({ side1 }) => side1.deep_links.betmgm)
    const pageOf = (state: string) => [`https://sports.betmgm.com/en/sports?state=${state}`]
    for (const [query, state] of [
      ['state=NJ', 'nj'],
      ['', 'pa'],
    ] as const) {
      const { body } = await service.request(`/opportunities/low_hold?${query}`, { headers })
      expect(ledBy(body.data, 220.5)).toEqual(pageOf(state))
    }
    const streams = await Promise.all(
      ['state=NJ', 'state=mi', ''].map((query) =>
        openEvents(`${service.base}/stream?kinds=low_hold&${query}`, headers),
      ),
    )
    const socket = await openFrames(`${service.base}/ws?channels=low_hold&state=nj`, { headers })
    try {
      const chunk = await socket.next('opportunities_snapshot')
      expect(ledBy(chunk.low_hold, 220.5)).toEqual(pageOf('nj'))
      const states = ['nj', 'mi', 'pa']
      for (const [i, stream] of streams.entries()) {
        const { body } = await stream.next('snapshot')
        expect(ledBy(body.low_hold, 220.5)).toEqual(pageOf(states[i]!))
        await stream.next('snapshot:complete')
      }
      await socket.next('snapshot:complete')
      await say(221.5)
      for (const [i, stream] of streams.entries()) {
        const { body } = await stream.next('low_hold:detected')
        expect(ledBy(body, 221.5)).toEqual(pageOf(states[i]!))
      }
      expect(ledBy((await socket.next('low_hold:detected')).data, 221.5)).toEqual(pageOf('nj'))
    } finally {
      for (const stream of streams) stream.close()
      socket.close()
    }
  })

  it('are all that max_hold of a stream leaves out', async () => {
    service.advance(1_000)
    await fillOpportunities(service)
    const account = { name: 'holds', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value: key } = await service.accounts.create(account)
    const headers = { 'X-API-Key': key }
    const shownIn = (bodies: readonly Bodies[]) => ({
      ev: bodies.flatMap(({ ev = [] }) => ev.map(({ id }) => id)),
      holds: bodies.flatMap(({ low_hold = [] }) => low_hold.map((item) => item.hold_percentage)),
    })
    const begun = async (query: string) => {
      const path = `/stream?kinds=ev,low_hold&${query}`
      const events = await openEvents(service.base + path, headers)
      await events.next('snapshot:complete')
      events.close()
      const socket = await openFrames(`${service.base}/ws?channels=ev,low_hold&${query}`, {
        headers,
      })
      await socket.next('snapshot:complete')
      socket.close()
      const shown = shownIn(events.blocks.map(({ body }) => body))
      expect(shownIn(socket.frames)).toEqual(shown)
      return shown
    }
    const usual = await begun('')
    expect(usual.ev).not.toEqual([])
    const narrow = await begun('max_hold=0')
    expect(narrow.ev).toEqual(usual.ev)
    expect(narrow.holds).toEqual(usual.holds.filter((hold) => hold <= 0))
    expect(narrow.holds.length).toBeLessThan(usual.holds.length)
  })

  it('with many long links begin in frames of at most 256 KB', async () => {
    service.advance(1_000)
    const games = Array.from({ length: 45 }, (_, i) => `Town ${i}`)
    const hosts = {
      caesars: 'sportsbook.caesars.com',
      hardrock: 'app.hardrock.bet',
      bovada: 'www.bovada.lv',
      betonline: 'sports.betonline.ag',
    }
    const records = Object.entries(hosts).flatMap(([sportsbook, host]) => {
      const deep_link = `https://${host}/${'x'.repeat(1_200)}`
      const selections = ['over', 'under'].map((selection_type) => ({
        ...{ selection_type, line: 180.5, odds_decimal: 1.95, deep_link },
      }))
      const markets = [{ market_type: 'total_points', selections }]
      return games.map((home) => oddsRecord(service.clock(), { sportsbook, home, markets }))
    })
    await service.ingest(records)
    await service.settled()
    const account = { name: 'links', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value: key } = await service.accounts.create(account)
    const socket = await openFrames(`${service.base}/ws?channels=low_hold`, {
      headers: { 'X-API-Key': key },
    })
    try {
      await socket.next('snapshot:complete')
      const chunks = socket.frames.filter(({ type }) => type === 'opportunities_snapshot')
      const sizes = chunks.map((chunk) => Buffer.byteLength(JSON.stringify(chunk)))
      expect(Math.max(...sizes)).toBeLessThan(256 * 1024)
      expect(chunks.length).toBeGreaterThan(2)
      const parts = chunks.map(({ chunk, totalChunks }) => [chunk, totalChunks])
      expect(parts).toEqual(chunks.map((_, i) => [i + 1, chunks.length]))
      const ids = chunks.flatMap(({ low_hold }) => low_hold.map((item: { id: string }) => item.id))
      const { pagination } = (await service.get('/opportunities/low_hold?limit=1')).body
      expect([ids.length, new Set(ids).size]).toEqual([pagination.total, pagination.total])
    } finally {
      socket.close()
    }
  })
})
