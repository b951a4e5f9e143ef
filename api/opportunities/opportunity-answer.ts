/** Validity of responses made of opportunities. */

import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { Priced, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import type { ObjectRead } from '../answer/resource.ts'
import type { Prepared } from '../route.ts'

/** Returns the newest sighting of the page's prices (epoch ms); 0 for an empty page. */
export const newestSeen = (items: readonly Priced[]) =>
  items.reduce(
    (newest, { legs }) =>
      legs.reduce((latest, { offer }) => Math.max(latest, offer.lastSeenAt), newest),
    0,
  )

/** Returns the same for many opportunities, without building their items. */
export function newestSeenOf(some: readonly Valued[], { board: { rows } }: Scope): number {
  let newest = 0
  for (const { taken } of some) {
    for (const row of taken.legs) newest = Math.max(newest, rows.sighted(row).lastSeenAt)
  }
  return newest
}

/** Responses show the ages of prices, which grow with the clock. Older responses are rebuilt. */
const agesStandMs = 1_000

/** Returns a version that changes with each price or opportunity. */
function versionOf(scope: Scope): () => number {
  const board = scope.board.watch({})
  let last = [-1, -1]
  let version = 0
  return () => {
    const now = [board(), scope.opportunities.version]
    if (now[0] !== last[0] || now[1] !== last[1]) {
      last = now
      version++
    }
    return version
  }
}

/**
 * Prepares a response made of opportunities. It is valid until a price or an opportunity changes, but at most for a
 * second, because ages grow.
 */
export function opportunityAnswer(
  scope: Scope,
  clock: () => number,
  write: (now: number) => {
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  },
  ahead: NonNullable<Prepared['ahead']>,
): Prepared {
  return {
    ahead,
    version: versionOf(scope),
    write(page) {
      const now = clock()
      const { body, headers } = write(now)
      appendText(page, body)
      return { expiresAt: now + agesStandMs, ...(headers && { headers }) }
    },
  }
}

/** The same for a response with one object. */
export const opportunityObject = <Data>(
  scope: Scope,
  clock: () => number,
  read: (now: number) => { readonly data: Data; readonly updatedAt: number },
): ObjectRead<Data> => ({
  version: versionOf(scope),
  now() {
    const now = clock()
    return { ...read(now), expiresAt: now + agesStandMs }
  },
})
