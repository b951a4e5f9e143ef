/** Makes an alert once, also when no answer comes. */

import type { Alert } from '../../wire.ts'
import { leavesWriteOpen } from './refused.ts'

/**
 * Returns a function that makes an alert once: when no answer came, another try looks first whether the alert is there,
 * by the names tried so far. One that is found so is changed to what is stated by then.
 */
export function alertMaker<Stated extends Pick<Alert, 'name'>>(
  list: () => Promise<readonly Alert[]>,
  create: (alert: Stated) => Promise<Alert>,
  change: (made: Alert, alert: Stated) => Promise<Alert>,
) {
  /** Ids from before the first try that had no answer. */
  let before: ReadonlySet<string> | null = null
  /** The names of the tries that had no answer. */
  let tried: readonly string[] = []
  return async (alert: Stated): Promise<Alert> => {
    const listed = await list()
    const known = before ?? new Set(listed.map(({ id }) => id))
    const made = before && listed.find(({ id, name }) => !known.has(id) && tried.includes(name))
    if (made) {
      const changed = await change(made, alert)
      before = null
      tried = []
      return changed
    }
    const names = [...tried, alert.name]
    before = null
    tried = []
    try {
      return await create(alert)
    } catch (error) {
      if (leavesWriteOpen(error)) {
        before = known
        tried = names
      }
      throw error
    }
  }
}
