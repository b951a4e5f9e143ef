/** `books=` over a moving market: the list among all sportsbooks, and the number of cached sets. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const second = 1_000

const books = ['draftkings', 'fanduel', 'betmgm', 'bet365', 'novig', 'pinnacle', 'circa', 'betfair']

describe('a moving market', () => {
  let service: SimulatedService
  let key: string
  beforeAll(async () => {
    service = await startSimulated({ seed: 9, events: 12, changesPerSecond: 60, books })
    key = await service.key('sharp')
  })
  afterAll(() => service.close())

  it('has among all sportsbooks what it has without a choice', async () => {
    let count = 0
    for (let step = 0; step < 12; step++) {
      service.step([1, 4, 40][step % 3]! * second)
      for (const path of [
        'ev?min_ev=0',
        'arbitrage?min_profit=0',
        'middles?',
        'low_hold?max_hold=9',
      ]) {
        const whole = await service.get(`/opportunities/${path}&limit=200`, key)
        const among = await service.get(`/opportunities/${path}&limit=200&books=${books}`, key)
        expect(among.body.data).toEqual(whole.body.data)
        expect(among.body.pagination).toEqual(whole.body.pagination)
        count += whole.body.pagination.total
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  it('keeps a limited number of sets, and drops one that has no readers any more', async () => {
    const pairs = books.flatMap((one, at) => books.slice(at + 1).map((other) => `${one},${other}`))
    const triples = books.slice(2).map((third) => `${books[0]},${books[1]},${third}`)
    const ask = (set: string) => service.get(`/opportunities/arbitrage?books=${set}`, key)
    service.step(70 * second)
    const statuses: number[] = []
    for (const set of [...pairs, ...triples]) statuses.push((await ask(set)).status)
    expect(statuses.indexOf(429)).toBe(32)
    const refused = await ask(triples.at(-1)!)
    expect(refused.body.error.code).toBe('too_many_book_sets')
    expect((await ask(pairs[0]!)).status).toBe(200)
    expect(service.boards.bookSets.awakeCount).toBe(32)
    service.step(11 * second)
    expect((await ask(triples.at(-1)!)).status).toBe(200)
    service.step(61 * second)
    expect(service.boards.bookSets.awakeCount).toBe(0)
  })

  it('keeps places for other accounts, whatever one of them reads', async () => {
    const pairs = books.flatMap((one, at) => books.slice(at + 1).map((other) => `${one},${other}`))
    const triples = books.slice(2).map((third) => `${books[0]},${books[1]},${third}`)
    const sets = [...pairs, ...triples]
    const statusOf = async (set: string, by: string) =>
      (await service.get(`/opportunities/arbitrage?books=${set}`, by)).status
    for (const set of sets.slice(0, 32)) expect(await statusOf(set, key)).toBe(200)
    const other = await service.key('sharp')
    const own = ['draftkings,fanduel,betmgm,novig', 'draftkings,fanduel,betmgm,circa']
    for (const set of own) {
      expect(await statusOf(set, other)).toBe(200)
      expect(await statusOf(sets[32]!, key)).toBe(429)
      for (const read of sets.slice(0, 32)) await statusOf(read, key)
    }
    for (const set of own) expect(await statusOf(set, other)).toBe(200)
    expect(service.boards.bookSets.awakeCount).toBe(32)
    service.step(71 * second)
  })

  it('gives the places of sets that are only peeked at to all who read', async () => {
    const { bookSets } = service.boards
    const pairs = books.flatMap((one, at) => books.slice(at + 1).map((other) => [one, other]))
    const triples = books.slice(2).map((third) => [books[0]!, books[1]!, third])
    const sets = [...pairs, ...triples].map((sportsbooks) =>
      bookSets.of({ sportsbooks: new Set(sportsbooks), fees: new Map(), isOwners: false }),
    )
    const peekAtAll = () => sets.map((set) => set.peek('opp_none'))
    expect(peekAtAll()).toEqual(sets.map(() => 'unknown'))
    while (bookSets.doDeferred?.()) {}
    expect(peekAtAll().filter((found) => found === undefined)).toHaveLength(32)
    for (let step = 0; step < 40; step++) {
      service.step(2 * second)
      peekAtAll()
    }
    expect(bookSets.awakeCount).toBe(32)
    const ask = (set: string) => service.get(`/opportunities/arbitrage?books=${set}`, key)
    const read = books.slice(3).map((third) => `${books[0]},${books[2]},${third}`)
    const held = sets.slice(0, 20).map((set) => {
      set.askedBy('somebody')
      return set.hold()
    })
    for (const set of read) expect((await ask(set)).status, set).toBe(200)
    expect(bookSets.awakeCount).toBe(32)
    for (const release of held) release()
    service.step(71 * second)
    expect(bookSets.awakeCount).toBe(0)
  })

  it('count to an account the sets that its own streams hold, not those that others keep', () => {
    const { bookSets } = service.boards
    const pairs = books.flatMap((one, at) => books.slice(at + 1).map((other) => [one, other]))
    const setOf = (at: number) =>
      bookSets.of({ sportsbooks: new Set(pairs[at]), fees: new Map(), isOwners: false })
    const open = (at: number, account: string) => {
      const set = setOf(at)
      set.askedBy(account)
      set.reserve()
      return set.hold()
    }
    const { mostOfAccount } = setOf(0)
    const places = Array.from({ length: mostOfAccount }, (_, at) => at)
    const own = places.map((at) => open(at, 'first'))
    const others = places.map((at) => open(at, 'second'))
    expect(() => open(mostOfAccount, 'first')).toThrow(/as many as those of one account may/)
    expect(() => open(mostOfAccount, 'second')).toThrow(/as many as those of one account may/)
    for (const release of own) release()
    const moved = places.map((at) => open(mostOfAccount + at, 'first'))
    for (const release of [...moved, ...others]) release()
    service.step(71 * second)
    expect(bookSets.awakeCount).toBe(0)
  })
})
