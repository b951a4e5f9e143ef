/**
 * Whether the prices of two listings are of one game: no-vig probabilities of the questions that both have, compared
 * outcome by outcome. Prices of one game differ by opinion and margin. Prices of two games may
 * agree on one question by chance, but rarely on two.
 */

/** Two listings' no-vig probabilities of one question, with outcomes in the same order. */
export interface Compared {
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

export interface PriceAgreement {
  /** The number of questions that agree on every outcome. */
  readonly agreeing: number
  /**
   * The number of questions that differ more than usual for one game: others may agree by chance.
   */
  readonly disagreeing: number
  /**
   * The number of questions that differ more than is possible for one game, or as much as swapped
   * sides.
   */
  readonly contradicting: number
  readonly compared: number
}

/** The most that two sportsbooks usually differ on a main line before the start. */
const agreeingWithin = 0.03
/**
 * The least difference that is more than opinion: swapping a clear favourite and its opponent gives
 * more.
 */
const disagreeingFrom = 0.1
/**
 * The least difference of a contradiction: a sportsbook is behind the news, or has another game.
 */
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

/** The least time between two readings; a price that is seen again at once is no new evidence. */
export const readingsApartMs = 60_000
/** So many readings of a single question are as good as a second question. */
const readingsOfOneMarket = 5

/** So many games in a row, on different days, that agree in some question are enough. */
const eveningsOfDoubt = 3
const eveningsOfPartlyNamed = 2

/** How often prices have agreed so far. */
export interface Agreed {
  /** Questions that agree in this reading. */
  readonly agreeing: number
  /** Readings of this game that agreed. */
  readonly readings: number
  /**
   * Games in a row, including this one, whose prices agreed, but with no other game of the minute.
   */
  readonly evenings: number
}

/**
 * Returns whether prices agree often enough to show that two listings are one game.
 * @param isPartlyNamed whether the names have something in common besides the opponent
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
