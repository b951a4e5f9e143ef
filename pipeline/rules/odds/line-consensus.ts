/**
 * The consensus on one line of a market: the prices of its sportsbooks as implied probabilities, the pool of those that
 * count, and the medians and spread of the pool. All of it is in memory that the next line reuses,
 * so that there are no allocations. `phantom-guard.ts` uses it.
 */

/** The verdict on a sportsbook that counts; any other verdict excludes it from the pool. */
export const fine = 0

/** One line of one market. The guard keeps no reference to it, so its arrays may be reused. */
export interface PricedLine {
  /** The number of outcomes of the complete market, in the order of its `OutcomeSet`: 2 or 3. */
  readonly outcomes: number
  readonly books: number
  /** Decimal odds, book after book, `outcomes` each; 0 where not quoted. The array may be longer. */
  readonly prices: Float64Array
  readonly isLive: boolean
  /**
   * Whether they are prices of the same bet (`in-play-handicaps.ts`). If not, each sportsbook is
   * judged alone.
   */
  readonly isComparable: boolean
}

/** Scratch memory of a call, reused by the next one. */
export interface Scratch {
  booksMax: number
  implied: Float64Array
  /** The booksum of each sportsbook; 0 for one that does not quote every outcome. */
  booksums: Float64Array
  /** The implied probabilities of the consensus, outcome by outcome, lowest first. */
  sorted: Float64Array
  /** The sportsbooks of the consensus, `pooled` of them. */
  pool: Int32Array
  pooled: number
  /** The number of prices in the pool, by outcome. */
  readonly counts: Int32Array
  readonly medians: Float64Array
  /** An upper bound of the medians with one sportsbook left out. */
  readonly ceilings: Float64Array
  /** Whether the consensus has only sportsbooks with every outcome. */
  completeOnly: boolean
  /** The sum of the medians; 0 if they do not make up a market. */
  medianSum: number
}

/** The initial capacity, more sportsbooks than exist; the arrays grow for more. */
const firstBooksMax = 512

export const sizedFor = (booksMax: number) => ({
  booksMax,
  implied: new Float64Array(booksMax * 3),
  booksums: new Float64Array(booksMax),
  sorted: new Float64Array(booksMax * 3),
  pool: new Int32Array(booksMax),
})

export const createScratch = (): Scratch => ({
  ...sizedFor(firstBooksMax),
  counts: new Int32Array(3),
  medians: new Float64Array(3),
  ceilings: new Float64Array(3),
  pooled: 0,
  completeOnly: false,
  medianSum: 0,
})

/** Fills `implied` and `booksums`. */
export function readPrices(
  { outcomes, books, prices }: PricedLine,
  { implied, booksums }: Scratch,
) {
  for (let book = 0; book < books; book++) {
    let sum = 0
    let isComplete = true
    for (let at = book * outcomes; at < (book + 1) * outcomes; at++) {
      const price = prices[at] as number
      const probability = price > 1 ? 1 / price : 0
      implied[at] = probability
      sum += probability
      if (probability === 0) isComplete = false
    }
    booksums[book] = isComplete ? sum : 0
  }
}

/**
 * Fills `pool` with the sportsbooks whose verdict is `fine`, and `sorted` and the sums of each
 * outcome by it. A sportsbook that lists two of three outcomes may have another question. So if two
 * sportsbooks list all three, only such sportsbooks count.
 */
export function fillPool(
  { outcomes, books }: PricedLine,
  verdicts: Uint8Array,
  booksumMax: number,
  scratch: Scratch,
) {
  const { booksums, pool, sorted, counts, medians, ceilings } = scratch
  let complete = 0
  let pooled = 0
  for (let book = 0; book < books; book++) {
    const sum = booksums[book] as number
    if (verdicts[book] !== fine || sum > booksumMax) continue
    if (sum > 0) complete++
    pool[pooled++] = book
  }
  const completeOnly = outcomes === 3 && complete >= 2
  scratch.completeOnly = completeOnly
  if (completeOnly) pooled = keepComplete(pooled, scratch)
  scratch.pooled = pooled
  let medianSum = 0
  let isWhole = true
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const from = outcome * books
    const count = sortOutcome(outcome, outcomes, from, pooled, scratch)
    const median = count > 0 ? middle(sorted, from, count, nobody) : 0
    counts[outcome] = count
    medians[outcome] = median
    const ceiling = from + (count >> 1) + (count % 2)
    ceilings[outcome] = count > 1 ? (sorted[ceiling] as number) : 1
    medianSum += median
    if (count === 0) isWhole = false
  }
  scratch.medianSum = isWhole ? medianSum : 0
}

/** Keeps in `pool` only the sportsbooks with every outcome; returns how many there are. */
function keepComplete(pooled: number, { pool, booksums }: Scratch): number {
  let kept = 0
  for (let at = 0; at < pooled; at++) {
    const book = pool[at] as number
    if ((booksums[book] as number) > 0) pool[kept++] = book
  }
  return kept
}

/** Puts one outcome of the pool into `sorted` by insertion; returns how many quote it. */
function sortOutcome(
  outcome: number,
  outcomes: number,
  from: number,
  pooled: number,
  { pool, implied, sorted }: Scratch,
): number {
  let end = from
  for (let at = 0; at < pooled; at++) {
    const probability = implied[(pool[at] as number) * outcomes + outcome] as number
    if (probability === 0) continue
    let place = end++
    for (; place > from; place--) {
      const before = sorted[place - 1] as number
      if (before <= probability) break
      sorted[place] = before
    }
    sorted[place] = probability
  }
  return end - from
}

/** An implied probability above all others: with it, no sportsbook is left out. */
export const nobody = 2

/** Returns the entry of a sorted stretch at `index`, after removing one entry equal to `without`. */
function entry(sorted: Float64Array, from: number, index: number, without: number): number {
  const value = sorted[from + index] as number
  return value < without ? value : (sorted[from + index + 1] as number)
}

/** Returns the median of the `count` entries of a sorted stretch after removing `without`. */
export function middle(sorted: Float64Array, from: number, count: number, without: number): number {
  const upper = entry(sorted, from, count >> 1, without)
  return count % 2 === 1 ? upper : (entry(sorted, from, (count >> 1) - 1, without) + upper) / 2
}

/**
 * Returns the exponent that makes the medians sum to 1; 1 if they do not make up a market. The sum
 * falls and is convex in the exponent, so Newton's steps from 1 never pass it, and three are
 * enough.
 */
export function powerOf(outcomes: number, { medians, medianSum }: Scratch): number {
  if (medianSum === 0) return 1
  let power = 1
  for (let step = 0; step < 3; step++) {
    let excess = -1
    let slope = 0
    for (let outcome = 0; outcome < outcomes; outcome++) {
      const log = Math.log(medians[outcome] as number)
      const probability = Math.exp(power * log)
      excess += probability
      slope += probability * log
    }
    power -= excess / slope
  }
  return power
}

/** Returns how far apart the others are on an outcome, without a quarter of them at each end. */
export function spreadOf(
  sorted: Float64Array,
  from: number,
  others: number,
  without: number,
): number {
  const trimmed = others >> 2
  const highest = entry(sorted, from, others - 1 - trimmed, without)
  const lowest = entry(sorted, from, trimmed, without)
  return (highest - lowest) / deviation((highest + lowest) / 2)
}

/** Returns the standard deviation of one bet that wins with this probability. */
export const deviation = (probability: number) => Math.sqrt(probability * (1 - probability))
