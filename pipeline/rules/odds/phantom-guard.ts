/**
 * The phantom guard: finds prices on one line of one market that are not of the same question as the others, so that
 * an arbitrage, +EV or middle made of them would not exist. It catches: regulation time beside overtime, three ways
 * filed as two, a period filed as the game, swapped sides, a line with its sign turned, another statistic, a typing
 * error, a forgotten price.
 *
 * It sees prices only, never names, and returns a verdict per sportsbook. The caller leaves a withheld sportsbook out
 * of legs and anchors of that line, counts the reason, and turns `suspected` into the warning
 * MARKET_MISMATCH_SUSPECTED. It judges one line of a market with a complete set of outcomes (`questions.ts`); a
 * middle, which joins two lines, is not judged here.
 *
 * - The consensus on an outcome is the median implied probability of the *other* sportsbooks. The median is the same
 *   on any scale, so no logits have to be computed. The vig is taken out of the medians once, by the power method,
 *   because taking it out in proportion makes an honest longshot look 10-20 % too long.
 * - Distance is (consensus - implied) / sqrt(consensus (1 - consensus)): a plain logit step would withhold 30 beside
 *   20 (usual between an exchange and a shop) before 2.35 beside 1.93 (an error). Only a price that is too *good*
 *   counts, and it counts as offered, with its vig in.
 * - With three others or more, a distance past the limit withholds. With two others, these must agree. With one
 *   other, either of the two may be wrong: both are suspected, none withheld. The exception is a lone price many
 *   times the one implied by the other's complete market, or another lone price (`outcome-guard.ts`): it has no market
 *   of its own to check it. Where one is plainly the other with home and away exchanged, one of them has the sides swapped, and both are withheld.
 * - A sportsbook whose own prices sum below 1 does not give money away: an outcome is missing ("over 8" beside "under
 *   8" where exactly 8 is a third outcome).
 * - Where a large group of the sportsbooks (`campShareMin`) is apart from the rest, either question may be the
 *   market's, and the whole line is withheld.
 * - A withheld price is no part of a consensus. An absurd price is removed before anything is judged by it, and once
 *   a price is withheld the others are judged again: a median of two is their mean, so a price of 51 beside 3.5 would
 *   agree with 5.73, and hide that those two differ.
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

/** The verdicts per sportsbook, from harmless to worst. */
export const verdict = {
  fine,
  /** Shown, with the warning. */
  suspected: 1,
  farFromConsensus: 2,
  marketMismatch: 3,
  booksDisagree: 4,
  /** Its sides are swapped against everyone else's, or the sign of its line is turned (`ladder-guard.ts`). */
  swapped: 5,
} as const

/** Returns why a verdict withholds, as it is counted and shown; null for one that does not. */
export const withheldReason = (code: number): GuardReason | null =>
  code < verdict.farFromConsensus ? null : guardReasons[code - verdict.farFromConsensus]!

interface Limits {
  /** Distance past which a price is withheld, with three others that agree. */
  readonly far: number
  /** Distance past which a price that is not withheld is suspected. */
  readonly suspect: number
  /** A factor for `far` when there are two others only. */
  readonly twoOthers: number
  /** The expected value, price times consensus less 1, above which a price can be withheld, and suspected. */
  readonly farEdge: number
  readonly suspectEdge: number
  /** The expected value from which on a price is wrong at any distance: a longshot with a digit too many. */
  readonly edgeMax: number
  /** The same for a lone price, by one other sportsbook: a lost decimal point, American odds as decimal. */
  readonly loneEdgeMax: number
  /** The distance of a sportsbook's no-vig share, either way, past which its market is another. */
  readonly share: number
  /** The empty distance between two camps. */
  readonly camps: number
  /** The least factor by which the prices of one camp are longer than those of the other. */
  readonly campsEdge: number
  /** The least sum of a sportsbook's own prices. */
  readonly booksumMin: number
  /** The sum of own prices above which they tell nothing (an exchange with an empty book). */
  readonly booksumMax: number
}

/**
 * Limits measured on recorded boards. `far` before the start at even prices: the honest ones of four football seasons
 * and NFL 2023 reach 0.079 (the best arbitrage published of them), the errors of a World Cup match begin at 0.101. At
 * long odds it is no bound on expected value: an exchange's 18.5 beside 13.4 is 0.03 and +19 %; at short odds it is a
 * tight one, hence `farEdge`. A contract exchange's own sum goes down to 0.9945, sums that miss an outcome lie at
 * 0.971-0.992. In play prices lag each other by a score, so the distances are about twice as wide.
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

/** The least share of a line's sportsbooks in a camp, which also has at least two. */
const campShareMin = 0.3

/**
 * Judges every sportsbook on a line; the same for any order of sportsbooks.
 * @param verdicts receives one code of `verdict` per sportsbook; at least `books` long
 * @returns the worst code among them
 * @throws RangeError for a line that is not of two or three outcomes
 */
export type JudgeLine = (line: PricedLine, verdicts: Uint8Array) => number

/**
 * Creates a guard with its own working memory, so that a call allocates nothing. It keeps nothing of a line for the
 * next one.
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
  let worst: number = verdict.fine
  for (let book = 0; book < books; book++) worst = Math.max(worst, verdicts[book] as number)
  return worst
}

/**
 * Withholds the sportsbooks of the pool with a price that is implausible at any distance, measured against the lower
 * middle one of the others, so that it takes more than one wrong price to do it.
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
    // Taking the vig out seldom raises the consensus, and never by this much; this ends most calls.
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
 * Withholds a lone price of the pool that is absurd by the only other sportsbook with a price for its outcome: by its
 * complete market, or by its price where that is alone too.
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
    // Without its vig the other is lower still; this ends nearly every call.
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

/** Judges the sportsbooks that are fine so far by the pool. @returns whether one of the pool is now withheld */
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

/** Returns whether on any outcome a large group of the sportsbooks is apart from the rest. */
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
      // Both shares are in proportion to the price; at 1.01 the power method's would be far off.
      const share = median / (medianSum - (medians[outcome] as number) + median)
      const aside = Math.abs(own / booksum - share) / deviation(share)
      if (aside > limits.share && aside > spreadOf(sorted, from, others, without)) {
        return verdict.marketMismatch
      }
    }
    // Without its vig the consensus is lower still; this ends most calls.
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
 * Returns whether a sportsbook is so near the medians of all that it is fine beside those of the others too. True of
 * nearly all, and costs only one division.
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
 * Returns whether a sportsbook is shorter than the others, all as offered, on any outcome: then its long price is no
 * slip, and its whole market is another.
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
 * Returns whether the prices of a sportsbook in reverse order of outcomes are those of the others: they agree on the
 * game, and one has its sides swapped.
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
    const turned = implied[book * outcomes + outcomes - 1 - outcome] as number
    const others = (counts[outcome] as number) - 1
    if (others < 1) return false
    const median = middle(sorted, outcome * books, others, own)
    if (Math.abs(turned - median) > limits.suspect * deviation(median)) return false
  }
  return true
}

/**
 * Judges a line where no outcome has more than two prices, so that either may be wrong: suspects all sportsbooks, or,
 * where one of the two is the other turned round, marks both as swapped.
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

/** Returns whether the pool is two that are far apart, and one is the other turned round. */
function areTurned(outcomes: number, books: number, limits: Limits, scratch: Scratch): boolean {
  const { implied, pool, pooled } = scratch
  const one = pool[0] as number
  const other = pool[1] as number
  if (pooled !== 2 || !isMirrored(one, outcomes, books, limits, scratch)) return false
  const first = implied[one * outcomes] as number
  const second = implied[other * outcomes] as number
  return Math.abs(first - second) > limits.camps * deviation((first + second) / 2)
}
