/** Alerts' decisions on a moving market, held against the lists by a slow recomputation of each filter. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions, type Decision } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { createChosenBooks } from '../../../api/ask/chosen-books.ts'
import { createRandom } from '../../../pipeline/feeds/simulator/random.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertDeliveryRow, OpportunityAlert } from '../../../schemas/alert.ts'
import { familyOf, type OpportunityKind, opportunityKinds } from '../../../schemas/opportunity.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import type { Tier } from '../../../schemas/reference/tier-books.ts'
import { testSeed } from '../../seed.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

const books = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'bovada']
const bookSets = ['draftkings,fanduel,betmgm', 'bet365,bovada,caesars,draftkings']
const alertTiers = ['pro', 'sharp'] as const satisfies readonly Tier[]

let service: SimulatedService
const keys = new Map<Tier, string>()
beforeAll(async () => {
  service = await startSimulated({ seed: testSeed, events: 14, changesPerSecond: 40, books })
  for (const tier of alertTiers) keys.set(tier, await service.key(tier))
})
afterAll(() => service.close())

// biome-ignore lint/suspicious/noExplicitAny: items of every kind
type Shown = any

/** A drawn rule, with a predicate that recomputes its filter from a listed item. */
interface Drawn {
  readonly alert: OpportunityAlert
  readonly tier: (typeof alertTiers)[number]
  /** The only sportsbooks that the rule considers; empty for all. */
  readonly among: string
  matches(item: Shown): boolean
}

/** Returns the legs that `min_odds` and `max_odds` apply to. */
const legsOf = (kind: OpportunityKind, item: Shown): Shown[] => (kind === 'ev' ? [item] : item.legs)

function drawRules(count: number): Drawn[] {
  const random = createRandom(testSeed)
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random.between(0, some.length))]!
  const leagues = service.boards.live.leagues().map(({ league }) => league)
  return Array.from({ length: count }, (_, i) => {
    const kind = pick(['ev', 'arbitrage', 'ev', 'low_hold'] as const)
    const query = new URLSearchParams()
    const tests: ((item: Shown) => boolean)[] = []
    if (random.between(0, 1) < 0.5) {
      const some = [pick(leagues), pick(leagues)]
      query.set('league', some.join())
      tests.push(({ league }) => some.includes(league))
    }
    if (random.between(0, 1) < 0.4) {
      const live = random.between(0, 1) < 0.5
      query.set('live', String(live))
      tests.push(({ is_live }) => is_live === live)
    }
    if (kind === 'ev') {
      const least = Math.round(random.between(0, 4))
      query.set('min_ev', String(least))
      tests.push((item) => item.ev_percentage >= least)
    } else if (kind === 'arbitrage') {
      const least = Math.round(random.between(0, 15)) / 10
      query.set('min_profit', String(least))
      tests.push((item) => item.profit_percent >= least)
    }
    if (kind !== 'low_hold' && random.between(0, 1) < 0.4) {
      query.set('max_odds', '180')
      tests.push((item) => legsOf(kind, item).every(({ odds_american }) => odds_american <= 180))
    }
    if (random.between(0, 1) < 0.2) {
      query.set('starts_within_minutes', '240')
      tests.push(({ start_time }) => {
        const inMs = Date.parse(start_time) - service.clock()
        return inMs > 0 && inMs <= 240 * 60_000
      })
    }
    if (random.between(0, 1) < 0.3) {
      query.set('market', 'moneyline')
      tests.push(({ market_type }) => market_type === 'moneyline')
    }
    const among = random.between(0, 1) < 0.3 ? pick(bookSets) : ''
    if (among !== '') query.set('books', among)
    return {
      among,
      alert: alertRow(`alert_${i}`, kind, query.toString()),
      tier: pick(alertTiers),
      matches: (item) => tests.every((test) => test(item)),
    }
  })
}

const alertRow = (id: string, kind: OpportunityKind, query: string): OpportunityAlert => ({
  type: 'opportunity',
  id,
  accountId: 'acct_1',
  revision: '1',
  createdAt: 0,
  updatedAt: 0,
  name: id,
  kind,
  query,
  occasion: 'opportunity',
  improvement: 0.01,
  perHour: 1_000_000,
  quiet: null,
  stakes: { total: null, unit: null, kelly: null },
  target: { type: 'webhook', url: 'https://hooks.example.com', secret: null, chatId: null },
  isPaused: false,
  pauseReason: null,
})

/** Returns all opportunities of a kind listed for a tier among some sportsbooks, by id. */
async function listed(kind: OpportunityKind, tier: Tier, among: string) {
  const items = new Map<string, Shown>()
  const bounds = kind === 'low_hold' ? '' : '&min_odds=-100000'
  const books = among === '' ? '' : `&books=${among}`
  for (let offset = 0; ; offset += 200) {
    const path = `/opportunities/${familyOf(kind)}?limit=200&offset=${offset}${bounds}${books}`
    const { body } = await service.get(path, keys.get(tier)!)
    for (const item of body.data) items.set(item.id, item)
    if (!body.pagination.has_more) return items
  }
}

it('decisions equal the lists, each opportunity once, and again when it improves', async () => {
  const drawn = drawRules(50)
  const { boards, clock } = service
  const parts = {
    boards,
    chain: sharpChain('pinnacle'),
    clock,
    timer: () => 0,
    profileOf: emptyProfile,
  }
  const decisions = createDecisions(parts)
  const scopes = createScopes(boards)
  const { scopeOf } = createChosenBooks({ sets: boards.bookSets, profileOf: emptyProfile })
  const byId = new Map(drawn.map((one) => [one.alert.id, one]))
  const active = drawn.map(({ alert, tier }) => {
    const scope = scopes.of({ tier, isOwner: false })
    const scopeAmong = (some: readonly string[] | undefined) => scopeOf(scope, some, alert)
    const { features } = tierRights[tier]
    return { alert, compiled: compileAlert(alert, { scope, scopeAmong, features }) }
  })
  decisions.setAlerts(active, (id) => byId.has(id))
  const sent = new Map<string, number>()
  const idOf = ({ finding: { identity } }: Decision) => String(identity[0])
  const keyOf = (decision: Decision) => `${decision.alert.id} ${idOf(decision)}`

  const kinds = opportunityKinds.filter((kind) => drawn.some(({ alert }) => alert.kind === kind))
  for (let step = 0; step < 8; step++) {
    const decided = decisions.decide()
    const lists = new Map<string, Map<string, Shown>>()
    for (const kind of kinds) {
      for (const tier of alertTiers) {
        for (const among of ['', ...bookSets]) {
          lists.set(`${kind} ${tier} ${among}`, await listed(kind, tier, among))
        }
      }
    }
    for (const decision of decided) {
      const { alert, tier, among, matches } = byId.get(decision.alert.id)!
      const item = lists.get(`${alert.kind} ${tier} ${among}`)!.get(idOf(decision))
      expect([keyOf(decision), item !== undefined && matches(item)]).toEqual([
        keyOf(decision),
        true,
      ])
      const before = sent.get(keyOf(decision))
      const { worth } = decision.finding
      if (before !== undefined) expect(worth).toBeGreaterThanOrEqual(before + 0.01 - 1e-9)
      expect(decision.bestSent).toBe(before ?? null)
      sent.set(keyOf(decision), worth)
    }
    for (const { alert, tier, among, matches } of drawn) {
      const items = lists.get(`${alert.kind} ${tier} ${among}`)!
      const unsent = [...items.values()].filter(
        (item) => matches(item) && !sent.has(`${alert.id} ${item.id}`),
      )
      expect([alert.query, unsent.map(({ id }) => id)]).toEqual([alert.query, []])
    }
    service.step(1_000)
  }
  expect(sent.size).toBeGreaterThan(50)
})

/** Returns decisions for one alert of all games, and a function that changes it. */
function decideFor(kind: OpportunityKind, at: () => number) {
  const { boards } = service
  const parts = {
    boards,
    chain: sharpChain('pinnacle'),
    clock: at,
    timer: () => 0,
    profileOf: emptyProfile,
  }
  const decisions = createDecisions(parts)
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const { features } = tierRights.sharp
  let revisions = 0
  function set(change: Partial<OpportunityAlert>) {
    const alert = { ...alertRow('alert', kind, ''), occasion: 'event' as const, ...change }
    alert.revision = String(++revisions)
    const compiled = compileAlert(alert, { scope, scopeAmong: () => scope, features })
    decisions.setAlerts([{ alert, compiled }], () => true)
  }
  set({})
  return { decisions, set }
}

const gameIn = ({ finding }: Decision) => finding.occasion.split('|').at(-1)

it('an alert of another kind from now on also tells of games that it told of before', () => {
  const { decisions, set } = decideFor('middle', service.clock)
  const told = decisions.decide()
  // As if the edges had been great: those of the other kind need not be better.
  for (const { finding } of told) {
    const { occasion } = finding
    decisions.remember({ alertId: 'alert', occasion, worth: 1, decidedAt: 0 } as AlertDeliveryRow)
  }
  set({ kind: 'low_hold' })
  const games = new Set(told.map(gameIn))
  expect(decisions.decide().filter((decision) => games.has(gameIn(decision)))).not.toEqual([])
})

it('a game whose message is deleted is told of again', () => {
  let at = service.clock()
  const { decisions } = decideFor('low_hold', () => at)
  const told = decisions.decide()
  const [first] = told
  const row = { alertId: 'alert', occasion: first!.finding.occasion, decidedAt: at }
  at += 60_000
  expect(decisions.decide()).toEqual([])
  decisions.forget({ ...row, decidedAt: row.decidedAt - 1 } as AlertDeliveryRow)
  at += 60_000
  expect(decisions.decide()).toEqual([])
  decisions.forget(row as AlertDeliveryRow)
  at += 60_000
  expect(decisions.decide().map(gameIn)).toEqual([gameIn(first!)])
})
