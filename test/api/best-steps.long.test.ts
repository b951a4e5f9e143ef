/** The best prices after each of many drawn changes, against a slow computation. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBestRoute } from '../../api/routes/best.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import { createSmallBoard, knicks, leeds, type Quote, quote } from './small-board.ts'

const sportsbooks = ['draftkings', 'fanduel', 'pinnacle'] as const
const answers: readonly Partial<Quote>[] = [
  { selectionType: 'home' },
  { selectionType: 'away' },
  { marketType: 'point_spread', selectionType: 'home', line: -0.5 },
  { marketType: 'point_spread', selectionType: 'away', line: 0.5 },
  { marketType: 'total_points', selectionType: 'over', line: 220.5 },
  { marketType: 'total_points', selectionType: 'under', line: 220.5 },
  { marketType: 'total_points', selectionType: 'over', line: 221.5 },
  { marketType: 'player_points', selectionType: 'over', line: 22.5, playerName: 'Ann' },
]

/** In the order of `/odds`. */
const markets = ['moneyline', 'point_spread', 'total_points', 'player_points']

const anyQuote = fc.record({
  event: fc.constantFrom(knicks, leeds),
  answer: fc.nat(answers.length - 1),
  sportsbook: fc.constantFrom(...sportsbooks),
  price: fc.constantFrom(1.5, 1.9090909, 2, 2.05, 3),
  isLive: fc.boolean(),
  isActive: fc.boolean(),
})

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ quote: anyQuote, gone: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      event: fc.constantFrom(knicks, leeds),
      sportsbook: fc.constantFrom(...sportsbooks),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ game: fc.constantFrom(knicks, leeds), isInPlay: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ advance: fc.constantFrom(1, 30_000, 60_000, 200_000) }) },
)

describe('GET /odds/best, step by step', () => {
  it('has the totals and items of a full scan of the board, for every tier, filter and page', () => {
    const queries = ['', 'live=true', 'live=false', 'market=total', 'min_odds=100', 'league=nba']
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 5, maxLength: 40 }), (steps) => {
        const here = createSmallBoard()
        const route = createBestRoute(here.clock)
        here.event(knicks)
        here.event(leeds)
        const rows = new Map<number, ReturnType<typeof quote>>()
        const seen = new Map<string, number>()
        const inPlay = new Set<string>()
        const plans = queries.flatMap((query) =>
          (['sharp', 'pro'] as const).flatMap((tier) =>
            ['', '&limit=2', '&limit=2&offset=2'].map((range) => ({
              query: `${query}${range}`,
              tier,
              prepared: here.prepare(route, `${query}${range}`, { tier }),
              kept: { version: -1, expiresAt: 0, body: { meta: { total: -1 }, data: [] } },
            })),
          ),
        )
        for (const step of steps) {
          if ('advance' in step) here.advance(step.advance)
          else if ('game' in step) {
            const { game, isInPlay } = step
            here.event(game, { isLive: isInPlay, status: isInPlay ? 'live' : 'upcoming' })
            if (isInPlay) inPlay.add(game)
            else inPlay.delete(game)
          } else if ('quote' in step) {
            const { event, answer, ...of } = step.quote
            const given = { ...answers[answer], ...of, observedAt: here.clock() } as Quote
            const row = quote(event, given)
            if (step.gone) {
              here.withdraw(event, given)
              rows.delete(row.id)
            } else {
              here.odds(event, given)
              rows.set(row.id, row)
              const key = `${event} ${of.sportsbook}`
              if (!seen.has(key)) seen.set(key, here.clock())
            }
          } else if (seen.has(`${step.event} ${step.sportsbook}`)) {
            here.seen(step.event, step.sportsbook, here.clock())
            seen.set(`${step.event} ${step.sportsbook}`, here.clock())
          }
          for (const { query, tier, prepared, kept } of plans) {
            // A cached response may be sent until the expiry that its plan states.
            if (kept.version !== prepared.version() || here.clock() >= kept.expiresAt) {
              const { body, expiresAt } = here.write(route, prepared)
              Object.assign(kept, { version: prepared.version(), expiresAt, body })
            }
            const { meta, data } = kept.body
            const counting = [...rows.values()].filter(
              ({ eventId, isLive }) => isLive || !inPlay.has(eventId),
            )
            const expected = slowBest(counting, seen, here.clock(), query, tier)
            expect([query, tier, meta.total, data.map(summary)]).toEqual([query, tier, ...expected])
          }
        }
      }),
      { numRuns: 15 },
    )
  })
})

// biome-ignore lint/suspicious/noExplicitAny: an item of an answer
const summary = (item: any) =>
  [
    item.event_id,
    item.selection,
    item.line,
    item.all_books.map(({ book, edge }: { book: string; edge: number }) => [book, edge]),
  ].join(' ')

function slowBest(
  rows: readonly ReturnType<typeof quote>[],
  seen: ReadonlyMap<string, number>,
  now: number,
  query: string,
  tier: string,
): [number, string[]] {
  const given = new URLSearchParams(query)
  const items = new Map<string, ReturnType<typeof quote>[]>()
  for (const row of rows) {
    const age = now - seen.get(`${row.eventId} ${row.sportsbook}`)!
    if (!row.isActive || age > (row.isLive ? 60_000 : 300_000)) continue
    if (tier === 'pro' && row.sportsbook === 'pinnacle') continue
    // In soccer, sportsbooks settle it differently.
    if (row.eventId === leeds && row.isLive && row.marketType === 'point_spread') continue
    if (given.has('live') && String(row.isLive) !== given.get('live')) continue
    if (given.has('market') && row.marketType !== 'total_points') continue
    if (given.has('league') && row.league !== given.get('league')) continue
    const market = markets.indexOf(row.marketType)
    const side = ['home', 'over'].includes(row.selectionType) ? 0 : 1
    const key = [row.eventId === knicks ? 0 : 1, market, row.line ?? 0, side].join(' ')
    items.set(key, [...(items.get(key) ?? []), row])
  }
  const least = Number(given.get('min_odds') ?? Number.NEGATIVE_INFINITY)
  const found = [...items]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, offers]) =>
      offers.sort((a, b) => b.price - a.price || (a.sportsbook < b.sportsbook ? -1 : 1)),
    )
    .filter(([first]) => decimalToAmerican(first!.price) >= least)
    .map((offers) => {
      const [first] = offers
      const worst = offers.at(-1)!
      return [
        first!.eventId,
        first!.selection,
        first!.line,
        offers.map(({ sportsbook, price }) => [
          sportsbook,
          Math.round((1 / worst.price - 1 / price) * 1e4) / 100,
        ]),
      ].join(' ')
    })
  const offset = Number(given.get('offset') ?? 0)
  return [found.length, found.slice(offset, offset + Number(given.get('limit') ?? 50))]
}
