/**
 * `meta.rate_limit` (interface 2.10): the requests left in the caller's minute. It differs for each request,
 * so it is inserted into the cached body and does not count for the tag.
 */

import type { Allowance } from '../access/limits.ts'

/** @param body JSON that ends with `meta`, as every list does */
export function withRateLimit(
  body: Uint8Array,
  { limit, remaining, resetsAt }: Allowance,
): Uint8Array {
  const rateLimit = JSON.stringify({ limit, remaining, reset: resetsAt })
  const head = body.subarray(0, body.length - ends.length)
  return Buffer.concat([head, Buffer.from(`,"rate_limit":${rateLimit}${ends}`)])
}

/** Closing braces of `meta` and of the response. */
const ends = '}}'
