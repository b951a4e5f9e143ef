/**
 * Detects opportunities: arbitrage, low hold and +EV on one line, middles between two. Each finding
 * lists its prices and who sees it; figures are computed where they are shown, by the same rules.
 * If two sets of sportsbooks choose the same prices, it is one opportunity.
 */

import type { OpportunityKind } from '../../../schemas/opportunity.ts'
import {
  arbitrageProfit,
  highestArbitrageProfit,
  highestHold,
  isSureProfit,
} from '../../rules/odds/arbitrage.ts'
import { chooseOnLine, type JudgedLine, priceAt, type Workspace } from './best-prices.ts'
import {
  addFinding,
  addLeg,
  type Finding,
  type Findings,
  firstVisibility,
  scopesOf,
  takes,
} from './findings.ts'
import { detectOnPair } from './pair-detector.ts'
import { detectValue, detectValueChosen } from './value-detector.ts'

/** A detector on one line: for the tiers' sets, and for a chosen set. */
interface OnLine {
  readonly ofTiers: typeof detectSums
  readonly ofChosen: typeof detectValueChosen
}
type OnPair = typeof detectOnPair

const sums: OnLine = {
  ofTiers: detectSums,
  ofChosen: (line, _sportsbooks, _highest, room, found) => detectSums(line, room, found),
}
const value: OnLine = { ofTiers: detectValue, ofChosen: detectValueChosen }

/** The detector of each kind: on one line, on a pair of lines of one question, or on both. */
const detectors: Readonly<
  Record<
    OpportunityKind,
    | { readonly onLine: OnLine; readonly onPair?: OnPair }
    | { readonly onLine?: never; readonly onPair: OnPair }
  >
> = {
  arbitrage: { onLine: sums, onPair: detectOnPair },
  low_hold: { onLine: sums },
  ev: { onLine: value },
  middle: { onPair: detectOnPair },
}

const detectorsOnLine = [...new Set(Object.values(detectors).flatMap(({ onLine }) => onLine ?? []))]

// ---- one line

/** Detects everything on one line, into `found`. */
export function detectOnLine(line: JudgedLine, room: Workspace, found: Findings) {
  found.length = 0
  for (let at = 0; at < detectorsOnLine.length; at++) {
    detectorsOnLine[at]!.ofTiers(line, room, found)
  }
}

/**
 * Detects arbitrages and low holds: an arbitrage is a hold below 0 that is not too good to be true; the same prices
 * may be a low hold, too.
 */
function detectSums(line: JudgedLine, room: Workspace, found: Findings) {
  const { columns: outcomes } = line.ladder.shape
  const { chosen } = room
  let arbitrage: Finding | undefined
  let lowHold: Finding | undefined
  for (let visibility = room.first; visibility < room.visibilities; visibility++) {
    if (!chooseOnLine(line, visibility, room)) continue
    let total = 0
    for (let column = 0; column < outcomes; column++) {
      total += 1 / priceAt(line, chosen[column]!, column)
    }
    const profit = arbitrageProfit(total)
    if (profit > highestArbitrageProfit || total > 1 + highestHold) continue
    if (isSureProfit(profit)) {
      arbitrage = addSum(line, 'arbitrage', profit, visibility, arbitrage, room, found)
    }
    lowHold = addSum(line, 'low_hold', 1 - total, visibility, lowHold, room, found)
  }
}

function addSum(
  line: JudgedLine,
  kind: 'arbitrage' | 'low_hold',
  worth: number,
  visibility: number,
  last: Finding | undefined,
  { chosen }: Workspace,
  found: Findings,
): Finding | undefined {
  if (visibility < firstVisibility[kind]) return last
  if (last && takes(last, chosen)) {
    last.scopes |= scopesOf(visibility)
    return last
  }
  const { columns: outcomes } = line.ladder.shape
  const finding = addFinding(found, kind, outcomes, scopesOf(visibility))
  for (let column = 0; column < outcomes; column++) addLeg(finding, line, chosen[column]!, column)
  finding.worth = worth
  return finding
}

/**
 * Detects everything on one line for a chosen set, into `found`.
 * @param highest the last of the tiers' sets that has the sportsbooks +EV may be measured against
 */
export function detectOnLineChosen(
  line: JudgedLine,
  sportsbooks: ReadonlySet<string>,
  highest: number,
  room: Workspace,
  found: Findings,
) {
  found.length = 0
  for (let at = 0; at < detectorsOnLine.length; at++) {
    detectorsOnLine[at]!.ofChosen(line, sportsbooks, highest, room, found)
  }
}
