/** Opportunities that have a row, and how a finding becomes a row. */

import { methodOf, weightsOf } from '../../../schemas/fair-measure.ts'
import {
  firstVisibilityOf,
  type OpportunityRow,
  opportunityId,
  ownerVisibility,
  type Visibility,
} from '../../../schemas/opportunity.ts'
import { ownLine } from '../../rules/odds/market-shape.ts'
import type { Finding } from './findings.ts'
import type { Life } from './lives.ts'

export interface Listed {
  readonly id: string
  row: OpportunityRow
  readonly measureVisibility: Visibility
  /** Null if no history is kept, or its beginning is unknown. */
  life: Life | null
}

/**
 * Returns the first set for which its measure counts (`OpportunityIdentity`). The shared sharp book
 * counts for all sets; a blend or consensus for sets that see all of it.
 */
function measureVisibilityOf({ sharps, measuredBy, lines }: Finding): Visibility {
  let visibility: Visibility = 0
  for (let at = 0; at < measuredBy; at++) {
    const own = lines[0]!.offers[sharps[at]!]!.visibility
    if (own === ownerVisibility || (measuredBy > 1 && own > visibility)) visibility = own
  }
  return visibility > firstVisibilityOf('ev') ? visibility : 0
}

/** When an opportunity was detected, its figures then, and its life since. */
export type Detection = Pick<OpportunityRow, 'detectedAt' | 'detected'> & Pick<Listed, 'life'>

/** @param detection returns the detection of an id */
export function createListed(of: Finding, detection: (id: string) => Detection): Listed {
  const { kind, scopes, isSuspected } = of
  const { event, marketType, playerName, isLive } = of.lines[0]!.ladder
  const { id: eventId } = event
  const legs: ReturnType<typeof legOf>[] = []
  for (let leg = 0; leg < of.legs; leg++) legs.push(legOf(of, leg))
  const [first, second] = legs
  const measureVisibility = measureVisibilityOf(of)
  const id = opportunityId({
    kind,
    eventId,
    marketType,
    playerName,
    isLive,
    line: isOnTwoLines(of) ? `${first!.line}/${second!.line}` : first!.line,
    legs: legs.map(({ sportsbook, selectionType }) => [sportsbook, selectionType] as const),
    measureVisibility,
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
  return { id, row, measureVisibility, life }
}

/** Returns whether it bets between two lines. */
const isOnTwoLines = ({ legs, lines }: Finding) => legs === 2 && lines[0] !== lines[1]

/** Returns the names of a leg. */
function legOf({ lines, slots, columns }: Finding, leg: number) {
  const { ladder, group, line, offers } = lines[leg]!
  const column = columns[leg]!
  return {
    sportsbook: offers[slots[leg]!]!.sportsbook,
    selectionType: ladder.shape.types[group]![column]!,
    line: ownLine(ladder.shape, column, line),
  }
}

/** Returns the odds ids of the outcomes that a price is measured against, one sportsbook after the other. */
export function referenceOf({ sharps, measuredBy, lines, outcomes }: Finding): number[] {
  const reference: number[] = []
  for (let at = 0; at < measuredBy; at++) {
    const { ids, ladder } = lines[0]!
    const from = sharps[at]! * ladder.shape.columns
    for (let column = 0; column < outcomes; column++) reference.push(ids[from + column]!)
  }
  return reference
}

/** Returns whether a listed opportunity is the same as the finding. */
export function isOf(listed: Listed | undefined, of: Finding): boolean {
  const { kind, legs, ids } = of
  if (!listed || listed.row.kind !== kind || listed.row.legs.length !== legs) return false
  if (listed.measureVisibility !== measureVisibilityOf(of)) return false
  for (let leg = 0; leg < legs; leg++) if (listed.row.legs[leg] !== ids[leg]) return false
  return true
}

/** Returns whether its row has the finding's reference. */
export function hasReference(
  { reference }: OpportunityRow,
  { sharps, measuredBy, lines, outcomes }: Finding,
): boolean {
  if (reference.length !== measuredBy * outcomes) return false
  const { ids, ladder } = lines[0]!
  for (let at = 0; at < measuredBy; at++) {
    const from = sharps[at]! * ladder.shape.columns
    for (let column = 0; column < outcomes; column++) {
      if (reference[at * outcomes + column] !== ids[from + column]) return false
    }
  }
  return true
}

/**
 * Returns whether two rows of one id have the same content; the detection is copied from row to row
 * and not compared.
 */
export const isSameOpportunity = (a: OpportunityRow, b: OpportunityRow) =>
  a.scopes === b.scopes &&
  a.isSuspected === b.isSuspected &&
  a.detectedAt === b.detectedAt &&
  a.detected === b.detected &&
  methodOf(a.measure) === methodOf(b.measure) &&
  isEqual(weightsOf(a.measure), weightsOf(b.measure)) &&
  isEqual(a.legs, b.legs) &&
  isEqual(a.reference, b.reference)

const isEqual = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, i) => value === b[i])
