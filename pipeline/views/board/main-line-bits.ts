/**
 * The main lines that a row is on, as bits: one for each set of sportsbooks (`mainLineSets`), and one for its own
 * sportsbook. A row without a line has all bits; so does the only rung of a question.
 */

import {
  type MainLineRow,
  mainLineKey,
  mainLineSets,
  type Question,
} from '../../../schemas/main-line.ts'
import { teamOf } from '../../rules/odds/outcome-sets.ts'
import { homeLine } from '../../rules/odds/questions.ts'

/** @param set index in `mainLineSets` */
export const setBit = (set: number) => 1 << set
export const ownBit = 1 << mainLineSets.length

export const allMainBits = 2 * ownBit - 1

/** The fields that identify a row's question and its place in it. */
export interface OfQuestion {
  readonly eventId: string
  readonly marketType: string
  readonly selectionType: string
  readonly playerName: string | null
  readonly line: number | null
  readonly isLive: boolean
  readonly sportsbook: string
}

export interface MainLineTable {
  /** @returns the question whose main lines changed */
  take(key: string, row: MainLineRow | null): Question | null
  bits(of: OfQuestion): number
  clear(): void
}

export function createMainLineTable(): MainLineTable {
  const rows = new Map<string, MainLineRow>()

  return {
    take(key, row) {
      const known = rows.get(key)
      if (row) rows.set(key, row)
      else rows.delete(key)
      return row ?? known ?? null
    },
    bits(of) {
      const { eventId, marketType, selectionType, playerName, line, isLive, sportsbook } = of
      if (line === null || rows.size === 0) return allMainBits
      const team = teamOf(selectionType)
      const row = rows.get(mainLineKey({ eventId, marketType, team, playerName, isLive }))
      if (!row) return allMainBits
      const home = homeLine(marketType, selectionType, line)
      let bits = 0
      for (let set = 0; set < row.lines.length; set++)
        if (row.lines[set] === home) bits |= setBit(set)
      const own = row.own.find((one) => one.sportsbook === sportsbook)
      return !own || own.line === home ? bits | ownBit : bits
    },
    clear: () => rows.clear(),
  }
}
