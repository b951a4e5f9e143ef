/** How a fair price is made of the prices that an opportunity is measured against. */

/** Ways to take a sportsbook's margin out, see `pipeline/rules/odds/devig.ts`. The first is the default. */
export const devigMethods = ['power', 'multiplicative', 'additive', 'shin', 'odds_ratio'] as const

export type DevigMethod = (typeof devigMethods)[number]

export interface FairMeasure {
  readonly method: DevigMethod
}

/** The measure of a method alone. */
export const measureBy = (method: DevigMethod): FairMeasure | null =>
  method === devigMethods[0] ? null : { method }

export const methodOf = (measure: FairMeasure | null): DevigMethod =>
  measure?.method ?? devigMethods[0]
