/** The bets that a query `q` means: as with events, each of its words is a part of a name. */

import { selectionLabel } from '../../pipeline/rules/odds/selections.ts'
import type { BetRow, BetSelection } from '../../schemas/bet.ts'
import { displayNameOf } from '../../schemas/reference/sportsbooks.ts'
import { hasWords, leagueNames, lines, teamNames } from '../ask/searched-words.ts'

/**
 * Returns a predicate for the bets of one request. It reads what the bettor stated, and what was found: teams, league,
 * market, selection, player, sportsbook, reference, and the words beside a stated result.
 */
export function searchBets(q: string): (row: BetRow, found: BetSelection | null) => boolean {
  const isMeant = hasWords(q)
  /** Many bets share their names, and to normalise these is slow. */
  const known = new Map<string, string>()
  function once(key: string, namesOf: () => readonly string[]): string {
    let text = known.get(key)
    if (text === undefined) {
      text = lines(namesOf())
      known.set(key, text)
    }
    return text
  }
  const plain = (text: string | null) => (text === null ? '' : once(`text|${text}`, () => [text]))
  const ofLeague = (league: string | null) =>
    league === null ? '' : once(`league|${league}`, () => leagueNames(league))
  const ofTeam = (name: string | null, league: string | null) =>
    name === null || league === null
      ? plain(name)
      : once(`team|${league}|${name}`, () => teamNames(name, league))
  const ofGame = ({ homeTeam, awayTeam, league }: Game) => [
    ...[ofTeam(homeTeam, league), ofTeam(awayTeam, league)],
    ofLeague(league),
  ]
  const ofFound = (found: BetSelection) => {
    const { homeTeam: frameHome, awayTeam: frameAway, playerName } = found
    const { selectionType, marketType } = found
    const sides = { frameHome, frameAway }
    const label = selectionLabel(selectionType, marketType, null, playerName, sides)
    return [...ofGame(found), plain(marketType), plain(label)]
  }
  const textOf = (row: BetRow, found: BetSelection | null) =>
    [
      ...[...ofGame(row.event), plain(row.market), plain(row.selection), plain(row.playerName)],
      ...[plain(row.sportsbook), plain(displayNameOf(row.sportsbook))],
      ...[plain(row.reference), plain(row.verdict?.reason ?? null)],
      ...(found === null ? [] : ofFound(found)),
    ].join('\n')
  // A request asks several times: before and after it looks for the games of its bets.
  const answers = new Map<BetRow, Answer>()
  return (row, found) => {
    const before = answers.get(row)
    if (before?.found === found) return before.isMeant
    const answer = { found, isMeant: isMeant(textOf(row, found)) }
    answers.set(row, answer)
    return answer.isMeant
  }
}

interface Answer {
  readonly found: BetSelection | null
  readonly isMeant: boolean
}

interface Game {
  readonly homeTeam: string | null
  readonly awayTeam: string | null
  readonly league: string | null
}
