/** Chooses which messages of alerts a page shows as notifications. */

import type { Delivery } from '../../wire.ts'

type Message = Pick<Delivery, 'id' | 'title' | 'state' | 'decided_at' | 'gone_at'>

/**
 * Returns a function that takes listings of messages, and returns those to show: each once it is delivered, if it has
 * come since the first listing. It compares times of the service alone, because the browser's clock may be off.
 */
export function createNoticeChoice() {
  let since: number | null = null
  const settled = new Set<string>()
  return <One extends Message>(listing: readonly One[]): readonly One[] => {
    if (since === null) {
      since = Math.max(...listing.map(({ decided_at }) => Date.parse(decided_at)), 0)
      for (const { id } of listing) settled.add(id)
      return []
    }
    const least = since
    const fresh = listing.filter(
      ({ id, title, state, decided_at, gone_at }) =>
        !settled.has(id) &&
        state === 'delivered' &&
        title !== null &&
        gone_at === null &&
        Date.parse(decided_at) >= least,
    )
    for (const { id } of fresh) settled.add(id)
    return fresh
  }
}
