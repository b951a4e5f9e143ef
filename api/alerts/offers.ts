/** Prices that rules of the types `price` and `move` ask for: their filters, and which of them stand. */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { type CompiledFilter, compile } from '../../pipeline/views/query/compiled-filter.ts'
import { type Quote, quoteAt } from '../../pipeline/views/query/quotes.ts'
import type { moveFilters, priceFilters } from '../../schemas/http/alert-filters.ts'
import type { Query } from '../../schemas/http/query.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import type { Scope } from '../access/scope.ts'
import { shownSelection } from '../answer/selections.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { createRuleIndex, type Named, type RuleIndex } from './rule-index.ts'

type OfferQuery = Query<typeof priceFilters> | Query<typeof moveFilters>

/** The prices that a rule names, within its scope. */
export interface NamedOffers extends Named {
  /** As of now: good until the shape of the board changes. */
  compiled(): CompiledFilter
  /** Whether the answer of a price is asked for, whatever the filter says of it. */
  isAnswer(quote: Pick<Quote, 'event' | 'marketType' | 'selection'>): boolean
}

/** The rules of one type by what they ask for, as of the market types on the board. */
export function createOfferIndex<R extends { readonly compiled: { readonly offers: NamedOffers } }>(
  board: BoardView,
) {
  let rules: readonly R[] = []
  let ofTypes = ''
  let index: RuleIndex<R> | null = null
  return {
    set(all: readonly R[]) {
      rules = all
      index = null
    },
    now(): RuleIndex<R> {
      // A name of several types stands for those that are there.
      const types = board.marketTypes().join()
      if (index && types === ofTypes) return index
      ofTypes = types
      index = createRuleIndex(rules, ({ compiled }) => compiled.offers)
      return index
    },
  }
}

/** Values of `selection` that are sides, and no part of a name. */
const sideWords: ReadonlySet<string> = new Set([
  ...['home', 'away', 'draw', 'over', 'under', 'yes', 'no'],
])

/** Totals of a team are `home_over`, `away_under` and so on. */
const isTotalOf = (type: string, side: string) =>
  (side === 'over' || side === 'under') && type.endsWith(`_${side}`)

/** @throws ApiError invalid_filter, tier_restricted */
export function namedOffers(query: OfferQuery, scope: Scope): NamedOffers {
  const { selection, player } = query
  const requested = requestedOdds(query, scope)
  const words = selection?.map((text) => text.toLowerCase())
  const sides = words?.filter((word) => sideWords.has(word))
  const names = words?.filter((word) => !sideWords.has(word)).map(normaliseName)
  const playerName = player && normaliseName(player)
  return {
    leagues: requested.filter().leagues,
    get marketTypes() {
      return requested.filter().marketTypes
    },
    compiled: () => compile(scope.board, requested.filter()),
    isAnswer({ event, marketType, selection: of }) {
      if (playerName && !normaliseName(of.playerName ?? '').includes(playerName)) return false
      if (!sides || !names) return true
      const { selection: label, selection_type: type } = shownSelection(event, marketType, of)
      if (sides.some((side) => type === side || isTotalOf(type, side))) return true
      const name = normaliseName(label)
      return names.some((part) => part !== '' && name.includes(part))
    },
  }
}

/**
 * The price of a row as a bet that can be made now; null for one that takes no bets, is withheld, or was seen too long
 * ago. References are withheld always.
 */
export function standingOffer(board: BoardView, row: number, now: number): Quote | null {
  const { rows } = board
  if (!rows.isActive(row) || rows.withheld(row) !== null) return null
  const { sportsbook, lastSeenAt } = rows.sighted(row)
  if (board.references.has(sportsbook) || now - lastSeenAt > usableMs(rows.isLive(row))) return null
  return quoteAt(board, row)
}

/** All rows that a filter asks for. */
export function* rowsAsked({ events, enter, names }: CompiledFilter): Iterable<number> {
  const next = events()
  for (let event = next(); event; event = next()) {
    for (const block of event.blocks) {
      if (!enter(block)) continue
      for (let i = 0; i < block.count; i++) if (names(block.rows[i]!)) yield block.rows[i]!
    }
  }
}

/** The answer of a price, the same at every sportsbook. */
export function answerKey({ event, marketType, selection }: Quote): string {
  const { selection: label, selection_type, line } = shownSelection(event, marketType, selection)
  return [event.id, marketType, selection_type, label, line, selection.playerName].join('|')
}

/** Those of a rule's filters that a list or a page takes too. @returns an address below the service's */
export function addressOf(path: string, query: string, members: readonly string[]): string {
  const filters = [...new URLSearchParams(query)].filter(([name]) => members.includes(name))
  const text = new URLSearchParams(filters).toString().replaceAll('%2C', ',')
  return text === '' ? path : `${path}?${text}`
}
