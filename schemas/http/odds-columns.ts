/**
 * The columns of an odds row as clients see it (interface 2.1): one table, in the order of the bytes. It defines the
 * contract and its example (`odds.ts`), the names that `fields` takes, the fields of a delta, and the texts the view
 * stores (`pipeline/views/board/row-text.ts`).
 *
 * Columns of one group are written together, when their subject changes. A column whose schema is optional is left
 * out of rows that have no value for it. An attribute of a price is a column by its entry in `schemas/attributes.ts`.
 */

import { z } from 'zod'
import { attributeList, type attributes, type ShownAttribute } from '../attributes.ts'
import { withheldCloseReasons, withheldReasons } from '../withheld-price.ts'
import { timestamp } from './envelope.ts'
import { example } from './example.ts'

const slug = z.string()
const text = z.string()

/** The columns that name the bet: written when the row appears, or its event is renamed. */
export const standingColumns = {
  row: {
    id: example(
      z.string().regex(/^\d{15}$/),
      '482107733915460',
      '15 digits; the same while the selection exists.',
    ),
  },
  sportsbook: {
    sportsbook: example(slug, 'draftkings'),
    sportsbook_name: example(text, 'DraftKings'),
  },
  event: {
    event_id: example(text, 'nba_nets_knicks_2026-11-20_b3'),
    sport: example(slug, 'basketball'),
    league: example(slug, 'nba'),
    home_team: example(text, 'New York Knicks'),
    away_team: example(text, 'Brooklyn Nets'),
  },
  selection: {
    market_type: example(slug, 'point_spread'),
    selection: example(
      text,
      'New York Knicks',
      'A team, Over or Under, or a player with Over or Under.',
    ),
    selection_type: example(text, 'home', 'home, away, draw, over, under, yes, no, and compounds.'),
    line: example(z.number().nullable(), -4.5, 'In points; null if the market has no line.'),
  },
  start: { event_start_time: example(timestamp, '2026-11-21T00:30:00.000Z') },
  detail: {
    player_name: text.optional(),
    deep_link: example(
      text.optional(),
      '/api/v1/deeplink/482107733915460',
      'Our redirect to the bet at the sportsbook.',
    ),
    stat_category: text.optional(),
  },
} as const satisfies Readonly<Record<string, z.ZodRawShape>>

/** Why a price is withheld, wherever it is shown. */
export const withheld = z
  .enum(withheldReasons)
  .describe(
    'Why the price is no offer: so far from others on its line that it is probably an error or of another market, or of a `reference`, which only measures others; `unknown`: a reason of a newer pipeline. Never a best price nor in an opportunity.',
  )

/** Why a close is withheld, wherever it is shown. */
export const withheldClose = z
  .enum(withheldCloseReasons)
  .nullable()
  .describe(
    'Why the price was withheld at the close, as on current prices; else null. Such a close has no no-vig probability and measures nothing.',
  )

type ShownColumns = {
  readonly [Name in ShownAttribute as (typeof attributes)[Name]['json']]: z.ZodOptional<
    (typeof attributes)[Name]['shown']
  >
}

/**
 * The attributes that rows show if the sportsbook states them, and the guard's verdict on the
 * price.
 */
export const attributeColumns = {
  ...(Object.fromEntries(
    attributeList.flatMap(([, { json, shown }]) => (shown ? [[json, shown.optional()]] : [])),
  ) as unknown as ShownColumns),
  withheld: withheld.optional(),
}

/** The columns that move: rewritten in place, and sent in deltas. */
export const movingColumns = {
  /** Two stamps of one width, so that a new sighting overwrites the one before. */
  sighting: {
    last_seen_at: example(
      timestamp,
      '2026-11-20T12:00:00.123Z',
      'When the sportsbook was last seen offering the event.',
    ),
    timestamp: example(timestamp, '2026-11-20T12:00:00.123Z', 'The same as last_seen_at.'),
  },
  change: {
    odds_changed_at: example(
      timestamp.nullable(),
      '2026-11-20T11:41:56.000Z',
      'When price, line or is_live last changed; null if unknown.',
    ),
  },
  price: {
    odds_american: example(z.int(), -108),
    odds_decimal: example(z.number(), 1.926),
    odds_probability: example(z.number(), 0.5192, 'Implied probability, 0 to 1.'),
    probability: example(z.number(), 0.5192, 'The same as odds_probability.'),
  },
  state: {
    is_live: example(z.boolean(), false),
    is_active: example(z.boolean(), true, 'False while the sportsbook shows it but takes no bets.'),
    status: example(z.enum(['upcoming', 'live']), 'upcoming'),
  },
} as const satisfies Readonly<Record<string, z.ZodRawShape>>

const groups: readonly z.ZodRawShape[] = [
  ...Object.values(standingColumns),
  ...Object.values(movingColumns),
  attributeColumns,
]

/** Names of all columns, in the order of the bytes. */
export const oddsFields: readonly string[] = groups.flatMap((group) => Object.keys(group))
