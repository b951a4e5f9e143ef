/** Examples of answers about the history of prices. */

const event = {
  event_id: 'nba_bulls_knicks_2027-01-14_b3',
  sport: 'basketball',
  league: 'nba',
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  event_start_time: '2027-01-15T00:30:00.000Z',
}

const selection = {
  market_type: 'moneyline',
  selection: 'New York Knicks',
  selection_type: 'home',
  line: null,
  player_name: null,
}

const at110 = { odds_american: -110, odds_decimal: 1.909, odds_probability: 0.5238 }
const at120 = { odds_american: -120, odds_decimal: 1.833, odds_probability: 0.5455 }

const listedAt = '2027-01-13T09:00:00.120Z'
const movedAt = '2027-01-14T20:12:31.004Z'

function pageMeta(count: number, updated_at: string) {
  const pagination = {
    limit: 50,
    offset: 0,
    count,
    total: count,
    has_more: false,
    next_offset: null,
  }
  return { pagination, updated_at, list: { count, total: count, pagination, updated_at } }
}

const changes = pageMeta(2, movedAt)

export const examplePriceHistory: object = {
  success: true,
  data: [
    { at: listedAt, ...at110, is_live: false, is_active: true, changed: ['listed'] },
    { at: movedAt, ...at120, is_live: false, is_active: true, changed: ['price'] },
  ],
  pagination: changes.pagination,
  updated_at: movedAt,
  meta: {
    ...changes.list,
    updated: movedAt,
    filters: {},
    price: {
      id: '310778204665018',
      sportsbook: 'pinnacle',
      ...event,
      ...selection,
      stat_category: null,
    },
  },
}

const prices = pageMeta(1, '2027-01-15T00:31:02.300Z')

export const exampleEventHistory: object = {
  success: true,
  data: [
    {
      id: '310778204665018',
      sportsbook: 'pinnacle',
      ...selection,
      open: { at: listedAt, ...at110 },
      moves: [{ at: movedAt, ...at120, is_live: false }],
      move_count: 1,
      last: { at: '2027-01-15T00:31:02.300Z', ...at120 },
      is_withdrawn: true,
      close: { at: movedAt, ...at120, no_vig_probability: 0.5241 },
      close_missing: null,
    },
  ],
  pagination: prices.pagination,
  updated_at: prices.updated_at,
  meta: {
    ...prices.list,
    updated: prices.updated_at,
    filters: {},
    event: { ...event, status: 'live' },
  },
}

const moved = pageMeta(1, '2027-01-14T20:12:40.000Z')

export const exampleMovements: object = {
  success: true,
  data: [
    {
      ...event,
      ...selection,
      direction: 'shortened',
      began_at: movedAt,
      ended_at: '2027-01-14T20:12:40.000Z',
      book_count: 2,
      move_count: 2,
      moves: [
        {
          id: '310778204665018',
          sportsbook: 'pinnacle',
          at: movedAt,
          from_decimal: 1.909,
          ...at120,
          points: 2.16,
          is_live: false,
        },
        {
          id: '517204665018777',
          sportsbook: 'draftkings',
          at: '2027-01-14T20:12:40.000Z',
          from_decimal: 1.909,
          ...at120,
          points: 2.16,
          is_live: false,
        },
      ],
    },
  ],
  pagination: moved.pagination,
  updated_at: moved.updated_at,
  meta: { ...moved.list, updated: moved.updated_at, filters: { min_books: 2, seconds: 60 } },
}

const line = { ...event, id: '310778204665018', sportsbook: 'pinnacle', ...selection }

export const exampleChangeLine: object = {
  ...line,
  at: movedAt,
  ...at120,
  is_live: false,
  is_active: true,
  changed: 'price',
}

export const exampleCloseLine: object = {
  ...line,
  captured_at: '2027-01-15T00:31:02.300Z',
  priced_at: movedAt,
  ...at120,
  no_vig_probability: 0.5241,
  missing: null,
  missing_since: null,
}
