/**
 * The selection type of a stated outcome in a market: the words of
 * `schemas/reference/outcome-words.json`, limited to the possible outcomes of the market. In open
 * markets whose outcomes name sides (half-time and full-time, winning margin), sides are changed to
 * our words. Open markets of numbers (scores, ranges) and unlisted types keep any word.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { outcomeNamed } from '../../../schemas/reference/outcome-words.ts'
import { outcomeSets, teamOf } from './outcome-sets.ts'

/**
 * Returns the types of a market's possible outcomes, with or without the team.
 * @returns null for a market that takes any word
 */
export const outcomesListed = (marketType: string, sport: string): ReadonlySet<string> | null =>
  sport === 'soccer' ? listedInSoccer(marketType) : listedElsewhere(marketType)

const listedInSoccer = memoise((marketType: string) => listedOutcomes(marketType, 'soccer'))
const listedElsewhere = memoise((marketType: string) => listedOutcomes(marketType, ''))

function listedOutcomes(marketType: string, sport: string): ReadonlySet<string> | null {
  const answers = findMarket(marketType)?.answers
  if (answers === undefined) return null
  if (answers === 'double_chance') return new Set(doubleChances)
  // In every sport, either somebody or nobody scores first; the sport only decides whether these
  // are all outcomes.
  const sets = outcomeSets(answers, answers === 'first_to_score' ? 'soccer' : sport)
  if (sets === null) return null
  const types = sets.flat()
  return new Set([...types, ...types.filter((type) => teamOf(type) !== null).map(withoutTeam)])
}

const withoutTeam = (type: string) => type.slice(type.indexOf('_') + 1)

/**
 * Returns our type of a stated outcome; an impossible outcome, or an unknown word, is returned
 * unchanged.
 */
export function outcomeIn(marketType: string, stated: string, sport: string): string {
  const listed = outcomesListed(marketType, sport)
  if (listed === null) return withOurSides(marketType, stated)
  if (listed.has(stated)) return stated
  const market = findMarket(marketType) as Market
  if (market.answers === 'double_chance') return doubleChanceNamed(stated) ?? stated
  const [, team = '', word = ''] = /^(home_|away_)(.+)$/.exec(stated) ?? []
  const ofTeam = team + (outcomeNamed(word) ?? '')
  if (listed.has(ofTeam)) return ofTeam
  const meant = outcomeNamed(stated)
  if (meant === undefined) return stated
  const type = meant === 'none' && market.answers === 'first_to_score' ? 'no' : meant
  // If a word's meaning is impossible in the market, it means something else: a name, or N for a
  // draw.
  return listed.has(type) || type === 'draw' ? type : stated
}

const results = ['home', 'away', 'draw']

/** Matches words of the draw that belong to a number in an open market: `exactly_3`. */
const exact = /^exact(?:ly)?$/

/** Returns a side or the draw that a word means; undefined for any other word. */
function resultNamed(word: string): string | undefined {
  const meant = outcomeNamed(word)
  return meant !== undefined && results.includes(meant) ? meant : undefined
}

// ---- open markets

/**
 * Returns an open market's outcome with its sides in our words: `1_x` is `home_draw`, `1_by_2` is
 * `home_by_2`. Possible numbers do not change: the margin `1_2` is one or two, and `2_home` is a
 * number of the home side.
 */
function withOurSides(marketType: string, stated: string): string {
  const sideWords = findMarket(marketType)?.sideWords ?? null
  if (sideWords === null) return stated
  if (sideWords === 'each') {
    const words = bothResults.test(stated) ? [...stated] : stated.split('_')
    return joinTeamNumber(words)
      .map((word) => resultNamed(word) ?? word)
      .join('_')
  }
  const [first = '', ...rest] = joinTeamNumber(stated.replace(marginOfSide, '$1_').split('_'))
  const isNumber = /^\d+$/.test(first)
  if (exact.test(first) || (isNumber && rest.some(isSide))) return stated
  if (isNumber && countsFromOne.test(marketType) && !/^\p{L}/u.test(rest[0] ?? '')) return stated
  return [resultNamed(first) ?? first, ...rest].join('_')
}

/** Returns whether a word means a side and is no number. */
function isSide(word: string): boolean {
  const meant = /^\d+$/.test(word) ? undefined : resultNamed(word)
  return meant === 'home' || meant === 'away'
}

/** Matches two results in two letters: `1x`, `ha`. */
const bothResults = /^(?:[12x]{2}|[hadx]{2})$/

/** Matches the side before its margin, as in `h1`. */
const marginOfSide = /^([ha])(?=\d)/

/** Matches markets in which a number alone may be the outcome. */
const countsFromOne = /winning_margin$/

/** Returns words with "team" and its number joined. */
const joinTeamNumber = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, at) => {
    if (word === 'team' && /^[12]$/.test(words[at + 1] ?? '')) return []
    return words[at - 1] === 'team' && /^[12]$/.test(word) ? [`team${word}`] : [word]
  })

// ---- double chance

/**
 * The two results of each, in the order of `results`. This order is kept when home and away are
 * exchanged.
 */
const doubleChances = ['home_away', 'home_draw', 'away_draw']

/** Reads two results in any order and any words: `draw_home`, `1x`, `home_or_draw`. */
function doubleChanceNamed(stated: string): string | undefined {
  const words = /^[12x]{2}$/.test(stated) ? [...stated] : stated.split('_')
  const named = words.filter((word) => word !== 'or').map(resultNamed)
  const both = results.filter((result) => named.includes(result))
  return named.length === 2 && both.length === 2 ? both.join('_') : undefined
}
