/**
 * The columns of an odds row as clients see it (interface 2.1): one table, in the order of the bytes.
 * From it come the contract and its example (`odds.ts`), the names `fields` takes, the members of a
 * delta, and the texts the view stores (`pipeline/views/board/row-text.ts`).
 *
 * Columns of one group are written together, when what they are about changes. A column whose schema
 * is optional is left out of rows that have no value for it. An attribute of a price is a column by
 * its entry in `schemas/attributes.ts`.
 */

import { z } from 'zod'
import { attributeList, type attributes, type ShownAttribute } from '../attributes.ts'
import { withheldReasons } from '../withheld-price.ts'
import { timestamp } from './envelope.ts'

interface Column {
  readonly schema: z.ZodType
  /** In the documents' example of a row; left out of it when undefined. */
  readonly example: unknown
}

type Columns = Readonly<Record<string, Column>>

const column = <Schema extends z.ZodType>(schema: Schema, example?: z.input<Schema>) => ({
  schema,
  example,
})

const slug = z.string()
const text = z.string()

/** What names the bet: written when the row appears, or its event is renamed. */
export const standingColumns = {
  row: {
    id: column(
      z
        .string()
        .regex(/^\d{15}$/)
        .describe('15 digits; the same while the selection exists.'),
      '482107733915460',
    ),
  },
  sportsbook: {
    sportsbook: column(slug, 'draftkings'),
    sportsbook_name: column(text, 'DraftKings'),
  },
  event: {
    event_id: column(text, 'nba_nets_knicks_2026-11-20_b3'),
    sport: column(slug, 'basketball'),
    league: column(slug, 'nba'),
    home_team: column(text, 'New York Knicks'),
    away_team: column(text, 'Brooklyn Nets'),
  },
  selection: {
    market_type: column(slug, 'point_spread'),
    selection: column(
      text.describe('A team, Over or Under, or a player with Over or Under.'),
      'New York Knicks',
    ),
    selection_type: column(
      text.describe('home, away, draw, over, under, yes, no, and compounds.'),
      'home',
    ),
    line: column(
      z.number().nullable().describe('Points; null for a question without a line.'),
      -4.5,
    ),
  },
  start: { event_start_time: column(timestamp, '2026-11-21T00:30:00.000Z') },
  detail: {
    player_name: column(text.optional()),
    deep_link: column(
      text.optional().describe('Our redirect to the bet at the sportsbook.'),
      '/api/v1/deeplink/482107733915460',
    ),
    stat_category: column(text.optional()),
  },
} as const satisfies Readonly<Record<string, Columns>>

/** Why a price is withheld, wherever it is shown. */
export const withheld = z
  .enum(withheldReasons)
  .describe(
    'The price is so far from the others on its line that it is held to be of another question, or a slip; it is none of the best, and no opportunity is made of it.',
  )

type ShownColumns = {
  readonly [Name in ShownAttribute as (typeof attributes)[Name]['json']]: {
    readonly schema: z.ZodOptional<(typeof attributes)[Name]['shown']>
    readonly example: undefined
  }
}

/** The attributes that rows show, where the sportsbook states them, and what the guard holds of the price. */
export const attributeColumns = {
  ...(Object.fromEntries(
    attributeList.flatMap(([, { json, shown }]) =>
      shown ? [[json, column(shown.optional())]] : [],
    ),
  ) as unknown as ShownColumns),
  withheld: column(withheld.optional()),
}

/** What moves: rewritten where it stands, and told in deltas. */
export const movingColumns = {
  /** Two stamps of one width, so that a new sighting is written over the one before. */
  sighting: {
    last_seen_at: column(
      timestamp.describe('When the sportsbook was last seen offering the event.'),
      '2026-11-20T12:00:00.123Z',
    ),
    timestamp: column(timestamp.describe('The same as last_seen_at.'), '2026-11-20T12:00:00.123Z'),
  },
  change: {
    odds_changed_at: column(
      timestamp
        .nullable()
        .describe('When price, line or is_live last changed; null when that is not known.'),
      '2026-11-20T11:41:56.000Z',
    ),
  },
  price: {
    odds_american: column(z.int(), -108),
    odds_decimal: column(z.number(), 1.926),
    odds_probability: column(z.number().describe('Implied probability, 0 to 1.'), 0.5192),
    probability: column(z.number().describe('The same as odds_probability.'), 0.5192),
  },
  state: {
    is_live: column(z.boolean(), false),
    is_active: column(
      z.boolean().describe('False while the sportsbook shows it but takes no bets.'),
      true,
    ),
    status: column(z.enum(['upcoming', 'live']), 'upcoming'),
  },
} as const satisfies Readonly<Record<string, Columns>>

/** The schemas of a group. */
export const shapeOf = <Group extends Columns>(group: Group) =>
  Object.fromEntries(Object.entries(group).map(([name, { schema }]) => [name, schema])) as {
    -readonly [Name in keyof Group]: Group[Name]['schema']
  }

const groups: readonly Columns[] = [
  ...Object.values(standingColumns),
  ...Object.values(movingColumns),
  attributeColumns,
]

/** Names of all columns, in the order of the bytes. */
export const oddsFields: readonly string[] = groups.flatMap((group) => Object.keys(group))

/** The example of a row that the documents show. */
export const exampleColumns = Object.fromEntries(
  groups
    .flatMap((group) => Object.entries(group))
    .filter(([, { example }]) => example !== undefined)
    .map(([name, { example }]) => [name, example]),
)
