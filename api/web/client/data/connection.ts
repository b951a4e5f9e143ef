/**
 * How the link to the service is, decided by what comes and by the clock: a table of what each event does
 * in each phase. Time is an argument; whoever holds it asks at each tick.
 */

export type Link =
  | { readonly phase: 'connecting'; readonly since: number }
  | { readonly phase: 'live'; readonly heardAt: number; readonly silenceMs: number }
  | { readonly phase: 'lost'; readonly heardAt: number; readonly tries: number }

/** Heartbeats of a stream come every second: silence of this long is a fault. */
export const streamSilenceMs = 2_500
/** A silent connection is given up after this. */
export const giveUpMs = 6_000

const leastWaitMs = 250
const longestWaitMs = 5_000

export const connecting = (now: number): Link => ({ phase: 'connecting', since: now })

/** @param silenceMs how long nothing may come while all is well */
export const heard = (now: number, silenceMs: number): Link => ({
  phase: 'live',
  heardAt: now,
  silenceMs,
})

export function failed(link: Link, now: number): Link {
  if (link.phase === 'live') return { phase: 'lost', heardAt: link.heardAt, tries: 1 }
  if (link.phase === 'lost') return { ...link, tries: link.tries + 1 }
  return { phase: 'lost', heardAt: now, tries: 1 }
}

/** How long to wait before the next try: twice as long each time. */
export const waitMs = (link: Link) =>
  link.phase === 'lost' ? Math.min(longestWaitMs, leastWaitMs * 2 ** (link.tries - 1)) : 0

export interface Shown {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stale'
  /** Seconds since anything came; 0 while live. */
  readonly seconds: number
}

/** What the badge says. */
export function shownLink(link: Link, now: number): Shown {
  if (link.phase === 'connecting') return { state: 'connecting', seconds: 0 }
  const silent = now - link.heardAt
  const seconds = Math.floor(silent / 1_000)
  if (link.phase === 'live' && silent < link.silenceMs) return { state: 'live', seconds: 0 }
  if (silent < 1_500) return { state: 'reconnecting', seconds }
  return { state: 'stale', seconds }
}
