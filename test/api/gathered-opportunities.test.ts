import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import { readQuery } from '../../api/ask/read-query.ts'
import { createOpportunityRoutes } from '../../api/routes/opportunities.ts'
import type { Prepared } from '../../api/routes/route.ts'
import { sharpChain } from '../../pipeline/rules/sharp-books.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const books = [
  'pinnacle',
  'draftkings',
  'fanduel',
  'betmgm',
  'caesars',
  'bet365',
  'betrivers',
  'bovada',
  'fanatics',
]
let service: SimulatedService
beforeAll(async () => {
  service = await startSimulated({ seed: 7, events: 40, changesPerSecond: 300, books })
  for (let i = 0; i < 10; i++) service.step(1_000)
})
afterAll(() => service.close())

const asked = [
  ['ev', 'limit=40&sort=-confidence&min_ev=-5'],
  ['ev', 'min_confidence=10'],
  ['middles', 'limit=60&sort=quality'],
  ['low_hold', 'limit=100&max_hold=9'],
  ['low_hold', 'limit=20&offset=15&max_hold=9&sportsbook=fanduel,betmgm&sort=market'],
] as const

const chain = sharpChain('pinnacle')

function prepare(family: string, raw: string, clock: () => number, mostAtOnce?: number): Prepared {
  const parts = { clock, chain, ...(mostAtOnce !== undefined && { mostAtOnce }) }
  const path = `/api/v1/opportunities/${family}`
  const route = createOpportunityRoutes(parts).find((other) => other.path === path)!
  const query = readQuery(createQueryReader(route.query, []), route.query, raw)
  const scope = createScopes(service.boards).of({ tier: 'pro', isOwner: false })
  return route.prepare({ query, path: {}, scope })
}

function written(prepared: Prepared): { data: { id: string }[]; meta: object } {
  const page = createPageBuffer()
  prepared.write(page)
  return JSON.parse(page.bytes.toString('utf8', 0, page.length))
}

it.each(asked)('of %s with %s are as if they were looked at in one go', (family, raw) => {
  const began = service.clock()
  const ahead = prepare(family, raw, () => began, -1)
  const steps = ahead.ahead!()!
  let moves = 0
  let stepCount = 0
  while (!steps.next().done) {
    // The market goes on between two pieces.
    if (++stepCount % 3 === 0 && moves < 12) {
      service.step(100)
      moves++
    }
  }
  service.step(100)
  const direct = written(prepare(family, raw, () => began))
  expect(moves).toBeGreaterThan(2)
  expect(direct.data.length).toBeGreaterThan(0)
  expect(written(ahead)).toEqual(direct)
  // What was gathered is good for one answer.
  service.step(1_000)
  expect(written(ahead)).toEqual(written(prepare(family, raw, () => began)))
})

it('are not gathered ahead where they are few', () => {
  expect(prepare('arbitrage', '', service.clock).ahead!()).toBeNull()
})
