/** An answer that is asked for again and again while its page is open and in sight. */

import { useEffect, useState } from 'preact/hooks'

export interface Polled<Value> {
  readonly value: Value | null
  /** Of the last try; the value before it stays. */
  readonly error: Error | null
  /** When the value came (ms of the system's clock). */
  readonly at: number
}

const nothing = { value: null, error: null, at: 0 }

/** @param names what the question depends on: it is asked anew when one changes */
export function usePolled<Value>(
  ask: () => Promise<Value>,
  everyMs: number,
  names: readonly unknown[],
): Polled<Value> {
  const [polled, set] = useState<Polled<Value>>(nothing)
  useEffect(() => {
    let isOver = false
    let timer = 0
    set(nothing)
    async function next() {
      try {
        if (!document.hidden) {
          const value = await ask()
          if (!isOver) set({ value, error: null, at: Date.now() })
        }
      } catch (error) {
        if (!isOver) set((before) => ({ ...before, error: error as Error }))
      }
      if (!isOver) timer = window.setTimeout(next, everyMs)
    }
    next()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [...names, everyMs])
  return polled
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
