/**
 * The line of a handicap and the line with its sign turned, -7.5 and 7.5. A sportsbook alone on one of the two is judged
 * by those on the other, because nothing on its own line shows that it has turned the sign.
 */

import { ownerVisibility } from '../../../schemas/opportunity.ts'
import { hasTurnedSign, type Rung } from '../../rules/odds/ladder-guard.ts'
import { isJudged, type Judged, type Line } from './lines.ts'
import { questionOf, rungAt } from './rungs.ts'

/** Returns whether the sportsbook in this slot, alone on its line among those up to a visibility, has turned its sign. */
export function isTurnedAlone(line: Line, slot: number, highest: number, judged: Judged): boolean {
  const mirror = mirrorOf(line)
  if (mirror === null) return false
  const { offers, prices } = mirror
  const rungs: Rung[] = []
  for (let other = 0; other < offers.length; other++) {
    const offer = offers[other]!
    if (offer === line.offers[slot] || !isJudged(offer, judged) || offer.visibility > highest)
      continue
    if (prices[2 * other]! > 0 && prices[2 * other + 1]! > 0) rungs.push(rungAt(mirror, other))
  }
  return rungs.length > 1 && hasTurnedSign(questionOf(line.ladder), rungAt(line, slot), rungs)
}

/** Returns the line with the sign turned, whose change may change the verdict on this one; null where there is none. */
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
 * Returns whether one sportsbook is alone on a line of two outcomes, for the owner or for all others, with or without
 * those that may not be bet on now.
 */
export const hasOneAlone = (line: Line): boolean =>
  hasOneOf(line, 'usable') || hasOneOf(line, 'all')

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
