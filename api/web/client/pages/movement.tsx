/** The moves of a line at each sportsbook, from the archive: chart, opener, close. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Page, PriceHistory } from '../../wire.ts'
import type { PriceChart } from '../chart/price-chart.tsx'
import { byInterest, historiesAt, pricesOn } from '../data/histories.ts'
import { everyItem } from '../data/pages.ts'
import type { Question } from '../data/price-store.ts'
import { get } from '../data/rest.ts'
import { boardNow } from '../data/service-time.ts'
import { answerText, withheldText } from '../format/names.ts'
import { lineText, priceText } from '../format/odds.ts'
import { startText } from '../format/time.ts'
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

const readHistory = (eventId: string, market: string) =>
  everyItem((offset) =>
    get<Page<PriceHistory>>(
      `/events/${encodeURIComponent(eventId)}/history?market=${market}&points=${mostPoints}&limit=200&offset=${offset}`,
    ),
  )

export function Movement(props: MovementProps) {
  const { question, sides, homeTeam, awayTeam, startsAt, at, sharpBooks } = props
  const { eventId, market } = question
  const desk = useDesk()
  const { format, zone } = desk.choices
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
  const prices = useMemo(
    () => byInterest(value && side ? pricesOn(value, question, side) : [], sharpBooks),
    [value, question.key, side?.answer, side?.line, sharpBooks.join()],
  )
  const hasPrices = prices.length > 0
  const [Chart, setChart] = useState<typeof PriceChart | null>(null)
  const [hasNoChart, setNoChart] = useState(false)
  useEffect(() => {
    if (!hasPrices) return
    import('../chart/price-chart.tsx').then(
      ({ PriceChart }) => setChart(() => PriceChart),
      () => setNoChart(true),
    )
  }, [hasPrices])

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
        <small>{startText(Date.parse(moment.at), zone, boardNow())}</small>
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
      {Chart && hasPrices && (
        <Chart
          question={question}
          prices={prices}
          reference={sharpBooks.find((id) => prices.some(({ sportsbook }) => sportsbook === id))}
          startsAt={startsAt}
          at={at}
        />
      )}
      {value && !hasPrices && <p class="hint">No history of this line yet.</p>}
      {hasPrices && (
        <Figures
          label="Openers and closes"
          columns={['Sportsbook', 'Open', ...(at === null ? ['Moves'] : []), 'Last', 'Close']}
        >
          {prices.map((price) => {
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
