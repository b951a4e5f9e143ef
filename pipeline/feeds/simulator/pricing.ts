/**
 * The prices of a sportsbook's markets on a game: from a given belief, with the book's margin, bias
 * and grid. Probabilities come from logistic curves, which resemble the normal and are cheap to
 * compute.
 */

import type { FeedMarket } from '../../../schemas/feed-record.ts'
import type { BookProfile } from './books.ts'
import {
  beliefForm,
  beliefMargin,
  beliefRemaining,
  beliefScored,
  beliefTotal,
  offsetOf,
} from './game.ts'
import { bend, unbend } from './key-margins.ts'
import { type Family, type Listing, marketOf, removalOf } from './listing.ts'
import { nearestStep } from './price-grid.ts'
import type { Random } from './random.ts'

export type Pricer = ReturnType<typeof createPricer>

const logistic = (x: number) => 1 / (1 + Math.exp(-x))
/** Scales the logistic curve to a normal curve with the same standard deviation. */
const scale = 1.702

export function createPricer() {
  // Reused for each rung, because this runs for every price.
  /** Fair probabilities of the rung being priced, first side first. */
  const fair = new Float64Array(3)
  /** Steps of its sides (at most three). */
  const wanted = new Int32Array(3)
  /** Mean and standard deviation from which the family is priced. */
  let mean = 0
  let sd = 1
  let scored = 0
  /** Whether the mean is a place on the scale of `key-margins.ts`. */
  let isBent = false
  /** The number of selections that the current call has changed. */
  let changedCount = 0

  /** Reads the family's inputs from the belief at this offset. */
  function readBelief(listing: Listing, family: Family, offset: number) {
    const { game } = listing
    const { beliefs } = game
    const { model } = game.league
    const remaining = beliefs[offset + beliefRemaining]!
    const left = Math.sqrt((remaining + 0.02) * family.share)
    const margin = beliefs[offset + beliefMargin]!
    const total = beliefs[offset + beliefTotal]!
    scored = 0
    isBent = family.kind === 'spread' && family.share === 1 && model.play === 'touchdowns'
    switch (family.kind) {
      case 'two_way':
      case 'three_way':
      case 'spread':
        mean = (listing.isSwapped ? -margin : margin) * family.share
        sd = model.marginSd * left
        break
      case 'total':
        mean = total * family.share
        sd = model.totalSd * left
        scored = beliefs[offset + beliefScored]!
        break
      case 'team_total':
        mean = Math.max(0.3, (total + family.teamSign * margin) / 2)
        sd = model.totalSd * 0.75 * left
        break
      case 'both_score': {
        const home = Math.max(0.3, (total + margin) / 2)
        const away = Math.max(0.3, (total - margin) / 2)
        mean = (1 - Math.exp(-home)) * (1 - Math.exp(-away))
        break
      }
      case 'prop': {
        const { prop } = family
        if (!prop) throw new Error('a player market without a player')
        mean = prop.mean * Math.exp(0.05 * prop.sensitivity * beliefs[offset + beliefForm]!)
        sd = prop.sd
      }
    }
  }

  /** Sets `fair` from mean and sd. */
  function computeFair(family: Family, line: number) {
    switch (family.kind) {
      case 'two_way':
        fair[0] = logistic((scale * mean) / sd)
        break
      case 'three_way': {
        const home = logistic((scale * (mean - 0.5)) / sd)
        const away = logistic((scale * (-mean - 0.5)) / sd)
        fair[0] = home
        fair[1] = 1 - home - away
        fair[2] = away
        return
      }
      case 'spread':
        fair[0] = isBent ? beyondMargin(-line) : aboveWithoutPush(mean, -line)
        break
      case 'both_score':
        fair[0] = mean
        break
      default:
        fair[0] = aboveWithoutPush(mean, line)
    }
    fair[0] = Math.max(0.02, Math.min(0.98, fair[0]! + family.bias))
    fair[1] = 1 - fair[0]
  }

  /** Returns the chance of a result above a line on the bent scale, if it is not hit exactly. */
  function beyondMargin(line: number): number {
    if (!Number.isInteger(line)) return logistic((scale * (mean - bend(line))) / sd)
    const above = logistic((scale * (mean - bend(line + 0.5))) / sd)
    const below = logistic((scale * (bend(line - 0.5) - mean)) / sd)
    return above / (above + below)
  }

  /** Returns the chance of a result above the line, if it is not hit exactly. */
  function aboveWithoutPush(expected: number, line: number): number {
    if (!Number.isInteger(line)) return logistic((scale * (expected - line)) / sd)
    const above = logistic((scale * (expected - line - 0.5)) / sd)
    const below = logistic((scale * (line - 0.5 - expected)) / sd)
    return above / (above + below)
  }

  /** Sets `wanted` from `fair`: the book's margin on top, then its grid, then its lean. */
  function computeSteps(book: BookProfile, sideCount: number, lean: number) {
    const { grid, margin } = book
    const { implied } = grid
    const last = implied.length - 1
    // Each side gets margin by its uncertainty, so that a near certainty stays below 1.
    let weights = 0
    for (let i = 0; i < sideCount; i++) weights += fair[i]! * (1 - fair[i]!)
    for (let i = 0; i < sideCount; i++) {
      const p = fair[i]!
      wanted[i] = nearestStep(grid, p + (margin * p * (1 - p)) / weights)
    }
    wanted[0] = Math.max(0, Math.min(last, wanted[0]! + lean))
    const other = sideCount - 1
    wanted[other] = Math.max(0, Math.min(last, wanted[other]! - lean))
    // Rounding must not use up the margin.
    for (let i = 0; i < 12; i++) {
      let sum = 0
      for (let side = 0; side < sideCount; side++) sum += implied[wanted[side]!]!
      if (sum >= 1 + 0.55 * margin) return
      const side = i % sideCount
      if (wanted[side]! > 0) wanted[side]!--
    }
  }

  /** Returns the place of the ladder's middle for `mean`. */
  function centerFor(family: Family): number {
    const { kind, lineStep, isHalf, rungs, center } = family
    if (kind === 'two_way' || kind === 'three_way' || kind === 'both_score') return 0
    const target = kind === 'spread' ? -(isBent ? unbend(mean) : mean) : mean
    if (family.isFixed) {
      if (!Number.isNaN(center) && Math.abs(target) < 0.4) return center
      return target < 0 ? -1.5 : 1.5
    }
    // A line only moves if it is clearly wrong.
    if (!Number.isNaN(center) && Math.abs(target - center) <= 0.7 * lineStep) {
      if (kind !== 'total' || lowestLine(center) > scored) return center
    }
    const rounded = isHalf
      ? Math.floor(target / lineStep) * lineStep + lineStep / 2
      : Math.round(target / lineStep) * lineStep
    if (kind === 'spread') return rounded + 0
    let above = rounded
    const lowest = Math.max(scored + 0.5, family.lowestLine)
    while (lowestLine(above) < lowest) above += lineStep
    while (above + (rungs >> 1) * lineStep > family.highestLine) above -= lineStep
    return above

    function lowestLine(middle: number) {
      return middle - ((rungs - 1) >> 1) * lineStep
    }
  }

  /**
   * Prices a family from a belief.
   * @param stated receives the rungs that changed; null for a silent pricing (a snapshot follows)
   * @returns how many selections changed
   */
  function reprice(
    listing: Listing,
    family: Family,
    version: number,
    at: number,
    stated: FeedMarket[] | null,
  ): number {
    changedCount = 0
    family.version = version
    readBelief(listing, family, offsetOf(version))
    const center = centerFor(family)
    if (center !== family.center) moveLadder(listing, family, center, stated)
    const sideCount = family.sides.length
    const { steps, leans } = family
    for (let rung = 0; rung < family.rungs; rung++) {
      computeFair(family, family.lines[rung]!)
      computeSteps(listing.book, sideCount, leans[rung]!)
      if (rung > 0) keepOrder(family, rung)
      if (applySteps(family, rung, at)) stated?.push(marketOf(listing, family, rung, false))
    }
    // The number of rungs is constant, so the arrays cannot be longer than the ladder.
    if (steps.length !== family.rungs * sideCount) throw new Error('a rung without prices')
    return changedCount
  }

  /**
   * Returns whether `wanted` keeps the order of a neighbouring rung: with each higher line, the
   * first side of a spread is likelier, and that of a total less likely.
   * @param way 1 for the rung above it, -1 for the rung below
   */
  function isInOrder({ kind, sides, steps }: Family, neighbour: number, way: number): boolean {
    const last = sides.length - 1
    const sign = kind === 'spread' ? way : -way
    const at = neighbour * sides.length
    return sign * (steps[at]! - wanted[0]!) <= 0 && sign * (steps[at + last]! - wanted[last]!) >= 0
  }

  /**
   * Limits `wanted` so that it stays in order with the rung below; the margin is at least that
   * rung's.
   */
  function keepOrder(family: Family, rung: number) {
    const last = family.sides.length - 1
    const below = (rung - 1) * family.sides.length
    const isSpread = family.kind === 'spread'
    const [first, other] = [family.steps[below]!, family.steps[below + last]!]
    wanted[0] = isSpread ? Math.min(wanted[0]!, first) : Math.max(wanted[0]!, first)
    wanted[last] = isSpread ? Math.max(wanted[last]!, other) : Math.min(wanted[last]!, other)
  }

  /** Stores `wanted` as the rung's prices and counts the changes. */
  function applySteps(family: Family, rung: number, at: number): boolean {
    const sideCount = family.sides.length
    const { steps } = family
    let changed = 0
    for (let side = 0; side < sideCount; side++) {
      const index = rung * sideCount + side
      if (steps[index] === wanted[side]) continue
      steps[index] = wanted[side]!
      changed++
    }
    if (changed === 0) return false
    family.changedAt[rung] = at
    changedCount += changed
    return true
  }

  /** Moves the ladder; rungs that stay keep their price, those that go are stated as removed. */
  function moveLadder(
    listing: Listing,
    family: Family,
    center: number,
    stated: FeedMarket[] | null,
  ) {
    const sideCount = family.sides.length
    const before = family.lines.slice()
    const steps = family.steps.slice()
    const leans = family.leans.slice()
    const changedAt = family.changedAt.slice()
    family.center = center
    for (let rung = 0; rung < family.rungs; rung++) family.lines[rung] = lineOf(family, rung)
    for (let old = 0; old < before.length; old++) {
      if (family.lines.includes(before[old]!)) continue
      changedCount += sideCount
      stated?.push(removalOf(listing, family, before[old]!))
    }
    for (let rung = 0; rung < family.rungs; rung++) {
      const old = before.indexOf(family.lines[rung]!)
      for (let side = 0; side < sideCount; side++) {
        family.steps[rung * sideCount + side] = old < 0 ? -1 : steps[old * sideCount + side]!
      }
      family.leans[rung] = old < 0 ? 0 : leans[old]!
      family.changedAt[rung] = old < 0 ? 0 : changedAt[old]!
    }
  }

  /**
   * Moves one rung by a step, as money comes in: longer on one side, shorter on the other. It needs
   * no belief, so it is very cheap. A step that would break the margin is not made.
   * @returns how many selections changed
   */
  function nudge(
    listing: Listing,
    family: Family,
    rung: number,
    at: number,
    random: Random,
    stated: FeedMarket[] | null,
  ): number {
    changedCount = 0
    const { wander } = listing.book
    const lean = family.leans[rung]!
    // Prices tend to drift back to the model.
    const isUp = random.chance(lean === 0 ? 0.5 : lean > 0 ? 0.3 : 0.7)
    const first = lean >= wander ? -1 : lean <= -wander ? 1 : isUp ? 1 : -1
    if (!step(listing.book, family, rung, first)) {
      const isAllowed = Math.abs(lean - first) <= wander
      if (!isAllowed || !step(listing.book, family, rung, -first)) return 0
    }
    if (applySteps(family, rung, at)) stated?.push(marketOf(listing, family, rung, false))
    return changedCount
  }

  /** Sets `wanted` to the rung's prices after one step; false if the book would not quote them. */
  function step(book: BookProfile, family: Family, rung: number, direction: number): boolean {
    const { implied } = book.grid
    const sideCount = family.sides.length
    let sum = 0
    for (let side = 0; side < sideCount; side++) {
      const by = side === 0 ? direction : side === sideCount - 1 ? -direction : 0
      const to = family.steps[rung * sideCount + side]! + by
      if (to < 0 || to >= implied.length) return false
      wanted[side] = to
      sum += implied[to]!
    }
    if (sum < 1 + 0.5 * book.margin || sum > 1.015 + 1.6 * book.margin) return false
    if (rung > 0 && !isInOrder(family, rung - 1, -1)) return false
    if (rung + 1 < family.rungs && !isInOrder(family, rung + 1, 1)) return false
    family.leans[rung] = family.leans[rung]! + direction
    return true
  }

  return { reprice, nudge }
}

function lineOf(family: Family, rung: number): number {
  const { center, lineStep, rungs, isFixed } = family
  const place = rung - ((rungs - 1) >> 1)
  if (!isFixed) return center + place * lineStep
  // ±0.5 would be the moneyline again: the ladder goes from -1.5 straight to +1.5.
  const at = (center < 0 ? center + 0.5 : center - 1.5) + place
  return at < 0 ? at - 0.5 : at + 1.5
}
