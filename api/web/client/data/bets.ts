/** The bets of the reader's account: adds them, states their results and reads their sums. */

import type { BetResult, BetResults } from '../../wire.ts'
import type { Outcome } from './bet.ts'
import { pageItems, readPages } from './pages.ts'
import type { NewBet } from './placed-bet.ts'
import { change, download, get } from './rest.ts'

/** Sums of all bets, and some bets. */
export interface ReadBets extends Pick<BetResults, 'total' | 'by_sportsbook' | 'bets'> {
  /** All bets of the state. */
  readonly count: number
}

interface ResultsAnswer {
  readonly data: BetResults
  readonly meta: { readonly pagination: { readonly total: number } }
}

const path = '/account/bets'

/** Reads the newest bets of a state, at least `most` if there are so many, and the sums of all bets. */
export async function readResults(state: 'open' | 'settled', most: number): Promise<ReadBets> {
  let sums: ResultsAnswer['data'] | undefined
  const { items, total: count } = await readPages(
    async (offset) => {
      const query = `limit=${pageItems}&offset=${offset}&state=${state}`
      const { data, meta } = await get<ResultsAnswer>(`${path}/results?${query}`)
      sums = data
      return { items: data.bets, total: meta.pagination.total }
    },
    ({ id }) => id,
    most,
  )
  return { ...sums!, bets: items, count }
}

/** Saves all bets with their results as a file for a spreadsheet in the reader's language. */
export function saveResults(): Promise<void> {
  const hasCommas = new Intl.NumberFormat().format(0.5).includes(',')
  const style = hasCommas ? 'separator=semicolon&decimal=comma' : 'separator=comma'
  return download(`${path}/results?format=csv&bom=true&${style}`, 'bet-results.csv')
}

interface Kept {
  readonly rejected: readonly { readonly message: string }[]
}

/** @returns the service's reason if it rejects the bet */
export async function keepBet(bet: NewBet): Promise<string | null> {
  const { data } = await change<{ data: Kept }>(path, 'POST', bet)
  return data.rejected[0]?.message ?? null
}

/** @param outcome null withdraws a result stated by hand */
export const stateResult = (
  { id }: BetResult,
  outcome: Outcome | null,
  returned: number | null = null,
) => change(`${path}/${id}/result`, 'POST', { outcome, ...(returned !== null && { returned }) })

export const removeBet = ({ id }: BetResult) => change(`${path}/${id}`, 'DELETE')
