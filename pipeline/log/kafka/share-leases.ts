/**
 * The objects that a member of a group opens for its shares, such as a reader and a committer:
 * opened when a share comes and closed when it goes. They are opened again if another process took
 * the share over, but the group confirms that it is still ours.
 */

import { unlessAborted } from '../../async/abort-signals.ts'
import type { Membership } from './group.ts'

export interface ShareLease {
  readonly share: string
  /** Aborts when the share goes. */
  readonly ended: AbortSignal
  /**
   * Notes that its tables are restored and in use. A share that is lost before that is opened again
   * only after a longer pause.
   */
  restored(): void
  /** Ends the lease early: another process has taken the share over. */
  giveUp(): void
}

export interface Closeable {
  /** Waits, for a bounded time, for commits in progress: once another member has the share, the broker rejects them. */
  whenIdle(): Promise<void>
  close(): Promise<void>
}

interface Opened<Thing> {
  readonly ended: AbortController
  readonly thing: Promise<Thing>
}

/** Twenty heartbeats: by then a connected member knows of a rebalance, so it fences nobody. */
const giveUpPauseMs = 2_000
/**
 * The longest pause. A share that is taken over before it is restored is opened after twice the
 * last pause. Otherwise two processes on overloaded machines might take it from each other for
 * ever.
 */
const longestGiveUpPauseMs = 32_000

/**
 * Opens each share as it comes and yields the result, until `signal` aborts. A share also ends
 * while its reader is busy. The member leaves the group before it closes connections, so that the
 * next member does not wait for them.
 * @throws LogUnavailableError when the membership is lost; errors of `open`
 */
export async function* openShares<Thing extends Closeable>(
  membership: Membership,
  open: (lease: ShareLease) => Promise<Thing>,
  signal: AbortSignal,
): AsyncGenerator<Thing, void> {
  const stop = new AbortController()
  const current = new Map<string, Opened<Thing>>()
  const closing = new Set<Promise<void>>()
  const ready: { readonly thing: Thing; readonly ended: AbortSignal }[] = []
  /** The last pause of each share that was taken over before it was restored. */
  const pauses = new Map<string, number>()
  let failure: unknown
  let wake = () => {}

  function begin(share: string) {
    const ended = new AbortController()
    const giveUp = () => {
      if (ended.signal.aborted) return
      ended.abort()
      const gaveUpAt = performance.now()
      const pauseMs = Math.min(2 * (pauses.get(share) ?? giveUpPauseMs / 2), longestGiveUpPauseMs)
      pauses.set(share, pauseMs)
      const asking = setInterval(() => {
        const isOver = current.get(share)?.ended !== ended
        // Without contact to the group, this process may not be a member any more, and have lost
        // the share. A timer may be a little early.
        const isTooSoon = performance.now() - gaveUpAt < pauseMs - giveUpPauseMs / 2
        if (!isOver && (isTooSoon || membership.confirmedAt() < gaveUpAt)) return
        clearInterval(asking)
        if (isOver) {
          // The share has moved away, so its pause here does not matter later.
          pauses.delete(share)
          return
        }
        end(share)
        review()
      }, giveUpPauseMs).unref()
    }
    const restored = () => void pauses.delete(share)
    const thing = open({ share, ended: ended.signal, restored, giveUp })
    current.set(share, { ended, thing })
    thing.then((opened) => {
      ready.push({ thing: opened, ended: ended.signal })
      wake()
    }, fail)
  }

  function end(share: string) {
    const { ended, thing } = current.get(share)!
    current.delete(share)
    ended.abort()
    const closed: Promise<void> = thing
      .then(async (opened) => {
        await opened.whenIdle()
        await opened.close()
      })
      .catch(() => {})
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  function fail(error: unknown) {
    failure ??= error
    wake()
  }

  /** Opens new shares and ends those that are gone. */
  function review() {
    if (stop.signal.aborted) return
    try {
      const holds = membership.holds() ?? []
      for (const share of [...current.keys()]) if (!holds.includes(share)) end(share)
      for (const share of holds) if (!current.has(share)) begin(share)
    } catch (error) {
      fail(error)
    }
  }

  async function keep() {
    while (!stop.signal.aborted) {
      review()
      await unlessAborted(membership.change(), stop.signal)
    }
  }

  let leaving: Promise<void> | null = null

  function stopAll() {
    stop.abort()
    const things = [...current.values()].map(({ thing }) => thing)
    for (const share of [...current.keys()]) end(share)
    const idle = things.map((thing) => thing.then((opened) => opened.whenIdle()))
    leaving ??= Promise.allSettled(idle).then(() => membership.leave())
  }

  if (signal.aborted) return
  // A reader that is busy with a share is stopped by that share's own signal.
  signal.addEventListener('abort', stopAll, { once: true })
  void keep()
  try {
    while (!signal.aborted) {
      if (failure !== undefined) throw failure
      const next = ready.shift()
      if (next && !next.ended.aborted) yield next.thing
      else if (!next) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        await unlessAborted(woken, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', stopAll)
    stopAll()
    await Promise.all([leaving, ...closing])
  }
}
