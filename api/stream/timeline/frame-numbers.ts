/**
 * The numbers that frames of one tick have, of its own range: a few for each sportsbook and part of what is told
 * of it. Which number a frame has follows from what it tells, not from what else its client asks for, so that
 * it has the same one when it is told again, and that nobody learns by it of prices that it does not see.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'

/** In the order in which they are told. */
export const framePart = { removed: 0, updated: 1, locked: 2 } as const
export type FramePart = (typeof framePart)[keyof typeof framePart]

export interface FrameNumbers {
  /** @param isLast whether the frame tells all that is left of the part */
  next(sportsbook: string, part: FramePart, isLast: boolean): number
  /** Whether the client was told all of a part before. */
  wasSent(sportsbook: string, part: FramePart): boolean
}

/** Frames of a part: the last number says that it is complete. */
const numbersOfPart = 20
const numbersOfBook = 3 * numbersOfPart
const mostListed = 150
/** Sportsbooks that are not listed share what follows, and have its numbers in their turn. */
const firstOfUnlisted = mostListed * numbersOfBook
export const numbersOfTick = firstOfUnlisted + 3_000

/** The place of a sportsbook among the frames of a tick. */
export const placeOf = memoise((sportsbook: string): number =>
  Math.min(findSportsbook(sportsbook)?.numericalId ?? mostListed, mostListed),
)

/** @param lastSent the last number that the client has; below `first` where it has none of the tick */
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
      const place = placeOf(sportsbook)
      return (
        place < mostListed &&
        first + place * numbersOfBook + (part + 1) * numbersOfPart <= lastSent + 1
      )
    },
  }
}
