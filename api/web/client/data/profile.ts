/**
 * The reader's profile: sportsbooks, stakes, price format, hidden leagues. It is that of the account; with the key of the
 * sandbox, which all visitors share, what this browser keeps counts before it.
 */

import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { ownBookStatuses } from '../../../../schemas/profile.ts'

export interface OwnBook {
  readonly sportsbook: string
  readonly commission_percent: number | null
  readonly max_stake: number | null
  readonly status: (typeof ownBookStatuses)[number]
  /** Whether the account's tier sees it. */
  readonly is_included: boolean
}

export interface Profile {
  readonly sportsbooks: readonly OwnBook[]
  /** US state, two lower-case letters. */
  readonly state: string | null
  readonly bankroll: number | null
  readonly kelly: number | null
  readonly stake_unit: number | null
  /** Such as EUR; null if not stated. */
  readonly currency: string | null
  readonly price_format: PriceFormat | null
  /** Ids. */
  readonly hidden_leagues: readonly string[]
}

/** A change of a profile: absent fields stay, a list replaces the former one. */
export type ProfileEdit = Partial<Profile>

/** A sportsbook of which nothing is stated yet. */
export const newOwnBook = (sportsbook: string): OwnBook => ({
  sportsbook,
  ...{ commission_percent: null, max_stake: null, status: 'active', is_included: true },
})

/** Those that `books=mine` counts. */
export const booksIn = ({ sportsbooks }: Profile): readonly string[] =>
  sportsbooks.flatMap(({ sportsbook, status, is_included }) =>
    status !== 'paused' && is_included ? sportsbook : [],
  )

/**
 * Returns a profile's sportsbooks after the reader has chosen `ids`. One that is no longer chosen is paused if it has
 * a commission or a highest stake, and dropped otherwise. One that was paused, or is outside the tier, is kept.
 */
export function ownBooksAs(before: readonly OwnBook[], ids: readonly string[]): readonly OwnBook[] {
  const inUse = ids.map((sportsbook): OwnBook => {
    const own = before.find((one) => one.sportsbook === sportsbook)
    if (own) return own.status === 'paused' ? { ...own, status: 'active' } : own
    return newOwnBook(sportsbook)
  })
  const others = before.flatMap((own): OwnBook | readonly [] => {
    if (ids.includes(own.sportsbook)) return []
    if (own.status === 'paused' || !own.is_included) return own
    const isStated = own.commission_percent !== null || own.max_stake !== null
    return isStated ? { ...own, status: 'paused' } : []
  })
  return [...inUse, ...others]
}
