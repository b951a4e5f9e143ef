/** The alerts' book over a log in memory, which is read back at once. */

import { openAlerts } from '../../../api/alerts/alert-book.ts'
import type { Append, LogRecord, Position } from '../../../pipeline/log/log.ts'
import type { AlertDeliveryRow } from '../../../schemas/alert.ts'

export const accountId = 'acct_1'
const position: Position = { epoch: 'memory', offsets: {} }

export function openBookInMemory(clock: () => number) {
  async function append(records: readonly Append[]) {
    const read = records.map((record) => ({ ...record, partition: 0, offset: 0 }) as LogRecord)
    for (const view of book.views) view.apply(read, position, clock())
  }
  const book = openAlerts({ append } as Parameters<typeof openAlerts>[0], clock)
  for (const view of book.views) {
    view.reset(clock())
    view.caughtUp?.(clock())
  }
  return { book, append }
}

/** Returns a message of an alert that waits to be sent. */
export const delivery = (alertId: string, change: Partial<AlertDeliveryRow> = {}) => ({
  id: 'msg_1',
  ...{ accountId, alertId, revision: 'first', type: 'source' as const },
  ...{ occasion: 'fanduel', worth: 0, decidedAt: 0, state: 'pending' as const, isRetried: true },
  ...{ attempts: 0, attemptedAt: null, problem: null, deliveredAt: null },
  message: '{"type":"alert.test","data":{"title":"fanduel is down","links":{}}}',
  ...{ remoteId: null, goneAt: null, editedAt: null },
  ...change,
})
