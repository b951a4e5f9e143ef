/**
 * One change of one price, as on the topic `price-changes` and in the archive. The table of latest odds has no
 * history; these records are it. Written in the commit that changes the row.
 */

/** The kinds of change, as bits of `what`. */
export const priceChange = {
  /** The price is new on the board, or back on it. */
  listed: 1,
  price: 2,
  /** It went into play, or back. */
  live: 4,
  /** It became active or inactive. */
  active: 8,
  /** Its label, category, limit, link or another attribute changed; these are not kept. */
  details: 16,
  /** It is off the board; the price is the last one. */
  withdrawn: 32,
} as const

export interface PriceChange {
  /** 15 digits, see `ids.ts`. */
  readonly oddsId: number
  readonly eventId: string
  readonly league: string
  /** When the statement that changed it was observed (epoch ms). */
  readonly at: number
  /** Bits of `priceChange`. */
  readonly what: number
  /** Decimal odds, after the change. */
  readonly price: number
  readonly isLive: boolean
  readonly isActive: boolean
  /** The selection of the price; set only when it is listed. */
  readonly of: PricedSelection | null
}

/** A selection in the event's own frame, as in `OddsRow`. */
export interface PricedSelection {
  readonly sportsbook: string
  readonly marketType: string
  readonly selection: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
}
