/** The words of a selection's label without names, and the words of a market's own name. */

import { memoise } from '../../../schemas/memoise.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { wordsOfMarket } from '../../../schemas/reference/market-names.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import type { SideOptions } from '../names/game-sides.ts'
import { phrasesOfNobody } from '../names/labelled-player.ts'

/** Matches lines, but no whole numbers, which may count parts of a game. */
const lines = /(?<![\p{L}\p{N}])[ou]?(?:[+-]\d+(?:[.,]\d+)?|\d+[.,]\d+)(?![\p{L}\p{N}])/giu

/** Returns the words of a label or a name; a capital within a word ("McHale") begins none. */
export const wordsOf = (text: string) => wordsOfMarket(text.replace(lines, ' ').toLowerCase())

/** Returns the words without those of names; each is removed as often as a name has it. */
export function withoutNames(
  words: readonly string[],
  names: readonly (string | null)[],
  { resolveTeam }: SideOptions,
): readonly string[] {
  let left = words
  for (const name of names) {
    if (name === null) continue
    const own = new Set(wordsOf(`${name} ${resolveTeam?.(name)?.name ?? ''}`))
    left = left.filter((word) => !own.delete(word))
  }
  return left
}

/** Returns the words of a listed market's id, name and nicknames. */
export const ownWords = memoise((id: string): ReadonlySet<string> => {
  const { name, nicknames } = findMarket(id) as Market
  return new Set([id, name, ...nicknames].flatMap(wordsOfMarket))
})

/**
 * Returns words without the phrases that name nobody beside the over or under of a total, including
 * the names of the league and the sport.
 * @param kept phrases with such a word stay
 */
export function withoutPhrases(
  words: readonly string[],
  { sport, league = '' }: SideOptions,
  kept: ReadonlySet<string>,
): readonly string[] {
  const isKept = (phrase: string) => phrase.split(' ').some((word) => kept.has(word))
  return words
    .join(' ')
    .replace(phrasesIn(sport)(league), (phrase) => (isKept(phrase) ? phrase : ''))
    .split(' ')
    .filter(Boolean)
}

/** Returns a pattern of the phrases, the longest first. */
const phrasesIn = memoise(
  (sport) =>
    memoise((league) => {
      const named = [findSport(sport), leagueById(league)].flatMap((row) =>
        row === undefined ? [] : [row.id, row.name, ...row.aliases],
      )
      const names = [...named, sport, league].flatMap((name) => [name, ...afterCountry(name)])
      const phrases = [
        ...new Set([...phrasesOfNobody, ...names].map((name) => wordsOf(name).join(' '))),
      ]
        .filter((phrase) => phrase !== '')
        .sort((a, b) => b.length - a.length)
      return new RegExp(`(?<=^| )(?:${phrases.join('|')})(?= |$)`, 'g')
    }, 512),
  64,
)

/** Returns "Premier League" of "England - Premier League". */
const afterCountry = (name: string) => name.split(' - ').slice(1, 2)
