import { afterAll, beforeAll, expect, it } from 'vitest'
import { knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

const books = ['betfair', 'betmgm', 'bovada', 'caesars', 'draftkings', 'fanduel', 'pinnacle']

let service: SimulatedService
beforeAll(async () => {
  service = await startSimulated(null)
  push(service, knicks, Object.fromEntries(books.map((book) => [book, [moneyline(1.9, 1.9)]])))
})
afterAll(() => service.close())

const path = '/account/alerts'

/** Returns a key of an account that has lost the right to all its alerts. */
async function downgraded() {
  const { value, account } = await service.accounts.create({
    ...{ name: 'x', tier: 'sharp', addOns: [], expiresAt: null },
  })
  for (const set of ofHobby.slice(0, share)) await create(value, { ...among(set), kind: 'ev' })
  await service.accounts.change(account.id, { tier: 'hobby' })
  return value
}

async function create(key: string, rule: object) {
  // Each is newer than those before.
  service.wait(1)
  const target = { type: 'browser' }
  const { status, text, body } = await service.post(path, key, { name: 'x', target, ...rule })
  expect([status, text]).toEqual([201, expect.stringContaining('alert_')])
  return body.data
}

const among = (some: string) => ({ kind: 'arbitrage', filters: { books: some } })

/** Sets of two sportsbooks. Of the 32 sets that a process keeps, the alerts of an account may keep 8. */
const sets = books.flatMap((one, i) => books.slice(i + 1).map((other) => `${one},${other}`))
const share = 8

/** Sets of sportsbooks that every paying account sees. */
const ofHobby = [
  ...['betmgm,caesars', 'betmgm,draftkings', 'betmgm,fanduel', 'caesars,draftkings'],
  ...['caesars,fanduel', 'draftkings,fanduel', 'betmgm,caesars,draftkings'],
  ...['betmgm,caesars,fanduel', 'caesars,draftkings,fanduel'],
]

async function list(key: string) {
  const { body } = await service.get(path, key)
  return body.data as { readonly id: string; readonly state: string; readonly reason: string }[]
}

/** Waits until all alerts made so far are followed: a price is told that an alert made after them wants. */
async function untilFollowed(key: string) {
  const { id } = await create(key, {
    type: 'price',
    filters: { market: 'moneyline', min_odds: -1000 },
  })
  const told = async () => (await service.get(`${path}/${id}/deliveries`, key)).body.data.length
  await expect.poll(told).toBeGreaterThan(0)
}

/** Returns how many sets are awake though nobody reads them. */
function held(): number {
  service.wait(61_000)
  return service.boards.bookSets.awakeCount
}

it('the alerts of one account keep no more than their share of the sets of sportsbooks awake', async () => {
  const [greedy, other] = [await service.key('sharp'), await service.key('sharp')]
  for (const set of sets.slice(0, share)) await create(greedy, among(set))
  // Another alert on a set that is followed already costs none.
  const second = await create(greedy, among(sets[0]!))
  const beyond = await create(greedy, among(sets[share]!))
  expect([second.state, beyond.state]).toEqual(['active', 'blocked'])
  expect(beyond.reason).toContain(`follow ${share} other sets of sportsbooks`)
  await create(other, among(sets[share + 1]!))
  await untilFollowed(other)
  expect(held()).toBe(share + 1)

  const states = async (key: string) => (await list(key)).map(({ state }) => state)
  expect(await states(greedy)).toEqual([...Array(share + 1).fill('active'), 'blocked'])
  expect(await states(other)).toEqual(['active', 'active'])
  // The alert that waits takes the room of one that is paused.
  const [first] = (await list(greedy)).slice(1)
  await service.post(`${path}/${first!.id}/pause`, greedy, {})
  await untilFollowed(other)
  expect(held()).toBe(share + 1)
  expect((await states(greedy)).filter((state) => state !== 'active')).toEqual(['paused'])
})

it('alerts that their account may not have any more take no share', async () => {
  const key = await downgraded()
  await create(key, among(ofHobby[share]!))
  const states = (await list(key)).map(({ state }) => state)
  expect(states).toEqual([...Array(share).fill('blocked'), 'active'])
  await untilFollowed(key)
  // Those of the test before, and this one.
  expect(held()).toBe(share + 2)
})
