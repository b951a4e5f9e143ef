/** The context of every page: the account, reference data and the reader's choices. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Chains } from '../../../../pipeline/rules/odds/chains.ts'
import type { Account, Profile, Sportsbook } from '../../wire.ts'
import type { Choices } from '../data/choices.ts'
import type { Leagues } from '../data/leagues.ts'
import type { MarketKinds } from '../data/market-kinds.ts'
import type { ProfileChange } from '../data/profile-edits.ts'
import type { FilterNames } from '../format/filters.ts'
import type { ReadPrices } from '../format/silence.ts'

export interface Desk extends Leagues {
  readonly account: Account
  readonly profile: Profile
  readonly sportsbooks: readonly Sportsbook[]
  readonly prices: ReadPrices
  /** Ids of markets with prices. */
  readonly markets: readonly string[]
  readonly kinds: MarketKinds
  /** The chain of each game. */
  readonly chain: Chains
  readonly choices: Choices
  /** Ids of leagues to leave out if no league is requested: those hidden by the profile, unless they are shown. */
  readonly hidden: ReadonlySet<string>
  /** The `books=` value for the reader's own sportsbooks; empty without any. */
  readonly mine: readonly string[]
  /** The `books=` value if only the reader's own sportsbooks count; empty for all. */
  readonly among: readonly string[]
  /** Time between two requests of a page, well within the key's rate limit. */
  readonly paceMs: number
  choose(choices: Partial<Choices>): void
  /** @param change may be called again with a newer profile */
  editProfile(change: ProfileChange): void
}

export const DeskContext = createContext<Desk | null>(null)
export const useDesk = (): Desk => useContext(DeskContext)!

export const nameOfBook = ({ sportsbooks }: Desk, id: string) =>
  sportsbooks.find((book) => book.id === id)?.display_name ?? id

export const nameOfLeague = ({ leaguesById }: Desk, id: string) =>
  leaguesById.get(id)?.shortName ?? id

export const filterNames = ({ choices, leaguesById, sportsbooks }: Desk): FilterNames => ({
  format: choices.format,
  leagues: new Map([...leaguesById].map(([id, { shortName }]) => [id, shortName])),
  sportsbooks: new Map(sportsbooks.map(({ id, display_name }) => [id, display_name])),
})

/** Whether the reader's tier has a bet log. */
export const hasBetLog = ({ account }: Desk): boolean => account.features.closing_lines === true
