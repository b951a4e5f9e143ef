/** A hook for changes that the service may refuse. */

import { useState } from 'preact/hooks'
import { oneAtATime } from '../data/one-at-a-time.ts'

/**
 * @param done called after each try, to read the current state
 * @returns the message of the last refusal; a function that runs a change, unless another is running; and whether one
 *   is running, so that its button can be turned off
 */
export function useAction(done: () => void) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [run] = useState(() => oneAtATime(setBusy))
  const act = (work: () => Promise<unknown>) =>
    run(async () => {
      setRefusal(null)
      try {
        await work()
      } catch (error) {
        setRefusal((error as Error).message)
      }
      done()
    })
  return [refusal, act, isBusy] as const
}
