/**
 * The subject of an event's page: market, question and line. Each stays once it is named, also while it has no prices. A
 * line is named only by the address and the reader; until then, the page shows the main line of now.
 */

import type { Asked } from '../../question-path.ts'
import type { PriceStore, Question } from './price-store.ts'

export { type Asked, askedIn, eventIdAt, questionPath } from '../../question-path.ts'

const isSame = (a: Asked, b: Asked) =>
  a.market === b.market && a.line === b.line && isOfOneQuestion(a, b)

const isOfOneQuestion = (a: Asked, b: Asked) =>
  a.player === b.player && a.statistic === b.statistic && a.team === b.team

const isNamed = (asked: Asked, { player, statistic, team }: Question) =>
  (asked.player ?? player) === player &&
  (asked.statistic ?? statistic) === statistic &&
  (asked.team ?? team) === team

export interface Subject {
  readonly asked: Asked
  /** The market of the address that names none. Null until that address has been shown with prices. */
  readonly unnamed: string | null
  /** Null until one is named or there is one. */
  readonly market: string | null
  /** Key of the question: of one player or team. Null until one is named or there is one. */
  readonly question: string | null
  /** Line of the rung that the address names or the reader has chosen; undefined for the main line. */
  readonly line: number | null | undefined
}

export const noSubject: Subject = {
  asked: { market: null, player: null, statistic: null, team: null },
  unnamed: null,
  market: null,
  question: null,
  line: undefined,
}

/** Returns the subject of an address. */
export function askedFor(asked: Asked, before: Subject): Subject {
  if (isSame(asked, before.asked)) return before
  const market = asked.market ?? before.unnamed
  const { line } = asked
  if (market === before.market && isOfOneQuestion(asked, before.asked))
    return { ...before, asked, line: line ?? before.line }
  return { ...noSubject, asked, unnamed: before.unnamed, market, line }
}

/** Names the parts that are not named yet: the first market, and its first question that the address means. */
export function settled(subject: Subject, store: PriceStore): Subject {
  const market = subject.market ?? marketsIn(store)[0] ?? null
  const question =
    subject.question ??
    questionsOf(store, market).find((one) => isNamed(subject.asked, one))?.key ??
    null
  const unnamed = subject.asked.market === null ? market : subject.unnamed
  const isSettled = market === subject.market && question === subject.question
  return isSettled && unnamed === subject.unnamed
    ? subject
    : { ...subject, unnamed, market, question }
}

export const questionsOf = ({ questions }: PriceStore, market: string | null) =>
  [...questions.values()].filter((one) => one.market === market)

const mainMarkets = /^(moneyline|point_spread|puck_line|run_line|total_(points|goals|runs))$/

/** Returns the markets with prices, in the order of `mainFirst`. */
export const marketsIn = ({ questions }: PriceStore): readonly string[] =>
  mainFirst([...new Set([...questions.values()].map(({ market }) => market))])

/** Returns markets in the order for a choice: main markets first and props last, each sorted by name. */
export function mainFirst(markets: readonly string[]): readonly string[] {
  const rank = (market: string) =>
    mainMarkets.test(market) ? 0 : market.startsWith('player_') ? 2 : 1
  return [...markets].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
