/** Moves of the fair price of each outcome: its opener, and its course as an SVG path. */

export interface Trend {
  /** Outcomes in the order of the figures. */
  readonly answers: readonly string[]
  /** Opening decimal odds by outcome; null if unknown. */
  open: (number | null)[]
  /** No-vig probabilities by outcome, oldest first. */
  readonly courses: number[][]
}

const mostPoints = 48

export const createTrend = (answers: readonly string[]): Trend => ({
  answers,
  open: answers.map(() => null),
  courses: answers.map(() => []),
})

/** @returns whether any has moved */
export function record(trend: Trend, fair: readonly (number | null)[]): boolean {
  let isMoved = false
  for (let i = 0; i < fair.length; i++) {
    const course = trend.courses[i]
    if (!course) continue
    const value = fair[i] ?? null
    if (value === null || course.at(-1) === value) continue
    course.push(value)
    // Older points may come from the archive.
    course.splice(0, Math.max(0, course.length - mostPoints))
    isMoved = true
  }
  return isMoved
}

/** Draws a course as a step line in a box, oldest point at the left. */
export function pathOf(course: readonly number[], width: number, height: number): string {
  if (course.length < 2) return ''
  // The scale spans at least two percentage points, so that noise does not look like a move.
  const low = Math.min(...course)
  const high = Math.max(...course)
  const span = Math.max(high - low, 0.02)
  const base = (low + high - span) / 2
  const step = width / course.length
  const y = (value: number) => (height - ((value - base) / span) * height).toFixed(1)
  let path = `M0 ${y(course[0]!)}`
  for (let i = 1; i < course.length; i++) path += `H${(i * step).toFixed(1)}V${y(course[i]!)}`
  // The last value extends to the edge, or the last move would look like a hook.
  return `${path}H${width}`
}
