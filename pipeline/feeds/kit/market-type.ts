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

/**
 * Returns whether a text about a market names a part of the game, such as "1H", or a time outside
 * of the game.
 */
export const namesPart = (text: string, sport: string): boolean =>
  readPart(wordsOfMarket(text), sport).part !== 'game'

/** Why a label has no market type. */
export type Unmapped = 'unmapped_market' | 'unmapped_period'

/**
 * Returns our market for a source's own label, from the one table of names.
 * @param of.part the part of the game that the source states beside the label; `game` for none
 * @param of.hasDraw whether a draw is among the outcomes. In soccer, the winner of the game needs
 * one; in other sports, a draw means the result of regulation time. Handicaps with a draw are
 * unmapped.
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
  // A label that names the draw has one, even if the draw is not on offer now.
  if (hasDraw || saysDraw(label, sport)) return market
  // In soccer, a winner without a draw is a question like "To Qualify".
  if (answers === 'winner' && sport === 'soccer') return 'unmapped_market'
  // The result of regulation time without the draw is another question: a draw returns the stakes.
  return answers === 'three_ways' ? unmapped() : market
}

/** The question of a label, with the form that the source's offers have in it. */
export interface Labelled<Form> extends Question {
  readonly answers: Answers
  readonly form: Form
}

/**
 * Returns the question of a source's own label, or a skip that carries the label.
 * @param forms the forms of the source's offers, by the kind of our market's outcomes; players'
 * markets have none
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

/** Returns whether the name of a market asks another listed question than `marketType`. */
export function asksElse(name: string, sport: string, marketType: string, hasDraw = false) {
  const named = typeNamed(name, sport, hasDraw)
  return named !== null && named !== marketType
}

/**
 * Returns the moneyline type for the outcomes on offer; undefined if the sport has no such type. In
 * soccer a moneyline has a draw. Elsewhere a result with a draw is that of regulation time, which
 * is another question than the winner.
 */
export function moneylineTypeFor(
  sport: string,
  hasDraw: boolean,
  period = 'game',
): string | undefined {
  if (sport === 'soccer') return hasDraw ? marketTypeFor(sport, 'moneyline', period) : undefined
  return marketTypeFor(sport, hasDraw ? 'moneyline_3-way' : 'moneyline', period)
}
