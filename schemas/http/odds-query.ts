/**
 * The query parameters of the odds routes, declared once (interface 4.3 to 4.8, supplement 3.11). Clients send the
 * whole family to each of them; a route accepts all of it and uses those that apply.
 */

import { cursorForm, position } from './issued-texts.ts'
import { lineFields, rowFlagFields } from './odds.ts'
import { oddsFields } from './odds-columns.ts'
import {
  american,
  choice,
  day,
  flag,
  formed,
  instant,
  itemsUpTo,
  list,
  text,
  usState,
  whole,
} from './query.ts'

/** The fields that `/odds` sorts by, and older names of two of them. */
export const sortNames = [
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'probability',
  'event_start_time',
  'last_seen_at',
  'timestamp',
  'sportsbook',
  'league',
  'sport',
] as const

/** Returns the offset of a route that itself refuses one above `max`, with its own code. */
const offsetOfPrices = (max: number) =>
  whole({
    description: `Items to skip, at most ${max}.`,
    example: 0,
    min: 0,
    max,
    fallback: 0,
    isAnyHigher: true,
  })

const liveEvents = flag({
  description:
    'true: only events in play; false: only events that have not started. Default: both.',
  example: false,
})

/** The meaning of `live` for prices: a game in play may still have prices from before it. */
export const livePrices = 'true: only prices in play; false: only those from before the game.'

const eventNames = {
  example: 'nba_bulls_knicks_2027-01-14_b3',
  aliases: ['event_id', 'event_ids', 'events', 'eventId'],
}

/** The parameters of every list of prices or events. */
export const boardQuery = {
  sport: list({
    description: 'Sports, by id or common name. Default: all.',
    example: 'basketball,football',
  }),
  league: list({ description: 'Leagues, by id or name. Default: all.', example: 'nba' }),
  sportsbook: list({
    description: 'Sportsbooks of the tier, by id or name. Default: all.',
    example: 'draftkings,fanduel',
  }),
  add_sportsbook: list({
    description: 'Sportsbooks to add to those of `sportsbook`.',
    example: 'betmgm',
  }),
  books: list({
    description: 'Treat these sportsbooks as the only ones. `mine`: those of your profile.',
    example: 'mine',
  }),
  event: list({
    description: 'Events, by id. An id that ends with its date works if only one event matches.',
    ...eventNames,
  }),
  live: liveEvents,
  team: list({
    description: 'Events with a team whose name contains this, in any case.',
    example: 'knicks',
    most: 20,
  }),
  date: day({
    description:
      'Events that start on this day: US Eastern time for leagues whose ids use it, else UTC.',
    example: '2027-01-14',
  }),
  q: text({
    description:
      'Events whose teams or league have all of these words in their names. Words such as `vs` are left out.',
    example: 'bulls knicks',
  }),
  limit: itemsUpTo(200, 50),
} as const

/** Flags of a price that streams take as lists do. */
export const rowFlagQuery = {
  is_book_main_line: flag({
    description:
      "true: only each sportsbook's own main line of a market: its line closest to even odds; false: only the others.",
    example: true,
  }),
  is_stale_pregame_price: flag({
    description:
      'true: only prices in play that have not changed since the start; false: only the others.',
    example: false,
  }),
} as const

/** The filters of a price itself, whatever its event, sportsbook and market. */
export const rowQuery = {
  live: flag({ description: `${livePrices} Default: both.`, example: false }),
  min_odds: american({ description: 'Lowest American price.', example: -200 }),
  max_odds: american({ description: 'Highest American price.', example: 150 }),
  is_main_line: flag({
    description:
      'true: only the main line of each market, decided by all sportsbooks of the tier; false: only the others.',
    example: true,
    aliases: ['main'],
  }),
  ...rowFlagQuery,
} as const

/** The whole family. A route with another maximum offset declares its own. */
export const oddsQuery = {
  ...boardQuery,
  market: list({
    description:
      'Market types by id or trade name (`h2h`, `totals_q1`), or the aliases `main`, `spread`, `total` and `props`.',
    example: 'moneyline',
    aliases: ['market_type'],
  }),
  ...rowQuery,
  offset: offsetOfPrices(500),
  cursor: formed({
    description: 'The `next_cursor` of the previous page. Overrides `offset`.',
    pattern: cursorForm,
    problem: 'is not one we gave; start without it',
    maxLength: 8_192,
  }),
  sort: choice([...sortNames, ...sortNames.map((name) => `-${name}` as const)], {
    description: 'The field to sort by; with `-` descending.',
    example: '-odds_american',
  }),
  fields: list({
    description: 'The fields of each item. Default: all.',
    example: 'id,odds_american',
    words: [...oddsFields, ...rowFlagFields, ...lineFields],
  }),
  group_by: choice(['event'], {
    description: 'Groups items by event; an event with items on another page is `partial`.',
  }),
  state: usState({
    description:
      'A US state, two letters: deep links lead to its pages and end in `?state=`. Default: that of your profile, else pages of `pa`.',
    example: 'nj',
  }),
} as const

/** The same for routes that do not page by cursor: there, any cursor is taken and has no effect. */
export const uncursoredQuery = {
  ...oddsQuery,
  cursor: text({ description: 'Has no effect here.', maxLength: 8_192 }),
} as const

/** The parameter of routes about one event. */
export const oneEvent = list({
  description: 'The event, by id. An id that ends with its date works if only one event matches.',
  ...eventNames,
  most: 1,
})

/** The parameter of the routes that can show the past board. */
export const asOf = instant({
  description:
    'The board at this past time, from the archive; `sharp` and above. Needs `event`, `league` or `sport`. `last_seen_at` and `timestamp` then show when the sportsbook last changed a price of the event; other details, such as limits, are missing.',
  example: '2027-01-14T21:00:00Z',
})

/** The parameters of `/odds/delta`. They need no cursor: the time serves as one. */
export const deltaQuery = {
  since: instant({
    description:
      'The `meta.server_time` of the last call, or the time of a snapshot. Required without `resume_from`.',
    example: '2027-01-14T21:00:00.000000Z',
  }),
  resume_from: position({
    description:
      'Instead of `since`: a position from a stream or `meta.position`, with the same filters.',
  }),
  sport: oddsQuery.sport,
  league: oddsQuery.league,
  sportsbook: oddsQuery.sportsbook,
  add_sportsbook: oddsQuery.add_sportsbook,
  books: oddsQuery.books,
  market: oddsQuery.market,
  event: list({ description: 'Events, by whole id.', ...eventNames }),
  team: oddsQuery.team,
  date: oddsQuery.date,
  q: oddsQuery.q,
  ...rowQuery,
  live: flag({
    description: `${livePrices} Default: both. Rows that stop matching are in \`removed\`.`,
    example: true,
  }),
  is_main_line: flag({
    description:
      'true: only the main line of each market, decided by all sportsbooks of the tier; false: only the others. New main lines are included; former ones are in `removed`.',
    example: true,
    aliases: ['main'],
  }),
  sort: oddsQuery.sort,
  fields: list({
    description: 'The fields of each item. Default: all.',
    example: 'id,odds_american',
    words: oddsFields,
  }),
  state: oddsQuery.state,
  limit: itemsUpTo(500, 50),
  offset: offsetOfPrices(500),
} as const
