/** The sportsbook or blend that +EV on a line is measured against, before the consensus. */

import { type FairMeasure, methodOf } from '../../../schemas/fair-measure.ts'
import { ownerVisibility } from '../../../schemas/opportunity.ts'
import { highestHold } from '../../rules/odds/arbitrage.ts'
import { leastParts } from '../../rules/odds/chains.ts'
import { devig } from '../../rules/odds/devig.ts'
import { blendOf, type FairMarket } from '../../rules/odds/fair-market.ts'
import { isWithheld, type JudgedLine, noSlot, type Workspace } from './best-prices.ts'
import { isCompared } from './lines.ts'

/** A fair market on a line. */
export interface Measure {
  /** The slots whose prices make it. */
  readonly slots: readonly number[]
  readonly market: FairMarket
  /** How it is computed from these prices; null for the power method. */
  readonly by: FairMeasure | null
  /** The first set of sportsbooks for which it counts. */
  readonly visibility: number
}

/**
 * Returns the slot of the first anchor of the chain that is a single sportsbook, usable and not
 * withheld, has every outcome, and is visible up to `highest`; `noSlot` if there is none, or the
 * ladder is not compared.
 */
export function sharpestSlot(line: JudgedLine, highest: number): number {
  const { ladder, offers, verdicts } = line
  if (!isCompared(ladder)) return noSlot
  let sharpest = noSlot
  for (let slot = 0; slot < offers.length; slot++) {
    const { place, isUsable, visibility } = offers[slot]!
    if (place < 0 || !isUsable || visibility > highest || isWithheld(verdicts[slot]!)) continue
    if (sharpest !== noSlot && offers[sharpest]!.place < place) continue
    if (isComplete(line, slot)) sharpest = slot
  }
  return sharpest
}

/** Returns the measure by one sportsbook; null if its prices make no market. */
export function measureOf(line: JudgedLine, slot: number, room: Workspace): Measure | null {
  const { columns } = line.ladder.shape
  const { sharp: prices, measure: by } = room
  prices.length = columns
  for (let column = 0; column < columns; column++) {
    prices[column] = line.prices[slot * columns + column]!
  }
  const market = devig(prices, methodOf(by))
  if (!market || market.overround > highestHold) return null
  const visibility = line.offers[slot]!.visibility === ownerVisibility ? ownerVisibility : 0
  return { slots: [slot], market, by, visibility }
}

/**
 * Returns the first blend of the chain that counts for a set. It uses only sportsbooks that the set
 * sees, because no figure may reveal the offers of others.
 * @param sharp the slot of the sportsbook that is used unless a blend comes before it; `noSlot` for
 * none
 * @param highest the set
 */
export function blendOn(
  line: JudgedLine,
  sharp: number,
  highest: number,
  measure: FairMeasure | null,
): Measure | null {
  const { ladder, offers } = line
  const { blends } = ladder.event.chain
  if (blends.length === 0 || !isCompared(ladder)) return null
  const method = methodOf(measure)
  for (const { place, blend } of blends) {
    if (sharp !== noSlot && offers[sharp]!.place < place) return null
    const slots: number[] = []
    const markets: FairMarket[] = []
    const weights: number[] = []
    let visibility = 0
    for (const { sportsbook, weight } of blend) {
      const slot = offers.findIndex((offer) => offer.sportsbook === sportsbook)
      const market =
        slot < 0 || !mayMeasure(line, slot, highest) ? null : marketAt(line, slot, method)
      if (!market) continue
      slots.push(slot)
      markets.push(market)
      weights.push(weight)
      visibility = Math.max(visibility, offers[slot]!.visibility)
    }
    if (slots.length < leastParts) continue
    return { slots, market: blendOf(markets, weights), by: { method, weights }, visibility }
  }
  return null
}

function mayMeasure(line: JudgedLine, slot: number, highest: number): boolean {
  const { isUsable, visibility } = line.offers[slot]!
  if (!isUsable || visibility > highest || isWithheld(line.verdicts[slot]!)) return false
  return isComplete(line, slot)
}

/** Returns whether a sportsbook has every outcome. */
export function isComplete({ ladder, prices }: JudgedLine, slot: number): boolean {
  const { columns } = ladder.shape
  for (let at = slot * columns; at < (slot + 1) * columns; at++) {
    if (!(prices[at]! > 0)) return false
  }
  return true
}

/** Returns the fair market of a sportsbook that has every outcome; null if its hold is too high. */
export function marketAt(
  { ladder, prices }: JudgedLine,
  slot: number,
  method: ReturnType<typeof methodOf>,
): FairMarket | null {
  const { columns } = ladder.shape
  const market = devig(prices.subarray(slot * columns, (slot + 1) * columns), method)
  return market && market.overround <= highestHold ? market : null
}
