/** The prices of a line that the phantom guard withholds, and all of them on a board that stands still. */

import type { EventRow } from '../../../schemas/event.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import type { WithheldPrice } from '../../../schemas/withheld-price.ts'
import { noFees } from '../../rules/fees.ts'
import { withheldReason } from '../../rules/phantom-guard.ts'
import {
  createJudgedLine,
  createWorkspace,
  isWithheld,
  type JudgedLine,
  judge,
  levelsOfAll,
  mostLevels,
} from './best-prices.ts'
import { createPriceLines } from './price-lines.ts'

/** Of a line that was judged. @param since when they are withheld from */
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

/** A board as it was at an instant, all of whose prices stood then. */
export interface StandingBoard {
  addEvent(row: EventRow): void
  /** Of an event that was added. */
  addPrice(row: OddsRow): void
  /** What is withheld of it, a line a step. */
  withheld(): Iterable<readonly WithheldPrice[]>
}

/** @param ownersOnly sportsbooks that say nothing of the others (`best-prices.ts`) */
export function createStandingBoard(at: number, ownersOnly: Iterable<string>): StandingBoard {
  const lines = createPriceLines<JudgedLine>([], noFees, createJudgedLine)
  for (const sportsbook of ownersOnly) lines.applyAudience(sportsbook, true)
  lines.advance(at)
  return {
    addEvent: (row) => lines.applyEvent(row.id, row),
    addPrice(row) {
      const { eventId, sportsbook, isLive } = row
      lines.applyOdds(row)
      lines.applySighting({ eventId, sportsbook, isLive, lastSeenAt: at, hasGivenPrices: true })
    },
    *withheld() {
      const room = createWorkspace()
      room.levels = lines.hasOwners() ? mostLevels : levelsOfAll
      for (const line of lines.takeDirty()) {
        judge(line, room, () => {})
        yield withheldOn(line, at)
      }
    },
  }
}
