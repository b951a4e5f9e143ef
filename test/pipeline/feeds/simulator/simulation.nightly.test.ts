import { beforeAll, describe, expect, it } from 'vitest'
import { bookProfiles } from '../../../../pipeline/feeds/simulator/books.ts'
import { sizeFor } from '../../../../pipeline/feeds/simulator/load.ts'
import {
  createSimulation,
  type Simulation,
} from '../../../../pipeline/feeds/simulator/simulation.ts'
import { middleKind, outcomesOf } from '../../../../pipeline/rules/odds/questions.ts'
import type {
  BookStatusRecord,
  EventStatusRecord,
  FeedMarket,
  FeedRecord,
  OddsRecord,
} from '../../../../schemas/feed-record.ts'
import { findLeague } from '../../../../schemas/reference/leagues.ts'
import { findMarket } from '../../../../schemas/reference/markets.ts'
import { findSport } from '../../../../schemas/reference/sports.ts'
import { findSportsbook } from '../../../../schemas/reference/sportsbooks.ts'
import { findTeam, teams } from '../../../../schemas/reference/teams.ts'
import { createBoard, listingKey } from './board.ts'

/** A Sunday of football on both sides of the ocean. */
const startAt = Date.UTC(2026, 10, 22, 17, 30)
const second = 1000
const minute = 60 * second

const teamCount = new Map<string, number>()
for (const league of teams.flatMap(({ leagues }) => leagues)) {
  teamCount.set(league, (teamCount.get(league) ?? 0) + 1)
}
/** Returns whether the reference data has all clubs of a league, not only some. */
const isWhole = (league: string) => (teamCount.get(league) ?? 0) >= 10

const isOdds = (record: FeedRecord): record is OddsRecord => record.type === 'odds'

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const booksumOf = ({ selections }: FeedMarket) =>
  selections.reduce((sum, { price }) => sum + (price === null ? 0 : 1 / price), 0)

/** Runs in steps of this length and returns all records. */
function play(simulation: Simulation, from: number, to: number, stepMs: number): FeedRecord[] {
  const published: FeedRecord[] = []
  for (let now = from; now <= to; now += stepMs) {
    for (const record of simulation.step(now)) published.push(record)
  }
  return published
}

describe('one simulated hour of 60 games', () => {
  let simulation: Simulation
  let published: FeedRecord[] = []
  let first: FeedRecord[] = []
  const board = createBoard()
  /** Longest time between two unchanged observations of a sportsbook before a game. */
  const stillMs = new Map<string, number>()

  beforeAll(() => {
    simulation = createSimulation({ seed: 2, startAt, changesPerSecond: 60, events: 60 })
    first = [...simulation.step(startAt)]
    published = [...first, ...play(simulation, startAt + 200, startAt + 60 * minute, 200)]
    const lastMove = new Map<string, number>()
    for (const record of published) {
      if (record.type !== 'odds') continue
      const { sportsbook, observedAt, event } = record
      const changesBefore = board.changes()
      board.apply([record])
      if (event.isLive) continue
      if (board.changes() > changesBefore || !lastMove.has(sportsbook)) {
        lastMove.set(sportsbook, observedAt)
        continue
      }
      const still = observedAt - (lastMove.get(sportsbook) ?? observedAt)
      stillMs.set(sportsbook, Math.max(stillMs.get(sportsbook) ?? 0, still))
    }
  })

  it('opens with one snapshot per game and sportsbook, games in play among them', () => {
    const odds = first.filter(isOdds)
    expect(new Set(odds.map(listingKey)).size).toBe(odds.length)
    expect(odds.every(({ mode }) => mode === 'snapshot')).toBe(true)
    expect(new Set(odds.map(({ sportsbook }) => sportsbook)).size).toBe(32)
    expect(odds.some(({ event }) => event.isLive)).toBe(true)
    expect(odds.some(({ event }) => event.startsAt > startAt + 6 * 60 * minute)).toBe(true)
  })

  it('names only sports, leagues, sportsbooks, teams and markets that the reference resolves', () => {
    const unresolved = new Set<string>()
    for (const { sportsbook, event, markets } of published.filter(isOdds)) {
      if (findSportsbook(sportsbook)?.id !== sportsbook) unresolved.add(sportsbook)
      if (!findSport(event.sport)) unresolved.add(event.sport)
      const league = findLeague(event.league, event.sport)
      if (!league) unresolved.add(event.league)
      else if (isWhole(league.id)) {
        if (!findTeam(event.homeTeam, league.id)) unresolved.add(event.homeTeam)
        if (!findTeam(event.awayTeam, league.id)) unresolved.add(event.awayTeam)
      }
      for (const { marketType } of markets) if (!findMarket(marketType)) unresolved.add(marketType)
    }
    expect([...unresolved]).toEqual([])
  })

  it('has only valid prices, on existing lines, with sides that belong together', () => {
    const faults = new Set<string>()
    const check = (isRight: boolean, fault: string) => isRight || faults.add(fault)
    for (const { event, markets, sportsbook } of published.filter(isOdds)) {
      check(event.homeTeam !== event.awayTeam, 'a team against itself')
      for (const market of markets) {
        const { marketType, line, selections } = market
        const where = `${sportsbook} ${marketType}`
        const types = selections.map(({ selectionType }) => selectionType)
        const sets = outcomesOf(marketType, event.sport) ?? []
        // The draw is listed between the sides.
        const named = sets.map((set) => (set.length === 3 ? [set[0], set[2], set[1]] : set).join())
        check(named.includes(types.join()), `${where} sides ${types}`)
        if (middleKind(marketType) === 'total') {
          check(line !== null && line > 0 && Number.isInteger(line * 4), `${where} line ${line}`)
          check(
            selections.every((side) => side.line === null),
            `${where} lines of its own`,
          )
        }
        const handicaps = selections.map((side) => side.line).filter((own) => own !== null)
        if (handicaps.length > 0) {
          check(handicaps.length === 2 && handicaps[0]! + handicaps[1]! === 0, `${where} lines`)
          check(
            handicaps.every((own) => Number.isInteger(own * 4)),
            `${where} ${handicaps}`,
          )
          check(!handicaps.some((own) => Object.is(own, -0)), `${where} minus zero`)
        }
        check(
          findMarket(marketType)?.isPlayerProp === (market.playerName !== null),
          `${where} player ${market.playerName}`,
        )
        for (const { price, removed } of selections) {
          if (removed) check(price === null, `${where} removed with a price`)
          else {
            const isPrice = price !== null && Number.isFinite(price) && price > 1 && price <= 101
            check(isPrice, `${where} price ${price}`)
          }
        }
      }
    }
    expect([...faults].slice(0, 10)).toEqual([])
  })

  it('keeps each sportsbook near the margin it aims at, and next to no market below 1', () => {
    const sums = new Map<string, number[]>()
    for (const { sportsbook, markets } of published.filter(isOdds)) {
      const own = sums.get(sportsbook) ?? []
      sums.set(sportsbook, own)
      for (const market of markets) {
        if (!market.selections[0]?.removed) own.push(booksumOf(market))
      }
    }
    for (const { id, margin } of bookProfiles) {
      const typical = median(sums.get(id) ?? [])
      expect(Math.abs(typical - 1 - margin), `${id} at ${typical}`).toBeLessThan(0.006)
      expect(typical).toBeGreaterThanOrEqual(1.015)
      expect(typical).toBeLessThanOrEqual(1.08)
    }
    const all = [...sums.values()].flat()
    expect(all.filter((sum) => sum < 1).length / all.length).toBeLessThan(0.001)
  })

  it('never lets a sportsbook observe a game earlier than it already did', () => {
    const last = new Map<string, number>()
    let backwards = 0
    for (const record of published.filter(isOdds)) {
      const before = last.get(listingKey(record)) ?? 0
      if (record.observedAt < before) backwards++
      last.set(listingKey(record), record.observedAt)
    }
    expect(backwards).toBe(0)
    expect(Math.max(...last.values())).toBeLessThanOrEqual(startAt + 60 * minute)
  })

  it('observes every listing often enough to be fresh', () => {
    const last = new Map<string, OddsRecord>()
    let gaps = 0
    let spells = 0
    for (const record of published.filter(isOdds)) {
      const before = last.get(listingKey(record))
      last.set(listingKey(record), record)
      if (!before || before.markets.length === 0 || before.event.isLive !== record.event.isLive) {
        continue
      }
      spells++
      if (record.observedAt - before.observedAt > (record.event.isLive ? minute : 5 * minute))
        gaps++
    }
    // The rest is outages and books that fell silent.
    expect(gaps / spells).toBeLessThan(0.01)
  })

  it('has one game per id, and different games under different ids', () => {
    const games = new Map<string, number>()
    for (const record of published.filter(isOdds)) {
      const { externalId } = record.event
      if (externalId === null) throw new Error('a listing without an id')
      const game = simulation.truth(record.sportsbook, externalId)
      if (game === undefined) throw new Error(`no truth for ${record.sportsbook} ${externalId}`)
      const before = games.get(listingKey(record))
      if (before !== undefined && before !== game) throw new Error('one id, two games')
      games.set(listingKey(record), game)
    }
    const perBook = [...games].map(([key, game]) => `${key.split(' ')[0]} ${game}`)
    expect(new Set(perBook).size).toBe(games.size)
    expect(simulation.truth('pinnacle', 'no such id')).toBeUndefined()
  })

  it('lets sportsbooks differ in spelling, start time and sides of one game', () => {
    const names = new Map<number, Set<string>>()
    const starts = new Map<number, Set<number>>()
    const homes = new Map<number, Set<string>>()
    for (const { sportsbook, event } of first.filter(isOdds)) {
      const game = simulation.truth(sportsbook, event.externalId ?? '')
      if (game === undefined) throw new Error('no truth')
      const add = <T>(of: Map<number, Set<T>>, value: T) =>
        of.set(game, (of.get(game) ?? new Set<T>()).add(value))
      add(names, event.homeTeam)
      add(starts, event.startsAt)
      const truly = simulation.games().find(({ number }) => number === game)
      if (truly) add(homes, truly.home.names.includes(event.homeTeam) ? 'home' : 'away')
    }
    const several = (of: Map<number, Set<unknown>>) =>
      [...of.values()].filter(({ size }) => size > 1).length
    expect(several(names)).toBeGreaterThan(30)
    expect(several(starts)).toBeGreaterThan(30)
    expect(several(homes)).toBeGreaterThan(5)
  })

  it('takes games from upcoming through live to final, and their odds off the board', () => {
    const statuses = new Map<string, string[]>()
    for (const { sportsbook, event, status } of published.filter(
      (record): record is EventStatusRecord => record.type === 'event_status',
    )) {
      const key = `${sportsbook} ${event.externalId}`
      statuses.set(key, [...(statuses.get(key) ?? []), status])
    }
    const kinds = new Set([...statuses.values()].map((list) => list.join()))
    expect(kinds).toContain('live')
    expect(kinds).toContain('live,final')
    for (const kind of kinds) expect(['live', 'live,final', 'final']).toContain(kind)

    for (const [key, list] of statuses) {
      if (list.at(-1) === 'final') expect(board.listings.get(key)?.rows.size).toBe(0)
    }
    const flipped = new Set<string>()
    const before = new Set<string>()
    for (const record of published.filter(isOdds)) {
      if (!record.event.isLive) before.add(listingKey(record))
      else if (before.has(listingKey(record))) flipped.add(listingKey(record))
    }
    expect(flipped.size).toBeGreaterThan(20)
    // A listing in play never turns back.
    const live = new Set<string>()
    for (const record of published.filter(isOdds)) {
      if (record.event.isLive) live.add(listingKey(record))
      else if (live.has(listingKey(record))) throw new Error('back from play')
    }
    // New games have replaced the finished ones.
    expect(simulation.games().length).toBe(60)
  })

  it('suspends, withdraws and lists again, and has outages', () => {
    const odds = published.filter(isOdds)
    expect(odds.some(({ markets }) => markets.some(({ suspended }) => suspended))).toBe(true)
    const removals = odds.filter(
      ({ mode, markets }) =>
        mode === 'delta' && markets.every(({ selections }) => selections[0]?.removed),
    )
    expect(removals.length).toBeGreaterThan(5)
    const empty = new Set<string>()
    const back = new Set<string>()
    for (const record of odds) {
      if (record.markets.length === 0) empty.add(listingKey(record))
      else if (empty.has(listingKey(record))) back.add(listingKey(record))
    }
    expect(back.size).toBeGreaterThan(0)

    const downs = published.filter(
      (record): record is BookStatusRecord => record.type === 'book_status',
    )
    expect(downs.some(({ status }) => status === 'down')).toBe(true)
    expect(downs.some(({ status }) => status === 'up')).toBe(true)
    const down = new Set<string>()
    for (const record of published) {
      if (record.type === 'book_status') {
        if (record.status === 'down') down.add(record.sportsbook)
        else down.delete(record.sportsbook)
      } else if (down.has(record.sportsbook)) throw new Error(`${record.sportsbook} is down`)
    }
  })

  it('has sportsbooks that go stale: observed, but with prices that stand still for minutes', () => {
    const stale = [...stillMs.values()].filter((still) => still > 100 * second)
    expect(stale.length).toBeGreaterThanOrEqual(2)
  })

  it('has sportsbooks that push deltas and others that only send snapshots', () => {
    const modes = new Map<string, Set<string>>()
    for (const { sportsbook, mode, markets } of published.filter(isOdds)) {
      const isPause = markets.every(({ suspended }) => suspended)
      if (!isPause) modes.set(sportsbook, (modes.get(sportsbook) ?? new Set()).add(mode))
    }
    for (const { id, delivery } of bookProfiles.filter(({ hasLive }) => hasLive)) {
      const has = modes.get(id)
      expect(has?.has('snapshot'), id).toBe(true)
      if (delivery === 'push') expect(has?.has('delta'), id).toBe(true)
    }
    const small = published
      .filter(isOdds)
      .filter(({ mode }) => mode === 'delta')
      .filter(({ markets }) => markets.length <= 2)
    const deltas = published.filter(isOdds).filter(({ mode }) => mode === 'delta')
    expect(small.length / deltas.length).toBeGreaterThan(0.6)
  })

  it('has scores that hardly ever fall, and splits that are shares', () => {
    const scores = new Map<string, number>()
    let reports = 0
    let falls = 0
    let splits = 0
    for (const record of published) {
      if (record.type === 'game_state') {
        const key = `${record.sportsbook} ${record.event.externalId}`
        const { home_score: home, away_score: away } = record.state
        const sum = Number(home) + Number(away)
        reports++
        // The next report takes back a wrong score.
        if (sum < (scores.get(key) ?? 0)) falls++
        scores.set(key, sum)
      } else if (record.type === 'splits') {
        splits++
        for (const shares of [record.moneyline, record.spread, record.total]) {
          for (const pair of [shares?.bets, shares?.handle]) {
            if (pair) expect(pair[0] + pair[1]).toBeCloseTo(1, 9)
          }
        }
      }
    }
    expect(scores.size).toBeGreaterThan(5)
    expect(falls).toBeGreaterThan(0)
    expect(falls / reports).toBeLessThan(0.01)
    expect(splits).toBeGreaterThan(5)
  })

  it('keeps its rate, counted from its own records', () => {
    expect(board.changes() / 3600 / 60).toBeGreaterThan(0.9)
    expect(board.changes() / 3600 / 60).toBeLessThan(1.1)
  })
})

describe('the seed', () => {
  const run = (seed: number) => {
    const simulation = createSimulation({ seed, startAt, changesPerSecond: 300, events: 30 })
    return JSON.stringify(play(simulation, startAt, startAt + 40 * second, 700))
  }

  it('makes equal seeds produce the same bytes, and other seeds others', () => {
    const once = run(21)
    expect(run(21) === once).toBe(true)
    expect(run(22) === once).toBe(false)
  })
})

describe('the anchor', () => {
  it('moves first: the others have not repriced when it has, and have after their lag', () => {
    const simulation = createSimulation({
      seed: 2,
      startAt,
      changesPerSecond: 300,
      events: 12,
      leagues: ['nba'],
    })
    // Large moves of the anchor's main total, and the time of each book's first statement of that line after it.
    const lags = new Map<string, number[]>()
    const anchorLines = new Map<number, { lines: Set<number>; at: number }>()
    for (const record of play(simulation, startAt, startAt + 30 * minute, 500)) {
      if (record.type !== 'odds' || record.event.isLive) continue
      const game = simulation.truth(record.sportsbook, record.event.externalId ?? '')
      if (game === undefined) continue
      const lines = record.markets
        .filter(
          ({ marketType, selections }) => marketType === 'total_points' && !selections[0]?.removed,
        )
        .map(({ line }) => line ?? 0)
      const known = anchorLines.get(game)
      if (record.sportsbook === 'pinnacle') {
        const fresh = lines.filter((line) => !known?.lines.has(line))
        if (fresh.length > 0) {
          anchorLines.set(game, {
            lines: new Set([...(known?.lines ?? []), ...fresh]),
            at: record.observedAt,
          })
        }
      } else if (record.mode === 'delta' && known && record.markets.length >= 6) {
        const { sportsbook } = record
        lags.set(sportsbook, [...(lags.get(sportsbook) ?? []), record.observedAt - known.at])
      }
    }
    const slow = median(lags.get('sportsbet') ?? [])
    const quick = median(lags.get('bookmaker') ?? [])
    expect(quick).toBeGreaterThanOrEqual(0)
    expect(slow).toBeGreaterThan(quick)
  })
})

describe('the rate', () => {
  it.each([
    [10, 20 * 60, 1000],
    [1000, 90, 100],
    [50_000, 5, 20],
  ])('is %d changes a second within a tenth', (rate, seconds, stepMs) => {
    const simulation = createSimulation({ seed: 9, startAt, changesPerSecond: rate })
    const board = createBoard()
    board.apply(simulation.step(startAt))
    const before = board.changes()
    for (let now = startAt + stepMs; now <= startAt + seconds * second; now += stepMs) {
      board.apply(simulation.step(now))
    }
    const measured = (board.changes() - before) / seconds
    expect(measured / rate).toBeGreaterThan(0.9)
    expect(measured / rate).toBeLessThan(1.1)
  })
})

describe('a long run', () => {
  it('continues for days, with games in play and many leagues', () => {
    const simulation = createSimulation({ seed: 4, startAt, changesPerSecond: 10, events: 120 })
    simulation.step(startAt)
    for (let hours = 1; hours <= 36; hours += 2) simulation.step(startAt + hours * 60 * minute)
    const games = simulation.games()
    const live = games.filter(({ stage }) => stage === 'live').length
    expect(games.length).toBe(120)
    expect(live).toBeGreaterThan(0)
    expect(live).toBeLessThan(80)
    expect(new Set(games.map(({ league }) => league.sport)).size).toBeGreaterThanOrEqual(7)
    expect(new Set(games.map(({ league }) => league.id)).size).toBeGreaterThanOrEqual(14)
    expect(simulation.counts().selections).toBeGreaterThan(30_000)
  })

  it('refuses a clock that goes back', () => {
    const simulation = createSimulation({ seed: 4, startAt, events: 24 })
    simulation.step(startAt)
    expect(() => simulation.step(startAt - 1)).toThrow(RangeError)
  })
})

describe('sizeFor', () => {
  it.each([20_000, 250_000])('gives a board of about %d rows', (rows) => {
    const size = sizeFor(rows)
    const simulation = createSimulation({ seed: 6, startAt, ...size })
    const board = createBoard()
    for (let now = startAt; now <= startAt + size.openingMs + 200; now += 200) {
      board.apply(simulation.step(now))
    }
    let listed = 0
    for (const { rows: own } of board.listings.values()) listed += own.size
    expect(listed / rows).toBeGreaterThan(0.8)
    expect(listed / rows).toBeLessThan(1.2)
  })
})
