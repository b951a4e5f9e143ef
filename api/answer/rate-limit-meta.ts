/**
 * `meta.rate_limit` (interface 2.10): what is left of the caller's minute. It differs with each request,
 * so it is put into a body that is kept for many of them, and is not part of what the tag says.
 */

import type { Allowance } from '../access/limits.ts'

/** @param body JSON that ends with the end of `meta`, as every list does */
export function withRateLimit(
  body: Uint8Array,
  { limit, remaining, resetsAt }: Allowance,
): Uint8Array {
  const rateLimit = JSON.stringify({ limit, remaining, reset: resetsAt })
  const head = body.subarray(0, body.length - ends.length)
  return Buffer.concat([head, Buffer.from(`,"rate_limit":${rateLimit}${ends}`)])
}

/** Of `meta`, and of the answer. */
const ends = '}}'
