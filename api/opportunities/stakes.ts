/**
 * Stakes for an opportunity within the limits of its sportsbooks, by the rules of
 * `rules/odds/stakes.ts`. Values that a request or an alert does not state come from the account's
 * profile.
 */

import { otherOutcomes } from '../../pipeline/rules/odds/leg-outcomes.ts'
import { equalStakes, kellyStake, usualUnit } from '../../pipeline/rules/odds/stakes.ts'
import type { Item } from '../../pipeline/views/opportunities/priced.ts'
import type { explainQuery } from '../../schemas/http/explain.ts'
import type { Query } from '../../schemas/http/query.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import type { Scope } from '../access/scope.ts'
import type { Kind } from './kind.ts'
import { maxBetOf, selectionOf } from './quotes.ts'

export interface WantedStakes extends Pick<Query<typeof explainQuery>, 'total' | 'unit' | 'kelly'> {
  /** The profile of the account that bets; empty for the usual stakes. */
  readonly profile: ProfileRow
}

/** Default of the total stake, or of the bankroll for a bet on one outcome. */
const usualTotal = 100

export function stakesOf(
  item: Item,
  { explain }: Kind,
  { board }: Scope,
  { profile, ...stated }: WantedStakes,
) {
  const total = stated.total ?? profile.bankroll ?? usualTotal
  const unit = stated.unit ?? profile.stakeUnit ?? usualUnit
  const part = stated.kelly ?? profile.kelly ?? 1
  const { currency } = profile
  const legs = item.legs.map((quote, i) => ({
    net: item.nets[i]!,
    maxBet: leastOf(maxBetOf(board, quote), ownLimit(profile, quote.sportsbook)),
  }))
  const about = item.legs.map((quote, i) => ({
    sportsbook: quote.sportsbook,
    selection: selectionOf(quote).label,
    max_bet: legs[i]!.maxBet,
  }))
  const { stakes } = explain
  switch (stakes.rule) {
    case 'kelly': {
      const fair = stakes.fair(item)
      const { stake, profit, expected, isLimited } = kellyStake(legs[0]!, fair, total, part, unit)
      return {
        ...{ rule: stakes.rule, currency, asked: total, unit, kelly_part: part, total: stake },
        legs: [{ ...about[0]!, stake, profit }],
        worst_profit: 0 - stake,
        expected_profit: expected,
        limited_by: isLimited ? about[0]!.sportsbook : null,
        other_outcomes: [],
        warnings: stakes.warnings(item).map(String),
      }
    }
    case 'equal_return': {
      const { sport, league } = item.event.row
      const others = otherOutcomes({
        ...{ sport, league, marketType: item.legs[0]!.marketType },
        lines: item.legs.map(({ selection }) => selection.line),
      })
      const plan = equalStakes(legs, total, unit, others)
      return {
        ...{ rule: stakes.rule, currency, asked: total, unit, kelly_part: null, total: plan.total },
        legs: about.map((leg, i) => ({ ...leg, stake: plan.stakes[i]!, profit: plan.profits[i]! })),
        worst_profit: plan.worst,
        expected_profit: null,
        limited_by: plan.limitedBy === null ? null : about[plan.limitedBy]!.sportsbook,
        other_outcomes: others.map((outcome) => [...outcome]),
        warnings: [] as string[],
      }
    }
  }
}

/** Returns the highest stake that a sportsbook takes from the account; null if the profile states none. */
const ownLimit = ({ sportsbooks }: ProfileRow, sportsbook: string) =>
  sportsbooks.find((own) => own.sportsbook === sportsbook)?.maxStake ?? null

/** Returns the lower of two limits that may be unknown. */
const leastOf = (stated: number | null, own: number | null) =>
  own === null ? stated : Math.min(own, stated ?? own)
