/**
 * A handicap's line and the line with the opposite sign, such as -7.5 and 7.5. A sportsbook may
 * have exchanged them. If no other agrees with it on its line, it is compared with those on the
 * other line, because its own line does not show the mistake.
 */

import { ownerVisibility } from '../../../schemas/opportunity.ts'
import { areContrary, hasTurnedSign, type Rung } from '../../rules/odds/ladder-guard.ts'
import { isJudged, type Judged, type Line, type PricedOffer } from './lines.ts'
import { fairAt, questionOf, rungAt } from './rungs.ts'

/**
 * Returns which sportsbooks of a line have its sign wrong, judged by the others up to a visibility.
 * @param slots the slots of the `books` sportsbooks that are judged on the line
 * @returns their places in `slots`, ascending
 */
export function turnedBooks(
  line: Line,
  slots: Int32Array,
  books: number,
  highest: number,
  judged: Judged,
): readonly number[] {
  const mirror = mirrorOf(line)
  if (mirror === null || !mayBeTurned(line)) return noBooks
  const turned: number[] = []
  for (let book = 0; book < books; book++) {
    const slot = slots[book]!
    const beside: Rung[] = []
    for (let other = 0; other < books; other++) {
      if (other !== book) beside.push(rungAt(line, slots[other]!))
    }
    const mirrored = rungsOfOthers(mirror, line.offers[slot]!, highest, judged)
    if (mirrored.length < 2) continue
    if (hasTurnedSign(questionOf(line.ladder), rungAt(line, slot), mirrored, beside))
      turned.push(book)
  }
  return turned
}

export const noBooks: readonly number[] = []

/** Returns the complete prices of a line up to a visibility, without those of one sportsbook. */
function rungsOfOthers(
  line: Line,
  own: PricedOffer,
  highest: number,
  judged: Judged,
): readonly Rung[] {
  const { offers, prices } = line
  const rungs: Rung[] = []
  for (let slot = 0; slot < offers.length; slot++) {
    const offer = offers[slot]!
    if (offer === own || !isJudged(offer, judged) || offer.visibility > highest) continue
    if (prices[2 * slot]! > 0 && prices[2 * slot + 1]! > 0) rungs.push(rungAt(line, slot))
  }
  return rungs
}

/** Returns the line with the opposite sign, on which this one's verdict depends; null for none. */
export function mirrorOf({ ladder, line, group }: Line): Line | null {
  const { middles, columns } = ladder.shape
  if (middles !== 'margin' || columns !== 2 || line === null || line === 0) return null
  const turned = 0 - line
  for (const other of ladder.lines) {
    if (other.line === turned && other.group === group) return other
  }
  return null
}

/**
 * Returns whether a sportsbook may have the sign of a two-way line wrong. It may if one is alone on
 * it (for the owner or all others, with or without unusable prices), or two are apart.
 */
export const mayBeTurned = (line: Line): boolean =>
  hasOneOf(line, 'usable') || hasOneOf(line, 'all') || hasTwoApart(line)

function hasTwoApart(line: Line): boolean {
  const { offers, prices, ladder } = line
  let lowest = 1
  let highest = 0
  for (let slot = 0; slot < offers.length; slot++) {
    if (offers[slot]!.isReference) continue
    if (!(prices[2 * slot]! > 0 || prices[2 * slot + 1]! > 0)) continue
    const fair = fairAt(line, slot)
    lowest = Math.min(lowest, fair)
    highest = Math.max(highest, fair)
  }
  const of = { isPlayers: ladder.playerName !== null, isLive: ladder.isLive }
  return lowest < highest && areContrary(of, lowest, highest)
}

function hasOneOf({ offers, prices }: Line, judged: Judged): boolean {
  let everyones = 0
  let owners = 0
  for (let slot = 0; slot < offers.length; slot++) {
    const offer = offers[slot]!
    if (!isJudged(offer, judged)) continue
    if (!(prices[2 * slot]! > 0 || prices[2 * slot + 1]! > 0)) continue
    if (offer.visibility === ownerVisibility) owners++
    else if (++everyones > 1) return false
  }
  return everyones === 1 || owners === 1
}
