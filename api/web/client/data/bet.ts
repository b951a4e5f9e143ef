/** A bet of the reader's log, in the API's form. */

export const outcomes = [
  'won',
  'half_won',
  'refunded',
  'half_lost',
  'lost',
  'dead_heat',
  'cashed_out',
] as const
export type Outcome = (typeof outcomes)[number]

export interface BetResult {
  readonly id: string
  readonly placed_at: string
  readonly home_team: string | null
  readonly away_team: string | null
  readonly event_id: string | null
  readonly market: string
  readonly selection: string
  readonly line: number | null
  readonly player_name: string | null
  readonly odds_decimal: number
  readonly odds_american: number
  readonly stake: number
  readonly sportsbook: string
  readonly found: {
    readonly home_team: string
    readonly away_team: string
    readonly selection: string
    readonly market_type: string
  } | null
  readonly outcome: Outcome | null
  readonly open_because: string | null
  readonly settled_by: 'score' | 'hand' | null
  readonly profit: number | null
  readonly clv_percent: number | null
  readonly clv_reason: string | null
}

/** What became of a file of bets. */
export interface TakenFile {
  /** Bets stored now or before. */
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: readonly { readonly line: number; readonly message: string }[]
  readonly rejected_count: number
  readonly ignored_columns: readonly string[]
}
