/**
 * Numbers the frames of a tick within the tick's range: a few numbers for each sportsbook and part. A number depends
 * on the frame's content, not on the client's query. So a frame sent again keeps its number, and numbers reveal
 * nothing of prices that a client does not see.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'

/** Parts in the order of sending. */
export const framePart = { removed: 0, updated: 1, locked: 2 } as const
export type FramePart = (typeof framePart)[keyof typeof framePart]

export interface FrameNumbers {
  /** @param isLast whether the frame completes the part */
  next(sportsbook: string, part: FramePart, isLast: boolean): number
  /** Returns whether the client already has all of a part. */
  wasSent(sportsbook: string, part: FramePart): boolean
}

/** Numbers for one part. The last of them marks the part as complete. */
const numbersOfPart = 20
const numbersOfBook = 3 * numbersOfPart
const mostListed = 150
/** From this number on, unlisted sportsbooks share the numbers, in the order of sending. */
const firstOfUnlisted = mostListed * numbersOfBook
export const numbersOfTick = firstOfUnlisted + 3_000

/** Returns the place of a sportsbook among the frames of a tick. */
export const placeOf = memoise((sportsbook: string): number =>
  Math.min(findSportsbook(sportsbook)?.numericalId ?? mostListed, mostListed),
)

/** @param lastSent the client's last number; below `first` if it has none of the tick */
export function numbersOfFrames(first: number, lastSent: number): FrameNumbers {
  const last = first + numbersOfTick - 1
  let seq = Math.max(first - 1, lastSent)

  function next(sportsbook: string, part: FramePart, isLast: boolean): number {
    const place = placeOf(sportsbook)
    if (place === mostListed) return Math.min(last, Math.max(seq + 1, first + firstOfUnlisted))
    const from = first + place * numbersOfBook + part * numbersOfPart
    const complete = from + numbersOfPart - 1
    return isLast ? complete : Math.min(complete - 1, Math.max(seq + 1, from))
  }

  return {
    next(sportsbook, part, isLast) {
      seq = next(sportsbook, part, isLast)
      return seq
    },
    wasSent(sportsbook, part) {
      if (lastSent < first) return false
      const place = placeOf(sportsbook)
      return (
        place < mostListed &&
        first + place * numbersOfBook + (part + 1) * numbersOfPart <= lastSent + 1
      )
    },
  }
}
