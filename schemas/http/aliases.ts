/** Requests and responses of the admin routes about aliases. */

import { z } from 'zod'
import { aliasStates, anySportsbook } from '../alias.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { printable } from './printable.ts'
import { choice, choices, list } from './query.ts'

const name = (value: string, description: string) =>
  printable(200)
    .meta({ maxLength: 200, examples: [value] })
    .transform((text) => text.trim())
    .describe(description)

const named = {
  league: 'spain_-_la_liga',
  sportsbook: 'bet365',
  spelling: 'R. Vallecano',
  team: 'Rayo Vallecano',
} as const

const league = name(named.league, 'Id or name of the league.')
const sportsbook = name(named.sportsbook, `Id or name of the sportsbook; ${anySportsbook} for all.`)
const spelling = name(named.spelling, 'The side as the sportsbook writes it.')
const team = name(named.team, 'The side it means, or never means.')

/** The example of a body. */
export const exampleOrder = { ...named, state: 'confirmed' } as const

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

const aliasId = example(z.string(), 'alias_315374086286506')
const at = example(timestamp, '2026-11-20T12:00:00.123Z')

export const aliasItem = z.object({
  id: aliasId,
  league: example(z.string(), named.league),
  sportsbook: example(z.string(), named.sportsbook),
  spelling: example(z.string(), named.spelling),
  team: example(z.string(), named.team),
  state: example(
    z.enum(aliasStates),
    'confirmed',
    'Learnt or confirmed ones are used; forbidden pairs stay apart.',
  ),
  decided_by: example(z.enum(['prices', 'operator']), 'operator'),
  readings: example(
    z.int(),
    0,
    'Readings of the last game’s prices that agreed, a minute or more apart.',
  ),
  evenings: example(z.int(), 0, 'Games in a row, on different days, whose prices agreed.'),
  event_id: z
    .string()
    .nullable()
    .describe('The event whose prices agreed; for an ambiguous spelling the unmatched event.'),
  teams: example(z.array(z.string()), [], 'The teams that an ambiguous spelling may mean, if any.'),
  event_ids: example(
    z.array(z.string()),
    [],
    'The events that its game may be; none if other games have those teams.',
  ),
  created_at: at,
  updated_at: at,
})

export const aliasesAnswer = listOf(aliasItem)
export const aliasOrdersAnswer = objectOf(
  z.object({ aliases: z.array(aliasItem), count: example(z.int(), 1) }),
)
export const aliasDeletionAnswer = objectOf(z.object({ deleted: z.literal(true), id: aliasId }))
