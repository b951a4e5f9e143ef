/** A hook for changes that the service may refuse. */

import { useState } from 'preact/hooks'

/**
 * @param done called after each try, to read the current state
 * @returns the message of the last refusal, and a function that runs a change
 */
export function useAction(done: () => void) {
  const [refusal, setRefusal] = useState<string | null>(null)
  async function act(work: () => Promise<unknown>) {
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      setRefusal((error as Error).message)
    }
    done()
  }
  return [refusal, act] as const
}
