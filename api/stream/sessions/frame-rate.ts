/** Limits the frames that a WebSocket client sends. */

/** Most frames per second. The fifth excess frame in consecutive seconds ends the connection. */
export const framesPerSecond = 20
const mostExcesses = 5

export interface FrameRate {
  /** The second of its last frame, and its frames in that second. */
  second: number
  frames: number
  /** Excess frames in consecutive seconds. */
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
 * @returns whether to accept it; `last` if the connection must end
 */
export function countFrame(rate: FrameRate, now: number): 'taken' | 'refused' | 'last' {
  const second = Math.floor(now / 1_000)
  if (rate.second !== second) {
    if (!rate.isOver || second !== rate.second + 1) rate.excesses = 0
    rate.second = second
    rate.frames = 0
    rate.isOver = false
  }
  if (++rate.frames <= framesPerSecond) return 'taken'
  rate.isOver = true
  return ++rate.excesses < mostExcesses ? 'refused' : 'last'
}
