/** Waiting that ends when a signal aborts. */

import { setTimeout as delay } from 'node:timers/promises'

export interface Either {
  readonly signal: AbortSignal
  forget(): void
}

/**
 * Returns a signal that aborts if either does. Call `forget` when done: before, both refer to it.
 */
export function either(one: AbortSignal, other: AbortSignal): Either {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of [one, other]) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    forget() {
      for (const signal of [one, other]) signal.removeEventListener('abort', abort)
    },
  }
}

/**
 * Returns a signal that aborts after `ms`, or when `signal` does. Call `forget` when done. Node 20
 * may collect an `AbortSignal.timeout` that only `AbortSignal.any` refers to: it never aborts then.
 */
export function within(ms: number, signal?: AbortSignal): Either {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), ms)
  const both = signal && either(signal, over.signal)
  return {
    signal: both?.signal ?? over.signal,
    forget() {
      clearTimeout(timer)
      both?.forget()
    },
  }
}

/** Waits for `promise`. Returns null if `signal` aborts first; then the result is ignored. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Resolves once `signal` has aborted. Each call adds a listener, so call it once per wait. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Resolves after `ms`, or earlier when `signal` aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {})
