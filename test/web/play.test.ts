/** Games that go in play while the page cannot read games, or has read them just before. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { staleReason } from '../../api/web/client/data/columns.ts'
import { createPlayVotes, nextStart, withPlay } from '../../api/web/client/data/play-votes.ts'
import { createPriceStore, type WireRow } from '../../api/web/client/data/price-store.ts'
import { summarise } from '../../api/web/client/data/summary.ts'
import { silenceOf } from '../../api/web/client/format/silence.ts'
import type { Game, Sportsbook } from '../../api/web/wire.ts'
import { isInPlayByClock } from '../../pipeline/rules/games/event-play.ts'

const startsAt = Date.parse('2026-11-27T19:00:00Z')
const beforeStart = startsAt - 1_000
/** As it was read before it began. */
const game: Game = {
  id: 'knicks_nets',
  league: 'nba',
  sport: 'basketball',
  home_team: 'New York Knicks',
  away_team: 'Brooklyn Nets',
  start_time: '2026-11-27T19:00:00Z',
  status: 'upcoming',
  is_live: false,
  stale_books: [],
}

const row = (id: string, sportsbook: string, side: string, odds: number): WireRow => ({
  id,
  event_id: game.id,
  sportsbook,
  market_type: 'moneyline',
  selection_type: side,
  odds_decimal: odds,
  is_live: false,
  is_active: true,
})

function storeWith(rows: readonly WireRow[]) {
  const store = createPriceStore()
  store.snapshot(rows)
  store.endSnapshot()
  store.takeChanged()
  store.takeReshaped()
  return store
}

const threeBooks = () =>
  storeWith([
    row('a1', 'fanduel', 'home', 1.5),
    row('a2', 'fanduel', 'away', 2.6),
    row('b1', 'betmgm', 'home', 2.9),
    row('b2', 'betmgm', 'away', 1.4),
    row('c1', 'kalshi', 'home', 1.5),
  ])

describe('a game goes in play by its streamed prices', () => {
  it('prices from before it are neither best nor in the hold', () => {
    const store = threeBooks()
    const [question] = store.questions.values()
    const twoWays = { outcomes: ['home', 'away'], isHandicap: false }
    const summaryAt = (now: number) => {
      const played = withPlay(game, store, now)
      return summarise(question!, twoWays, ['fanduel', 'betmgm'], [], (price) => {
        return staleReason(played, price, 'fresh') === null
      })
    }
    // As the game was read, the price that is left from before it makes a sure profit.
    expect(summaryAt(startsAt).hold).toBeLessThan(-0.2)
    // One that may only go by the clock is not believed.
    store.update([{ id: 'c1', is_live: true }], 1)
    expect(withPlay(game, store, startsAt).is_live).toBe(false)
    store.update(
      [
        { id: 'a1', is_live: true },
        { id: 'a2', is_live: true },
      ],
      2,
    )
    expect(summaryAt(startsAt).hold).toBeGreaterThan(0)
    expect(summaryAt(startsAt).best.map((best) => best?.sportsbooks)).toEqual([
      ['fanduel'],
      ['fanduel'],
    ])
    // Before its start, prices are not believed.
    expect(withPlay(game, store, beforeStart).is_live).toBe(false)
  })

  it('all its questions are drawn again', () => {
    const store = createPriceStore()
    store.snapshot([
      row('a1', 'fanduel', 'home', 1.5),
      row('d1', 'kalshi', 'home', 1.5),
      { ...row('b1', 'betmgm', 'over', 1.9), market_type: 'total_points', line: 220.5 },
      { ...row('c1', 'betmgm', 'home', 1.9), event_id: 'another' },
    ])
    store.endSnapshot()
    store.takeChanged()
    store.takeReshaped()
    store.update([{ id: 'd1', is_live: true }], 1)
    expect(store.takeReshaped()).toBe(false)
    store.takeChanged()
    store.update([{ id: 'a1', is_live: true }], 1)
    expect(store.takeReshaped()).toBe(true)
    const changed = store.takeChanged().map(({ eventId, market }) => `${eventId} ${market}`)
    expect(changed.toSorted()).toEqual([`${game.id} moneyline`, `${game.id} total_points`])
    // A move of a price turns no game.
    store.update([{ id: 'a1', odds_decimal: 1.6 }], 2)
    expect(store.takeReshaped()).toBe(false)
    expect(store.takeChanged()).toHaveLength(1)
  })

  it('votes equal those counted from all prices', () => {
    const price = fc.record({
      event: fc.constantFrom('one', 'two'),
      book: fc.constantFrom('a', 'b', 'c'),
      isLive: fc.boolean(),
    })
    const step = fc.record({ price, leaves: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, hasStarted) => {
        const votes = createPlayVotes()
        let held: { event: string; book: string; isLive: boolean }[] = []
        const slowly = (event: string) => {
          const of = held.filter((one) => one.event === event)
          const books = new Set(of.map(({ book }) => book))
          const playing = new Set(of.filter(({ isLive }) => isLive).map(({ book }) => book)).size
          return isInPlayByClock({ byClock: playing, waiting: books.size - playing, hasStarted })
        }
        for (const { price, leaves } of steps) {
          const before = slowly(price.event)
          const isTurned = votes.add(price.event, price.book, price.isLive)
          held.push(price)
          if (before !== slowly(price.event)) expect(isTurned).toBe(true)
          if (leaves % 3 === 0) {
            const gone = held[leaves % held.length]!
            const was = slowly(gone.event)
            const hasTurned = votes.drop(gone.event, gone.book, gone.isLive)
            held = held.filter((one) => one !== gone)
            if (was !== slowly(gone.event)) expect(hasTurned).toBe(true)
          }
          for (const event of ['one', 'two']) {
            expect(votes.isPlayed(event, hasStarted)).toBe(slowly(event))
          }
        }
      }),
    )
  })

  it('the next start is the time to look again', () => {
    const later = { ...game, start_time: '2026-11-27T20:00:00Z' }
    expect(nextStart([later, game], beforeStart)).toBe(startsAt)
    expect(nextStart([later, game], startsAt)).toBe(startsAt + 3_600_000)
    expect(nextStart([game], startsAt)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the badge', () => {
  const now = startsAt
  const book = (last_update: string | null): Sportsbook => ({
    ...{ id: 'fanduel', display_name: 'FanDuel', short_name: 'FD', category: 'us_retail' },
    ...{ is_sharp: false, is_reference: false, status: 'active', last_update },
  })
  const read = (books: readonly Sportsbook[], of: { at?: number; delayMs?: number } = {}) => {
    const { at = now - 1_000, delayMs = 0 } = of
    const ofSportsbooks = { at, everyMs: 187_000 }
    return { sportsbooks: books, ofSportsbooks, upTo: at - delayMs }
  }
  const fresh = read([book('2026-11-27T18:59:58Z')])

  it('is not live while games have missed some polls', () => {
    const silenceAfter = (age: number) =>
      silenceOf(
        fresh,
        [
          { at: now - 4_000, everyMs: 15_000 },
          { at: now - age, everyMs: 3_000 },
        ],
        now,
      )
    expect(silenceAfter(4_000)).toBeNull()
    expect(silenceAfter(12_000)).toBeNull()
    expect(silenceAfter(14_000)).toBe('games not read for 14s')
  })

  it('says what else is silent', () => {
    expect(silenceOf(read([book(null)]), [], now)).toBe('no prices yet')
    expect(silenceOf(fresh, [], now)).toBeNull()
    expect(silenceOf(read([book('2026-11-27T18:57:00Z')]), [], now)).toContain('no new prices for')
    const lost = read([book('2026-11-27T18:59:58Z')], { at: now - 600_000 })
    expect(silenceOf(lost, [], now)).toBe('sportsbooks not read for 10m')
  })

  it('is live for a tier whose prices come late and are read seldom', () => {
    const late = (last_update: string) =>
      silenceOf(read([book(last_update)], { at: now - 180_000, delayMs: 60_000 }), [], now)
    expect(late('2026-11-27T18:55:57Z')).toBeNull()
    expect(late('2026-11-27T18:54:57Z')).toContain('no new prices for')
  })
})
