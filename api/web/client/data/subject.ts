/**
 * The subject of an event's page: market, question and line. Each stays once it is named, also while it has no prices. A
 * line is named only by the reader; until then, the page shows the main line of now.
 */

import type { PriceStore } from './price-store.ts'

export interface Subject {
  /** The market that the address names; null if it names none. */
  readonly asked: string | null
  /** The market of the address that names none. Null until that address has been shown with prices. */
  readonly unnamed: string | null
  /** Null until one is named or there is one. */
  readonly market: string | null
  /** Key of the question: of one player or team. Null until one is named or there is one. */
  readonly question: string | null
  /** Line of the rung that the reader has chosen; undefined for the main line. */
  readonly line: number | null | undefined
}

export const noSubject: Subject = {
  asked: null,
  unnamed: null,
  market: null,
  question: null,
  line: undefined,
}

/**
 * Returns the subject of an address.
 * @param asked the market that it names; null if it names none
 */
export function askedFor(asked: string | null, before: Subject): Subject {
  if (asked === before.asked) return before
  const market = asked ?? before.unnamed
  if (market === before.market) return { ...before, asked }
  return { ...noSubject, asked, unnamed: before.unnamed, market }
}

/** Names the parts that are not named yet: the first market, and its first question. */
export function settled(subject: Subject, store: PriceStore): Subject {
  const market = subject.market ?? marketsIn(store)[0] ?? null
  const question = subject.question ?? questionsOf(store, market)[0]?.key ?? null
  const unnamed = subject.asked === null ? market : subject.unnamed
  const isSame = market === subject.market && question === subject.question
  return isSame && unnamed === subject.unnamed ? subject : { ...subject, unnamed, market, question }
}

export const questionsOf = ({ questions }: PriceStore, market: string | null) =>
  [...questions.values()].filter((one) => one.market === market)

const mainMarkets = /^(moneyline|point_spread|puck_line|run_line|total_(points|goals|runs))$/

/** Returns the markets with prices: main markets first and props last, each sorted by name. */
export function marketsIn({ questions }: PriceStore): readonly string[] {
  const markets = new Set([...questions.values()].map(({ market }) => market))
  const rank = (market: string) =>
    mainMarkets.test(market) ? 0 : market.startsWith('player_') ? 2 : 1
  return [...markets].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
