/**
 * Results of expensive queries that everybody may send. Each is computed once for all callers that wait for it, and
 * kept for a while. Only one is computed at a time, so that they occupy only one of the archive's reads.
 */

import { createMutex } from '../../pipeline/async/mutex.ts'
import { ApiError, retryAfter } from '../errors.ts'

export interface SharedResults<Result> {
  /** @throws ApiError archive_busy when too many wait, or as `work`, whose failure is not kept */
  of(key: string, work: () => Promise<Result>): Promise<Result>
}

const keptMs = 60_000
const mostKept = 32
const mostWaiting = 8

/** @param clock epoch ms */
export function createSharedResults<Result>(clock: () => number): SharedResults<Result> {
  const inTurn = createMutex()
  const kept = new Map<string, { readonly result: Promise<Result>; readonly keptUntil: number }>()
  let waiting = 0

  async function compute(work: () => Promise<Result>): Promise<Result> {
    waiting++
    try {
      return await inTurn(work)
    } finally {
      waiting--
    }
  }

  /** Drops what has expired and, if there are too many, the oldest. */
  function dropOld() {
    for (const [key, { keptUntil }] of kept) {
      if (clock() >= keptUntil || kept.size > mostKept) kept.delete(key)
    }
  }

  return {
    of(key, work) {
      const known = kept.get(key)
      if (known && clock() < known.keptUntil) return known.result
      if (waiting >= mostWaiting) {
        const message = 'Too many of these results are being computed now; try again.'
        throw new ApiError('archive_busy', message, retryAfter(1))
      }
      const one = { result: compute(work), keptUntil: clock() + keptMs }
      kept.delete(key)
      kept.set(key, one)
      dropOld()
      one.result.catch(() => {
        if (kept.get(key) === one) kept.delete(key)
      })
      return one.result
    },
  }
}
