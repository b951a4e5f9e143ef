/** Alerts on sources whose pipelines start, end and come back. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions, type Decision, type Decisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import type { LogRecord } from '../../../pipeline/log/log.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertDeliveryRow, AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import type { SourceRow } from '../../../schemas/source.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import { knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { sourceRow } from '../source-row.ts'

let service: SimulatedService
let running: Decisions
let told: Decision[]
beforeEach(async () => {
  service = await startSimulated(null)
  push(service, knicks, { fanduel: [moneyline(1.5, 2.6)] })
  told = []
})
afterEach(async () => {
  running.close()
  await service.close()
})

const alert = {
  ...{ id: 'alert_1', type: 'source', accountId: 'acct_1', revision: '1', name: 'Sources' },
  ...{ createdAt: 0, updatedAt: 0, query: '', improvement: 1, perHour: 60, quiet: null },
  ...{ isPaused: false, pauseReason: null },
  target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
} as AlertRow

/** Starts a process that decides, with the messages of the one before. */
function begin({ isOwner }: { readonly isOwner: boolean }) {
  const { boards, clock } = service
  running = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  for (const { finding } of told) {
    const { occasion, worth } = finding
    const row = { alertId: alert.id, type: 'source', occasion, worth, decidedAt: clock() }
    running.remember(row as AlertDeliveryRow)
  }
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  running.setAlerts([{ alert, compiled: compileAlert(alert, rights) }], () => true)
}

const titles = () => told.map(({ finding: { occasion } }) => wordsOf(occasion))

function wordsOf(occasion: string): string {
  const [, name, , state] = occasion.split('|')
  return `${name} ${state}`
}

function take(topic: Topic, key: string, value: object | null) {
  const record = { topic, partition: 0, offset: 0, key, value } as LogRecord
  const position = { epoch: 'simulated', offsets: {} }
  service.boards.take({ reset: false, records: [record], position, caughtUp: true })
}

let row: SourceRow

/** Writes the row of the source, as its pipeline does. */
function write(change: Partial<SourceRow>) {
  row = { ...row, ...change, updatedAt: service.clock() }
  take(topics.sources, row.source, row)
}

function sayStatus(status: SportsbookStatus['status']) {
  const value = { sportsbook: 'fanduel', status, since: service.clock(), audience: 'all' }
  take(topics.sportsbookStatus, 'fanduel', value)
}

/** Pushes prices of the sportsbook, and not as its source. */
const pushPrices = () => push(service, knicks, { fanduel: [moneyline(1.5, 2.6)] })

/** Lets time pass in steps of the pipeline's rows. */
function pass(seconds: number, { isRunning = true, isPushed = false } = {}) {
  for (let passed = 0; passed < seconds; passed += 5) {
    service.wait(5_000)
    if (isRunning) write({})
    if (isPushed) pushPrices()
    told.push(...running.decide())
  }
}

function beginUp() {
  const now = service.clock()
  row = sourceRow({ source: 'feed', sportsbooks: ['fanduel'], since: now, lastSuccessAt: now })
  write({})
  sayStatus('up')
}

const asStarted = () => ({
  ...{ state: 'degraded' as const, reason: 'starting', lastSuccessAt: null },
  since: service.clock(),
})

it('a source that has not answered since its pipeline began is not up again', () => {
  beginUp()
  begin({ isOwner: true })
  write({ state: 'down', reason: 'timeout', since: service.clock() })
  pass(10)
  expect(titles()).toEqual(['feed down'])
  write(asStarted())
  pass(10)
  write({ reason: 'timeout' })
  pass(10)
  expect(titles()).toEqual(['feed down'])
  write({ state: 'up', reason: null, since: service.clock(), lastSuccessAt: service.clock() })
  pass(10)
  expect(titles()).toEqual(['feed down', 'feed up'])
})

it('every account is told that no pipeline runs the sources of a sportsbook, and when one does', () => {
  beginUp()
  begin({ isOwner: false })
  pass(40)
  expect(titles()).toEqual([])
  pass(60, { isRunning: false })
  expect(titles()).toEqual(['fanduel down'])
  // The rows of sources are forgotten after ten minutes, and the status stays as it was.
  pass(900, { isRunning: false })
  // The next process knows what has been told.
  running.close()
  begin({ isOwner: false })
  pass(60, { isRunning: false })
  expect(titles()).toEqual(['fanduel down'])
  write(asStarted())
  pass(10)
  // The pipeline that is back says it too, until its source has answered.
  sayStatus('down')
  pass(10)
  expect(titles()).toEqual(['fanduel down'])
  write({ state: 'up', reason: null, since: service.clock(), lastSuccessAt: service.clock() })
  sayStatus('up')
  pass(10)
  expect(titles()).toEqual(['fanduel down', 'fanduel up'])
})

it('a pipeline that stopped for a while, and went on as it was, is down and up each time', () => {
  beginUp()
  begin({ isOwner: false })
  pass(40)
  for (const _ of [1, 2]) {
    pass(60, { isRunning: false })
    pass(20)
  }
  expect(titles()).toEqual(['fanduel down', 'fanduel up', 'fanduel down', 'fanduel up'])
})

it.each([true, false])(
  'after a pause of the process itself, sources have time to write (owner: %s)',
  (isOwner) => {
    beginUp()
    begin({ isOwner })
    pass(40)
    service.wait(3_600_000)
    pass(20, { isRunning: false })
    pass(60)
    expect(titles()).toEqual([])
  },
)

const pushedAlone = { isRunning: false, isPushed: true }
const nothingRuns = { isRunning: false }

it('a sportsbook that is pushed in place of its source is never down', () => {
  beginUp()
  begin({ isOwner: false })
  pass(40)
  pass(700, pushedAlone)
  take(topics.sources, row.source, null)
  pass(60, pushedAlone)
  expect(titles()).toEqual([])
  sayStatus('down')
  pass(10, pushedAlone)
  expect(titles()).toEqual(['fanduel down'])
})

it.each(['row', 'no row'])(
  'one that is pushed only later is up again, with %s of its source',
  (left) => {
    beginUp()
    begin({ isOwner: false })
    pass(40)
    pass(60, nothingRuns)
    if (left === 'no row') take(topics.sources, row.source, null)
    pass(60, nothingRuns)
    expect(titles()).toEqual(['fanduel down'])
    pass(20, pushedAlone)
    expect(titles()).toEqual(['fanduel down', 'fanduel up'])
    service.wait(1_000)
    sayStatus('down')
    pass(10, nothingRuns)
    expect(titles()).toEqual(['fanduel down', 'fanduel up', 'fanduel down'])
  },
)

it('one of which somebody says that it is up is not down by its silent source', () => {
  beginUp()
  begin({ isOwner: false })
  pass(40)
  pass(15, nothingRuns)
  sayStatus('down')
  pass(5, nothingRuns)
  sayStatus('up')
  pass(60, nothingRuns)
  expect(titles()).toEqual(['fanduel down', 'fanduel up'])
})

it('one that was seen between two absences while nobody looked has gone down twice', () => {
  beginUp()
  begin({ isOwner: false })
  pass(40)
  pass(60, nothingRuns)
  running.close()
  service.wait(60_000)
  pushPrices()
  service.wait(60_000)
  sayStatus('down')
  begin({ isOwner: false })
  pass(10, nothingRuns)
  expect(titles()).toEqual(['fanduel down', 'fanduel down'])
})
