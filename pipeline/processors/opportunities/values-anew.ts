/**
 * +EV of some games with another chain or method than the operator's: the +EV rows that the
 * processor of opportunities would write, without its table.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { FairMeasure } from '../../../schemas/fair-measure.ts'
import type { OpportunityRow } from '../../../schemas/opportunity.ts'
import type { Chains } from '../../rules/odds/chains.ts'
import type { Fees } from '../../rules/odds/fees.ts'
import {
  createJudgedLine,
  createWorkspace,
  type JudgedLine,
  judge,
  mostVisibilities,
  visibilitiesOfAll,
} from './best-prices.ts'
import { createFindings } from './findings.ts'
import { isOpenLine, type Line } from './lines.ts'
import { createListed } from './listed.ts'
import { createPriceLines, type PricedRow, type SeenOffer } from './price-lines.ts'
import { detectValue } from './value-detector.ts'

/** How +EV is measured. */
export interface ValueMeasure {
  readonly chain: Chains
  readonly fees: Fees
  /** Sportsbooks that measure others, and that nobody can bet at. */
  readonly references: ReadonlySet<string>
  /** The method of making fair prices; null for the power method. */
  readonly method: FairMeasure | null
}

/** A game with its current prices, and when each sportsbook was last seen on it. */
export interface PricedGame {
  readonly row: EventRow
  readonly prices: Iterable<PricedRow>
  readonly sightings: Iterable<SeenOffer>
}

/** The state of the sportsbooks' sources. */
interface SourceStates {
  readonly down: ReadonlySet<string>
  /** Sportsbooks that only the owner sees. */
  readonly ownersOnly: ReadonlySet<string>
}

/** @param now decides which prices are too old and which games have started (epoch ms) */
export function valuesAnew(
  games: Iterable<PricedGame>,
  { down, ownersOnly }: SourceStates,
  { chain, fees, references, method }: ValueMeasure,
  now: number,
): OpportunityRow[] {
  const createLine = (line: Line): JudgedLine => createJudgedLine(line)
  const lines = createPriceLines(chain, fees, createLine, references, true)
  for (const sportsbook of down) lines.applySource(sportsbook, false, 0)
  for (const sportsbook of ownersOnly) lines.applyAudience(sportsbook, true)
  for (const { row, prices, sightings } of games) {
    lines.applyEvent(row.id, row)
    for (const price of prices) lines.applyOdds(price)
    for (const sighting of sightings) lines.applySighting(sighting)
  }
  lines.advance(now)
  lines.begin()

  const room = createWorkspace(method)
  room.visibilities = lines.hasOwners() ? mostVisibilities : visibilitiesOfAll
  const found = createFindings()
  const rows: OpportunityRow[] = []
  for (const line of lines.takeDirty()) {
    judge(line, room, () => {})
    if (isOpenLine(line)) continue
    found.length = 0
    detectValue(line, room, found)
    const detection = { detectedAt: line.touchedAt, detected: null, life: null }
    for (let at = 0; at < found.length; at++) {
      rows.push(createListed(found.of[at]!, () => detection).row)
    }
  }
  return rows
}
