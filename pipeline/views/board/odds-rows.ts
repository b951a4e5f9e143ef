/**
 * The rows of the odds table, kept ready to send. No row is an object; this file puts together the four
 * that own a part of them, and decides when rows are settled and texts are written:
 *
 * - `row-table.ts`: which row numbers there are, and what each row is of and states, in columns and in
 *   records (`row-records.ts`); `row-sources.ts`: what rows do not show;
 * - `row-order.ts`: the order of the rows of one event and market, a **block**;
 * - `block-texts.ts`: the bytes; `row-text.ts` has the text itself.
 *
 * The texts of a block are **written** when somebody first asks for one of them, or with `writeSome`:
 * most of what a row costs when it comes is its text, and a board that is read from its log is needed
 * before anybody can have asked for all of it. When they were written does not show.
 */

import { type WithheldReason, withheldReasons } from '../../../schemas/withheld-price.ts'
import type { ContentHash } from '../../memory/content-hash.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import type { PageBuffer } from '../../text/page-buffer.ts'
import type { Block, Selection, Sighted } from './block.ts'
import { createBlockTexts, type HeadsOf } from './block-texts.ts'
import { createRowOrder } from './row-order.ts'
import {
  createRowRecords,
  headHashWord,
  idDouble,
  lostHalf,
  nextWord,
  none,
  tailHashWord,
} from './row-records.ts'
import { createRowSources, type NamedSource, type SourceIds } from './row-sources.ts'
import { activeBit, createRowTable, liveBit, type RowColumns } from './row-table.ts'
import { goneText, type TailValues } from './row-text.ts'

/** The rows of a board whose blocks and lists are of these types. */
export interface OddsRows<Market extends Block = Block, List extends Sighted = Sighted> {
  readonly size: number
  readonly heldTextBytes: number
  find(id: number): number
  /** Pages and `block.rows` have the row after `settle`. */
  insert(
    id: number,
    block: Market,
    selection: Selection,
    list: List,
    odds: TailValues & NamedSource,
  ): number
  /** Puts inserted rows in their places, many at once: each text of a block moves no more than once. */
  settle(): void
  /**
   * Writes texts that nobody has asked for yet, of about so many rows.
   * @returns whether there are more
   */
  writeSome(rows: number): boolean
  /**
   * Rewrites what moves.
   * @returns false, and nothing is done, where the bet has another name: the row has to be put in anew
   */
  update(row: number, odds: TailValues & NamedSource): boolean
  /**
   * Shows an active row as inactive, or such a row as active again; what its sportsbook states stays
   * known. `update` shows what is stated again.
   * @returns whether that changed what the row shows
   */
  withhold(row: number, isWithheld: boolean): boolean
  /**
   * Shows why the guard withholds the price, or that it does not. `update` forgets it.
   * @returns whether that changed what the row shows
   */
  judge(row: number, reason: WithheldReason | null): boolean
  /** What names the bet has changed: it is asked for anew; the tail stays. */
  rename(row: number): void
  remove(row: number): void
  /** Writes a newer sighting into every row of the list. */
  sight(list: List, lastSeenAt: number): void
  next(row: number): number
  id(row: number): number
  /** The number of its sportsbook. */
  book(row: number): number
  price(row: number): number
  changedAt(row: number): number | null
  isLive(row: number): boolean
  isActive(row: number): boolean
  /** Why the guard withholds the price. */
  withheld(row: number): WithheldReason | null
  /** Says on whose main lines the row is (`main-line-bits.ts`). @returns whether that is news */
  setMains(row: number, mains: number): boolean
  /** As bits: `liveBit`, `activeBit`, `stalePregameBit`, and from `mainShift` on those of main lines. */
  state(row: number): number
  /**
   * The attributes that the row once had and has not now, as members that are null, each followed by a
   * comma: who merges what moves must be told.
   */
  goneText(row: number): string
  block(row: number): Market
  selection(row: number): Selection
  sighted(row: number): List
  /** Each sportsbook names the category its own way. */
  statCategory(row: number): string | null
  source(row: number): SourceIds
  /** Position in its block. */
  rank(row: number): number
  /** Copies the texts of `block.rows[from..to)` to `into`, each beginning with a comma. */
  copyText(block: Market, from: number, to: number, into: Buffer, at: number): number
  /**
   * Appends the texts of the rows at `places[from..to)` of the block, which ascend: rows that follow each other are
   * copied at once.
   */
  copyPlaces(block: Market, places: Int32Array, from: number, to: number, into: PageBuffer): void
  /** Copies what moves of a row, from `"last_seen_at"` to its closing brace. */
  copyTail(row: number, into: Buffer, at: number): number
  /** Bytes that `copyTail` would write. */
  tailBytes(row: number): number
  /** Bytes that `copyText` would write. */
  textBytes(block: Market, from: number, to: number): number
  /** Settles the block, which has rows, and writes their texts where nobody has asked for them before. */
  ask(block: Market): void
  /** Adds what decides the bytes of a row whose block has been asked for. */
  addContent(row: number, to: ContentHash): void
  /** The same but for when it was last seen. */
  addStanding(row: number, to: ContentHash): void
  /** The row as an object, as a client would parse it. */
  parse(row: number): Record<string, unknown>
  readonly columns: RowColumns<List>
  /** What the numbers of blocks stand for; some stand for nothing now. */
  readonly blocks: readonly (Market | undefined)[]
  /** The number that columns have for a market type; undefined when it has never been seen. */
  market(marketType: string): number | undefined
}

/** Rows there is room for at first. */
const firstRows = 1_024

/**
 * @param compareBooks page order of sportsbooks, by number
 * @param headsOf asked when texts are written, some time after the rows came
 */
export function createOddsRows<Market extends Block, List extends Sighted>(
  compareBooks: (a: number, b: number) => number,
  headsOf: HeadsOf,
): OddsRows<Market, List> {
  const index = createIdIndex()
  const records = createRowRecords(firstRows)
  const table = createRowTable<Market, List>(records, firstRows)
  const order = createRowOrder(records, table.selection, table.sighted, compareBooks)
  const texts = createBlockTexts(records, table, order, headsOf)
  const sources = createRowSources(records)
  /** Blocks that may have pending rows. */
  let unsettled: Market[] = []
  /** Blocks that may not be written, from `nextUnwritten` on. */
  let unwritten: Market[] = []
  let nextUnwritten = 0

  function settle(block: Block) {
    if (block.pending.length === 0) return
    order.sortPending(block)
    if (block.extent) texts.merge(block)
    else order.merge(block, null)
  }

  function ask(block: Block) {
    settle(block)
    if (!block.extent) texts.write([block])
  }

  function addStanding(row: number, to: ContentHash) {
    to.add(records.word(row, tailHashWord))
    to.add(records.word(row, tailHashWord + 1))
    to.add(records.word(row, headHashWord))
  }

  return {
    get size() {
      return table.size
    },
    get heldTextBytes() {
      return texts.heldBytes
    },
    find: index.find,

    insert(id, block, selection, list, odds) {
      const row = table.add(block, selection, list)
      records.setDouble(row, idDouble, id)
      index.insert(id, row)
      table.state(row, odds)
      sources.set(row, odds)
      texts.note(row, odds)
      if (block.count === 0 && block.pending.length === 0) unwritten.push(block)
      if (block.pending.length === 0) unsettled.push(block)
      block.pending.push(row)
      return row
    },

    settle() {
      for (const block of unsettled) settle(block)
      unsettled = []
    },

    writeSome(most) {
      const some = new Set<Market>()
      for (let left = most; left > 0 && nextUnwritten < unwritten.length; nextUnwritten++) {
        const block = unwritten[nextUnwritten]!
        settle(block)
        if (block.extent || block.count === 0) continue
        some.add(block)
        left -= block.count
      }
      texts.write([...some])
      if (nextUnwritten < unwritten.length) return true
      unwritten = []
      nextUnwritten = 0
      return false
    },

    update(row, odds) {
      if (!sources.isSame(row, odds)) {
        const { selection, statCategory } = odds
        if (table.selection(row).label !== selection) return false
        if (sources.statCategory(row) !== statCategory) return false
        sources.set(row, odds)
      }
      const block = table.block(row)
      if (unsettled.length > 0) settle(block)
      table.state(row, odds)
      if (block.extent) texts.update(row, odds)
      else texts.note(row, odds)
      return true
    },

    withhold(row, isWithheld) {
      const block = table.block(row)
      settle(block)
      if (!table.withhold(row, isWithheld)) return false
      if (block.extent) texts.updateActive(row)
      return true
    },

    judge(row, reason) {
      settle(table.block(row))
      const code = reason === null ? 0 : withheldReasons.indexOf(reason) + 1
      const before = table.reason(row)
      if (!table.judge(row, code)) return false
      texts.judge(row, before, code)
      return true
    },

    rename(row) {
      const block = table.block(row)
      settle(block)
      if (block.extent) texts.rename(row)
    },

    remove(row) {
      const block = table.block(row)
      settle(block)
      const position = order.rank(block, row)
      if (block.extent) texts.remove(block, position)
      order.remove(block, position)
      if (block.count === 0 && block.extent) texts.drop(block)
      table.remove(row)
      index.remove(records.double(row, idDouble))
    },

    sight(list, lastSeenAt) {
      list.lastSeenAt = lastSeenAt
      if (unsettled.length > 0) {
        for (let row = list.head; row !== none; row = records.word(row, nextWord)) {
          settle(table.block(row))
        }
      }
      texts.sight(list, lastSeenAt)
    },

    next: (row) => records.word(row, nextWord),
    id: (row) => records.double(row, idDouble),
    book: table.book,
    price: table.price,
    changedAt: records.changedAt,
    isLive: (row) => (table.bits(row) & liveBit) !== 0,
    isActive: (row) => (table.bits(row) & activeBit) !== 0,
    withheld(row) {
      const reason = table.reason(row)
      return reason === 0 ? null : withheldReasons[reason - 1]!
    },
    setMains: table.setMains,
    state: table.bits,
    goneText: (row) => goneText(records.half(row, lostHalf)),
    block: table.block,
    selection: table.selection,
    sighted: table.sighted,
    statCategory: sources.statCategory,
    source: sources.source,
    rank(row) {
      const block = table.block(row)
      settle(block)
      return order.rank(block, row)
    },

    copyText(block, from, to, into, at) {
      if (from === to) return at
      ask(block)
      return texts.copyText(block, from, to, into, at)
    },
    copyPlaces(block, places, from, to, into) {
      ask(block)
      texts.copyPlaces(block, places, from, to, into)
    },
    copyTail(row, into, at) {
      ask(table.block(row))
      return texts.copyTail(row, into, at)
    },
    tailBytes(row) {
      ask(table.block(row))
      return texts.tailBytes(row)
    },
    textBytes(block, from, to) {
      if (from === to) return 0
      ask(block)
      return texts.textBytes(block, from, to)
    },
    ask,
    addContent(row, to) {
      addStanding(row, to)
      to.add(table.sighted(row).lastSeenAt)
    },
    addStanding,
    parse(row) {
      ask(table.block(row))
      return texts.parse(row)
    },
    get columns() {
      return table.columns
    },
    blocks: table.blocks,
    market: table.market,
  }
}
