/** Deep links lead to the state that a request names, else to that of the account's profile. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { takesLinkState } from '../../api/ask/link-state.ts'
import { answersOf } from '../../api/route.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { openReceiver, type Receiver } from './alerts/receiver.ts'
import { futuresRecord, someFutures } from './futures-said.ts'
import { inHours, knicks, moneyline, parsed, push, total } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'
import { openEvents, openFrames } from './stream-reader.ts'

let service: SimulatedService
let receiver: Receiver
/** A key whose account says nj, and one whose account says nothing. */
let own: string
let plain: string
beforeAll(async () => {
  service = await startSimulated(null)
  receiver = await openReceiver()
  push(service, knicks, {
    pinnacle: [moneyline(1.91, 1.91)],
    draftkings: [moneyline(2.1, 1.75), total(208.5, 1.95, 1.87)],
    betmgm: [moneyline(1.75, 2.08), total(214.5, 1.87, 1.95)],
  })
  const now = service.clock()
  service.say(parsed(now, [futuresRecord(now, someFutures[0]!)]))
  service.step(1_000)
  own = await service.key('enterprise')
  plain = await service.key('enterprise')
  const body = JSON.stringify({ state: 'nj' })
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await service.request('PATCH', '/account/profile', own, headers, body)
  expect(status).toBe(200)
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** Returns the states of our links in a text; `none` for links without one. */
const statesIn = (text: string) =>
  new Set(
    [...text.matchAll(/\/api\/v1\/deeplink\/[\w-]+(?:\?state=(\w\w))?/g)].map(
      ([, state]) => state ?? 'none',
    ),
  )
const only = (state: string) => new Set([state])

it('is taken by every route that shows our links', () => {
  const withoutState = service.routes.flatMap((route) => {
    const shown = answersOf(route).flatMap(({ schema, example }) =>
      schema ? [JSON.stringify(example ?? exampleOf(schema))] : [],
    )
    if (!shown.some((text) => statesIn(text).size > 0)) return []
    const body = route.kind === 'action' ? route.body?.schema : undefined
    const isInBody = body instanceof z.ZodObject && 'state' in body.shape
    return takesLinkState(route.query) || isInBody ? [] : [`${route.method} ${route.path}`]
  })
  expect(withoutState).toEqual([])
})

const idOf = async (kind: string): Promise<string> =>
  (await service.get(`/opportunities/${kind}`, plain)).body.data[0].id

async function paths() {
  const [ev, middle] = [await idOf('ev?min_ev=1'), await idOf('middles')]
  const [event] = service.boards.live.events('*')
  return [
    '/odds?sportsbook=draftkings',
    '/odds?sportsbook=draftkings&group_by=event',
    `/events/${event!.id}/odds?sportsbook=draftkings`,
    '/futures/odds?league=nba',
    `/odds/delta?sportsbook=draftkings&since=${inHours(-1)}`,
    '/opportunities/ev?min_ev=1',
    '/opportunities/arbitrage?min_profit=0',
    `/opportunities/middles/${middle}?`,
    `/opportunities/${ev}/explain?`,
  ]
}

it('lists, opportunities and explanations', async () => {
  for (const path of await paths()) {
    const statesOf = async (query: string, key: string) =>
      statesIn((await service.get(path + query, key)).text)
    // Equal requests of two accounts, one after the other: no answer is kept for both.
    expect([path, await statesOf('', own)]).toEqual([path, only('nj')])
    expect([path, await statesOf('', plain)]).toEqual([path, only('none')])
    expect([path, await statesOf('', own)]).toEqual([path, only('nj')])
    expect([path, await statesOf('&state=pa', own)]).toEqual([path, only('pa')])
  }
})

it('prices of several events', async () => {
  const [event] = service.boards.live.events('*')
  const body = { event_ids: [event!.id], sportsbook: 'draftkings' }
  const statesOf = async (key: string, more: object = {}) =>
    statesIn((await service.post('/odds/batch', key, { ...body, ...more })).text)
  expect(await statesOf(own)).toEqual(only('nj'))
  expect(await statesOf(plain)).toEqual(only('none'))
  expect(await statesOf(own, { state: 'PA' })).toEqual(only('pa'))
  expect((await service.post('/odds/batch', own, { ...body, state: 'zz' })).status).toBe(400)
})

it('lists with addresses of sportsbooks, for two accounts in turn', async () => {
  const path = '/opportunities/low_hold?max_hold=50&state='
  const inState = async (state: string) => {
    const { text } = await service.get(path + state, plain)
    return new Set([...text.matchAll(/\bstate=(\w\w)\b/g)].map(([, found]) => found))
  }
  for (const state of ['nj', 'pa', 'nj', 'pa']) expect(await inState(state)).toEqual(only(state))
})

it('addresses of sportsbooks', async () => {
  const id = await idOf('arbitrage?min_profit=0')
  const betmgmOf = async (query: string, key: string) =>
    (await service.get(`/deeplinks?id=${id}${query}`, key)).body.data.deep_links.betmgm
  const inState = (address: string) => /\bstate=(\w\w)\b/.exec(address)?.[1] ?? address
  expect(inState(await betmgmOf('', own))).toBe('nj')
  expect(inState(await betmgmOf('', plain))).toBe('pa')
  expect(inState(await betmgmOf('&state=mi', own))).toBe('mi')
  const { data } = (await service.post('/deeplinks/batch', own, { ids: [id] })).body
  expect(inState(data[id].betmgm)).toBe('nj')
})

it('streams', async () => {
  const statesOf = async (key: string, query = '') => {
    const path = `${service.base}/stream/odds?sportsbook=draftkings${query}`
    const events = await openEvents(path, { 'X-API-Key': key })
    const { data } = await events.next('snapshot')
    events.close()
    return statesIn(data)
  }
  expect(await statesOf(own)).toEqual(only('nj'))
  expect(await statesOf(plain)).toEqual(only('none'))
  expect(await statesOf(own, '&state=pa')).toEqual(only('pa'))
  const socket = await openFrames(`${service.base}/ws?channels=odds&sportsbook=draftkings`, {
    headers: { 'X-API-Key': own },
  })
  const frame = await socket.next('initial')
  expect(statesIn(JSON.stringify(frame))).toEqual(only('nj'))
  socket.close()
})

it('messages of alerts', async () => {
  const linksOf = async (key: string) => {
    const path = `/${key}`
    const { status } = await service.post('/account/alerts', key, {
      ...{ name: 'Knicks', kind: 'ev', filters: { min_ev: 1, sportsbook: 'draftkings' } },
      target: { type: 'webhook', url: receiver.url + path },
    })
    expect(status).toBe(201)
    await expect.poll(() => receiver.at(path).length).toBe(1)
    return statesIn(JSON.stringify(receiver.at(path)[0]!.body.data.legs))
  }
  expect(await linksOf(own)).toEqual(only('nj'))
  expect(await linksOf(plain)).toEqual(only('none'))
})

it('is that of a profile in any case', async () => {
  const key = await service.key('enterprise')
  const headers = { 'Content-Type': 'application/json' }
  const change = (state: string | null) =>
    service.request('PATCH', '/account/profile', key, headers, JSON.stringify({ state }))
  for (const [stated, shown] of [
    ['NJ', 'nj'],
    ['Pa', 'pa'],
    [null, null],
  ] as const) {
    const { status, body } = await change(stated)
    expect([status, body.data.state]).toEqual([200, shown])
  }
  expect((await change('XX')).status).toBe(400)
})
