/** An answer that is asked for again and again while its page is open and in sight. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { RefusedError } from '../data/refused.ts'

export interface Polled<Value> {
  readonly value: Value | null
  /** Of the last try; the value before it stays. */
  readonly error: Error | null
  /** When the value came (ms of the system's clock). */
  readonly at: number
}

export interface Refetchable<Value> extends Polled<Value> {
  /** Asks at once; what is there stays until then. */
  refetch(): void
}

const nothing = { value: null, error: null, at: 0 }

/** @param names what the question depends on: it is asked anew when one changes */
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
        // What the key may not have, it may not have in a moment either.
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

/** The time, told again every second. */
export function useNow(): number {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
