/** The label of a selection, from its type: the same at every sportsbook. */

import { namesSide } from '../../../schemas/ids.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket, questionOf } from '../../../schemas/reference/markets.ts'

const byType: ReadonlyMap<string, string> = new Map([
  ['draw', 'Draw'],
  ['over', 'Over'],
  ['under', 'Under'],
  ['yes', 'Yes'],
  ['no', 'No'],
  ['odd', 'Odd'],
  ['even', 'Even'],
])

/** The sides of the event in the frame of its rows. */
export interface Sides {
  readonly frameHome: string
  readonly frameAway: string
}

/** Markets whose selection types fully name each outcome. */
const namedByType: ReadonlySet<Answers> = new Set([
  'winner',
  'handicap',
  'two_ways',
  'three_ways',
  'over_under',
  'yes_no',
  'odd_even',
])

/**
 * @param stated the sportsbook's own label, used if the type is not enough. It is not used if it
 * only repeats the type and the line ("Over 220.5"). Nor is it used if a listed market's types name
 * each outcome ("O 220.5", "Both Teams To Score - Yes"). Other words, or no label, then mean the
 * same bet.
 */
export function selectionLabel(
  selectionType: string,
  marketType: string,
  stated: string | null,
  playerName: string | null,
  sides: Sides,
): string {
  if (selectionType === 'home') return sides.frameHome
  if (selectionType === 'away') return sides.frameAway
  const ownLabel = byType.get(selectionType)
  if (
    ownLabel !== undefined &&
    (stated === null ||
      playerName !== null ||
      isNamedByType(marketType) ||
      repeats(stated, ownLabel))
  ) {
    return playerName === null ? ownLabel : `${playerName} ${ownLabel}`
  }
  return stated ?? ownLabel ?? compoundLabel(selectionType, marketType, sides)
}

/**
 * Returns whether the type alone identifies an outcome of a market, so that a label adds nothing.
 */
export const isToldByType = (
  selectionType: string,
  marketType: string,
  playerName: string | null,
): boolean =>
  namesSide(selectionType) ||
  (byType.has(selectionType) && (playerName !== null || isNamedByType(marketType)))

/** Returns whether a type names an outcome of a market. Without a player, a label may name one. */
function isNamedByType(marketType: string): boolean {
  const market = findMarket(marketType)
  return market !== undefined && !market.isPlayerProp && namedByType.has(market.answers)
}

/** An event as it is shown: `EventRow`. */
export interface ShownSides {
  readonly homeTeam: string
  readonly awayTeam: string
  readonly flipped: boolean
  readonly listedHome?: string | null
  readonly listedAway?: string | null
}

/** Returns the sides of an event in the frame of its rows. */
export const frameOf = (event: ShownSides): Sides => ({
  frameHome: event.listedHome ?? (event.flipped ? event.awayTeam : event.homeTeam),
  frameAway: event.listedAway ?? (event.flipped ? event.homeTeam : event.awayTeam),
})

/**
 * Returns the label of a row as shown; the row's label names sides as the event was first listed.
 */
export function shownLabel(sides: ShownSides, selectionType: string, label: string): string {
  const listedHome = sides.listedHome ?? null
  const listedAway = sides.listedAway ?? null
  if (listedHome === null && listedAway === null) return label
  const [home, away] = sides.flipped
    ? [sides.awayTeam, sides.homeTeam]
    : [sides.homeTeam, sides.awayTeam]
  if (selectionType === 'home') return home
  if (selectionType === 'away') return away
  const named = (text: string, listed: string | null, shown: string) =>
    listed === null ? text : text.replace(listed, () => shown)
  return /(?:^|_)(?:home|away)(?:_|$)/.test(selectionType)
    ? named(named(label, listedHome, home), listedAway, away)
    : label
}

/** Returns whether a label is the word of its type, with or without a line after it. */
function repeats(label: string, word: string): boolean {
  if (label === word) return true
  return (
    label
      .replace(/[\s(]*[+-]?\d+(\.\d+)?\s*\)?$/, '')
      .trim()
      .toLowerCase() === word.toLowerCase()
  )
}

/**
 * Returns a compound label: `home_over` is "Leeds Over"; a double chance "Leeds or Draw"; half-time/full-time "Leeds
 * / Draw".
 */
function compoundLabel(
  selectionType: string,
  marketType: string,
  { frameHome, frameAway }: Sides,
): string {
  const results = selectionType.split('_')
  const words = results.map((word) =>
    word === 'home' ? frameHome : word === 'away' ? frameAway : titled(word),
  )
  if (questionOf(marketType).answers === 'double_chance') return words.join(' or ')
  return words.join(results.length > 1 && results.every(isResult) ? ' / ' : ' ')
}

const isResult = (word: string) => word === 'home' || word === 'away' || word === 'draw'

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
