/** Opportunities and main lines of a board that does not change, such as a past board. */

import type { EventRow } from '../../../schemas/event.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append } from '../../log/log.ts'
import type { Chains } from '../../rules/odds/chains.ts'
import { noFees } from '../../rules/odds/fees.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import {
  createJudgedLine,
  createWorkspace,
  type JudgedLine,
  judge,
  mostVisibilities,
  visibilitiesOfAll,
} from './best-prices.ts'
import { isOpenLine, type Line } from './lines.ts'
import { createMainLines, createRung, type Rung } from './main-lines.ts'
import { createPriceLines } from './price-lines.ts'
import { withheldOn } from './withheld-prices.ts'

/** A board at one time, all of whose prices were current then. */
export interface StandingBoard {
  addEvent(row: EventRow): void
  /** Adds a price of an event that was added. */
  addPrice(row: OddsRow): void
  /** Yields the rows of `withheld-prices` and `main-lines`, a line of prices per step. */
  decided(): Iterable<readonly Append[]>
}

/**
 * @param ownersOnly sportsbooks that only the owner sees, which do not affect the others
 * (`best-prices.ts`)
 * @param chain whose first sharp books decide main lines
 * @param references sportsbooks that nobody can bet at
 */
export function createStandingBoard(
  at: number,
  ownersOnly: Iterable<string>,
  chain: Chains,
  references: ReadonlySet<string> = noReferences,
): StandingBoard {
  const createLine = (line: Line): JudgedLine & Rung => createJudgedLine(createRung(line))
  const lines = createPriceLines(chain, noFees, createLine, references, true)
  for (const sportsbook of ownersOnly) lines.applyAudience(sportsbook, true)
  lines.advance(at)
  return {
    addEvent: (row) => lines.applyEvent(row.id, row),
    addPrice(row) {
      const { eventId, sportsbook, isLive } = row
      lines.applyOdds(row)
      lines.applySighting({ eventId, sportsbook, isLive, lastSeenAt: at, hasGivenPrices: true })
    },
    *decided() {
      const room = createWorkspace()
      room.visibilities = lines.hasOwners() ? mostVisibilities : visibilitiesOfAll
      const rows: Append[] = []
      const mainLines = createMainLines((row) => rows.push(row))
      for (const line of lines.takeDirty()) {
        judge(line, room, () => {})
        if (!isOpenLine(line)) mainLines.examine(line)
        yield withheldOn(line, at).map((value) => ({
          topic: topics.withheldPrices,
          partitionKey: value.league,
          key: String(value.id),
          value,
        }))
      }
      mainLines.flush()
      yield rows
    },
  }
}
