/** Times as people and programs send them: RFC 3339 with a zone. */

import { z } from 'zod'

/** RFC 3339 with a zone; whether the day exists is checked when it is parsed. */
export const instant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
    'is an RFC 3339 date and time with a zone',
  )

/** The same on a day that exists. */
export const existingInstant = instant
  .refine((text) => parseInstant(text) !== null, 'is a day that exists, from 1970 to 2099')
  .describe('From 1970 to 2099.')

/** The range of years for times of games and their prices (epoch ms). */
const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** Returns the epoch ms of an RFC 3339 text; null for a day that does not exist, or a time out of range. */
export function parseInstant(text: string): number | null {
  const at = Date.parse(text)
  // The runtime reads 31 April as 1 May, so the resulting day is compared.
  const day = Number(text.slice(8, 10))
  if (!(at >= earliest && at < latest) || (day > 28 && !isDayOfMonth(text, day))) return null
  return at
}

function isDayOfMonth(text: string, day: number): boolean {
  return (
    day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  )
}
