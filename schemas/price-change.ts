/**
 * One change of one price, as it stands on the topic `price-changes` and in the archive. The table of
 * latest odds forgets what was before; this is what was. Written in the commit that changes the row.
 */

/** What changed, as bits of `what`. */
export const priceChange = {
  /** The price is new on the board, or there again. */
  listed: 1,
  price: 2,
  /** It went into play, or back. */
  live: 4,
  /** Bets are taken again, or no longer. */
  active: 8,
  /** Its label, category, limit, link or another attribute; these are not kept. */
  details: 16,
  /** It is off the board; the price is the last. */
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
  /** What the price is of; said when it is listed. */
  readonly of: PricedSelection | null
}

/** In the event's own frame, as in `OddsRow`. */
export interface PricedSelection {
  readonly sportsbook: string
  readonly marketType: string
  readonly selection: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
}
