/**
 * Football ends on some margins far more often than on their neighbours: 3, 7, 10. Sportsbooks
 * change prices accordingly when a line crosses them. So spreads are priced on a bent scale, on
 * which a margin's width is its probability. A belief's margin is a place on that scale.
 */
import { resultChances } from '../../rules/odds/results.ts'

/** The largest bent margin; further margins keep their width. */
const mostMargin = 24
/** The deviation of the logistic curve that is bent, in points. */
const deviation = 13.2
const logisticScale = 1.702

/** Places of the half points 0.5, 1.5, … */
const places = bentPlaces()

function bentPlaces(): Float64Array {
  const found = new Float64Array(mostMargin)
  const chanceOf = resultChances('point_spread', 'football', 0)!
  let below = 0.5
  for (let margin = 0; margin < mostMargin; margin++) {
    // Half of a level game's chance is on each side.
    below += margin === 0 ? chanceOf(0) / 2 : chanceOf(margin)
    found[margin] = (Math.log(below / (1 - below)) * deviation) / logisticScale
  }
  return found
}

/** Returns the place of a margin, in points: 0 for 0, and symmetric. */
export function bend(margin: number): number {
  const size = Math.abs(margin)
  const last = mostMargin - 1
  let place: number
  if (size <= 0.5) place = 2 * size * places[0]!
  else if (size >= last + 0.5) place = places[last]! + size - last - 0.5
  else {
    const at = Math.floor(size - 0.5)
    const share = size - 0.5 - at
    place = places[at]! + share * (places[at + 1]! - places[at]!)
  }
  return margin < 0 ? -place : place
}

/** Returns the margin at a place. */
export function unbend(place: number): number {
  const size = Math.abs(place)
  const last = mostMargin - 1
  let margin: number
  if (size <= places[0]!) margin = size / places[0]! / 2
  else if (size >= places[last]!) margin = last + 0.5 + size - places[last]!
  else {
    let at = 0
    while (places[at + 1]! < size) at++
    margin = at + 0.5 + (size - places[at]!) / (places[at + 1]! - places[at]!)
  }
  return place < 0 ? -margin : margin
}
