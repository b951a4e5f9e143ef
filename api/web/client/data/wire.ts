/** The parts of API responses that the pages read. */

import type { Answers } from '../../../../schemas/reference/market-question.ts'

export interface League {
  readonly id: string
  readonly name: string
  readonly country: string | null
  readonly event_count: number
  readonly live_count: number
}

export interface Market {
  readonly id: string
  /** Null for a type that the service does not list. */
  readonly numerical_id: number | null
  readonly answers: Answers
  readonly selection_count: number | null
}

export interface Sportsbook {
  readonly id: string
  readonly display_name: string
  readonly short_name: string
  readonly category: string
  readonly is_sharp: boolean
  readonly status: 'active' | 'inactive' | 'limited'
  readonly last_update: string | null
}

export interface GameState {
  readonly home_score: number | null
  readonly away_score: number | null
  readonly period: string | null
  readonly clock: string | null
}

export interface Game {
  readonly id: string
  readonly league: string
  readonly sport: string
  readonly home_team: string
  readonly away_team: string
  readonly start_time: string
  readonly status: string
  readonly is_live: boolean
  /** Sportsbooks whose prices are too old to count; the service says which. */
  readonly stale_books?: readonly string[]
  readonly game_state?: GameState | null
}

export interface Account {
  readonly tier: string
  readonly limits: { readonly requests_per_minute: number }
  readonly features: Readonly<Record<string, boolean>>
}

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly has_more: boolean; readonly next_cursor?: string | null }
  readonly meta: Readonly<Record<string, unknown>>
}
