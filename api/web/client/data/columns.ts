/** The columns of the board: its figures, the order of sportsbooks, and how fresh their prices are. */

import { isOpen } from '../../../../pipeline/rules/games/event-end.ts'
import { isBehindPlay } from '../../../../pipeline/rules/odds/behind-play.ts'
import { isComparable } from '../../../../pipeline/rules/odds/in-play-handicaps.ts'
import type { Game, Sportsbook } from '../../wire.ts'
import type { MarketKinds } from './market-kinds.ts'
import type { Price } from './price-store.ts'

const bookGroups = ['sharp', 'exchange', 'retail'] as const
export type BookGroup = (typeof bookGroups)[number]

export function groupOf({ category, is_sharp: isSharp }: Sportsbook): BookGroup {
  if (category === 'exchange' || category === 'prediction_market') return 'exchange'
  return isSharp || category === 'sharp' ? 'sharp' : 'retail'
}

/** Columns of a game besides its prices, in this order. */
export const figures = ['best', 'hold', 'fair', 'open', 'move'] as const
export type Figure = (typeof figures)[number]

/**
 * Sorts columns: the reader's own sportsbooks first, in their order, then the others by group. Within a group sharp
 * books come first, in their order, then the others as listed.
 */
export function columnOrder(
  sportsbooks: readonly Sportsbook[],
  sharpBooks: readonly string[],
  mine: readonly string[],
): readonly Sportsbook[] {
  const rankOf = (book: Sportsbook) => {
    const own = mine.indexOf(book.id)
    if (own >= 0) return own - mine.length
    const sharp = sharpBooks.indexOf(book.id)
    return bookGroups.indexOf(groupOf(book)) * 1_000 + (sharp < 0 ? 999 : sharp)
  }
  return [...sportsbooks].sort((a, b) => rankOf(a) - rankOf(b))
}

/**
 * Returns the sportsbooks that have columns: those with prices now. On a board of the past it is any, even one that is
 * down now: whether it had prices then, its column shows.
 */
export const shownBooks = (
  sportsbooks: readonly Sportsbook[],
  { books, isOnlyMine }: { readonly books: readonly string[]; readonly isOnlyMine: boolean },
  at: number | null,
): readonly Sportsbook[] =>
  sportsbooks.filter(
    ({ id, last_update }) =>
      (at !== null || last_update !== null) && (!isOnlyMine || books.includes(id)),
  )

export type Freshness = 'fresh' | 'recent' | 'old' | 'down'

/** Returns the freshness of a sportsbook's newest price, shown as a coloured dot. */
export function freshnessOf({ status, last_update: updated }: Sportsbook, now: number): Freshness {
  if (status !== 'active' || updated === null) return 'down'
  const age = now - Date.parse(updated)
  if (age < 10_000) return 'fresh'
  return age < 60_000 ? 'recent' : 'old'
}

/**
 * Returns why a price on a game does not count: its sportsbook sends none or has not been seen there lately, the game is
 * postponed or over, or the price is from before it, which is in play. Null if it counts.
 */
export function staleReason(
  game: Partial<Pick<Game, 'is_live' | 'stale_books' | 'status' | 'event_status'>> | undefined,
  { sportsbook, isLive }: Pick<Price, 'sportsbook' | 'isLive'>,
  freshness: Freshness | undefined,
): string | null {
  if (freshness === 'down') return 'Its sportsbook sends no prices now'
  const status = game?.event_status ?? game?.status
  if (status !== undefined && !isOpen(status)) return `The game is ${status}`
  if (isBehindPlay(isLive, { isLive: game?.is_live === true })) return 'From before the game'
  return game?.stale_books?.includes(sportsbook) ? 'Not seen for too long to count' : null
}

/**
 * Returns why a price is not compared with those of other sportsbooks; null if it is.
 * @param sport of the game; while it is unknown (undefined), it may be soccer
 */
export function uncomparedReason(
  { question, isLive }: Pick<Price, 'question' | 'isLive'>,
  kinds: MarketKinds,
  sport: string | undefined,
): string | null {
  const { answers } = kinds.get(question.market) ?? {}
  if (!answers || isComparable(answers, sport ?? 'soccer', isLive)) return null
  return 'Not compared: in play, most sportsbooks count only goals after the bet, others all'
}
