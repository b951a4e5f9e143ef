/** Chosen sets of sportsbooks over a simulated board, each compared with opportunities recomputed from all rows. */

import { createRandom, type Random } from '../../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import type { Append } from '../../pipeline/log/log.ts'
import {
  type BookSet,
  type BookSets,
  createBookSets,
  type SetFinder,
} from '../../pipeline/processors/opportunities/book-sets.ts'
import { type Fees, noFees } from '../../pipeline/rules/odds/fees.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { type OpportunityRow, visibilityBit } from '../../schemas/opportunity.ts'
import type { Fee } from '../../schemas/reference/fees.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { topics } from '../../schemas/topics.ts'
import { onLog } from './made-up-histories.ts'
import { createRealBoard } from './real-board.ts'
import { slowOpportunities } from './slow-opportunities.ts'

const chain = sharpChain('pinnacle')

const sportsbooks = [
  ...['draftkings', 'fanduel', 'betmgm', 'caesars', 'thescorebet', 'bet365', 'bovada'],
  ...['betonline', 'novig', 'kalshi', 'pinnacle', 'circa', 'bookmaker', 'betfair', 'unibet_uk'],
]

export interface Difference {
  readonly books: readonly string[]
  readonly what: string
  readonly id: string
}

/** A set with the rows that it reported. */
interface OpenSet {
  readonly set: BookSet
  readonly finder: SetFinder
  readonly rows: Map<string, OpportunityRow>
}

/**
 * Plays `setCount` sets over one simulated board, a few at a time. A closed set frees its place for another.
 * @param places number of sets at once
 * @returns counts of what was seen, and every difference from the slow computation
 */
export function playBookSets(seed: number, setCount: number, places: number) {
  const random = createRandom(seed)
  const fees: Fees = random.chance(0.5) ? noFees : new Map([['betfair', winnings(0.05)]])
  const real = createRealBoard({ sharpChain: chain, fees })
  const sets = createBookSets(chain, fees, places)
  const differences: Difference[] = []
  const seen = new Map<string, number>()
  const startAt = Date.parse('2026-05-02T18:00:00Z')
  const simulation = createSimulation({
    seed,
    startAt,
    events: 4,
    changesPerSecond: 12,
    books: sportsbooks,
    leagues: ['nba', 'england_-_premier_league', 'nfl', 'mlb'],
  })
  let open: OpenSet[] = []
  let opened = 0

  const tableRow = (id: string) => real.tables.opportunities.get(id)

  function openOne() {
    const size = 1 + random.below(8)
    const books = new Set(Array.from({ length: size }, () => random.pick(sportsbooks)))
    const own = [...books].filter(() => random.chance(0.3))
    const ownFees = random.chance(0.5)
      ? fees
      : new Map([...fees, ...own.map((book) => [book, winnings(random.between(0, 0.08))] as const)])
    const set: BookSet = { sportsbooks: books, fees: ownFees, isOwners: false }
    const rows = new Map<string, OpportunityRow>()
    const finder = sets.open(set, tableRow, (id, row) => {
      if (row === null && !rows.delete(id)) differences.push(of(set, 'gone before it came', id))
      if (row) rows.set(id, row)
    })
    if (!finder) throw new Error('no place is free')
    opened++
    open.push({ set, finder, rows })
  }

  function compare({ set, rows, finder }: OpenSet, now: number) {
    const expected = new Map(
      [...slowOpportunities(real.tables, now, chain, set.fees, set.sportsbooks).rows].filter(
        ([, row]) => (row.scopes & visibilityBit.all) !== 0 && isAmong(row, set),
      ),
    )
    if (finder.size !== rows.size) differences.push(of(set, 'counted wrong', ''))
    for (const [id, row] of expected) {
      const actual = rows.get(id)
      seen.set(row.kind, (seen.get(row.kind) ?? 0) + 1)
      const isBoards = tableRow(id) !== undefined
      if (!isBoards) seen.set(`hidden ${row.kind}`, (seen.get(`hidden ${row.kind}`) ?? 0) + 1)
      if (!actual) differences.push(of(set, `missing ${row.kind}`, id))
      else if (!isSame(row, actual)) differences.push(of(set, `different ${row.kind}`, id))
    }
    for (const [id, { kind }] of rows) {
      if (!expected.has(id)) differences.push(of(set, `invented ${kind}`, id))
    }
  }

  const isAmong = ({ legs }: Pick<OpportunityRow, 'legs'>, { sportsbooks: books }: BookSet) =>
    legs.every((id) => books.has(real.tables.odds.get(String(id))!.sportsbook))

  /** Withdraws all prices of one line, and lists them again. */
  function relistOne() {
    const { odds } = real.tables
    if (odds.size === 0) return
    const { eventId, marketType, playerName, line } = random.pick([...odds.values()])
    const ofLine = [...odds.values()].filter(
      (row) =>
        row.eventId === eventId &&
        row.marketType === marketType &&
        row.playerName === playerName &&
        Math.abs(row.line ?? 0) === Math.abs(line ?? 0),
    )
    for (const { id } of ofLine) sets.prices.removeOdds(id)
    sets.settle()
    for (const row of ofLine) sets.prices.applyOdds(row)
    sets.settle()
  }

  for (let now = startAt, step = 0; opened < setCount || open.length > 0; now += 2_000, step++) {
    const records = simulation.step(now).filter(isOfBoard).map(onLog)
    if (random.chance(0.02)) records.push(onLog(statusOf(random, now)))
    for (const append of real.take([...records, { type: 'tick', observedAt: now }])) {
      apply(sets, append)
    }
    sets.prices.advance(now)
    sets.settle()
    // A set that is looked at later has settled several times, and a line of it may have been dropped between.
    while (random.chance(0.5)) relistOne()
    while (open.length < places && opened < setCount) openOne()
    for (const one of open) {
      // Some sets are read at each step, others fall behind. Some are read in pieces.
      if (random.chance(0.6)) continue
      const most = random.chance(0.5) ? 7 : Number.POSITIVE_INFINITY
      while (one.finder.look(most)) {}
    }
    if (step % 10 !== 9) continue
    for (const one of open) {
      while (one.finder.look(Number.POSITIVE_INFINITY)) {}
      compare(one, now)
    }
    const leaving = open.filter(() => opened >= setCount || random.chance(0.5))
    for (const { finder } of leaving) finder.close()
    open = open.filter((one) => !leaving.includes(one))
  }
  return { differences, seen, opened }
}

/** Gives chosen sets a change of the board's tables. */
export function apply({ prices }: BookSets, { topic, key, value }: Append) {
  if (topic.name === topics.events.name) prices.applyEvent(key, value as EventRow | null)
  else if (topic.name === topics.odds.name) {
    if (value) prices.applyOdds(value as OddsRow)
    else prices.removeOdds(Number(key))
  } else if (topic.name === topics.sightings.name) {
    if (value) prices.applySighting(value as Sighting)
  } else if (topic.name === topics.sportsbookStatus.name && value) {
    const { sportsbook, status, since } = value as SportsbookStatus
    prices.applySource(sportsbook, status === 'up', since)
  }
}

const winnings = (rate: number): Fee => ({ on: 'net_winnings', rate })

const of = ({ sportsbooks: books }: BookSet, what: string, id: string): Difference => ({
  books: [...books],
  what,
  id,
})

const isSame = (
  expected: Omit<OpportunityRow, 'detectedAt' | 'detected'>,
  actual: OpportunityRow,
) =>
  `${expected.legs}` === `${actual.legs}` &&
  `${expected.reference}` === `${actual.reference}` &&
  expected.isSuspected === actual.isSuspected &&
  expected.eventId === actual.eventId

const isOfBoard = ({ type }: FeedRecord) =>
  type === 'odds' || type === 'event_status' || type === 'book_status'

/** Returns a record that a sportsbook's source went down or came back. */
const statusOf = (random: Random, observedAt: number): FeedRecord => ({
  type: 'book_status',
  sportsbook: random.pick(sportsbooks),
  status: random.chance(0.5) ? 'down' : 'up',
  observedAt,
})
