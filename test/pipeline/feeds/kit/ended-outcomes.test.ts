/** An outcome that cannot be bet on any more must not keep the price that another page has of it. */

import { describe, expect, it } from 'vitest'
import { parseBovada } from '../../../../pipeline/feeds/bovada/parse.ts'
import { parseCaesars } from '../../../../pipeline/feeds/caesars/parse.ts'
import { parseDraftKings } from '../../../../pipeline/feeds/draftkings/parse.ts'
import { parseFanDuel } from '../../../../pipeline/feeds/fanduel/parse.ts'
import { parseKambi } from '../../../../pipeline/feeds/kambi/parse.ts'
import { createWithdrawals } from '../../../../pipeline/feeds/kit/withdrawals.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'
import { countReasons, selectionsOf } from '../feed-samples.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const start = '2026-11-20T11:00:00Z'

/** A home team's outcome as a source states it. */
interface Stated {
  readonly price?: number | undefined
  readonly is?: 'suspended' | 'closed'
}

/** Parses a page that has the winner of one game, by the outcome of its home side. */
type Source = (stated: Stated) => ReturnType<typeof parseBovada>

const kambi: Source = ({ price, is }) => {
  const statuses = { suspended: 'SUSPENDED', closed: 'SETTLED' }
  const odds = price && 1_000 * price
  const home = { id: 1, type: 'OT_ONE', odds, status: is ? statuses[is] : 'OPEN' }
  const criterion = { label: 'Moneyline - Including Overtime' }
  const mainBetOffer = { id: 5, eventId: 1, criterion, betOfferType: { id: 2 }, outcomes: [home] }
  const sides = { name: 'H - A', homeName: 'H', awayName: 'A' }
  const event = { id: 1, ...sides, start, group: 'NBA', sport: 'BASKETBALL', state: 'STARTED' }
  const payload = { liveEvents: [{ event, mainBetOffer }] }
  return parseKambi(payload, { sportsbook: 'unibet', receivedAt: now })
}

const bovada: Source = ({ price, is }) => {
  const statuses = { suspended: 'S', closed: 'C' }
  const [description, status] = ['H', is ? statuses[is] : 'O']
  const decimal = price === undefined ? undefined : String(price)
  const home = { id: 'h', description, status, type: 'H', price: { decimal } }
  const period = { description: 'Game', abbreviation: 'G' }
  const market = { id: 'm', description: 'Moneyline', key: '2W-12', status: 'O', period }
  const event = {
    ...{ id: 'e', description: 'A @ H', type: 'GAMEEVENT', startTime: Date.parse(start) },
    ...{ live: true, numMarkets: 30 },
    competitors: [
      { id: 'h', name: 'H', home: true },
      { id: 'a', name: 'A', home: false },
    ],
    displayGroups: [{ markets: [{ ...market, outcomes: [home] }] }],
  }
  const path = [
    { description: 'NBA', type: 'LEAGUE' },
    { description: 'Basketball', type: 'SPORT' },
  ]
  return parseBovada([{ path, events: [event] }], now)
}

const fanDuel: Source = ({ price, is }) => {
  const market = { marketId: 'm', eventId: 1, marketName: 'Moneyline', marketType: 'MONEY_LINE' }
  const home = {
    ...{ selectionId: 1, runnerName: 'H', handicap: 0, result: { type: 'HOME' } },
    runnerStatus: is?.toUpperCase() ?? 'ACTIVE',
    ...(price !== undefined && {
      winRunnerOdds: { trueOdds: { decimalOdds: { decimalOdds: price } } },
    }),
  }
  const event = { eventId: 1, name: 'A @ H', openDate: start, inPlay: true }
  const attachments = {
    eventTypes: { 1: { name: 'Basketball' } },
    competitions: { 1: { name: 'NBA' } },
    events: { 1: { ...event, competitionId: 1, eventTypeId: 1 } },
    markets: { m: { ...market, marketStatus: 'OPEN', runners: [home] } },
  }
  return parseFanDuel({ attachments }, now)
}

const draftKings: Source = ({ price, is }) => {
  const home = { id: 's', marketId: 'm', label: 'H', outcomeType: 'Home', isDisabled: !!is }
  const event = { id: 'e', sportId: '1', leagueId: '1', name: 'A @ H', status: 'STARTED' }
  const participants = [
    { name: 'H', venueRole: 'Home' },
    { name: 'A', venueRole: 'Away' },
  ]
  const payload = {
    sports: [{ id: '1', name: 'Basketball' }],
    leagues: [{ id: '1', name: 'NBA' }],
    events: [{ ...event, startEventDate: start, participants }],
    markets: [{ id: 'm', eventId: 'e', name: 'Moneyline', marketType: { name: 'Moneyline' } }],
    selections: [{ ...home, ...(price !== undefined && { trueOdds: price }) }],
  }
  return parseDraftKings(payload, now)
}

const caesars: Source = ({ price, is }) => {
  const a = price === 1.9 ? -111 : price
  const stated = {
    id: 's',
    name: '|H|',
    type: 'home',
    active: !is,
    price: price === undefined ? null : { a },
  }
  const market = { id: 'm', name: '|Money Line|', active: true, selections: [stated] }
  return parseCaesars(
    {
      ...{ id: 'e', name: '|A| |at| |H|', startTime: start, type: 'MATCH', sportId: 'basketball' },
      ...{ competitionName: 'NBA', active: true, started: true },
      markets: [{ ...market, metadata: { period: 'MATCH_INC_OT' } }],
    },
    now,
  )
}

const sources = { kambi, bovada, fanDuel, draftKings, caesars } satisfies Record<string, Source>
/** Sources that state that an outcome is closed. */
const withClosed = ['kambi', 'bovada', 'fanDuel'] as const

const oddsIn = (records: readonly FeedRecord[]) =>
  records.map((record) => (record.type === 'odds' ? record.mode : record.type))

describe.each(Object.entries(sources))('%s', (_, source) => {
  const first = source({ price: 1.9 })

  /** Reads the outcome on a page of all offers, then on another. */
  function afterwards(stated: Stated) {
    const { replace } = createWithdrawals()
    replace('nba', 'all', first.records, now)
    const { records, skipped } = source(stated)
    return { records: replace('live', 'live', records, now + 1), reasons: countReasons(skipped) }
  }

  it('offers the price first', () => {
    expect(selectionsOf(first.records)).toMatchObject([{ suspended: false, removed: false }])
  })

  it.each([0, 1, -5, undefined])(
    'suspends a suspended outcome at %j, and counts nothing',
    (price) => {
      const { records, reasons } = afterwards({ price, is: 'suspended' })
      expect(oddsIn(records)).toContain('delta')
      expect(selectionsOf(records)).toMatchObject([
        { selectionType: 'home', price: null, suspended: true, removed: false },
      ])
      expect(reasons).toEqual({})
    },
  )

  it.each([0, 1, -5])('suspends an open outcome at %j, and counts the price', (price) => {
    const { records, reasons } = afterwards({ price })
    expect(selectionsOf(records)).toMatchObject([
      { selectionType: 'home', price: null, suspended: true, removed: false },
    ])
    expect(reasons).toEqual({ bad_price: 1 })
  })

  it('suspends an open outcome without a price', () => {
    const { records, reasons } = afterwards({})
    expect(selectionsOf(records)).toMatchObject([{ price: null, suspended: true }])
    expect(reasons).toEqual({ no_price: 1 })
  })
})

describe.each(withClosed)('%s', (name) => {
  it('removes a closed outcome, and creates no game for it', () => {
    const { replace } = createWithdrawals()
    const { records, skipped } = sources[name]({ price: 1.9, is: 'closed' })
    expect(countReasons(skipped)).toEqual({ closed: 1 })
    expect(selectionsOf(replace('live', 'live', records, now))).toEqual([])
    replace('nba', 'all', sources[name]({ price: 1.9 }).records, now)
    expect(selectionsOf(replace('live', 'live', records, now))).toMatchObject([
      { selectionType: 'home', price: null, suspended: false, removed: true },
    ])
  })
})
