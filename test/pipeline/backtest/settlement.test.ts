/** Bets on +EV against a sheet settled by hand, and plans against a slow recomputation. */

import { describe, expect, it } from 'vitest'
import type { Life } from '../../../pipeline/backtest/lives.ts'
import { type SaidResult, settleLives } from '../../../pipeline/backtest/settlement.ts'

const noon = Date.parse('2026-05-02T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

interface Written {
  readonly game?: number
  readonly market: string
  readonly answer: string
  readonly line?: number
  readonly price: number
  readonly net?: number
  readonly edge?: number
  readonly bornAt?: number
  readonly startsAt?: number
  readonly kind?: Life['kind']
  readonly id?: string
  readonly isLive?: boolean
}

let lastId = 0
function lifeOf({ game = 0, market, answer, line, price, edge = 0.03, ...of }: Written): Life {
  const bornAt = of.bornAt ?? noon
  return {
    id: of.id ?? String(++lastId),
    kind: of.kind ?? 'ev',
    eventId: `game ${game}`,
    startsAt: of.startsAt ?? noon + hour,
    league: 'epl',
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    marketType: market,
    playerName: null,
    isLive: of.isLive ?? false,
    isSuspected: false,
    legs: [
      {
        sportsbook: 'fanduel',
        selectionType: answer,
        line: line ?? null,
        price,
        net: of.net ?? price,
      },
    ],
    bornAt,
    worthAtBirth: edge,
    peak: edge,
    peakAt: bornAt,
    endedAt: bornAt,
    end: 'prices',
  }
}

/** Returns the result of a soccer game that ended in regulation time. */
function resultOf(home: number, away: number, startsAt = noon + hour): SaidResult {
  const observedAt = startsAt + 2 * hour
  const report = { sportsbook: 'fanduel', observedAt, final: { home, away }, endedIn: '2H' }
  const game = {
    eventId: 'any',
    sport: 'soccer',
    league: 'epl',
    startsAt,
    status: 'final',
  } as const
  return { row: { ...game, reports: [{ ...report, periods: [] }] }, at: observedAt }
}

describe('a bet on +EV', () => {
  // Leeds United 2, Brentford 1. The number is the profit of a stake of 100.
  const sheet: readonly (readonly [Written, string, number])[] = [
    [{ market: 'moneyline', answer: 'home', price: 2.35 }, 'won', 135],
    [{ market: 'moneyline', answer: 'draw', price: 3.6 }, 'lost', -100],
    [{ market: 'point_spread', answer: 'home', line: -1, price: 2.8 }, 'refunded', 0],
    [{ market: 'point_spread', answer: 'home', line: -0.75, price: 2.31 }, 'half_won', 65.5],
    [{ market: 'point_spread', answer: 'home', line: -1.25, price: 3.05 }, 'half_lost', -50],
    [{ market: 'point_spread', answer: 'away', line: 0.75, price: 1.74 }, 'half_lost', -50],
    [{ market: 'point_spread', answer: 'away', line: 1.25, price: 1.47 }, 'half_won', 23.5],
    [{ market: 'total_goals', answer: 'over', line: 2.75, price: 2.11 }, 'half_won', 55.5],
    [{ market: 'total_goals', answer: 'under', line: 2.75, price: 1.85 }, 'half_lost', -50],
    [{ market: 'total_goals', answer: 'over', line: 3, price: 2.4 }, 'refunded', 0],
    [{ market: 'total_goals', answer: 'under', line: 3.25, price: 1.67 }, 'half_won', 33.5],
    [{ market: 'total_goals', answer: 'over', line: 2.5, price: 1.955 }, 'won', 95.5],
  ]
  const results = new Map([['game 0', resultOf(2, 1)]])

  it.each(sheet)('is settled by the sheet: %o', (written, outcome, profit) => {
    const { bets, plans } = settleLives([lifeOf(written)], results)
    expect(bets.map((bet) => bet.outcome)).toEqual([outcome])
    expect(plans[0]).toMatchObject({ plan: 'flat', bets: 1, staked: 100, profit })
  })

  it('gains by its price after the fee', () => {
    const written = { market: 'moneyline', answer: 'home', price: 2.35, net: 2.2825, edge: 0.0541 }
    const { bets, plans } = settleLives([lifeOf(written)], results, { kelly: 1, cap: 0.01 })
    expect(bets).toMatchObject([{ price: 2.35, net: 2.2825, outcome: 'won' }])
    // The Kelly stake is the edge by the net odds less one: 0.0541 / 1.2825 of 10,000.
    expect(plans).toMatchObject([
      { plan: 'flat', staked: 100, profit: 128.25 },
      { plan: 'kelly', staked: 421.83, profit: 541 },
      { plan: 'capped kelly', staked: 100, profit: 128.25 },
    ])
  })

  it('sums to the totals of the sheet', () => {
    const {
      plans,
      unsettled,
      yield: mean,
    } = settleLives(
      sheet.map(([written]) => lifeOf(written)),
      results,
    )
    const profit = 158.5
    expect(sheet.reduce((sum, [, , one]) => sum + one, 0)).toBe(profit)
    expect([plans[0]!.profit, plans[0]!.roi, unsettled]).toEqual([profit, 0.01585, 0])
    expect(plans[0]!.yield).toBeCloseTo(profit / 1_200, 12)
    expect(mean!.mean).toBeCloseTo(profit / 1_200, 12)
    // Bets on one game give no interval.
    expect([mean!.low, mean!.high]).toEqual([null, null])
  })

  it('is left out without a score, if no score settles it, and the second time', () => {
    const home = { market: 'moneyline', answer: 'home', price: 2 }
    const { bets, unsettled } = settleLives(
      [
        lifeOf({ ...home, id: 'a' }),
        lifeOf({ ...home, id: 'a', bornAt: noon + 1 }),
        lifeOf({ ...home, game: 1 }),
        lifeOf({ market: 'player_shots', answer: 'over', line: 1.5, price: 2 }),
        lifeOf({ ...home, kind: 'arbitrage' }),
      ],
      results,
    )
    expect([bets.length, unsettled]).toEqual([1, 2])
  })

  it('is not settled if the game was played more than 12 hours later, or earlier', () => {
    const home = { market: 'moneyline', answer: 'home', price: 2 }
    const settle = (startsAt: number) => {
      const { bets, unsettled } = settleLives([lifeOf({ ...home, startsAt })], results)
      return [bets.length, unsettled]
    }
    const played = noon + hour
    expect(settle(played - 12 * hour)).toEqual([1, 0])
    expect(settle(played - 12 * hour - 1)).toEqual([0, 1])
    expect(settle(played + 12 * hour + 1)).toEqual([0, 1])
  })

  it('in play on a handicap of soccer is not settled, since most sportsbooks count from the bet on', () => {
    const handicap = { market: 'point_spread', answer: 'home', line: -0.75, price: 2.31 }
    const inPlay = { isLive: true, bornAt: noon + 1.5 * hour }
    const settle = (...written: Written[]) => {
      const { bets, unsettled, plans } = settleLives(written.map(lifeOf), results)
      return { outcomes: bets.map(({ outcome }) => outcome), unsettled, bets: plans[0]!.bets }
    }
    const none = { outcomes: [], unsettled: 1, bets: 0 }
    expect(settle({ ...handicap, ...inPlay })).toEqual(none)
    expect(settle({ ...handicap, ...inPlay, market: '1st_half_point_spread' })).toEqual(none)
    // The recording may not call the game live.
    expect(settle({ ...handicap, bornAt: noon + 1.5 * hour })).toEqual(none)
    expect(settle(handicap)).toEqual({ outcomes: ['half_won'], unsettled: 0, bets: 1 })
    expect(
      settle(
        { ...inPlay, market: 'total_goals', answer: 'over', line: 2.5, price: 2 },
        { ...inPlay, market: 'moneyline', answer: 'home', price: 2 },
      ),
    ).toEqual({ outcomes: ['won', 'won'], unsettled: 0, bets: 2 })
  })
})

/** Returns a pseudo-random number that depends on its place only. */
const drawn = (place: number) => {
  const value = Math.sin(place * 12.9898 + 78.233) * 43_758.5453
  return value - Math.floor(value)
}

describe('staking plans', () => {
  const games = 80
  const startOf = (game: number) => noon + (game % 20) * day + (game % 3) * hour
  const homeGoals = (game: number) => Math.floor(drawn(game) * 4)
  const results = new Map(
    Array.from({ length: games }, (_, game) => [
      `game ${game}`,
      resultOf(homeGoals(game), 1, startOf(game)),
    ]),
  )
  const lives = Array.from({ length: 2 * games }, (_, i) =>
    lifeOf({
      game: i % games,
      market: 'point_spread',
      answer: i % 2 === 0 ? 'home' : 'away',
      line: [-0.5, -0.25, 0, 0.25, 0.75, 1][Math.floor(drawn(i + 500) * 6)]!,
      price: 1.7 + drawn(i + 900),
      edge: 0.01 + 0.2 * drawn(i + 1_300),
      startsAt: startOf(i % games),
      bornAt: startOf(i % games) - Math.floor(30 * drawn(i + 1_700)) * hour,
    }),
  ).sort((a, b) => a.bornAt - b.bornAt)

  /** Returns the payout of a stake, settled half by half. */
  function paid({ eventId, legs: [leg] }: Life, stake: number): number {
    const margin = homeGoals(Number(eventId.slice(5))) - 1
    const own = leg!.selectionType === 'home' ? margin : -margin
    const line = leg!.line!
    const halves = Number.isInteger(2 * line) ? [line, line] : [line - 0.25, line + 0.25]
    const all = halves.reduce((sum, half) => {
      const gap = own + half
      return sum + (gap > 0 ? leg!.price : gap === 0 ? 1 : 0) / 2
    }, 0)
    return Math.round(100 * stake * all + 1e-7) / 100
  }
  const endOf = ({ eventId, bornAt }: Life) => Math.max(results.get(eventId)!.at, bornAt + 1)

  /** Computes each stake from all bets before it. */
  function slowPlan(stakeOf: (life: Life, settled: number) => number, isFlat: boolean) {
    const stakes: number[] = []
    const gain = (i: number) => paid(lives[i]!, stakes[i]!) - stakes[i]!
    const settledBy = (at: number, count: number) =>
      lives.reduce((sum, life, i) => (i < count && endOf(life) <= at ? sum + gain(i) : sum), 10_000)
    for (const [i, life] of lives.entries()) {
      const settled = settledBy(life.bornAt, i)
      const atStake = lives.reduce(
        (sum, other, n) => (n < i && endOf(other) > life.bornAt ? sum + stakes[n]! : sum),
        0,
      )
      const most = isFlat ? Number.POSITIVE_INFINITY : settled - atStake
      stakes.push(Math.round(100 * Math.min(stakeOf(life, settled), most) + 1e-7) / 100)
    }
    const ends = lives.map((life, i) => ({ at: endOf(life), i })).sort((a, b) => a.at - b.at)
    const course = [10_000]
    for (const at of new Set(ends.map((end) => end.at))) {
      const gains = ends.flatMap((end) => (end.at === at ? gain(end.i) : []))
      course.push(gains.reduce((sum, value) => sum + value, course.at(-1)!))
    }
    const falls = course.flatMap((height, i) => course.slice(i).map((later) => height - later))
    const shares = course.flatMap((height, i) =>
      course.slice(i).map((later) => (height - later) / height),
    )
    return {
      bets: lives.length,
      staked: expect.closeTo(
        stakes.reduce((sum, stake) => sum + stake, 0),
        4,
      ),
      profit: expect.closeTo(course.at(-1)! - 10_000, 4),
      drawdown: expect.closeTo(Math.max(...falls), 4),
      drawdownShare: expect.closeTo(Math.max(...shares), 8),
    }
  }

  it('equal a computation bet by bet', () => {
    const kelly = ({ worthAtBirth, legs }: Life) => worthAtBirth / (legs[0]!.price - 1)
    const staking = { kelly: 0.5, cap: 0.04 }
    const { plans } = settleLives(lives, results, staking)
    expect(plans[0]).toMatchObject(slowPlan(() => 100, true))
    expect(plans[1]).toMatchObject(slowPlan((life, all) => 0.5 * kelly(life) * all, false))
    expect(plans[2]).toMatchObject(
      slowPlan((life, all) => Math.min(0.5 * kelly(life), 0.04) * all, false),
    )
    expect(plans[2]!.staked).toBeLessThan(plans[1]!.staked)
  })

  it('fall by the results of one instant together, in any order', () => {
    const bets = Array.from({ length: 20 }, (_, i) => (i < 10 ? 'home' : 'away'))
    const fallOf = (answers: readonly string[]) => {
      const written = answers.map((answer, i) =>
        lifeOf({ market: 'moneyline', answer, price: 2, bornAt: noon + i }),
      )
      const won = new Map([['game 0', resultOf(2, 1)]])
      return settleLives(written, won).plans.map(({ drawdown, drawdownShare }) => [
        drawdown,
        drawdownShare,
      ])
    }
    expect(fallOf(bets)[0]).toEqual([0, 0])
    expect(fallOf([...bets].reverse())[0]).toEqual([0, 0])
    expect(fallOf([...bets, 'away', 'away'])[0]).toEqual([200, 0.02])
  })

  it('are separated by halves of the days', () => {
    const { halves } = settleLives(lives, results)
    const dayOf = ({ bornAt }: Life) => new Date(bornAt).toISOString().slice(0, 10)
    const days = [...new Set(lives.map(dayOf))].sort()
    const middle = days[Math.ceil(days.length / 2)]!
    for (const [i, half] of halves.entries()) {
      const some = lives.filter((life) => dayOf(life) < middle === (i === 0))
      const gains = some.map((life) => paid(life, 100) / 100 - 1)
      expect(half.bets).toBe(some.length)
      expect(half.yield.mean).toBeCloseTo(gains.reduce((a, b) => a + b, 0) / some.length, 10)
      expect(half.yield.low!).toBeLessThan(half.yield.mean)
      expect(half.edge).toBeCloseTo(
        some.reduce((sum, { worthAtBirth }) => sum + worthAtBirth, 0) / some.length,
        10,
      )
    }
    expect(halves.map(({ from }) => from)).toEqual([days[0], middle])
  })
})
