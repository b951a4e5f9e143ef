/**
 * How long refusals are borne that an operator has to mend: some ten seconds. They may pass before, as where access rules
 * are replaced, or a broker with a wrong clock gives up its partitions.
 */

const refusedAllowedMs = 10_000
/** A process that stood still between two refusals has not been refused all that time. */
const refusalsAllowed = 3

/** Notes how an attempt went. @returns whether refusals have gone on for too long, with nothing else between */
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
