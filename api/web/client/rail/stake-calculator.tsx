/** What to put on each leg, or by Kelly's rule on one, in whole units of the reader's choice. */

import { useState } from 'preact/hooks'
import type { Opportunity } from '../data/opportunities.ts'
import { kellyStake, splitStake } from '../data/stakes.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'

const money = (value: number) =>
  `${value < 0 ? '−' : ''}${Math.abs(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const steps = [0.01, 1, 5, 10] as const

export function StakeCalculator({ opportunity }: { readonly opportunity: Opportunity }) {
  const desk = useDesk()
  const [total, setTotal] = useState('1000')
  const [step, setStep] = useState<number>(1)
  const amount = Math.max(0, Number(total) || 0)
  const { legs, fair } = opportunity
  const isSingle = legs.length === 1 && fair !== null
  const staked = splitStake(
    legs.map(({ price }) => price),
    amount,
    step,
  )
  return (
    <section class="stakes" aria-label="Stake calculator">
      <h3>Stakes</h3>
      <div class="fields">
        <label>
          {isSingle ? 'Bankroll' : 'In all'}
          <input
            type="number"
            min="0"
            inputmode="decimal"
            value={total}
            onInput={(event) => setTotal(event.currentTarget.value)}
          />
        </label>
        {!isSingle && (
          <label>
            Rounded to
            <select value={step} onChange={(event) => setStep(Number(event.currentTarget.value))}>
              {steps.map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <table>
        <tbody>
          {isSingle
            ? ([1, 0.5, 0.25] as const).map((part) => (
                <tr key={part}>
                  <th scope="row">
                    {part === 1 ? 'Full Kelly' : `${part === 0.5 ? 'Half' : 'Quarter'} Kelly`}
                  </th>
                  <td>{money(kellyStake(fair, legs[0]!.price, amount, part))}</td>
                </tr>
              ))
            : legs.map((leg, i) => (
                <tr key={leg.selection}>
                  <th scope="row">
                    {leg.selection} <small>{nameOfBook(desk, leg.sportsbook)}</small>
                  </th>
                  <td>{money(staked.stakes[i]!)}</td>
                  <td class={staked.profits[i]! < 0 ? 'loss' : 'gain'}>
                    {money(staked.profits[i]!)}
                  </td>
                </tr>
              ))}
        </tbody>
        {!isSingle && (
          <tfoot>
            <tr>
              <th scope="row">In all, at least</th>
              <td>{money(staked.total)}</td>
              <td class={staked.worst < 0 ? 'loss' : 'gain'}>{money(staked.worst)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
