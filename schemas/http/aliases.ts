/** Requests and responses of the admin routes about aliases. */

import { z } from 'zod'
import { aliasStates, anySportsbook } from '../alias.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { printable } from './printable.ts'
import { choice, choices, list } from './query.ts'

const name = (example: string) =>
  printable(200)
    .meta({ maxLength: 200, examples: [example] })
    .transform((text) => text.trim())

const league = name('spain_-_la_liga').describe('Id or name of the league.')
const sportsbook = name('bet365').describe(
  `Id or name of the sportsbook; ${anySportsbook} for all.`,
)
const spelling = name('R. Vallecano').describe('The side as the sportsbook writes it.')
const team = name('Rayo Vallecano').describe('The side it means, or never means.')

/** The most aliases in one request. */
export const mostAliases = 1_000

/** The body of `POST /admin/aliases`. Fields of an exported alias that have no meaning here are ignored. */
export const aliasOrders = z.strictObject({
  aliases: z
    .array(
      z.object({
        league,
        sportsbook: sportsbook.default(anySportsbook),
        spelling,
        team,
        state: z
          .enum(['confirmed', 'forbidden'])
          .describe('`confirmed`: both are one side. `forbidden`: they never are.'),
      }),
    )
    .min(1)
    .max(mostAliases)
    .refine((all) => all.every((one) => one.spelling !== one.team), 'point to another name')
    .describe('`spelling` and `team` differ.'),
})

export const aliasFilters = {
  league: list({ description: 'Ids or names of leagues.', example: 'spain_-_la_liga' }),
  sportsbook: list({ description: 'Ids of sportsbooks; * for aliases of all.', example: 'bet365' }),
  state: choices(aliasStates, { description: 'States. Default: all.', example: 'learnt' }),
  format: choice(['json', 'csv'], {
    description: 'csv: a file for a spreadsheet, with all that the filters name.',
  }),
} as const

export const aliasItem = z.object({
  id: z.string(),
  league: z.string(),
  sportsbook: z.string(),
  spelling: z.string(),
  team: z.string(),
  state: z
    .enum(aliasStates)
    .describe('Learnt or confirmed ones are used; forbidden pairs stay apart.'),
  decided_by: z.enum(['prices', 'operator']),
  readings: z
    .int()
    .describe('Readings of the last game’s prices that agreed, a minute or more apart.'),
  evenings: z.int().describe('Games in a row, on different days, whose prices agreed.'),
  event_id: z
    .string()
    .nullable()
    .describe('The event whose prices agreed; for an ambiguous spelling the unmatched event.'),
  teams: z.array(z.string()).describe('The teams that an ambiguous spelling may mean, if any.'),
  event_ids: z
    .array(z.string())
    .describe('The events that its game may be; none if other games have those teams.'),
  created_at: timestamp,
  updated_at: timestamp,
})

export const aliasesAnswer = listOf(aliasItem)
export const aliasOrdersAnswer = objectOf(z.object({ aliases: z.array(aliasItem), count: z.int() }))
export const aliasDeletionAnswer = objectOf(z.object({ deleted: z.literal(true), id: z.string() }))
