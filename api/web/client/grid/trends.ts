/** Moves of the fair price of each outcome: its opener, and its course as an SVG path. */

import { dropOldest } from '../data/newest.ts'
import { type Course, ownLines } from '../data/openers.ts'
import type { Question } from '../data/price-store.ts'
import type { Summary } from '../data/summary.ts'

export interface Trend {
  /** Opening decimal odds by outcome; null if unknown. */
  open: (number | null)[]
  /** No-vig probabilities by outcome, oldest first. */
  readonly courses: number[][]
}

const mostPoints = 48

export const createTrend = (answers: number): Trend => ({
  open: Array.from({ length: answers }, () => null),
  courses: Array.from({ length: answers }, () => []),
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

/**
 * Adds past prices, oldest first with the opener before them. They are scaled to end at the newest fair probability,
 * because the margin hardly changes.
 */
export function seed(trend: Trend, answers: readonly string[], past: Course) {
  answers.forEach((answer, i) => {
    const prices = past.get(answer)
    const course = trend.courses[i]
    if (!prices || !course || trend.open[i] !== null) return
    trend.open[i] = prices[0]!
    const fair = course.at(-1)
    const scale = fair === undefined ? 1 : fair * prices.at(-1)!
    course.unshift(...prices.slice(-40).map((price) => scale / price))
  })
}

export interface Trends {
  /** Returns the trend of these lines; a new one if there is none. */
  of(key: string, answers: number): Trend
  find(key: string): Trend | undefined
  /**
   * Records the fair probabilities of a question, and returns the trend of its lines. Without a fair price it is that at
   * the last sharp book. While the consensus measures there is none.
   */
  follow(question: Question, summary: Pick<Summary, 'fair' | 'sharpBook'>): Trend | undefined
}

/** Most trends, and questions with a last sharp book, kept. Lines that have moved keep theirs, because they often return. */
const mostTrends = 4_000

/** Trends by the key of `ownLines`: another line, or another sharp book, has a trend of its own. */
export function createTrends(): Trends {
  const trends = new Map<string, Trend>()
  /** The last sharp book by question. */
  const sharpBooks = new Map<string, string>()
  return {
    of(key, answers) {
      let trend = trends.get(key)
      if (!trend) {
        trend = createTrend(answers)
        trends.set(key, trend)
        dropOldest(trends, mostTrends)
      }
      return trend
    },
    find: (key) => trends.get(key),
    follow(question, { fair, sharpBook }) {
      if (fair && !sharpBook) return undefined
      if (sharpBook) {
        sharpBooks.set(question.key, sharpBook)
        dropOldest(sharpBooks, mostTrends)
      }
      const reference = sharpBooks.get(question.key)
      if (reference === undefined) return undefined
      const { key } = ownLines(question, reference)
      if (!fair) return this.find(key)
      const trend = this.of(key, question.answers.length)
      record(trend, fair)
      return trend
    },
  }
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
