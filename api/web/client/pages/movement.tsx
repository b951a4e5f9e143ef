/** The moves of a line at each sportsbook, from the archive: chart, opener, close. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Page, PriceHistory } from '../../wire.ts'
import { type Course, timesAndPrices } from '../chart/course.ts'
import { historiesAt, pricesOn } from '../data/histories.ts'
import type { Question } from '../data/price-store.ts'
import { get } from '../data/rest.ts'
import { serviceNow } from '../data/service-time.ts'
import { answerText, withheldText } from '../format/names.ts'
import { lineText, priceText } from '../format/odds.ts'
import { axisTexts, momentText, startText } from '../format/time.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { Figures } from '../shell/figures.tsx'
import { usePolled } from '../shell/polled.ts'
import { Switch } from '../shell/switch.tsx'

interface MovementProps {
  readonly question: Question
  /** The sides of the rung, each with its line. */
  readonly sides: readonly { readonly answer: string; readonly line: number | null }[]
  readonly homeTeam: string
  readonly awayTeam: string
  readonly startsAt: number
  /** The time shown (epoch ms); null for now. */
  readonly at: number | null
  /** Sharp books in order of preference. */
  readonly sharpBooks: readonly string[]
}

/** Most points of a price. The chart cannot show more. */
const mostPoints = 200
/** Most lines on the chart: the sharp books first, then those that have moved most. */
const mostCourses = 9

async function readHistory(eventId: string, market: string): Promise<readonly PriceHistory[]> {
  const all: PriceHistory[] = []
  for (;;) {
    const page = await get<Page<PriceHistory>>(
      `/events/${encodeURIComponent(eventId)}/history?market=${market}&points=${mostPoints}&limit=200&offset=${all.length}`,
    )
    all.push(...page.data)
    if (!page.pagination.has_more) return all
  }
}

export function Movement(props: MovementProps) {
  const { question, sides, homeTeam, awayTeam, startsAt, at, sharpBooks } = props
  const { eventId, market } = question
  const desk = useDesk()
  const { format, zone, scheme } = desk.choices
  const [chosen, choose] = useState('')
  const side = sides.find(({ answer }) => answer === chosen) ?? sides[0]
  const read = usePolled(() => readHistory(eventId, market), Math.max(15_000, desk.paceMs * 4), [
    eventId,
    market,
  ])
  const { error } = read
  const value = useMemo(
    () => read.value && (at === null ? read.value : historiesAt(read.value, at)),
    [read.value, at],
  )
  const host = useRef<HTMLDivElement>(null)
  const [hasNoChart, setNoChart] = useState(false)
  const prices = value && side ? pricesOn(value, question, side) : []
  const rank = ({ sportsbook, move_count }: PriceHistory) => {
    const sharp = sharpBooks.indexOf(sportsbook)
    return sharp < 0 ? 100 - Math.min(90, move_count) : sharp
  }
  const ordered = [...prices].sort((a, b) => rank(a) - rank(b))
  const reference = sharpBooks.find((id) => prices.some(({ sportsbook }) => sportsbook === id))
  useEffect(() => {
    const element = host.current
    if (!element || ordered.length === 0) return
    let isOver = false
    let chart: { close(): void } | undefined
    const load = import('../chart/price-chart.ts').then(({ drawChart }) => {
      if (isOver) return
      setNoChart(false)
      const style = getComputedStyle(element)
      const colour = (name: string) => style.getPropertyValue(name).trim()
      chart = drawChart(element, {
        courses: ordered.slice(0, mostCourses).map((price): Course => {
          return {
            name: nameOfBook(desk, price.sportsbook),
            ...timesAndPrices(price.course, at ?? serviceNow()),
            isReference: price.sportsbook === reference,
          }
        }),
        startsAt: startsAt / 1_000,
        priceText: (price) => priceText(price, format),
        timeText: (at) => momentText(at, zone, serviceNow()),
        axisTexts: (ats) => axisTexts(ats, zone, serviceNow()),
        isUtc: zone === 'utc',
        colours: {
          text: colour('--muted'),
          grid: colour('--rule'),
          reference: colour('--accent'),
          others: ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'].map(
            colour,
          ),
        },
      })
    })
    load.catch(() => isOver || setNoChart(true))
    return () => {
      isOver = true
      chart?.close()
    }
  }, [value, side?.answer, side?.line, question.key, format, zone, scheme])

  if (error && !value) {
    return <p class="hint">No chart: {error.message}</p>
  }
  const names = Object.fromEntries(
    sides.map(({ answer, line }) => [
      answer,
      `${answerText(answer, homeTeam, awayTeam)} ${lineText(line, '')}`.trim(),
    ]),
  )
  const momentCell = (moment: PriceHistory['open'] | null) =>
    moment ? (
      <>
        {priceText(moment.odds_decimal, format, moment.odds_american)}{' '}
        <small>{startText(Date.parse(moment.at), zone, serviceNow())}</small>
      </>
    ) : (
      '–'
    )
  const closeCell = ({ close }: PriceHistory) =>
    close?.withheld ? (
      <>
        <span class="offer withheld" title={withheldText(close.withheld)}>
          {momentCell(close)}
        </span>
        <span class="unseen">, {withheldText(close.withheld)}</span>
      </>
    ) : (
      momentCell(close)
    )
  return (
    <section aria-label="Movement">
      <Failure of={read} what="Movement" />
      {hasNoChart && (
        <p class="refusal" role="status">
          The chart could not be loaded. Reload the page to try again.
        </p>
      )}
      <div class="bar tools">
        <h2>Movement</h2>
        <Switch
          label="Side"
          names={names}
          order={sides.map(({ answer }) => answer)}
          value={side?.answer ?? ''}
          onChange={choose}
        />
      </div>
      <div class="chart" ref={host} />
      {value && prices.length === 0 && <p class="hint">No history of this line yet.</p>}
      {prices.length > 0 && (
        <Figures
          label="Openers and closes"
          columns={['Sportsbook', 'Open', ...(at === null ? ['Moves'] : []), 'Last', 'Close']}
        >
          {ordered.map((price) => {
            const by = Math.sign(price.last.odds_decimal - price.open.odds_decimal)
            return (
              <tr key={price.id}>
                <th scope="row">{nameOfBook(desk, price.sportsbook)}</th>
                <td>{momentCell(price.open)}</td>
                {at === null && <td>{price.move_count}</td>}
                <td>
                  {momentCell(price.last)} {by > 0 ? '▲' : by < 0 ? '▼' : ''}
                </td>
                <td>{closeCell(price)}</td>
              </tr>
            )
          })}
        </Figures>
      )}
    </section>
  )
}
