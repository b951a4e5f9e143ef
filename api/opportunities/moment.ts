/**
 * Who looks at opportunities, and when. It also tells what other kinds have on the same line, and which
 * lines are alternate. Each of these is computed when it is first asked for.
 */

import { rungKey } from '../../pipeline/rules/questions.ts'
import type { OpportunityKind } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { defaultState } from '../answer/book-addresses.ts'
import { kindOf } from './all-kinds.ts'
import type { Moment } from './kind.ts'
import { alternateLines } from './main-line.ts'
import { findStanding } from './priced.ts'
import type { Quote } from './quotes.ts'

export function createMoment(
  scope: Scope,
  chain: readonly string[],
  now: number,
  state = defaultState,
): Moment {
  const byLine = new Map<OpportunityKind, ReadonlyMap<string, number>>()
  let isAlternate: Moment['isAlternate'] | undefined
  return {
    scope,
    chain,
    now,
    state,
    isAlternate(item) {
      isAlternate ??= alternateLines(scope)
      return isAlternate(item)
    },
    worthOnLine(name, item) {
      let worths = byLine.get(name)
      if (!worths) {
        worths = worthByLine(name, scope, now)
        byLine.set(name, worths)
      }
      return worths.get(lineKey(item.legs[0]!)) ?? null
    },
    worthOfLegs(name, { row, legs }) {
      const kind = kindOf(name)
      const ids = new Set(legs.map(({ id }) => id))
      let most: number | null = null
      for (const entry of scope.opportunities.ofEvent(row.eventId)) {
        if (entry.row.kind !== name || !entry.row.legs.some((id) => ids.has(id))) continue
        const item = findStanding(scope, entry, kind, now)
        const worth = item && kind.worth(item.figures)
        if (worth !== null && (most === null || worth > most)) most = worth
      }
      return most
    },
  }
}

/** The greatest worth of a kind on each line that has one. */
function worthByLine(name: OpportunityKind, scope: Scope, now: number) {
  const kind = kindOf(name)
  const worths = new Map<string, number>()
  for (const entry of scope.opportunities.all(name)) {
    const item = findStanding(scope, entry, kind, now)
    if (!item) continue
    const worth = kind.worth(item.figures)
    // Most stand on one line; what bets at two of them stands on both.
    for (const leg of item.legs) {
      const key = lineKey(leg)
      worths.set(key, Math.max(worths.get(key) ?? worth, worth))
    }
  }
  return worths
}

/** The line of a price, whichever its side. */
function lineKey({ event, marketType, selection, isLive }: Quote): string {
  return [event.id, marketType, isLive, rungKey(marketType, selection)].join('|')
}
