/** Selects and sorts the rows of the board, and names their lines. */

import type { Game, League } from '../../wire.ts'
import type { Question } from '../data/price-store.ts'
import { answerText, marketText } from '../format/names.ts'
import type { When } from '../shell/when.ts'

export interface BoardRow {
  readonly question: Question
  readonly game: Game
  /** The market, if the game has rows of several markets; else null. */
  readonly market: string | null
  /** The statistic, if the game has rows of several statistics of the player and market; else null. */
  readonly statistic: string | null
}

export const boardOrders = ['league', 'start', 'hold', 'edge'] as const
export type BoardOrder = (typeof boardOrders)[number]

/** Returns whether the order changes with the prices. */
export const isByPrices = (order: BoardOrder) => order === 'hold' || order === 'edge'

export interface BoardFilter {
  readonly when: When
  readonly search: string
  readonly order: BoardOrder
  /** Leagues by id, the main ones first. */
  readonly leagues: ReadonlyMap<string, League>
}

/**
 * Returns the rows that match the filter, in the reader's order, then by start, then by question.
 * @param costOf returns what a question is sorted by where the order is by prices, lowest first: its hold, or its edge
 *   with the other sign; null if a price for it is missing
 */
export function boardRows(
  questions: Iterable<Question>,
  games: ReadonlyMap<string, Game>,
  { when, search, order, leagues }: BoardFilter,
  costOf: (question: Question) => number | null,
): readonly BoardRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const rows: BoardRow[] = []
  const markets = new Map<string, Set<string>>()
  const statistics = new Map<string, number>()
  const playerKey = ({ eventId, market, player }: Question) => `${eventId}|${market}|${player}`
  for (const question of questions) {
    const game = games.get(question.eventId)
    if (!game || question.answers.length < 2 || question.answers.length > 3) continue
    if (when !== 'all' && game.is_live !== (when === 'live')) continue
    const text = `${game.away_team} ${game.home_team} ${game.league} ${question.player ?? ''}`
    const lower = text.toLowerCase()
    if (!words.every((word) => lower.includes(word))) continue
    rows.push({ question, game, market: null, statistic: null })
    statistics.set(playerKey(question), (statistics.get(playerKey(question)) ?? 0) + 1)
    const marketsOfGame = markets.get(game.id)
    if (marketsOfGame) marketsOfGame.add(question.market)
    else markets.set(game.id, new Set([question.market]))
  }
  const ranks = new Map([...leagues.keys()].map((id, rank) => [id, rank]))
  const last = Number.MAX_VALUE
  const sorts: Readonly<Record<BoardOrder, (row: BoardRow) => number>> = {
    league: ({ game }) => ranks.get(game.league) ?? last,
    start: () => 0,
    hold: ({ question }) => costOf(question) ?? last,
    edge: ({ question }) => costOf(question) ?? last,
  }
  const keys = new Map(rows.map((row) => [row, sorts[order](row)]))
  rows.sort(
    (a, b) =>
      keys.get(a)! - keys.get(b)! ||
      compare(a.game.start_time, b.game.start_time) ||
      compare(a.question.key, b.question.key),
  )
  return rows.map((row) => {
    const { question, game } = row
    const hasSeveral = statistics.get(playerKey(question))! > 1
    return {
      question,
      game,
      market: markets.get(game.id)!.size > 1 ? question.market : null,
      statistic: hasSeveral && question.player !== null ? question.statistic : null,
    }
  })
}

export const countGames = (rows: readonly BoardRow[]) =>
  new Set(rows.map(({ game }) => game.id)).size

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Shortens `New York Knicks` to `Knicks`. */
const nick = (team: string) => team.split(' ').at(-1)!

export interface Side {
  readonly name: string
  /** Null if there is no score. */
  readonly score: number | null
}

/**
 * Returns the text at the left of a line of a row: the side. Lines of over and under show the two teams instead, so
 * that the game can be recognised. The first line also names the market, if the game has rows of several markets.
 */
export function sideOf({ question, game, market, statistic }: BoardRow, index: number): Side {
  const answer = question.answers[index]!
  const { home_team: home, away_team: away, game_state: state } = game
  if (question.player !== null) {
    const marketName = marketText(question.market.replace(/^player_/, ''))
    const parts = [marketName, statistic && marketText(statistic), `${nick(away)} @ ${nick(home)}`]
    const name = index === 0 ? question.player : parts.filter(Boolean).join(' · ')
    return { name, score: null }
  }
  const isByTeam = answer === 'home' || answer === 'away'
  const isFirst = index === 0
  const side = isByTeam ? answer : isFirst === question.isHomeFirst ? 'home' : 'away'
  if (!isByTeam && question.answers.length === 3) {
    return { name: answerText(answer, home, away), score: null }
  }
  const score = side === 'home' ? state?.home_score : state?.away_score
  const team = side === 'home' ? home : away
  const name = isFirst && market ? `${nick(team)} · ${marketText(market)}` : team
  return { name, score: (game.is_live ? score : null) ?? null }
}
