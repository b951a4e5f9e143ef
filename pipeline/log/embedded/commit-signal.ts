/**
 * Notifies readers of commits: those of this thread at once, those of other threads by a
 * BroadcastChannel. Commits of other processes are not announced, so a waiting reader checks every
 * `pollMs`.
 */

import { BroadcastChannel } from 'node:worker_threads'
import type { Store } from './store.ts'

export interface CommitSignal {
  /** Returns the newest commit that readers were notified of. */
  announced(): number
  announce(commit: number): void
  /** Resolves at the next commit, when `signal` aborts, or when the log closes. */
  next(signal: AbortSignal): Promise<void>
  /** Wakes all waiting readers; from then on `next` does not wait. */
  end(): void
  close(): void
}

export function createCommitSignal(store: Store, pollMs: number): CommitSignal {
  const channel = new BroadcastChannel(`overround-log-${store.epoch}`)
  const waiting = new Set<() => void>()
  let announced = store.commitNumber()
  let polling: NodeJS.Timeout | undefined
  let isEnded = false

  channel.unref()
  channel.onmessage = wake

  function wake() {
    for (const resolve of [...waiting]) resolve()
  }

  function poll() {
    store.renew()
    const commit = store.commitNumber()
    if (commit === announced) return
    announced = commit
    wake()
  }

  return {
    announced: () => announced,
    announce(commit) {
      announced = commit
      wake()
      channel.postMessage(announced)
    },
    next(signal) {
      if (isEnded || signal.aborted) return Promise.resolve()
      return new Promise<void>((resolve) => {
        const end = () => {
          waiting.delete(end)
          signal.removeEventListener('abort', end)
          if (waiting.size === 0) {
            clearInterval(polling)
            polling = undefined
          }
          resolve()
        }
        waiting.add(end)
        signal.addEventListener('abort', end)
        polling ??= setInterval(poll, pollMs)
      })
    },
    end() {
      isEnded = true
      wake()
    },
    close: () => channel.close(),
  }
}
