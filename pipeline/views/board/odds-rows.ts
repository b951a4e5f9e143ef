/**
 * The rows of the odds table, kept ready to send. No row is an object. This file joins the modules that each own a
 * part of the rows, and decides when rows are settled and texts are written:
 *
 * - `row-table.ts`: the row numbers in use, and the subject and values of each row, in columns and in records
 *   (`row-records.ts`); `row-sources.ts`: values that rows do not show;
 * - `row-order.ts`: the order of the rows of one event and market, a **block**;
 * - `block-texts.ts`: the bytes; `row-text.ts` has the text itself.
 *
 * The texts of a block are **written** at the first request for one of them, or by `writeSome`:
 * most of the cost of a new row is its text, and after a start the board is needed long before all
 * of its texts are. Texts of rows that change are written again at the next request for one of the
 * block. The time of writing does not affect the result.
 */

import {
  type AttributeValues,
  attributes,
  type ShownAttribute,
  shownAttributes,
} from '../../../schemas/attributes.ts'
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
  statedHalf,
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
  /** Inserts a row. It is in pages and `block.rows` after `settle`. */
  insert(
    id: number,
    block: Market,
    selection: Selection,
    list: List,
    odds: TailValues & NamedSource,
  ): number
  /** Puts inserted rows in their places, many at once: each text of a block moves at most once. */
  settle(): void
  /**
   * Writes texts that have not been requested yet, of about this many rows.
   * @returns whether there are more
   */
  writeSome(rows: number): boolean
  /**
   * Changes the parts that move.
   * @returns false, without a change, if the bet has another name: the row must be inserted again
   */
  update(row: number, odds: TailValues & NamedSource): boolean
  /**
   * Shows an active row as inactive, or such a row as active again; the sportsbook's statement is kept. `update`
   * shows a row as stated again.
   * @returns whether that changed what the row shows
   */
  setInactive(row: number, isInactive: boolean): boolean
  /**
   * Shows why the guard withholds the price, or that it does not. `update` resets it.
   * @returns whether that changed what the row shows
   */
  judge(row: number, reason: WithheldReason | null): boolean
  /** Rewrites the head, because the name of the bet changed; the tail stays. */
  rename(row: number): void
  remove(row: number): void
  /** Writes a newer sighting into every row of the list. */
  sight(list: List, lastSeenAt: number): void
  next(row: number): number
  id(row: number): number
  /** Returns the number of its sportsbook. */
  book(row: number): number
  price(row: number): number
  changedAt(row: number): number | null
  isLive(row: number): boolean
  isActive(row: number): boolean
  /** Returns why the guard withholds the price, or null if it does not. */
  withheld(row: number): WithheldReason | null
  /** Sets the main lines that the row is on (`main-line-bits.ts`). @returns whether they changed */
  setMains(row: number, mains: number): boolean
  /** Returns bits: `liveBit`, `activeBit`, `stalePregameBit`, and from `mainShift` on those of main lines. */
  state(row: number): number
  /**
   * Returns the attributes that the row does not have any more, as null fields, each followed by a
   * comma. Clients that merge moving parts must get them.
   */
  goneText(row: number): string
  block(row: number): Market
  selection(row: number): Selection
  sighted(row: number): List
  /** Returns the category, which each sportsbook names its own way. */
  statCategory(row: number): string | null
  source(row: number): SourceIds
  /** Returns the row's position in its block. */
  rank(row: number): number
  /** Copies the texts of `block.rows[from..to)` to `into`, each beginning with a comma. */
  copyText(block: Market, from: number, to: number, into: Buffer, at: number): number
  /**
   * Appends the texts of the first `count` rows, whose blocks have been requested (`ask`). Those
   * that lie side by side are copied at once.
   */
  copyRows(rows: Int32Array, count: number, into: PageBuffer): void
  /** Copies the moving parts of a row, from `"last_seen_at"` to its closing brace. */
  copyTail(row: number, into: Buffer, at: number): number
  /** Returns the number of bytes that `copyTail` would write. */
  tailBytes(row: number): number
  /** Returns the number of bytes that `copyText` would write. */
  textBytes(block: Market, from: number, to: number): number
  /** Settles the block, which has rows, and writes their texts if they are missing or outdated. */
  ask(block: Market): void
  /** Hashes everything that decides the bytes of a row whose block has been requested (`ask`). */
  addContent(row: number, to: ContentHash): void
  /** Hashes the same, except for when the row was last seen. */
  addStanding(row: number, to: ContentHash): void
  /** Returns the row as an object, as a client would parse it. */
  parse(row: number): Record<string, unknown>
  /** Returns an attribute that rows show; null if the sportsbook states none. */
  attribute<Name extends ShownAttribute>(row: number, name: Name): AttributeValues[Name]
  readonly columns: RowColumns<List>
  /** Returns the number of a market type in the columns; undefined when it has no rows. */
  market(marketType: string): number | undefined
}

/** Initial capacity in rows. */
const firstRows = 1_024

/**
 * @param compareBooks page order of sportsbooks, by number
 * @param headsOf called when texts are written, some time after the rows came
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
  /** Blocks whose texts may not be written yet, from `nextUnwritten` on. */
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
    else if (block.outdated.length > 0) texts.refresh(block)
  }

  function parse(row: number) {
    ask(table.block(row))
    return texts.parse(row)
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
      texts.update(row, odds)
      return true
    },

    setInactive(row, isInactive) {
      const block = table.block(row)
      settle(block)
      if (!table.setInactive(row, isInactive)) return false
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
      if (block.extent) {
        texts.refresh(block)
        texts.rename(row)
      }
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
    copyRows: texts.copyRows,
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
    parse,
    attribute(row, name) {
      // Most rows state none, and need not be parsed.
      const isStated = (records.half(row, statedHalf) & (1 << shownAttributes.indexOf(name))) !== 0
      return isStated ? (parse(row)[attributes[name].json] as never) : null
    },
    get columns() {
      return table.columns
    },
    market: table.market,
  }
}
