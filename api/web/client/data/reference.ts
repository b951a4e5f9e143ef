/** Leagues, sportsbooks and games as the board needs them, asked again at a pace that the key allows. */

import { get, type Page } from './rest.ts'

export interface League {
  readonly id: string
  readonly name: string
  readonly event_count: number
  readonly live_count: number
}

export interface Sportsbook {
  readonly id: string
  readonly display_name: string
  readonly short_name: string
  readonly category: string
  readonly is_sharp: boolean
  readonly status: 'active' | 'inactive' | 'limited'
  readonly last_update: string | null
}

export interface GameState {
  readonly home_score: number | null
  readonly away_score: number | null
  readonly period: string | null
  readonly clock: string | null
}

export interface Game {
  readonly id: string
  readonly league: string
  readonly sport: string
  readonly home_team: string
  readonly away_team: string
  readonly start_time: string
  readonly status: string
  readonly is_live: boolean
  readonly game_state?: GameState | null
}

export interface Account {
  readonly tier: string
  readonly limits: { readonly requests_per_minute: number }
  readonly features: Readonly<Record<string, boolean>>
}

export const readAccount = async () => (await get<{ data: Account }>('/account')).data
export const readLeagues = async () => (await get<Page<League>>('/leagues')).data
export const readSportsbooks = async () => (await get<Page<Sportsbook>>('/sportsbooks')).data

export const readMarkets = async () => {
  const { data } = await get<Page<{ id: string; selection_count: number | null }>>('/markets')
  return data.filter(({ selection_count }) => selection_count).map(({ id }) => id)
}

/** All games of a filter, page by page. */
export async function readGames(query: string): Promise<readonly Game[]> {
  const games: Game[] = []
  let cursor = ''
  do {
    const page = await get<Page<Game>>(`/events?limit=200${query}${cursor}`)
    games.push(...page.data)
    const { has_more, next_cursor } = page.pagination
    cursor = has_more && next_cursor ? `&cursor=${encodeURIComponent(next_cursor)}` : ''
  } while (cursor !== '')
  return games
}

// ---- sportsbooks by kind

export const bookGroups = ['sharp', 'exchange', 'retail'] as const
export type BookGroup = (typeof bookGroups)[number]

export function groupOf({ category, is_sharp: isSharp }: Sportsbook): BookGroup {
  if (category === 'exchange' || category === 'prediction_market') return 'exchange'
  return isSharp || category === 'sharp' ? 'sharp' : 'retail'
}

/** In the order of columns: by group, then sharp books as they are asked for fair prices, then as listed. */
export function columnOrder(
  sportsbooks: readonly Sportsbook[],
  chain: readonly string[],
): readonly Sportsbook[] {
  const rankOf = (book: Sportsbook) => {
    const sharp = chain.indexOf(book.id)
    return bookGroups.indexOf(groupOf(book)) * 1_000 + (sharp < 0 ? 999 : sharp)
  }
  return sportsbooks.toSorted((a, b) => rankOf(a) - rankOf(b))
}

export type Freshness = 'fresh' | 'recent' | 'old' | 'down'

/** The age of a sportsbook's newest price, as its dot shows it. */
export function freshnessOf({ status, last_update: updated }: Sportsbook, now: number): Freshness {
  if (status !== 'active' || updated === null) return 'down'
  const age = now - Date.parse(updated)
  if (age < 10_000) return 'fresh'
  return age < 60_000 ? 'recent' : 'old'
}
