/**
 * How long to tolerate refusals that an operator has to fix. They may end by themselves, when
 * access rules are being replaced or a broker with a wrong clock gives up its partitions.
 */

const refusedAllowedMs = 10_000
/** Two refusals do not suffice: the process may have been suspended between them. */
const refusalsAllowed = 3

/** Notes the result of an attempt. @returns whether only refusals have come for too long */
export type RefusalLimit = (isRefused: boolean) => boolean

export function createRefusalLimit(): RefusalLimit {
  let count = 0
  let since = 0
  return (isRefused) => {
    if (!isRefused) {
      count = 0
      return false
    }
    const now = performance.now()
    if (count++ === 0) since = now
    return count > refusalsAllowed && now - since >= refusedAllowedMs
  }
}
