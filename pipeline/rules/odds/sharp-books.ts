/**
 * Sharp books: those whose prices, the margin taken out, stand for what an outcome is worth.
 * The order is a proposal of the interface supplement 5.5; change it here.
 */

/** The default first; the next ones stand in for it where it does not quote a market. */
const defaultChain = [
  'pinnacle',
  'circa',
  'bookmaker',
  'sbobet',
  'betfair',
  'prophetx',
  'onexbet',
] as const

/** In a chain, in place of a sportsbook: the consensus of all others on the line. No sportsbook may have the name. */
export const consensus = 'consensus'

/** No sportsbook only measures the others. */
export const noReferences: ReadonlySet<string> = new Set()

/** A chain that ends with the consensus, which measures what no sharp book quotes. */
export const withConsensus = (chain: readonly string[]): readonly string[] => [...chain, consensus]

/** Sharp books in the order of their use. @param first the operator's own choice */
export const sharpChain = (first: string): readonly string[] => [
  first,
  ...defaultChain.filter((sportsbook) => sportsbook !== first),
]
