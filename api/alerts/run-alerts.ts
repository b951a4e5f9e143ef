/**
 * Runs the alerts in the one process that holds their lease. It decides, appends the decisions and sends them. A
 * process that takes over reads the earlier decisions and sends those that have not arrived. So a message arrives at
 * least once, always under the same id.
 */

import { createHmac, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { aborted, sleep } from '../../pipeline/async/abort-signals.ts'
import { runEach } from '../../pipeline/async/run-each.ts'
import { type Append, type Lease, type Log, LogFullError } from '../../pipeline/log/log.ts'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { retryWhileAway } from '../../pipeline/run/retry-while-away.ts'
import { alertsGroup } from '../../pipeline/run/roles.ts'
import { waitForRoom } from '../../pipeline/run/wait-for-room.ts'
import type { AccountRow } from '../../schemas/account.ts'
import { type AlertDeliveryRow, type AlertRow, deliveryKey } from '../../schemas/alert.ts'
import { topics } from '../../schemas/topics.ts'
import type { Accounts } from '../access/accounts.ts'
import { checkAccount } from '../access/keys.ts'
import { createScopes, type Scope } from '../access/scope.ts'
import { rightsNow } from '../access/tiers.ts'
import { createChosenBooks } from '../ask/chosen-books.ts'
import type { Boards } from '../boards.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Readiness } from '../readiness.ts'
import { type AlertBook, deliveryRecord, tombstone } from './alert-book.ts'
import type { MessageParts } from './alert-messages.ts'
import type { AlertWatcher } from './alert-metrics.ts'
import { createDecisions, type Decision, type Decisions, type FollowedAlert } from './decisions.ts'
import { createGoneLook } from './gone-look.ts'
import { readingOf } from './message-texts.ts'
import { setNamedBy } from './opportunity-rule.ts'
import { isBeyondRights, isRefused } from './refused-messages.ts'
import type { AlertRights, CompiledAlert } from './rule-type.ts'
import { compileAlert } from './rule-types.ts'
import { createSender, type Sender } from './sender.ts'
import type { Targets } from './targets.ts'
import { type AccountsOfAlerts, waitingAlerts } from './waiting-alerts.ts'

export interface AlertParts extends MessageParts {
  readonly log: Log
  readonly logger: Logger
  readonly boards: Boards
  readonly accounts: Pick<Accounts, 'find' | 'keysOf'>
  readonly readiness: Pick<Readiness, 'isReady' | 'whenReady'>
  readonly book: AlertBook
  readonly targets: Targets
  /** The chain of each game. */
  readonly chain: Chains
  readonly watcher: AlertWatcher
  /** Pauses between attempts (ms). */
  readonly pausesMs?: readonly number[]
}

/** All alerts share one lease, so one process decides and sends all of them. */
const leasedName = 'alerts'
/** Shortest pause between two decisions. It is longer after long work. */
const decideEveryMs = 20
/** Longest pause between two decisions, however long the work took. */
const longestPauseMs = 500
/** How often accounts' rights to their alerts are checked. */
const rightsEveryMs = 5_000
/** How often it checks whether the opportunities and prices of sent messages are gone. */
const lookForGoneEveryMs = 2_000
const tidyEveryMs = 60_000
/** Limits of stored deliveries: age, number for each alert, and number that keep their message. */
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
  const { targets, clock, profileOf, pausesMs } = parts
  const held: HeldAlerts = { blocked: new Set(), lost: new Set(), refused: [] }
  const scopeNow = createScopeNow(parts)
  const sender = createSender({
    isBlocked: ({ id }) => held.blocked.has(id),
    isBeyondRights(row) {
      const scope = scopeNow(row.accountId)
      return scope === undefined || isBeyondRights(row, scope)
    },
    refused: (row) => held.refused.push(row),
    ...{ book, targets, write, clock, watcher, signal: whileHeld },
    readingOf: (alert) => readingOf(alert, profileOf(alert.accountId)),
    ...(pausesMs && { pausesMs }),
  })
  try {
    await Promise.all([
      decideUntil(parts, write, { sender, held }, whileHeld).finally(() => failed.abort()),
      sender.ended.finally(() => failed.abort()),
    ])
  } catch (error) {
    // After the lease moved, pending writes are refused.
    if (!lease.ended.aborted) throw error
  } finally {
    watcher.holds(false)
  }
}

/** Reads the previous holder's writes before anything is decided. */
async function catchUp(book: AlertBook, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      return await Promise.race([book.catchUp(), aborted(signal)])
    } catch (error) {
      // The log is slow or full. Requests are served meanwhile.
      if (!(error instanceof ApiError || error instanceof LogFullError)) throw error
      await sleep(rightsEveryMs, signal)
    }
  }
}

async function decideUntil(
  parts: AlertParts,
  write: (records: readonly Append[]) => Promise<void>,
  { sender, held }: { readonly sender: Sender; readonly held: HeldAlerts },
  signal: AbortSignal,
) {
  const { boards, readiness, book, chain, clock, profileOf, watcher } = parts
  const timer = () => performance.now()
  const decisions = createDecisions({ boards, chain, clock, timer, profileOf })
  const rights = createRights(parts)
  for (const [, rows] of book.deliveries()) {
    for (const row of [...rows].sort((a, b) => a.decidedAt - b.decidedAt)) {
      if (row.type !== 'test' && !isRefused(row)) decisions.remember(row)
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
  let hidden = boards.sources.ownersOnly
  const lookForGone = createGoneLook(book, {
    isGone: (message) => held.lost.has(message.alertId) || decisions.isGone(message),
  })
  let lookedAt = timer()
  let tidiedAt = timer()
  try {
    while (!signal.aborted) {
      const began = timer()
      let spent = 0
      // An owner-only sportsbook is hidden before any decision about its prices.
      const isHiding = hidden !== boards.sources.ownersOnly
      const isLowered = held.refused.length > 0
      if (haveAlertsChanged || isHiding || isLowered || began - rightsAt >= rightsEveryMs) {
        hidden = boards.sources.ownersOnly
        haveAlertsChanged = false
        haveDeliveriesChanged = true
        rightsAt = began
        isActive = setAlerts(decisions, book, rights, held)
      }
      if (haveDeliveriesChanged) {
        haveDeliveriesChanged = false
        for (const row of book.pending()) sender.take(row)
        for (const row of book.unedited()) sender.edit(row)
        sender.review()
      }
      // Its occasion is news again, as the account sees it now.
      for (const row of held.refused.splice(0)) decisions.forget(row)
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
        await tidy(book, write, { sender, decisions }, clock())
      }
      if (isActive) {
        // `spent` excludes the wait for the log.
        const pauseMs = Math.min(longestPauseMs, Math.max(decideEveryMs, 9 * spent))
        await sleep(pauseMs, signal)
      } else if (!haveAlertsChanged && !haveDeliveriesChanged) {
        const woken = new AbortController()
        wake = () => woken.abort()
        const waking = AbortSignal.any([signal, woken.signal])
        await sleep(rightsEveryMs, waking)
      }
    }
  } finally {
    unwatch()
    decisions.close()
  }
}

/** Returns a function that tells what an account sees now; undefined for no account. */
function createScopeNow({ boards, accounts }: AlertParts) {
  const scopes = createScopes(boards)
  return (accountId: string): Scope | undefined => {
    const account = accounts.find(accountId)
    return account && scopes.of(account)
  }
}

/** Alerts that may send nothing, by id. */
interface HeldAlerts {
  /** Alerts that may not run, although they are not paused. */
  readonly blocked: Set<string>
  /**
   * Alerts that their account may not have any more, paused ones included. The opportunities and
   * prices of their messages count as gone.
   */
  readonly lost: Set<string>
  /** Messages that were refused and are not forgotten yet. */
  readonly refused: AlertDeliveryRow[]
}

interface Rights extends AccountsOfAlerts {
  /**
   * Compiles an alert with its account's current rights.
   * @returns why not, if the account lacks them or no set of sportsbooks is free
   */
  compiled(alert: AlertRow): CompiledAlert | ErrorCode
}

function createRights({ boards, accounts, profileOf, clock }: AlertParts): Rights {
  const scopes = createScopes(boards)
  const { scopeOf } = createChosenBooks({ sets: boards.bookSets, profileOf })
  const compiled = new WeakMap<AlertRow, CompiledAlert>()

  /** @throws ApiError if the account may not use the service now */
  function rightsOf(alert: AlertRow, account: AccountRow): AlertRights {
    const now = clock()
    checkAccount(account, now)
    // Nobody could stop its alerts, and its last key was revoked to end what it receives.
    if (accounts.keysOf(account.id).length === 0) {
      throw new ApiError('invalid_api_key', 'The account has no key.')
    }
    const scope = scopes.of(account)
    const scopeAmong = (books: readonly string[] | undefined) => scopeOf(scope, books, alert)
    return { scope, scopeAmong, features: rightsNow(account, now).features }
  }

  function compiledFor(alert: AlertRow, account: AccountRow): CompiledAlert {
    const rights = rightsOf(alert, account)
    const { scopeAmong, features } = rights
    const known = compiled.get(alert)
    // The scope object changes with the account's tier and with its own sportsbooks.
    const isSame = known !== undefined && scopeAmong(known.books) === known.scope
    if (isSame && (!known.requires || features[known.requires.feature])) return known
    const fresh = compileAlert(alert, rights)
    compiled.set(alert, fresh)
    return fresh
  }

  return {
    compiled(alert) {
      const account = accounts.find(alert.accountId)
      if (!account) return 'not_found'
      try {
        return compiledFor(alert, account)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return error.code
      }
    },
    tierOf: ({ accountId }) => accounts.find(accountId)?.tier,
    setOf(alert) {
      const account = accounts.find(alert.accountId)
      return account && setNamedBy(alert, rightsOf(alert, account))
    },
  }
}

/** Reasons that may be over soon: no set of sportsbooks is free, or a key is being replaced. */
const mayReturn: ReadonlySet<ErrorCode> = new Set(['too_many_book_sets', 'invalid_api_key'])

/**
 * Gives the alerts to the decisions. An alert that is paused or waiting is followed as long as an opportunity or a
 * price of its messages may still be there.
 * @param held gets the ids of those that may send nothing
 * @returns whether any alert is followed
 */
function setAlerts(
  decisions: Decisions,
  book: AlertBook,
  rights: Rights,
  { blocked, lost }: HeldAlerts,
): boolean {
  const followed: FollowedAlert[] = []
  const ids = new Set<string>()
  const standing = new Set([...book.standing()].map(({ row }) => row.alertId))
  const waiting = waitingAlerts(book.all(), rights)
  lost.clear()
  for (const alert of book.all()) {
    const { id, isPaused } = alert
    ids.add(id)
    const isSilent = isPaused || waiting.has(id)
    const compiled = isSilent && !standing.has(id) ? null : rights.compiled(alert)
    const isFollowed = compiled !== null && typeof compiled !== 'string'
    if (isFollowed) followed.push({ alert, compiled, isSilent })
    else if (compiled !== null && !mayReturn.has(compiled)) lost.add(id)
    if (isPaused || (isFollowed && !isSilent)) blocked.delete(id)
    else blocked.add(id)
  }
  for (const id of blocked) if (!ids.has(id)) blocked.delete(id)
  decisions.setAlerts(followed, (id) => ids.has(id))
  return followed.length > 0 || standing.size > 0
}

function deliveryOf(decision: Decision, parts: AlertParts): AlertDeliveryRow {
  const { alert, finding, bestSent } = decision
  const { occasion, worth } = finding
  return {
    id: messageId(decision, parts.log.secret),
    accountId: alert.accountId,
    alertId: alert.id,
    revision: randomUUID(),
    type: alert.type,
    occasion,
    worth,
    decidedAt: decision.decidedAt,
    state: 'pending',
    isRetried: true,
    attempts: 0,
    attemptedAt: null,
    problem: null,
    deliveredAt: null,
    message: JSON.stringify(finding.message(bestSent, parts)),
    ...{ remoteId: null, goneAt: null, editedAt: null },
    visibilityBit: decision.visibilityBit,
    sportsbooks: finding.sportsbooks(),
  }
}

/**
 * Returns an id that is the same in every process. Because of the secret, nobody can guess the detection time from it.
 */
function messageId({ alert, finding, bestSent }: Decision, secret: string): string {
  const news = [alert.id, finding.occasion, ...finding.identity, bestSent].join('|')
  return `msg_${createHmac('sha256', secret).update(news).digest('hex').slice(0, 24)}`
}

/** Deletes old deliveries and those of deleted alerts. */
async function tidy(
  book: AlertBook,
  write: (records: readonly Append[]) => Promise<void>,
  { sender, decisions }: { readonly sender: Sender; readonly decisions: Decisions },
  now: number,
) {
  const existing = new Set([...book.all()].map(({ accountId, id }) => `${accountId}|${id}`))
  const records: Append[] = []
  const deleted: AlertDeliveryRow[] = []
  const forgotten: AlertDeliveryRow[] = []
  for (const [alert, ofAlert] of book.deliveries()) {
    const rows = [...ofAlert].sort((a, b) => b.decidedAt - a.decidedAt)
    for (const [i, row] of rows.entries()) {
      const isAged = now - row.decidedAt > keptForMs
      const isOld = row.state !== 'pending' && (i >= mostKept || isAged)
      if (isOld || !existing.has(alert)) {
        deleted.push(row)
        // Rows beyond the kept number are still remembered: otherwise a busy alert would repeat
        // itself for ever.
        if (isAged || !existing.has(alert)) forgotten.push(row)
        records.push(tombstone(topics.alertDeliveries, deliveryKey(row)))
      } else if (i >= mostMessages && row.state !== 'pending' && row.message !== '') {
        records.push(deliveryRecord({ ...row, message: '' }))
      }
    }
  }
  await writeAll(write, records)
  sender.forget(deleted.map(deliveryKey))
  for (const row of forgotten) decisions.forget(row)
}

async function writeAll(
  write: (records: readonly Append[]) => Promise<void>,
  records: readonly Append[],
) {
  for (let from = 0; from < records.length; from += recordsAtOnce) {
    await write(records.slice(from, from + recordsAtOnce))
  }
}
