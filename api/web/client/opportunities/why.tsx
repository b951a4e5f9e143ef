/**
 * Explains an opportunity: its quotes with their ages, fair prices by five methods, and the changes that would end
 * it.
 */

import { useEffect, useRef } from 'preact/hooks'
import { isGain, kindNames } from '../data/kinds.ts'
import { explain } from '../data/opportunities.ts'
import { asExplained, hasMoved, type Opportunity } from '../data/opportunity.ts'
import { isRefusedWith } from '../data/refused.ts'
import { boardNow } from '../data/service-time.ts'
import { marketText } from '../format/names.ts'
import { alignedPriceText, chanceText, percentText, priceText } from '../format/odds.ts'
import { grownAgeText, startText } from '../format/time.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { useNow, usePolled } from '../shell/polled.ts'
import { StakeCalculator } from './stake-calculator.tsx'
import { UncountedCommissions } from './uncounted-commissions.tsx'

interface WhyProps {
  readonly opportunity: Opportunity
  /** As in `ListQuery`. */
  readonly books: readonly string[]
  readonly onClose: () => void
}

const roles: Readonly<Record<string, string>> = {
  leg: 'bet',
  reference: 'sharp book',
  consensus: 'consensus',
}

export function Why({ opportunity: chosen, books, onClose }: WhyProps) {
  const desk = useDesk()
  const { format, zone } = desk.choices
  const dialog = useRef<HTMLDialogElement>(null)
  const now = useNow()
  const read = usePolled(() => explain(chosen.id, books), desk.paceMs * 2, [chosen.id, books])
  const { value, error, at } = read
  const opportunity = value ? asExplained(chosen, value) : chosen
  useEffect(() => dialog.current!.showModal(), [])
  const hasEnded = isRefusedWith(error, 404)
  const book = (id: string | null) => (id === null ? 'best prices' : nameOfBook(desk, id))
  return (
    <dialog ref={dialog} class="side why" aria-labelledby="why-title" onClose={onClose}>
      <header>
        <div>
          <small>
            {kindNames[opportunity.kind]} · {marketText(opportunity.market)}
          </small>
          <h2 id="why-title">{opportunity.title}</h2>
        </div>
        <button type="button" aria-label="Close" onClick={() => dialog.current!.close()}>
          ✕
        </button>
      </header>
      {hasEnded && (
        <p class="refusal" role="status">
          It has ended: a price has moved or is gone.
        </p>
      )}
      <p class="worth">
        <b class={isGain(opportunity.kind, opportunity.worth) ? 'gain' : ''}>
          {percentText(opportunity.worth)}
        </b>{' '}
        since {startText(opportunity.detectedAt, zone, boardNow())}
      </p>
      {opportunity.warnings.length > 0 && (
        <p class="warnings">
          {opportunity.warnings.map((text) => marketText(text.toLowerCase())).join(' · ')}
        </p>
      )}
      <Legs opportunity={opportunity} />
      <UncountedCommissions legs={opportunity.legs} books={books} />
      {hasMoved(chosen, opportunity) && (
        <p class="hint" role="status">
          It has moved since you opened it: it was {percentText(chosen.worth)} at{' '}
          {chosen.legs
            .map(
              ({ sportsbook, price, american }) =>
                `${priceText(price, format, american)} ${book(sportsbook)}`,
            )
            .join(', ')}
          .
        </p>
      )}
      {!hasEnded && <Failure of={read} />}
      {value && <StakeCalculator explained={value} opportunity={opportunity} />}
      {value && (
        <>
          <h3>Quotes</h3>
          <table>
            <thead>
              <tr>
                <th scope="col">Sportsbook</th>
                <th scope="col">Selection</th>
                <th scope="col">Price</th>
                <th scope="col">Age</th>
              </tr>
            </thead>
            <tbody>
              {value.quotes.map((quote) => (
                <tr key={`${quote.role} ${quote.sportsbook} ${quote.selection}`}>
                  <th scope="row">
                    {quote.is_hidden ? 'a sharp book' : book(quote.sportsbook)}{' '}
                    <small>{roles[quote.role] ?? quote.role}</small>
                  </th>
                  <td>{quote.selection}</td>
                  <td>
                    {quote.odds_decimal === undefined ? '–' : priceText(quote.odds_decimal, format)}
                  </td>
                  <td>
                    {quote.age_seconds === undefined
                      ? '–'
                      : grownAgeText(quote.age_seconds * 1_000, at, now)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {value.devig.map((measure) => (
            <section key={measure.sportsbook}>
              <h3>
                Fair probabilities by {book(measure.sportsbook)} (margin{' '}
                {percentText(measure.overround * 100)})
              </h3>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Method</th>
                    {measure.answers.map((answer) => (
                      <th scope="col" key={answer}>
                        {answer}
                      </th>
                    ))}
                    {opportunity.kind === 'ev' && <th scope="col">EV</th>}
                  </tr>
                </thead>
                <tbody>
                  {Object.entries(measure.methods).map(([name, result]) => (
                    <tr key={name}>
                      <th scope="row">{marketText(name)}</th>
                      {measure.answers.map((answer, i) => (
                        <td key={answer}>{chanceText(result?.fair_probabilities[i])}</td>
                      ))}
                      {opportunity.kind === 'ev' && (
                        <td>
                          {result?.ev_percentage === undefined
                            ? '–'
                            : percentText(result.ev_percentage)}
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          ))}
          <h3>What would end it</h3>
          <ul class="ends">
            {value.ends.map((end) => (
              <li key={`${end.cause} ${end.sportsbook} ${end.at}`}>
                {marketText(end.cause)}
                {end.sportsbook && `, ${book(end.sportsbook)}`}
                {end.to_odds_decimal !== null && ` to ${priceText(end.to_odds_decimal, format)}`}
                {end.at && ` at ${startText(Date.parse(end.at), zone, boardNow())}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </dialog>
  )
}

/** Leaves out the player's name, which is shown beside it. */
export function selectionText(selection: string, player: string | null): string {
  const own = player !== null && selection.startsWith(`${player} `)
  return (own ? selection.slice(player.length + 1) : selection).replace(/ -(?=\d)/, ' −')
}

export function Legs({ opportunity }: { readonly opportunity: Opportunity }) {
  const desk = useDesk()
  return (
    <ul class="legs">
      {opportunity.legs.map((leg) => (
        <li key={`${leg.sportsbook} ${leg.selection}`}>
          <b>{alignedPriceText(leg.price, desk.choices.format, leg.american)}</b>
          <span>{selectionText(leg.selection, opportunity.player)}</span>
          {leg.deepLink ? (
            <a href={leg.deepLink} target="_blank" rel="noopener noreferrer">
              {nameOfBook(desk, leg.sportsbook)} ↗
            </a>
          ) : (
            <span class="book">{nameOfBook(desk, leg.sportsbook)}</span>
          )}
          {leg.tied.length > 0 && (
            <small title={leg.tied.map((book) => nameOfBook(desk, book)).join(', ')}>
              {`or ${leg.tied.length} more`}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}
