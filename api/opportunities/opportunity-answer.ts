/** How long an answer made of opportunities stands. */

import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { Priced, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import type { ObjectRead } from '../answer/resource.ts'
import type { Prepared } from '../route.ts'

/** When the newest price on the page was seen (epoch ms); 0 for an empty one. */
export const newestSeen = (items: readonly Priced[]) =>
  items.reduce(
    (newest, { legs }) =>
      legs.reduce((latest, { offer }) => Math.max(latest, offer.lastSeenAt), newest),
    0,
  )

/** The same of many, whose prices nobody else looks at. */
export function newestSeenOf(some: readonly Valued[], { board: { rows } }: Scope): number {
  let newest = 0
  for (const { taken } of some) {
    for (const row of taken.legs) newest = Math.max(newest, rows.sighted(row).lastSeenAt)
  }
  return newest
}

/** Answers show the ages of prices, which grow with the clock: an answer older than this is made anew. */
const agesStandMs = 1_000

/** Moves when a price or an opportunity changes. */
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
 * An answer made of opportunities: it stands until a price or an opportunity changes, or, because
 * ages run, for a second.
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

/** The same of an answer with one object. */
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
