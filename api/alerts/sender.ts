/**
 * Sends deliveries, one at a time for each alert, and writes each result. A failed delivery is retried until it
 * arrives; in quiet hours it waits for their end. A target that fails for an hour, or reports that it is gone, pauses
 * its alert, and the messages wait.
 */

import { sleep } from '../../pipeline/async/abort-signals.ts'
import type { Append } from '../../pipeline/log/log.ts'
import {
  type AlertDeliveryRow,
  type AlertRow,
  alertKey,
  type DeliveryState,
  deliveryKey,
} from '../../schemas/alert.ts'
import type { AlertBook } from './alert-book.ts'
import { deliveryRecord } from './alert-book.ts'
import type { AlertWatcher } from './alert-metrics.ts'
import type { Reading } from './message-texts.ts'
import { quietUntil } from './quiet-hours.ts'
import { refusal } from './refused-messages.ts'
import { editRequest, remoteIdOf, requestTo } from './target-requests.ts'
import { delivered, type Outcome, type Targets } from './targets.ts'

export interface SenderParts {
  readonly book: Pick<AlertBook, 'find' | 'findDelivery' | 'pauseUnchanged'>
  readonly targets: Pick<Targets, 'send'>
  readonly write: (records: readonly Append[]) => Promise<void>
  readonly clock: () => number
  readonly watcher: AlertWatcher
  /** Whether an alert may not run, so that its messages wait. */
  readonly isBlocked: (alert: AlertRow) => boolean
  /** Whether a message tells of more than its account sees now. */
  readonly isBeyondRights: (row: AlertDeliveryRow) => boolean
  /** Called with a message that was never sent, and is not because of that. */
  readonly refused: (row: AlertDeliveryRow) => void
  /** Returns how the texts of an alert are read. */
  readonly readingOf: (alert: AlertRow) => Reading
  /** Pauses between attempts (ms). The last applies to all further attempts. */
  readonly pausesMs?: readonly number[]
  readonly signal: AbortSignal
}

export interface Sender {
  /** Sends a pending delivery, once however often it is passed. */
  take(row: AlertDeliveryRow): void
  /** Edits a message that is gone, once however often it is passed, unless its target refuses. */
  edit(row: AlertDeliveryRow): void
  /** Alerts may have changed: tries those again that wait for something. */
  review(): void
  /** Forgets deleted deliveries. */
  forget(keys: readonly string[]): void
  /** Rejects if the log fails. Otherwise resolves once `signal` has aborted and all attempts have ended. */
  readonly ended: Promise<void>
}

const usualPausesMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000]
/** The longest sleep in quiet hours: the clock may be set meanwhile. */
const quietSleepMs = 60_000
/** A target that fails for this long, and this often, pauses its alert. */
const failingForMs = 3_600_000
const failingTimes = 3
/** Attempts to edit a message. */
const mostEdits = 10

interface Queue {
  readonly rows: AlertDeliveryRow[]
  isRunning: boolean
  /** Revision of the alert at the last attempt. */
  revision: string
  /** When attempts began again after quiet hours, or were last held back (epoch ms). */
  resumedAt: number
  /** Ends the pause between attempts. */
  wake: AbortController
}

/** Returns the state after a failed attempt. A message that had arrived before stays delivered. */
function stateInVain({ isRetried, deliveredAt }: AlertDeliveryRow): DeliveryState {
  if (isRetried) return 'pending'
  return deliveredAt === null ? 'failed' : 'delivered'
}

export function createSender(parts: SenderParts): Sender {
  const {
    book,
    targets,
    write,
    clock,
    watcher,
    isBlocked,
    isBeyondRights,
    refused,
    readingOf,
    pausesMs = usualPausesMs,
    signal,
  } = parts
  const queues = new Map<string, Queue>()
  /** Taken revision by `deliveryKey`: each revision is sent once. */
  const taken = new Map<string, string>()
  /** The id, at its target, of the message whose edit has begun, by `deliveryKey`. */
  const edited = new Map<string, string>()
  const running = new Set<Promise<void>>()
  let fail: (error: unknown) => void = () => {}
  const ended = new Promise<void>((resolve, reject) => {
    fail = reject
    const end = () => void Promise.allSettled([...running]).then(() => resolve())
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

  function alertOf(row: AlertDeliveryRow): AlertRow | null {
    try {
      return book.find(row.accountId, row.alertId)
    } catch {
      return null
    }
  }

  /** Returns false if the account has changed or deleted the alert since the attempt. */
  async function pause(alert: AlertRow, problem: string): Promise<boolean> {
    const reason = `The target failed for too long: ${problem}.`
    const isPaused = await book.pauseUnchanged(alert, reason, write)
    if (isPaused) watcher.paused()
    return isPaused
  }

  async function settle(
    row: AlertDeliveryRow,
    { target }: AlertRow,
    { isDelivered, problem, reply }: Outcome,
  ): Promise<AlertDeliveryRow> {
    const at = clock()
    const after: AlertDeliveryRow = {
      ...row,
      state: isDelivered ? 'delivered' : stateInVain(row),
      attempts: row.attempts + 1,
      attemptedAt: at,
      problem,
      deliveredAt: isDelivered ? at : row.deliveredAt,
      ...(isDelivered && { remoteId: remoteIdOf(target, reply), editedAt: null }),
    }
    await write([deliveryRecord(after)])
    return after
  }

  /** Returns whether the target counts as dead. */
  function isDead(
    row: AlertDeliveryRow,
    alert: AlertRow,
    { resumedAt }: Queue,
    { isGone }: Outcome,
  ): boolean {
    // The hour starts again when the alert is changed, resumed or may run again, and after quiet hours.
    const since = Math.max(row.decidedAt, alert.updatedAt, resumedAt)
    return isGone || (row.attempts >= failingTimes && clock() - since >= failingForMs)
  }

  /** Sends a delivery once and writes the outcome. Returns null if it was cut off. */
  async function attempt(row: AlertDeliveryRow, alert: AlertRow) {
    const { id, message } = row
    const { target } = alert
    const outgoing = requestTo(target, { id, message, at: clock(), reading: readingOf(alert) })
    const outcome = outgoing === null ? delivered : await targets.send(outgoing, signal)
    // The next holder sends it.
    if (signal.aborted && !outcome.isDelivered) return null
    watcher.sent(target.type, outcome, row.isRetried ? clock() - row.decidedAt : null)
    return { outcome, after: await settle(row, alert, outcome) }
  }

  /** Writes that a message is not sent: its sportsbooks or its edge are none that the account sees. */
  async function refuse(row: AlertDeliveryRow) {
    if (row.deliveredAt !== null) {
      return write([deliveryRecord({ ...row, state: 'delivered', problem: refusal })])
    }
    await write([deliveryRecord({ ...row, state: 'failed', problem: refusal, message: '' })])
    refused(row)
  }

  const pauseAfter = (attempts: number) => pausesMs[Math.min(attempts, pausesMs.length) - 1]!

  /** Writes the outcome of an edit, unless the message has been sent again meanwhile. */
  async function writeEdited(row: AlertDeliveryRow, change: Partial<AlertDeliveryRow>) {
    const now = book.findDelivery(row)
    if (now?.revision === row.revision) await write([deliveryRecord({ ...now, ...change })])
  }

  /**
   * Edits a message to say that its opportunity or price is gone. After too many failures, or a
   * refusal, it stays as it is.
   */
  async function runEdit(row: AlertDeliveryRow) {
    const { id, message, remoteId, goneAt } = row
    for (let attempts = 1; !signal.aborted; attempts++) {
      const alert = alertOf(row)
      if (!alert) return
      const sent = { id, message, goneAt: goneAt!, at: clock(), reading: readingOf(alert) }
      const outgoing = editRequest(alert.target, sent, remoteId!)
      const outcome = outgoing && (await targets.send(outgoing, signal))
      if (outcome?.isDelivered) return writeEdited(row, { editedAt: clock() })
      if (signal.aborted) return
      if (!outcome || outcome.isRefused || attempts === mostEdits) {
        return writeEdited(row, { remoteId: null })
      }
      const pauseMs = Math.max(pauseAfter(attempts), outcome.waitMs)
      await sleep(pauseMs, signal)
    }
  }

  async function run(queue: Queue) {
    const { rows } = queue
    while (rows.length > 0 && !signal.aborted) {
      const row = rows[0]!
      const alert = alertOf(row)
      if (!alert) {
        rows.length = 0
        return
      }
      // A review continues the queue once the alert is resumed, or may run again.
      if (alert.isPaused || isBlocked(alert)) {
        queue.resumedAt = clock()
        return
      }
      if (isBeyondRights(row)) {
        await refuse(row)
        rows.shift()
        continue
      }
      queue.revision = alert.revision
      const quietEnd = alert.quiet && quietUntil(alert.quiet, clock())
      if (quietEnd !== null) {
        await pauseQueue(queue, Math.min(quietEnd - clock(), quietSleepMs))
        queue.resumedAt = clock()
        continue
      }
      const attempted = await attempt(row, alert)
      if (!attempted) return
      const { outcome, after } = attempted
      if (after.state !== 'pending') {
        rows.shift()
        continue
      }
      rows[0] = after
      if (isDead(after, alert, queue, outcome) && (await pause(alert, outcome.problem!))) return
      // The sender tries a changed alert at once.
      if (alertOf(after)?.revision !== queue.revision) continue
      await pauseQueue(queue, Math.max(pauseAfter(after.attempts), outcome.waitMs))
    }
  }

  /** Resolves after the pause, or once the alert is changed. */
  async function pauseQueue(queue: Queue, pauseMs: number) {
    queue.wake = new AbortController()
    await sleep(pauseMs, AbortSignal.any([signal, queue.wake.signal]))
  }

  function keep(started: Promise<unknown>) {
    const work: Promise<void> = started
      .then(
        () => {},
        (error) => {
          // After the abort, pending writes are refused.
          if (!signal.aborted) fail(error)
        },
      )
      .finally(() => running.delete(work))
    running.add(work)
  }

  function start(queue: Queue) {
    if (queue.isRunning || queue.rows.length === 0 || signal.aborted) return
    queue.isRunning = true
    keep(
      run(queue).finally(() => {
        queue.isRunning = false
      }),
    )
  }

  return {
    ended,
    take(row) {
      const key = deliveryKey(row)
      if (taken.get(key) === row.revision) return
      const alert = alertOf(row)
      // Its alert is deleted, or is read after it.
      if (!alert) return
      taken.set(key, row.revision)
      edited.delete(key)
      // The account waits for a test, so it does not queue.
      if (!row.isRetried) return keep(isBeyondRights(row) ? refuse(row) : attempt(row, alert))
      const place = alertKey(alert)
      const wake = new AbortController()
      const queue = queues.get(place) ?? {
        ...{ rows: [], isRunning: false, revision: '', resumedAt: 0, wake },
      }
      queues.set(place, queue)
      queue.rows.push(row)
      start(queue)
    },
    edit(row) {
      const key = deliveryKey(row)
      if (edited.get(key) === row.remoteId) return
      edited.set(key, row.remoteId!)
      keep(runEdit(row))
    },
    review() {
      for (const [place, queue] of queues) {
        const [row] = queue.rows
        const alert = row && alertOf(row)
        if (!alert) queues.delete(place)
        else if (!queue.isRunning) start(queue)
        else if (alert.revision !== queue.revision) queue.wake.abort()
      }
    },
    forget(keys) {
      for (const key of keys) {
        taken.delete(key)
        edited.delete(key)
      }
    },
  }
}
