/**
 * The confidence in an opportunity: a score, the age at which its prices are suspect, and the warnings of a +EV row.
 * No published source has such numbers: all of `proposals` come from the interface supplement 5.6,
 * 5.7 and 5.9; change them here.
 *
 * Ages are those of the oldest price involved, in ms; a price of the near future, from a sportsbook whose clock is
 * ahead, is as fresh as possible.
 */

const second = 1_000

/** A limit that depends on whether the event is under way. */
interface ByState {
  readonly live: number
  readonly preMatch: number
}

const proposals = {
  /** Parts of the score; they sum to 1. */
  weights: { bookCount: 0.35, freshness: 0.25, width: 0.2, reference: 0.2 },
  /** With this many sportsbooks on a selection, more of them add nothing. */
  bookCountEnough: 8,
  /** A reference market with this overround or more is useless. */
  widthUseless: 0.08,
  /** Weights by place in the default chain of sharp books; any other book has the last weight. */
  referenceWeights: [1, 0.8, 0.8, 0.6],
  /** Used because a low hold has no reference book. */
  lowHoldReference: 0.8,
  freshUntilMs: 10 * second,
  uselessFromMs: { live: 30 * second, preMatch: 120 * second },
  possiblyStaleAfterMs: { live: 30 * second, preMatch: 120 * second },
  veryStaleAfterMs: { live: 120 * second, preMatch: 600 * second },
} as const

const limitOf = (limits: ByState, isLive: boolean) => (isLive ? limits.live : limits.preMatch)

const clampToOne = (part: number) => Math.min(1, Math.max(0, part))

/** Returns 1 up to 10 s of age, falling evenly to 0 at 30 s live or 120 s before the start. */
export function freshness(ageMs: number, isLive: boolean): number {
  const uselessFromMs = limitOf(proposals.uselessFromMs, isLive)
  return clampToOne((uselessFromMs - ageMs) / (uselessFromMs - proposals.freshUntilMs))
}

/** Returns whether it is older than 30 s live or 120 s before the start: the price may be gone. */
export const isPossiblyStale = (ageMs: number, isLive: boolean) =>
  ageMs > limitOf(proposals.possiblyStaleAfterMs, isLive)

/** Returns whether it is older than 120 s live or 600 s before the start: the price is probably gone. */
export const isVeryStale = (ageMs: number, isLive: boolean) =>
  ageMs > limitOf(proposals.veryStaleAfterMs, isLive)

/**
 * Returns the weight of a reference sportsbook, 0.6 to 1.
 * @param position its place in the default chain of sharp books, from 0; -1 if it is not there
 */
export function referenceWeight(position: number): number {
  const { referenceWeights } = proposals
  return referenceWeights[position] ?? referenceWeights[referenceWeights.length - 1] ?? 0
}

export interface ConfidenceOf {
  /** Distinct sportsbooks that quote the selection at its line now, the reference included. */
  readonly bookCount: number
  /** Age of the oldest price involved. */
  readonly ageMs: number
  readonly isLive: boolean
  /** Overround of the reference market, a fraction; one below 0 counts as 0. */
  readonly width: number
  /** The result of `referenceWeight`. */
  readonly referenceWeight: number
}

/** Returns the confidence in a +EV row, a whole number from 0 to 100. */
export function confidenceScore(of: ConfidenceOf): number {
  const { weights, bookCountEnough, widthUseless } = proposals
  const score =
    weights.bookCount * clampToOne(of.bookCount / bookCountEnough) +
    weights.freshness * freshness(of.ageMs, of.isLive) +
    weights.width * clampToOne(1 - of.width / widthUseless) +
    weights.reference * of.referenceWeight
  return Math.round(100 * score)
}

export interface LowHoldConfidenceOf extends Omit<ConfidenceOf, 'width' | 'referenceWeight'> {
  /** Overround of the best prices, a fraction; one below 0, an arbitrage, counts as 0. */
  readonly hold: number
}

/** Returns the confidence in a low hold, a whole number from 0 to 96, because it has no reference book. */
export const lowHoldConfidence = ({ bookCount, ageMs, isLive, hold }: LowHoldConfidenceOf) =>
  confidenceScore({
    bookCount,
    ageMs,
    isLive,
    width: hold,
    referenceWeight: proposals.lowHoldReference,
  })

const evWarningNames = [
  'CONSENSUS_REF',
  'LIVE_STALE_ODDS',
  'POTENTIALLY_STALE_ODDS',
  'SINGLE_SHARP_REF',
  'STALE_PREMATCH_ODDS',
] as const

export type EvWarning = (typeof evWarningNames)[number]

export interface EvWarningsOf {
  /** Age of the older of the candidate's price and the reference's. */
  readonly ageMs: number
  readonly isLive: boolean
  /**
   * Sharp books that quote all outcomes of the line now, including the reference if it is one. The
   * sportsbook of the bet does not count, because it cannot confirm the reference.
   */
  readonly sharpBookCount: number
  /** Whether its reference is the consensus of other sportsbooks, for lack of a sharp book. */
  readonly isOfConsensus: boolean
}

/**
 * Returns the warnings of a +EV row, in alphabetical order, possibly none. `CONSENSUS_REF`: no
 * sharp book quotes the market, so its sportsbooks are compared with each other.
 * `SINGLE_SHARP_REF`: only one sharp book quotes the market now, so no other confirms it.
 */
export function evWarnings({
  ageMs,
  isLive,
  sharpBookCount,
  isOfConsensus,
}: EvWarningsOf): EvWarning[] {
  const possiblyStale = isPossiblyStale(ageMs, isLive)
  const applies: Record<EvWarning, boolean> = {
    CONSENSUS_REF: isOfConsensus,
    LIVE_STALE_ODDS: possiblyStale && isLive,
    POTENTIALLY_STALE_ODDS: possiblyStale,
    SINGLE_SHARP_REF: sharpBookCount === 1,
    STALE_PREMATCH_ODDS: possiblyStale && !isLive,
  }
  return evWarningNames.filter((name) => applies[name])
}
