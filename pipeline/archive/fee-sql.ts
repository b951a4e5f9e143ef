/** SQL for prices after the fees of their sportsbooks. Equal to `netOf` of the rules; a test compares the two. */

import { contractsOfOrder, type Fees, roundingSlack } from '../rules/odds/fees.ts'
import type { Parameters } from './archive.ts'

export interface FeeSql {
  /**
   * Returns an expression for the decimal odds after the fee.
   * @param price an expression: decimal odds as offered
   * @param sportsbook an expression: the id
   */
  net(price: string, sportsbook: string): string
  readonly parameters: Parameters
}

/** @param fees the fees to subtract */
export function feeSql(fees: Fees): FeeSql {
  if (fees.size === 0) return { net: (price) => price, parameters: {} }
  const all = [...fees.values()]
  return {
    net(price, sportsbook) {
      const place = `indexOf({fee_books:Array(String)}, ${sportsbook})`
      const rate = `{fee_rates:Array(Float64)}[${place}]`
      const unit = `{fee_units:Array(Float64)}[${place}]`
      const exact = `${rate} * ${contractsOfOrder} * (1 / ${price}) * (1 - 1 / ${price})`
      const order = `if(${unit} = 0, ${exact}, ceil(${exact} / ${unit} - ${roundingSlack}) * ${unit})`
      return `multiIf(
        ${price} <= 1 OR ${place} = 0, ${price},
        has({fee_contracts:Array(String)}, ${sportsbook}),
          1 / (1 / ${price} + ${order} / ${contractsOfOrder}),
        1 + (${price} - 1) * (1 - ${rate}))`
    },
    parameters: {
      fee_books: [...fees.keys()],
      fee_rates: all.map(({ rate }) => rate),
      // 0 where a fee is not rounded.
      fee_units: all.map(({ roundedUpTo = 0 }) => roundedUpTo),
      fee_contracts: [...fees].flatMap(([sportsbook, { on }]) =>
        on === 'contract' ? [sportsbook] : [],
      ),
    },
  }
}
