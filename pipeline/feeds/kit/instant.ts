/** The one reading of a sportsbook's times. */

/** Epoch ms of an ISO instant; null for anything else. A missing offset or seconds is UTC. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(at) ? null : at
}
