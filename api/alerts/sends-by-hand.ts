/**
 * Limits what accounts send by hand: tests, and messages that are sent again. A send is counted
 * before it is written, so that simultaneous requests are limited too.
 *
 * Sends by other processes, and those before a restart, are counted from the stored deliveries. There
 * a message that was sent again several times counts once: its row has only its last send, and
 * `attempts` includes those by the service. So with several processes a message may be sent again
 * more often than the limit says. A test has a row of its own, so all tests are counted.
 */

import { type AlertDeliveryRow, alertKey } from '../../schemas/alert.ts'
import { mostPerHour } from '../../schemas/http/alerts.ts'
import { ApiError, retryAfter } from '../errors.ts'
import type { AlertBook } from './alert-book.ts'

export interface SendsByHand {
  /**
   * Counts a delivery that is about to be written.
   * @returns a function that takes it back, for one that could not be written
   * @throws ApiError rate_limited
   */
  count(row: AlertDeliveryRow): () => void
}

/** Most tests of an alert in an hour. */
export const mostTests = 10
/** Most messages of an alert that are sent again in an hour: as many as it may send by itself. */
export const mostRedeliveries = mostPerHour
const hourMs = 3_600_000

interface Counted {
  readonly alert: string
  readonly isTest: boolean
  readonly revision: string
  readonly at: number
}

const isTest = ({ type }: AlertDeliveryRow) => type === 'test'

export function createSendsByHand(
  book: Pick<AlertBook, 'deliveriesOf'>,
  clock: () => number,
): SendsByHand {
  /** Sends by this process in the last hour, oldest first. */
  let counted: readonly Counted[] = []

  /** Returns when deliveries like this one were sent by hand since then (epoch ms). */
  function timesSince(since: number, like: AlertDeliveryRow, now: number): number[] {
    const times = new Map<string, number>()
    for (const row of book.deliveriesOf({ accountId: like.accountId, id: like.alertId })) {
      if (row.isRetried || isTest(row) !== isTest(like)) continue
      times.set(row.revision, row.state === 'pending' ? now : (row.attemptedAt ?? now))
    }
    const alert = placeOf(like)
    for (const one of counted) {
      if (one.alert === alert && one.isTest === isTest(like)) times.set(one.revision, one.at)
    }
    return [...times.values()].filter((at) => at > since)
  }

  return {
    count(row) {
      const now = clock()
      const since = now - hourMs
      counted = counted.filter(({ at }) => at > since)
      const times = timesSince(since, row, now)
      if (times.length >= mostOf(row)) throw tooMany(row, Math.min(...times) - since)
      const one = { alert: placeOf(row), isTest: isTest(row), revision: row.revision, at: now }
      counted = [...counted, one]
      return () => {
        counted = counted.filter((other) => other !== one)
      }
    },
  }
}

const placeOf = ({ accountId, alertId }: AlertDeliveryRow) => alertKey({ accountId, id: alertId })

const mostOf = (row: AlertDeliveryRow) => (isTest(row) ? mostTests : mostRedeliveries)

function tooMany(row: AlertDeliveryRow, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const what = isTest(row)
    ? `An alert may be tested ${mostTests} times an hour`
    : `At most ${mostRedeliveries} messages of an alert may be sent again in an hour`
  return new ApiError('rate_limited', `${what}; try again in ${seconds} s.`, retryAfter(seconds))
}
