/**
 * The service's time, and the board's. The browser's clock may be wrong by minutes, so both are those of responses: each
 * says the service's time, to the second, and while a recording is replayed the time of that.
 */

/** A smaller difference may be the age of a response that the browser kept, and is no fault of the clock. */
const leastSkewMs = 15_000

let aheadMs = 0
/** How far the board is ahead of the service. */
let boardAheadMs = 0

/** @param date header `Date` of a response that has just come; null if it has none */
export function noteServiceTime(date: string | null) {
  const skew = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(skew)) aheadMs = Math.abs(skew) < leastSkewMs ? 0 : skew
}

/** Returns the time by the service's clock (epoch ms). */
export const serviceNow = () => Date.now() + aheadMs

/** @param time header `X-Recorded-Time` of a response of the API that has just come; null if it has none */
export function noteRecordedTime(time: string | null) {
  boardAheadMs = time === null ? 0 : Date.parse(time) - serviceNow()
}

/**
 * Returns the time by which ages of prices and starts of games count (epoch ms): that of the recording while one is
 * replayed, else the service's.
 */
export const boardNow = () => boardTimeAt(serviceNow())

/** Returns the board's time at a time of the service (epoch ms). */
export const boardTimeAt = (time: number) => time + boardAheadMs
