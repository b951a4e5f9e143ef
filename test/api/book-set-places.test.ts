import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Place, placeFor, yieldMs } from '../../api/book-set-places.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const now = 1_000_000

/** Places of accounts, each with the ms since its last read. */
const places = (...of: (readonly [account: string, idleMs: number, holders?: number])[]): Place[] =>
  of.map(([account, idleMs, holders = 0]) => ({
    ...{ account, readAt: now - idleMs, holders, isSpare: false },
  }))

const given = (account: string, taken: readonly Place[], share: number) => {
  const place = placeFor(account, taken, share, now)
  return place && taken.indexOf(place)
}

describe('a set of sportsbooks gives its place', () => {
  it('when it is the idlest and has not been read for a while', () => {
    const taken = places(['a', yieldMs], ['b', yieldMs + 1], ['c', 0])
    expect(given('d', taken, 1)).toBe(1)
    expect(given('d', places(['a', yieldMs - 1], ['b', 0]), 1)).toBeNull()
  })

  it('at once, when its account has more than its share, to one that has less', () => {
    const taken = places(['a', 5], ['a', 9], ['a', 1], ['b', 100])
    expect(given('c', taken, 2)).toBe(1)
    expect(given('b', taken, 2)).toBe(1)
  })

  it('to anybody, when it is spare, and counts to nobody', () => {
    const [own, spare, other] = places(['a', 0], ['a', yieldMs], ['b', 0])
    const taken = [own!, { ...spare!, isSpare: true }, other!]
    for (const account of ['a', 'b', 'c']) expect(given(account, taken, 1)).toBe(1)
    expect(given('c', [{ ...own!, isSpare: true, holders: 1 }, other!], 1)).toBeNull()
    expect(given('c', [own!, { ...own!, isSpare: true, holders: 1 }, other!], 1)).toBeNull()
  })

  it('never while a stream or an alert holds it', () => {
    expect(given('c', places(['a', 9, 1], ['a', 5], ['a', 1]), 2)).toBe(1)
    expect(given('c', places(['a', 2 * yieldMs, 1]), 1)).toBeNull()
  })

  it('only to its own account, when that has its share', () => {
    const taken = places(['a', yieldMs], ['a', 0], ['b', 2 * yieldMs])
    expect(given('a', taken, 2)).toBe(0)
    expect(given('a', places(['a', 0], ['a', 0], ['b', 2 * yieldMs]), 2)).toBeNull()
  })
})

describe('the streams of one account', () => {
  let by: ReturnType<typeof createStreamsByHand>
  beforeEach(() => {
    by = createStreamsByHand()
  })
  afterEach(() => by.close())

  it('hold their share of the sets and no more, however quickly they are opened', async () => {
    const open = (books: string) => by.open(`channels=arbitrage&books=${books}`)
    const first = open('draftkings,fanduel')
    const same = open('fanduel,draftkings')
    const other = open('draftkings,betmgm')
    expect([first.of('error'), same.of('error')]).toEqual([[], []])
    expect(other.of('error')).toMatchObject([{ code: 'too_many_book_sets' }])
    expect(other.state.closed).toBe(1013)
    await by.until('a snapshot', () => first.of('snapshot:complete').length > 0)
    by.advance(yieldMs)
    expect(open('draftkings,betmgm').of('error')).toHaveLength(1)
    for (const { session } of [first, same]) session.end()
    expect(open('draftkings,betmgm').of('error')).toEqual([])
  })
})
