/** The table of opportunities, compared with one recomputed from the whole board. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReferenceCsv } from '../../pipeline/feeds/reference-rows/parse.ts'
import { readPriceRows } from '../../pipeline/feeds/replay/odds-api-rows.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import type { Append } from '../../pipeline/log/log.ts'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { type Fees, feesWith, noFees } from '../../pipeline/rules/odds/fees.ts'
import { outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { sharpChain, withConsensus } from '../../pipeline/rules/odds/sharp-books.ts'
import { weightsOf } from '../../schemas/fair-measure.ts'
import type { BoardRecord, FeedRecord, FeedSelection } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { topics } from '../../schemas/topics.ts'
import { costlyRuns } from '../seed.ts'
import { isAlike } from './is-alike.ts'
import {
  beginning,
  type Fixture,
  fixtures,
  histories,
  onLog,
  type Plan,
  plain,
  plans,
} from './made-up-histories.ts'
import { createRealBoard } from './real-board.ts'
import { createSlowMainLines } from './slow-main-lines.ts'
import { createSlowOpportunities, type ExpectedOpportunity } from './slow-opportunities.ts'

const second = 1_000
const minute = 60 * second
const usualChain = sharpChain('pinnacle')

/** Creates a board whose opportunities are compared with the slow ones after every batch. */
function createWatchedBoard(
  fees: Fees = noFees,
  references: ReadonlySet<string> = new Set(),
  chain: Chains = usualChain,
) {
  const real = createRealBoard({ sharpChain: chain, fees, references })
  const slowOpportunities = createSlowOpportunities(chain, fees, null, references)
  const slowMainLines = createSlowMainLines(chain, references)
  /** The table once more, kept only to check that each record changes it. */
  const standing = new Map<string, OpportunityRow>()
  const seen = new Map<string, number>()
  /** The newest time of any record so far, and the oldest time that counts as new. */
  let newestAt = 0
  let newsFrom = 0
  let now = 0

  function saw(what: string, count = 1) {
    seen.set(what, (seen.get(what) ?? 0) + count)
  }

  function follow({ topic, key, value }: Append) {
    if (topic.name !== topics.opportunities.name) return
    const row = value as OpportunityRow | null
    const before = standing.get(key)
    if (!row) {
      if (!before) throw new Error(`${key} expires before it is detected`)
      standing.delete(key)
      saw('expired')
      return
    }
    if (before) {
      if (saysTheSame(before, row)) throw new Error(`${key} is rewritten for nothing`)
      if (before.detectedAt !== row.detectedAt) throw new Error(`${key} is detected twice`)
      saw('rewritten')
    } else {
      const isPossible = row.detectedAt >= newsFrom && row.detectedAt <= newestAt
      if (!isPossible) throw new Error(`${key} came to be at another time`)
      saw('detected')
    }
    standing.set(key, row)
  }

  function compare() {
    const { odds, opportunities, mainLines } = real.tables
    if (opportunities.size !== standing.size) throw new Error('the table is not its changelog')
    const slow = slowOpportunities(real.tables, now)
    const differences = differencesOf(slow.rows, opportunities)
    if (differences.length > 0)
      expect(differences.map((of) => explain(of, real.tables))).toEqual([])
    const { heard, withheld } = slow
    const isJudged = (row: OddsRow) => {
      const { sport } = real.tables.events.get(row.eventId)!
      return outcomesOf(row.marketType, sport) !== null
    }
    const told = [...real.tableOf(topics.withheldPrices).keys()].map((id) => odds.get(id)!)
    const idsOf = (rows: Iterable<OddsRow>) => [...rows].map(({ id }) => id).sort()
    expect(idsOf(told.filter(isJudged))).toEqual(idsOf(withheld))
    const stands = (row: OddsRow) => heard.has(row) && !withheld.has(row)
    const lines = slowMainLines(real.tables, stands)
    const areAlike =
      mainLines.size === lines.size &&
      [...lines].every(([key, row]) => isAlike(mainLines.get(key), row))
    if (!areAlike) expect(mainLines).toEqual(lines)
    saw('main lines', lines.size)
    for (const { id, legs } of opportunities.values()) {
      const isOnOffer = legs.every((leg) => odds.get(String(leg))?.isActive)
      if (!isOnOffer) throw new Error(`${id} has a leg that nobody offers`)
    }
    saw('withheld', slow.withheldCount)
    for (const row of slow.rows.values()) {
      saw(row.kind)
      const { length } = weightsOf(row.measure)
      if (length > 0) saw(`blend of ${length}`)
      if (row.isSuspected) saw('suspected')
      saw(`scopes ${row.scopes}`)
      for (const leg of row.legs) {
        if (odds.get(String(leg))?.isLive) saw('in play')
      }
    }
  }

  return {
    tables: real.tables,
    seen,
    now: () => now,
    restart() {
      real.restart()
      now = newestIn(real.tables)
    },
    loseBatch(batch: readonly BoardRecord[]) {
      real.loseBatch(batch)
      now = newestIn(real.tables)
    },
    take(batch: readonly BoardRecord[]) {
      const instants = batch.map(({ observedAt }) => observedAt)
      newestAt = Math.max(newestAt, ...instants)
      // A withdrawn price has no time, so it may count as of the last tick.
      newsFrom = Math.min(now, ...instants)
      for (const append of real.take(batch)) follow(append)
      for (const record of batch) if (record.type === 'tick') now = record.observedAt
      compare()
    },
  }
}

/** Returns the time that a restarted board assumes until its first tick. */
const newestIn = ({ odds, sightings }: ReturnType<typeof createRealBoard>['tables']) =>
  Math.max(
    0,
    ...[...odds.values()].map(({ observedAt }) => observedAt),
    ...[...sightings.values()].map(({ lastSeenAt }) => lastSeenAt),
  )

type WatchedBoard = ReturnType<typeof createWatchedBoard>

const saysTheSame = (one: ExpectedOpportunity, other: ExpectedOpportunity) =>
  one.scopes === other.scopes &&
  one.isSuspected === other.isSuspected &&
  isSameList(one.reference, other.reference) &&
  isSameList(weightsOf(one.measure), weightsOf(other.measure)) &&
  isSameList(one.legs, other.legs)

const isSameList = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((value, at) => value === other[at])

interface Difference {
  readonly what: 'missing' | 'invented' | 'different'
  readonly expected?: ExpectedOpportunity | undefined
  readonly actual?: OpportunityRow | undefined
}

function differencesOf(
  expected: ReadonlyMap<string, ExpectedOpportunity>,
  actual: ReadonlyMap<string, OpportunityRow>,
): Difference[] {
  const differences: Difference[] = []
  for (const [id, row] of expected) {
    const found = actual.get(id)
    if (!found) differences.push({ what: 'missing', expected: row })
    else if (!isSame(row, found)) {
      differences.push({ what: 'different', expected: row, actual: found })
    }
  }
  for (const [id, row] of actual) {
    if (!expected.has(id)) differences.push({ what: 'invented', actual: row })
  }
  return differences
}

const isSame = (expected: ExpectedOpportunity, actual: OpportunityRow) =>
  saysTheSame(expected, actual) &&
  expected.id === actual.id &&
  expected.kind === actual.kind &&
  expected.eventId === actual.eventId &&
  expected.league === actual.league

/** Returns the prices of a difference. */
function explain({ what, expected, actual }: Difference, { odds }: WatchedBoard['tables']) {
  const { legs } = (expected ?? actual) as ExpectedOpportunity
  const first = odds.get(String(legs[0]))
  const ladder = [...odds.values()].filter(
    (row) =>
      row.eventId === first?.eventId &&
      row.marketType === first.marketType &&
      row.playerName === first.playerName &&
      row.isLive === first.isLive,
  )
  const prices = ladder.map(
    ({ id, sportsbook, selectionType, line, price, isActive }) =>
      `${id} ${sportsbook} ${selectionType} ${line} ${price}${isActive ? '' : ' inactive'}`,
  )
  return { what, expected, actual, marketType: first?.marketType, isLive: first?.isLive, prices }
}

describe('the opportunities of a simulated half hour', () => {
  it('equal the slow ones after every batch', () => {
    const watched = createWatchedBoard()
    const startAt = Date.parse('2026-05-02T18:00:00Z')
    const simulation = createSimulation({
      seed: 11,
      startAt,
      events: 4,
      changesPerSecond: 12,
      books: simulatedBooks,
      leagues: ['nba', 'england_-_premier_league', 'nfl', 'mlb'],
    })
    for (let now = startAt; now <= startAt + 30 * minute; now += 2 * second) {
      const records = simulation.step(now).filter(isOfBoard).map(onLog)
      watched.take([...records, { type: 'tick', observedAt: now }])
    }
    report('a simulated half hour', watched)
    const count = (what: string) => watched.seen.get(what) ?? 0
    for (const what of [
      ...['ev', 'arbitrage', 'middle', 'low_hold', 'in play', 'suspected', 'withheld'],
      ...['detected', 'expired', 'rewritten', 'scopes 1', 'scopes 2', 'scopes 4', 'scopes 6'],
    ]) {
      expect(count(what), what).toBeGreaterThan(0)
    }
  })
})

/** Some of every set of sportsbooks. */
const simulatedBooks = [
  ...['draftkings', 'fanduel', 'betmgm', 'caesars', 'thescorebet'],
  ...['bet365', 'bovada', 'betonline', 'novig', 'kalshi'],
  ...['pinnacle', 'circa', 'bookmaker', 'betfair', 'unibet_uk', 'onexbet'],
]

const isOfBoard = ({ type }: FeedRecord) =>
  type === 'odds' || type === 'event_status' || type === 'book_status'

/** Two sportsbooks of a history take a fee: one on winnings, one with the stake. */
const someFees = feesWith(true, { bovada: 0.03 })

function play(
  records: readonly BoardRecord[],
  plan: Plan,
  fees: Fees = noFees,
  references?: ReadonlySet<string>,
  chain?: Chains,
): WatchedBoard {
  const watched = createWatchedBoard(fees, references, chain)
  for (let from = 0, turn = 0; from < records.length; turn++) {
    const { size, fault } = plan[turn % plan.length] as Plan[number]
    const batch = records.slice(from, from + size)
    from += size
    if (fault === 'restart') watched.restart()
    if (fault === 'lost') watched.loseBatch(batch)
    watched.take(batch)
  }
  return watched
}

describe('the opportunities of made-up histories', () => {
  it('equal the slow ones after every batch, whatever happens and after a crash', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(histories, plans, fc.constantFrom(noFees, someFees), (records, plan, fees) => {
        for (const [what, count] of play(records, plan, fees).seen) {
          seen.set(what, (seen.get(what) ?? 0) + count)
        }
      }),
      { numRuns: costlyRuns(40) },
    )
    console.info('made-up histories:', Object.fromEntries(seen))
  })

  it('equal the slow ones if the sharp book is a reference, and none is a bet at it', () => {
    const [reference] = usualChain as [string]
    let measured = 0
    fc.assert(
      fc.property(histories, plans, (records, plan) => {
        const { tables } = play(records, plan, noFees, new Set([reference]))
        const bookOf = (id: number) => tables.odds.get(String(id))?.sportsbook
        for (const { legs, reference: by } of tables.opportunities.values()) {
          expect(legs.map(bookOf)).not.toContain(reference)
          if (by.some((id) => bookOf(id) === reference)) measured++
        }
      }),
      { numRuns: costlyRuns(40) },
    )
    expect(measured).toBeGreaterThan(0)
  })

  it('equal the slow ones if the consensus of others measures, alone or without a sharp book', () => {
    const seen = new Map<number, number>()
    const chains = fc.constantFrom(['consensus'], ['circa', 'consensus'], withConsensus(usualChain))
    fc.assert(
      fc.property(histories, plans, chains, (records, plan, chain) => {
        const { tables } = play(records, plan, someFees, undefined, chain)
        for (const { kind, reference } of tables.opportunities.values()) {
          const books = new Set(reference.map((id) => tables.odds.get(String(id))?.sportsbook))
          if (kind === 'ev') seen.set(books.size, (seen.get(books.size) ?? 0) + 1)
        }
      }),
      { numRuns: costlyRuns(60) },
    )
    console.info('measured by how many:', Object.fromEntries(seen))
    expect(seen.get(1)).toBeGreaterThan(0)
    expect(seen.get(3)).toBeGreaterThan(0)
  })

  it('equal the slow ones by the chain of each league, with blends and what follows them', () => {
    const seen = new Map<string, number>()
    const part = (sportsbook: string, weight: number) => ({ sportsbook, weight })
    const blend = [part('pinnacle', 2), part('draftkings', 1), part('bovada', 0.5)]
    const chain: Chains = {
      usual: ['pinnacle'],
      own: new Map([
        ['nba', [blend, 'betfair', 'consensus']],
        ['soccer', ['unibet_uk', [part('pinnacle', 1), part('betfair', 3)], blend]],
      ]),
    }
    fc.assert(
      fc.property(histories, plans, (records, plan) => {
        for (const [what, count] of play(records, plan, someFees, undefined, chain).seen) {
          seen.set(what, (seen.get(what) ?? 0) + count)
        }
      }),
      { numRuns: costlyRuns(60) },
    )
    console.info('by league:', Object.fromEntries(seen))
    // A blend of three is of all of them, and seen by those alone who see each.
    for (const what of ['blend of 2', 'blend of 3', 'scopes 2', 'scopes 4']) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(0)
    }
  })

  it('equal the slow ones with soccer in play, whose handicaps make none', () => {
    const withSoccerInPlay = (record: BoardRecord): BoardRecord =>
      record.type === 'odds' && record.event.sport === 'soccer'
        ? { ...record, event: { ...record.event, startsAt: beginning - minute, isLive: true } }
        : record
    let rungs = 0
    let others = 0
    fc.assert(
      fc.property(histories, plans, (records, plan) => {
        const { tables } = play(records.map(withSoccerInPlay), plan)
        const isOfSoccer = ({ eventId, isLive }: OddsRow) =>
          isLive && tables.events.get(eventId)?.sport === 'soccer'
        const rows = [...tables.odds.values()].filter(isOfSoccer)
        const handicaps = rows.filter(({ marketType }) => marketType === 'point_spread')
        const booksOf = new Map<string, Set<string>>()
        for (const { sportsbook, selectionType, line } of handicaps) {
          const rung = `${selectionType} ${line}`
          booksOf.set(rung, (booksOf.get(rung) ?? new Set()).add(sportsbook))
        }
        for (const books of booksOf.values()) if (books.size > 1) rungs++
        for (const { legs } of tables.opportunities.values()) {
          const [leg] = legs.map((id) => tables.odds.get(String(id))!)
          if (!isOfSoccer(leg!)) continue
          expect(leg!.marketType).not.toBe('point_spread')
          others++
        }
      }),
      { numRuns: costlyRuns(30) },
    )
    expect(rungs).toBeGreaterThan(0)
    expect(others).toBeGreaterThan(0)
  })

  it('end with the same tables, with closes, for every batch size and every crash', () => {
    fc.assert(
      fc.property(histories, plans, (records, plan) => {
        const ends = [[{ size: 1, fault: 'none' as const }], plan].map((by) => {
          const { opportunities, closingLines } = play(records, by).tables
          const rows = [...opportunities.values()].map((row) => ({ ...row, detectedAt: 0 }))
          return [
            Object.fromEntries(rows.map((row) => [row.id, row])),
            Object.fromEntries(closingLines),
          ]
        })
        expect(ends[1]).toEqual(ends[0])
      }),
      { numRuns: costlyRuns(10) },
    )
  })
})

describe('an outcome under another name', () => {
  // The label distinguishes prices, never opportunities.
  it.each([
    ['one total', [210.5], 2],
    ['two totals, the middle between them and its certain profit', [210.5, 213.5], 6],
  ])('leaves the opportunities of %s unchanged, with the new price', (_, lines, expected) => {
    const watched = createWatchedBoard()
    watched.take([
      { type: 'tick', observedAt: beginning },
      totals('bet365', beginning, lines, ['More', 2.1], 1.8),
      totals('bovada', beginning, lines, ['Over', 1.9], 2),
    ])
    const before = [...watched.tables.opportunities.keys()].sort()
    expect(before).toHaveLength(expected)
    watched.take([totals('bet365', beginning + second, lines, ['At least', 2.1], 1.8)])
    expect([...watched.tables.opportunities.keys()].sort()).toEqual(before)
  })
})

/** Returns all totals that a sportsbook offers on the first fixture. */
const totals = (
  sportsbook: string,
  observedAt: number,
  lines: readonly number[],
  [name, over]: readonly [string, number],
  under: number,
) =>
  offer(
    sportsbook,
    observedAt,
    'total_points',
    lines.flatMap((line) => [
      { ...plain, selection: name, selectionType: 'over', line, price: over },
      { ...plain, selectionType: 'under', line, price: under },
    ]),
  )

/** Returns everything that a sportsbook offers on the first fixture. */
function offer(
  sportsbook: string,
  observedAt: number,
  marketType: string,
  selections: readonly FeedSelection[],
): BoardRecord {
  const { sport, league, homeTeam, awayTeam, startsLaterMs } = fixtures[0] as Fixture
  const startsAt = beginning + startsLaterMs
  return onLog({
    type: 'odds',
    sportsbook,
    mode: 'snapshot',
    observedAt,
    event: { externalId: null, sport, league, homeTeam, awayTeam, startsAt, isLive: false },
    markets: [
      {
        ...{ marketType, line: null, playerName: null, statCategory: null },
        ...{ externalId: null, maxBet: null, suspended: false },
        selections,
      },
    ],
  })
}

describe('a handicap of which one line has a draw', () => {
  it('has opportunities on its other lines', () => {
    const handicap = (sportsbook: string, types: readonly string[]) =>
      offer(sportsbook, beginning, 'point_spread', [
        ...[2, 4].map((line) => ({ ...plain, selectionType: 'home', line, price: 1.95 })),
        ...[-2, -4].map((line) => ({ ...plain, selectionType: 'away', line, price: 1.95 })),
        ...types.map((selectionType) => ({ ...plain, selectionType, line: 2, price: 9 })),
      ])
    const watched = createWatchedBoard()
    watched.take([
      { type: 'tick', observedAt: beginning },
      handicap('bet365', ['draw']),
      handicap('bovada', []),
    ])
    const rows = [...watched.tables.opportunities.values()]
    const lines = rows.map(({ kind, legs }) => [
      kind,
      ...legs.map((id) => watched.tables.odds.get(String(id))?.line),
    ])
    expect(lines).toEqual(
      expect.arrayContaining([['low_hold', expect.anything(), expect.anything()]]),
    )
    // The handicap with the draw has three ways at bet365 and two at bovada, so they are not combined.
    expect(
      lines.filter(([kind, line]) => kind === 'low_hold' && Math.abs(Number(line)) === 2),
    ).toEqual([])
  })
})

const data = new URL('../../../shared/data/', import.meta.url)

describe.skipIf(!existsSync(data))('the opportunities of real boards (needs ../shared)', () => {
  it('equal the slow ones for a World Cup match, and no artefact above 3 % is unmarked', () => {
    const file = new URL('snapshots/sharpapi-sample/argentina_england_2026-07-15_b3.csv', data)
    const { records } = parseReferenceCsv(readFileSync(file, 'utf8'))
    const watched = createWatchedBoard()
    for (const record of records.toSorted((a, b) => a.observedAt - b.observedAt)) {
      watched.take([onLog(record), { type: 'tick', observedAt: record.observedAt }])
    }
    const { odds, opportunities } = watched.tables
    const above = [...opportunities.values()]
      .map((row) => ({ ...row, name: nameOf(row, odds), gain: gainOf(row, odds) }))
      .filter(({ kind, gain }) => kind !== 'low_hold' && gain > 0.03)
      .sort((a, b) => b.gain - a.gain)
      .map(({ isSuspected, name }) => `${isSuspected ? 'suspected' : 'plain'} ${name}`)
    expect(above.filter((text) => text.startsWith('plain'))).toEqual([
      // No goal after 90 minutes. The same sportsbook has 9 for a score of 0-0 and 9.2 for under half a goal, and two
      // exchanges have 8.7 and 9.2 for the latter: pinnacle is the one that is short.
      'plain ev first_team_to_score fanduel no 9',
      // Both sides of one offer are longer than pinnacle's: the other side has 1.588 against 1.515,
      // and another sportsbook lies between with 1.599.
      'plain ev 1st_half_team_total_goals bovada home_under 0.5 1.69',
      // A contract exchange before its fees, whose tie is of regulation time. Four others have 3 to
      // 3.12.
      'plain ev moneyline kalshi away 3.28',
    ])
    // Lines of two sportsbooks, either of which may be wrong, and ladders with each rung at one
    // sportsbook only.
    expect(above.filter((text) => /suspected (arbitrage|ev)/.test(text))).toEqual([
      'suspected arbitrage player_goals Harry Kane underdog over 0.5 4.05, novig under 0.5 1.493',
      'suspected arbitrage player_goals Jude Bellingham underdog over 0.5 6.29, novig under 0.5 1.315',
      'suspected arbitrage player_goals Lionel Messi underdog over 0.5 4.18, novig under 0.5 1.469',
      'suspected arbitrage asian_total_goals bovada over 2 2.02, betrivers under 2 2.12',
      'suspected ev total_goals sx_bet under 3 1.358',
    ])
    report('World Cup', watched)
  })

  it.each([
    ['AFL', 'series/afl/afl_game_odds_events_before_2026-03-23.csv.gz', 'afl'],
    ['NBA', 'series/nba-au-books/nba_odds_snapshots_2026-03-03_to_2026-04-14.csv.gz', 'nba'],
  ])('equal the slow ones for a series of %s snapshots', async (name, path, league) => {
    const file = fileURLToPath(new URL(path, data))
    const watched = createWatchedBoard(noFees, new Set(), withConsensus(usualChain))
    for await (const { at, records } of readPriceRows(file, { league })) {
      if (at === null) throw new Error('a snapshot without an instant')
      watched.take([...records.map(onLog), { type: 'tick', observedAt: at }])
    }
    expect(watched.seen.get('ev')).toBeGreaterThan(0)
    report(`${name} series`, watched)
  })
})

function report(what: string, { seen }: WatchedBoard) {
  console.info(`${what}:`, Object.fromEntries(seen))
}

type Prices = WatchedBoard['tables']['odds']

const priceRow = (odds: Prices, id: number) => odds.get(String(id)) as OddsRow

/** Returns the sure profit, a middle's gain when one bet wins, or the mean gain of +EV, as a fraction. */
function gainOf({ kind, legs, reference }: OpportunityRow, odds: Prices): number {
  const prices = legs.map((id) => priceRow(odds, id).price)
  if (kind !== 'ev') return 1 / prices.reduce((sum, price) => sum + 1 / price, 0) - 1
  const [leg] = legs.map((id) => priceRow(odds, id))
  const answers = reference.map((id) => priceRow(odds, id))
  const at = answers.findIndex(({ selectionType }) => selectionType === leg?.selectionType)
  const fair = devig(answers.map(({ price }) => price))?.probabilities[at]
  return (leg?.price ?? Number.NaN) * (fair ?? Number.NaN) - 1
}

function nameOf({ kind, legs }: OpportunityRow, odds: Prices): string {
  const rows = legs.map((id) => priceRow(odds, id))
  const [first] = rows
  const texts = rows.map(({ sportsbook, selectionType, line, price }) =>
    [sportsbook, selectionType, line, Number(price.toFixed(3))].filter((of) => of !== null),
  )
  const about = [kind, first?.marketType, first?.playerName].filter((of) => of !== null)
  return `${about.join(' ')} ${texts.map((text) => text.join(' ')).join(', ')}`
}
