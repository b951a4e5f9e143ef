/** The bets that a market of a game offers, by the prices that sportsbooks have of it now. */

import { type Fees, netOf } from '../../../../pipeline/rules/odds/fees.ts'

export interface OfferedPrice {
  readonly sportsbook: string
  readonly selection_type: string
  readonly line: number | null
  readonly player_name?: string | null
  /** Null for a price that is not to be had. */
  readonly odds_decimal: number | null
}

export interface Choice {
  /** The same for all prices of it. */
  readonly key: string
  readonly selectionType: string
  readonly line: number | null
  readonly player: string | null
}

const choiceOf = ({ selection_type, line, player_name = null }: OfferedPrice): Choice => ({
  key: JSON.stringify([player_name, selection_type, line]),
  selectionType: selection_type,
  line,
  player: player_name,
})

/** Returns each selection once: by player, then those that most sportsbooks offer. */
export function choicesIn(prices: readonly OfferedPrice[]): readonly Choice[] {
  const counts = new Map<string, { readonly choice: Choice; count: number }>()
  for (const price of prices) {
    const choice = choiceOf(price)
    const counted = counts.get(choice.key) ?? { choice, count: 0 }
    counted.count++
    counts.set(choice.key, counted)
  }
  return [...counts.values()]
    .sort(
      (a, b) =>
        (a.choice.player ?? '').localeCompare(b.choice.player ?? '') ||
        b.count - a.count ||
        (a.choice.line ?? 0) - (b.choice.line ?? 0),
    )
    .map(({ choice }) => choice)
}

/** Returns a sportsbook's price of a selection after its fee (decimal odds); null if it has none. */
export function priceAt(
  prices: readonly OfferedPrice[],
  { key }: Choice,
  sportsbook: string,
  fees: Fees,
): number | null {
  const offered = prices.find(
    (price) => price.sportsbook === sportsbook && choiceOf(price).key === key,
  )
  const price = offered?.odds_decimal ?? null
  return price === null ? null : netOf({ sportsbook, price }, fees)
}
