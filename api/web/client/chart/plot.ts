/** Draws prices over time, one line per sportsbook. */

import uPlot from 'uplot'
import { type Course, heldAt } from './course.ts'

/** The place at which the reader points. */
export interface Pointed {
  /** Position (CSS pixels from the left). */
  readonly left: number
  /** Epoch ms. */
  readonly at: number
  /** In the order of the courses; null where there is none. */
  readonly prices: readonly (number | null)[]
  /** Index of the mark there; -1 for none. */
  readonly mark: number
}

/** The part of the time axis that the reader chose (s). */
export interface Zoom {
  readonly min: number
  readonly max: number
}

export interface ChartOptions {
  readonly courses: readonly Course[]
  /** Vertical lines at a time (s), which style sheets draw by their class. */
  readonly marks: readonly { readonly at: number; readonly className: string }[]
  /** Position of the cursor from the start on; null for none. */
  readonly cursorLeft: number | null
  /** The part shown at first; null for all. */
  readonly zoom: Zoom | null
  /** Called with what the reader chose; null for all. */
  readonly onZoom: (zoom: Zoom | null) => void
  /** Called with what the reader points at; null once it is nothing. */
  readonly onPoint: (pointed: Pointed | null) => void
  readonly priceText: (price: number) => string
  /** Returns labels of all ticks of the time axis. @param ats epoch ms, ascending */
  readonly axisTexts: (ats: readonly number[]) => string[]
  /** Whether days begin in UTC instead of the reader's time zone. */
  readonly isUtc: boolean
  /** Returns the colour that a style sheet gives a name, such as `--text`. */
  readonly colour: (name: string) => string
}

const dashes = { solid: [], dashed: [6, 4], dotted: [2, 3] }
/** Distance (CSS pixels) within which the reader points at a mark. */
const markReach = 8
const height = 260

/** Shortest span of the time axis (s), so that the newest price is at its right end. */
const shortest = 60

/** @returns a function that removes the chart */
export function drawChart(host: HTMLElement, options: ChartOptions): () => void {
  const { courses, marks, colour, priceText, axisTexts, isUtc } = options
  const times = [...new Set(courses.flatMap((course) => course.times))].sort((a, b) => a - b)
  const data = [times, ...courses.map((course) => heldAt(course, times))]
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--rule') },
    ticks: { stroke: colour('--rule') },
  }
  const stepped = uPlot.paths.stepped!({ align: 1 })
  const lines = marks.map(({ className }) =>
    Object.assign(document.createElement('i'), { className }),
  )
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height,
      // Its own takes no keyboard.
      legend: { show: false },
      scales: { x: { time: true, range: (_, from, to) => [Math.min(from, to - shortest), to] } },
      ...(isUtc && { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1e3), 'Etc/UTC') }),
      // Its points would be at the next change of a price, which is not what holds there.
      cursor: { y: false, points: { show: false } },
      axes: [
        { ...axis, space: 80, values: (_, ticks) => axisTexts(ticks.map((at) => at * 1e3)) },
        {
          ...axis,
          size: 64,
          values: (_, ticks) => ticks.map((tick) => (tick > 1 ? priceText(tick) : '')),
        },
      ],
      series: [
        {},
        ...courses.map(({ stroke, style, isReference, times }) => ({
          stroke: colour(stroke),
          dash: dashes[style],
          width: isReference ? 2.5 : 1.25,
          paths: stepped,
          points: { show: times.length < 2 },
          spanGaps: false,
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { left = -1 }, posToVal, valToPos }) => {
            if (left < 0) return options.onPoint(null)
            const at = posToVal(left, 'x')
            options.onPoint({
              left,
              at: at * 1e3,
              prices: courses.map((course) => heldAt(course, [at])[0]!),
              mark: marks.findIndex(({ at }) => Math.abs(valToPos(at, 'x') - left) <= markReach),
            })
          },
        ],
        setScale: [
          ({ scales }, key) => {
            if (key !== 'x') return
            const { min, max } = scales.x as Zoom
            const isAll = min <= times[0]! && max >= times.at(-1)!
            options.onZoom(isAll ? null : { min, max })
          },
        ],
        draw: [
          (drawn) => {
            lines.forEach((line, i) => {
              const left = drawn.valToPos(marks[i]!.at, 'x')
              line.hidden = left < 0 || left > drawn.over.clientWidth
              line.style.left = `${left}px`
            })
          },
        ],
      },
    },
    data as uPlot.AlignedData,
    host,
  )
  chart.over.append(...lines)
  if (options.zoom) chart.setScale('x', { ...options.zoom })
  if (options.cursorLeft !== null) chart.setCursor({ left: options.cursorLeft, top: 0 })
  const sizes = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height }))
  sizes.observe(host)
  return () => {
    sizes.disconnect()
    chart.destroy()
  }
}
