/** The chains of events, as detectors read them: worked out once for each league, not with each price. */

import { type Chain, type Chains, chainOf, isByLeague } from '../../rules/odds/chains.ts'
import { consensus } from '../../rules/odds/sharp-books.ts'

export interface EventChain {
  /** Whether the consensus measures where no other anchor does. */
  readonly hasConsensus: boolean
  /** Returns the place of a sportsbook in the chain; -1 when it is not in it. */
  placeOf(sportsbook: string): number
}

/** Returns a function that gives the chain of a game, or of one that is not known yet: one object for each chain. */
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

const prepare = (chain: Chain): EventChain => ({
  hasConsensus: chain.includes(consensus),
  placeOf: (sportsbook) => (sportsbook === consensus ? -1 : chain.indexOf(sportsbook)),
})
