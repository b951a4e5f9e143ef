/** The sportsbooks of a view: their numbers, which never change, and their texts in rows. */

import { displayNameOf, findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { sportsbookText } from './row-text.ts'

export interface Sportsbooks {
  /** By number. */
  readonly names: readonly string[]
  /** Returns the number of a sportsbook. A new one gets the next number. */
  numberOf(sportsbook: string): number
  /** Returns the number of a sportsbook; undefined for one that has never been seen. */
  find(sportsbook: string): number | undefined
  /** Compares sportsbooks in page order. */
  compare(a: number, b: number): number
  /** Returns its text in rows. */
  text(book: number): string
  /** Returns whether its prices have a link. */
  isLinked(book: number): boolean
}

export function createSportsbooks(): Sportsbooks {
  const names: string[] = []
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const isLinked: boolean[] = []

  return {
    names,
    numberOf(sportsbook) {
      let number = numbers.get(sportsbook)
      if (number === undefined) {
        number = names.push(sportsbook) - 1
        numbers.set(sportsbook, number)
        texts.push(sportsbookText({ sportsbook, name: displayNameOf(sportsbook) }))
        isLinked.push((findSportsbook(sportsbook)?.deepLinks ?? null) !== null)
      }
      return number
    },
    find: (sportsbook) => numbers.get(sportsbook),
    compare: (a, b) => compareTexts(names[a]!, names[b]!),
    text: (book) => texts[book]!,
    isLinked: (book) => isLinked[book]!,
  }
}
