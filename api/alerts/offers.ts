/**
 * Prices that rules of the types `price` and `move` match: their filters, and which of the prices can be bet on now.
 */

import { isOutOfPlay } from '../../pipeline/rules/odds/behind-play.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { isComparable } from '../../pipeline/rules/odds/in-play-handicaps.ts'
import { teamOf } from '../../pipeline/rules/odds/outcome-sets.ts'
import { homeLine } from '../../pipeline/rules/odds/questions.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../pipeline/views/query/compiled-filter.ts'
import { type PriceRange, pricesOfAmerican } from '../../pipeline/views/query/price-range.ts'
import { type Quote, quoteAt } from '../../pipeline/views/query/quotes.ts'
import type { moveFilters, priceFilters } from '../../schemas/http/alert-filters.ts'
import type { Query } from '../../schemas/http/query.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import { outcomeNamed } from '../../schemas/reference/outcome-words.ts'
import type { Scope } from '../access/scope.ts'
import { shownSelection } from '../answer/selections.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { questionPath } from '../web/question-path.ts'
import { createRuleIndex, type Named, type RuleIndex } from './rule-index.ts'

type OfferQuery = Query<typeof priceFilters> | Query<typeof moveFilters>

/** Prices that a rule names, within its scope. */
export interface NamedOffers extends Named {
  /** Equal for rules that name the same prices. */
  readonly key: string
  readonly prices: PriceRange
  /** Returns the compiled filter, to be used at once. */
  compiled(): CompiledFilter
  /** Returns whether the rule's `selection` and `player` match a price. The filter is checked separately. */
  isOutcome(quote: Pick<Quote, 'event' | 'marketType' | 'selection'>): boolean
}

/**
 * Creates an index of rules by the prices they name. It is rebuilt when the rules, their prices or the board's market
 * types change.
 */
export function createOfferIndex<R>(board: BoardView, offersOf: (rule: R) => NamedOffers) {
  let rules: readonly R[] = []
  let offers: readonly NamedOffers[] = []
  let ofTypes = ''
  let index: RuleIndex<R> | null = null
  return {
    set(all: readonly R[]) {
      const named = all.map(offersOf)
      const isSame = (rule: R, i: number) => rule === rules[i] && named[i] === offers[i]
      if (all.length === rules.length && all.every(isSame)) return
      rules = all
      offers = named
      index = null
    },
    now(): RuleIndex<R> {
      // A name that covers several types stands for those on the board.
      const types = board.marketTypes().join()
      if (index && types === ofTypes) return index
      ofTypes = types
      index = createRuleIndex(rules, offersOf)
      return index
    },
  }
}

/** Values of `selection` that are sides, not parts of a name. */
const sideWords: ReadonlySet<string> = new Set([
  ...['home', 'away', 'draw', 'over', 'under', 'yes', 'no'],
])

/** Returns the side that a value means in any of its words ("Tie"); null for a part of a name. */
function sideNamed(text: string): string | null {
  const side = outcomeNamed(text)
  return side !== undefined && sideWords.has(side) ? side : null
}

/** Team totals have types such as `home_over` and `away_under`. */
const isTotalOf = (type: string, side: string) =>
  (side === 'over' || side === 'under') && type.endsWith(`_${side}`)

/** @throws ApiError invalid_filter, tier_restricted */
export function namedOffers(query: OfferQuery, scope: Scope): NamedOffers {
  const { selection, player } = query
  const requested = requestedOdds(query, scope)
  const words = selection?.map((text) => sideNamed(text) ?? text.toLowerCase())
  const sides = words?.filter((word) => sideWords.has(word))
  const names = words?.filter((word) => !sideWords.has(word)).map(normaliseName)
  const playerName = player && normaliseName(player)
  const { leagues, sportsbooks, minAmerican, maxAmerican } = requested.filter()
  return {
    key: JSON.stringify([requested.queryKey, words, playerName]),
    prices: pricesOfAmerican(minAmerican, maxAmerican),
    leagues,
    sportsbooks,
    get marketTypes() {
      return requested.filter().marketTypes
    },
    compiled: () => compile(scope.board, requested.filter()),
    isOutcome({ event, marketType, selection }) {
      if (playerName && !normaliseName(selection.playerName ?? '').includes(playerName))
        return false
      if (!sides || !names) return true
      const { selection: label, selection_type: type } = shownSelection(
        event,
        marketType,
        selection,
      )
      if (sides.some((side) => type === side || isTotalOf(type, side))) return true
      const name = normaliseName(label)
      return names.some((part) => part !== '' && name.includes(part))
    },
  }
}

/**
 * Returns a row's price as a bet that can be made now. Null if it is inactive, withheld, of a
 * reference sportsbook, or was last seen too long ago. Null also if the game is in play and the
 * price from before, or the game is postponed or cancelled.
 */
export function standingOffer(board: BoardView, row: number, now: number): Quote | null {
  const { rows } = board
  if (!rows.isActive(row) || rows.withheld(row) !== null) return null
  const { sportsbook, lastSeenAt } = rows.sighted(row)
  if (board.references.has(sportsbook) || now - lastSeenAt > usableMs(rows.isLive(row))) return null
  const quote = quoteAt(board, row)
  return isOutOfPlay(quote.isLive, quote.event.row) ? null : quote
}

/** Returns whether a bet's price may be compared with those of other sportsbooks (`in-play-handicaps.ts`). */
export const isCompared = ({ marketType, event, isLive }: Quote): boolean =>
  isComparable(questionOf(marketType).answers, event.row.sport, isLive)

/** Iterates over the rows of an event that match a filter. */
function* matchingRows({ enter, names }: CompiledFilter, { blocks }: ViewEvent): Iterable<number> {
  for (const block of blocks) {
    if (!enter(block)) continue
    for (let i = 0; i < block.count; i++) if (names(block.rows[i]!)) yield block.rows[i]!
  }
}

/**
 * Iterates over all rows that are named, in groups by event. The board may change between two
 * events.
 */
export function* rowsByEvent(
  board: BoardView,
  { compiled }: NamedOffers,
): Generator<Iterable<number>, void> {
  let filter = compiled()
  let next = filter.events()
  let seen = board.watermark
  for (let event = next(); event; ) {
    const { id: eventId, startsAt } = event
    yield matchingRows(filter, event)
    if (board.watermark !== seen) {
      seen = board.watermark
      filter = compiled()
      next = filter.events({ eventId, startsAt })
    }
    event = next()
    // A walk begins with the event of the place, if it is still there.
    if (event?.id === eventId) event = next()
  }
}

/** Returns the key of a price's outcome, the same at every sportsbook. */
export function outcomeKey({ event, marketType, selection }: Quote): string {
  const { selection: label, selection_type, line } = shownSelection(event, marketType, selection)
  return [event.id, marketType, selection_type, label, line, selection.playerName].join('|')
}

/** Returns the path of the page that shows an offer's question at its line. */
export function pageOfOffer({ event, marketType, selection, statCategory }: Quote): string {
  const { selection_type, line } = shownSelection(event, marketType, selection)
  const shared = homeLine(marketType, selection_type, line)
  return questionPath(event.id, {
    market: marketType,
    player: selection.playerName,
    statistic: statCategory,
    team: teamOf(selection_type),
    ...(shared !== null && { line: shared }),
  })
}

/** Builds an address with those of a rule's filters that a list or page takes. @returns a path of the service */
export function addressOf(path: string, query: string, members: readonly string[]): string {
  const filters = [...new URLSearchParams(query)].filter(([name]) => members.includes(name))
  const text = new URLSearchParams(filters).toString().replaceAll('%2C', ',')
  return text === '' ? path : `${path}?${text}`
}
