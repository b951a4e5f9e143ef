/** The rows of the page, compared with a map written the plain way. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { staleReason, uncomparedReason } from '../../api/web/client/data/columns.ts'
import { ladderOf, mainRung, rungAmong, rungToShow } from '../../api/web/client/data/ladder.ts'
import { kindOf, type MarketKinds } from '../../api/web/client/data/market-kinds.ts'
import {
  cellOf,
  createPriceStore,
  movedWithin,
  type Price,
  type PriceStore,
  type Question,
  type WireRow,
} from '../../api/web/client/data/price-store.ts'
import {
  type Asked,
  askedFor,
  askedIn,
  noSubject,
  questionPath,
  settled,
} from '../../api/web/client/data/subject.ts'
import { createSummaries, edgeOf, summarise } from '../../api/web/client/data/summary.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { markets } from '../../schemas/reference/markets.ts'

const row = (id: string, more: Partial<WireRow> = {}): WireRow => ({
  id,
  event_id: 'knicks_nets',
  sportsbook: 'draftkings',
  market_type: 'moneyline',
  selection_type: 'home',
  line: null,
  odds_decimal: 1.9,
  odds_american: -111,
  is_active: true,
  ...more,
})

const only = (store: PriceStore) => [...store.questions.values()][0]!
const isUp = (_price: Price) => true
const twoWays = { outcomes: ['home', 'away'], isHandicap: false }
const sides = { ...twoWays, isHandicap: true }

describe('the prices of the page', () => {
  it('hold a field until it is sent again, and which way the price went', () => {
    const store = createPriceStore()
    store.snapshot([row('1'), row('2', { selection_type: 'away', odds_decimal: 2 })])
    store.endSnapshot()
    expect(only(store).answers).toEqual(['away', 'home'])
    // Nothing has moved yet, half a second after the page was opened.
    expect(movedWithin(store.rows.get('1')!, 1_000, 500)).toBe(false)
    store.update([{ id: '1', odds_decimal: 1.95 }], 500)
    store.update([{ id: '1', is_active: false }], 600)
    const price = store.rows.get('1')!
    expect(price).toMatchObject({ price: 1.95, isActive: false, moved: 1, movedAt: 500 })
    expect([600, 1_499, 1_500].map((now) => movedWithin(price, 1_000, now))).toEqual([
      true,
      true,
      false,
    ])
    store.update([{ id: '1', odds_decimal: 1.8 }], 700)
    expect(price.moved).toBe(-1)
  })

  it('forget rows missing in a second snapshot, once it is complete', () => {
    const store = createPriceStore()
    store.snapshot([row('1'), row('2')])
    store.endSnapshot()
    store.snapshot([row('2')])
    expect(store.rows.size).toBe(2)
    store.update([row('3')], 1)
    store.endSnapshot()
    expect([...store.rows.keys()].sort()).toEqual(['2', '3'])
    store.snapshot([row('4')])
    store.dropSnapshot()
    store.endSnapshot()
    expect(store.rows.size).toBe(3)
  })

  it('ignore an update of a row that they never had', () => {
    const store = createPriceStore()
    store.update([{ id: '9', odds_decimal: 3 }], 1)
    expect(store.rows.size).toBe(0)
    expect(store.questions.size).toBe(0)
  })

  it('show another line of a sportsbook when the newest has gone', () => {
    const store = createPriceStore()
    const spread = { market_type: 'point_spread' }
    store.update([row('1', { ...spread, line: -4.5 }), row('2', { ...spread, line: -5 })], 1)
    expect(cellOf(only(store), 'home', 'draftkings')?.line).toBe(-5)
    store.remove(['2'])
    expect(cellOf(only(store), 'home', 'draftkings')?.line).toBe(-4.5)
    store.remove(['1'])
    expect(store.questions.size).toBe(0)
  })

  it('equal a plain map, whatever comes in which order', () => {
    const id = fc.integer({ min: 0, max: 30 })
    const step = fc.oneof(
      fc.record({ put: id, price: fc.integer({ min: 101, max: 900 }) }),
      fc.record({ remove: id }),
      fc.record({ snapshot: fc.array(id, { maxLength: 20 }) }),
    )
    const wire = (n: number, price = 150): WireRow =>
      row(String(n), {
        event_id: `event ${n % 3}`,
        sportsbook: `book ${n % 5}`,
        selection_type: n % 2 ? 'home' : 'away',
        odds_decimal: price / 100,
      })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = createPriceStore()
        const plain = new Map<string, number>()
        for (const one of steps) {
          if ('put' in one) {
            store.update([wire(one.put, one.price)], 1)
            plain.set(String(one.put), one.price / 100)
          } else if ('remove' in one) {
            store.remove([String(one.remove)])
            plain.delete(String(one.remove))
          } else {
            store.snapshot(one.snapshot.map((n) => wire(n)))
            store.endSnapshot()
            plain.clear()
            for (const n of one.snapshot) plain.set(String(n), 1.5)
            if (one.snapshot.length === 0) store.remove([...store.rows.keys()])
          }
        }
        expect(new Map([...store.rows].map(([key, { price }]) => [key, price]))).toEqual(plain)
        const inQuestions = [...store.questions.values()].flatMap(({ prices }) => [
          ...prices.keys(),
        ])
        expect(inQuestions.sort()).toEqual([...plain.keys()].sort())
        for (const { answers, cells, prices } of store.questions.values()) {
          expect(new Set(answers)).toEqual(new Set([...prices.values()].map((p) => p.answer)))
          expect([...cells.keys()].sort()).toEqual([...answers].sort())
          for (const [answer, books] of cells) {
            const offered = [...prices.values()].filter((p) => p.answer === answer)
            expect(new Set(books.keys())).toEqual(new Set(offered.map((p) => p.sportsbook)))
          }
        }
      }),
    )
  })

  it('report a change once', () => {
    const store = createPriceStore()
    store.update([row('1')], 1)
    expect(store.takeReshaped()).toBe(true)
    expect(store.takeChanged()).toHaveLength(1)
    store.update([{ id: '1', odds_decimal: 2 }], 2)
    expect(store.takeReshaped()).toBe(false)
    expect(store.takeChanged()).toHaveLength(1)
    expect(store.takeChanged()).toHaveLength(0)
  })
})

describe('what they come to', () => {
  const books = ['pinnacle', 'draftkings', 'fanduel']
  const filled = () => {
    const store = createPriceStore()
    const put = (sportsbook: string, home: number, away: number, more: Partial<WireRow> = {}) =>
      store.update(
        [
          row(`${sportsbook} h`, { sportsbook, odds_decimal: home, ...more }),
          row(`${sportsbook} a`, {
            sportsbook,
            selection_type: 'away',
            odds_decimal: away,
            ...more,
          }),
        ],
        1,
      )
    put('pinnacle', 1.9, 2)
    put('draftkings', 1.95, 1.9)
    put('fanduel', 1.95, 2.1)
    return { store, put }
  }

  it('has the best of each outcome, all who offer it, and the hold', () => {
    const { store } = filled()
    const { best, hold } = summarise(only(store), twoWays, books, ['pinnacle'], isUp)
    expect(best).toEqual([
      { price: 2.1, sportsbooks: ['fanduel'] },
      { price: 1.95, sportsbooks: ['draftkings', 'fanduel'] },
    ])
    expect(hold).toBeCloseTo(1 / 2.1 + 1 / 1.95 - 1, 12)
  })

  it('leaves out suspended prices, and sportsbooks that are down', () => {
    const { store, put } = filled()
    put('fanduel', 1.95, 2.1, { is_active: false })
    const suspended = summarise(only(store), twoWays, books, ['pinnacle'], isUp)
    expect(suspended.best[0]).toEqual({ price: 2, sportsbooks: ['pinnacle'] })
    const down = summarise(
      only(store),
      twoWays,
      books,
      ['pinnacle'],
      ({ sportsbook }) => sportsbook === 'fanduel',
    )
    expect(down).toEqual({ best: [null, null], hold: null, fair: null, sharpBook: null })
  })

  it('have an edge where a best price has a fair one: the best of them', () => {
    const best = [2.1, 1.9].map((price) => ({ price, sportsbooks: ['fanduel'] }))
    expect(edgeOf({ best, fair: [0.5, 0.5] })).toBeCloseTo(0.05, 12)
    expect(edgeOf({ best, fair: [0.4, 0.5] })).toBeCloseTo(-0.05, 12)
    expect(edgeOf({ best: [null, best[1]!], fair: [0.5, 0.5] })).toBeCloseTo(-0.05, 12)
    expect(edgeOf({ best, fair: [null, 0.5] })).toBeCloseTo(-0.05, 12)
    expect([
      edgeOf({ best, fair: null }),
      edgeOf({ best: [null, null], fair: [0.5, 0.5] }),
    ]).toEqual([null, null])
  })

  it('leaves out sportsbooks not seen on the game for too long, on the board and in the ladder', () => {
    const { store } = filled()
    const game = { stale_books: ['fanduel', 'pinnacle'] }
    const counts = (price: Price) => staleReason(game, price, 'fresh') === null
    const { best, fair } = summarise(
      only(store),
      twoWays,
      books,
      ['pinnacle', 'draftkings'],
      counts,
    )
    expect(best.map((one) => one?.sportsbooks)).toEqual([['draftkings'], ['draftkings']])
    expect(fair).toEqual(devig([1.9, 1.95])!.probabilities)
    const [rung] = ladderOf(only(store), sides, counts)
    expect(rung!.sides.map(({ best }) => best?.sportsbook)).toEqual(['draftkings', 'draftkings'])
    expect(rung!.hold).toBeCloseTo(1 / 1.9 + 1 / 1.95 - 1, 12)
    expect(staleReason({}, { sportsbook: 'fanduel', isLive: false }, 'old')).toBeNull()
  })

  it('are those of some sportsbooks alone in a rung among these, which stays the same else', () => {
    const { store } = filled()
    const [rung] = ladderOf(only(store), sides, () => true)
    const among = rungAmong(rung!, sides, ({ sportsbook }) => sportsbook === 'draftkings')
    expect(among.sides.map(({ best }) => best?.price)).toEqual([1.9, 1.95])
    expect(among.hold).toBeCloseTo(1 / 1.9 + 1 / 1.95 - 1, 12)
    expect(rung!.hold).toBeLessThan(among.hold!)
    expect([among.line, among.bookCount]).toEqual([rung!.line, rung!.bookCount])
    expect(among.sides.map(({ prices }) => prices)).toEqual(rung!.sides.map(({ prices }) => prices))
    expect(rungAmong(rung!, sides, () => false).hold).toBeNull()
  })

  it('say why they do not count: not seen for too long, or their sportsbook is down', () => {
    const game = { stale_books: ['fanduel'] }
    const price = { sportsbook: 'fanduel', isLive: false }
    const unseen = 'Not seen for too long to count'
    const down = 'Its sportsbook sends no prices now'
    expect(staleReason(game, price, 'fresh')).toBe(unseen)
    expect(staleReason({}, price, 'down')).toBe(down)
    expect(staleReason(game, price, 'down')).toBe(down)
    const inPlay = { ...game, is_live: true }
    expect(staleReason(inPlay, price, 'fresh')).toBe('From before the game')
    expect(staleReason(inPlay, { ...price, isLive: true }, 'fresh')).toBe(unseen)
  })

  it('leaves out prices from before a game in play, on the board and in the ladder', () => {
    const { store, put } = filled()
    put('draftkings', 1.2, 5, { is_live: true })
    store.update([{ id: 'fanduel h', odds_decimal: 1.19, is_live: true }], 2)
    store.update([{ id: 'fanduel a', odds_decimal: 5.1, is_live: true }], 2)
    const bestIn = (game: { is_live: boolean }) => {
      const counts = (price: Price) => staleReason(game, price, 'fresh') === null
      const summary = summarise(only(store), twoWays, books, ['pinnacle', 'draftkings'], counts)
      const [rung] = ladderOf(only(store), sides, counts)
      expect(rung!.sides.map(({ best }) => best?.price)).toEqual(
        summary.best.map((one) => one?.price),
      )
      expect(rung!.hold).toBe(summary.hold)
      return [summary.best.map((one) => one?.sportsbooks), summary.sharpBook]
    }
    expect(bestIn({ is_live: true })).toEqual([[['fanduel'], ['draftkings']], 'draftkings'])
    // Until the game is in play, a sportsbook that says so alone ends no price of the others.
    expect(bestIn({ is_live: false })).toEqual([[['fanduel'], ['pinnacle']], 'pinnacle'])
  })

  it('leaves out withheld prices until they are released', () => {
    const { store, put } = filled()
    put('fanduel', 1.95, 210, { withheld: 'far_from_consensus' })
    expect(summarise(only(store), twoWays, books, ['fanduel', 'pinnacle'], isUp)).toMatchObject({
      best: [
        { price: 2, sportsbooks: ['pinnacle'] },
        { price: 1.95, sportsbooks: ['draftkings'] },
      ],
      sharpBook: 'pinnacle',
    })
    expect(ladderOf(only(store), sides, isUp)[0]!.sides.map(({ best }) => best?.price)).toEqual([
      2, 1.95,
    ])
    put('fanduel', 1.95, 2.1, { withheld: null })
    expect(summarise(only(store), twoWays, books, ['pinnacle'], isUp).best[0]?.price).toBe(2.1)
    put('fanduel', 1.95, 2.1, { withheld: 'swapped' })
    store.snapshot([row('fanduel a', { sportsbook: 'fanduel', selection_type: 'away' })])
    expect(store.rows.get('fanduel a')?.withheld).toBeNull()
  })

  it('is fair by a reference too, whose prices are never the best', () => {
    const { store, put } = filled()
    put('fanduel', 2.5, 1.6667, { withheld: 'reference' })
    const summary = summarise(only(store), twoWays, books, ['fanduel', 'pinnacle'], isUp)
    expect(summary).toMatchObject({
      sharpBook: 'fanduel',
      fair: devig([1.6667, 2.5])!.probabilities,
    })
    expect(summary.best[0]).toEqual({ price: 2, sportsbooks: ['pinnacle'] })
  })

  it('is of one line: the one that most sportsbooks have', () => {
    const store = createPriceStore()
    const put = (sportsbook: string, line: number, over: number, under: number) =>
      store.update(
        Object.entries({ over, under }).map(([selection_type, odds_decimal]) =>
          row(`${sportsbook} ${selection_type} ${line}`, {
            ...{ sportsbook, selection_type, odds_decimal, line },
            market_type: 'total_points',
          }),
        ),
        1,
      )
    const totals = { outcomes: ['over', 'under'], isHandicap: false }
    const now = () => summarise(only(store), totals, books, ['fanduel', 'consensus'], isUp)
    put('draftkings', 215.5, 1.91, 1.91)
    put('fanduel', 209.5, 1.38, 3)
    // Over 209.5 and under 215.5 are no two sides of a question.
    expect(now().hold).toBeCloseTo(2 / 1.91 - 1, 12)
    expect(now().best).toEqual([
      { price: 1.91, sportsbooks: ['draftkings'] },
      { price: 1.91, sportsbooks: ['draftkings'] },
    ])
    expect(now().fair).toBeNull()
    put('pinnacle', 209.5, 1.4, 2.9)
    expect(now().hold).toBeCloseTo(1 / 1.4 + 1 / 3 - 1, 12)
    expect(now().sharpBook).toBe('fanduel')
  })

  it('is not of a line whose prices do not count, as those from before a game in play', () => {
    const store = createPriceStore()
    const put = (sportsbook: string, line: number, of: Partial<WireRow> = {}) =>
      store.update(
        ['over', 'under'].map((selection_type) =>
          row(`${sportsbook} ${selection_type}`, {
            ...{ sportsbook, selection_type, odds_decimal: 1.91, line },
            ...{ market_type: 'total_points', ...of },
          }),
        ),
        1,
      )
    put('draftkings', 220.5)
    put('pinnacle', 220.5)
    put('fanduel', 231.5, { is_live: true })
    const totals = { outcomes: ['over', 'under'], isHandicap: false }
    const isLive = (price: Price) => price.isLive
    const { best, hold } = summarise(only(store), totals, books, ['pinnacle'], isLive)
    expect(best.map((one) => one?.sportsbooks)).toEqual([['fanduel'], ['fanduel']])
    expect(hold).toBeCloseTo(2 / 1.91 - 1, 12)
  })

  it('does not count on a game that is postponed', () => {
    const price = { sportsbook: 'fanduel', isLive: false }
    const reason = (game: object) => staleReason(game, price, 'fresh')
    expect(reason({ status: 'upcoming', event_status: 'postponed' })).toBe('The game is postponed')
    expect(reason({ status: 'cancelled' })).toBe('The game is cancelled')
    expect(reason({ status: 'upcoming', event_status: 'upcoming' })).toBeNull()
  })

  it('is of one line also where the visitors have it with the other sign', () => {
    const store = createPriceStore()
    const put = (sportsbook: string, line: number, prices: readonly [number, number]) =>
      store.update(
        ['home', 'away'].map((selection_type, i) =>
          row(`${sportsbook} ${selection_type}`, {
            ...{ sportsbook, selection_type, odds_decimal: prices[i]! },
            ...{ line: i === 0 ? line : -line, market_type: 'point_spread' },
          }),
        ),
        1,
      )
    put('draftkings', -3.5, [1.9, 1.95])
    put('fanduel', -3.5, [1.95, 1.9])
    put('pinnacle', 3.5, [1.2, 5])
    const { best, hold } = summarise(only(store), sides, books, ['pinnacle'], isUp)
    expect(best.map((one) => one?.price)).toEqual([1.95, 1.95])
    expect(hold).toBeCloseTo(2 / 1.95 - 1, 12)
  })

  it('is fair by a blend of those that count, at least two, else by the next anchor', () => {
    const { store } = filled()
    const part = (sportsbook: string, weight: number) => ({ sportsbook, weight })
    const chain = [[part('pinnacle', 3), part('circa', 1), part('draftkings', 1)], 'fanduel']
    const summary = summarise(only(store), twoWays, books, chain, isUp)
    expect(summary).toMatchObject({ sharpBook: 'pinnacle', blend: ['pinnacle', 'draftkings'] })
    const [one, other] = [devig([2, 1.9])!.probabilities, devig([1.9, 1.95])!.probabilities]
    expect(summary.fair![0]).toBeCloseTo((3 * one[0]! + other[0]!) / 4, 12)
    expect(summary.fair![1]).toBeCloseTo((3 * one[1]! + other[1]!) / 4, 12)
    const isAnotherUp = ({ sportsbook }: Price) => sportsbook !== 'draftkings'
    const next = summarise(only(store), twoWays, books, chain, isAnotherUp)
    expect(next).toMatchObject({ sharpBook: 'fanduel', fair: devig([2.1, 1.95])!.probabilities })
    expect(next.blend).toBeUndefined()
  })

  it('is fair by the consensus of three or more where no sharp book offers it', () => {
    const { store, put } = filled()
    const chain = ['circa', 'consensus']
    const fairOf = (counts = isUp) => summarise(only(store), twoWays, ['fanduel'], chain, counts)
    // By hand: the median of the three no-vig chances of home is Pinnacle's, of away too; they sum to 1.
    const home = [1.9, 1.95, 1.95].map((price, at) => devig([price, [2, 1.9, 2.1][at]!])!)
    const chances = home.map(({ probabilities }) => probabilities[0]!).sort()
    const { fair, sharpBook, blend } = fairOf()
    // Questions list the visitors first.
    expect(fair![1]).toBeCloseTo(chances[1]!, 12)
    expect(fair![0]! + fair![1]!).toBeCloseTo(1, 12)
    expect([sharpBook, blend]).toEqual([null, ['pinnacle', 'draftkings', 'fanduel']])
    // Two are none, and neither a reference nor a margin that no sportsbook has makes the third.
    expect(fairOf(({ sportsbook }) => sportsbook !== 'draftkings').fair).toBeNull()
    put('draftkings', 1.95, 1.9, { withheld: 'reference' })
    expect(fairOf().fair).toBeNull()
    put('draftkings', 1.2, 1.2)
    expect(fairOf().fair).toBeNull()
    put('circa', 1.8, 2.1)
    expect(fairOf().sharpBook).toBe('circa')
  })

  it('is fair by the first sharp book with every outcome, like the service', () => {
    const { store } = filled()
    const { fair, sharpBook } = summarise(only(store), twoWays, books, ['circa', 'pinnacle'], isUp)
    expect(sharpBook).toBe('pinnacle')
    expect(fair).toEqual(devig([2, 1.9])!.probabilities)
    store.remove(['pinnacle a'])
    expect(summarise(only(store), twoWays, books, ['pinnacle', 'fanduel'], isUp).sharpBook).toBe(
      'fanduel',
    )
  })
})

describe('a question that others share a market with', () => {
  const kinds: MarketKinds = new Map(
    markets.map(({ id, answers, numericalId }) => [id, { answers, numerical_id: numericalId }]),
  )
  const of = (
    market_type: string,
    prices: Readonly<Record<string, number>>,
    line: number | null = 1.5,
  ) => {
    const store = createPriceStore()
    for (const [selection_type, odds_decimal] of Object.entries(prices)) {
      store.update([row(selection_type, { market_type, selection_type, odds_decimal, line })], 1)
    }
    return [...store.questions.values()]
  }
  const books = ['draftkings']
  const summaryOf = (question: Question, sport = 'soccer') =>
    summarise(question, kindOf(question, kinds, sport), books, books, isUp)

  it('says of a handicap of soccer in play that its prices are not compared', () => {
    const [question] = of('point_spread', { home: 1.9 })
    const [price] = question!.prices.values()
    const reasonOf = (isLive: boolean, sport?: string) =>
      uncomparedReason({ ...price!, isLive }, kinds, sport)
    // Without a sport it may be soccer.
    for (const sport of ['soccer', undefined]) {
      expect(reasonOf(true, sport)).toMatch('Not compared')
      expect(reasonOf(false, sport)).toBe(null)
    }
    expect(reasonOf(true, 'hockey')).toBe(null)
  })

  it('of each team has its own outcomes, hold and fair prices', () => {
    const questions = of('team_total_goals', {
      ...{ away_under: 1.55, home_over: 1.9, home_under: 1.95, away_over: 2.5 },
    })
    expect(questions.map(({ team, answers }) => [team, answers])).toEqual([
      ['away', ['away_over', 'away_under']],
      ['home', ['home_over', 'home_under']],
    ])
    for (const question of questions) {
      const [over, under] = question.answers.map((answer) => cellOf(question, answer, 'draftkings'))
      const { hold, fair } = summaryOf(question)
      expect(hold).toBeCloseTo(1 / over!.price + 1 / under!.price - 1, 12)
      expect(fair).toEqual(devig([over!.price, under!.price])!.probabilities)
      const [rung] = ladderOf(question, kindOf(question, kinds, 'soccer'), isUp)
      expect(rung!.hold).toBeCloseTo(hold!, 12)
    }
  })

  it('has no hold and no fair price where an outcome is missing, or another may come true', () => {
    const lists: [string, Record<string, number>][] = [
      ['double_chance', { home_draw: 1.3, draw_away: 1.6, home_away: 1.25 }],
      ['moneyline', { home: 2.5, away: 3.5 }],
      ['player_to_score', { yes: 2 }],
      ['correct_score', { '1_0': 9, '0_1': 12 }],
      ['something_unlisted', { over: 2.2, under: 2.2 }],
    ]
    for (const [market, prices] of lists) {
      const [question] = of(market, prices)
      expect([market, summaryOf(question!)]).toMatchObject([market, { hold: null, fair: null }])
      const [rung] = ladderOf(question!, kindOf(question!, kinds, 'soccer'), isUp)
      expect([market, rung!.hold]).toEqual([market, null])
    }
    // Elsewhere two outcomes are all of them.
    const [question] = of('moneyline', { home: 1.5, away: 2.5 }, null)
    expect(summaryOf(question!, 'basketball').hold).not.toBeNull()
  })

  it('turns the line of the visitors in a handicap alone', () => {
    const linesOf = (market: string) => {
      const [question] = of(market, { home: 1.9, away: 1.9 }, 20)
      return ladderOf(question!, kindOf(question!, kinds, 'basketball'), isUp).map(
        ({ line }) => line,
      )
    }
    expect(linesOf('point_spread')).toEqual([-20, 20])
    expect(linesOf('race_to_points')).toEqual([20])
  })
})

it('a summary follows the order of the sides, whichever was first when it was taken', () => {
  const store = createPriceStore()
  const prices = { home: 1.3, draw: 5, away: 11 }
  for (const [selection_type, odds_decimal] of Object.entries(prices)) {
    store.update([row(selection_type, { selection_type, odds_decimal })], 1)
  }
  const summaries = createSummaries((question) =>
    summarise(
      question,
      { outcomes: ['home', 'away', 'draw'], isHandicap: false },
      ['draftkings'],
      ['draftkings'],
      isUp,
    ),
  )
  const question = only(store)
  const bestNow = () => summaries.of(question).best.map((best) => best?.price)
  expect(bestNow()).toEqual([11, 5, 1.3])
  store.takeChanged()
  store.orderSides(question, true)
  expect(bestNow()).toEqual([1.3, 5, 11])
  // The drawing code writes it again.
  expect(store.takeChanged()).toEqual([question])
  store.orderSides(question, true)
  expect(store.takeChanged()).toEqual([])
})

describe('a complete row of a known price', () => {
  it('is of the other side once home and away were exchanged', () => {
    const store = createPriceStore()
    const sides = (home: string, away: string) => [
      row('1', { selection_type: home, selection: 'Leeds', odds_decimal: 1.5 }),
      row('2', { selection_type: away, selection: 'Brentford', odds_decimal: 3 }),
    ]
    store.snapshot(sides('home', 'away'))
    store.endSnapshot()
    store.update(sides('away', 'home'), 1)
    const [question] = [...store.questions.values()]
    const priceOf = (answer: string) => [...question!.cells.get(answer)!.values()][0]?.price
    expect([priceOf('home'), priceOf('away'), store.rows.size]).toEqual([3, 1.5, 2])
  })

  it('has no member that it lacks', () => {
    const store = createPriceStore()
    store.update([row('1', { withheld: 'swapped', deep_link: '/there' })], 1)
    store.update([row('1', {})], 2)
    expect(store.rows.get('1')).toMatchObject({ withheld: null, deepLink: null })
    // A moving part names only what has changed.
    store.update([{ id: '1', withheld: 'swapped' }], 3)
    store.update([{ id: '1', odds_decimal: 2.5 }], 4)
    expect(store.rows.get('1')).toMatchObject({ withheld: 'swapped', price: 2.5 })
  })
})

it('a ladder puts both sides of a spread on one rung, and knows the main one', () => {
  const store = createPriceStore()
  const put = (sportsbook: string, line: number, home: number, away: number) =>
    store.update(
      [
        row(`${sportsbook} ${line} h`, {
          sportsbook,
          line,
          odds_decimal: home,
          market_type: 'point_spread',
        }),
        row(`${sportsbook} ${line} a`, {
          sportsbook,
          line: -line,
          odds_decimal: away,
          selection_type: 'away',
          market_type: 'point_spread',
        }),
      ],
      1,
    )
  put('draftkings', -4.5, 1.9, 1.9)
  put('fanduel', -4.5, 1.95, 1.85)
  put('draftkings', -6.5, 2.2, 1.7)
  put('draftkings', 0, 1.5, 2.6)
  const rungs = ladderOf(only(store), sides, isUp)
  expect(rungs.map(({ line }) => line)).toEqual([-6.5, -4.5, 0])
  const main = mainRung(rungs)!
  expect(main.line).toBe(-4.5)
  expect(main.sides.map(({ answer, line, best }) => [answer, line, best?.sportsbook])).toEqual([
    ['away', 4.5, 'draftkings'],
    ['home', -4.5, 'fanduel'],
  ])
  expect(main.hold).toBeCloseTo(1 / 1.9 + 1 / 1.95 - 1, 12)
})

describe('the subject of a page', () => {
  const asked = (market: string | null, more: Partial<Asked> = {}): Asked => ({
    ...noSubject.asked,
    market,
    ...more,
  })
  const put = (store: PriceStore, id: string, more: Partial<WireRow>) =>
    store.update([row(id, { market_type: 'player_points', selection_type: 'over', ...more })], 1)

  it('is the first that there is, and stays while its prices are gone', () => {
    const store = createPriceStore()
    expect(settled(noSubject, store)).toEqual(noSubject)
    put(store, 'a', { player_name: 'A', line: 20.5 })
    put(store, 'b', { player_name: 'B', line: 9.5 })
    const first = settled(noSubject, store)
    expect(first).toMatchObject({ market: 'player_points', line: undefined })
    expect(store.questions.get(first.question!)?.player).toBe('A')
    expect(settled(first, store)).toBe(first)
    // A market that ranks before it, another line, no line at all: the subject stays.
    store.update([row('m')], 1)
    store.remove(['a'])
    expect(settled(first, store)).toBe(first)
    put(store, 'a', { player_name: 'A', line: 21.5 })
    expect(settled(first, store)).toBe(first)
    // A line that the reader has chosen stays too.
    const chosen = { ...first, line: 20.5 }
    expect(settled(chosen, store)).toBe(chosen)
  })

  it('is of the market that is asked for, from its first question on, at the main line', () => {
    const store = createPriceStore()
    store.update([row('m')], 1)
    const total = askedFor(asked('total_points'), settled(noSubject, store))
    expect(settled(total, store)).toBe(total)
    expect(total).toMatchObject({ market: 'total_points', question: null, line: undefined })
    put(store, 't', { market_type: 'total_points', line: 210.5 })
    expect(settled(total, store)).toMatchObject({ market: 'total_points', line: undefined })
    // The same address changes nothing.
    expect(askedFor(asked('total_points'), total)).toBe(total)
  })

  it('is that of the address, also back at the one that names no market', () => {
    const store = createPriceStore()
    store.update([row('m')], 1)
    put(store, 't', { market_type: 'total_points', line: 210.5 })
    const first = settled(askedFor(asked(null), noSubject), store)
    expect(first.market).toBe('moneyline')
    const total = settled(askedFor(asked('total_points'), first), store)
    expect(total.market).toBe('total_points')
    // Its market has no prices now, and it is another market's page no more than before.
    store.remove(['m'])
    const back = settled(askedFor(asked(null), total), store)
    expect(back).toMatchObject({ market: 'moneyline', question: null, line: undefined })
    store.update([row('m')], 1)
    expect(settled(back, store)).toMatchObject({ market: 'moneyline', question: first.question })
    // The address of the market in view keeps what the reader has chosen.
    const chosen = { ...first, line: 3 }
    expect(settled(askedFor(asked('moneyline'), chosen), store)).toEqual({
      ...chosen,
      asked: asked('moneyline'),
    })
    // The first address names a market, and the one without is new.
    const named = settled(askedFor(asked('total_points'), noSubject), store)
    expect(settled(askedFor(asked(null), named), store).market).toBe('moneyline')
  })

  it('is at the line of the address until the reader or another address names one', () => {
    const store = createPriceStore()
    put(store, 'a', { market_type: 'total_points', line: 210.5 })
    const asks = (address: string) => askedIn(new URLSearchParams(address))
    const named = settled(askedFor(asks('market=total_points&line=-4.5'), noSubject), store)
    expect(named.line).toBe(-4.5)
    expect(askedFor(asks('market=total_points&line=-4.5'), named)).toBe(named)
    const chosen = { ...named, line: 3 }
    expect(askedFor(asks('market=total_points&line=-4.5'), chosen).line).toBe(3)
    expect(askedFor(asks('market=total_points&line=0'), chosen).line).toBe(0)
    expect(askedFor(asks('market=moneyline'), chosen).line).toBeUndefined()
    expect(askedFor(asks('market=total_points&line=x'), noSubject).line).toBeUndefined()
    const path = questionPath('a game', { ...asks('market=total_points'), line: -4.5 })
    expect(path).toBe('/events/a%20game?market=total_points&line=-4.5')
  })

  it('is the question of the row that links to it', () => {
    const store = createPriceStore()
    const market_type = 'player_prop'
    put(store, 'a', { market_type, player_name: 'A. Ün & Co', stat_category: 'assists' })
    put(store, 'r', { market_type, player_name: 'A. Ün & Co', stat_category: 'rebounds' })
    put(store, 'h', { market_type: 'team_total', selection_type: 'home_over' })
    put(store, 'v', { market_type: 'team_total', selection_type: 'away_over' })
    for (const question of store.questions.values()) {
      const { searchParams } = new URL(questionPath('a game', question), 'http://localhost')
      const shown = settled(askedFor(askedIn(searchParams), noSubject), store)
      expect(shown.question).toBe(question.key)
    }
    // Another player of the same market is not shown in place of one without prices.
    const gone = asked(market_type, { player: 'B' })
    expect(settled(askedFor(gone, noSubject), store).question).toBeNull()
    const first = settled(askedFor(asked(market_type), noSubject), store)
    const second = settled(askedFor(asked(market_type, { statistic: 'rebounds' }), first), store)
    expect(store.questions.get(second.question!)?.statistic).toBe('rebounds')
  })
})

it('the line that is shown stays while it has prices, when another becomes the main one', () => {
  const rung = (line: number, bookCount: number, best: Price | null = { price: 1.9 } as Price) => {
    const sides = [{ answer: 'over', line, best, prices: new Map<string, Price>() }]
    return { line, sides, bookCount, hold: null }
  }
  const moved = [rung(210.5, 3), rung(211.5, 4)]
  expect(rungToShow(moved, undefined)?.line).toBe(211.5)
  expect(rungToShow(moved, 210.5)?.line).toBe(210.5)
  expect(rungToShow([rung(211.5, 4)], 210.5)?.line).toBe(211.5)
  expect(rungToShow([rung(210.5, 3, null), rung(211.5, 4)], 210.5)?.line).toBe(211.5)
})
