/**
 * Stakes for the legs of an opportunity, or by Kelly's rule for one bet: in units of the reader's choice, after fees,
 * within the limits of the sportsbooks and of the reader's profile. The API uses the same rule.
 */

import { useState } from 'preact/hooks'
import {
  equalStakes,
  kellyStake,
  stakesBeside,
  usualUnit,
} from '../../../../pipeline/rules/odds/stakes.ts'
import type { Settled } from '../../../../pipeline/rules/odds/two-lines.ts'
import type { Explanation } from '../../wire.ts'
import { TermsForm } from '../bets/terms-form.tsx'
import { keepBet } from '../data/bets.ts'
import type { Opportunity } from '../data/opportunity.ts'
import {
  createPlacements,
  legsOf,
  type NewBet,
  type Placements,
  type PricedLeg,
  paidStake,
  placedBet,
  priceToKeep,
} from '../data/placed-bet.ts'
import { boardNow } from '../data/service-time.ts'
import { losesByRounding } from '../data/stakes.ts'
import { type Bounds, numberFault, numberOf } from '../data/typed-number.ts'
import { gainClass, moneyText } from '../format/money.ts'
import { percentText, priceText } from '../format/odds.ts'
import { hasBetLog, nameOfBook, useDesk } from '../shell/context.ts'
import { NumberInput } from '../shell/number-input.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { Select } from '../shell/select.tsx'

const totalBounds: Bounds = [0]
const steps: readonly number[] = [usualUnit, 1, 5, 10]
const kellyNames: Readonly<Record<number, string>> = {
  1: 'Full Kelly',
  0.5: 'Half Kelly',
  0.25: 'Quarter Kelly',
}

/** Whether a rule stakes one bet of a bankroll, not all legs of a total. */
const isOfOneBet: Readonly<Record<Explanation['stakes']['rule'], boolean>> = {
  kelly: true,
  equal_return: false,
}

interface StakeCalculatorProps {
  readonly explained: Explanation
  readonly opportunity: Opportunity
}

export function StakeCalculator({ explained, opportunity }: StakeCalculatorProps) {
  const { bankroll, stake_unit: ownUnit } = useDesk().profile
  const [total, setTotal] = useState(String(bankroll ?? 1_000))
  const [unit, setUnit] = useState(ownUnit ?? usualUnit)
  const [, redraw] = useState(0)
  const [placements] = useState(() => createPlacements(keepBet, () => redraw((n) => n + 1)))
  const fault = numberFault(total, totalBounds)
  const amount = fault === null ? numberOf(total) || 0 : 0
  const legs = legsOf(explained)
  const { fair } = explained.result
  const isSingle = isOfOneBet[explained.stakes.rule] && typeof fair === 'number'
  return (
    <section class="stakes" aria-label="Stake calculator">
      <h3>Stakes</h3>
      <div class="fields">
        <label>
          {isSingle ? 'Bankroll' : 'Total stake'}
          <NumberInput bounds={totalBounds} value={total} onInput={setTotal} />
        </label>
        <label>
          Rounded to
          <Select
            choices={[...new Set([...steps, unit, ownUnit ?? usualUnit])]
              .sort((a, b) => a - b)
              .map((step) => [String(step), String(step)])}
            value={String(unit)}
            onChoose={(step) => setUnit(Number(step))}
          />
        </label>
      </div>
      <Refusal message={fault} />
      {isSingle ? (
        <Single
          leg={legs[0]!}
          fair={fair}
          bankroll={amount}
          unit={unit}
          opportunity={opportunity}
          placements={placements}
        />
      ) : (
        <Shared
          legs={legs}
          others={explained.stakes.other_outcomes as SharedProps['others']}
          total={amount}
          unit={unit}
          canAllWin={explained.kind === 'middle'}
          opportunity={opportunity}
          placements={placements}
        />
      )}
      {legs.some(({ hasFee }) => hasFee) && <p class="hint">Profits are after fees.</p>}
    </section>
  )
}

interface SharedProps {
  readonly legs: readonly PricedLeg[]
  /** How the legs can be settled other than by one of them winning alone. */
  readonly others: readonly (readonly Settled[])[]
  readonly total: number
  readonly unit: number
  readonly canAllWin: boolean
  readonly opportunity: Opportunity
  readonly placements: Placements
}

function Shared(props: SharedProps) {
  const { others, total, unit, canAllWin, opportunity, placements } = props
  const desk = useDesk()
  const money = useMoney()
  const stored = props.legs.map(({ selection }) => placements.of(selection).stored)
  const paid = stored.map(paidStake)
  const made = new Map(paid.flatMap((bet, i) => (bet ? [[i, bet.stake] as const] : [])))
  const legs = props.legs.map((leg, i) => ({ ...leg, net: paid[i]?.net ?? leg.net }))
  const plan =
    made.size > 0 ? stakesBeside(legs, made, unit, others) : equalStakes(legs, total, unit, others)
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Leg</th>
            <th scope="col">Stake</th>
            <th scope="col">Net if it wins</th>
            <PlacedHead />
          </tr>
        </thead>
        <tbody>
          {legs.map((leg, i) => (
            <tr key={leg.selection}>
              <th scope="row">
                {leg.selection} <small>{nameOfBook(desk, leg.sportsbook)}</small>
              </th>
              <td>{money(plan.stakes[i]!)}</td>
              <Profit value={plan.profits[i]!} />
              <Placed
                name={leg.selection}
                placements={placements}
                leg={props.legs[i]!}
                stake={plan.stakes[i]!}
                opportunity={opportunity}
              />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total, worst case</th>
            <td>{money(plan.total)}</td>
            <Profit value={plan.worst} />
            <td />
          </tr>
          {canAllWin && (
            <tr>
              <th scope="row">If both win</th>
              <td />
              <Profit value={plan.all} />
              <td />
            </tr>
          )}
        </tfoot>
      </table>
      <Unanswered placements={placements} rows={legs.map(({ selection }) => selection)} />
      {plan.limitedBy !== null && <Limit leg={legs[plan.limitedBy]!} unit={unit} />}
      {made.size > 0 && (
        <p class="hint" role="status">
          These are beside your bets in the log, at their stakes and odds. The total above does not
          count.
        </p>
      )}
      {stored.flat().some(({ free_bet }) => free_bet) && (
        <p class="hint">Your free bet is not counted here: see Free bet under Calculators.</p>
      )}
      {plan.total === 0 && total > 0 && plan.limitedBy === null && (
        <p class="hint">The total is too small: each leg needs at least {unit}.</p>
      )}
      {made.size === 0 && losesByRounding(legs, plan) && (
        <p class="hint">Any stakes rounded to {unit} may lose. Round to less.</p>
      )}
    </>
  )
}

interface SingleProps {
  readonly leg: PricedLeg
  readonly fair: number
  readonly bankroll: number
  readonly unit: number
  readonly opportunity: Opportunity
  readonly placements: Placements
}

function Single({ leg, fair, bankroll, unit, opportunity, placements }: SingleProps) {
  const { kelly } = useDesk().profile
  const money = useMoney()
  const parts = [...new Set([...(kelly === null ? [] : [kelly]), 1, 0.5, 0.25])]
  const staked = parts.map((part) => ({
    name: kellyNames[part] ?? `${percentText(100 * part, 0)} Kelly`,
    ...kellyStake(leg, fair, bankroll, part, unit),
  }))
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Fraction</th>
            <th scope="col">Stake</th>
            <th scope="col">Net if it wins</th>
            <th scope="col">Expected profit</th>
            <PlacedHead />
          </tr>
        </thead>
        <tbody>
          {staked.map(({ name, stake, profit, expected }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{money(stake)}</td>
              <Profit value={profit} />
              <Profit value={expected} />
              <Placed
                name={name}
                placements={placements}
                leg={leg}
                stake={stake}
                opportunity={opportunity}
              />
            </tr>
          ))}
        </tbody>
      </table>
      <Unanswered placements={placements} rows={staked.map(({ name }) => name)} />
      {staked.some(({ isLimited }) => isLimited) && <Limit leg={leg} unit={unit} />}
    </>
  )
}

/** Returns a function that formats amounts in the profile's currency. */
function useMoney() {
  const { currency } = useDesk().profile
  return (amount: number, stake?: number) => moneyText(amount, currency, stake)
}

function Profit({ value }: { readonly value: number }) {
  const money = useMoney()
  return <td class={gainClass(value)}>{money(value)}</td>
}

/** The column of the bet log, which is there for readers who have one. */
const PlacedHead = () =>
  hasBetLog(useDesk()) ? (
    <th scope="col">
      <span class="unseen">Bet log</span>
    </th>
  ) : null

interface PlacedProps {
  /** Of the row, whichever sportsbook its leg is at. */
  readonly name: string
  readonly placements: Placements
  readonly leg: PricedLeg
  readonly stake: number
  readonly opportunity: Opportunity
}

/**
 * Stores a bet that the reader has placed. The price after fees or commission and the stake in view are filled in, for
 * sportsbooks often take a bet at others.
 */
function Placed({ name, placements, leg, stake, opportunity }: PlacedProps) {
  const desk = useDesk()
  /** The leg as it was when the reader said so. */
  const [placed, setPlaced] = useState<PricedLeg | null>(null)
  const { isBusy, refusal, unanswered, stored } = placements.of(name)
  const isStoredAt = (book: string) => stored.some(({ sportsbook }) => sportsbook === book)
  if (!hasBetLog(desk)) return null
  if (unanswered === null && isStoredAt(leg.sportsbook)) {
    return (
      <td>
        <a href="/bets">in your log</a>
      </td>
    )
  }
  if (unanswered === null && placed !== null && !isStoredAt(placed.sportsbook)) {
    const price = priceToKeep(placed, desk.profile)
    return (
      <td>
        <small>{nameOfBook(desk, placed.sportsbook)}</small>
        <TermsForm
          terms={{ price, stake, isFree: false }}
          action="Keep"
          isBusy={isBusy}
          onSend={(terms) =>
            placements.place(name, () => placedBet(placed, terms, opportunity, boardNow()))
          }
          onCancel={() => setPlaced(null)}
        >
          {price !== placed.offered && (
            <p class="hint">State the odds after the commission, as those filled in.</p>
          )}
        </TermsForm>
        <Refusal message={refusal} />
      </td>
    )
  }
  return (
    <td>
      <button
        type="button"
        disabled={isBusy || (stake <= 0 && unanswered === null)}
        title={unanswered ? 'The bet is stored once' : 'Keep this bet in your log'}
        onClick={() => (unanswered ? placements.place(name, () => unanswered) : setPlaced(leg))}
      >
        {unanswered ? 'Send again' : 'Placed'}
      </button>
      <Refusal message={refusal} />
      {unanswered && !isBusy && <MayBeStored bet={unanswered} />}
    </td>
  )
}

interface UnansweredProps {
  readonly placements: Placements
  /** Names of the rows in view, which show their own. */
  readonly rows: readonly string[]
}

/** The bets that may be stored and whose row is gone, because the opportunity has changed. */
function Unanswered({ placements, rows }: UnansweredProps) {
  return (
    <>
      {placements.unansweredBeside(rows).map((name) => {
        const { isBusy, refusal, unanswered } = placements.of(name)
        const bet = unanswered!
        return (
          <div key={name}>
            <p class="hint">{name}</p>
            <MayBeStored bet={bet} />
            <button
              type="button"
              disabled={isBusy}
              onClick={() => placements.place(name, () => bet)}
            >
              Send again
            </button>
            <Refusal message={refusal} />
          </div>
        )
      })}
    </>
  )
}

function MayBeStored({ bet }: { readonly bet: NewBet }) {
  const desk = useDesk()
  const money = useMoney()
  return (
    <p class="hint">
      It may be stored: {money(bet.stake)} at {priceText(bet.odds_decimal, desk.choices.format)},{' '}
      {nameOfBook(desk, bet.sportsbook)}.
    </p>
  )
}

function Limit({ leg, unit }: { readonly leg: PricedLeg; readonly unit: number }) {
  const desk = useDesk()
  const money = useMoney()
  return (
    <p class="limit" role="status">
      Stakes are limited: {nameOfBook(desk, leg.sportsbook)} takes at most{' '}
      {money(leg.maxBet!, unit)} on {leg.selection}.
    </p>
  )
}
