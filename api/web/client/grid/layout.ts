/** Positions of the games on the board, and the visible ones. */

export interface Layout {
  /** Top of each game, then the bottom of the last. */
  readonly tops: Float64Array
  readonly height: number
}

export function layOut(heights: readonly number[]): Layout {
  const tops = new Float64Array(heights.length + 1)
  for (let i = 0; i < heights.length; i++) tops[i + 1] = tops[i]! + heights[i]!
  return { tops, height: tops[heights.length]! }
}

/** @returns indexes of the first visible game and of the one after the last */
export function inSight(
  { tops }: Layout,
  from: number,
  to: number,
): readonly [first: number, end: number] {
  const count = tops.length - 1
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (tops[middle + 1]! <= from) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < count && tops[end]! < to) end++
  return [low, end]
}
