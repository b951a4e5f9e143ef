/** SQL for the sportsbooks of a game's chain, whose closes others are compared with. */

import { booksOf, type Chains, isByLeague } from '../rules/odds/chains.ts'
import type { Parameters } from './archive.ts'

export interface ChainSql {
  /** An array of ids; where chains differ, of the row's `league` and `sport`. */
  readonly sql: string
  readonly parameters: Parameters
}

export function chainSql(chains: Chains): ChainSql {
  if (!isByLeague(chains)) {
    return { sql: '{chain:Array(String)}', parameters: { chain: booksOf(chains) } }
  }
  const { own, usual } = chains
  const place = (column: string) => `indexOf({chain_keys:Array(String)}, ${column})`
  return {
    // The usual chain is the last. Parameters are flat lists, and ids have no comma.
    sql: `splitByChar(',', {chains:Array(String)}[multiIf(${place('league')} > 0, ${place('league')}, ${place('sport')} > 0, ${place('sport')}, -1)])`,
    parameters: {
      chain_keys: [...own.keys()],
      chains: [...own.values(), usual].map((chain) => booksOf(chain).join()),
    },
  }
}
