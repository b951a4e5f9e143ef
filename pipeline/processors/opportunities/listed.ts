/** Opportunities that have a row: from what was found, to the row that says it. */

import { methodOf } from '../../../schemas/fair-measure.ts'
import { type OpportunityRow, opportunityId, ownerLevel } from '../../../schemas/opportunity.ts'
import { ownLine } from '../../rules/odds/market-shape.ts'
import type { Finding } from './detectors.ts'
import type { Life } from './lives.ts'

export interface Listed {
  readonly id: string
  row: OpportunityRow
  readonly isOwnersMeasure: boolean
  /** Null where no history is kept, and where its beginning is unknown. */
  life: Life | null
}

/** Whether it is measured against a sportsbook that only the owner may see. */
const isOwnersMeasure = ({ sharp, lines }: Finding) =>
  sharp >= 0 && lines[0]!.offers[sharp]!.level === ownerLevel

/** When an opportunity was detected, its figures then, and its changes since. */
export type Detection = Pick<OpportunityRow, 'detectedAt' | 'detected'> & Pick<Listed, 'life'>

/** @param detection of the one of this id */
export function createListed(of: Finding, detection: (id: string) => Detection): Listed {
  const { kind, scopes, isSuspected } = of
  const { event, marketType, playerName, isLive } = of.lines[0]!.ladder
  const { id: eventId } = event
  const legs: ReturnType<typeof legOf>[] = []
  for (let leg = 0; leg < of.legs; leg++) legs.push(legOf(of, leg))
  const [first, second] = legs
  const id = opportunityId({
    kind,
    eventId,
    marketType,
    playerName,
    isLive,
    line: isOnTwoLines(of) ? `${first!.line}/${second!.line}` : first!.line,
    legs: legs.map(({ sportsbook, selectionType }) => [sportsbook, selectionType] as const),
    isOwnersMeasure: isOwnersMeasure(of),
  })
  const { detectedAt, detected, life } = detection(id)
  const row: OpportunityRow = {
    id,
    kind,
    eventId,
    league: event.row!.league,
    legs: of.ids.slice(0, of.legs),
    reference: referenceOf(of),
    measure: of.measure,
    scopes,
    isSuspected,
    detectedAt,
    detected,
  }
  return { id, row, isOwnersMeasure: isOwnersMeasure(of), life }
}

/** Whether it bets between two lines. */
const isOnTwoLines = ({ legs, lines }: Finding) => legs === 2 && lines[0] !== lines[1]

/** The names of a leg. */
function legOf({ lines, slots, columns }: Finding, leg: number) {
  const { ladder, group, line, offers } = lines[leg]!
  const column = columns[leg]!
  return {
    sportsbook: offers[slots[leg]!]!.sportsbook,
    selectionType: ladder.shape.types[group]![column]!,
    line: ownLine(ladder.shape, column, line),
  }
}

/** Odds ids of the sharp book's answers that a price is measured against. */
export function referenceOf({ sharp, lines, outcomes }: Finding): number[] {
  if (sharp < 0) return []
  const { ids, ladder } = lines[0]!
  const from = sharp * ladder.shape.columns
  return Array.from(ids.subarray(from, from + outcomes))
}

/** Whether a listed opportunity is the one found. */
export function isOf(listed: Listed | undefined, of: Finding): boolean {
  const { kind, legs, ids } = of
  if (!listed || listed.row.kind !== kind || listed.row.legs.length !== legs) return false
  if (listed.isOwnersMeasure !== isOwnersMeasure(of)) return false
  for (let leg = 0; leg < legs; leg++) if (listed.row.legs[leg] !== ids[leg]) return false
  return true
}

/** Whether it is measured against what was found. */
export function hasReference(
  { reference }: OpportunityRow,
  { sharp, lines, outcomes }: Finding,
): boolean {
  if (sharp < 0) return reference.length === 0
  const { ids, ladder } = lines[0]!
  const from = sharp * ladder.shape.columns
  if (reference.length !== outcomes) return false
  for (let column = 0; column < outcomes; column++) {
    if (reference[column] !== ids[from + column]) return false
  }
  return true
}

/** Whether two rows by one id say the same of it; how it was detected is handed on from row to row. */
export const isSameOpportunity = (a: OpportunityRow, b: OpportunityRow) =>
  a.scopes === b.scopes &&
  a.isSuspected === b.isSuspected &&
  a.detectedAt === b.detectedAt &&
  a.detected === b.detected &&
  methodOf(a.measure) === methodOf(b.measure) &&
  isEqual(a.legs, b.legs) &&
  isEqual(a.reference, b.reference)

const isEqual = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, i) => value === b[i])
