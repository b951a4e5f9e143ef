/** The most messages of an alert in an hour. */

import type { Alert, Delivery } from '../../wire.ts'

const hourMs = 3_600_000

/**
 * Returns when an alert may send again that has sent as many messages in the last hour as it may; null for any other.
 * @param deliveries the newest
 * @param now epoch ms
 */
export function sendsAgainAt(
  { per_hour }: Pick<Alert, 'per_hour'>,
  deliveries: readonly Pick<Delivery, 'type' | 'decided_at'>[],
  now: number,
): number | null {
  const times = deliveries
    .filter(({ type }) => type !== 'test')
    .map(({ decided_at }) => Date.parse(decided_at))
    .sort((a, b) => b - a)
  const first = times[per_hour - 1]
  return first !== undefined && first + hourMs > now ? first + hourMs : null
}
