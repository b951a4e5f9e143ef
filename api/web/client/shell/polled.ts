/** Hooks for values that change: polled data while the page is visible, and the current time. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { openPoll, type Poll } from '../data/poll.ts'
import { serviceNow } from '../data/service-time.ts'

export interface Polled<Value> {
  readonly value: Value | null
  /** Error of the last try. The previous value is kept. */
  readonly error: Error | null
  /** When the value was read (epoch ms). */
  readonly at: number
  /** Whether a newer value could not be read yet: the last try failed, or the page was hidden until now. */
  readonly isOld: boolean
}

export interface Refetchable<Value> extends Polled<Value> {
  /** Reads again at once and keeps the current value meanwhile. */
  refetch(): void
}

const nothing = { value: null, error: null, at: 0, isOld: false }

/** Returns dependencies by their content: a set or an array that is made anew is no change. */
const contentOf = (names: readonly unknown[]) =>
  JSON.stringify(names, (_, value) => (value instanceof Set ? [...value] : value))

/** @param names dependencies of `read`. A change of their content starts over without a value */
export function usePolled<Value>(
  read: () => Promise<Value>,
  everyMs: number,
  names: readonly unknown[],
): Refetchable<Value> {
  const poll = useRef<Poll | null>(null)
  const [polled, set] = useState<Polled<Value>>(nothing)
  useEffect(() => {
    set(nothing)
    const own = openPoll({
      read,
      everyMs,
      isHidden: () => document.hidden,
      onValue: (value) => set({ value, error: null, at: serviceNow(), isOld: false }),
      onFailed: (error) => set((before) => ({ ...before, error, isOld: true })),
      onOld: () => set((before) => ({ ...before, isOld: true })),
    })
    poll.current = own
    document.addEventListener('visibilitychange', own.noteVisibility)
    return () => {
      own.close()
      document.removeEventListener('visibilitychange', own.noteVisibility)
    }
  }, [contentOf(names), everyMs])
  return { ...polled, refetch: () => poll.current?.readNow() }
}

/** The service's time (epoch ms), updated every second. */
export function useNow(): number {
  const [now, set] = useState(serviceNow)
  useEffect(() => {
    const timer = setInterval(() => set(serviceNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
