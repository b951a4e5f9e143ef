/**
 * The closes of the last two days in memory, by event: the rows of the table of closing lines that have a price.
 * Written only by its changelog. Typed columns, about 100 bytes per close.
 */

import type { ClosingLine } from '../../../schemas/closing-line.ts'
import { topics } from '../../../schemas/topics.ts'
import { shownReason, type WithheldCloseReason } from '../../../schemas/withheld-price.ts'
import { grown } from '../../memory/grown.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import { createLinkedSlots, noSlot } from '../../memory/linked-slots.ts'
import { createTextNumbers } from '../../memory/text-numbers.ts'
import { eventRetentionMs } from '../../rules/odds/freshness.ts'
import { readTables, type TableView, takeRows } from '../table.ts'

/** The close of one price, in the frame of the event's rows. */
export type Close = Pick<
  ClosingLine,
  | 'oddsId'
  | 'sportsbook'
  | 'marketType'
  | 'selection'
  | 'selectionType'
  | 'line'
  | 'playerName'
  | 'statCategory'
  | 'capturedAt'
> & { readonly price: number; readonly withheld: WithheldCloseReason | null }

export interface ClosesView extends TableView {
  /** Returns the closes of an event, in no order. */
  ofEvent(eventId: string): Close[]
  /** Returns the number of closes, and when the last of the event's rows was captured. */
  capturedOf(eventId: string): Captured
  readonly size: number
  /** A number that grows with every change. */
  readonly version: number
}

export interface Captured {
  readonly count: number
  /** The time of the last close, or of the last reason why there is none (epoch ms); 0 for none. */
  readonly lastAt: number
}

interface ClosedEvent {
  readonly id: string
  first: number
}

export function createClosesView(): ClosesView {
  const firstCapacity = 1_024
  const events = new Map<string, ClosedEvent>()
  let index = createIdIndex()
  let texts = createTextNumbers()
  let slots = createSlots()
  let eventOf: (ClosedEvent | undefined)[] = []
  let ids = new Float64Array(firstCapacity)
  let lines = new Float64Array(firstCapacity)
  let prices = new Float64Array(firstCapacity)
  let captures = new Float64Array(firstCapacity)
  let sportsbooks = new Int32Array(firstCapacity)
  let marketTypes = new Int32Array(firstCapacity)
  let selections = new Int32Array(firstCapacity)
  let selectionTypes = new Int32Array(firstCapacity)
  let playerNames = new Int32Array(firstCapacity)
  let statCategories = new Int32Array(firstCapacity)
  let withheld = new Int32Array(firstCapacity)
  /**
   * When the last row of each event was captured, even if its rows only have reasons for missing
   * closes.
   */
  let lastRows = new Map<string, { at: number; startsAt: number }>()
  let newestAt = 0
  let keptRows = 0
  let version = 0

  function noteRow({ eventId, capturedAt, startsAt }: ClosingLine) {
    newestAt = Math.max(newestAt, capturedAt)
    const known = lastRows.get(eventId)
    if (known) {
      known.at = Math.max(known.at, capturedAt)
      known.startsAt = Math.max(known.startsAt, startsAt)
      return
    }
    lastRows.set(eventId, { at: capturedAt, startsAt })
    if (lastRows.size < 2 * keptRows + 100) return
    for (const [id, row] of lastRows)
      if (newestAt - row.startsAt > eventRetentionMs) lastRows.delete(id)
    keptRows = lastRows.size
  }

  function createSlots() {
    return createLinkedSlots(firstCapacity, (capacity) => {
      // After a reset the columns may be that long already.
      if (capacity <= ids.length) return
      ids = grown(ids, capacity)
      lines = grown(lines, capacity)
      prices = grown(prices, capacity)
      captures = grown(captures, capacity)
      sportsbooks = grown(sportsbooks, capacity)
      marketTypes = grown(marketTypes, capacity)
      selections = grown(selections, capacity)
      selectionTypes = grown(selectionTypes, capacity)
      playerNames = grown(playerNames, capacity)
      statCategories = grown(statCategories, capacity)
      withheld = grown(withheld, capacity)
    })
  }

  function remove(id: number) {
    const at = index.find(id)
    if (at === noSlot) return
    for (const column of [sportsbooks, marketTypes, selections, selectionTypes]) {
      texts.release(column[at]!)
    }
    texts.release(playerNames[at]!)
    texts.release(statCategories[at]!)
    texts.release(withheld[at]!)
    const event = eventOf[at]!
    eventOf[at] = undefined
    event.first = slots.free(at, event.first)
    if (event.first === noSlot) events.delete(event.id)
    index.remove(id)
  }

  function add(row: ClosingLine, price: number) {
    let event = events.get(row.eventId)
    if (!event) {
      event = { id: row.eventId, first: noSlot }
      events.set(event.id, event)
    }
    const at = slots.take(event.first)
    event.first = at
    eventOf[at] = event
    index.insert(row.oddsId, at)
    ids[at] = row.oddsId
    lines[at] = row.line ?? Number.NaN
    prices[at] = price
    captures[at] = row.capturedAt
    sportsbooks[at] = texts.take(row.sportsbook)
    marketTypes[at] = texts.take(row.marketType)
    selections[at] = texts.take(row.selection)
    selectionTypes[at] = texts.take(row.selectionType)
    playerNames[at] = texts.take(row.playerName)
    statCategories[at] = texts.take(row.statCategory)
    withheld[at] = texts.take(row.withheld && shownReason(row.withheld))
  }

  return {
    ...readTables(
      takeRows(topics.closingLines, (row, key) => {
        version++
        remove(Number(key))
        if (row === null) return
        noteRow(row)
        if (row.price !== null) add(row, row.price)
      }),
    ),
    get size() {
      return slots.size
    },
    get version() {
      return version
    },
    reset() {
      events.clear()
      index = createIdIndex()
      texts = createTextNumbers()
      slots = createSlots()
      eventOf = []
      lastRows = new Map()
      version++
    },
    capturedOf(eventId) {
      let count = 0
      for (let at = events.get(eventId)?.first ?? noSlot; at !== noSlot; at = slots.next(at))
        count++
      return { count, lastAt: lastRows.get(eventId)?.at ?? 0 }
    },
    ofEvent(eventId) {
      const closes: Close[] = []
      for (let at = events.get(eventId)?.first ?? noSlot; at !== noSlot; at = slots.next(at)) {
        closes.push({
          oddsId: ids[at]!,
          sportsbook: texts.text(sportsbooks[at]!)!,
          marketType: texts.text(marketTypes[at]!)!,
          selection: texts.text(selections[at]!)!,
          selectionType: texts.text(selectionTypes[at]!)!,
          line: Number.isNaN(lines[at]!) ? null : lines[at]!,
          playerName: texts.text(playerNames[at]!),
          statCategory: texts.text(statCategories[at]!),
          withheld: texts.text(withheld[at]!) as WithheldCloseReason | null,
          capturedAt: captures[at]!,
          price: prices[at]!,
        })
      }
      return closes
    },
  }
}
