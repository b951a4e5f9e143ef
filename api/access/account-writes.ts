/**
 * Writes of accounts and keys, one at a time. A write ends when this process has read it back, so that
 * a client sees its own change at once.
 */

import type { Append, Log } from '../../pipeline/log/log.ts'
import { type AccountsRow, accountsKey } from '../../schemas/account.ts'
import { topics } from '../../schemas/topics.ts'
import { ApiError, retryAfter } from '../errors.ts'

/** After this long without reading a write back, it counts as failed. */
const longestWaitMs = 10_000

export const unavailable = (message: string) =>
  new ApiError('service_unavailable', message, retryAfter(1))

/** Appends rows, then a tombstone under `deleted`; resolves once they were read back. */
type Write = (rows: readonly AccountsRow[], deleted?: string) => Promise<void>

interface Waiting {
  isWritten: boolean
  end(error?: ApiError): void
}

/** Writes to the log, one after the other, each until this process has read it back. */
export function createAccountWrites(log: Log) {
  /** By the revision of a write's last record, or its key when it is a tombstone. */
  const waiting = new Map<string, Waiting>()
  let marks: string[] = []
  let beforeReplay: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  const markOf = (key: string, row: AccountsRow | null) => row?.revision ?? key

  function settleMark(mark: string, error?: ApiError) {
    waiting.get(mark)?.end(error)
    waiting.delete(mark)
  }

  const write: Write = async (rows, deleted) => {
    const records: Append[] = rows.map((value) => ({
      topic: topics.accounts,
      partitionKey: 0,
      key: accountsKey(value),
      value,
    }))
    if (deleted !== undefined) {
      records.push({ topic: topics.accounts, partitionKey: 0, key: deleted, value: null })
    }
    const { key, value } = records.at(-1)!
    const mark = markOf(key, value as AccountsRow | null)
    let timer: NodeJS.Timeout | undefined
    const readBack = new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        isWritten: false,
        end: (error) => (error ? reject(error) : resolve()),
      }
      waiting.set(mark, entry)
      timer = setTimeout(() => {
        settleMark(mark, unavailable('The change is written but has not come back from the log.'))
      }, longestWaitMs)
    })
    try {
      // The record may be read back before the log acknowledges it: wait for both.
      const written = log.append(records).then(() => {
        const entry = waiting.get(mark)
        if (entry) entry.isWritten = true
      })
      await Promise.all([written, readBack])
    } finally {
      clearTimeout(timer)
      waiting.delete(mark)
    }
  }

  return {
    /** Runs `work` after all earlier work, so that what it has checked still holds when it writes. */
    inTurn<Result>(work: (write: Write) => Promise<Result>): Promise<Result> {
      const done = last.then(() => work(write))
      last = done.catch(() => {})
      return done
    },
    /** A record was read; its write is settled by the next `settle`. */
    read: (key: string, row: AccountsRow | null) => void marks.push(markOf(key, row)),
    /** A replay begins: it holds every write made so far, or a newer one of the same row. */
    replayBegins() {
      beforeReplay = [...waiting].filter(([, { isWritten }]) => isWritten).map(([mark]) => mark)
    },
    /** The table has all that was read. @param isWhole it was replayed */
    settle(isWhole: boolean) {
      for (const mark of marks) settleMark(mark)
      marks = []
      if (isWhole) for (const mark of beforeReplay) settleMark(mark)
    },
    /** Following has ended: nothing will be read back. */
    end() {
      for (const mark of [...waiting.keys()])
        settleMark(mark, unavailable('The service is ending.'))
    },
  }
}
