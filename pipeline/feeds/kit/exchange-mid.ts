/**
 * The middle of an exchange's back and lay prices, as a sportsbook of its own beside the exchange. Nobody can bet at it:
 * others are measured against it, so it has to be a reference.
 */

import { z } from 'zod'

/** Returns the id of the sportsbook with an exchange's middle prices. */
export const midBookOf = (exchange: string) => `${exchange}_mid`

/** If lay is more than this times back, too little is offered to tell the price between. */
const widestRatio = 1.1

/**
 * @param back the best decimal odds to back; null for none
 * @param lay the best decimal odds to lay; null for none
 * @returns the decimal odds of the mean of both probabilities; null if a side is missing, the two
 * cross, or they are more than 10 % apart
 */
export function midPrice(back: number | null, lay: number | null): number | null {
  if (back === null || lay === null || back > lay || lay > back * widestRatio) return null
  return (2 * back * lay) / (back + lay)
}

/** The setting of a source that can give middle prices. */
export const midSetting = (exchange: string) =>
  z
    .boolean()
    .optional()
    .describe(
      `Also gives the middle of back and lay, as sportsbook \`${midBookOf(exchange)}\`. Name it in OVERROUND_REFERENCES.`,
    )
