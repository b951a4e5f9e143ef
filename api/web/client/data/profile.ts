/**
 * The reader's profile: sportsbooks, stakes, price format, hidden leagues. It is that of the account; with the key of the
 * sandbox, which all visitors share, the changes kept in this browser come first.
 */

import type { OwnBook, Profile } from '../../wire.ts'

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

/**
 * Returns the sportsbooks that the reader chose, in a profile that may have been changed elsewhere: those added there
 * stay, those removed there stay away unless the reader has just added them.
 * @param before ids that were in use when the reader chose
 * @param ids what the reader made of these
 */
export function chosenBy(
  profile: Profile,
  before: readonly string[],
  ids: readonly string[],
): readonly string[] {
  const now = booksIn(profile)
  return [
    ...ids.filter((id) => now.includes(id) || !before.includes(id)),
    ...now.filter((id) => !before.includes(id) && !ids.includes(id)),
  ]
}
