/** Hooks for values that change: polled data while the page is visible, and the current time. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { RefusedError } from '../data/refused.ts'
import { serviceNow } from '../data/service-time.ts'

export interface Polled<Value> {
  readonly value: Value | null
  /** Error of the last try. The previous value is kept. */
  readonly error: Error | null
  /** When the value was read (epoch ms). */
  readonly at: number
}

export interface Refetchable<Value> extends Polled<Value> {
  /** Reads again at once and keeps the current value meanwhile. */
  refetch(): void
}

const nothing = { value: null, error: null, at: 0 }

/** Returns dependencies by their content: a set or an array that is made anew is no change. */
const contentOf = (names: readonly unknown[]) =>
  JSON.stringify(names, (_, value) => (value instanceof Set ? [...value] : value))

/** @param names dependencies of `read`. A change of their content starts over without a value */
export function usePolled<Value>(
  read: () => Promise<Value>,
  everyMs: number,
  names: readonly unknown[],
): Refetchable<Value> {
  const next = useRef(() => {})
  const [polled, set] = useState<Polled<Value>>(nothing)
  useEffect(() => {
    let isOver = false
    let timer = 0
    let turns = 0
    set(nothing)
    async function load() {
      clearTimeout(timer)
      turns++
      const turn = turns
      // A read that another has overtaken is out of date.
      const isLast = () => !isOver && turn === turns
      try {
        if (!document.hidden) {
          const value = await read()
          if (isLast()) set({ value, error: null, at: serviceNow() })
        }
      } catch (error) {
        if (isLast()) set((before) => ({ ...before, error: error as Error }))
        // The key lacks the right, so polling would not help.
        if (error instanceof RefusedError && error.status === 403) return
      }
      if (isLast()) timer = window.setTimeout(load, everyMs)
    }
    next.current = load
    load()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [contentOf(names), everyMs])
  return { ...polled, refetch: () => next.current() }
}

/** The current time (epoch ms), updated every second. */
export function useNow(): number {
  const [now, set] = useState(serviceNow)
  useEffect(() => {
    const timer = setInterval(() => set(serviceNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
