/**
 * Whether the prices of two listings are of one game: no-vig probabilities of the questions that both have, compared
 * outcome by outcome. Prices of one game differ by opinion and margin; those of two games agree on one question by
 * chance, seldom on two.
 */

/** No-vig probabilities of one question, the outcomes in the same order on both sides. */
export interface Compared {
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

export interface PriceAgreement {
  /** The number of questions that agree on every outcome. */
  readonly agreeing: number
  /** The number of questions that differ more than opinions of one game usually do: others may agree by chance. */
  readonly disagreeing: number
  /** The number of questions that differ more than two opinions of one game do, or as swapped sides do. */
  readonly contradicting: number
  readonly compared: number
}

/** The most that two sportsbooks usually differ on a main line before the start. */
const agreeingWithin = 0.03
/** The least difference that is no opinion: a clear favourite and its opponent, swapped, differ by more. */
const disagreeingFrom = 0.1
/** The least difference of a contradiction: one sportsbook at least lags behind news, or has another game. */
const contradictingFrom = 0.2

export function judgeAgreement(questions: readonly Compared[]): PriceAgreement {
  let agreeing = 0
  let disagreeing = 0
  let contradicting = 0
  for (const { ours, theirs } of questions) {
    const apart = Math.max(...ours.map((own, at) => Math.abs(own - (theirs[at] as number))))
    if (apart <= agreeingWithin) agreeing++
    if (apart >= disagreeingFrom) disagreeing++
    if (apart >= contradictingFrom) contradicting++
  }
  return { agreeing, disagreeing, contradicting, compared: questions.length }
}

/** Returns whether the prices show that two listings are two games. */
export const isContradicted = ({ contradicting, compared }: PriceAgreement) =>
  2 * contradicting > compared

/** The time between two separate readings; a price seen again at once is no new evidence. */
export const readingsApartMs = 60_000
/** The number of readings of a single question that are as much evidence as a second question. */
const readingsOfOneMarket = 5

/** Games in a row, on different days, whose prices agreed, each in some question. */
const eveningsOfDoubt = 3
const eveningsOfPartlyNamed = 2

/** How often prices have agreed so far. */
export interface Agreed {
  /** Questions that agree in this reading. */
  readonly agreeing: number
  /** Readings of this game that agreed. */
  readonly readings: number
  /** Games in a row, including this one, whose prices agreed and were those of no other game of that minute. */
  readonly evenings: number
}

/**
 * Returns whether prices agree often enough to make one game of two listings.
 * @param isPartlyNamed whether the names have something in common beside the opponent
 */
export function isEnough(
  { agreeing, readings, evenings }: Agreed,
  isPartlyNamed: boolean,
): boolean {
  if (agreeing === 0) return false
  if (isPartlyNamed) return agreeing > 1 || readings > 1 || evenings >= eveningsOfPartlyNamed
  if (evenings >= eveningsOfDoubt) return true
  return readings > 1 && (agreeing > 1 || readings >= readingsOfOneMarket)
}
