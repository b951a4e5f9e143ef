/**
 * Long work in short pieces: everybody else has a turn between two of them. At each turn of the loop one
 * piece of one account is done, so that what all of them take together is bounded too. Accounts take turns;
 * of each account one is worked on, and the others wait in the order they came.
 */

import { ApiError, retryAfter } from '../errors.ts'

/** What one turn takes, unless a single step is longer. */
export const pieceMs = 5
/** Long answers of one account that may wait. */
const mostWaiting = 16

export interface Work<Result> {
  /** Whose it is; one without a key is of its address. */
  readonly account: string
  /** Goes on by a piece, at the account's cost. */
  readonly charge: (piece: () => void) => void
  /** Before the first piece that others have waited for. @throws ApiError when it is not to be done any more */
  readonly admit: () => void
  readonly steps: Iterator<void>
  /** Done in one go, behind the last step. */
  readonly finish: () => Result | Promise<Result>
}

export interface Turns {
  /**
   * Does the first piece at once.
   * @returns the result where that was all; else a promise
   * @throws ApiError work_limited when too much of the account waits
   */
  run<Result>(work: Work<Result>): Result | Promise<Result>
}

interface Waiting {
  begin(): void
  /** @returns whether that was all */
  turn(): boolean
}

/**
 * @param timer monotonic ms
 * @param soon calls back once others have had their turn
 */
export function createTurns(timer: () => number, soon: (next: () => void) => void): Turns {
  /** By account, in turn; the first of each is being worked on. */
  const queues = new Map<string, Waiting[]>()
  let isRunning = false

  /** @returns whether the last step was done */
  function piece(steps: Iterator<void>): boolean {
    const until = timer() + pieceMs
    do {
      if (steps.next().done) return true
    } while (timer() < until)
    return false
  }

  function wake() {
    if (isRunning) return
    isRunning = true
    soon(turn)
  }

  function turn() {
    isRunning = false
    const [next] = queues
    if (!next) return
    const [account, queue] = next
    queues.delete(account)
    if (queue[0]!.turn()) {
      queue.shift()
      queue[0]?.begin()
    }
    // It goes behind the others.
    if (queue.length > 0) queues.set(account, queue)
    if (queues.size > 0) wake()
  }

  return {
    run<Result>({ account, charge, admit, steps, finish }: Work<Result>) {
      const queue = queues.get(account)
      if (queue && queue.length >= mostWaiting) {
        const message = 'Too many long answers of this account are being made; ask again in 1 s.'
        throw new ApiError('work_limited', message, retryAfter(1))
      }
      let isDone = false
      const goOn = () => {
        isDone = piece(steps)
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
        const waiting: Waiting = {
          begin: () => attempt(admit),
          turn() {
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
        if (queue) queue.push(waiting)
        else queues.set(account, [waiting])
        wake()
      })
    },
  }
}
