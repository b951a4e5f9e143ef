/** The requests that are being answered, so that a server that stops can wait for them. */

export interface UnderWay {
  /** A request begins. @returns to be called once it is answered or given up; again does nothing */
  begin(): () => void
  /** Resolves once none is left. */
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
