/**
 * Sharp books: sportsbooks whose prices, without the margin, are taken as the true probabilities. The order is a
 * proposal of the interface supplement 5.5; change it here.
 */

/** The default first; each next one replaces it where it does not quote a market. */
const defaultChain = [
  'pinnacle',
  'circa',
  'bookmaker',
  'sbobet',
  'betfair',
  'prophetx',
  'onexbet',
] as const

/**
 * An entry of a chain in place of a sportsbook: the consensus of all others on the line. No sportsbook may have the
 * name.
 */
export const consensus = 'consensus'

/** An empty set: no sportsbook is kept only to measure the others. */
export const noReferences: ReadonlySet<string> = new Set()

/** Returns a chain that ends with the consensus, for markets that no sharp book quotes. */
export const withConsensus = (chain: readonly string[]): readonly string[] => [...chain, consensus]

/** Returns the sharp books in order of preference. @param first the operator's own choice */
export const sharpChain = (first: string): readonly string[] => [
  first,
  ...defaultChain.filter((sportsbook) => sportsbook !== first),
]
