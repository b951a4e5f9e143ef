/**
 * Reads the team of a team total, in spellings of people and sportsbooks: "New York Knicks Over",
 * "Over Knicks", "Home Team Total", "Total Goals by Leeds", `team_total_away`. A market whose team
 * is unknown has none.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findMarketNamed, wordsOfMarket } from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { readPart } from '../../../schemas/reference/periods.ts'
import { isBareSideName } from '../names/bare-side-name.ts'
import {
  compareSides,
  likely,
  type NamedGame,
  readGame,
  type SideOptions,
} from '../names/game-sides.ts'

export type GameSide = 'home' | 'away'

/** Returns whether a type counts for each side by itself. */
export const isTeamTotal = (marketType: string) =>
  findMarket(marketType)?.answers === 'team_over_under'

/** Returns the side of a game that a name means; null if it means neither, or could be both. */
export function sideNamed(
  name: string,
  { home, away }: NamedGame,
  options: SideOptions,
): GameSide | null {
  const plain = normaliseName(name)
  const isHome = plain === normaliseName(home)
  if (isHome !== (plain === normaliseName(away))) return isHome ? 'home' : 'away'
  const ours = readGame(name, name, options).home
  const theirs = readGame(home, away, options)
  const toHome = compareSides(ours, theirs.home)
  const toAway = compareSides(ours, theirs.away)
  if (Math.max(toHome, toAway) < likely || toHome === toAway) return null
  return toHome > toAway ? 'home' : 'away'
}

/** Reads the team's total and the team from a market's own name: "Knicks 1st Half Team Total". */
export function teamTotalNamed(
  marketName: string,
  game: NamedGame,
  options: SideOptions,
): { readonly marketType: string; readonly side: GameSide } | null {
  for (const [team, counted] of splits(`${options.sport}|${marketName}`)) {
    const marketType = teamTotalOf(`${options.sport}|${counted}`)
    if (marketType === null) continue
    const side = team === 'home' || team === 'away' ? team : statedSide(team, game, options)
    const isCertain = side === team || (side && isBareSideName(team, game[side], options))
    if (side !== null && isCertain) return { marketType, side }
  }
  return null
}

/** The most words of a name that is read. */
const mostWords = 16
const mostOfTeam = 6

/** Returns the ways to cut a market's name into a team and the counted words, the longest team first. */
const splits = memoise((key: string): readonly (readonly [team: string, counted: string])[] => {
  const [sport = ''] = key.split('|', 1)
  const all = wordsOfMarket(key.slice(sport.length + 1))
  const { part, rest } = readPart(all, sport)
  if (part === null || part === 'regulation' || all.length > mostWords) return []
  const ofPart = part === 'game' ? [] : part.split('_')
  const found: [string, string][] = []
  const add = (team: readonly string[], counted: readonly string[]) =>
    found.push([team.join(' '), [...ofPart, ...counted].join(' ')])
  for (let count = Math.min(rest.length - 1, mostOfTeam); count > 0; count--) {
    add(rest.slice(0, count), rest.slice(count))
    add(rest.slice(-count), rest.slice(0, -count))
  }
  // "Team Total Home Over/Under".
  for (const side of ['home', 'away']) {
    const at = rest.indexOf(side)
    const isRuns = /^runs?$/.test(rest[at + 1] ?? '')
    if (at > 0 && !isRuns) add([side], [...rest.slice(0, at), ...rest.slice(at + 1)])
  }
  return found
})

const teamTotalOf = memoise((key: string): string | null => {
  const [sport = '', counted = ''] = key.split('|', 2)
  const plain = counted.replace(/(?:^| )(?:by|for|of|the)(?= |$)/g, ' ').trim()
  // "Home Runs" are not runs of the home side.
  if (/^runs?(?: |$)/.test(plain)) return null
  for (const name of /(?:^| )team(?: |$)/.test(plain) ? [plain] : [`team ${plain}`]) {
    const marketType = findMarketNamed(name, sport)
    if (marketType !== undefined && isTeamTotal(marketType)) return marketType
  }
  return null
})

/** Words of a label that are part of no team's name. */
const counting =
  /(?<=^|\s)(?:over|under|o|u|team|total|totals|points|pts|goals|runs|games|touchdowns|score|by|to|the|more|less|than)(?=\s|$)/g

const decimals = /(?<![\p{L}\p{N}])[ou]?[+-]?\d+[.,]\d+(?![\p{L}\p{N}])/giu

/**
 * Words for the part of the game that counts, or for an alternate line; some are also in teams'
 * names.
 */
const qualifying =
  /(?<=^|\s)(?:alternate|alternative|alt|1st|2nd|3rd|4th|first|second|third|fourth|half|quarter|period|innings?|full|regular|time|regulation|overtime|ot|incl|including|game|match)(?=\s|$)/g

/**
 * Returns the side that a label names: "New York Knicks Over 112.5", "Under (Home)", "Knicks
 * o112.5". A complete name decides at once only if the label has no other: "Michigan St Over"
 * contains all of Michigan's name.
 */
export function statedSide(label: string, game: NamedGame, options: SideOptions): GameSide | null {
  const alone = sideWithin(label, game, saysNoMore)
  if (alone !== null) return alone
  const text = normaliseName(label.replace(decimals, ' ').replace(/ [ou]?\d+\s*$/i, ' '))
  const name = text.replace(counting, ' ').replace(/\s+/g, ' ').trim()
  if (name === '') return null
  if (name === 'home' || name === 'away') return name
  return sideNamed(name, game, options) ?? sideWithin(label, game, isNotOfOther)
}

/** Decides, by the words beside it, whether a name within a text is the side's. */
type Decides = (beside: string, name: string, otherName: string) => boolean

/**
 * Returns the side whose complete name is in a text, including words like "over" and numbers like
 * "76".
 */
function sideWithin(text: string, { home, away }: NamedGame, decides: Decides): GameSide | null {
  const plain = ` ${normaliseName(text.replace(decimals, ' '))} `
  const isWithin = (name: string, otherName: string) =>
    name !== '' &&
    plain.includes(` ${name} `) &&
    decides(plain.replace(` ${name} `, ' ').replace(counting, ' '), name, otherName)
  const [homeName, awayName] = [normaliseName(home), normaliseName(away)]
  const isHome = isWithin(homeName, awayName)
  return isHome === isWithin(awayName, homeName) ? null : isHome ? 'home' : 'away'
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '')

/**
 * Returns whether the words beside a name only say what is counted, or are numbers that the other
 * side's name lacks.
 */
const saysNoMore: Decides = (beside, _, otherName) => {
  const numbers: readonly string[] = otherName.match(/\d+/g) ?? []
  return wordsOf(beside.replace(qualifying, ' ')).every(
    (word) => /^\d+$/.test(word) && !numbers.includes(word),
  )
}

/** Returns whether a text with the name in it cannot mean the other side, even shortened. */
const isNotOfOther: Decides = (beside, name, otherName) => {
  if (` ${otherName} `.includes(` ${name} `)) return false
  const others = wordsOf(otherName)
  return wordsOf(beside).every((word) =>
    others.every((other) => !(word.startsWith(other) || other.startsWith(word))),
  )
}

/**
 * Returns `home_over` and the like for an over or under of a team total, from all texts that name
 * the team: the outcome itself (`over_home`, `knicks_over`), its label, and the market.
 * @param ofMarket the side in the market's name or player; null if there is none
 * @returns null if no text names the team, or two texts name different teams
 */
export function teamOutcome(
  outcome: string,
  label: string | null,
  ofMarket: GameSide | null,
  game: NamedGame,
  options: SideOptions,
): string | null {
  const [, before, count, after] = /^(?:(.+)_)?(over|under)(?:_(.+))?$/.exec(outcome) ?? []
  if (count === undefined) return null
  const named = (before ?? after)?.replaceAll('_', ' ')
  const sides = new Set(
    [
      ofMarket,
      named && statedSide(named, game, options),
      label && statedSide(label, game, options),
    ].filter((side) => side === 'home' || side === 'away'),
  )
  const [side] = sides
  return side !== undefined && sides.size === 1 ? `${side}_${count}` : null
}
