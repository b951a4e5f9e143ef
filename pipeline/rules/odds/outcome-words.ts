/**
 * The selection type that a stated outcome has in a market: by the words of `schemas/reference/outcome-words.json`,
 * read among the outcomes that the market can have. Open markets (scores, ranges, half-time and full-time) and types
 * that are not listed keep any word.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { outcomeNamed } from '../../../schemas/reference/outcome-words.ts'
import { outcomeSets, teamOf } from './outcome-sets.ts'

/**
 * Returns the types of the outcomes that a market can have, with or without its team.
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
  // Somebody or nobody scores first in every sport; only whether these are all is told by the sport.
  const sets = outcomeSets(answers, answers === 'first_to_score' ? 'soccer' : sport)
  if (sets === null) return null
  const types = sets.flat()
  return new Set([...types, ...types.filter((type) => teamOf(type) !== null).map(withoutTeam)])
}

const withoutTeam = (type: string) => type.slice(type.indexOf('_') + 1)

/** Returns our type of a stated outcome; one that the market cannot have, or that no word tells, is left as it is. */
export function outcomeIn(marketType: string, stated: string, sport: string): string {
  const listed = outcomesListed(marketType, sport)
  if (listed === null || listed.has(stated)) return stated
  const market = findMarket(marketType) as Market
  if (market.answers === 'double_chance') return doubleChanceNamed(stated) ?? stated
  const [, team = '', word = ''] = /^(home_|away_)(.+)$/.exec(stated) ?? []
  const ofTeam = team + (outcomeNamed(word) ?? '')
  if (listed.has(ofTeam)) return ofTeam
  const meant = outcomeNamed(stated)
  if (meant === undefined) return stated
  const type = meant === 'none' && market.answers === 'first_to_score' ? 'no' : meant
  // A word whose meaning the market cannot have means something else: a name, or N for a draw.
  return listed.has(type) || type === 'draw' ? type : stated
}

// ---- double chance

const results = ['home', 'away', 'draw']
/** The two results of each, in the order of `results`, which stays when home and away are exchanged. */
const doubleChances = ['home_away', 'home_draw', 'away_draw']

/** Reads two results in any order and any words: `draw_home`, `1x`, `home_or_draw`. */
function doubleChanceNamed(stated: string): string | undefined {
  const words = /^[12x]{2}$/.test(stated) ? [...stated] : stated.split('_')
  const named = words.filter((word) => word !== 'or').map(outcomeNamed)
  const both = results.filter((result) => named.includes(result))
  return named.length === 2 && both.length === 2 ? both.join('_') : undefined
}
