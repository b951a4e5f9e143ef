/** Reads accounts with their profiles, leagues, sportsbooks, markets and games. */

import type { Account, Game, League, Market, Page, Profile, Sportsbook } from '../../wire.ts'
import { cursorPages } from './pages.ts'
import type { ProfileEdit } from './profile.ts'
import { change, get } from './rest.ts'

export const readAccount = async () => (await get<{ data: Account }>('/account')).data
export const readProfile = async (signal?: AbortSignal) =>
  (await get<{ data: Profile }>('/account/profile', signal)).data

export async function changeProfile({ sportsbooks, ...rest }: ProfileEdit, signal: AbortSignal) {
  // Fields computed by the service are not sent back.
  const sent = sportsbooks?.map(({ is_included: _, ...stated }) => stated)
  const edit = { ...rest, ...(sent && { sportsbooks: sent }) }
  await change('/account/profile', 'PATCH', edit, signal)
}

/** Reads every league, with or without games: a game may be the first of its league, or the last. */
export const readLeagues = async () => (await get<Page<League>>('/leagues?include_empty=true')).data

export const readSportsbooks = async () => (await get<Page<Sportsbook>>('/sportsbooks')).data

export const readMarkets = async () => (await get<Page<Market>>('/markets')).data

/** Reads all pages of games that match the query. */
export async function readGames(query: string): Promise<readonly Game[]> {
  const games: Game[] = []
  const read = (cursor: string) => get<Page<Game>>(`/events?limit=200${query}${cursor}`)
  for await (const page of cursorPages(read)) games.push(...page)
  return games
}
