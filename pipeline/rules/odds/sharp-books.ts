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

/** No sportsbook only measures the others. */
export const noReferences: ReadonlySet<string> = new Set()

/** Sharp books in the order of their use. @param first the operator's own choice */
export const sharpChain = (first: string): readonly string[] => [
  first,
  ...defaultChain.filter((sportsbook) => sportsbook !== first),
]
