/**
 * The guessed question of a market type that has no row in `markets.json`: only this file looks for patterns in
 * names. A source may send any name, and its rows are served too.
 *
 * A guess decides how lines and selection types are turned when home and away are exchanged, and which rows share a
 * rung. It is never enough for an opportunity: those need a listed market.
 */

import type { Answers, MarketQuestion } from './market-question.ts'

export function guessQuestion(id: string): MarketQuestion {
  return {
    answers: patterns.find(([, pattern]) => pattern.test(id))?.[0] ?? 'open',
    isPlayerProp: /(^|_)player_/.test(id),
    aliases: id.startsWith('player_') ? ['props'] : [],
  }
}

/** The patterns; the first that matches counts. */
const patterns: readonly (readonly [Answers, RegExp])[] = [
  ['double_chance', /(^|_)double_chance$/],
  ['handicap', /(^|_)(handicap|spread|run_line|puck_line)(_|$)/],
  ['winner', /(^|_)moneyline(_|$)/],
  [
    'score',
    /(^|_)((correct|exact|final|set|map|frame|leg)_score|(set|map|frame|leg)_betting)(_|$)/,
  ],
]
