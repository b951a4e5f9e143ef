/** What every page goes by: the account, the reference data, the reader's choices. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choices } from '../data/session.ts'
import type { Account, League, Sportsbook } from '../data/wire.ts'

export interface Desk {
  readonly account: Account
  readonly sportsbooks: readonly Sportsbook[]
  /** Those with games. */
  readonly leagues: readonly League[]
  /** Ids of markets with prices. */
  readonly markets: readonly string[]
  /** Sharp books, the reference of choice first. */
  readonly chain: readonly string[]
  readonly choices: Choices
  /** Between two requests of one page: less than the key's minute allows. */
  readonly paceMs: number
  choose(choices: Partial<Choices>): void
}

export const DeskContext = createContext<Desk | null>(null)
export const useDesk = (): Desk => useContext(DeskContext)!

export const nameOfBook = ({ sportsbooks }: Desk, id: string) =>
  sportsbooks.find((book) => book.id === id)?.display_name ?? id
