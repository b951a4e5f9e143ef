/** The prices of one question of a game: the ladder of its lines, and all sportsbooks on one of them. */

import { booksOf, type Chain } from '../../../../pipeline/rules/odds/chains.ts'
import { columnOrder, groupOf } from '../data/columns.ts'
import { fairBy, offeredBy, type Prices } from '../data/fair.ts'
import { mainRung, type Rung } from '../data/ladder.ts'
import { holdOf, type QuestionKind } from '../data/market-kinds.ts'
import { isMeasure, isOffer, movedWithin, type Price } from '../data/price-store.ts'
import { answerText, consensusText, markOf } from '../format/names.ts'
import { alignedPriceText, lineText, percentText } from '../format/odds.ts'
import { type Desk, nameOfBook } from '../shell/context.ts'
import { ScrolledTable } from '../shell/scrolls.tsx'

interface PriceTableProps {
  readonly name: string
  readonly title: string
  /** What its lines are, for whoever scrolls it. */
  readonly label: string
  readonly className: string
  readonly columns: readonly string[]
  readonly children: preact.ComponentChildren
}

/** A table of a question's prices, of which `children` are the rows. */
const PriceTable = ({ name, title, ...table }: PriceTableProps) => (
  <section aria-label={name}>
    <h2>{title}</h2>
    <ScrolledTable {...table} />
  </section>
)

/** The hold of the best prices of a line. */
const BestHold = ({ hold }: Pick<Rung, 'hold'>) => (
  <td class={hold !== null && hold < 0 ? 'gain' : ''}>
    {hold === null ? '–' : percentText(hold * 100)}
  </td>
)

/** The line of a rung, as on its first side. */
export const rungText = ({ sides }: Rung) =>
  sides.map(({ line, answer }) => lineText(line, answer)).find(Boolean) ?? 'pk'

interface LadderProps {
  readonly rungs: readonly Rung[]
  /** Undefined while the line that was chosen has no prices. */
  readonly chosen: Rung | undefined
  readonly onChoose: (line: number | null) => void
  readonly home: string
  readonly away: string
  readonly desk: Desk
  /** Returns the rung with the best prices that are shown. */
  readonly shownOf: (rung: Rung) => Rung
}

export function Ladder({ rungs, chosen, onChoose, home, away, desk, shownOf }: LadderProps) {
  const { format } = desk.choices
  const main = mainRung(rungs)
  const answers = rungs[0]!.sides.map(({ answer }) => answerText(answer, home, away))
  return (
    <PriceTable
      name="Ladder"
      title="Ladder"
      label="Lines"
      className="ladder"
      columns={['Line', ...answers, 'Hold', 'Books']}
    >
      {rungs.map((rung) => {
        const { sides, hold } = shownOf(rung)
        return (
          <tr key={rung.line} class={rung === chosen ? 'chosen' : ''}>
            <th scope="row">
              <button
                type="button"
                aria-pressed={rung === chosen}
                onClick={() => onChoose(rung.line)}
              >
                {rungText(rung)}
                {rung === main && <small> main</small>}
              </button>
            </th>
            {sides.map(({ answer, best }) => (
              <td key={answer}>
                {best ? (
                  <>
                    <small>{nameOfBook(desk, best.sportsbook)}</small>{' '}
                    <b>{alignedPriceText(best.price, format, best.american)}</b>
                  </>
                ) : (
                  '–'
                )}
              </td>
            ))}
            <BestHold hold={hold} />
            <td>{rung.bookCount}</td>
          </tr>
        )
      })}
    </PriceTable>
  )
}

interface ComparisonProps {
  readonly rung: Rung
  readonly kind: QuestionKind
  /** Returns why a price is not one to bet on now; null if it is. */
  readonly staleAt: (price: Price) => string | null
  /** Returns whether a price is compared with those of other sportsbooks. */
  readonly isCompared: (price: Price) => boolean
  /** Returns whether a price may be the best. */
  readonly counts: (price: Price) => boolean
  readonly home: string
  readonly away: string
  /** The chain of the game. */
  readonly chain: Chain
  readonly desk: Desk
}

export function Comparison(props: ComparisonProps) {
  const { rung, kind, staleAt, isCompared, counts, home, away, chain, desk } = props
  const { format, isOnlyMine } = desk.choices
  const { sides } = rung
  const listed = columnOrder(desk.sportsbooks, booksOf(chain), desk.choices.books).filter(
    ({ id }) => sides.some(({ prices }) => prices.has(id)),
  )
  const { outcomes } = kind
  const answers = sides.map(({ answer }) => answer)
  const offered: Prices = {
    ...{ outcomes, answers, sportsbooks: listed.map(({ id }) => id) },
    at: (id, outcome) => sides.find(({ answer }) => answer === outcome)?.prices.get(id),
    counts: (price) => staleAt(price) === null,
  }
  const fair = fairBy(chain, {
    ...offered,
    counts: (price) => offered.counts(price) && isCompared(price),
  })
  const bets = sides.map(
    ({ answer, line }) => `${answerText(answer, home, away)} ${lineText(line, answer)}`,
  )
  return (
    <PriceTable
      name="Comparison"
      title="Sportsbooks"
      label="Prices by sportsbook"
      className="comparison"
      columns={['Sportsbook', ...bets, 'Hold']}
    >
      <tr class="summary">
        <th scope="row">Best{isOnlyMine && <small> of mine</small>}</th>
        {sides.map(({ answer, best }) => (
          <td key={answer}>{best ? <Offer price={best} isBest format={format} /> : '–'}</td>
        ))}
        <BestHold hold={rung.hold} />
      </tr>
      {fair && (
        <tr class="summary">
          <th scope="row">
            Fair{' '}
            <small>
              {fair.isConsensus
                ? consensusText(fair.sportsbooks.length)
                : `${fair.sportsbooks.map((id) => nameOfBook(desk, id)).join(' + ')} without its margin`}
            </small>
          </th>
          {fair.chances.map((chance, i) => (
            <td key={answers[i]}>
              {chance === null ? (
                '–'
              ) : (
                <>
                  <small>{percentText(chance * 100, 1)}</small>{' '}
                  <span class="offer">{alignedPriceText(1 / chance, format)}</span>
                </>
              )}
            </td>
          ))}
          <td>0.00%</td>
        </tr>
      )}
      {listed.map((book) => {
        const prices = sides.map(({ prices }) => prices.get(book.id))
        const hold = holdOf(outcomes, offeredBy(offered, book.id, isMeasure))
        return (
          <tr key={book.id}>
            <th scope="row">
              {book.display_name} <small>{groupOf(book)}</small>
            </th>
            {prices.map((price, i) => {
              const stale = price ? staleAt(price) : null
              return (
                <td key={sides[i]!.answer}>
                  {price ? (
                    <Offer
                      price={price}
                      isBest={
                        price.price === sides[i]!.best?.price && isOffer(price) && counts(price)
                      }
                      stale={stale}
                      format={format}
                    />
                  ) : (
                    <span class="none">–</span>
                  )}
                </td>
              )
            })}
            <td>{hold === null ? '–' : percentText(hold * 100)}</td>
          </tr>
        )
      })}
    </PriceTable>
  )
}

interface OfferProps {
  readonly price: Price
  readonly isBest: boolean
  /** Why it does not count; null if it does. */
  readonly stale?: string | null
  readonly format: Desk['choices']['format']
}

/** A price, as a link to its bet slip if there is one. */
function Offer({ price, isBest, stale = null, format }: OfferProps) {
  const text = alignedPriceText(price.price, format, price.american)
  const arrow = movedWithin(price, 4_000, performance.now()) && (
    <span class={price.moved > 0 ? 'gain' : 'loss'}>{price.moved > 0 ? '▲' : '▼'}</span>
  )
  const mark = markOf(price)
  const className =
    `offer${isBest ? ' top' : ''} ${mark.className || (stale === null ? '' : 'stale')}`.trim()
  const title = mark.why || (stale ?? undefined)
  const content = (
    <>
      {arrow} {text}
    </>
  )
  const isLink = price.deepLink && price.isActive
  return (
    <>
      {isLink ? (
        <a
          class={className}
          title={title}
          href={price.deepLink!}
          target="_blank"
          rel="noopener noreferrer"
        >
          {content}{' '}
          <span class="away" aria-hidden="true">
            ↗
          </span>
        </a>
      ) : (
        <span class={className} title={title}>
          {content}
        </span>
      )}
      {title && <span class="unseen">, {title}</span>}
    </>
  )
}
