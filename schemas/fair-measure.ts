/** The method of making a fair price from the prices that an opportunity is measured against. */

/** Methods of removing a sportsbook's margin, see `pipeline/rules/odds/devig.ts`. The first is the default. */
export const devigMethods = ['power', 'multiplicative', 'additive', 'shin', 'odds_ratio'] as const

export type DevigMethod = (typeof devigMethods)[number]

export interface FairMeasure {
  readonly method: DevigMethod
  /** A blend: the weight of each sportsbook, in the order of their prices; else empty. */
  readonly weights: readonly number[]
}

/** Returns the measure by a method without weights; null for the default method. */
export const measureBy = (method: DevigMethod): FairMeasure | null =>
  method === devigMethods[0] ? null : { method, weights: [] }

/** Returns the weights of a blend; empty for other measures. */
export const weightsOf = (measure: FairMeasure | null): readonly number[] => measure?.weights ?? []

export const methodOf = (measure: FairMeasure | null): DevigMethod =>
  measure?.method ?? devigMethods[0]
