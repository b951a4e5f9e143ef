/** The lives of opportunities that the processor reports, against lives computed from the whole board. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import { type Fees, feesWith, noFees } from '../../pipeline/rules/odds/fees.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import type { BoardRecord, FeedRecord } from '../../schemas/feed-record.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import type { OpportunityLife } from '../../schemas/opportunity-life.ts'
import { topics } from '../../schemas/topics.ts'
import { isAlike } from './is-alike.ts'
import { histories, onLog, type Plan, plans } from './made-up-histories.ts'
import { createRealBoard } from './real-board.ts'
import { createSlowLives, type EndedLife, type SlowLife } from './slow-lives.ts'
import { createSlowOpportunities } from './slow-opportunities.ts'

const second = 1_000
const minute = 60 * second
const usualChain = sharpChain('pinnacle')

interface Period {
  readonly from: number
  readonly to: number
}

function createWatchedLives(fees: Fees = noFees, chain = usualChain) {
  const real = createRealBoard({ sharpChain: chain, fees, keepsHistory: true })
  const running = real.tableOf(topics.runningLives)
  const slow = createSlowLives(chain, fees)
  const slowOpportunities = createSlowOpportunities(chain, fees)
  /** For each look, the period in which its changes may have happened. */
  const looks: Period[] = []
  const seen = new Map<string, number>()
  let now = 0
  let newestAt = 0

  const saw = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

  function hold(told: OpportunityLife, { life, why }: EndedLife) {
    const { id, kind, detected, peak, gone } = told
    const found = {
      ...{ id, kind, eventId: told.eventId, sport: told.sport, league: told.league },
      ...{ marketType: told.marketType, playerName: told.playerName, isLive: told.isLive },
      legs: told.legs,
      ...{ scopes: told.scopes, isSuspected: told.isSuspected, references: told.references },
      figures: [detected, peak, gone].map(({ worth, prices }) => ({ worth, prices })),
      detectedAt: detected.at,
    }
    const [first] = life.legs
    expect(found).toEqual({
      id: life.id,
      kind: life.kind,
      eventId: life.event.id,
      sport: life.event.sport,
      league: life.event.league,
      marketType: first!.marketType,
      playerName: first!.playerName,
      isLive: first!.isLive,
      legs: life.legs.map((row) => ({
        oddsId: row.id,
        sportsbook: row.sportsbook,
        selectionType: row.selectionType,
        line: row.line,
      })),
      scopes: life.scopes,
      isSuspected: life.isSuspected,
      references: life.references,
      figures: [life.detected, life.peak, life.last],
      detectedAt: life.detectedAt,
    })
    if (!why.includes(told.why)) {
      expect({ told, why }).toEqual({ told: { ...told, why: why[0] }, why })
    }
    expect(detected.at <= peak.at && peak.at <= gone.at, 'in order of time').toBe(true)
    const wasAtPeak = looks[life.peakIn - 1] as Period
    expect(peak.at === detected.at || isWithin(peak.at, wasAtPeak), 'when it was at its peak').toBe(
      true,
    )
    expect(gone.at === peak.at || isWithin(gone.at, looks.at(-1)!), 'when it went').toBe(true)
    saw(told.why)
    saw(kind)
    if (peak.worth > detected.worth) saw('had a peak')
    if (told.references.length > 1) saw('measured by two')
    if (gone.worth !== detected.worth) saw('went at another worth')
  }

  /** Returns a running life, as the tables have it. */
  function standing({ id, detected, scopes, isSuspected, ...row }: OpportunityRow) {
    const { peak = detected!, ...since } = running.get(id) ?? { scopes, isSuspected }
    const { worth, prices } = peak
    if (running.has(id)) saw('told of again')
    return {
      ...{ id, detectedAt: row.detectedAt, detected, peak: { worth, prices } },
      ...{ scopes: since.scopes, isSuspected: since.isSuspected },
    }
  }

  const newestIn = () =>
    Math.max(
      0,
      ...[...real.tables.odds.values()].map(({ observedAt }) => observedAt),
      ...[...real.tables.sightings.values()].map(({ lastSeenAt }) => lastSeenAt),
    )

  return {
    seen,
    restart() {
      real.restart()
      now = newestIn()
      saw('restarted')
    },
    loseBatch(batch: readonly BoardRecord[]) {
      real.loseBatch(batch)
      now = newestIn()
      saw('lost a batch')
    },
    take(batch: readonly BoardRecord[]) {
      const instants = batch.map(({ observedAt }) => observedAt)
      newestAt = Math.max(newestAt, ...instants)
      looks.push({ from: Math.min(now, ...instants), to: newestAt })
      const told = real
        .take(batch)
        .filter(({ topic }) => topic.name === topics.opportunityLives.name)
        .map(({ value }) =>
          topics.opportunityLives.decode(topics.opportunityLives.encode(value as OpportunityLife)),
        )
      for (const record of batch) if (record.type === 'tick') now = record.observedAt
      const { tables } = real
      const ended = slow.look(tables, slowOpportunities(tables, now), now)
      const endedById = new Map(ended.map((one) => [one.life.id, one]))
      expect(told.map(({ id }) => id).sort()).toEqual([...endedById.keys()].sort())
      for (const life of told) hold(life, endedById.get(life.id) as EndedLife)
      expect([...running.keys()].filter((id) => !tables.opportunities.has(id))).toEqual([])
      const restored = [...tables.opportunities.values()].map((row) => standing(row)).sort(byId)
      const expected = [...slow.standing.values()].map(expectedOf).sort(byId)
      if (!isAlike(restored, expected)) expect(restored).toEqual(expected)
    },
  }
}

const expectedOf = ({ id, detectedAt, detected, peak, scopes, isSuspected }: SlowLife) => ({
  ...{ id, detectedAt, detected, peak, scopes, isSuspected },
})

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)

const isWithin = (at: number, { from, to }: Period) => at >= from && at <= to

type WatchedLives = ReturnType<typeof createWatchedLives>

describe('the lives of a simulated market', () => {
  it.each([
    ['the sharp books', usualChain],
    ['one, else the consensus of others', ['onexbet', 'consensus']],
  ])('equal the slow ones measured by %s, also across a restart in the middle', (_, chain) => {
    const watched = createWatchedLives(noFees, chain)
    const startAt = Date.parse('2026-05-02T18:00:00Z')
    const simulation = createSimulation({
      seed: 12,
      startAt,
      events: 3,
      changesPerSecond: 12,
      books: ['draftkings', 'fanduel', 'caesars', 'bet365', 'bovada', 'pinnacle', 'circa', 'novig'],
      leagues: ['nba', 'england_-_premier_league', 'nfl'],
    })
    for (let now = startAt; now <= startAt + 12 * minute; now += 2 * second) {
      const records = simulation.step(now).filter(isOfBoard).map(onLog)
      if ((now - startAt) % (10 * minute) === 8 * second) watched.restart()
      watched.take([...records, { type: 'tick', observedAt: now }])
    }
    report('a simulated market', watched)
    for (const what of ['ev', 'arbitrage', 'middle', 'low_hold', 'restarted', 'had a peak']) {
      expect(watched.seen.get(what) ?? 0, what).toBeGreaterThan(0)
    }
  })
})

const isOfBoard = ({ type }: FeedRecord) =>
  type === 'odds' || type === 'event_status' || type === 'book_status'

/** Two sportsbooks of a history take a fee: one on winnings, one with the stake. */
const someFees = feesWith(true, { bovada: 0.03 })

function play(
  records: readonly BoardRecord[],
  plan: Plan,
  fees: Fees,
  chain: readonly string[],
): WatchedLives {
  const watched = createWatchedLives(fees, chain)
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

describe('the lives of made-up histories', () => {
  it('equal the slow ones, whatever happens and after a crash', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(
        histories,
        plans,
        fc.constantFrom(noFees, someFees),
        fc.constantFrom(usualChain, ['circa', 'consensus'], ['consensus']),
        (records, plan, fees, chain) => {
          for (const [what, count] of play(records, plan, fees, chain).seen) {
            seen.set(what, (seen.get(what) ?? 0) + count)
          }
        },
      ),
      { numRuns: 20 },
    )
    console.info('made-up histories:', Object.fromEntries(seen))
  })
})

function report(what: string, { seen }: WatchedLives) {
  console.info(`${what}:`, Object.fromEntries(seen))
}
