/** The context of every page: the account, reference data and the reader's choices. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choices } from '../data/session.ts'
import type { Account, League, Sportsbook } from '../data/wire.ts'

export interface Desk {
  readonly account: Account
  readonly sportsbooks: readonly Sportsbook[]
  /** Leagues with games. */
  readonly leagues: readonly League[]
  /** Ids of markets with prices. */
  readonly markets: readonly string[]
  /** Sharp books, the preferred one first. */
  readonly chain: readonly string[]
  readonly choices: Choices
  /** Time between two requests of one page, well within the key's rate limit. */
  readonly paceMs: number
  choose(choices: Partial<Choices>): void
}

export const DeskContext = createContext<Desk | null>(null)
export const useDesk = (): Desk => useContext(DeskContext)!

export const nameOfBook = ({ sportsbooks }: Desk, id: string) =>
  sportsbooks.find((book) => book.id === id)?.display_name ?? id
