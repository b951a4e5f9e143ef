/**
 * The query parameters of the odds routes, declared once (interface 4.3 to 4.8, supplement 3.11).
 * Clients send the whole family to each of them; a route takes all of it and uses what applies.
 */

import { lineFields } from './odds.ts'
import { oddsFields } from './odds-columns.ts'
import {
  american,
  choice,
  day,
  flag,
  instant,
  list,
  pageLimit,
  text,
  usState,
  whole,
} from './query.ts'

/** Fields `/odds` sorts by, and older names of two of them. */
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

/** An offset of a route that refuses one above `max` itself, with a code of its own. */
const offsetOfPrices = (max: number) =>
  whole({
    description: `Items to skip, at most ${max}.`,
    example: 0,
    min: 0,
    max: Number.MAX_VALUE,
    fallback: 0,
  }).meta({ maximum: max })

const live = flag({
  description: 'true: only what is in play; false: only what has not begun. Both when absent.',
  example: false,
})

/** For every list of prices or events. */
export const boardQuery = {
  sport: list({
    description: 'Sports, by id or another usual name. All when absent.',
    example: 'basketball,football',
  }),
  league: list({ description: 'Leagues, by id or name. All when absent.', example: 'nba' }),
  sportsbook: list({
    description: 'Sportsbooks of the tier, by id or name. All of the tier when absent.',
    example: 'draftkings,fanduel',
  }),
  add_sportsbook: list({
    description: 'Further sportsbooks beside those of `sportsbook`.',
    example: 'betmgm',
  }),
  event: list({
    description:
      'Events, by id. An id without `_b0` to `_b3` at its end names the only such event.',
    example: 'nba_bulls_knicks_2027-01-14_b3',
    aliases: ['event_id', 'event_ids', 'events', 'eventId'],
  }),
  live,
  team: list({
    description: 'Events with a team of which this is a name or part of one, whatever the case.',
    example: 'knicks',
    most: 20,
  }),
  date: day({
    description:
      'Events that start on this day: of US Eastern time in the leagues whose ids go by it, else UTC.',
    example: '2027-01-14',
  }),
  q: text({
    description: 'Events whose teams or league have all of these words in their names.',
    example: 'bulls knicks',
  }),
  limit: pageLimit({
    description: 'Items of one answer.',
    example: 50,
    max: 200,
    fallback: 50,
  }),
} as const

/** What is asked of a price itself, whatever its event, sportsbook and market. */
export const rowQuery = {
  live,
  min_odds: american({ description: 'Lowest American price.', example: -200 }),
  max_odds: american({ description: 'Highest American price.', example: 150 }),
  is_main_line: flag({
    description:
      'true: only the main line of each question, by all sportsbooks of the tier; false: only the others.',
    example: true,
    aliases: ['main'],
  }),
  is_book_main_line: flag({
    description:
      "true: only each sportsbook's own main line of a question, where its sides are closest to even; false: only the others.",
    example: true,
  }),
  is_stale_pregame_price: flag({
    description:
      'true: only prices in play that have not changed since the start; false: only the others.',
    example: false,
  }),
} as const

/** The whole family. A route with another greatest offset declares its own. */
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
  cursor: text({
    description: 'Where the page before ended: its `next_cursor`. Goes before `offset`.',
    maxLength: 8_192,
  }),
  sort: choice([...sortNames, ...sortNames.map((name) => `-${name}` as const)], {
    description: 'The field to sort by; with `-` the largest first.',
    example: '-odds_american',
  }),
  fields: list({
    description: 'The members each item has. All when absent.',
    example: 'id,odds_american',
    words: [...oddsFields, ...lineFields],
  }),
  group_by: choice(['event'], {
    description:
      'Puts the items below their events; one of which some are on another page is `partial`.',
  }),
  state: usState({
    description:
      'The US state whose pages deep links lead to, by its two letters: they end in `?state=`. Absent, they have no such end and lead to `pa`.',
    example: 'nj',
  }),
} as const

/** Of what is about one event. */
export const oneEvent = list({
  description:
    'The event, by id. An id without `_b0` to `_b3` at its end names the only such event.',
  example: 'nba_bulls_knicks_2027-01-14_b3',
  aliases: ['event_id', 'event_ids', 'events', 'eventId'],
  most: 1,
})

/** Of the routes that can show the board of the past. */
export const asOf = instant({
  description:
    'The board as it was at this instant, from the archive; `sharp` and above. One of `event`, `league` and `sport` is required with it. `last_seen_at` and `timestamp` are then when the sportsbook last changed a price of the event; what it stated beside a price, such as limits, is not there.',
  example: '2027-01-14T21:00:00Z',
})

/** Of `/odds/delta`; no cursor, since the time is one. */
export const deltaQuery = {
  since: instant({
    description:
      'The `meta.server_time` of the call before, or when a snapshot was taken. Required, unless `resume_from` stands in its place.',
    example: '2027-01-14T21:00:00.000000Z',
  }),
  resume_from: text({
    description: 'In place of `since`: a position that a stream or `meta.position` has given.',
    maxLength: 2_000,
  }),
  sport: oddsQuery.sport,
  league: oddsQuery.league,
  sportsbook: oddsQuery.sportsbook,
  add_sportsbook: oddsQuery.add_sportsbook,
  market: oddsQuery.market,
  event: oddsQuery.event,
  team: oddsQuery.team,
  date: oddsQuery.date,
  q: oddsQuery.q,
  ...rowQuery,
  live: flag({
    description:
      'true: only what is in play; false: only what has not begun. Both when absent. A row that moves out of the filter is in `removed`.',
    example: true,
  }),
  is_main_line: flag({
    description:
      'true: only the main line of each question, by all sportsbooks of the tier; false: only the others. Rows that have come onto it or left it since come too, or are in `removed`.',
    example: true,
    aliases: ['main'],
  }),
  sort: oddsQuery.sort,
  fields: list({
    description: 'The members each item has. All when absent.',
    example: 'id,odds_american',
    words: oddsFields,
  }),
  state: oddsQuery.state,
  limit: pageLimit({
    description: 'Items of one answer.',
    example: 50,
    max: 500,
    fallback: 50,
  }),
  offset: offsetOfPrices(500),
} as const
