/** The bets of an opportunity in one form, converted from the API's form of each kind. */

import type { OpportunityItems } from '../../wire.ts'

export interface Leg {
  readonly sportsbook: string
  /** Other sportsbooks with the same price. */
  readonly tied: readonly string[]
  readonly selection: string
  readonly selectionType: string
  /** Of its own side, as +4.5 of away. */
  readonly line: number | null
  /** Decimal odds. */
  readonly price: number
  readonly american: number
  readonly deepLink: string | null
  /** Percent of the total stake, of +EV the full Kelly stake of the bankroll; null if the list does not split it. */
  readonly stake: number | null
  /** The highest stake that the sportsbook states; null if it states none. */
  readonly maxBet: number | null
}

type ArbitrageLeg = OpportunityItems['arbitrage']['legs'][number]
/** A bet as +EV and the legs of arbitrages and middles have it; +EV splits no stake. */
type WireLeg = Partial<Pick<ArbitrageLeg, 'stake_percent'>> &
  Pick<ArbitrageLeg, keyof MiddleSide & keyof OpportunityItems['ev'] & keyof ArbitrageLeg> &
  Pick<ArbitrageLeg, 'sportsbook'>
type MiddleSide = OpportunityItems['middle']['side1']
type LowHoldSide = OpportunityItems['low_hold']['side1']

export const legOf = (leg: WireLeg): Leg => ({
  sportsbook: leg.sportsbook,
  tied: [],
  selection: leg.selection,
  selectionType: leg.selection_type,
  line: leg.line,
  price: leg.odds_decimal,
  american: leg.odds_american,
  deepLink: leg.deep_link,
  stake: leg.stake_percent ?? null,
  maxBet: leg.max_bet,
})

export const middleLeg = ({ book, ...side }: MiddleSide) => legOf({ sportsbook: book, ...side })

/** Picks different sportsbooks for the sides if ties allow it. */
export function lowHoldLegs(sides: readonly LowHoldSide[]): readonly Leg[] {
  const chosen = sides.map(({ books }) => books[0]!)
  const isOne = chosen.every((book) => book === chosen[0])
  const other = isOne ? sides.findIndex(({ books }) => books.length > 1) : -1
  if (other >= 0) chosen[other] = sides[other]!.books[1]!
  return sides.map(({ selection, selection_type, line, books, ...own }, side) => ({
    sportsbook: chosen[side]!,
    tied: books.filter((book) => book !== chosen[side]),
    selection,
    selectionType: selection_type,
    line,
    price: own.odds.decimal,
    american: own.odds.american,
    deepLink: own.deep_links[chosen[side]!] ?? null,
    stake: null,
    maxBet: own.max_bet_by_book[chosen[side]!] ?? null,
  }))
}
