/** Generated from the service's table of filters by `test/clients/filters.test.ts`. */

/** Which rows; a member that is not given, or is empty, allows all. Ids as the service's lists show them. */
export interface StreamFilters {
  /** Sports, by id or name. */
  readonly sport?: readonly string[]
  /** Sportsbooks of the tier, by id or name. */
  readonly sportsbook?: readonly string[]
  /** Leagues, by id or name. */
  readonly league?: readonly string[]
  /** Market types by id or trade name (`h2h`, `totals_q1`), or the aliases `main`, `spread`, `total` and `props`. */
  readonly market?: readonly string[]
  /** Events, by id. */
  readonly event?: readonly string[]
  /** Lowest expected value, in percent. */
  readonly min_ev?: number
  /** Lowest profit of an arbitrage, in percent. */
  readonly min_profit?: number
  /** Lowest American price. */
  readonly min_odds?: number
  /** Highest American price. */
  readonly max_odds?: number
  /** Further sportsbooks beside those of `sportsbooks`. */
  readonly add_sportsbook?: readonly string[]
  /** true: only what is in play; false: only what has not begun. */
  readonly live?: boolean
  /** Events with a team of which this is a name or part of one. */
  readonly team?: readonly string[]
  /** Events that start on this day, as `date` of `/odds`. */
  readonly date?: string
  /** Events whose teams or league have all of these words in their names. */
  readonly q?: string
  /** true: only the main line of each question; false: only the others. */
  readonly is_main_line?: boolean
  /** true: only each sportsbook's own main line; false: only the others. */
  readonly is_book_main_line?: boolean
  /** true: only prices in play that have not changed since the start; false: only the others. */
  readonly is_stale_pregame_price?: boolean
  /** Opportunities once they have been there for so many milliseconds. */
  readonly min_age_ms?: number
  /** After an opportunity of an event is told, no other of its kind is for so many milliseconds; what a snapshot tells is whole, and no pause follows it. */
  readonly event_cooldown_ms?: number
  /** Opportunities that come back are told again only while they are worth more than before. */
  readonly again_if_better?: boolean
}

/** What each is called in a frame. */
export const frameNames: Readonly<Record<keyof StreamFilters, string>> = {
  sport: 'sports',
  sportsbook: 'sportsbooks',
  league: 'leagues',
  market: 'markets',
  event: 'eventIds',
  min_ev: 'min_ev',
  min_profit: 'min_profit',
  min_odds: 'min_odds',
  max_odds: 'max_odds',
  add_sportsbook: 'add_sportsbooks',
  live: 'live',
  team: 'teams',
  date: 'date',
  q: 'q',
  is_main_line: 'is_main_line',
  is_book_main_line: 'is_book_main_line',
  is_stale_pregame_price: 'is_stale_pregame_price',
  min_age_ms: 'min_age_ms',
  event_cooldown_ms: 'event_cooldown_ms',
  again_if_better: 'again_if_better',
}
