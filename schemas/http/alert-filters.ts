/** The filters of alerts on prices, moves and sources, by type. Opportunities take those of their lists. */

import { movementsQuery } from './history.ts'
import { boardQuery, oddsQuery, rowQuery } from './odds-query.ts'
import { choice, decimal, list, text, whole } from './query.ts'

const { limit: _, ...ofBoard } = boardQuery

const ofAnswers = {
  ...ofBoard,
  market: oddsQuery.market,
  selection: list({
    description:
      'The selection: `home`, `away`, `draw`, `over`, `under`, `yes`, `no`, or a part of its name.',
    example: 'knicks',
    most: 20,
  }),
  player: text({ description: 'A part of the player’s name.', example: 'brunson' }),
}

/** The filters of the type `price`. */
export const priceFilters = {
  ...ofAnswers,
  ...rowQuery,
  min_line: decimal({ description: 'Lowest line, as it is shown.', example: 3, min: -10_000 }),
  max_line: decimal({ description: 'Highest line, as it is shown.', example: 228.5, min: -10_000 }),
} as const

/** Bounds; a rule on prices needs at least one of them. */
export const boundsOfPrice = ['min_odds', 'max_odds', 'min_line', 'max_line'] as const

/** The filters of the type `move`. */
export const moveFilters = {
  ...ofAnswers,
  live: rowQuery.live,
  is_main_line: rowQuery.is_main_line,
  seconds: movementsQuery.seconds,
  min_drop: decimal({
    description: 'A price falls by at least this many percent within `seconds`.',
    example: 5,
    min: 0.1,
    max: 99,
  }),
  of: choice(['offer', 'best'], {
    description:
      'With `min_drop`: follows each `offer` (the default), or the `best` price of a selection at the named sportsbooks.',
  }),
  min_books: whole({
    description:
      'Steam: at least this many sportsbooks move a selection in the same direction within `seconds`, as in `/movements`.',
    example: 3,
    min: 0,
    max: 50,
    fallback: 0,
  }),
  min_move: movementsQuery.min_move,
  direction: choice(['shortened', 'drifted'], {
    description: 'With `min_books`: the direction. Default: both.',
  }),
} as const

/** The measures of a rule on moves; it needs one of them. */
export const measuresOfMove = ['min_drop', 'min_books'] as const

/** The filters of the type `source`. */
export const sourceFilters = {
  sportsbook: boardQuery.sportsbook,
  books: boardQuery.books,
} as const
