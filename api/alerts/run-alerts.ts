/**
 * Runs the alerts in the one process that holds them. It decides, appends what it decided, and sends that: a process
 * that takes over reads what was told, and sends what was decided and has not arrived. So a message arrives at least
 * once, always under the same id.
 */

import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { aborted } from '../../pipeline/async/abort-signals.ts'
import { runEach } from '../../pipeline/async/run-each.ts'
import { type Append, type Lease, type Log, LogFullError } from '../../pipeline/log/log.ts'
import { retryWhileAway } from '../../pipeline/run/retry-while-away.ts'
import { alertsGroup } from '../../pipeline/run/roles.ts'
import { waitForRoom } from '../../pipeline/run/wait-for-room.ts'
import { type AlertDeliveryRow, type AlertRow, deliveryKey } from '../../schemas/alert.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import { topics } from '../../schemas/topics.ts'
import type { Accounts } from '../access/accounts.ts'
import { checkAccount } from '../access/keys.ts'
import { createScopes } from '../access/scope.ts'
import { rightsNow } from '../access/tiers.ts'
import { createChosenBooks } from '../ask/chosen-books.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import type { Readiness } from '../readiness.ts'
import { type AlertBook, deliveryRecord, tombstone } from './alert-book.ts'
import type { MessageParts } from './alert-messages.ts'
import type { AlertWatcher } from './alert-metrics.ts'
import { type ActiveAlert, createDecisions, type Decision, type Decisions } from './decisions.ts'
import { createGoneLook } from './gone-look.ts'
import type { CompiledAlert } from './rule-type.ts'
import { compileAlert } from './rule-types.ts'
import { createSender, type Sender } from './sender.ts'
import type { Targets } from './targets.ts'

export interface AlertParts extends MessageParts {
  readonly log: Log
  readonly logger: Logger
  readonly boards: Boards
  readonly accounts: Pick<Accounts, 'find'>
  readonly profileOf: (accountId: string) => ProfileRow
  readonly readiness: Pick<Readiness, 'isReady' | 'whenReady'>
  readonly book: AlertBook
  readonly targets: Targets
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  readonly watcher: AlertWatcher
  /** Pauses between attempts (ms). */
  readonly pausesMs?: readonly number[]
}

/** All alerts are one name: one process decides and sends all of them. */
const leasedName = 'alerts'
/** The shortest time between two decisions; after long work it is longer. */
const decideEveryMs = 20
/** Though much has to be looked at, what moves is decided after so long. */
const longestPauseMs = 500
/** How often it is asked whether accounts may still see what their alerts ask for. */
const rightsEveryMs = 5_000
/** How often it looks whether what messages are about is gone. */
const lookForGoneEveryMs = 2_000
const tidyEveryMs = 60_000
/** Deliveries are kept for so long, and no more than so many of an alert; of some the messages too. */
const keptForMs = 48 * 3_600_000
const mostKept = 500
const mostMessages = 100
const recordsAtOnce = 500

/** Runs until `signal` aborts, through outages of the log. */
export async function runAlerts(parts: AlertParts, signal: AbortSignal): Promise<void> {
  const { logger, readiness, book } = parts
  const log = waitForRoom(parts.log, { signal, logger })
  await Promise.race([Promise.all([readiness.whenReady(), book.ready]), aborted(signal)])
  if (signal.aborted) return
  await retryWhileAway(
    alertsGroup,
    () =>
      runEach(
        (whileAll) => log.lease([leasedName], { group: alertsGroup, signal: whileAll }),
        (lease, whileAll) => runLeased(parts, lease, whileAll),
        signal,
      ),
    { signal, logger },
  )
}

async function runLeased(parts: AlertParts, lease: Lease, whileAll: AbortSignal) {
  const { book, watcher, logger } = parts
  const failed = new AbortController()
  const whileHeld = AbortSignal.any([whileAll, lease.ended, failed.signal])
  await catchUp(book, whileHeld)
  if (whileHeld.aborted) return
  logger.info('alerts are decided here')
  watcher.holds(true)
  const write = (records: readonly Append[]) => lease.append(records)
  const { targets, clock, pausesMs } = parts
  const sender = createSender({
    ...{ book, targets, write, clock, watcher, signal: whileHeld },
    ...(pausesMs && { pausesMs }),
  })
  try {
    await Promise.all([
      decideUntil(parts, write, sender, whileHeld).finally(() => failed.abort()),
      sender.ended.finally(() => failed.abort()),
    ])
  } catch (error) {
    // Writes that were under way when the lease moved are refused.
    if (!lease.ended.aborted) throw error
  } finally {
    watcher.holds(false)
  }
}

/** What the process before this one wrote has to be known before anything is decided. */
async function catchUp(book: AlertBook, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      return await Promise.race([book.catchUp(), aborted(signal)])
    } catch (error) {
      // It was not read back in time, as the log is slow, or the disk is full: readers are served meanwhile.
      if (!(error instanceof ApiError || error instanceof LogFullError)) throw error
      await delay(rightsEveryMs, null, { signal }).catch(() => {})
    }
  }
}

async function decideUntil(
  parts: AlertParts,
  write: (records: readonly Append[]) => Promise<void>,
  sender: Sender,
  signal: AbortSignal,
) {
  const { boards, readiness, book, chain, clock, watcher } = parts
  const timer = () => performance.now()
  const decisions = createDecisions({ boards, chain, clock, timer })
  const rightsOf = createRights(parts)
  for (const [, rows] of book.deliveries()) {
    for (const row of [...rows].sort((a, b) => a.decidedAt - b.decidedAt)) {
      if (row.type !== 'test') decisions.remember(row)
    }
  }
  let haveAlertsChanged = true
  let haveDeliveriesChanged = true
  let wake = () => {}
  const unwatch = book.watch((table) => {
    if (table === 'alerts') haveAlertsChanged = true
    else haveDeliveriesChanged = true
    wake()
  })
  let isActive = false
  let rightsAt = Number.NEGATIVE_INFINITY
  const lookForGone = createGoneLook(book, decisions)
  let lookedAt = timer()
  let tidiedAt = timer()
  try {
    while (!signal.aborted) {
      const began = timer()
      let spent = 0
      if (haveAlertsChanged || began - rightsAt >= rightsEveryMs) {
        haveAlertsChanged = false
        haveDeliveriesChanged = true
        rightsAt = began
        isActive = setAlerts(decisions, book, rightsOf)
      }
      if (haveDeliveriesChanged) {
        haveDeliveriesChanged = false
        for (const row of book.pending()) sender.take(row)
        for (const row of book.unedited()) sender.edit(row)
        sender.review()
      }
      if (readiness.isReady()) {
        const decided = decisions.decide().map((decision) => deliveryOf(decision, parts))
        spent = timer() - began
        watcher.worked(spent)
        if (decided.length > 0) {
          watcher.decided(decided.length)
          await write(decided.map(deliveryRecord))
          for (const row of decided) sender.take(row)
        }
      }
      if (isActive && readiness.isReady() && began - lookedAt >= lookForGoneEveryMs) {
        lookedAt = began
        const gone = lookForGone().map((row) => ({ ...row, goneAt: clock() }))
        await writeAll(write, gone.map(deliveryRecord))
      }
      if (began - tidiedAt >= tidyEveryMs) {
        tidiedAt = began
        await tidy(book, write, sender, clock())
      }
      if (isActive) {
        // Waiting for the log is no work.
        const pauseMs = Math.min(longestPauseMs, Math.max(decideEveryMs, 9 * spent))
        await delay(pauseMs, null, { signal }).catch(() => {})
      } else if (!haveAlertsChanged && !haveDeliveriesChanged) {
        const woken = new AbortController()
        wake = () => woken.abort()
        const waking = AbortSignal.any([signal, woken.signal])
        await delay(rightsEveryMs, null, { signal: waking }).catch(() => {})
      }
    }
  } finally {
    unwatch()
    decisions.close()
  }
}

/** Finds what an alert asks for, by what its account may see now; null where it may not see it. */
function createRights({ boards, accounts, profileOf, clock }: AlertParts) {
  const scopes = createScopes(boards)
  const { scopeOf } = createChosenBooks({ sets: boards.bookSets, profileOf })
  const compiled = new WeakMap<AlertRow, CompiledAlert>()
  return (alert: AlertRow): CompiledAlert | null => {
    const account = accounts.find(alert.accountId)
    if (!account) return null
    try {
      const now = clock()
      checkAccount(account, now)
      const scope = scopes.of(account)
      const scopeAmong = (books: readonly string[] | undefined) => scopeOf(scope, books, alert)
      const { features } = rightsNow(account, now)
      const known = compiled.get(alert)
      // The scope is another one once the account's tier, or its own sportsbooks, have changed.
      const isSame = known !== undefined && scopeAmong(known.books) === known.scope
      if (isSame && (!known.requires || features[known.requires.feature])) return known
      const of = compileAlert(alert, { scope, scopeAmong, features })
      compiled.set(alert, of)
      return of
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return null
    }
  }
}

/** @returns whether there is any that may tell something */
function setAlerts(
  decisions: Decisions,
  book: AlertBook,
  rightsOf: (alert: AlertRow) => CompiledAlert | null,
): boolean {
  const active: ActiveAlert[] = []
  const ids = new Set<string>()
  for (const alert of book.all()) {
    ids.add(alert.id)
    const compiled = alert.isPaused ? null : rightsOf(alert)
    if (compiled) active.push({ alert, compiled })
  }
  decisions.setAlerts(active, (id) => ids.has(id))
  return active.length > 0
}

function deliveryOf(decision: Decision, parts: AlertParts): AlertDeliveryRow {
  const { alert, finding, toldBefore } = decision
  const { occasion, worth } = finding
  return {
    id: messageId(decision, parts.log.secret),
    accountId: alert.accountId,
    alertId: alert.id,
    revision: randomUUID(),
    type: alert.type,
    occasion,
    worth,
    decidedAt: parts.clock(),
    state: 'pending',
    isRetried: true,
    attempts: 0,
    attemptedAt: null,
    problem: null,
    deliveredAt: null,
    message: JSON.stringify(finding.message(toldBefore, parts)),
    ...{ remoteId: null, goneAt: null, editedAt: null },
  }
}

/** The same for the same news, whichever process decides it. Without the secret, when it was detected could be tried. */
function messageId({ alert, finding, toldBefore }: Decision, secret: string): string {
  const news = [alert.id, finding.occasion, ...finding.identity, toldBefore].join('|')
  return `msg_${createHmac('sha256', secret).update(news).digest('hex').slice(0, 24)}`
}

/** Removes what is old, and what was told by alerts that are gone. */
async function tidy(
  book: AlertBook,
  write: (records: readonly Append[]) => Promise<void>,
  sender: Sender,
  now: number,
) {
  const there = new Set([...book.all()].map(({ accountId, id }) => `${accountId}|${id}`))
  const records: Append[] = []
  const gone: string[] = []
  for (const [alert, ofAlert] of book.deliveries()) {
    const rows = [...ofAlert].sort((a, b) => b.decidedAt - a.decidedAt)
    for (const [i, row] of rows.entries()) {
      const isOld = row.state !== 'pending' && (i >= mostKept || now - row.decidedAt > keptForMs)
      if (isOld || !there.has(alert)) {
        gone.push(deliveryKey(row))
        records.push(tombstone(topics.alertDeliveries, deliveryKey(row)))
      } else if (i >= mostMessages && row.state !== 'pending' && row.message !== '') {
        records.push(deliveryRecord({ ...row, message: '' }))
      }
    }
  }
  await writeAll(write, records)
  sender.forget(gone)
}

async function writeAll(
  write: (records: readonly Append[]) => Promise<void>,
  records: readonly Append[],
) {
  for (let from = 0; from < records.length; from += recordsAtOnce) {
    await write(records.slice(from, from + recordsAtOnce))
  }
}
