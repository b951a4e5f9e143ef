/**
 * Plans used again and again on a moving board cache much of their work. Each response is compared with that
 * of a new board and plan.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import type { KeyAction, Prepared, ReadRoute } from '../../api/route.ts'
import { createBatchRoute } from '../../api/routes/batch.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createEventsRoute } from '../../api/routes/events.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import type { LogRecord } from '../../pipeline/log/log.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { topics } from '../../schemas/topics.ts'
import type { WithheldPrice } from '../../schemas/withheld-price.ts'
import {
  announcements,
  anyOp,
  baseTime as historyTime,
  type Op,
  oddsIdOf,
  recordOf,
  sportsbooks,
} from '../pipeline/views/histories.ts'
import { logRecord } from '../pipeline/views/naive-board.ts'
import { createSmallBoard, baseTime as smallTime } from './small-board.ts'

const cursors = createCursors('a secret')

/** Returns the routes that cache something. Each board has its own. */
const routesOf = () => {
  const odds = createOddsRoute(cursors)
  const events = createEventsRoute(cursors, () => 0)
  // Prices of the histories are seen around `historyTime`.
  const best = createBestRoute(() => historyTime)
  const compareOdds = createComparisonRoute(() => historyTime)
  const queries: readonly (readonly [ReadRoute, string])[] = [
    ...[
      '',
      'q=leeds',
      'team=knicks',
      'limit=2&offset=1',
      'live=true',
      'sportsbook=draftkings',
      'sport=soccer',
    ].map((query) => [events, query] as const),
    ...[
      'min_odds=100',
      'min_odds=-110&max_odds=105&limit=3',
      'max_odds=1000&sportsbook=draftkings',
      'min_odds=100&live=true',
      'is_main_line=true',
      'is_main_line=false&offset=2',
      'is_book_main_line=true&league=nba',
      'is_stale_pregame_price=false',
      'q=nba',
      'team=leeds&market=moneyline,total_goals',
      'sport=soccer&sportsbook=fanduel',
      'sort=-odds_american&min_odds=100',
    ].map((query) => [odds, query] as const),
    ...[
      '',
      'league=nba',
      'min_odds=100',
      'is_main_line=true',
      'limit=3&offset=1',
      'q=leeds',
      'sportsbook=fanduel',
    ].map((query) => [best, query] as const),
    ...[
      'event_id=game-0',
      'event_id=game-3&min_odds=100',
      'event_id=game-3&sportsbook=fanduel',
      'event_id=game-4',
    ].map((query) => [compareOdds, query] as const),
  ]
  return { queries, batch: createBatchRoute() as KeyAction }
}

const tiers: readonly Tier[] = ['sharp', 'pro']
const context = { query: {}, path: {}, contentType: 'application/json' }
const eventIds = ['game-3', 'no such event', 'game-0', 'game-1']

/** Creates a board with its plans, one for each request. */
function createAsked() {
  const small = createSmallBoard()
  const { queries, batch } = routesOf()
  const plans = tiers.flatMap((tier) =>
    queries.map(([route, query]) => ({
      name: `${tier} ${route.path}?${query}`,
      route,
      query,
      tier,
    })),
  )
  const prepared = new Map<string, Prepared>()

  function answer({ name, route, query, tier }: (typeof plans)[number]) {
    const page = createPageBuffer()
    try {
      const plan = prepared.get(name) ?? small.prepare(route, query, { tier })
      prepared.set(name, plan)
      const { tag } = plan.write(page)
      const told = plan.tag?.()
      return {
        name,
        body: page.bytes.toString('utf8', 0, page.length),
        tag: tag ?? null,
        told: told ?? tag ?? null,
      }
    } catch (error) {
      return { name, body: String(error), tag: null, told: null }
    }
  }

  function batchOf(tier: Tier) {
    const answered = batch.handle({
      ...context,
      body: { event_ids: eventIds },
      scope: small.scope(tier),
      profile: emptyProfile(''),
      inPieces: (steps: Iterator<void>, finish: () => unknown) => {
        while (!steps.next().done) {}
        return finish()
      },
    } as unknown as Parameters<typeof batch.handle>[0]) as { body: Uint8Array; sent(): void }
    const body = Buffer.from(answered.body).toString('utf8')
    answered.sent()
    return { name: `${tier} batch`, body, tag: null, told: null }
  }

  return {
    take: (records: readonly LogRecord[]) =>
      small.board.apply(records, { epoch: 'e', offsets: {} }, smallTime),
    answers: () => [...plans.map(answer), ...tiers.map(batchOf)],
  }
}

/** Returns the guard's row for the price of an operation. */
function withheldRecord(op: Extract<Op, { op: 'odds' }>, isWithheld: boolean): LogRecord {
  const id = oddsIdOf(op)
  const row: WithheldPrice = {
    id: Number(id),
    sportsbook: sportsbooks[op.book]!,
    league: 'nba',
    reason: 'books_disagree',
    since: historyTime,
  }
  return logRecord(topics.withheldPrices, id, isWithheld ? row : null)
}

const anyRecords = fc
  .tuple(anyOp(1), fc.constantFrom(true, false, null, null, null))
  .map(([op, isWithheld]) => [
    recordOf(op),
    ...(op.op === 'odds' && isWithheld !== null ? [withheldRecord(op, isWithheld)] : []),
  ])

describe('cached reads of a moving board', () => {
  it('equal those of a first request, with a tag of their own', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyRecords, { minLength: 1, maxLength: 12 }), {
          minLength: 1,
          maxLength: 6,
        }),
        (steps) => {
          const kept = createAsked()
          const told: LogRecord[] = [...announcements()]
          kept.take(told)
          const bodies = new Map<string, string>()
          for (const step of steps) {
            const records = step.flat()
            kept.take(records)
            told.push(...records)
            const anew = createAsked()
            anew.take(told)
            const answers = kept.answers()
            expect(answers).toEqual(anew.answers())
            for (const { name, body, tag, told } of answers) {
              expect(told).toBe(tag)
              if (tag === null) continue
              expect(bodies.get(`${name} ${tag}`) ?? body).toBe(body)
              bodies.set(`${name} ${tag}`, body)
            }
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
