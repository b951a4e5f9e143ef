/**
 * What a member of a group opens for each share it holds: opened when the share comes, closed when it
 * goes, and opened anew when somebody else has taken it over although the group still says that it is ours.
 */

import { unlessAborted } from '../../async/abort-signals.ts'
import type { Membership } from './group.ts'

export interface Tenure {
  readonly share: string
  /** Aborts when the share goes. */
  readonly ended: AbortSignal
  /** What was opened is of no use any more: somebody has taken the share over. */
  giveUp(): void
}

export interface Closeable {
  /**
   * Resolves when what is under way is done: once another has taken the share over it would be refused, and be done
   * by nobody, or again. Bounded.
   */
  settled(): Promise<void>
  close(): Promise<void>
}

interface Opened<Thing> {
  readonly ended: AbortController
  readonly thing: Promise<Thing>
}

/** Twenty heartbeats: by then a member knows of a rebalance, and does not fence the new holder. */
const giveUpPauseMs = 2_000

/**
 * Yields what `open` gives for each share as it comes, until `signal` aborts. Whoever reads it does not
 * have to go on reading for a share to end. The group is left before what was opened is closed, so that whoever
 * comes next does not wait for connections to end.
 * @throws LogUnavailableError when the membership is lost, or what `open` throws
 */
export async function* tenuresOf<Thing extends Closeable>(
  membership: Membership,
  open: (tenure: Tenure) => Promise<Thing>,
  signal: AbortSignal,
): AsyncGenerator<Thing, void> {
  const stop = new AbortController()
  const current = new Map<string, Opened<Thing>>()
  const closing = new Set<Promise<void>>()
  const ready: { readonly thing: Thing; readonly ended: AbortSignal }[] = []
  let failure: unknown
  let wake = () => {}

  function begin(share: string) {
    const ended = new AbortController()
    const giveUp = () => {
      if (ended.signal.aborted) return
      ended.abort()
      setTimeout(() => {
        if (current.get(share)?.ended !== ended) return
        end(share)
        review()
      }, giveUpPauseMs).unref()
    }
    const thing = open({ share, ended: ended.signal, giveUp })
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
        await opened.settled()
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

  /** Begins what has come and ends what has gone. */
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
    const settled = things.map((thing) => thing.then((opened) => opened.settled()))
    leaving ??= Promise.allSettled(settled).then(() => membership.leave())
  }

  if (signal.aborted) return
  // Whoever reads may be busy with a tenure, and has to be told by its end.
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
