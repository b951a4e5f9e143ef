/**
 * The memory of the table of closing lines: one entry for every price that a sportsbook has had before the start, on
 * the board or not, until the closes of its event are dropped. Typed columns, about 80 bytes per
 * entry; the texts of a selection are stored as numbers.
 *
 * The entries of an offer are a linked list, as the prices of `price-table.ts` are.
 */

import type { MissingCloseReason } from '../../../schemas/closing-line.ts'
import type { PricedSelection } from '../../../schemas/price-change.ts'
import { grown } from '../../memory/grown.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import { createLinkedSlots } from '../../memory/linked-slots.ts'
import { createTextNumbers } from '../../memory/text-numbers.ts'

/**
 * The state of an entry. `open`: on the board before the start, without a row in the table of closing lines;
 * otherwise the result.
 */
export type CloseState = 'open' | 'close' | MissingCloseReason

/** The selection of a price, without its sportsbook. */
export type ClosedSelection = Omit<PricedSelection, 'sportsbook'>

export interface CloseTable {
  /** Returns the entry of the price with this id, or -1. */
  find(id: number): number
  /** Adds an open entry to the list that begins with `head`; returns the entry, the new head. */
  insert(id: number, of: ClosedSelection, head: number): number
  /** Removes the entry. @returns the head of its list afterwards */
  remove(entry: number, head: number): number
  next(entry: number): number
  id(entry: number): number
  of(entry: number): ClosedSelection
  /** Changes the sportsbook's words for the selection. */
  describe(entry: number, selection: string, statCategory: string | null): void
  state(entry: number): CloseState
  /** Returns since when it is missing (epoch ms); NaN if it is not. */
  since(entry: number): number
  set(entry: number, state: CloseState, since: number): void
}

const states: readonly CloseState[] = [
  'open',
  'close',
  'withdrawn',
  'suspended',
  'never_priced',
  'late_listing',
  'postponed',
  'start_corrected',
  'misplaced',
]
const codeOf = new Map(states.map((state, code) => [state, code]))

export function createCloseTable(): CloseTable {
  const firstCapacity = 1_024
  let ids = new Float64Array(firstCapacity)
  let lines = new Float64Array(firstCapacity)
  let sinces = new Float64Array(firstCapacity)
  let marketTypes = new Int32Array(firstCapacity)
  let selections = new Int32Array(firstCapacity)
  let selectionTypes = new Int32Array(firstCapacity)
  let playerNames = new Int32Array(firstCapacity)
  let statCategories = new Int32Array(firstCapacity)
  let codes = new Uint8Array(firstCapacity)
  const texts = createTextNumbers()
  const index = createIdIndex()
  const slots = createLinkedSlots(firstCapacity, (capacity) => {
    ids = grown(ids, capacity)
    lines = grown(lines, capacity)
    sinces = grown(sinces, capacity)
    marketTypes = grown(marketTypes, capacity)
    selections = grown(selections, capacity)
    selectionTypes = grown(selectionTypes, capacity)
    playerNames = grown(playerNames, capacity)
    statCategories = grown(statCategories, capacity)
    codes = grown(codes, capacity)
  })

  return {
    find: index.find,
    insert(id, of, head) {
      const entry = slots.take(head)
      ids[entry] = id
      lines[entry] = of.line ?? Number.NaN
      marketTypes[entry] = texts.take(of.marketType)
      selections[entry] = texts.take(of.selection)
      selectionTypes[entry] = texts.take(of.selectionType)
      playerNames[entry] = texts.take(of.playerName)
      statCategories[entry] = texts.take(of.statCategory)
      codes[entry] = 0
      sinces[entry] = Number.NaN
      index.insert(id, entry)
      return entry
    },
    remove(entry, head) {
      index.remove(ids[entry]!)
      texts.release(marketTypes[entry]!)
      texts.release(selections[entry]!)
      texts.release(selectionTypes[entry]!)
      texts.release(playerNames[entry]!)
      texts.release(statCategories[entry]!)
      return slots.free(entry, head)
    },
    next: slots.next,
    id: (entry) => ids[entry]!,
    of: (entry) => ({
      marketType: texts.text(marketTypes[entry]!)!,
      selection: texts.text(selections[entry]!)!,
      selectionType: texts.text(selectionTypes[entry]!)!,
      line: Number.isNaN(lines[entry]!) ? null : lines[entry]!,
      playerName: texts.text(playerNames[entry]!),
      statCategory: texts.text(statCategories[entry]!),
    }),
    describe(entry, selection, statCategory) {
      const before = [selections[entry]!, statCategories[entry]!] as const
      selections[entry] = texts.take(selection)
      statCategories[entry] = texts.take(statCategory)
      for (const number of before) texts.release(number)
    },
    state: (entry) => states[codes[entry]!]!,
    since: (entry) => sinces[entry]!,
    set(entry, state, since) {
      codes[entry] = codeOf.get(state)!
      sinces[entry] = since
    },
  }
}
