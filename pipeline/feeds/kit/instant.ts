/** The one parser of sportsbooks' times. */

/** Returns the epoch ms of an ISO time; null for anything else. A missing offset means UTC, missing seconds 0. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(at) ? null : at
}
