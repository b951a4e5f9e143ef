/**
 * The cost of alerts: CPU per price change with 1,000 rules of one type, besides that of the pipeline and the board
 * for the same changes. Over the simulator's market.
 *
 *     taskset -c 0 node --expose-gc build/benchmarks/alerts.js [rounds=5] [rules=1000]
 */

import { createScopes } from '../api/access/scope.ts'
import { tierRights } from '../api/access/tiers.ts'
import { createDecisions } from '../api/alerts/decisions.ts'
import { compileAlert, queryOf } from '../api/alerts/rule-types.ts'
import { createChosenBooks } from '../api/ask/chosen-books.ts'
import { createRandom } from '../pipeline/feeds/simulator/random.ts'
import { type AlertRow, type RuleType, ruleTypes } from '../schemas/alert.ts'
import { emptyProfile } from '../schemas/profile.ts'
import { median, printResults, type Result, range, rounded } from './measure.ts'
import { option } from './options.ts'
import { cpuMicros, openSimulatedMarket } from './simulated-market.ts'

const rounds = Number(option('rounds') ?? 5)
const ruleCount = Number(option('rules') ?? 1_000)
const stepMs = 100
const stepsOfRound = 100
const { boards, chain, clock, step } = openSimulatedMarket(1_000)
const random = createRandom(11)
const sportsbooks = [...boards.live.sportsbooksWithRows()].sort()
const leagues = boards.live.leagues().map(({ league }) => league)
const some = (names: readonly string[], count: number) =>
  [...new Set(Array.from({ length: count }, () => random.pick(names)))].join()

const filters: Readonly<Record<RuleType, () => Readonly<Record<string, unknown>>>> = {
  opportunity: () => ({ league: some(leagues, 3), min_ev: 1 + Math.round(random.between(0, 4)) }),
  price: () => ({
    ...{ league: random.pick(leagues), market: 'moneyline', sportsbook: some(sportsbooks, 6) },
    min_odds: 100 + Math.round(random.between(0, 300)),
  }),
  move: () => ({
    ...{ league: random.pick(leagues), min_books: 3 + Math.floor(random.between(0, 4)) },
    ...{ seconds: 10 + Math.floor(random.between(0, 110)), min_move: 0.5 + random.between(0, 1.5) },
  }),
  source: () => ({ sportsbook: some(sportsbooks, 6) }),
}

const ruleOf = (type: RuleType, i: number) =>
  ({
    ...{ id: `alert_${type}_${i}`, type, accountId: 'acct_1', revision: '1', name: 'a rule' },
    ...{ createdAt: 0, updatedAt: 0, query: queryOf(filters[type]()), improvement: 0.01 },
    ...{ perHour: 20, quiet: null, isPaused: false, pauseReason: null },
    ...(type === 'opportunity' && { kind: 'ev', occasion: 'event' }),
    stakes: { total: null, unit: null, kelly: null },
    target: { type: 'webhook', url: 'https://hooks.example.com', secret: null, chatId: null },
  }) as AlertRow

const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
const { scopeOf } = createChosenBooks({ sets: boards.bookSets, profileOf: emptyProfile })
const { features } = tierRights.enterprise

function startRules(alerts: readonly AlertRow[]) {
  const timer = () => performance.now()
  const decisions = createDecisions({ boards, chain, clock, timer, profileOf: emptyProfile })
  const active = alerts.map((alert) => {
    const scopeAmong = (books: readonly string[] | undefined) => scopeOf(scope, books, alert)
    return { alert, compiled: compileAlert(alert, { scope, scopeAmong, features }) }
  })
  decisions.setAlerts(active, () => true)
  return decisions
}

function measure(type: RuleType): Result {
  const decisions = startRules(Array.from({ length: ruleCount }, (_, i) => ruleOf(type, i)))
  const ofPipeline: number[] = []
  const ofAlerts: number[] = []
  const shares: number[] = []
  let sent = 0
  // The first round examines everything current.
  for (let count = 0; count < stepsOfRound; count++) {
    step(stepMs)
    decisions.decide()
  }
  for (let round = 0; round < rounds; round++) {
    const sum = { changes: 0, pipeline: 0, alerts: 0 }
    for (let count = 0; count < stepsOfRound; count++) {
      const { changes, micros } = step(stepMs)
      sum.changes += changes
      sum.pipeline += micros
      sum.alerts += cpuMicros(() => {
        sent += decisions.decide().length
      })
    }
    ofPipeline.push(sum.pipeline / sum.changes)
    ofAlerts.push(sum.alerts / sum.changes)
    shares.push(sum.alerts / sum.pipeline)
  }
  decisions.close()
  return {
    name: `${ruleCount} rules of the type ${type}`,
    unit: 'share of the CPU of pipeline and board',
    value: rounded(median(shares), 3),
    figures: {
      rounds: range(shares.map((share) => 100 * share)),
      'us a change, alerts': rounded(median(ofAlerts), 1),
      'us a change, pipeline and board': rounded(median(ofPipeline), 1),
      messages: sent,
    },
    goal: 'at most 0.1',
  }
}

printResults(ruleTypes.map(measure))
