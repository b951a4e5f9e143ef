/** The sportsbooks of a view: their numbers, which stay theirs, and what rows say of them. */

import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { sportsbookText } from './row-text.ts'

export interface Sportsbooks {
  /** By number. */
  readonly names: readonly string[]
  /** One that has never been seen gets the next number. */
  numberOf(sportsbook: string): number
  /** Undefined for one that has never been seen. */
  find(sportsbook: string): number | undefined
  /** Page order. */
  compare(a: number, b: number): number
  /** What rows say of it. */
  text(book: number): string
  /** Whether one can be led to its prices. */
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
        const known = findSportsbook(sportsbook)
        texts.push(sportsbookText({ sportsbook, name: known?.displayName ?? sportsbook }))
        isLinked.push((known?.deepLinks ?? null) !== null)
      }
      return number
    },
    find: (sportsbook) => numbers.get(sportsbook),
    compare: (a, b) => compareTexts(names[a]!, names[b]!),
    text: (book) => texts[book]!,
    isLinked: (book) => isLinked[book]!,
  }
}
