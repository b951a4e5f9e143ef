/**
 * What items of one kind say of those of another on the same line, and the bounds of a list that
 * names none.
 */

import { marketShape, sharedLineOf } from '../../pipeline/processors/opportunities/market-shape.ts'
import type { Scope } from '../access/scope.ts'
import { arbitrageFigures } from './kinds/arbitrage.ts'
import { evFigures, evTrust, type PricedEv } from './kinds/ev.ts'
import { findStanding, type Priced } from './listing.ts'
import { alternateLines } from './main-line.ts'

/** In percent. */
export const defaultMinProfit = 0.5
/** In percent. */
export const defaultMaxHold = 5
/** In points. */
export const defaultMinSize = 0.5

/** What filters, sorts and items need beside the figures, each worked out when it is asked for. */
export function evContext(scope: Scope, chain: readonly string[], now: number) {
  const trusts = new Map<PricedEv, ReturnType<typeof evTrust>>()
  let profits: Map<string, number> | undefined
  return {
    chain,
    isAlternate: alternateLines(scope),
    trust(item: PricedEv) {
      let trust = trusts.get(item)
      if (!trust) {
        trust = evTrust(item, scope, chain, now)
        trusts.set(item, trust)
      }
      return trust
    },
    arbProfitOf(item: Priced): number | null {
      profits ??= bestProfits(scope, now)
      return profits.get(lineKey(item)) ?? null
    },
  }
}

/** The profit of the arbitrage on each line that has one. */
function bestProfits(scope: Scope, now: number): Map<string, number> {
  const profits = new Map<string, number>()
  for (const entry of scope.opportunities.all('arbitrage')) {
    const item = findStanding(scope, entry, arbitrageFigures, now)
    if (!item) continue
    const key = lineKey(item)
    profits.set(key, Math.max(profits.get(key) ?? 0, item.figures.profit))
  }
  return profits
}

/** The line of an opportunity, whichever of its sides is the first. */
function lineKey({ event, legs }: Priced): string {
  const { marketType, selection, isLive } = legs[0]!
  const { selectionType, line, playerName } = selection
  const rung = sharedLineOf(marketType, selectionType, line)
  // A market on each team has a line for each.
  const group = marketShape(marketType, event.row.sport)?.columnOf.get(selectionType)?.group
  return [event.id, marketType, rung, group, playerName, isLive].join('|')
}

/** The best expected value of a leg; null when none has any. */
export function bestEv({ row, legs }: Priced, scope: Scope, now: number): number | null {
  const ids = new Set(legs.map(({ id }) => id))
  let best: number | null = null
  for (const entry of scope.opportunities.ofEvent(row.eventId)) {
    const other = entry.row
    if (other.kind !== 'ev') continue
    if (!ids.has(other.legs[0]!)) continue
    const item = findStanding(scope, entry, evFigures, now)
    if (item && (best === null || item.figures.ev > best)) best = item.figures.ev
  }
  return best
}
