/** Requests and responses of the routes about an account's profile. */

import { z } from 'zod'
import { priceFormats } from '../price-format.ts'
import { ownBookStatuses } from '../profile.ts'
import { usStates } from '../reference/us-states.ts'
import { usState } from './deep-links.ts'
import { objectOf } from './envelope.ts'
import { example } from './example.ts'
import { printable } from './printable.ts'

const mostBooks = 100
const mostLeagues = 300

const commission = z
  .number()
  .min(0)
  .max(50)
  .nullable()
  .describe(
    'Percent of your net winnings, or its rate on contracts. Null: the fee that the service counts.',
  )
const maxStake = z
  .number()
  .positive()
  .max(1e9)
  .nullable()
  .describe(
    'Highest stake on one bet; a lower limit that it states still counts. Null: only that limit.',
  )
const status = z.enum(ownBookStatuses).describe('`books=mine` leaves out `paused` ones.')

/** The fields of a profile, both as it is sent and as it is shown. */
const settings = {
  state: z
    .enum(usStates as [string, ...string[]])
    .nullable()
    .describe('The US state for deep links, two lower-case letters.'),
  bankroll: z.number().positive().max(1e12).nullable().describe('In your currency.'),
  kelly: z.number().positive().max(1).nullable().describe('Fraction of the full Kelly stake.'),
  stake_unit: z.number().min(1e-6).max(1e6).nullable().describe('Stakes are rounded to this.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is three capital letters, as EUR')
    .nullable(),
  price_format: z.enum(priceFormats).nullable().describe('Your odds format.'),
}

const sent = {
  sportsbook: printable(100).describe('Id or name.'),
  commission_percent: commission.optional(),
  max_stake: maxStake.optional(),
  status: status.optional(),
}

const named = (what: string, most: number) =>
  z.array(printable(100)).max(most, `names at most ${most} ${what}`)

/** The body of `PATCH /account/profile`: absent fields stay; a list replaces the one before. */
export const profileChange = z
  .strictObject({
    sportsbooks: z
      .array(z.strictObject(sent))
      .max(mostBooks, `names at most ${mostBooks} sportsbooks`)
      .nullable()
      .optional(),
    state: usState.nullable().optional().describe('Two letters in any case.'),
    bankroll: settings.bankroll.optional(),
    kelly: settings.kelly.optional(),
    stake_unit: settings.stake_unit.optional(),
    currency: settings.currency.optional(),
    price_format: settings.price_format.optional(),
    hidden_leagues: named('leagues', mostLeagues).nullable().optional().describe('By id or name.'),
  })
  .refine((change) => Object.keys(change).length > 0, 'changes at least one field')
  .meta({ minProperties: 1 })
export type ProfileChange = z.output<typeof profileChange>

export const ownBook = z.object({
  sportsbook: example(z.string(), 'betfair'),
  commission_percent: example(commission, 2),
  max_stake: example(maxStake, 250),
  status: example(status, 'active'),
  is_included: example(
    z.boolean(),
    true,
    'Whether your tier sees it; else `books=mine` leaves it out.',
  ),
})

export const profile = z.object({
  sportsbooks: z.array(ownBook),
  state: example(settings.state, 'pa'),
  bankroll: example(settings.bankroll, 2_000),
  kelly: example(settings.kelly, 0.25),
  stake_unit: example(settings.stake_unit, 5),
  currency: example(settings.currency, 'USD'),
  price_format: example(settings.price_format, 'american'),
  hidden_leagues: example(z.array(z.string()), ['dota2']),
})

export const profileAnswer = objectOf(profile)

export const profileChangeExample = {
  sportsbooks: [
    { sportsbook: 'draftkings', max_stake: 250 },
    { sportsbook: 'betfair', commission_percent: 2 },
  ],
  kelly: 0.25,
} as const satisfies z.input<typeof profileChange>
