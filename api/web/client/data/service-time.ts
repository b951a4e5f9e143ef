/**
 * The service's time. The browser's clock may be wrong by minutes, and ages of prices are told by the service's. Each
 * response says its time, to the second.
 */

/** A smaller difference may be the age of a response that the browser kept, and is no fault of the clock. */
const leastSkewMs = 15_000

let aheadMs = 0

/** @param date header `Date` of a response that has just come; null if it has none */
export function noteServiceTime(date: string | null) {
  const skew = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(skew)) aheadMs = Math.abs(skew) < leastSkewMs ? 0 : skew
}

/** Returns the time by the service's clock (epoch ms). */
export const serviceNow = () => Date.now() + aheadMs
