/**
 * The phantom guard: finds prices on one line of one market that are not of the same question as the others, so that
 * an arbitrage, +EV or middle made of them would not exist. It catches: regulation time beside
 * overtime, three ways filed as two, a period filed as the game, swapped sides, a line with the
 * wrong sign, another statistic, a typing error, a forgotten price.
 *
 * It sees only prices, no names, and returns a verdict per sportsbook. The caller leaves a withheld
 * sportsbook out of legs and anchors of that line, counts the reason, and turns `suspected` into
 * the warning MARKET_MISMATCH_SUSPECTED. It judges one line of a market with a complete set of
 * outcomes (`questions.ts`); a middle, which joins two lines, is not judged here.
 *
 * - The consensus on an outcome is the median implied probability of the *other* sportsbooks. The
 *   median is the same on any scale, so no logits are needed. The vig is removed from the medians
 *   once, by the power method: removing it in proportion would make an honest longshot look 10-20 %
 *   too long.
 * - Distance is (consensus - implied) / sqrt(consensus (1 - consensus)). A difference of logits
 *   would withhold 30 beside 20 (usual between an exchange and a bookmaker) before 2.35 beside 1.93
 *   (an error). Only a price that is too *good* counts, and it counts as offered, including its
 *   vig.
 * - With three or more others, a distance above the limit withholds. With two others, these must
 *   agree. With one other, either may be wrong: both are suspected and none is withheld. There is
 *   one exception: a lone price that is many times the one implied by the other's complete market,
 *   or by another lone price (`outcome-guard.ts`). It has no market of its own that could confirm
 *   it. If one market is clearly the other with home and away exchanged, one of the two has swapped
 *   sides, and both are withheld.
 * - Sportsbooks whose prices are of different bets are judged by their own prices alone.
 * - If a sportsbook's own prices sum to less than 1, it does not give money away: an outcome is
 *   missing ("over 8" beside "under 8" if exactly 8 is a third outcome).
 * - If a large group of the sportsbooks (`campShareMin`) is apart from the others, either may have
 *   the market's question, and the whole line is withheld.
 * - A withheld price is not part of a consensus. Absurd prices are removed first, and after a price
 *   is withheld the others are judged again. The reason: a median of two is their mean, so 51
 *   beside 3.5 would agree with 5.73 and hide that the two differ.
 */

import { type GuardReason, guardReasons } from '../../../schemas/withheld-price.ts'
import { devig } from './devig.ts'
import {
  createScratch,
  deviation,
  fillPool,
  fine,
  middle,
  nobody,
  type PricedLine,
  powerOf,
  readPrices,
  type Scratch,
  sizedFor,
  spreadOf,
} from './line-consensus.ts'
import { isTooLong } from './outcome-guard.ts'

/** The verdicts on a sportsbook, from harmless to worst. */
export const verdict = {
  fine,
  /** Shown, with the warning. */
  suspected: 1,
  farFromConsensus: 2,
  marketMismatch: 3,
  booksDisagree: 4,
  /**
   * Its sides are swapped compared with all others, or its line has the wrong sign
   * (`ladder-guard.ts`).
   */
  swapped: 5,
} as const

/**
 * Returns the reason of a verdict that withholds, as it is counted and shown; null for other
 * verdicts.
 */
export const withheldReason = (code: number): GuardReason | null =>
  code < verdict.farFromConsensus ? null : guardReasons[code - verdict.farFromConsensus]!

interface Limits {
  /** Above this distance a price is withheld, if three others agree. */
  readonly far: number
  /** Above this distance a price that is not withheld is suspected. */
  readonly suspect: number
  /** A factor for `far` if there are only two others. */
  readonly twoOthers: number
  /**
   * The least expected value (price times consensus, minus 1) for withholding a price, and
   * (`suspectEdge`) for suspecting it.
   */
  readonly farEdge: number
  readonly suspectEdge: number
  /** From this expected value, a price is wrong at any distance: a longshot with an extra digit. */
  readonly edgeMax: number
  /**
   * The same for a lone price compared with one other sportsbook: a lost decimal point, American
   * odds read as decimal.
   */
  readonly loneEdgeMax: number
  /**
   * Above this distance of a sportsbook's no-vig share, in either direction, its market is another
   * one.
   */
  readonly share: number
  /** The least gap between two camps, without prices in it. */
  readonly camps: number
  /** The least factor by which one camp's prices are longer than the other's. */
  readonly campsEdge: number
  /** The least sum of a sportsbook's own prices. */
  readonly booksumMin: number
  /** Above this sum, own prices mean nothing (an exchange with an empty book). */
  readonly booksumMax: number
}

/**
 * Limits measured on recorded boards. `far` before the start at even prices: honest prices of four
 * football seasons and NFL 2023 reach 0.079 (their best published arbitrage); the errors of a World
 * Cup match begin at 0.101. At long odds `far` does not limit the expected value: an exchange's
 * 18.5 beside 13.4 is 0.03 and +19 %. At short odds it is a strict limit, hence `farEdge`. A
 * contract exchange's own sum goes down to 0.9945; sums that lack an outcome are 0.971-0.992. In
 * play, prices are behind each other by a score, so the distances are about twice as large.
 */
const beforeStart: Limits = {
  far: 0.09,
  suspect: 0.06,
  twoOthers: 1.2,
  farEdge: 0.05,
  suspectEdge: 0.04,
  edgeMax: 1,
  loneEdgeMax: 4,
  share: 0.25,
  camps: 0.2,
  campsEdge: 0.1,
  booksumMin: 0.993,
  booksumMax: 1.4,
}

const inPlay: Limits = {
  ...beforeStart,
  far: 0.16,
  suspect: 0.12,
  share: 0.5,
  camps: 0.4,
  booksumMin: 0.97,
}

/** The least share of a line's sportsbooks in a camp, which must also have at least two. */
const campShareMin = 0.3

/**
 * Judges every sportsbook on a line; the same for any order of sportsbooks.
 * @param verdicts receives one code of `verdict` per sportsbook; at least `books` long
 * @returns the worst code among them
 * @throws RangeError for a line that does not have two or three outcomes
 */
export type JudgeLine = (line: PricedLine, verdicts: Uint8Array) => number

/**
 * Creates a guard with its own working memory, so that calls make no allocations. It keeps no state
 * between lines.
 */
export function createPhantomGuard(): JudgeLine {
  const scratch = createScratch()
  return (line, verdicts) => judgeLine(line, verdicts, scratch)
}

function judgeLine(line: PricedLine, verdicts: Uint8Array, scratch: Scratch): number {
  const { outcomes, books } = line
  if (outcomes !== 2 && outcomes !== 3) throw new RangeError(`a line of ${outcomes} outcomes`)
  if (books > scratch.booksMax) Object.assign(scratch, sizedFor(2 * books))
  const limits = line.isLive ? inPlay : beforeStart
  verdicts.fill(verdict.fine, 0, books)
  readPrices(line, scratch)
  const { booksums } = scratch
  for (let book = 0; book < books; book++) {
    const sum = booksums[book] as number
    if (sum > 0 && sum < limits.booksumMin) verdicts[book] = verdict.marketMismatch
  }
  if (!line.isComparable) return worstOf(verdicts, books)
  fillPool(line, verdicts, limits.booksumMax, scratch)
  if (isInCamps(outcomes, books, limits, scratch)) {
    for (let book = 0; book < books; book++) verdicts[book] = verdict.booksDisagree
    return verdict.booksDisagree
  }
  if (withholdAbsurd(line, verdicts, limits, scratch))
    fillPool(line, verdicts, limits.booksumMax, scratch)
  if (withholdLone(line, verdicts, limits, scratch))
    fillPool(line, verdicts, limits.booksumMax, scratch)
  if (judgePooled(line, verdicts, limits, scratch)) {
    for (let book = 0; book < books; book++) {
      if (verdicts[book] === verdict.suspected) verdicts[book] = verdict.fine
    }
    fillPool(line, verdicts, limits.booksumMax, scratch)
    judgePooled(line, verdicts, limits, scratch)
  }
  let isSuspecting = false
  for (let book = 0; book < books; book++) {
    if (verdicts[book] === verdict.suspected) isSuspecting = true
  }
  if (isSuspecting) suspectPairs(outcomes, books, verdicts, limits, scratch)
  return worstOf(verdicts, books)
}

function worstOf(verdicts: Uint8Array, books: number): number {
  let worst: number = verdict.fine
  for (let book = 0; book < books; book++) worst = Math.max(worst, verdicts[book] as number)
  return worst
}

/**
 * Withholds the sportsbooks of the pool whose price is implausible at any distance. It is compared
 * with the lower middle one of the others, so that a single wrong price cannot cause it.
 * @returns whether there were any
 */
function withholdAbsurd(
  { outcomes, books }: PricedLine,
  verdicts: Uint8Array,
  limits: Limits,
  scratch: Scratch,
): boolean {
  const { sorted, counts, implied, pool, pooled } = scratch
  let power = 0
  let isWithholding = false
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const count = counts[outcome] as number
    if (count < 3) continue
    const from = outcome * books
    const middleOne = sorted[from + 1 + ((count - 2) >> 1)] as number
    // Removing the vig rarely raises the consensus, and never by this much; most calls end here.
    if (middleOne <= (sorted[from] as number) * (1 + limits.edgeMax / 2)) continue
    if (power === 0) power = powerOf(outcomes, scratch)
    const highest = middleOne ** power / (1 + limits.edgeMax)
    if ((sorted[from] as number) >= highest) continue
    for (let at = 0; at < pooled; at++) {
      const book = pool[at] as number
      const own = implied[book * outcomes + outcome] as number
      if (own === 0 || own >= highest || verdicts[book] !== verdict.fine) continue
      const code = codeOf(book, outcomes, books, power, limits, scratch)
      if (code < verdict.farFromConsensus) continue
      verdicts[book] = code
      isWithholding = true
    }
  }
  return isWithholding
}

/**
 * Withholds a lone price of the pool that is absurd compared with the only other sportsbook that
 * prices its outcome: with its complete market, or with its price if that is alone too.
 * @returns whether there were any
 */
function withholdLone(
  { outcomes, books, isLive }: PricedLine,
  verdicts: Uint8Array,
  { loneEdgeMax }: Limits,
  { counts, sorted, implied, booksums, pool, pooled }: Scratch,
): boolean {
  let isWithholding = false
  for (let outcome = 0; outcome < outcomes; outcome++) {
    if (counts[outcome] !== 2) continue
    const own = sorted[outcome * books] as number
    // Without its vig the other is even lower; nearly every call ends here.
    if ((sorted[outcome * books + 1] as number) <= own * (1 + loneEdgeMax)) continue
    let lone = -1
    let whole = -1
    for (let at = 0; at < pooled; at++) {
      const book = pool[at] as number
      const probability = implied[book * outcomes + outcome] as number
      if (probability === own) lone = book
      else if (probability > 0) whole = book
    }
    if (booksums[lone] !== 0) continue
    if (booksums[whole] === 0) {
      if (!isTooLong(1 / own, 1 / sorted[outcome * books + 1]!, 1, isLive)) continue
    } else {
      const prices = Array.from(
        { length: outcomes },
        (_, at) => 1 / implied[whole * outcomes + at]!,
      )
      const fair = devig(prices)?.probabilities[outcome] ?? 0
      if (fair / own - 1 <= loneEdgeMax) continue
    }
    verdicts[lone] = verdict.farFromConsensus
    isWithholding = true
  }
  return isWithholding
}

/**
 * Judges by the pool the sportsbooks that are fine so far. @returns whether one of the pool is
 * withheld now
 */
function judgePooled(
  { outcomes, books }: PricedLine,
  verdicts: Uint8Array,
  limits: Limits,
  scratch: Scratch,
): boolean {
  const power = powerOf(outcomes, scratch)
  let isWithholding = false
  for (let book = 0; book < books; book++) {
    if (verdicts[book] !== verdict.fine) continue
    const code = codeOf(book, outcomes, books, power, limits, scratch)
    verdicts[book] = code
    if (code >= verdict.farFromConsensus) isWithholding = true
  }
  return isWithholding
}

/** Returns the verdict on one sportsbook, by the pool. */
function codeOf(
  book: number,
  outcomes: number,
  books: number,
  power: number,
  limits: Limits,
  scratch: Scratch,
): number {
  const code = judgeBook(book, outcomes, books, power, limits, scratch)
  const isTurned =
    code >= verdict.farFromConsensus && isMirrored(book, outcomes, books, limits, scratch)
  return isTurned ? verdict.swapped : code
}

/** Returns whether, on any outcome, a large group of the sportsbooks is apart from the others. */
function isInCamps(
  outcomes: number,
  books: number,
  limits: Limits,
  { counts, sorted }: Scratch,
): boolean {
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const count = counts[outcome] as number
    const least = Math.max(2, Math.ceil(count * campShareMin))
    const from = outcome * books
    for (let at = least; at <= count - least; at++) {
      const below = sorted[from + at - 1] as number
      const above = sorted[from + at] as number
      const gap = above - below
      if (gap <= limits.campsEdge * below) continue
      if (gap > limits.camps * deviation((above + below) / 2)) return true
    }
  }
  return false
}

function judgeBook(
  book: number,
  outcomes: number,
  books: number,
  power: number,
  limits: Limits,
  scratch: Scratch,
): number {
  const { implied, booksums, sorted, counts, medians, medianSum } = scratch
  const booksum = booksums[book] as number
  const inPool = booksum > 0 ? booksum <= limits.booksumMax : !scratch.completeOnly
  const hasShares = medianSum > 0 && booksum > 0 && inPool
  if (hasShares && power >= 1 && isPlain(book, outcomes, booksum, limits, scratch))
    return verdict.fine
  let code: number = verdict.fine
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const own = implied[book * outcomes + outcome] as number
    const others = (counts[outcome] as number) - (inPool && own > 0 ? 1 : 0)
    if (own === 0 || others === 0) continue
    const without = inPool ? own : nobody
    const from = outcome * books
    const median = middle(sorted, from, others, without)
    if (hasShares && others >= 2) {
      // Both shares are by proportion; at 1.01 those of the power method would be far off.
      const share = median / (medianSum - (medians[outcome] as number) + median)
      const aside = Math.abs(own / booksum - share) / deviation(share)
      if (aside > limits.share && aside > spreadOf(sorted, from, others, without)) {
        return verdict.marketMismatch
      }
    }
    // Without its vig the consensus is even lower; most calls end here.
    if (power >= 1 && median <= own * (1 + limits.suspectEdge)) continue
    const consensus = median ** power
    const distance = (consensus - own) / deviation(consensus)
    const edge = consensus / own - 1
    if (edge > limits.edgeMax || (distance > limits.suspect && edge > limits.suspectEdge)) {
      code = Math.max(code, verdict.suspected)
      if (others >= 2 && isFar(distance, edge, sorted, from, others, without, limits)) {
        code = verdict.farFromConsensus
      }
    }
  }
  if (code !== verdict.farFromConsensus) return code
  return isShort(book, outcomes, books, inPool, limits, scratch) ? verdict.marketMismatch : code
}

/**
 * Returns whether a sportsbook is so close to the medians of all that it is fine compared with
 * those of the others, too. True for nearly all, and costs only one division.
 */
function isPlain(
  book: number,
  outcomes: number,
  booksum: number,
  limits: Limits,
  { implied, ceilings, medians, medianSum }: Scratch,
): boolean {
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const own = implied[book * outcomes + outcome] as number
    if ((ceilings[outcome] as number) > own * (1 + limits.suspectEdge)) return false
    const share = (medians[outcome] as number) / medianSum
    const aside = own / booksum - share
    if (aside * aside > (limits.share * limits.share * share * (1 - share)) / 4) return false
  }
  return true
}

/** Returns whether a price is too long by more than the others differ from each other. */
function isFar(
  distance: number,
  edge: number,
  sorted: Float64Array,
  from: number,
  others: number,
  without: number,
  limits: Limits,
): boolean {
  if (edge > limits.edgeMax) return true
  if (edge <= limits.farEdge) return false
  const spread = spreadOf(sorted, from, others, without)
  return distance > Math.max(others === 2 ? limits.far * limits.twoOthers : limits.far, spread)
}

/**
 * Returns whether a sportsbook's price is shorter than the others' on any outcome, all as offered.
 * Then its long price is no typing error, and its whole market is another one.
 */
function isShort(
  book: number,
  outcomes: number,
  books: number,
  inPool: boolean,
  limits: Limits,
  { implied, sorted, counts }: Scratch,
): boolean {
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const own = implied[book * outcomes + outcome] as number
    const others = (counts[outcome] as number) - (inPool && own > 0 ? 1 : 0)
    if (own === 0 || others === 0) continue
    const median = middle(sorted, outcome * books, others, inPool ? own : nobody)
    const isOff = own - median > (limits.far / 2) * deviation(median)
    if (isOff && own > median * (1 + limits.suspectEdge)) return true
  }
  return false
}

/**
 * Returns whether a sportsbook's prices, with home and away exchanged, agree with the others': then
 * it is the same game with swapped sides.
 */
function isMirrored(
  book: number,
  outcomes: number,
  books: number,
  limits: Limits,
  { booksums, implied, counts, sorted }: Scratch,
): boolean {
  const booksum = booksums[book] as number
  if (booksum === 0 || booksum > limits.booksumMax) return false
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const own = implied[book * outcomes + outcome] as number
    const turned = implied[book * outcomes + withSidesExchanged(outcome)] as number
    const others = (counts[outcome] as number) - 1
    if (others < 1) return false
    const median = middle(sorted, outcome * books, others, own)
    if (Math.abs(turned - median) > limits.suspect * deviation(median)) return false
  }
  return true
}

/** Returns the other one of the first two outcomes, which are the sides. A third, the draw, stays. */
const withSidesExchanged = (outcome: number) => (outcome < 2 ? 1 - outcome : outcome)

/**
 * Judges a line where no outcome has more than two prices, so that either may be wrong. Suspects
 * all sportsbooks or, if one of the two is the other with exchanged sides, marks both as swapped.
 */
function suspectPairs(
  outcomes: number,
  books: number,
  verdicts: Uint8Array,
  limits: Limits,
  scratch: Scratch,
) {
  for (let outcome = 0; outcome < outcomes; outcome++) {
    if ((scratch.counts[outcome] as number) > 2) return
  }
  const areSwapped = areTurned(outcomes, books, limits, scratch)
  for (let book = 0; book < books; book++) {
    const code = verdicts[book] as number
    if (code > verdict.suspected) continue
    verdicts[book] = areSwapped ? verdict.swapped : verdict.suspected
  }
}

/**
 * Returns whether the pool is two sportsbooks that are far apart, and one is the other with
 * exchanged sides.
 */
function areTurned(outcomes: number, books: number, limits: Limits, scratch: Scratch): boolean {
  const { implied, pool, pooled } = scratch
  const one = pool[0] as number
  const other = pool[1] as number
  if (pooled !== 2 || !isMirrored(one, outcomes, books, limits, scratch)) return false
  const first = implied[one * outcomes] as number
  const second = implied[other * outcomes] as number
  return Math.abs(first - second) > limits.camps * deviation((first + second) / 2)
}
