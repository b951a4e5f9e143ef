/**
 * Our market type for a sportsbook's offer on a sport; undefined, or a reason, where the reference does not list it
 * for that sport.
 */

import {
  asksOfWholeGame,
  findMarketLabelled,
  isUnclear,
  saysDraw,
  wordsOfMarket,
} from '../../../schemas/reference/market-names.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import {
  findMarket,
  type MainKind,
  type Market,
  mainMarketType,
  typeInPeriod,
} from '../../../schemas/reference/markets.ts'
import { type Part, readPart } from '../../../schemas/reference/periods.ts'
import { isHandicap } from '../../rules/odds/questions.ts'
import type { LeftOut, Question } from './board.ts'

/** Returns our type for a main kind of market, in a period; undefined where the reference has none. */
export function marketTypeFor(
  sport: string,
  kind: MainKind | 'draw_no_bet' | 'moneyline_3-way' | 'odd_even',
  period = 'game',
): string | undefined {
  if (isUnclear(sport, kind, period)) return undefined
  const id =
    kind === 'moneyline' || kind === 'spread' || kind === 'total' || kind === 'team_total'
      ? mainMarketType(sport, kind, period)
      : typeInPeriod(kind, period)
  return findMarket(id)?.sports.includes(sport) ? id : undefined
}

/** Returns whether a text about a market names a part of the game, such as "1H", or another time than that of the game. */
export const namesPart = (text: string, sport: string): boolean =>
  readPart(wordsOfMarket(text), sport).part !== 'game'

/** Why a label has no market type. */
export type Unmapped = 'unmapped_market' | 'unmapped_period'

/**
 * Returns the listed market of a source's own label, by the one table of names.
 * @param of.part the part of the game that the source states beside the label; `game` for none
 * @param of.hasDraw whether a draw is among the outcomes: elsewhere than in soccer that is the result of regulation
 * time, in soccer no winner is without one, and a handicap with a draw is not one that parsers read
 */
export function marketLabelled(
  label: string,
  sport: string,
  of: { readonly part?: Part; readonly hasDraw?: boolean; readonly isOfPlayer?: boolean } = {},
): Market | Unmapped {
  const { part = 'game', hasDraw = false, isOfPlayer = false } = of
  const unmapped = () => (asksOfWholeGame(label, sport) ? 'unmapped_period' : 'unmapped_market')
  const market = findMarket(findMarketLabelled(label, sport, part, isOfPlayer) ?? '')
  if (!market?.sports.includes(sport)) return unmapped()
  const { id, answers, hasLine, period } = market
  if (hasDraw && hasLine && isHandicap(id)) return 'unmapped_market'
  if (answers === 'winner' && hasDraw && sport !== 'soccer') {
    const threeWays = findMarket(typeInPeriod('moneyline_3-way', period))
    return threeWays?.sports.includes(sport) ? threeWays : 'unmapped_market'
  }
  // A label that says the draw has one, though it may not be on offer now.
  if (hasDraw || saysDraw(label, sport)) return market
  // Two sides of a game that has a draw are those of "To Qualify" and the like.
  if (answers === 'winner' && sport === 'soccer') return 'unmapped_market'
  // A result of regulation time without its draw returns stakes on one, and is another question.
  return answers === 'three_ways' ? unmapped() : market
}

/** The question of a label, at a source whose offers have one of these forms. */
export interface Labelled<Form> extends Question {
  readonly answers: Answers
  readonly form: Form
}

/**
 * Returns the question of a source's own label, or a skip that carries the label.
 * @param forms of the source's offers, by the outcomes of our market; players' markets have none
 */
export function questionLabelled<Form>(
  label: string,
  sport: string,
  forms: Readonly<Partial<Record<Answers, Form>>>,
  of: Parameters<typeof marketLabelled>[2] = {},
): Labelled<Form> | LeftOut {
  const market = marketLabelled(label, sport, of)
  if (typeof market === 'string') return { reason: market, label }
  const { id: marketType, answers, isPlayerProp } = market
  const form = isPlayerProp ? undefined : forms[answers]
  return form === undefined ? { reason: 'unmapped_market', label } : { marketType, answers, form }
}

/** Returns our type for the name of a market, without a line in it; null for a name that is not listed. */
export function typeNamed(name: string, sport: string, hasDraw = false): string | null {
  const label = name.replace(/\b\d+(?:\.\d+)?\b/g, ' ').replace(/\s+/g, ' ')
  const listed = marketLabelled(label.trim(), sport, { hasDraw })
  return typeof listed === 'string' ? null : listed.id
}

/** Returns whether the name of a market is listed, as another question than that of its source's type. */
export function asksElse(name: string, sport: string, marketType: string, hasDraw = false) {
  const named = typeNamed(name, sport, hasDraw)
  return named !== null && named !== marketType
}

/**
 * Returns the moneyline type for the outcomes on offer; undefined where the sport has none of them. In soccer a
 * moneyline has a draw. Elsewhere a result with a draw is that of regulation time, which is another question than the
 * winner.
 */
export function moneylineTypeFor(
  sport: string,
  hasDraw: boolean,
  period = 'game',
): string | undefined {
  if (sport === 'soccer') return hasDraw ? marketTypeFor(sport, 'moneyline', period) : undefined
  return marketTypeFor(sport, hasDraw ? 'moneyline_3-way' : 'moneyline', period)
}
