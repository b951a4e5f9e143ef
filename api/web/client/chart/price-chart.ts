/** A chart of prices over time, one line per sportsbook. Loaded only when a chart is shown. */

import uPlot from 'uplot'
import { type Course, heldAt } from './course.ts'

export interface Chart {
  close(): void
}

export interface ChartOptions {
  readonly courses: readonly Course[]
  /** Start of the game (s), marked by a dashed line; null for none. */
  readonly startsAt: number | null
  readonly priceText: (price: number) => string
  /** @param at epoch ms */
  readonly timeText: (at: number) => string
  /** Returns labels of all ticks of the time axis. @param ats epoch ms, ascending */
  readonly axisTexts: (ats: readonly number[]) => string[]
  /** Whether days begin in UTC instead of the reader's time zone. */
  readonly isUtc: boolean
  /** CSS colours. */
  readonly colours: {
    readonly text: string
    readonly grid: string
    readonly reference: string
    readonly others: readonly string[]
  }
}

/** Shortest span of the time axis (s), so that the newest price is at its right end. */
const shortest = 60

export function drawChart(host: HTMLElement, options: ChartOptions): Chart {
  const { courses, colours, priceText, timeText, axisTexts, isUtc, startsAt } = options
  const times = [...new Set(courses.flatMap((course) => course.times))].sort((a, b) => a - b)
  const data = [times, ...courses.map((course) => heldAt(course, times))]
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid },
    ticks: { stroke: colours.grid },
  }
  const stepped = uPlot.paths.stepped!({ align: 1 })
  let other = 0
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height: 260,
      scales: { x: { time: true, range: (_, from, to) => [Math.min(from, to - shortest), to] } },
      ...(isUtc && { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1e3), 'Etc/UTC') }),
      cursor: { y: false },
      axes: [
        { ...axis, space: 80, values: (_, ticks) => axisTexts(ticks.map((at) => at * 1e3)) },
        {
          ...axis,
          size: 64,
          values: (_, ticks) => ticks.map((tick) => (tick > 1 ? priceText(tick) : '')),
        },
      ],
      series: [
        {
          label: 'Time',
          value: (_, at: number | null) => (at === null ? '–' : timeText(at * 1e3)),
        },
        ...courses.map((course) => ({
          label: course.name,
          ...(course.isReference ? { stroke: colours.reference } : lineOf(other++, colours.others)),
          width: course.isReference ? 2.5 : 1.25,
          paths: stepped,
          points: { show: course.times.length < 2 },
          spanGaps: false,
          value: (_: uPlot, price: number | null) => (price === null ? '–' : priceText(price)),
        })),
      ],
      hooks: {
        draw: [
          (drawn) => {
            if (startsAt === null || startsAt > times.at(-1)!) return
            const x = drawn.valToPos(startsAt, 'x', true)
            const { ctx, bbox } = drawn
            ctx.save()
            ctx.strokeStyle = colours.text
            ctx.setLineDash([4, 4])
            ctx.beginPath()
            ctx.moveTo(x, bbox.top)
            ctx.lineTo(x, bbox.top + bbox.height)
            ctx.stroke()
            ctx.restore()
          },
        ],
      },
    },
    data as uPlot.AlignedData,
    host,
  )
  const sizes = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: 260 }))
  sizes.observe(host)
  return {
    close() {
      sizes.disconnect()
      chart.destroy()
    },
  }
}

/** Lines are dashed where colours repeat. */
const lineOf = (index: number, colours: readonly string[]) => ({
  stroke: colours[index % colours.length]!,
  ...(index >= colours.length && { dash: [5, 3] }),
})
