/**
 * The `stat_category` of a market that is no player's. Feeds that keep market and statistic apart have "totals" of
 * "corners"; a category that asks another question than the market's name is read as a part of the name.
 */

import type { IngestRecord } from '../../../schemas/http/ingest.ts'
import { findMarketNamed } from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { namesAnotherQuestion } from '../../rules/odds/labelled-questions.ts'

type IngestMarket = Extract<IngestRecord, { type: 'odds' }>['markets'][number]

/**
 * Returns the market under the name that its category makes of it: "corners totals", "1st half moneyline"; the same
 * market where the category adds nothing, or words that name no question.
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
