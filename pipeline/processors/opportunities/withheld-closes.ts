/**
 * Closes of prices that the phantom guard withholds when they are captured. Their rows say why and
 * have no fair probability, because the price may be of another question. Such a close is no
 * reference for others and no sample. The board's changes come in the order of its decisions, so
 * the lines have the prices of the capture when its closes come.
 */

import type { ClosingLine } from '../../../schemas/closing-line.ts'
import { topics } from '../../../schemas/topics.ts'
import type { GuardReason } from '../../../schemas/withheld-price.ts'
import type { Append } from '../../log/log.ts'
import { createWorkspace, type JudgedLine, withheldSlots } from './best-prices.ts'
import type { PricePlace } from './price-lines.ts'

export interface WithheldCloses {
  /** Called when a row of another table has changed. */
  boardChanged(): void
  /** Takes a changed row of the closing lines; null if it was removed. */
  closeChanged(key: string, close: ClosingLine | null): void
  /** Ends a commit. @returns the rows of withheld closes, which replace the board's rows */
  flush(): readonly Append[]
}

/** @param placeOf returns the place of an odds id's price */
export function createWithheldCloses(
  placeOf: (oddsId: number) => PricePlace<JudgedLine> | null,
): WithheldCloses {
  const room = createWorkspace()
  /** The withheld slots of each line that was judged since the board last changed. */
  const judged = new Map<JudgedLine, ReadonlyMap<number, GuardReason>>()
  /** By key: a later row of the same commit replaces an earlier one. */
  const withheld = new Map<string, ClosingLine>()

  function reasonOf({ price, oddsId }: ClosingLine): GuardReason | null {
    const place = price === null ? null : placeOf(oddsId)
    if (!place || place.line.ladder.isLive) return null
    const { line, slot } = place
    let slots = judged.get(line)
    if (!slots) {
      // A close is judged beside all prices that close, whatever ticks its commit has.
      slots = withheldSlots(line, room)
      judged.set(line, slots)
    }
    return slots.get(slot) ?? null
  }

  return {
    boardChanged() {
      if (judged.size > 0) judged.clear()
    },
    closeChanged(key, close) {
      const reason = close && reasonOf(close)
      if (reason) withheld.set(key, { ...close, noVig: null, withheld: reason })
      else withheld.delete(key)
    },
    flush() {
      judged.clear()
      if (withheld.size === 0) return nothing
      const rows = [...withheld].map(([key, value]) => ({
        topic: topics.closingLines,
        partitionKey: value.league,
        key,
        value,
      }))
      withheld.clear()
      return rows
    },
  }
}

const nothing: readonly Append[] = []
