/**
 * One market of an event as a ladder: for each line, the best price of each side, the hold, and the prices of all
 * sportsbooks. The line of the first side identifies a rung.
 */

import { holdOf, type QuestionKind } from './market-kinds.ts'
import { isOffer, type Price, type Question } from './price-store.ts'

export interface RungSide {
  readonly answer: string
  readonly line: number | null
  readonly best: Price | null
  readonly prices: ReadonlyMap<string, Price>
}

export interface Rung {
  /** Line of the first side (home, over, yes); null for a market without lines. */
  readonly line: number | null
  readonly sides: readonly RungSide[]
  readonly bookCount: number
  /** Sum of 1/best, minus one; null while a side has no price, or where other outcomes are possible. */
  readonly hold: number | null
}

/** Returns the rung of a price. Spreads are signed from the selection's own side: away +1.5 is on the rung of home -1.5. */
export const rungLine = (
  { answer, line }: Pick<Price, 'answer' | 'line'>,
  isHandicap: boolean,
): number | null => (isHandicap && answer === 'away' && line !== null ? -line + 0 : line)

/**
 * Returns the rungs, sorted by line.
 * @param counts returns whether a price is recent and its sportsbook up
 */
export function ladderOf(
  question: Question,
  kind: QuestionKind,
  counts: (price: Price) => boolean,
): readonly Rung[] {
  const byLine = new Map<number | null, Price[]>()
  for (const price of question.prices.values()) {
    const line = rungLine(price, kind.isHandicap)
    const rungPrices = byLine.get(line)
    if (rungPrices) rungPrices.push(price)
    else byLine.set(line, [price])
  }
  const rungs = [...byLine].map(([line, prices]) =>
    rungOf(line, prices, question.answers, kind, counts),
  )
  return rungs.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

function rungOf(
  line: number | null,
  prices: readonly Price[],
  answers: readonly string[],
  { outcomes }: QuestionKind,
  counts: (price: Price) => boolean,
): Rung {
  const sides = answers.map((answer): RungSide => {
    const own = prices.filter((price) => price.answer === answer)
    return {
      answer,
      line: own[0]?.line ?? null,
      best: bestOf(own, counts),
      prices: new Map(own.map((price) => [price.sportsbook, price])),
    }
  })
  const bookCount = new Set(prices.filter(isOffer).map(({ sportsbook }) => sportsbook)).size
  return { line, sides, bookCount, hold: holdOfSides(outcomes, sides) }
}

function bestOf(prices: Iterable<Price>, counts: (price: Price) => boolean): Price | null {
  let best: Price | null = null
  for (const price of prices) {
    if (!isOffer(price) || !counts(price)) continue
    if (!best || price.price > best.price) best = price
  }
  return best
}

const holdOfSides = (outcomes: QuestionKind['outcomes'], sides: readonly RungSide[]) =>
  holdOf(outcomes, (outcome) => sides.find(({ answer }) => answer === outcome)?.best?.price)

/** Returns the rung with the best prices, and the hold, of the prices that count. */
export function rungAmong(
  rung: Rung,
  { outcomes }: QuestionKind,
  counts: (price: Price) => boolean,
): Rung {
  const sides = rung.sides.map((side) => ({ ...side, best: bestOf(side.prices.values(), counts) }))
  return { ...rung, sides, hold: holdOfSides(outcomes, sides) }
}

/** Returns the rung that most sportsbooks offer; among equals the one closest to even odds. */
export function mainRung(rungs: readonly Rung[]): Rung | null {
  const skew = ({ sides }: Rung) => {
    const [first, last] = [sides[0]?.best, sides.at(-1)?.best]
    return first && last ? Math.abs(1 / first.price - 1 / last.price) : 1
  }
  let main: Rung | null = null
  for (const rung of rungs) {
    const isMore = !main || rung.bookCount > main.bookCount
    if (isMore || (rung.bookCount === main!.bookCount && skew(rung) < skew(main!))) main = rung
  }
  return main
}

/**
 * Returns the rung to show while the reader has chosen none: the one shown before while it has prices, because it must
 * not be exchanged under the pointer; else the main one.
 * @param before line of the rung shown before; undefined if none was
 */
export const rungToShow = (
  rungs: readonly Rung[],
  before: number | null | undefined,
): Rung | null =>
  rungs.find(({ line, sides }) => line === before && sides.some(({ best }) => best !== null)) ??
  mainRung(rungs)
