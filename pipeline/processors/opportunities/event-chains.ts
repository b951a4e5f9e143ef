/** The chains of events in the form for detectors: computed once per league, not per price. */

import {
  type Blend,
  booksOf,
  type Chain,
  type Chains,
  chainOf,
  isBlend,
  isByLeague,
} from '../../rules/odds/chains.ts'
import { consensus } from '../../rules/odds/sharp-books.ts'

export interface EventChain {
  /** Whether the consensus is used on lines that no other anchor of the chain quotes. */
  readonly hasConsensus: boolean
  readonly blends: readonly PlacedBlend[]
  /** Returns the place of a sportsbook as a single anchor; -1 if it is none. */
  placeOf(sportsbook: string): number
  /** Returns its place among all sportsbooks of the chain, including blends; -1 if it has none. */
  sharpnessOf(sportsbook: string): number
}

export interface PlacedBlend {
  readonly place: number
  readonly blend: Blend
}

/** Returns a function that gives the chain of a game, known or not: one object per chain. */
export function createEventChains(
  chains: Chains,
): (game: Parameters<typeof chainOf>[1] | null) => EventChain {
  const prepared = new Map<Chain, EventChain>()
  const usual = isByLeague(chains) ? chains.usual : chains
  return (game) => {
    const chain = game ? chainOf(chains, game) : usual
    let known = prepared.get(chain)
    if (!known) {
      known = prepare(chain)
      prepared.set(chain, known)
    }
    return known
  }
}

function prepare(chain: Chain): EventChain {
  const books = booksOf(chain)
  return {
    hasConsensus: chain.includes(consensus),
    blends: chain.flatMap((anchor, place) => (isBlend(anchor) ? [{ place, blend: anchor }] : [])),
    placeOf: (sportsbook) => (sportsbook === consensus ? -1 : chain.indexOf(sportsbook)),
    sharpnessOf: (sportsbook) => books.indexOf(sportsbook),
  }
}
