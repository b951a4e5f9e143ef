/** The operator's list of aliases and its changes over HTTP, with the pipeline that applies them. */

import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

const ask = (method: string, route = '', body?: unknown, token = adminToken) =>
  service.request(`/admin/aliases${route}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const order = (spelling: string, team: string, more = {}) => ({
  league: 'Liga AB',
  spelling,
  team,
  state: 'confirmed',
  ...more,
})

const offered = (sportsbook: string, home: string) => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observed_at: '2026-11-20T12:00:00Z',
  event: {
    external_id: `${sportsbook} 1`,
    sport: 'soccer',
    league: 'Liga AB',
    home_team: home,
    away_team: 'Vojvodina',
    start_time: '2026-11-20T19:00:00Z',
    is_live: false,
  },
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', odds_decimal: 2.1 },
        { selection_type: 'draw', odds_decimal: 3.3 },
        { selection_type: 'away', odds_decimal: 3.4 },
      ],
    },
  ],
})

const booksOfEvents = async (): Promise<string[]> => {
  await service.settled()
  const { body } = await service.get('/odds?league=liga_ab&limit=100')
  const books = new Map<string, Set<string>>()
  for (const { event_id, sportsbook } of body.data)
    books.set(event_id, (books.get(event_id) ?? new Set()).add(sportsbook))
  return [...books.values()].map((some) => [...some].sort().join(' ')).sort()
}

describe('aliases of the operator', () => {
  it('join and part games as soon as they are set', async () => {
    const said = await ask('POST', '', { aliases: [order('Green Hill', 'Zelena Gora')] })
    expect(said.status).toBe(200)
    expect(said.body.data.aliases).toEqual([
      expect.objectContaining({
        league: 'liga_ab',
        sportsbook: '*',
        spelling: 'Green Hill',
        team: 'Zelena Gora',
        state: 'confirmed',
        decided_by: 'operator',
      }),
    ])
    await service.ingest([offered('pinnacle', 'Zelena Gora'), offered('draftkings', 'Green Hill')])
    expect(await booksOfEvents()).toEqual(['draftkings pinnacle'])
    const forbidden = order('Green Hill', 'Zelena Gora', { state: 'forbidden' })
    expect((await ask('POST', '', { aliases: [forbidden] })).status).toBe(200)
    expect(await booksOfEvents()).toEqual(['pinnacle'])
    await service.ingest([offered('draftkings', 'Green Hill')])
    expect(await booksOfEvents()).toEqual(['draftkings', 'pinnacle'])
  })

  it('are listed by filter, exported, imported again and removed', async () => {
    const many = ['One', 'Two', 'Three'].map((name) =>
      order(`=${name}, "Old"`, `${name} New`, { league: 'NBA', sportsbook: 'FanDuel' }),
    )
    await ask('POST', '', { aliases: many })
    const listed = await ask('GET', '?league=nba&sportsbook=fanduel&state=confirmed')
    expect(listed.body.pagination.total).toBe(3)
    expect(listed.body.meta.filters).toEqual({
      league: ['nba'],
      sportsbook: ['fanduel'],
      state: ['confirmed'],
    })
    const csv = await ask('GET', '?league=nba&format=csv')
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(parse(csv.text, { columns: true })).toHaveLength(3)
    // The list can be posted back unchanged.
    const again = await ask('POST', '', { aliases: listed.body.data })
    expect(again.status).toBe(200)
    expect(again.body.data.count).toBe(3)
    for (const { id } of listed.body.data)
      expect((await ask('DELETE', `/${id}`)).body.data).toEqual({ deleted: true, id })
    expect((await ask('GET', '?league=nba')).body.data).toEqual([])
  })

  it.each([
    ['no state', order('A', 'B', { state: undefined })],
    ['a state that only prices give', order('A', 'B', { state: 'learnt' })],
    ['an empty name', order('  ', 'B')],
    ['a control character', order('A\u0007', 'B')],
    ['its own name', order('A', 'A')],
    ['a name of 201 letters', order('x'.repeat(201), 'B')],
  ])('are refused with %s', async (_, alias) => {
    const { status, body } = await ask('POST', '', { aliases: [alias] })
    expect([status, body.code]).toEqual([400, 'validation_error'])
  })

  it('are refused as a whole where one order contradicts another', async () => {
    const both = ['forbidden', 'confirmed'].map((state) => order('Red Hill', 'Rotberg', { state }))
    for (const aliases of [
      both,
      both.toReversed(),
      [both[0], { ...both[1], sportsbook: 'FanDuel' }],
    ]) {
      const { status, body } = await ask('POST', '', { aliases })
      expect([status, body.code]).toEqual([400, 'validation_error'])
      expect(body.error.message).toContain('Red Hill')
    }
    expect((await ask('GET', '?league=liga_ab')).text).not.toContain('Red Hill')
  })

  it('are shown to the operator only, and unknown ones are named', async () => {
    expect((await ask('GET', '', undefined, 'another-token-of-length')).status).toBe(401)
    expect((await ask('GET', '?state=perhaps')).body.code).toBe('validation_error')
    expect((await ask('DELETE', '/alias_1')).status).toBe(404)
  })
})
