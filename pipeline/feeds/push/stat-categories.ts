/**
 * The `stat_category` of a market that is not a player's. Some feeds state market and statistic
 * separately: "totals" of "corners". If the category changes the question of the market's name, it
 * is read as a part of the name.
 */

import type { IngestMarket } from '../../../schemas/http/ingest.ts'
import { findMarketNamed } from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { namesAnotherQuestion } from '../../rules/odds/labelled-questions.ts'

/**
 * Returns the market with its category in the name: "corners totals", "1st half moneyline". Returns
 * the same market if the category adds nothing, or only words that name no question.
 */
export function namedByCategory(stated: IngestMarket, sport: string): IngestMarket {
  const { market_type: name, stat_category: category, player_name: player } = stated
  if (category == null || player != null) return stated
  const market = findMarket(findMarketNamed(name, sport) ?? '')
  if (market === undefined || market.isPlayerProp) return stated
  if (!namesAnotherQuestion(category, market.id, sport)) return stated
  const whole = `${category} ${name}`
  const ofTotal = market.answers === 'over_under' ? [`total ${category}`] : []
  const isLikeIt = (text: string) =>
    findMarket(findMarketNamed(text, sport) ?? '')?.answers === market.answers
  return { ...stated, market_type: [whole, ...ofTotal].find(isLikeIt) ?? whole }
}
