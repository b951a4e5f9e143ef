/**
 * Futures among the reference service's rows. Its market types are coarser than their content: "championship_winner"
 * includes who leads at half-time. So the question is read from the labels: an exchange's question,
 * or a market's name in the place of the home team. A row with neither is left out.
 */

import type { FeedFutureSelection, FutureType } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { findLeague, resolveLeague } from '../../../schemas/reference/leagues.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import type { Parsed, Skip } from '../feed.ts'
import { offered, toFuturesRecords, unstatedFuture } from '../kit/futures-records.ts'

/** A parsed row of a market on a season or tournament. */
export interface FutureRowRead {
  readonly id: string
  readonly sportsbook: string
  readonly sport: string
  readonly league: string
  /** The text in place of a home team: the market, the selection, or nothing. */
  readonly heading: string
  readonly marketType: string
  readonly selection: string
  readonly price: number
  readonly isActive: boolean
  readonly changedAt: number | null
  readonly settlesAt: number
  readonly observedAt: number
}

/** The question and the outcome of a row. */
interface Place {
  readonly name: string
  /** Null for teams or players: only all labels together show which. */
  readonly futureType: FutureType | null
  readonly selection: string
}

interface Placed {
  readonly row: FutureRowRead
  readonly place: Place
}

export function toFutures(rows: readonly FutureRowRead[]): Parsed {
  const skipped: Skip[] = []
  const markets = new Map<string, Placed[]>()
  for (const row of rows) {
    const place = placeOf(row)
    if (typeof place === 'string') skipped.push(skipOf(row, place))
    else addTo(markets, keyOf(row, place), { row, place })
  }
  const read = [...markets.values()].flatMap((placed) => {
    const futureType = typeOf(placed)
    if (futureType) return [marketOf(placed, futureType)]
    for (const { row } of placed) skipped.push(skipOf(row, 'ambiguous_market'))
    return []
  })
  const { records, skipped: repeated } = toFuturesRecords(read)
  return { records, skipped: [...skipped, ...repeated] }
}

const keyOf = ({ sportsbook, league }: FutureRowRead, { name, futureType }: Place) =>
  JSON.stringify([sportsbook, league, name, futureType])

const skipOf = (row: FutureRowRead, reason: string): Skip => ({
  reason,
  detail: `${row.sportsbook} ${row.marketType}: ${row.heading} ${row.selection}`,
})

const titleTypes = new Set(['championship_winner', 'tournament_winner'])

function placeOf(row: FutureRowRead): Place | string {
  const { heading, marketType, selection } = row
  const [, question, outcome] = /^(Will .+\?): (Yes|No)$/.exec(selection) ?? []
  if (question && outcome) return placeOfQuestion(row, question, outcome)
  // The other form is an exchange's question about a game.
  if (heading === '' || /: (Yes|No)$/.test(selection)) return 'ambiguous_market'
  // If there is only a tab's name, or one selection per event, the type must identify the market.
  const isTab = /\boutrights$/i.test(heading)
  if (isTab || heading === selection) {
    const isTitle = titleTypes.has(marketType)
    return isTitle ? { name: 'Winner', futureType: 'TEAM', selection } : 'ambiguous_market'
  }
  // "Spain & Lionel Messi", "Spain vs Argentina": two in one outcome.
  if (/ (&|and|vs\.?|v) /i.test(selection)) return 'unknown_selection'
  return { name: heading, futureType: null, selection }
}

/** Reads an exchange's question whether a team wins: "Yes" is a bet on that team among all. */
function placeOfQuestion(row: FutureRowRead, question: string, outcome: string): Place | string {
  const league = leagueOf(row)
  const [, team = '', title = ''] = /^Will (.+?) win the (.+)\?$/.exec(question) ?? []
  const [, player] =
    /^Will (?!an? )(.+?) be the top goalscorer at (?:the )?.+\?$/.exec(question) ?? []
  const isTitle = findLeague(title.replace(/\bMen's /, ''))?.id === league
  if (isTitle && findTeam(team, league)) {
    if (outcome === 'No') return 'lay_side'
    return { name: 'Winner', futureType: 'TEAM', selection: team }
  }
  if (player !== undefined) {
    if (outcome === 'No') return 'lay_side'
    return { name: 'Top Goalscorer', futureType: 'PLAYER', selection: player }
  }
  return { name: question, futureType: 'YES_NO', selection: outcome }
}

const leagueOf = ({ league, sport }: FutureRowRead) => resolveLeague(league, sport).id

/**
 * Returns `teams` if all labels are teams of the league, `players` if none is; null for a mixture.
 */
function typeOf(placed: readonly Placed[]): FutureType | null {
  const [{ row, place }] = placed as readonly [Placed]
  if (place.futureType) return place.futureType
  const league = leagueOf(row)
  const teams = placed.filter((one) => findTeam(one.place.selection, league))
  if (teams.length === placed.length) return 'TEAM'
  return teams.length === 0 ? 'PLAYER' : null
}

function marketOf(placed: readonly Placed[], futureType: FutureType) {
  const [{ row, place }] = placed as readonly [Placed]
  const { sportsbook, sport, league, settlesAt } = row
  const observedAt = placed.reduce((at, one) => Math.max(at, one.row.observedAt), 0)
  const future = { ...unstatedFuture, sport, league, name: place.name, futureType, settlesAt }
  return { sportsbook, observedAt, future, prices: placed.map(priceOf) }
}

const priceOf = ({ row, place }: Placed): FeedFutureSelection =>
  offered(place.selection, row.price, {
    suspended: !row.isActive,
    changedAt: row.changedAt,
    externalId: row.id,
  })
