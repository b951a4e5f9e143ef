/**
 * Remembers which views (`viewOf`) the WebSockets of an account had, and for which numbers, as long
 * as clients can resume by number. A client resumes by number only if its account had the same view
 * then. With another view it would keep rows that it no longer sees, and never get others.
 */

import { replayMs } from '../timeline/timeline.ts'

export interface PastViews {
  /**
   * Notes that a socket of the account has the view from this number on. For a socket that resumes,
   * it is the number that it resumes from.
   * @param view see `viewOf`
   * @returns a function to call with the number at its end, once
   */
  begin(accountId: string, view: string | null, since: number): (until: number) => void
  /** Returns whether a socket of the account had the view at this number. */
  had(accountId: string, view: string | null, at: number): boolean
}

interface Open {
  count: number
  since: number
}

/** Numbers of the first and last frame, and when it ended (monotonic ms). */
interface Past {
  readonly since: number
  readonly until: number
  readonly endedAt: number
}

/** @param now monotonic ms */
export function createPastViews(now: () => number): PastViews {
  const open = new Map<string, Open>()
  const past = new Map<string, readonly Past[]>()
  let sweptAt = now()

  const keyOf = (accountId: string, view: string | null) => `${accountId} ${view ?? ''}`

  function sweep(time: number) {
    if (time - sweptAt < replayMs) return
    sweptAt = time
    for (const [key, ended] of past) {
      const recent = ended.filter(({ endedAt }) => time - endedAt < replayMs)
      if (recent.length > 0) past.set(key, recent)
      else past.delete(key)
    }
  }

  function end(key: string, until: number) {
    const known = open.get(key)!
    if (--known.count > 0) return
    open.delete(key)
    const endedAt = now()
    sweep(endedAt)
    past.set(key, [...(past.get(key) ?? []), { since: known.since, until, endedAt }])
  }

  return {
    begin(accountId, view, since) {
      const key = keyOf(accountId, view)
      const known = open.get(key)
      if (known) {
        known.count++
        known.since = Math.min(known.since, since)
      } else open.set(key, { count: 1, since })
      return (until) => end(key, until)
    },
    had(accountId, view, at) {
      const key = keyOf(accountId, view)
      const known = open.get(key)
      if (known && at >= known.since) return true
      return past.get(key)?.some(({ since, until }) => at >= since && at <= until) ?? false
    },
  }
}
