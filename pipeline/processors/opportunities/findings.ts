/**
 * The results of detectors: an opportunity's prices and who sees it. The objects are reused for the
 * next line, so that a million prices a minute leave no garbage to collect.
 */

import type { FairMeasure } from '../../../schemas/fair-measure.ts'
import {
  byKind,
  firstVisibilityOf,
  type OpportunityKind,
  visibilityBit,
} from '../../../schemas/opportunity.ts'
import { verdict } from '../../rules/odds/phantom-guard.ts'
import type { MiddleOutlook } from '../../rules/odds/results.ts'
import type { JudgedLine } from './best-prices.ts'

export interface Findings {
  /** The number of findings in use. */
  length: number
  readonly of: Finding[]
}

export interface Finding {
  kind: OpportunityKind
  /** The number of entries in use in the lists below. */
  legs: number
  readonly ids: number[]
  readonly lines: JudgedLine[]
  readonly slots: number[]
  readonly columns: number[]
  /** The number of outcomes of the line. */
  outcomes: number
  /** The number of slots in use that +EV is measured against: the sharp book's, or those of a blend or the consensus. */
  measuredBy: number
  readonly sharps: number[]
  /** For +EV, the method of making the fair price; else null. */
  measure: FairMeasure | null
  /**
   * Its worth (`kindRules` in `opportunity-figures.ts`); 0 for a middle, whose worth is expensive
   * to compute.
   */
  worth: number
  /** For a middle, the results between its lines; else null. */
  outlook: MiddleOutlook | null
  scopes: number
  isSuspected: boolean
}

export const createFindings = (): Findings => ({ length: 0, of: [] })

export function addFinding(
  to: Findings,
  kind: OpportunityKind,
  outcomes: number,
  scopes: number,
): Finding {
  const known = to.of[to.length]
  const finding = known ?? {
    kind,
    legs: 0,
    ids: [],
    lines: [],
    slots: [],
    columns: [],
    outcomes,
    measuredBy: 0,
    sharps: [],
    measure: null,
    worth: 0,
    outlook: null,
    scopes,
    isSuspected: false,
  }
  if (!known) to.of.push(finding)
  to.length++
  finding.kind = kind
  finding.legs = 0
  finding.outcomes = outcomes
  finding.measuredBy = 0
  finding.measure = null
  finding.worth = 0
  finding.outlook = null
  finding.scopes = scopes
  finding.isSuspected = false
  return finding
}

export function addLeg(to: Finding, line: JudgedLine, slot: number, column: number) {
  const leg = to.legs++
  to.ids[leg] = line.ids[slot * line.ladder.shape.columns + column]!
  to.lines[leg] = line
  to.slots[leg] = slot
  to.columns[leg] = column
  if (line.verdicts[slot] === verdict.suspected) to.isSuspected = true
}
/** Returns whether a finding takes the chosen slots, given the same lines and columns. */
export function takes({ slots, legs }: Finding, chosen: Int32Array): boolean {
  for (let leg = 0; leg < legs; leg++) if (slots[leg] !== chosen[leg]) return false
  return true
}

// ---- who sees it

const allScopes = [
  visibilityBit.hobby,
  visibilityBit.pro,
  visibilityBit.all,
  visibilityBit.owner,
] as const

/** The scopes of findings for a chosen set: accounts of every tier see those of their own set. */
export const everyScope = allScopes.reduce<number>((scopes, bit) => scopes | bit, 0)

export const scopesOf = (visibility: number): number => allScopes[visibility] ?? everyScope

/** Returns the scope bits from a visibility up, of `visibilities` sets. */
export const scopesFrom = (visibility: number, visibilities: number) =>
  (1 << visibilities) - (1 << visibility)

/** The first set that sees the findings of a kind's detector. */
export const firstVisibility = byKind(firstVisibilityOf)
