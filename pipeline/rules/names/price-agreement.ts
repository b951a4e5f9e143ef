/**
 * Whether the prices of two listings are of one game: no-vig probabilities of the questions that both
 * ask, compared answer by answer. Prices of one game differ by opinion and margin; those of two games
 * agree on one question by chance, seldom on two.
 */

/** No-vig probabilities of one question, the answers in the same order on both sides. */
export interface Compared {
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

export interface PriceAgreement {
  /** How many questions agree on every answer. */
  readonly agreeing: number
  /** How many differ as no two opinions of one game do; sides the wrong way round do so too. */
  readonly contradicting: number
  readonly compared: number
}

/** Two sportsbooks seldom differ by more on a main line before the start. */
const agreeingWithin = 0.03
/** Nor do they by this: one of them is slow by a piece of news at least, or means something else. */
const contradictingFrom = 0.2

export function judgeAgreement(questions: readonly Compared[]): PriceAgreement {
  let agreeing = 0
  let contradicting = 0
  for (const { ours, theirs } of questions) {
    const apart = Math.max(...ours.map((own, at) => Math.abs(own - (theirs[at] as number))))
    if (apart <= agreeingWithin) agreeing++
    if (apart >= contradictingFrom) contradicting++
  }
  return { agreeing, contradicting, compared: questions.length }
}

/** Whether the prices say that two listings are of two games. */
export const isContradicted = ({ contradicting, compared }: PriceAgreement) =>
  2 * contradicting > compared

/** Readings that are so far apart are two; a price seen again at once says nothing new. */
export const readingsApartMs = 60_000
/** So many readings of a single question say as much as a second question. */
const readingsOfOneMarket = 5

/** Games in a row, on days of their own, whose prices agreed, each in some question. */
const eveningsOfDoubt = 3
const eveningsOfPartlyNamed = 2

/** How often prices have agreed by now. */
export interface Agreed {
  /** Questions that agree in this reading. */
  readonly agreeing: number
  /** Readings of this game that agreed. */
  readonly readings: number
  /** Games in a row, this one counted, whose prices agreed and were those of no other game of that minute. */
  readonly evenings: number
}

/**
 * Whether prices agree often enough to make one game of two listings.
 * @param isPartlyNamed the names have something in common beside the opponent
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
