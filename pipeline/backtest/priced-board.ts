/** The events and prices of a recording at its current time. */

import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append } from '../log/log.ts'
import { ownLine, shapeOfPrice, sharedLine } from '../rules/odds/market-shape.ts'

export interface PricedBoard {
  apply(change: Append): void
  event(id: string): EventRow | undefined
  price(oddsId: number): OddsRow | undefined
  /** Returns the price of an outcome; undefined when it cannot be bet on. */
  priceOf(outcomeKey: string): number | undefined
}

/** Returns the key of an outcome at a sportsbook. */
export const outcomeKey = (
  row: Pick<OddsRow, 'eventId' | 'sportsbook' | 'marketType' | 'playerName' | 'isLive'> & {
    readonly selectionType: string
    readonly line: number | null
  },
) =>
  `${row.eventId}|${row.sportsbook}|${row.marketType}|${row.playerName}|${row.isLive}|${row.selectionType}|${row.line}`

/** Returns the key of the other outcome on the same line; null unless the market has two outcomes. */
export function otherSideKey(row: OddsRow, sport: string): string | null {
  const shape = shapeOfPrice(row, sport)
  const outcome = shape?.columnOf.get(row.selectionType)
  if (!shape || !outcome || shape.columns !== 2) return null
  const column = 1 - outcome.column
  const selectionType = shape.types[outcome.group]![column]!
  const line = ownLine(shape, column, sharedLine(shape, row.selectionType, row.line))
  return outcomeKey({ ...row, selectionType, line })
}

export function createPricedBoard(): PricedBoard {
  const events = new Map<string, EventRow>()
  const prices = new Map<number, OddsRow>()
  const byOutcome = new Map<string, OddsRow>()

  function remove(id: number) {
    const row = prices.get(id)
    if (!row) return
    prices.delete(id)
    const key = outcomeKey(row)
    if (byOutcome.get(key) === row) byOutcome.delete(key)
  }

  function put(row: OddsRow) {
    remove(row.id)
    prices.set(row.id, row)
    byOutcome.set(outcomeKey(row), row)
  }

  return {
    apply({ topic, key, value }) {
      if (topic.name === topics.events.name) {
        if (value) events.set(key, value as EventRow)
        else events.delete(key)
      } else if (topic.name === topics.odds.name) {
        if (value) put(value as OddsRow)
        else remove(Number(key))
      }
    },
    event: (id) => events.get(id),
    price: (id) => prices.get(id),
    priceOf(key) {
      const row = byOutcome.get(key)
      return row?.isActive ? row.price : undefined
    },
  }
}
