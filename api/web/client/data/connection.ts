/**
 * The state of the link to the service, as pure functions of events and time: connecting, live, lost. The caller
 * holds the state and passes the time.
 */

/**
 * Why a key with streams has none: `in_use`, others hold all that it may have; `blocked`, they do not come through,
 * as behind some proxies.
 */
export type NoStream = 'in_use' | 'blocked'

export type Link =
  | { readonly phase: 'connecting'; readonly since: number }
  | {
      readonly phase: 'live'
      readonly heardAt: number
      readonly silenceMs: number
      readonly noStream: NoStream | null
    }
  | { readonly phase: 'lost'; readonly heardAt: number; readonly tries: number }

/** Longest silence of a healthy stream, which sends a heartbeat every second. */
export const streamSilenceMs = 2_500
/** Silence after which a connection is closed. */
export const giveUpMs = 6_000

const leastWaitMs = 250
const longestWaitMs = 5_000

export const connecting = (now: number): Link => ({ phase: 'connecting', since: now })

/**
 * @param silenceMs the longest silence of a healthy link
 * @param noStream why prices are polled; null for a stream, and for a key without any
 */
export const heard = (now: number, silenceMs: number, noStream: NoStream | null = null): Link => ({
  phase: 'live',
  heardAt: now,
  silenceMs,
  noStream,
})

export function failed(link: Link, now: number): Link {
  if (link.phase === 'live') return { phase: 'lost', heardAt: link.heardAt, tries: 1 }
  if (link.phase === 'lost') return { ...link, tries: link.tries + 1 }
  return { phase: 'lost', heardAt: now, tries: 1 }
}

/** Returns the wait before the next try. It doubles each time. */
export const waitMs = (link: Link) =>
  link.phase === 'lost' ? Math.min(longestWaitMs, leastWaitMs * 2 ** (link.tries - 1)) : 0

export interface Shown {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stale'
  /** Seconds since the last message; 0 while live. */
  readonly seconds: number
}

/** Returns the state for the badge. */
export function shownLink(link: Link, now: number): Shown {
  if (link.phase === 'connecting') return { state: 'connecting', seconds: 0 }
  const silent = now - link.heardAt
  const seconds = Math.floor(silent / 1_000)
  if (link.phase === 'live' && silent < link.silenceMs) return { state: 'live', seconds: 0 }
  if (silent < 1_500) return { state: 'reconnecting', seconds }
  return { state: 'stale', seconds }
}
