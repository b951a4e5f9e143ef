/**
 * Runs long work in short slices, one slice in each turn of the loop, so that other requests are served between them.
 * Accounts take turns. Work of one account runs in the order it arrived.
 */

import { ApiError, retryAfter } from '../errors.ts'

/** Length of a slice, unless a single step takes longer. */
export const sliceMs = 5
/** Most long responses queued for one account. */
const mostQueued = 16

export interface Work<Result> {
  /** The id of the account; empty for requests without a key. */
  readonly account: string
  /** Runs a slice and charges the account. @throws to end the work before the slice */
  readonly charge: (slice: () => void) => void
  /** Called before queued work begins. @throws ApiError to refuse it */
  readonly admit: () => void
  readonly steps: Iterator<void>
  /** Runs after the last step, uninterrupted. */
  readonly finish: () => Result | Promise<Result>
}

export interface Scheduler {
  /**
   * Runs the first slice at once, unless work of the account is queued.
   * @returns the result if that completed it; else a promise
   * @throws ApiError work_limited if the account has too much queued work
   */
  run<Result>(work: Work<Result>): Result | Promise<Result>
}

interface QueuedWork {
  begin(): void
  /** Runs the next slice, or finishes. @returns whether it is finished */
  advance(): boolean
}

/**
 * @param timer monotonic ms
 * @param soon calls back after other pending work of the loop
 */
export function createScheduler(timer: () => number, soon: (next: () => void) => void): Scheduler {
  /** Queued work by account, next account first. The first of each queue is in progress. */
  const queues = new Map<string, QueuedWork[]>()
  let isRunning = false

  /** @returns whether all steps are done */
  function runSlice(steps: Iterator<void>): boolean {
    const until = timer() + sliceMs
    do {
      if (steps.next().done) return true
    } while (timer() < until)
    return false
  }

  function wake() {
    if (isRunning) return
    isRunning = true
    soon(runNext)
  }

  function runNext() {
    isRunning = false
    const [next] = queues
    if (!next) return
    const [account, queue] = next
    queues.delete(account)
    if (queue[0]!.advance()) {
      queue.shift()
      queue[0]?.begin()
    }
    // Moves the account behind the others.
    if (queue.length > 0) queues.set(account, queue)
    if (queues.size > 0) wake()
  }

  return {
    run<Result>({ account, charge, admit, steps, finish }: Work<Result>) {
      const queue = queues.get(account)
      if (queue && queue.length >= mostQueued) {
        const message = 'The account has too many long requests in progress; try again in 1 s.'
        throw new ApiError('work_limited', message, retryAfter(1))
      }
      let isDone = false
      const goOn = () => {
        isDone = runSlice(steps)
      }
      if (!queue) {
        charge(goOn)
        if (isDone) return finish()
      }
      return new Promise<Result>((resolve, reject) => {
        let refusal: unknown
        let isRefused = false
        const attempt = (act: () => void) => {
          try {
            act()
          } catch (error) {
            refusal = error
            isRefused = true
          }
        }
        const queued: QueuedWork = {
          begin: () => attempt(admit),
          advance() {
            if (!isRefused && !isDone) {
              attempt(() => charge(goOn))
              if (!isRefused) return false
            }
            if (isRefused) reject(refusal)
            else attempt(() => resolve(finish()))
            if (isRefused) reject(refusal)
            return true
          },
        }
        if (queue) queue.push(queued)
        else queues.set(account, [queued])
        wake()
      })
    },
  }
}
