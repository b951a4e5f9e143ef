/** CSV files of bets: their columns, and the options of reading and writing one. */

import { priceFormats } from '../../price-format.ts'
import { choice, flag, formed, text } from '../query.ts'

/**
 * The columns of a CSV file with their kinds (numeric ones are read as numbers): the fields of a
 * bet; columns that combine several fields; and columns of our own file that show the matched bet,
 * which are ignored when the file is uploaded.
 */
const columnKinds = {
  placed_at: 'time',
  event_id: 'text',
  event: 'text',
  home_team: 'text',
  away_team: 'text',
  start_time: 'time',
  league: 'text',
  sport: 'text',
  market: 'text',
  selection: 'text',
  line: 'number',
  player_name: 'text',
  odds: 'odds',
  odds_decimal: 'odds',
  odds_american: 'odds',
  stake: 'number',
  free_bet: 'free',
  sportsbook: 'text',
  reference: 'text',
  result: 'result',
  returned: 'number',
  profit: 'number',
  currency: 'currency',
  shared_by: 'number',
  result_reason: 'text',
  id: 'text',
  created_at: 'shown',
  found_event_id: 'shown',
  found_market: 'shown',
} as const

export type BetColumn = keyof typeof columnKinds
type ColumnKind = (typeof columnKinds)[BetColumn]

export const betColumns: ReadonlyMap<BetColumn, ColumnKind> = new Map(
  Object.entries(columnKinds) as [BetColumn, ColumnKind][],
)

/** The columns that only files of others have. */
const othersColumns: ReadonlySet<BetColumn> = new Set([
  ...['event', 'odds', 'profit', 'currency'],
] as const)

/** The columns that our own file has. */
export const writtenColumns = [...betColumns.keys()].filter((column) => !othersColumns.has(column))

/** Options of writing a CSV file. */
export const exportOptions = {
  separator: choice(['comma', 'semicolon', 'tab'], {
    description: 'For CSV. Excel expects the separator of its country. Default: comma.',
  }),
  decimal: choice(['point', 'comma'], { description: 'For CSV. Default: point.' }),
  bom: flag({ description: 'Whether a CSV file begins with the UTF-8 mark that Excel needs.' }),
} as const

/** Options of reading a CSV file, if its content does not show them. */
export const importOptions = {
  date_order: choice(['mdy', 'dmy', 'ymd'], {
    description:
      'Of dates in figures. Default: what the file shows; a date that can be read two ways is refused.',
    example: 'dmy',
  }),
  time_zone: formed({
    description: 'IANA time zone for times without one. Without it such times are refused.',
    pattern: /^[A-Za-z0-9_+/-]{1,64}$/,
    problem: 'is the name of a time zone, such as Europe/Berlin',
    example: 'America/New_York',
  }),
  decimal: choice(['point', 'comma'], {
    description: 'The decimal mark. Default: what the file shows.',
  }),
  odds_format: choice(priceFormats, {
    description: 'For the column `odds`. Default: what each price shows; others are refused.',
  }),
  sportsbook: text({ description: 'If the file has no such column.', example: 'draftkings' }),
  league: text({ description: 'If the file has no such column.', example: 'nba' }),
  other_columns: choice(['refuse', 'ignore'], {
    description: 'What happens to unknown columns. Default: refuse.',
  }),
} as const
