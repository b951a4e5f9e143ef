/**
 * An opportunity with its figures as prices stand now. Figures are remembered while nothing of the
 * event changes. Whether bets can be placed depends on the clock and is checked each time.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { ListedOpportunity } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { isUnchanged } from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import type { Item, Kind } from './kind.ts'
import { isStanding, netOf, otherSide, type Quote, quotesOf } from './quotes.ts'

/** What is remembered of an opportunity. */
interface Kept<Figures extends object> {
  readonly event: ViewEvent
  readonly eventRow: EventRow
  /** Of the event; NaN where a price that is missing does not matter. */
  readonly offerChanges: number
  /** The prices it rests on. */
  readonly quotes: readonly Quote[]
  readonly item: Item<Figures> | null
  /** As those have it who do not see the prices of its reference; undefined until one asks. */
  veiled: Item<Figures> | null | undefined
  /** The stamp of the board at which all of it held. */
  heldAt: number
}

/**
 * The opportunity with its figures, as the scope may know them (`Kind.veiled`); null when a price is gone, or when the prices no longer make one.
 */
export function withFigures<Figures extends object>(
  scope: Scope,
  entry: ListedOpportunity,
  kind: Kind<Figures>,
): Item<Figures> | null {
  const { board, opportunities } = scope
  const before = entry.kept as Kept<Figures> | undefined
  // Most events have not had a price moved since they were looked at.
  if (before && before.eventRow === before.event.row && before.event.pricedAt <= before.heldAt) {
    return seenBy(scope, before, kind)
  }
  const { row } = entry
  const event = board.find(row.eventId)
  if (!event) return null
  if (before && stillHolds(before, board, event)) {
    before.heldAt = board.watermark
    return seenBy(scope, before, kind)
  }
  const legs = quotesOf(board, row.legs)
  const reference = quotesOf(board, row.reference)
  if (!legs || !reference) return null
  const others = kind.needsOtherSides ? legs.map((leg) => otherSide(board, leg)) : []
  const shown = asShown(event, legs)
  const nets = shown.map((leg) => netOf(leg, opportunities.fees))
  const priced = { row, event, legs: shown, nets, reference, others }
  const figures = kind.figures(priced)
  const quotes = [...legs, ...reference, ...others.filter((other) => other !== undefined)]
  const kept: Kept<Figures> = {
    event,
    eventRow: event.row,
    offerChanges: others.includes(undefined) ? event.offerChanges : Number.NaN,
    quotes,
    item: figures && { figures, ...priced },
    veiled: undefined,
    heldAt: board.watermark,
  }
  entry.kept = kept
  return seenBy(scope, kept, kind)
}

/** What is remembered is of all prices; a scope gets what it may know. */
function seenBy<Figures extends object>(
  scope: Scope,
  kept: Kept<Figures>,
  kind: Kind<Figures>,
): Item<Figures> | null {
  const { item } = kept
  const sharp = item?.reference[0]
  if (!item || !sharp || !kind.veiled || seesSportsbook(scope, sharp.sportsbook)) return item
  if (kept.veiled === undefined) {
    const figures = kind.veiled(item.figures, item)
    kept.veiled = figures && { ...item, figures }
  }
  return kept.veiled
}

/** One opportunity, where the scope has it and it may be bet on now. */
export function findStanding<Figures extends object>(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  kind: Kind<Figures>,
  now: number,
): Item<Figures> | null {
  if (!entry || (entry.row.scopes & scope.opportunityBit) === 0) return null
  const item = withFigures(scope, entry, kind)
  return item && isStanding([...item.legs, ...item.reference], scope, now) ? item : null
}

function stillHolds(kept: Kept<object>, board: BoardView, event: ViewEvent): boolean {
  const { eventRow, offerChanges, quotes } = kept
  if (kept.event !== event || eventRow !== event.row) return false
  if (!Number.isNaN(offerChanges) && offerChanges !== event.offerChanges) return false
  return quotes.every((quote) => isUnchanged(board, quote))
}

/** Home before away as the event is shown, which may not be its frame. */
function asShown({ row }: ViewEvent, legs: Quote[]): readonly Quote[] {
  const [first, second, ...others] = legs
  if (!row.flipped || !first || !second) return legs
  return first.selection.selectionType === 'home' ? [second, first, ...others] : legs
}
