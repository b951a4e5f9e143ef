/** Counts open requests, so that a stopping server can wait for them. */

export interface UnderWay {
  /** Begins a request. @returns a function that ends it; further calls do nothing */
  begin(): () => void
  /** Resolves when no request is open. */
  whenIdle(): Promise<void>
}

export function createUnderWay(): UnderWay {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      let hasEnded = false
      count++
      return () => {
        if (hasEnded) return
        hasEnded = true
        count--
        if (count > 0) return
        for (const resolve of waiting) resolve()
        waiting = []
      }
    },
    whenIdle: () =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  }
}
