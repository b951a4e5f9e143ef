/** Settlement of two bets on two lines, result by result, for explanations. */

import { profitAt } from '../../pipeline/rules/odds/middles.ts'
import type { JointOutcome } from '../../pipeline/rules/odds/two-lines.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'

/**
 * Returns the outcomes for a response. Results of totals are unchanged; margins are seen from the
 * first leg's side.
 * @param share the first leg's share of the stake
 */
export const shownOutcomes = (
  { nets }: Priced,
  outcomes: readonly (JointOutcome & { readonly probability?: number })[],
  share: number,
) =>
  outcomes.map((outcome) => ({
    from: Number.isFinite(outcome.from) ? outcome.from : null,
    to: Number.isFinite(outcome.to) ? outcome.to : null,
    won: [outcome.over, outcome.under],
    ...(outcome.probability !== undefined && { probability: outcome.probability }),
    profit: profitAt(outcome, share, nets[0]!, nets[1]!),
  }))
