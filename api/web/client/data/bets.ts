/** The bets of the reader's account: adds them, states their results and reads their sums. */

import type { BetResult, BetResults, FoundGame, Page, TakenFile } from '../../wire.ts'
import type { Outcome } from './bet.ts'
import type { OfferedPrice } from './bet-choices.ts'
import type { Correction } from './bet-correction.ts'
import { firstPages, pageItems, readPages } from './pages.ts'
import type { NewBet } from './placed-bet.ts'
import { change, download, get } from './rest.ts'

/** Sums of all bets of a query, and some bets. */
export interface ReadBets extends Omit<BetResults, 'open_reasons'> {
  /** All bets of the state. */
  readonly count: number
  /** How many bets lack their result or value because the archive did not answer. */
  readonly unanswered: number
}

interface ResultsAnswer {
  readonly data: BetResults
  readonly meta: {
    readonly pagination: { readonly total: number }
    readonly bets_without_answer: number
  }
}

/** Which bets to read; '' for any. */
export interface BetQuery {
  /** Days (UTC) on which they were placed. */
  readonly from: string
  readonly to: string
  /** Words that each of them has. */
  readonly q: string
}

const path = '/account/bets'

const queryOf = ({ from, to, q }: BetQuery) =>
  new URLSearchParams(Object.entries({ from, to, q }).filter(([, value]) => value !== ''))

/** Reads the newest bets of a state, at least `most` if there are so many, and the sums of all bets of a query. */
export async function readResults(
  state: 'open' | 'settled',
  most: number,
  asked: BetQuery,
): Promise<ReadBets> {
  let sums: ResultsAnswer['data'] | undefined
  let unanswered = 0
  const { items, total: count } = await readPages(
    async (offset) => {
      const query = `limit=${pageItems}&offset=${offset}&state=${state}&${queryOf(asked)}`
      const { data, meta } = await get<ResultsAnswer>(`${path}/results?${query}`)
      sums = data
      unanswered = meta.bets_without_answer
      return { items: data.bets, total: meta.pagination.total }
    },
    ({ id }) => id,
    most,
  )
  return { ...sums!, bets: items, count, unanswered }
}

/** Saves the bets of a query with their results as a file for a spreadsheet in the reader's language. */
export function saveResults(asked: BetQuery): Promise<void> {
  const hasCommas = new Intl.NumberFormat().format(0.5).includes(',')
  const style = hasCommas ? 'separator=semicolon&decimal=comma' : 'separator=comma'
  const query = `format=csv&bom=true&${style}&${queryOf(asked)}`
  return download(`${path}/results?${query}`, 'bet-results.csv')
}

/** @returns the service's reason if it rejects the bet */
export async function keepBet(bet: NewBet): Promise<string | null> {
  const { data } = await change<{ data: TakenFile }>(path, 'POST', bet)
  return data.rejected[0]?.message ?? null
}

/** @param outcome null withdraws a result stated by hand */
export const stateResult = (
  { id }: BetResult,
  outcome: Outcome | null,
  returned: number | null = null,
) => change(`${path}/${id}/result`, 'POST', { outcome, ...(returned !== null && { returned }) })

/** Sends a correction, unless it is none. */
export async function correctBet({ id }: BetResult, correction: Correction): Promise<void> {
  if (Object.keys(correction).length > 0) await change(`${path}/${id}`, 'PATCH', correction)
}

export const removeBet = ({ id }: BetResult) => change(`${path}/${id}`, 'DELETE')

const mostGames = 20

/** @param name of a team or game, or a part of one */
export const findGames = async (name: string): Promise<readonly FoundGame[]> =>
  (await get<Page<FoundGame>>(`/events?${new URLSearchParams({ q: name })}&limit=${mostGames}`))
    .data

/** @returns null for a game that is not on the board any more */
export const findGame = async (id: string): Promise<FoundGame | null> =>
  (await get<Page<FoundGame>>(`/events?${new URLSearchParams({ event: id })}&limit=1`)).data[0] ??
  null

const priceFields = 'sportsbook,selection_type,line,player_name,odds_decimal'

/** Most pages of prices of a market that the form reads. */
const mostPricePages = 5

/** Prices of a market of a game. */
export interface MarketPrices {
  readonly items: readonly OfferedPrice[]
  /** Whether these are all of them. */
  readonly isAll: boolean
}

/** Reads the first prices of a market of a game, up to a thousand. */
export function readSelections(
  eventId: string,
  market: string,
  signal: AbortSignal,
): Promise<MarketPrices> {
  const query = new URLSearchParams({ event: eventId, market, fields: priceFields })
  return firstPages(
    (cursor) => get<Page<OfferedPrice>>(`/odds?${query}&limit=${pageItems}${cursor}`, signal),
    mostPricePages,
  )
}
