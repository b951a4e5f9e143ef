/** Changes to an LMDB environment, each made whole or not at all. */

import { setTimeout as delay } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'

export interface Transactions {
  /** Makes one change as a transaction. It fails with the error that `action` or the disk threw. */
  alone<T>(action: () => T): Promise<T>
  /**
   * Makes the changes in one transaction, each whole or, when it throws, not at all. Each may be called twice.
   * @returns by index, the errors of the changes that were left out
   */
  each(changes: readonly (() => void)[]): Promise<ReadonlyMap<number, unknown>>
}

export function createTransactions(env: RootDatabase): Transactions {
  /**
   * Runs a change in a child transaction, because lmdb-js keeps the writes that a plain transaction made before it
   * threw. Only a child transaction undoes that.
   */
  const child = <T>(action: () => T) => env.childTransaction(action)

  async function committed<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      const cause = await causeOf(error)
      // After a commit that failed, `flushed` never resolves until one has succeeded: one without changes does.
      if (cause !== error) await env.transaction(() => undefined).catch(causeOf)
      throw cause
    }
  }

  return {
    alone: <T>(action: () => T) => committed(child(action) as Promise<T>),
    async each(changes) {
      const failures = new Map<number, unknown>()
      const changing = env.transaction(() => {
        try {
          child(() => {
            for (const action of changes) action()
          })
          return
        } catch {
          // All changes are undone. One transaction per change is slower, but finds the change that
          // threw.
        }
        for (const [index, action] of changes.entries()) {
          try {
            child(action)
          } catch (error) {
            failures.set(index, error)
          }
        }
      })
      await committed(changing)
      return failures
    },
  }
}

/** Much longer than needed: lmdb-js provides the cause of a failed commit in the same turn. */
const longestCauseMs = 1_000

/**
 * Returns the cause of a failed commit, which lmdb-js keeps in a promise beside the error. If
 * nobody handles that promise, its rejection ends the process.
 */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> }
  if (commitError === undefined) return error
  const cause = commitError.then(
    () => error,
    (thrown: unknown) => thrown,
  )
  return Promise.race([cause, delay(longestCauseMs, error, { ref: false })])
}
