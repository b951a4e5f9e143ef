/** Opportunities sent to a tier's streams as they come and go. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import { createOpportunityFeed } from '../../api/stream/channels/opportunities/opportunity-news.ts'
import { topics } from '../../schemas/topics.ts'
import { fillOpportunities } from './filled-board.ts'
import { moneyline, total } from './hand-made-market.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeEach(async () => {
  service = await startInProcess()
})
afterEach(() => service.close())

it('opportunities that ended while a newcomer got its snapshot are sent as gone to the others', async () => {
  await fillOpportunities(service)
  const { boards, clock } = service
  const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
  const feed = createOpportunityFeed(scope)
  const entries = scope.opportunities.all('arbitrage')
  expect(entries.length).toBeGreaterThan(0)
  const known = feed.tick([], clock()).changed.arbitrage
  expect(known).toEqual(entries)
  // They have expired when the newcomer's snapshot is taken, and their rows go before the next tick.
  service.advance(6 * 60_000)
  feed.track(entries, clock(), true)
  await service.ingest(
    ['draftkings', 'fanduel'].map((sportsbook) =>
      oddsRecord(clock(), {
        sportsbook,
        markets: [moneyline(1.9, 1.9), total(226.5, 1.9, 1.9)],
        home: 'Denver Nuggets',
        away: 'Utah Jazz',
        startsAt: '2026-11-21T01:30:00Z',
      }),
    ),
  )
  await service.settled()
  expect(scope.opportunities.all('arbitrage')).toEqual([])
  const { gone } = feed.tick([], clock())
  expect([...gone]).toEqual(expect.arrayContaining(known.map(({ row }) => row.id)))
})

it('opportunities that ended so, and were stated again before the next tick, are sent to the others', async () => {
  await fillOpportunities(service)
  const { boards, clock, log } = service
  const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
  const feed = createOpportunityFeed(scope)
  const entries = scope.opportunities.all('arbitrage')
  const known = feed.tick([], clock()).changed.arbitrage.map(({ row }) => row)
  expect(known.length).toBeGreaterThan(0)
  service.advance(6 * 60_000)
  feed.track(entries, clock(), true)
  const { version } = scope.opportunities
  await log.append(
    known.map((row) => ({
      topic: topics.opportunities,
      partitionKey: row.league,
      key: row.id,
      value: { ...row, detectedAt: row.detectedAt + 1 },
    })),
  )
  await expect
    .poll(() => new Set(scope.opportunities.changedAfter(version)))
    .toEqual(new Set(known.map(({ id }) => id)))
  const { changed } = feed.tick([], clock())
  expect(new Set(changed.arbitrage.map(({ row }) => row.id))).toEqual(
    new Set(known.map(({ id }) => id)),
  )
})
