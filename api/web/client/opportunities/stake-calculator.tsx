/**
 * Stakes for the legs of an opportunity, or by Kelly's rule for one bet: in whole units of the reader's choice, after
 * fees, within the sportsbooks' stated limits. The API uses the same rule.
 */

import { useState } from 'preact/hooks'
import { equalStakes, kellyStake, type StakeLeg } from '../../../../pipeline/rules/odds/stakes.ts'
import type { Explanation } from '../data/opportunities.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'

const money = (value: number) =>
  `${value < 0 ? '−' : ''}${Math.abs(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const steps = [0.01, 1, 5, 10] as const
const parts = [
  [1, 'Full Kelly'],
  [0.5, 'Half Kelly'],
  [0.25, 'Quarter Kelly'],
] as const

interface Leg extends StakeLeg {
  readonly sportsbook: string
  readonly selection: string
  readonly hasFee: boolean
}

const legsOf = ({ quotes }: Explanation): readonly Leg[] =>
  quotes.flatMap(({ role, sportsbook, selection, odds_decimal, fee, max_bet }) =>
    role === 'leg' && odds_decimal !== null
      ? {
          sportsbook: sportsbook ?? '',
          selection,
          net: fee?.odds_after_fee ?? odds_decimal,
          maxBet: max_bet ?? null,
          hasFee: fee !== undefined,
        }
      : [],
  )

export function StakeCalculator({ explained }: { readonly explained: Explanation }) {
  const [total, setTotal] = useState('1000')
  const [unit, setUnit] = useState<number>(1)
  const amount = Math.max(0, Number(total) || 0)
  const legs = legsOf(explained)
  const { fair } = explained.result
  const isSingle = explained.kind === 'ev' && fair !== undefined
  return (
    <section class="stakes" aria-label="Stake calculator">
      <h3>Stakes</h3>
      <div class="fields">
        <label>
          {isSingle ? 'Bankroll' : 'Total stake'}
          <input
            type="number"
            min="0"
            inputmode="decimal"
            value={total}
            onInput={(event) => setTotal(event.currentTarget.value)}
          />
        </label>
        <label>
          Rounded to
          <select value={unit} onChange={(event) => setUnit(Number(event.currentTarget.value))}>
            {steps.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isSingle ? (
        <Single leg={legs[0]!} fair={fair} bankroll={amount} unit={unit} />
      ) : (
        <Shared legs={legs} total={amount} unit={unit} canAllWin={explained.kind === 'middle'} />
      )}
      {legs.some(({ hasFee }) => hasFee) && <p class="hint">Profits are after fees.</p>}
    </section>
  )
}

interface SharedProps {
  readonly legs: readonly Leg[]
  readonly total: number
  readonly unit: number
  readonly canAllWin: boolean
}

function Shared({ legs, total, unit, canAllWin }: SharedProps) {
  const desk = useDesk()
  const plan = equalStakes(legs, total, unit)
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Leg</th>
            <th scope="col">Stake</th>
            <th scope="col">Net if it wins</th>
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
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total, worst case</th>
            <td>{money(plan.total)}</td>
            <Profit value={plan.worst} />
          </tr>
          {canAllWin && (
            <tr>
              <th scope="row">If both win</th>
              <td />
              <Profit value={plan.all} />
            </tr>
          )}
        </tfoot>
      </table>
      {plan.limitedBy !== null && <Limit leg={legs[plan.limitedBy]!} />}
      {plan.total === 0 && total > 0 && plan.limitedBy === null && (
        <p class="hint">The total is too small: each leg needs at least {unit}.</p>
      )}
    </>
  )
}

interface SingleProps {
  readonly leg: Leg
  readonly fair: number
  readonly bankroll: number
  readonly unit: number
}

function Single({ leg, fair, bankroll, unit }: SingleProps) {
  const staked = parts.map(([part, name]) => ({
    name,
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
          </tr>
        </thead>
        <tbody>
          {staked.map(({ name, stake, profit, expected }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{money(stake)}</td>
              <Profit value={profit} />
              <Profit value={expected} />
            </tr>
          ))}
        </tbody>
      </table>
      {staked.some(({ isLimited }) => isLimited) && <Limit leg={leg} />}
    </>
  )
}

const Profit = ({ value }: { readonly value: number }) => (
  <td class={value < 0 ? 'loss' : 'gain'}>{money(value)}</td>
)

function Limit({ leg }: { readonly leg: Leg }) {
  const desk = useDesk()
  return (
    <p class="limit" role="status">
      Stakes are limited: {nameOfBook(desk, leg.sportsbook)} takes at most {money(leg.maxBet!)} on{' '}
      {leg.selection}.
    </p>
  )
}
