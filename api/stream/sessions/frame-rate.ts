/** How often the client of a WebSocket sends frames. */

/** Frames of a client in a second, and in how many seconds in a row it may send more. */
export const framesPerSecond = 20
const mostExcesses = 5

export interface FrameRate {
  /** The second it sent a frame in last, and how many in that. */
  second: number
  frames: number
  /** Frames too many in a row of seconds. */
  excesses: number
  isOver: boolean
}

export const createFrameRate = (): FrameRate => ({
  second: 0,
  frames: 0,
  excesses: 0,
  isOver: false,
})

/**
 * Counts a frame.
 * @param now monotonic ms
 * @returns whether it may come; `last` when the client has sent too many for too long
 */
export function countFrame(rate: FrameRate, now: number): 'taken' | 'refused' | 'last' {
  const second = Math.floor(now / 1_000)
  if (rate.second !== second) {
    if (!rate.isOver) rate.excesses = 0
    rate.second = second
    rate.frames = 0
    rate.isOver = false
  }
  if (++rate.frames <= framesPerSecond) return 'taken'
  rate.isOver = true
  return ++rate.excesses < mostExcesses ? 'refused' : 'last'
}
