/** Labels of a pushed market that contradict their selections, or ask another question. */

import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { typeBesideMore } from '../../rules/odds/market-faults.ts'
import { contradictsLabel } from '../../rules/odds/stated-labels.ts'
import type { NamedMarket, Warning } from './warnings.ts'

/**
 * Suspends selections that their labels contradict. The label is dropped, because it may identify
 * an outcome.
 */
export function withoutContradictions(
  { statedType, market }: NamedMarket,
  game: NamedGame,
  options: SideOptions,
  warnings: Warning[],
): NamedMarket {
  const { playerName, suspended } = market
  // A draw beside the sides shows that regulation time counts.
  const marketType = typeBesideMore(market, options.sport) ?? market.marketType
  const selections = market.selections.map((stated) => {
    const { selectionType, selection: label, price } = stated
    if (label === null || price === null || suspended) return stated
    const line = stated.line ?? market.line
    const labelled = { marketType, playerName, selectionType, line, label, price }
    if (!contradictsLabel(labelled, game, options)) return stated
    const at = [selectionType, line].filter((word) => word != null).join(' ')
    const message = `${statedType} ${at}: its label is "${label}"; it is suspended`
    const warning = { code: 'contradictory_label', message, marketType: statedType } as const
    warnings.push({ ...warning, selection: at, isLeftOut: true })
    return { ...stated, selection: null, price: null, suspended: true }
  })
  return { statedType, market: { ...market, selections } }
}
