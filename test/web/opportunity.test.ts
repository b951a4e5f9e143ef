/** The rows of the table of opportunities, and the head of an explanation. */

import { expect, it } from 'vitest'
import { opportunityFilters } from '../../api/alerts/opportunity-rule.ts'
import { opportunityOf } from '../../api/web/client/data/asked-opportunity.ts'
import { isGain, type Kind, kindViews } from '../../api/web/client/data/kinds.ts'
import { readListQuery } from '../../api/web/client/data/list-query.ts'
import {
  asExplained,
  hasMoved,
  joinBets,
  type Opportunity,
} from '../../api/web/client/data/opportunity.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import { failureText } from '../../api/web/client/format/failure.ts'
import { grownAgeText } from '../../api/web/client/format/time.ts'
import type { Explanation } from '../../api/web/wire.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { explanationObject } from '../../schemas/http/explain.ts'
import { familyOf, opportunityKinds } from '../../schemas/opportunity.ts'

function opportunity(
  kind: Kind,
  id: string,
  sportsbook: string,
  worth: number,
  more: Partial<Opportunity> = {},
): Opportunity {
  const leg = {
    ...{ sportsbook, selection: 'Over 45.5', selectionType: 'over', line: 45.5 },
    ...{ price: 2, american: 100 },
  }
  return {
    ...{ id, kind, eventId: 'a game', title: 'A @ B', league: 'nfl', market: 'total_points' },
    ...{
      player: null,
      statistic: null,
      isLive: false,
      startsAt: 0,
      detectedAt: 0,
      worth,
      fair: 1.9,
      chance: null,
    },
    priceAgeMs: 0,
    legs: [{ ...leg, tied: [], deepLink: null, stake: 1, maxBet: 50 }],
    warnings: [],
    ...more,
  }
}

const rows = (list: readonly Opportunity[]) =>
  joinBets(list).map(({ best, others }) => [best.id, ...others.map(({ id }) => id)])

it('+EV of one selection is one row, with the best sportsbook first in whatever order they come', () => {
  const list = [
    opportunity('ev', 'a', 'bovada', 2),
    opportunity('ev', 'b', 'fanduel', 3),
    opportunity('ev', 'c', 'betmgm', 9, { market: 'moneyline' }),
    opportunity('ev', 'd', 'caesars', 1),
    opportunity('ev', 'e', 'caesars', 1, { player: 'J. Brunson' }),
    opportunity('ev', 'f', 'caesars', 1, { eventId: 'another' }),
  ]
  expect(rows(list)).toEqual([['b', 'a', 'd'], ['c'], ['e'], ['f']])
})

it('other kinds keep a row each', () => {
  const list = [
    opportunity('arbitrage', 'a', 'bovada', 2),
    opportunity('arbitrage', 'b', 'fanduel', 1),
  ]
  expect(rows(list)).toEqual([['a'], ['b']])
})

it('what costs money is no gain, whatever its kind', () => {
  const gains = (worth: number) =>
    (Object.keys(kindViews) as Kind[]).filter((kind) => isGain(kind, worth))
  expect(gains(-4.2)).toEqual(['low_hold'])
  expect(gains(0)).toEqual(['low_hold'])
  expect(gains(1.5)).toEqual(['arbitrage', 'ev', 'middles'])
})

it('an address has the filters of an alert by their names, and the words of the page', () => {
  const address =
    'kind=ev&league=nba,nfl&live=false&min_ev=3&market=moneyline&utm=x&when=&sort=odds'
  expect(readListQuery(new URLSearchParams(address))).toMatchObject({
    ...{ kind: 'ev', league: 'nba,nfl', when: 'upcoming', order: 'odds' },
    filters: 'min_ev=3&market=moneyline',
  })
  // A filter of another kind is dropped, because the service would refuse it.
  expect(readListQuery(new URLSearchParams('kind=middles&min_ev=3&min_size=2')).filters).toBe(
    'min_size=2',
  )
})

it('every filter of an alert is read by the page', () => {
  for (const kind of opportunityKinds) {
    const own = ['league', 'live', 'books', ...Object.keys(kindViews[familyOf(kind)].filters)]
    expect(own.sort()).toEqual(Object.keys(opportunityFilters[kind]).sort())
  }
})

const quote = (sportsbook: string, selection: string, odds_decimal: number) => ({
  ...{ role: 'leg' as const, sportsbook, selection, selection_type: 'over', line: 45.5 },
  ...{ odds_decimal, odds_american: 110, age_seconds: 1, is_hidden: false },
})

it.each([
  ['arbitrage', 'profit'],
  ['ev', 'ev'],
  ['middles', 'expectedValue'],
  ['low_hold', 'hold'],
] as const)(
  'an explanation of %s heads with the worth and the prices it has now',
  (kind, figure) => {
    const chosen = opportunity(kind, 'a', 'bovada', 2.5)
    const quotes = [
      { ...quote('pinnacle', 'Over 45.5', 1.8), role: 'reference' as const },
      quote('bovada', 'Over 45.5', 2.1),
    ]
    const now = asExplained(chosen, { quotes, result: { [figure]: 0.031 }, warnings: [] })
    expect(now.worth).toBeCloseTo(3.1)
    expect(now.legs).toMatchObject([{ sportsbook: 'bovada', price: 2.1, american: 110 }])
    expect(hasMoved(chosen, now)).toBe(true)
    // The list shows prices with fewer places.
    const same = { quotes: [quote('bovada', 'Over 45.5', 2.000_04)], result: { [figure]: 0.025 } }
    expect(hasMoved(chosen, asExplained(chosen, { ...same, warnings: [] }))).toBe(false)
  },
)

it('an explanation at a tied sportsbook keeps that of the list while the price is the same', () => {
  const leg = {
    ...{ selection: 'Over 45.5', selectionType: 'over', line: 45.5 },
    ...{ price: 2, american: 100, stake: null, maxBet: 50 },
  }
  const chosen = opportunity('low_hold', 'a', 'bovada', 1, {
    legs: [{ ...leg, sportsbook: 'bovada', tied: ['betmgm'], deepLink: 'https://bovada.example/' }],
  })
  const at = (price: number) =>
    asExplained(chosen, {
      ...{ quotes: [quote('betmgm', 'Over 45.5', price)], result: {} },
      warnings: [],
    }).legs
  expect(at(2)).toEqual(chosen.legs)
  expect(at(2.1)).toMatchObject([
    { sportsbook: 'betmgm', price: 2.1, tied: [], deepLink: null, maxBet: null },
  ])
})

it('an explanation has the warnings of now, from a list as from a link', () => {
  const chosen = opportunity('ev', 'a', 'bovada', 3, { warnings: ['STALE_ODDS'] })
  const quotes = [quote('bovada', 'Over 45.5', 2)]
  const warnings = ['HIGH_EV_SUSPICIOUS', 'MARKET_MISMATCH_SUSPECTED']
  expect(asExplained(chosen, { quotes, result: {}, warnings }).warnings).toEqual(warnings)
  expect(asExplained(chosen, { quotes, result: {}, warnings: [] }).warnings).toEqual([])
  const explained: Explanation = {
    ...exampleOf(explanationObject).data,
    ...{ kind: 'ev', event_id: 'a game', event_name: 'A @ B', league: 'nfl', is_live: false },
    ...{ start_time: '2026-11-21T00:30:00Z', detected_at: '2026-11-20T12:00:00Z' },
    ...{ market_type: 'total_points', player_name: null, line: 45.5, quotes, warnings },
    result: { ev: 0.12 },
  }
  expect(opportunityOf('a', explained).warnings).toEqual(warnings)
})

it('a failed read says why and of when the shown rows are, whose ages grow', () => {
  const at = Date.UTC(2026, 10, 20, 19, 30, 5)
  const refused = new RefusedError(429, { error: { message: 'Too many requests.' } }, 1)
  expect(failureText(refused, at, 'utc')).toBe('Too many requests. Shown as of 19:30:05.')
  expect(failureText(new TypeError('Failed to fetch'), 0, 'utc')).toBe(
    'The service does not respond.',
  )
  expect(grownAgeText(4_000, at, at + 60_000)).toBe('1m')
  // The page's second may have begun before the read.
  expect(grownAgeText(4_000, at, at - 900)).toBe('4s')
})
