/**
 * The text of OVERROUND_FEES: `off`, `standard`, a rate per sportsbook, or the standard with some
 * rates replaced.
 */

import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Fees, feesWith } from '../rules/odds/fees.ts'
import { list } from './setting-decoders.ts'

export const fees = list.transform((items, context): Fees => {
  const rates: Record<string, number> = {}
  const refuse = (what: string) =>
    context.addIssue(`must be off, standard, or rates such as standard,betfair=0.02; ${what}`)
  for (const item of items) {
    if (item === 'off' || item === 'standard') continue
    const [, name = '', rate = ''] = /^([^=]+)=(0(?:\.\d+)?)$/.exec(item) ?? []
    const sportsbook = findSportsbook(name)
    if (!rate) refuse(`${item} is none of these`)
    else if (!sportsbook) refuse(`${name} is no sportsbook we know`)
    else if (Object.hasOwn(rates, sportsbook.id)) refuse(`${sportsbook.id} is there twice`)
    else rates[sportsbook.id] = Number(rate)
  }
  if (items.includes('off') && items.length > 1) refuse('off stands alone')
  return feesWith(items.includes('standard'), rates)
})
