/** Texts that answers repeat, remembered: there are few distinct prices and slugs. */

import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds.ts'
import { memoise } from '../../schemas/memoise.ts'
import type { WithheldReason } from '../../schemas/withheld-price.ts'

/** As JSON. */
export const quoted: (text: string) => string = memoise((text) => JSON.stringify(text))

export interface PriceText {
  readonly american: number
  /** `odds_american` and `odds_decimal`. */
  readonly odds: string
  /** The same two inside an odds object. */
  readonly nested: string
  /** `odds_probability` and `probability`. */
  readonly probability: string
}

/** The last member of an object, where the price is withheld. */
export const withheldText = (reason: WithheldReason | null) =>
  reason === null ? '' : `,"withheld":"${reason}"`

/** The JSON members that say a price. */
export const priceText: (price: number) => PriceText = memoise((price) => {
  const american = decimalToAmerican(price)
  const decimal = shownPrice(price)
  const probability = shownProbability(price)
  return {
    american,
    odds: `"odds_american":${american},"odds_decimal":${decimal}`,
    nested: `"american":${american},"decimal":${decimal}`,
    probability: `"odds_probability":${probability},"probability":${probability}`,
  }
}, 65_536)
