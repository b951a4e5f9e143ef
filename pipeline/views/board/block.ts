/**
 * A block, the rows of one event and market, with its selections and their order on a page; and the
 * list of the rows that one sportsbook has on an event.
 */

import { bisect } from '../../memory/bisect.ts'
import type { Extent } from '../../memory/text-arena.ts'
import { compareTexts } from '../../text/compare-texts.ts'

/** One outcome of a block, shared by the sportsbooks that offer it. Sides are in the event's frame. */
export interface Selection {
  readonly label: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  rowCount: number
  /** Its number in the columns while it has rows; 0 before. */
  number: number
}

/** The rows of one event and market type. */
export interface Block {
  readonly marketType: string
  /** The selections with rows, in page order. */
  readonly selections: Selection[]
  /** Row numbers in page order; only the first `count` entries are in use. */
  rows: Int32Array
  count: number
  extent: Extent | null
  usedBytes: number
  /** Rows that are not merged into the block yet. */
  readonly pending: number[]
  /** Rows whose tails have changed since their texts were written. */
  readonly outdated: number[]
  /** Its own number while it has rows; 0 before. */
  number: number
}

/** A list of rows that are seen together: one sportsbook on one event. */
export interface Sighted {
  readonly book: number
  lastSeenAt: number
  /** First row of the list, or -1. */
  head: number
  rowCount: number
  /** Its number in the columns while it has rows; 0 before. */
  number: number
}

export function createBlock(marketType: string): Block {
  return {
    marketType,
    selections: [],
    rows: new Int32Array(4),
    count: 0,
    extent: null,
    usedBytes: 0,
    pending: [],
    outdated: [],
    number: 0,
  }
}

/** Returns the index of the selection among those of the block, or where to insert it. */
export function selectionPlace(
  { selections }: Pick<Block, 'selections'>,
  selection: SelectionOrder,
): number {
  return bisect(0, selections.length, (at) => compareSelections(selections[at]!, selection) < 0)
}

const typeRank: Readonly<Record<string, number>> = {
  home: 0,
  over: 0,
  yes: 0,
  odd: 0,
  away: 1,
  under: 1,
  no: 1,
  even: 1,
  draw: 2,
}

/** The fields that order selections. */
export type SelectionOrder = Pick<Selection, 'playerName' | 'line' | 'selectionType' | 'label'>

/**
 * Compares selections in the page order of a block: player, line, then home/over, away/under, draw, the rest by name.
 * Zero means they are the same selection.
 */
export function compareSelections(a: SelectionOrder, b: SelectionOrder): number {
  if (a === b) return 0
  return (
    comparePlayers(a.playerName, b.playerName) ||
    (a.line ?? Number.NEGATIVE_INFINITY) - (b.line ?? Number.NEGATIVE_INFINITY) ||
    (typeRank[a.selectionType] ?? 3) - (typeRank[b.selectionType] ?? 3) ||
    compareTexts(a.selectionType, b.selectionType) ||
    compareTexts(a.label, b.label)
  )
}

/** Compares players in page order; null comes first. */
export function comparePlayers(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return -1
  return b === null ? 1 : compareTexts(a, b)
}
