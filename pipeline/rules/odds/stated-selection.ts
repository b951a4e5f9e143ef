/**
 * Reads a selection as a person writes it ("Knicks", "Over", "X", "2-1") into the type of our rows.
 * The market may have any of its names. An ambiguous text is not read.
 */

import { findMarketNamed, possibleMarkets } from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { outcomeNamed } from '../../../schemas/reference/outcome-words.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import { playerNameOf } from '../names/player-names.ts'
import { type MarketFault, selectionFault } from './market-faults.ts'
import { outcomeIn, outcomesListed } from './outcome-words.ts'
import { isHandicap, outcomesOf } from './questions.ts'
import { namesNoOtherPart, sideAlone } from './side-alone.ts'
import { lineIn } from './stated-market.ts'
import {
  type GameSide,
  isTeamTotal,
  sideNamed,
  teamOutcome,
  teamTotalNamed,
} from './team-totals.ts'
import { typeWithDraw } from './three-ways.ts'

export interface StatedSelection {
  readonly market: string
  readonly selection: string
  /** The line, signed from the selection's own side. */
  readonly line: number | null
  readonly playerName: string | null
}

/** The selection, in the frame of the game it was read for. */
export interface SelectionRead {
  readonly ok: true
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
}

export interface SelectionRefused {
  readonly ok: false
  readonly code: MarketFault | 'unknown_market' | 'unknown_selection' | 'missing_player'
  readonly message: string
}

/** @param game the game whose sides the selection may name; `home` is the first of them */
export function readStatedSelection(
  { market, selection, line: statedLine, playerName }: StatedSelection,
  game: NamedGame,
  options: SideOptions,
): SelectionRead | SelectionRefused {
  const named = findMarketNamed(market, options.sport, playerName !== null)
  const ofTeam = named === undefined ? teamTotalNamed(market, game, options) : null
  const marketType = named ?? ofTeam?.marketType
  const listed = marketType === undefined ? undefined : findMarket(marketType)
  if (marketType === undefined || !listed) {
    if (options.sport === 'unknown') {
      return refuse(
        'unknown_market',
        `${market} cannot be read, because the league is not known: state the sport too, or a league of /leagues`,
      )
    }
    const possible = possibleMarkets(market, options.sport)
    const meant = possible.length > 0 ? `; it could be ${possible.join(' or ')}` : ''
    return refuse('unknown_market', `${market} is no market of ${options.sport} we know${meant}`)
  }
  if (listed.isPlayerProp && playerName === null) {
    return refuse('missing_player', `${marketType} is of a player: player_name is needed`)
  }
  const player = playerName === null ? null : playerNameOf(playerName)
  const line = lineIn(marketType, statedLine)
  const stated =
    outcomeWorded(marketType, selection, options.sport) ??
    typeOf(selection, marketType, line, player, game, options)
  const selectionType = isTeamTotal(marketType)
    ? ofTeamTotal(stated, selection, marketType, line, ofTeam?.side ?? null, game, options)
    : stated
  if (selectionType === null) {
    return refuse(
      'unknown_selection',
      `${selection} is no answer of ${marketType}: home, away, draw, over, under, yes, no, or a side's name alone`,
    )
  }
  if (line !== null && !listed.hasLine) {
    return refuse('unexpected_line', `${marketType} has no line`)
  }
  if (line !== null && isHandicap(marketType) && isAmericanPrice(line)) {
    return refuse('unexpected_line', `${line} is a price, and no line of ${marketType}`)
  }
  const withDraw = selectionType === 'draw' ? typeWithDraw(marketType, options.sport) : null
  const typeOfOutcome = withDraw ?? marketType
  const fault =
    selectionFault({ marketType, line: null }, { selectionType, line }) ??
    selectionFault({ marketType: typeOfOutcome, line: null }, { selectionType, line }) ??
    (hasOutcome(selectionType, typeOfOutcome, options.sport) ? null : 'answer_of_another_market')
  if (fault !== null) return refuse(fault, `${marketType} ${selectionType}: ${faults[fault]}`)
  return { ok: true, marketType: typeOfOutcome, selectionType, line, playerName: player }
}

/**
 * Returns the outcome of a market that a text names without a team: "X", "Home or Draw"; null for
 * none.
 */
function outcomeWorded(marketType: string, text: string, sport: string): string | null {
  const stated = normaliseName(text).replaceAll(' ', '_')
  const type = outcomeIn(marketType, stated, sport)
  const listed = outcomesListed(marketType, sport)
  return (listed === null ? type !== stated : listed.has(type)) ? type : null
}

/** Reads an over or under of a team's total, whose team the selection or the market names. */
function ofTeamTotal(
  stated: string | null,
  text: string,
  marketType: string,
  line: number | null,
  ofMarket: GameSide | null,
  game: NamedGame,
  options: SideOptions,
): string | null {
  if (stated === 'over' || stated === 'under') {
    return teamOutcome(stated, null, ofMarket, game, options) ?? stated
  }
  const isSide = stated === 'home' || stated === 'away'
  if (stated !== null && !isSide) return stated
  if (!namesNoOtherPart(text, marketType, options.sport)) return null
  const [, count] = /\b(over|under)\b/i.exec(text) ?? []
  const numbers = text.match(/\d+\.\d+|\d+\s*$/g) ?? []
  if (count === undefined) return stated
  if (numbers.some((number) => Number(number) !== line)) return null
  return teamOutcome(count.toLowerCase(), text, ofMarket, game, options)
}

/** Returns whether a number, in the place of a handicap's line, can only be American odds. */
const isAmericanPrice = (line: number) => Number.isInteger(line) && Math.abs(line) >= 100

/** Returns whether a market with a closed set of outcomes has this one. */
function hasOutcome(selectionType: string, marketType: string, sport: string): boolean {
  const sets = outcomesOf(marketType, sport)
  return sets === null || sets.some((outcomes) => outcomes.includes(selectionType))
}

const refuse = (code: SelectionRefused['code'], message: string): SelectionRefused => ({
  ok: false,
  code,
  message,
})

const faults: Readonly<Record<MarketFault, string>> = {
  answer_of_another_market: 'the market has no such answer',
  missing_line: 'the market is of a line',
  contradictory_lines: 'its lines contradict each other',
  unexpected_line: 'the market has no line',
  unexpected_draw: 'the sport has no draw',
}

/**
 * Matches "Leeds over", "Under 2.5": an outcome, optionally with a name before it and a line after
 * it.
 */
const outcomeOfNamed = /^(.*?)\s*\b(over|under|yes|no|odd|even)\b\s*([+-]?\d+(?:\.\d+)?)?$/i
/** Matches "Knicks -3.5": the line after a side. */
const signedNumber = /(?<=\s)[+-]\d+(?:\.\d+)?(?=\s*$)/
const sideOutcomes = /^(home|away)_(over|under|yes|no|odd|even)$/

function typeOf(
  text: string,
  marketType: string,
  line: number | null,
  playerName: string | null,
  game: NamedGame,
  options: SideOptions,
): string | null {
  const word = outcomeNamed(text)
  if (word !== undefined) return word
  const score = /^\s*(\d{1,3})\s*[-:_]\s*(\d{1,3})\s*$/.exec(text)
  if (score) return `${score[1]}_${score[2]}`
  const stated = text.trim().toLowerCase()
  if (sideOutcomes.test(stated) || otherTypes.test(stated)) return stated
  const [, name = '', outcome, number] = outcomeOfNamed.exec(text.trim()) ?? []
  // Tested before the sides: "Knicks over" looks like the Knicks, but is not a bet on them.
  if (isSideExactly(text, game)) return sideNamed(text, game, options)
  if (outcome === undefined) {
    const handicap = signedNumber.exec(text)
    if (handicap && Number(handicap[0]) !== line) return null
    return sideAlone(handicap ? text.slice(0, handicap.index) : text, marketType, game, options)
  }
  if (number !== undefined && Number(number) !== line) return null
  return ofNamed(name, outcome.toLowerCase(), marketType, playerName, game, options)
}

const isSideExactly = (text: string, { home, away }: NamedGame) =>
  [home, away].some((side) => normaliseName(side) === normaliseName(text))

/** Two results at once, parts of a game, and the like, accepted only in our own words. */
const otherTypes = /^(home|away|draw)_(home|away|draw)$|^(1st|2nd)_half$|^(none|other)$/

/** Reads "Over" by itself, with the bet's player, or with a side. */
function ofNamed(
  name: string,
  outcome: string,
  marketType: string,
  playerName: string | null,
  game: NamedGame,
  options: SideOptions,
): string | null {
  if (name === '') return outcome
  if (playerName !== null) {
    return normaliseName(name) === normaliseName(playerName) ? outcome : null
  }
  const side = sideAlone(name, marketType, game, options)
  return side && `${side}_${outcome}`
}
