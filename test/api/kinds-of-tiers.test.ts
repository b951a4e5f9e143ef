/** The kinds of opportunities that a tier has, also among chosen sportsbooks and by other references. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyline, packers, push, total } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

let service: SimulatedService
let hobby: string
let sharp: string
beforeAll(async () => {
  service = await startSimulated(null)
  hobby = await service.key('hobby')
  sharp = await service.key('sharp')
  push(service, packers, {
    draftkings: [moneyline(2.05, 1.82), total(41.5, 1.95, 1.9), total(44.5, 1.98, 1.85)],
    fanduel: [moneyline(1.86, 2.04), total(41.5, 1.9, 1.97), total(47.5, 1.9, 2.05)],
    pinnacle: [moneyline(1.95, 1.95)],
  })
  service.step(1_000)
})
afterAll(() => service.close())

const among = 'books=draftkings,fanduel,betmgm'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
async function list(path: string, key = sharp): Promise<any[]> {
  const { status, body, text } = await service.get(`/opportunities/${path}`, key)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.data
}

async function explained(path: string, key: string) {
  const { status, body } = await service.get(`/opportunities/${path}`, key)
  return [status, body.code]
}

/** Returns whether the tool explains it. */
async function isToldByTool(id: string, key: string): Promise<boolean> {
  const input = { opportunity_id: id, books: 'draftkings,fanduel,betmgm' }
  const { body } = await service.post('/mcp', key, {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'explain_opportunity', arguments: input },
  })
  return body.result.isError !== true
}

const found = [200, undefined]
const missing = [404, 'not_found']

it.each([
  ['arbitrage?min_profit=0', found],
  ['ev?min_ev=0', missing],
  ['low_hold?max_hold=5', missing],
  ['middles?', missing],
])(
  'of %s among chosen sportsbooks, a tier without the kind explains none',
  async (path, toHobby) => {
    const some = await list(`${path}&${among}`)
    expect(some.length).toBeGreaterThan(0)
    for (const { id } of some) {
      expect(await explained(`${id}/explain?${among}`, sharp)).toEqual(found)
      expect(await explained(`${id}/explain?${among}`, hobby)).toEqual(toHobby)
      expect(await isToldByTool(id, sharp)).toBe(true)
      expect(await isToldByTool(id, hobby)).toBe(toHobby === found)
    }
  },
)

it('a tier without +EV has none by a reference that it names either', async () => {
  const some = await list('ev?min_ev=0&devig_book=fanduel')
  expect(some.length).toBeGreaterThan(0)
  for (const { id, event_id: event } of some) {
    const path = `${id}/explain?event=${event}&devig_book=fanduel`
    expect(await explained(path, sharp)).toEqual(found)
    expect(await explained(path, hobby)).toEqual(missing)
  }
})

it('an arbitrage among chosen sportsbooks has the same members as without the choice', async () => {
  const [alone] = await list('arbitrage?min_profit=0', hobby)
  const [chosen] = await list(`arbitrage?min_profit=0&${among}`, hobby)
  const [withEv] = await list(`arbitrage?min_profit=0&${among}`)
  const { id: _, ...shown } = chosen
  const { id: __, ...expected } = alone
  expect(shown).toEqual(expected)
  expect(withEv).not.toEqual({ ...shown, id: withEv.id })
})
