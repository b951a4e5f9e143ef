/** Hooks for values that change: polled data while the page is visible, and the current time. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { RefusedError } from '../data/refused.ts'

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

/** @param names dependencies of `read`. A change starts over without a value */
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
    set(nothing)
    async function load() {
      clearTimeout(timer)
      try {
        if (!document.hidden) {
          const value = await read()
          if (!isOver) set({ value, error: null, at: Date.now() })
        }
      } catch (error) {
        if (!isOver) set((before) => ({ ...before, error: error as Error }))
        // The key lacks the right, so polling would not help.
        if (error instanceof RefusedError && error.status === 403) return
      }
      if (!isOver) timer = window.setTimeout(load, everyMs)
    }
    next.current = load
    load()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [...names, everyMs])
  return { ...polled, refetch: () => next.current() }
}

/** The current time (epoch ms), updated every second. */
export function useNow(): number {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
