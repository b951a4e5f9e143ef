/**
 * Lists of opportunities over a moving board, against lists recomputed at each request: drawn filters, orders, tiers
 * and pages, while prices move, time passes, sources go down and prices expire.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import { readQuery } from '../../api/ask/read-query.ts'
import { allKinds, kindOf } from '../../api/opportunities/all-kinds.ts'
import { createOpportunityRoutes } from '../../api/routes/opportunities.ts'
import { feesWith } from '../../pipeline/rules/odds/fees.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { familyOf, type OpportunityKind } from '../../schemas/opportunity.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import { type RequestQuery, slowList } from '../oracle/slow-opportunity-lists.ts'
import { costlyRuns } from '../seed.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const second = 1_000
const chain = sharpChain('pinnacle')
/** Some of every set of sportsbooks. */
const books = [
  ...['draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'bovada', 'kalshi'],
  ...['pinnacle', 'circa', 'betfair', 'unibet_uk'],
]

let service: SimulatedService
beforeAll(async () => {
  const market = { seed: 5, events: 40, changesPerSecond: 300, books }
  service = await startSimulated(market, undefined, feesWith(true, { bovada: 0.03 }))
})
afterAll(() => service.close())

const shared = [
  ...['sport=basketball', 'sport=soccer', 'league=nba', 'sportsbook=draftkings'],
  ...['sportsbook=fanduel,betmgm', 'market=moneyline', 'market=total,spread', 'market=props'],
  ...['live=true', 'live=false', 'min_age_ms=2000', 'min_odds=100', 'max_odds=150'],
  ...['date_range=today', 'date_range=tomorrow', 'team=new', 'max_odds_age=8'],
]
const ofKind: Readonly<Record<OpportunityKind, readonly string[]>> = {
  ev: [
    ...['min_ev=0', 'min_ev=2', 'max_ev=6', 'max_hold=8', 'max_hold=3', 'min_kelly=1'],
    ...['min_market_width=3', 'min_confidence=40', 'max_confidence=70', 'is_player_prop=true'],
    ...['is_alternate_line=false', 'is_alternate_line=true'],
  ],
  arbitrage: ['min_profit=0', 'min_profit=0.5', 'min_profit=1', 'group=best'],
  middle: ['min_size=1', 'min_size=3', 'state=nj'],
  low_hold: ['max_hold=9', 'max_hold=5', 'max_hold=2', 'state=ny'],
}
const pages = ['', 'limit=7', 'limit=200', 'offset=5', 'limit=3&offset=11', 'limit=1&offset=4000']
const tiers = ['hobby', 'pro', 'sharp', 'enterprise'] as const

const requests = fc.constantFrom(...allKinds).chain(({ name, contract }) =>
  fc.record({
    kind: fc.constant(name),
    tier: fc.constantFrom(...(name === 'arbitrage' ? tiers : tiers.slice(1))),
    sort: fc.option(
      fc.constantFrom(...Object.keys(contract.sorts).flatMap((word) => [word, `-${word}`])),
    ),
    filters: fc.subarray([...shared, ...ofKind[name]], { maxLength: 2 }),
    page: fc.constantFrom(...pages),
  }),
)

const moves = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(100, second, 5 * second).map((ms) => ({ step: ms })) },
  // Time passes without any records.
  { weight: 2, arbitrary: fc.constantFrom(30 * second, 70 * second).map((ms) => ({ wait: ms })) },
  { weight: 1, arbitrary: fc.constantFrom(...books).map((turned) => ({ turned })) },
  { weight: 1, arbitrary: fc.constantFrom(...books).map((hidden) => ({ hidden })) },
  { weight: 1, arbitrary: fc.constant({ step: 600 * second }) },
)

/** Plans by request. Those used again have cached summaries. */
const prepared = new Map<string, ReturnType<typeof prepare>>()

function prepare(kind: OpportunityKind, tier: (typeof tiers)[number], raw: string) {
  const path = `/api/v1/opportunities/${familyOf(kind)}`
  const routes = createOpportunityRoutes({ clock: service.boards.now, chain })
  const route = routes.find((other) => other.path === path)!
  const query = readQuery(createQueryReader(route.query, []), route.query, raw)
  const scope = createScopes(service.boards).of({ tier, isOwner: false })
  return {
    scope,
    query: query as unknown as RequestQuery,
    ...route.prepare({ query, path: {}, scope, profile: emptyProfile('') }),
  }
}

function compare(kind: OpportunityKind, tier: (typeof tiers)[number], raw: string): number {
  const key = `${kind} ${tier} ${raw}`
  const { scope, query, write, ahead = () => null } = prepared.get(key) ?? prepare(kind, tier, raw)
  const steps = ahead()
  while (steps && !steps.next().done) {}
  prepared.set(key, { ...prepare(kind, tier, raw), write, ahead })
  const page = createPageBuffer()
  write(page)
  const { data, pagination, meta } = JSON.parse(page.bytes.toString('utf8', 0, page.length))
  const slow = slowList(kindOf(kind), scope, chain, query, service.boards.now())
  const { figure, counts } = kindOf(kind).summary
  const { count, ...summary } = meta.summary
  expect(data).toEqual(withState(slow.data, query.state as string | undefined))
  expect([pagination.total, count]).toEqual([slow.total, slow.total])
  expect(summary).toEqual({
    ...(figure && { [figure.average]: slow.average, [figure.extreme]: slow.extreme }),
    ...Object.fromEntries(Object.entries(counts).map(([name, by]) => [name, slow.counts[by]])),
  })
  return slow.total
}

const withState = (data: readonly object[], state: string | undefined) => {
  const text = JSON.stringify(data)
  const links = /"(\/api\/v1\/deeplink\/[\w-]+)"/g
  return JSON.parse(state ? text.replace(links, `"$1?state=${state}"`) : text)
}

describe('lists of opportunities', () => {
  it('equal a full recomputation, for any query and history', () => {
    const totals = new Map<OpportunityKind, number>()
    const turns = fc.record({
      move: moves,
      requested: fc.array(requests, { minLength: 4, maxLength: 12 }),
    })
    fc.assert(
      fc.property(fc.array(turns, { minLength: 3, maxLength: 12 }), (history) => {
        for (const { move, requested } of history) {
          if ('step' in move) service.step(move.step)
          else if ('wait' in move) service.wait(move.wait)
          else sayOfSource(move)
          for (const kind of allKinds) compare(kind.name, 'sharp', '')
          for (const { kind, tier, sort, filters, page } of requested) {
            const raw = rawOf([...filters, ...(sort ? [`sort=${sort}`] : []), page])
            const total = compare(kind, tier, raw)
            totals.set(kind, (totals.get(kind) ?? 0) + total)
          }
        }
      }),
      { numRuns: costlyRuns(12) },
    )
    // Otherwise nothing would have been compared.
    for (const { name } of allKinds) expect(totals.get(name), name).toBeGreaterThan(0)
  })
})

it('shows, of a list read while prices move, nothing that is false at its end', () => {
  let shown = 0
  for (const { name } of allKinds) {
    for (const filter of ['sportsbook=draftkings', 'live=false', 'max_odds=150', 'sport=soccer']) {
      const { scope, query, write, ahead } = prepare(name, 'enterprise', `limit=200&${filter}`)
      const steps = ahead?.()
      while (steps && !steps.next().done) service.step(second)
      const page = createPageBuffer()
      write(page)
      const { data } = JSON.parse(page.bytes.toString('utf8', 0, page.length))
      // All of them: what has come since may stand before the end of the page.
      const all = { ...query, limit: Number.POSITIVE_INFINITY } as RequestQuery
      const slow = slowList(kindOf(name), scope, chain, all, service.boards.now())
      const ids = new Set(data.map(({ id }: { id: string }) => id))
      const expected = slow.data.filter((one) => ids.has((one as { id: string }).id))
      // Round trip through JSON, which has no negative zero.
      expect(data).toEqual(JSON.parse(JSON.stringify(expected)))
      if (steps) shown += data.length
    }
  }
  // Otherwise no list would have been read in steps.
  expect(shown).toBeGreaterThan(0)
})

/** Returns a query with each parameter once, by its last value. */
function rawOf(parts: readonly string[]): string {
  const named = new Map(
    parts.flatMap((part) => part.split('&')).map((one) => [one.split('=')[0], one]),
  )
  return [...named.values()].filter(Boolean).join('&')
}

/** Turns a sportsbook down or up, or hides it from all but the owner, or shows it again. */
function sayOfSource(of: { readonly turned: string } | { readonly hidden: string }) {
  const { sources } = service.boards
  const observedAt = service.clock()
  if ('turned' in of) {
    const status = sources.down.has(of.turned) ? 'up' : 'down'
    service.say([{ type: 'book_status', sportsbook: of.turned, status, observedAt }])
    return
  }
  const status = sources.down.has(of.hidden) ? 'down' : 'up'
  const audience = sources.ownersOnly.has(of.hidden) ? 'all' : 'owner'
  service.say([{ type: 'book_status', sportsbook: of.hidden, status, audience, observedAt }])
  // A change of visibility changes scopes and responses.
  prepared.clear()
}
