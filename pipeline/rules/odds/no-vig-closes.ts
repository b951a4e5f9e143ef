/**
 * The no-vig probabilities of the closes of one sportsbook on one event: by the power method, over the outcomes of
 * one question at one line.
 */

import { devig } from './devig.ts'
import { isOfUnknownPlayer, outcomesOf, rungKey } from './questions.ts'

/** A price that was on the board at the start. */
export interface ClosedPrice {
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  /** Decimal odds; null if it was not active. */
  readonly price: number | null
}

/** The outcomes at one line of one question, by type; null for an outcome with several prices. */
type Rung = Map<string, { readonly at: number; readonly price: number | null } | null>

/**
 * @param closes all closes of one sportsbook on one event
 * @returns by index in `closes`: a probability in (0, 1), or null if an outcome of the question has
 * no price, or several
 */
export function noVigCloses(closes: readonly ClosedPrice[], sport: string): (number | null)[] {
  const probabilities = new Array<number | null>(closes.length).fill(null)
  const rungs = new Map<string, Map<string, Rung>>()
  for (let at = 0; at < closes.length; at++) {
    const close = closes[at]!
    const { marketType, selectionType, playerName, price } = close
    if (isOfUnknownPlayer(marketType, playerName)) continue
    let ofMarket = rungs.get(marketType)
    if (!ofMarket) {
      ofMarket = new Map()
      rungs.set(marketType, ofMarket)
    }
    const key = rungKey(marketType, close)
    let rung = ofMarket.get(key)
    if (!rung) {
      rung = new Map()
      ofMarket.set(key, rung)
    }
    rung.set(selectionType, rung.has(selectionType) ? null : { at, price })
  }
  for (const [marketType, ofMarket] of rungs) {
    for (const outcomes of outcomesOf(marketType, sport) ?? [])
      for (const rung of ofMarket.values()) devigRung(rung, outcomes, probabilities)
  }
  return probabilities
}

function devigRung(rung: Rung, outcomes: readonly string[], into: (number | null)[]) {
  const prices: number[] = []
  for (const outcome of outcomes) {
    const price = rung.get(outcome)?.price
    if (price === undefined || price === null) return
    prices.push(price)
  }
  const devigged = devig(prices)
  if (!devigged) return
  for (let i = 0; i < outcomes.length; i++) {
    into[rung.get(outcomes[i]!)!.at] = devigged.probabilities[i]!
  }
}
