/** Waiting that ends when a signal aborts. */

export interface Either {
  readonly signal: AbortSignal
  forget(): void
}

/** A signal that aborts with either; `forget` it, or they keep it for as long as they live. */
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

/** What `promise` gives, or null when `signal` aborts first (then the outcome is nobody's). */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Resolves once `signal` has aborted. For a wait that is made once: each call adds a listener. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** @param atMostMs null: however long it takes */
export async function untilAborted(signal: AbortSignal, atMostMs: number | null) {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<void>((resolve) => {
    if (atMostMs !== null) timer = setTimeout(resolve, atMostMs)
  })
  await unlessAborted(time, signal)
  clearTimeout(timer)
}
