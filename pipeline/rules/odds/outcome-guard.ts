/**
 * The outcome guard: finds prices of one outcome that are many times those of the other sportsbooks: a lost decimal
 * point, American odds as decimal, a price filed under another question. It needs no other outcome
 * of the market. So it judges what the phantom guard (`phantom-guard.ts`) cannot: markets without a
 * closed set of outcomes (correct score, double chance, outrights), and prices without a market of
 * their own.
 *
 * - A price is compared with the middle one of the others (the longer one, if there are two), so
 *   that a single wrong price cannot withhold a good one. With one other, the longer of the two is
 *   withheld, because a price that is too short costs nobody money. Then it must be further away.
 * - If the others' price is long, honest sportsbooks differ by more, so a small distance needs a
 *   larger factor. Distance is that of the phantom guard.
 */

/**
 * Factors measured on recorded boards. Of 558,780 prices on football results with two or more
 * others, 17 are over 1.5 times the others, one over twice (39 beside 10, 3.9 times), and none over
 * five times. Of 1,710 prices of a World Cup match and its outrights, the honest ones go up to 2.7;
 * those of other questions, such as a half's score filed as the match's, from 2.8 to
 * 79. In play, prices are behind each other by a score.
 */
const limits = {
  factor: 5,
  distance: 0.2,
  /** Wrong at any distance. */
  factorAnywhere: 20,
  /** Multiplies the factors if there is only one other sportsbook. */
  oneOther: 2,
  /** Multiplies the factors in play. */
  inPlay: 2,
} as const

/** Returns whether a price is too long compared with the middle one of the others. */
export function isTooLong(price: number, other: number, others: number, isLive: boolean): boolean {
  const wider = (others === 1 ? limits.oneOther : 1) * (isLive ? limits.inPlay : 1)
  if (price <= limits.factor * wider * other) return false
  if (price > limits.factorAnywhere * wider * other) return true
  const expected = 1 / other
  const distance = (expected - 1 / price) / Math.sqrt(expected * (1 - expected))
  return distance > limits.distance
}

/**
 * Marks the prices that are too long.
 * @param prices decimal odds by sportsbook, 0 where not quoted; it may be longer than `books`
 * @param isTooLongAt receives 1 for prices that are too long, 0 for the others
 * @returns whether there are any
 */
export type JudgeOutcome = (
  prices: Float64Array,
  books: number,
  isLive: boolean,
  isTooLongAt: Uint8Array,
) => boolean

/** Creates a guard with its own working memory, so that a call allocates nothing. */
export function createOutcomeGuard(): JudgeOutcome {
  /** The prices, longest first. */
  let sorted = new Float64Array(64)

  function sort(prices: Float64Array, books: number): number {
    let end = 0
    for (let book = 0; book < books; book++) {
      const price = prices[book]!
      if (price === 0) continue
      let place = end++
      for (; place > 0 && sorted[place - 1]! < price; place--) sorted[place] = sorted[place - 1]!
      sorted[place] = price
    }
    return end
  }

  return (prices, books, isLive, isTooLongAt) => {
    isTooLongAt.fill(0, 0, books)
    let longest = 0
    let shortest = Number.POSITIVE_INFINITY
    for (let book = 0; book < books; book++) {
      const price = prices[book]!
      if (price === 0) continue
      if (price > longest) longest = price
      if (price < shortest) shortest = price
    }
    // Nearly every call ends here.
    if (!(longest > limits.factor * shortest)) return false
    if (books > sorted.length) sorted = new Float64Array(2 * books)
    const others = sort(prices, books) - 1
    const middle = (others - 1) >> 1
    let isFound = false
    for (let book = 0; book < books; book++) {
      const price = prices[book]!
      // Without the price itself, the places after it move up by one.
      const other = sorted[middle]! > price ? sorted[middle]! : sorted[middle + 1]!
      if (!isTooLong(price, other, others, isLive)) continue
      isTooLongAt[book] = 1
      isFound = true
    }
    return isFound
  }
}
