/** The chart of a line's prices, with the sportsbooks to draw and the steam. Loaded only when a chart is shown. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Page, PriceHistory, SteamMovement } from '../../wire.ts'
import { everyItem } from '../data/pages.ts'
import type { Question } from '../data/price-store.ts'
import { get } from '../data/rest.ts'
import { boardNow } from '../data/service-time.ts'
import { priceText } from '../format/odds.ts'
import { axisTexts, momentText } from '../format/time.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { usePolled } from '../shell/polled.ts'
import { useIsDark } from '../shell/use-media.ts'
import { type Course, timesAndPrices } from './course.ts'
import { drawnBooks, ownFirst, toggled } from './drawn-books.ts'
import { drawChart, type Pointed, type Zoom } from './plot.ts'
import { type Steam, steamOn } from './steam.ts'

interface PriceChartProps {
  readonly question: Question
  /** At least one price of one answer at one line, by interest. The same array means the same prices. */
  readonly prices: readonly PriceHistory[]
  /** The sportsbook whose line stands out. */
  readonly reference: string | undefined
  readonly startsAt: number
  /** The time shown (epoch ms); null for now. */
  readonly at: number | null
}

/** The longest period of movements. */
const steamMs = 31 * 86_400_000
const colours = 6
const styles = ['solid', 'dashed', 'dotted'] as const

/** Returns how the lines of sportsbooks are drawn, by id. */
function linesOf(drawn: readonly string[], reference: string | undefined) {
  const others = drawn.filter((id) => id !== reference)
  const lineOf = (id: string): Pick<Course, 'stroke' | 'style' | 'isReference'> => {
    if (id === reference) return { stroke: '--accent', style: 'solid', isReference: true }
    const at = others.indexOf(id)
    const style = styles[Math.floor(at / colours) % styles.length]!
    return { stroke: `--line-${1 + (at % colours)}`, style, isReference: false }
  }
  return new Map(drawn.map((id) => [id, lineOf(id)]))
}

export function PriceChart({ question, prices, reference, startsAt, at }: PriceChartProps) {
  const { eventId, market } = question
  const desk = useDesk()
  const { format, zone, books, chartBooks } = desk.choices
  const isDark = useIsDark(desk.choices.scheme)
  const host = useRef<HTMLDivElement>(null)
  const [pointed, point] = useState<Pointed | null>(null)
  /** Outlives the chart, which is drawn again for new prices. */
  const zoom = useRef<Zoom | null>(null)
  // Who may read the history may read its movements.
  const read = usePolled(
    () => {
      const to = at ?? boardNow()
      const period = [to - steamMs, to].map((time) => new Date(time).toISOString())
      const query = `event=${encodeURIComponent(eventId)}&market=${market}&from=${period[0]}&to=${period[1]}`
      return everyItem((offset) =>
        get<Page<SteamMovement>>(`/movements?${query}&limit=200&offset=${offset}`),
      )
    },
    Math.max(60_000, desk.paceMs * 10),
    [eventId, market, at],
  )
  const steam = useMemo(
    () => steamOn(read.value ?? [], new Set(prices.map(({ id }) => id)), at),
    [read.value, prices, at],
  )
  const nameOf = (id: string) => nameOfBook(desk, id)
  // A sportsbook whose price has been listed under another id has two.
  const offered = ownFirst([...new Set(prices.map(({ sportsbook }) => sportsbook))], books)
  const byName = [...offered].sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
  const drawn = drawnBooks(offered, chartBooks)
  // In the order of the legend, so that a colour stays while the prices move.
  const lines = linesOf(
    byName.filter((id) => drawn.includes(id)),
    reference,
  )
  const ids = [...lines.keys()]
  useEffect(() => {
    const style = getComputedStyle(host.current!)
    return drawChart(host.current!, {
      courses: ids.map((id) => {
        const { course } = prices.find(({ sportsbook }) => sportsbook === id)!
        return { ...lines.get(id)!, ...timesAndPrices(course, at ?? boardNow()) }
      }),
      marks: [
        ...steam.map(({ beganAt, isUp }) => ({
          at: beganAt / 1_000,
          className: isUp ? 'steam up' : 'steam down',
        })),
        { at: startsAt / 1_000, className: 'start' },
      ],
      cursorLeft: pointed?.left ?? null,
      zoom: zoom.current,
      onZoom(chosen) {
        zoom.current = chosen
      },
      onPoint: point,
      priceText: (price) => priceText(price, format),
      axisTexts: (ats) => axisTexts(ats, zone, boardNow()),
      isUtc: zone === 'utc',
      colour: (name) => style.getPropertyValue(name).trim(),
    })
  }, [prices, ids.join(), steam, startsAt, format, zone, isDark])

  const timeText = (time: number) => momentText(time, zone, boardNow())
  const steamText = ({ isUp, books }: Steam) =>
    `${isUp ? '▲ drifted' : '▼ shortened'}: ${books
      .map(({ sportsbook, from, to }) => {
        return `${nameOf(sportsbook)} ${priceText(from, format)} → ${priceText(to, format)}`
      })
      .join(', ')}`
  const marked = pointed && steam[pointed.mark]
  return (
    <>
      <div class="chart" ref={host} role="img" aria-label="Prices over time" />
      <p class="hint">
        {pointed ? timeText(pointed.at) : 'Point at the chart for the prices at a time.'}
        {marked && <b> Steam {steamText(marked)}</b>}
      </p>
      <fieldset class="legend" aria-label="Sportsbooks in the chart">
        {byName.map((id) => {
          const line = lines.get(id)
          const price = line && pointed?.prices[ids.indexOf(id)]
          return (
            <label key={id}>
              <input
                type="checkbox"
                checked={line !== undefined}
                disabled={line !== undefined && drawn.length === 1}
                onChange={() => desk.choose({ chartBooks: toggled(id, offered, chartBooks) })}
              />
              <i style={line && { borderTop: `3px ${line.style} var(${line.stroke})` }} />
              <span>{nameOf(id)}</span>
              {price && <b>{priceText(price, format)}</b>}
            </label>
          )
        })}
        {chartBooks.length > 0 && (
          <button type="button" onClick={() => desk.choose({ chartBooks: [] })}>
            Default
          </button>
        )}
      </fieldset>
      <Failure of={read} what="Steam" />
      {steam.length > 0 && (
        <details class="steam-list">
          <summary>
            Steam: {steam.length} {steam.length === 1 ? 'movement' : 'movements'}
          </summary>
          <ul>
            {steam.map((one) => (
              <li key={one.key}>
                {timeText(one.beganAt)} {steamText(one)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
