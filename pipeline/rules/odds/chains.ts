/**
 * Chains: what +EV is measured against, in order. If the first anchor of a chain does not quote a
 * line, the next one is tried. A league or a sport may have a chain of its own.
 */

import { consensus, sharpChain, withConsensus } from './sharp-books.ts'

export interface BlendPart {
  readonly sportsbook: string
  /** Above 0. */
  readonly weight: number
}

/**
 * Several sportsbooks whose weighted mean is used: those that quote the line, at least `leastParts`
 * of them.
 */
export type Blend = readonly BlendPart[]

/**
 * The least number of sportsbooks for a blend. A single one is no blend: to use it then, name it
 * after the blend.
 */
export const leastParts = 2

/** The id of a sportsbook, `consensus`, or a blend. */
export type Anchor = string | Blend

/** Anchors in order of preference. `consensus` may be the last. */
export type Chain = readonly Anchor[]

/** The chain of each game: one for all, or by league and sport. */
export type Chains = Chain | ChainsByLeague

export interface ChainsByLeague {
  /** The chain of games that have no other. */
  readonly usual: Chain
  /** By the id of a league or a sport. A league wins over its sport. */
  readonly own: ReadonlyMap<string, Chain>
}

/** The key of the usual chain in the operator's settings. */
export const everyLeague = '*'

/** The settings that chains follow from. */
export interface ChainSettings {
  /** The first sharp book. */
  readonly sharpBook: string
  /** Whether the consensus ends the usual chain. */
  readonly consensus: boolean
  /**
   * The operator's chains by league or sport; the one of `everyLeague` replaces the usual chain.
   */
  readonly anchors: ReadonlyMap<string, Chain>
}

export function chainsOf({ sharpBook, consensus: hasConsensus, anchors }: ChainSettings): Chains {
  const sharps = sharpChain(sharpBook)
  const usual = anchors.get(everyLeague) ?? (hasConsensus ? withConsensus(sharps) : sharps)
  const own = new Map(anchors)
  own.delete(everyLeague)
  return own.size === 0 ? usual : { usual, own }
}

export const isByLeague = (chains: Chains): chains is ChainsByLeague => 'usual' in chains

/** Returns the chain of a game. */
export function chainOf(
  chains: Chains,
  { league, sport }: { readonly league: string; readonly sport: string },
): Chain {
  if (!isByLeague(chains)) return chains
  return chains.own.get(league) ?? chains.own.get(sport) ?? chains.usual
}

export const isBlend = (anchor: Anchor): anchor is Blend => typeof anchor !== 'string'

/** Returns the sportsbooks of a chain in order, those of a blend one by one. */
export const booksOf = (chain: Chain): readonly string[] => [
  ...new Set(
    chain.flatMap((anchor) => {
      if (isBlend(anchor)) return anchor.map(({ sportsbook }) => sportsbook)
      return anchor === consensus ? [] : [anchor]
    }),
  ),
]

/** Returns each chain, the usual one first. */
const eachChain = (chains: Chains): readonly Chain[] =>
  isByLeague(chains) ? [chains.usual, ...chains.own.values()] : [chains]

/** Returns the sportsbooks of all chains, those of the usual one first. */
export const allBooksOf = (chains: Chains): readonly string[] => [
  ...new Set(eachChain(chains).flatMap(booksOf)),
]

/** Returns whether the consensus is in one of the chains. */
export const haveConsensus = (chains: Chains) =>
  eachChain(chains).some((chain) => chain.includes(consensus))

/** Returns the chains without the sportsbooks that `keeps` refuses. */
export function chainsAmong(chains: Chains, keeps: (sportsbook: string) => boolean): Chains {
  const among = (chain: Chain) =>
    chain.flatMap((anchor): Chain => {
      if (!isBlend(anchor)) return anchor === consensus || keeps(anchor) ? [anchor] : []
      const parts = anchor.filter(({ sportsbook }) => keeps(sportsbook))
      return parts.length < leastParts ? [] : [parts]
    })
  if (!isByLeague(chains)) return among(chains)
  const own = new Map([...chains.own].map(([key, chain]) => [key, among(chain)]))
  return { usual: among(chains.usual), own }
}

/** Returns the place of the first blend that has these sportsbooks; -1 when there is none. */
export const placeOfBlend = (chain: Chain, sportsbooks: readonly string[]): number =>
  chain.findIndex(
    (anchor) =>
      isBlend(anchor) &&
      sportsbooks.every((name) => anchor.some(({ sportsbook }) => sportsbook === name)),
  )
