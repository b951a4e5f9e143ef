/** The prices of a line that the phantom guard withholds. */

import type { WithheldPrice } from '../../../schemas/withheld-price.ts'
import { withheldReason } from '../../rules/odds/phantom-guard.ts'
import { isWithheld, type JudgedLine } from './best-prices.ts'

/** Returns the withheld prices of a judged line. @param since the time they are withheld from */
export function withheldOn(line: JudgedLine, since: number): readonly WithheldPrice[] {
  const { ids, prices, offers, verdicts, ladder } = line
  const { columns } = ladder.shape
  if (line.withheld === 0) return nothing
  const { league } = ladder.event.row!
  const rows: WithheldPrice[] = []
  for (let slot = 0; slot < offers.length; slot++) {
    if (!isWithheld(verdicts[slot]!)) continue
    const reason = withheldReason(verdicts[slot]!)!
    const { sportsbook } = offers[slot]!
    for (let at = slot * columns; at < (slot + 1) * columns; at++) {
      if (prices[at]! > 0) rows.push({ id: ids[at]!, sportsbook, league, reason, since })
    }
  }
  return rows
}

const nothing: readonly WithheldPrice[] = []
