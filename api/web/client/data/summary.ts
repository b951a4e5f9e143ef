/**
 * The summary of one question: the best price of each outcome, the hold, and fair prices by the first anchor that
 * offers every outcome. Hold and fair prices exist only where the outcomes leave none out. Prices of one line count:
 * the one that most sportsbooks have.
 */

import type { Chain } from '../../../../pipeline/rules/odds/chains.ts'
import { fairBy } from './fair.ts'
import { ladderOf, mainRung, rungLine } from './ladder.ts'
import { holdOf, type QuestionKind } from './market-kinds.ts'
import { cellOf, isMeasure, isOffer, type Price, type Question } from './price-store.ts'

export interface Best {
  readonly price: number
  /** Sportsbooks with this price, in the order of the columns. */
  readonly sportsbooks: readonly string[]
}

export interface Summary {
  /** By outcome, in the question's order; null without a price that can be bet on. */
  readonly best: readonly (Best | null)[]
  /** Sum of 1/best, minus one; null while an outcome has no price, or where others are possible. */
  readonly hold: number | null
  /** No-vig probabilities by outcome; null if no anchor offers all of them. One outside the set has none. */
  readonly fair: readonly (number | null)[] | null
  /** The sharp book; the first of a blend; null for the consensus. */
  readonly sharpBook: string | null
  /** The sportsbooks of a blend or of the consensus; absent where one measures. */
  readonly blend?: readonly string[]
}

const noSummary: Summary = { best: [], hold: null, fair: null, sharpBook: null }

/**
 * @param sportsbooks whose prices count, in the order of the columns
 * @param chain of the game; the first anchor that has the market is the reference
 * @param counts returns whether a price is recent and its sportsbook up
 */
export function summarise(
  question: Question,
  kind: QuestionKind,
  sportsbooks: readonly string[],
  chain: Chain,
  counts: (price: Price) => boolean,
): Summary {
  const { answers } = question
  const { outcomes } = kind
  if (answers.length === 0) return noSummary
  const at = cellsOnOneLine(question, kind, counts)
  const best = answers.map((answer): Best | null => {
    let highest = 0
    let holders: string[] = []
    for (const sportsbook of sportsbooks) {
      const cell = at(sportsbook, answer)
      if (!cell || !isOffer(cell) || cell.price < highest || !counts(cell)) continue
      if (cell.price > highest) holders = []
      highest = cell.price
      holders.push(sportsbook)
    }
    return highest > 0 ? { price: highest, sportsbooks: holders } : null
  })
  const hold = holdOf(outcomes, (outcome) => best[answers.indexOf(outcome)]?.price)
  // A reader who compares only some sportsbooks still sees them measured by all.
  const all = [...(question.cells.get(answers[0]!)?.keys() ?? [])]
  const fair = fairBy(chain, { outcomes, answers, sportsbooks: all, at, counts })
  if (!fair) return { best, hold, fair: null, sharpBook: null }
  const { chances, sportsbooks: blend, isConsensus } = fair
  const found = { best, hold, fair: chances, sharpBook: isConsensus ? null : blend[0]! }
  return blend.length > 1 ? { ...found, blend } : found
}

/** Returns a function that finds a cell by its sportsbook and outcome, if it is on the line of most sportsbooks. */
function cellsOnOneLine(question: Question, kind: QuestionKind, counts: (price: Price) => boolean) {
  const lineOf = (price: Price) => rungLine(price, kind.isHandicap)
  const at = (sportsbook: string, answer: string) => cellOf(question, answer, sportsbook)
  if (isOnOneLine(question, lineOf)) return at
  // Prices that do not count do not decide the line either: those from before the game, once it is in play.
  const cells = [...question.cells.values()]
    .flatMap((bySportsbook) => [...bySportsbook.values()])
    .filter((cell) => isMeasure(cell) && counts(cell))
  const prices = new Map(cells.map((cell) => [cell.id, cell]))
  const main = mainRung(ladderOf({ ...question, prices }, kind, counts))
  if (!main) return at
  const { line } = main
  return (sportsbook: string, answer: string) => {
    const cell = at(sportsbook, answer)
    return cell && lineOf(cell) === line ? cell : undefined
  }
}

function isOnOneLine({ cells }: Question, lineOf: (price: Price) => number | null): boolean {
  let line: number | null | undefined
  for (const bySportsbook of cells.values()) {
    for (const cell of bySportsbook.values()) {
      if (line === undefined) line = lineOf(cell)
      if (lineOf(cell) !== line) return false
    }
  }
  return true
}

/**
 * Returns the largest expected value of a best price against its fair price, as a fraction; null without a pair of them.
 */
export function edgeOf({ best, fair }: Pick<Summary, 'best' | 'fair'>): number | null {
  let edge: number | null = null
  for (const [i, chance] of (fair ?? []).entries()) {
    const price = best[i]?.price
    if (chance === null || price === undefined) continue
    edge = Math.max(edge ?? Number.NEGATIVE_INFINITY, price * chance - 1)
  }
  return edge
}

export interface Summaries {
  of(question: Question): Summary
  /** Forgets the summary of a question whose prices have changed. */
  drop(question: Question): void
  clear(): void
}

/**
 * Keeps summaries until they are dropped. A summary lists its figures in the order of the question's outcomes, so a
 * new order needs a new summary.
 */
export function createSummaries(summarise: (question: Question) => Summary): Summaries {
  const kept = new Map<string, { readonly answers: readonly string[]; readonly summary: Summary }>()
  return {
    of(question) {
      const { key, answers } = question
      const known = kept.get(key)
      if (known?.answers === answers) return known.summary
      const summary = summarise(question)
      kept.set(key, { answers, summary })
      return summary
    },
    drop: ({ key }) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}
