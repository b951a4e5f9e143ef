/** Errors of a line of a file of bets. */

import type { TimeFault } from './local-time.ts'

export type CellFault =
  | 'malformed_csv'
  | 'ambiguous_number'
  | 'ambiguous_odds'
  | 'unknown_result'
  | 'missing_result'
  | 'unknown_free_bet'
  | 'lay_bet'
  | 'each_way_bet'
  | 'several_legs'
  | 'invalid_field'
  | TimeFault

export interface TableFault {
  readonly code: CellFault
  readonly message: string
}

/** Returns an error of a line. */
export const fault = (code: CellFault, message: string): TableFault => ({ code, message })
