/**
 * The decisions of alerts on prices, moves and sources on a moving market, held against slow recomputations: prices
 * against the list, moves against all changes of the board. Halfway the runner restarts and reads the sent deliveries.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions, type Decision } from '../../../api/alerts/decisions.ts'
import { outcomeKey } from '../../../api/alerts/offers.ts'
import { compileAlert, queryOf } from '../../../api/alerts/rule-types.ts'
import { createChosenBooks } from '../../../api/ask/chosen-books.ts'
import { usableMs } from '../../../pipeline/rules/odds/freshness.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import { findQuote } from '../../../pipeline/views/query/quotes.ts'
import type { AlertDeliveryRow, AlertRow, RuleType } from '../../../schemas/alert.ts'
import { type PriceChange, priceChange } from '../../../schemas/price-change.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { testSeed } from '../../seed.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { slowMovements } from '../slow-movements.ts'

const books = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'bovada']

let service: SimulatedService
let key = ''
beforeAll(async () => {
  service = await startSimulated({
    seed: testSeed,
    events: 8,
    changesPerSecond: 60,
    books,
    leagues: ['nba', 'nfl'],
  })
  key = await service.key('sharp')
})
afterAll(() => service.close())

const alertRow = (id: string, type: RuleType, filters: object): AlertRow =>
  ({
    ...{ id, type, accountId: 'acct_1', revision: '1', createdAt: 0, updatedAt: 0, name: id },
    query: queryOf(filters as Record<string, unknown>),
    improvement: type === 'price' ? 0.01 : 1,
    ...{ perHour: 1_000_000, quiet: null, isPaused: false, pauseReason: null },
    target: { type: 'webhook', url: 'https://hooks.example.com', secret: null, chatId: null },
  }) as AlertRow

/** Starts a runner as a process would, with the deliveries of earlier runners. */
function startRunner(alerts: readonly AlertRow[], sent: readonly AlertDeliveryRow[]) {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  for (const row of sent) decisions.remember(row)
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const { scopeOf } = createChosenBooks({ sets: boards.bookSets, profileOf: emptyProfile })
  const { features } = tierRights.sharp
  decisions.setAlerts(
    alerts.map((alert) => {
      const scopeAmong = (some: readonly string[] | undefined) => scopeOf(scope, some, alert)
      return { alert, compiled: compileAlert(alert, { scope, scopeAmong, features }) }
    }),
    () => true,
  )
  return decisions
}

const rowOf = ({ alert, finding }: Decision) =>
  ({
    alertId: alert.id,
    ...{ occasion: finding.occasion, worth: finding.worth, decidedAt: service.clock() },
  }) as AlertDeliveryRow

// biome-ignore lint/suspicious/noExplicitAny: items of every kind
type Shown = any

/** Returns the best listed price of each outcome for these filters, of those that an alert on prices may send. */
async function bestListed(filters: object, matches: (item: Shown) => boolean) {
  const best = new Map<string, number>()
  let cursor = ''
  for (;;) {
    const { body } = await service.get(`/odds?limit=200&${queryOf(filters as never)}${cursor}`, key)
    for (const item of body.data as Shown[]) {
      const age = service.clock() - Date.parse(item.last_seen_at)
      if (!item.is_active || item.withheld || age > usableMs(item.is_live)) continue
      if (!matches(item)) continue
      const quote = findQuote(service.boards.live, Number(item.id))!
      if (quote.event.row.isLive && !item.is_live) continue
      const answer = outcomeKey(quote)
      best.set(answer, Math.max(quote.price, best.get(answer) ?? 0))
    }
    if (!body.meta.pagination.has_more) return best
    cursor = `&cursor=${encodeURIComponent(body.meta.pagination.next_cursor)}`
  }
}

it('a wanted price is sent once per outcome, and again only when it improves', async () => {
  const rules = [
    {
      alert: alertRow('overs', 'price', {
        ...{ market: 'total', min_odds: -115, selection: 'over', sportsbook: 'fanduel,betmgm' },
      }),
      filters: { market: 'total', min_odds: -115, sportsbook: 'fanduel,betmgm' },
      // For a team's total it is `home_over`.
      matches: ({ selection_type }: Shown) => /(?:^|_)over$/.test(selection_type),
    },
    {
      alert: alertRow('plus', 'price', { market: 'spread', min_line: 3, books: 'bet365,bovada' }),
      filters: { market: 'spread', books: 'bet365,bovada' },
      matches: ({ line }: Shown) => line >= 3,
    },
    {
      alert: alertRow('dogs', 'price', { market: 'moneyline', min_odds: 150, live: false }),
      filters: { market: 'moneyline', min_odds: 150, live: false },
      matches: () => true,
    },
  ]
  const alerts = rules.map(({ alert }) => alert)
  const rows: AlertDeliveryRow[] = []
  const sent = new Map<string, number>()
  let runner = startRunner(alerts, rows)
  for (let step = 0; step < 8; step++) {
    if (step === 4) {
      runner.close()
      runner = startRunner(alerts, rows)
    }
    const decided = runner.decide()
    for (const { alert, filters, matches } of rules) {
      const best = await bestListed(filters, matches)
      for (const decision of decided.filter((one) => one.alert === alert)) {
        const { occasion, worth } = decision.finding
        const place = `${alert.id} ${occasion}`
        expect([place, -1 / worth]).toEqual([place, expect.closeTo(best.get(occasion)!, 9)])
        const before = sent.get(place)
        expect(decision.bestSent).toBe(before ?? null)
        if (before !== undefined) expect(worth).toBeGreaterThanOrEqual(before + 0.01 - 1e-9)
        sent.set(place, worth)
        rows.push(rowOf(decision))
      }
      const unsent = [...best].filter(([answer, price]) => {
        const worth = sent.get(`${alert.id} ${answer}`)
        return worth === undefined || -1 / price >= worth + 0.01
      })
      expect([alert.id, unsent]).toEqual([alert.id, []])
    }
    service.step(1_000)
  }
  runner.close()
  for (const { id } of alerts) {
    expect([...sent.keys()].filter((place) => place.startsWith(id)).length).toBeGreaterThan(1)
  }
})

interface Seen {
  readonly change: PriceChange
  readonly before: number
  readonly isWithheld: boolean
  /** Whether the price was last open, or listed, in the other phase: before the game or in play. */
  readonly hasTurned: boolean
  /** Whether the price can be bet on. */
  readonly stands: boolean
  readonly answer: string
}

/**
 * Returns the changes of the board after a stamp.
 * @param wasLive whether a price was in play when it was last open, or listed
 */
function changesAfter(stamp: number, wasLive: Map<number, boolean>): Seen[] {
  const { journal } = service.boards.live
  const seen: Seen[] = []
  journal.forEach(stamp, ({ id, price, priceBefore, stateBefore, stamp: at, state }) => {
    const quote = findQuote(service.boards.live, id)
    const [live, active, absent] = [1, 2, 4]
    const isOpened = (state & active) !== 0 && (stateBefore & active) === 0
    const isLive = (state & live) !== 0
    const lastOpen = wasLive.get(id) ?? (stateBefore & live) !== 0
    const isListed = (stateBefore & absent) !== 0
    if (isListed || (state & active) !== 0) wasLive.set(id, isLive)
    if (!quote || ((state | stateBefore) & absent) !== 0) return
    if (price === priceBefore && !isOpened) return
    const { selection, marketType, event, sportsbook, isActive, withheld, offer } = quote
    const { selectionType, label, line, playerName } = selection
    const of = { sportsbook, marketType, selection: label, selectionType, line, playerName }
    const place = { oddsId: id, eventId: event.id, at: at / 1_000 }
    const change = { ...place, price, isLive, isActive: true, what: 2, of }
    const isFresh = service.clock() - offer.lastSeenAt <= usableMs(isLive)
    const isOver = event.row.isLive && !isLive
    seen.push({
      change: change as unknown as PriceChange,
      before: priceBefore,
      isWithheld: withheld !== null,
      hasTurned: lastOpen !== isLive,
      stands: (state & active) !== 0 && isActive && isFresh && !isOver,
      answer: `${outcomeKey(quote)}|${isLive ? 'live' : 'pre'}`,
    })
  })
  return seen
}

it('steam and drops equal a slow search through all moves, once even if the runner restarts', () => {
  // Rules with bounds of their own on the same prices.
  const steams = {
    steam: { min_books: 2, seconds: 20, min_move: 0.4 },
    'longer steam': { min_books: 3, seconds: 40, min_move: 0.2 },
  }
  const drops = { drop: { min_drop: 2, seconds: 15 }, 'longer drop': { min_drop: 3, seconds: 30 } }
  const alerts = Object.entries({ ...steams, ...drops }).map(([id, query]) =>
    alertRow(id, 'move', query),
  )
  const rows: AlertDeliveryRow[] = []
  const history: Seen[] = []
  const wasLive = new Map<number, boolean>()
  let runner = startRunner(alerts, rows)
  runner.decide()
  const restartAt = 60
  for (let step = 0; step < 80; step++) {
    const stamp = service.boards.live.watermark
    service.step(1_000)
    if (step < restartAt) history.push(...changesAfter(stamp, wasLive))
    if (step === restartAt) {
      runner.close()
      runner = startRunner(alerts, rows)
    }
    for (const decision of runner.decide()) {
      const row = rowOf(decision)
      const isSame = ({ alertId, occasion }: AlertDeliveryRow) =>
        alertId === row.alertId && occasion === row.occasion
      expect(rows.some(isSame)).toBe(false)
      if (step < restartAt) rows.push(row)
    }
  }
  runner.close()
  const sentBy = (id: string) =>
    rows.filter(({ alertId }) => alertId === id).map(({ occasion }) => occasion)

  const changes = history.flatMap(({ change, before, isWithheld, hasTurned }) => [
    { ...change, price: before, what: 0 },
    { ...change, what: isWithheld || hasTurned ? 0 : priceChange.price },
  ])
  for (const [id, steam] of Object.entries(steams)) {
    const movements = slowMovements(changes, {
      ...{ books: steam.min_books, windowMs: 1_000 * steam.seconds },
      ...{ leastMove: steam.min_move / 100 - 1e-9, from: 0, to: Number.POSITIVE_INFINITY },
    })
    const expected = movements.map(({ beganAt, moves: [first] }) => {
      const { change, before, answer } = history.find(
        (one) => one.change.oddsId === first!.oddsId && one.change.at === first!.at,
      )!
      const direction = change.price < before ? 'shortened' : 'drifted'
      return `${answer}|${direction}|${beganAt}`
    })
    expect(sentBy(id).sort()).toEqual(expected.sort())
    expect(expected.length).toBeGreaterThan(1)
  }

  const sound = history.filter(({ isWithheld, hasTurned }) => !isWithheld && !hasTurned)
  for (const [id, drop] of Object.entries(drops)) {
    const expected = slowDrops(sound, drop)
    expect(sentBy(id).sort()).toEqual([...expected].sort())
    expect(expected.size).toBeGreaterThan(id === 'drop' ? 3 : 1)
  }
})

/** Returns the occasions of drops that could be bet on. */
function slowDrops(moves: readonly Seen[], drop: { min_drop: number; seconds: number }) {
  const drops = new Set<string>()
  const hot = new Map<string, { until: number; beganAt: number }>()
  for (const [i, { change, answer, stands }] of moves.entries()) {
    const place = `${answer}|${change.of!.sportsbook}`
    const since = change.at - 1_000 * drop.seconds
    const earlier = moves
      .slice(0, i + 1)
      .filter((one) => `${one.answer}|${one.change.of!.sportsbook}` === place)
      .filter((one) => one.change.at >= since)
    const part = 1 - change.price / Math.max(...earlier.map(({ before }) => before))
    if (part < drop.min_drop / 100 - 1e-9) continue
    const known = hot.get(place)
    const beganAt = known && change.at <= known.until ? known.beganAt : change.at
    hot.set(place, { until: change.at + 1_000 * drop.seconds, beganAt })
    if (stands) drops.add(`${place}|${beganAt}`)
  }
  return drops
}
