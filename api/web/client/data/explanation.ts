/** The parts of an opportunity's explanation that the pages read. */

import type { FiguresOf } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import type { Settled } from '../../../../pipeline/rules/odds/two-lines.ts'

export interface Explanation {
  readonly kind: keyof FiguresOf
  readonly event_id: string
  readonly event_name: string
  readonly league: string
  readonly start_time: string
  readonly market_type: string
  readonly player_name: string | null
  readonly is_live: boolean
  readonly line: number | null
  readonly detected_at: string
  readonly quotes: readonly {
    readonly role: string
    readonly sportsbook: string
    readonly selection: string
    readonly selection_type: string
    readonly line: number | null
    /** Absent if the quote is hidden. */
    readonly odds_decimal?: number
    readonly odds_american?: number
    /** Only for legs: the odds after the fee. */
    readonly fee?: { readonly odds_after_fee: number }
    /** Absent if the quote is hidden. */
    readonly age_seconds?: number
    /** Only for legs. */
    readonly deep_link?: string | null
    readonly max_bet?: number | null
    readonly is_hidden: boolean
  }[]
  readonly result: Readonly<Record<string, unknown>>
  readonly stakes: {
    /**
     * In the order of the quotes with the role `leg`. `max_bet` is the highest stake, by the sportsbook and by the
     * profile.
     */
    readonly legs: readonly { readonly max_bet: number | null }[]
    /** How the legs can be settled other than by one of them winning alone. */
    readonly other_outcomes: readonly (readonly Settled[])[]
  }
  readonly devig: readonly {
    readonly sportsbook: string | null
    readonly answers: readonly string[]
    readonly overround: number
    readonly methods: Readonly<
      Record<
        string,
        {
          /** In the order of the answers; empty if the prices are hidden. */
          readonly fair_probabilities: readonly number[]
          readonly ev_percentage?: number
        } | null
      >
    >
  }[]
  readonly ends: readonly {
    readonly cause: string
    readonly sportsbook: string | null
    readonly to_odds_decimal: number | null
    readonly at: string | null
  }[]
  readonly warnings: readonly string[]
}
