/** The one parser of sportsbooks' times. */

/**
 * Returns the epoch ms of an ISO time, with a blank or a "T" before its hours; null for anything
 * else, such as a date or a number alone. A missing offset means UTC, missing seconds 0; an offset
 * may be "+00".
 */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const [, date, time, offset = 'Z'] = form.exec(value) ?? []
  if (!date || !time) return null
  const at = Date.parse(`${date}T${time}${offset.replace(/^(.\d\d)$/, '$1:00')}`)
  return Number.isNaN(at) ? null : at
}

const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Returns the same; for a date alone, its midnight in UTC. Futures may state only the day. */
export const dayOrInstantOf = (value: unknown): number | null =>
  instantOf(typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value)
