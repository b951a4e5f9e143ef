/**
 * Sharp books: sportsbooks whose prices, without the margin, are taken as the true probabilities.
 * The order comes from the interface supplement 5.5; change it here.
 */

/** The default comes first; each next one is used if those before do not quote a market. */
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
 * An entry of a chain that is no sportsbook: the consensus of all others on the line. No sportsbook
 * may have this name.
 */
export const consensus = 'consensus'

/** An empty set: no sportsbook is only a reference. */
export const noReferences: ReadonlySet<string> = new Set()

/** Returns a chain that ends with the consensus, for markets that no sharp book quotes. */
export const withConsensus = (chain: readonly string[]): readonly string[] => [...chain, consensus]

/** Returns the sharp books in order of preference. @param first the operator's own choice */
export const sharpChain = (first: string): readonly string[] => [
  first,
  ...defaultChain.filter((sportsbook) => sportsbook !== first),
]
