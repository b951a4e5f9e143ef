/**
 * A bet that an account has made: a row of the compacted topic `bets`, under its id and partitioned by account. Of the
 * stated values, only those of a `BetCorrection` can change; the event and selection found for them are added once known.
 */

import { hashIdentity, oddsIdOf } from './ids.ts'

/** The game that a bet is on, as the bettor names it. */
export interface BetEvent {
  /** Our id, if the bettor gives it; the other fields may then be null. */
  readonly id: string | null
  readonly homeTeam: string | null
  readonly awayTeam: string | null
  /** Epoch ms; for a date without a time, midnight UTC of that date. */
  readonly startsAt: number | null
  /** Whether only the date of the start was stated, by the league's own clock. */
  readonly isDay: boolean
  /** Ids; the league is null if only the sport was stated. */
  readonly sport: string | null
  readonly league: string | null
}

export interface BetStatement {
  /** The client's own name of the bet; a bet of the same name is stored once. */
  readonly reference: string | null
  /** Epoch ms. */
  readonly placedAt: number
  readonly event: BetEvent
  /** As stated, in the bettor's words. */
  readonly market: string
  readonly selection: string
  /** The line, signed from the selection's own side. */
  readonly line: number | null
  readonly playerName: string | null
  /** The decimal odds at which it was made. */
  readonly price: number
  /** In the bettor's own currency. */
  readonly stake: number
  /** Whether the stake is the sportsbook's, a free bet: it counts as returned whatever the result. */
  readonly isFree: boolean
  /** The sportsbook's id. */
  readonly sportsbook: string
}

/**
 * The fields of a stored bet that its bettor may correct. If the sportsbook changes, the game is
 * looked up again by that sportsbook's names.
 */
export type BetCorrection = Partial<
  Pick<BetStatement, 'placedAt' | 'price' | 'stake' | 'isFree' | 'sportsbook'>
>

/** The selection that a bet is on, in the frame of the event's rows (`OddsRow`). */
export interface BetSelection {
  readonly eventId: string
  readonly sport: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  /** The start as known at that time (epoch ms). */
  readonly startsAt: number
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
}

/**
 * The outcomes of a bet. A dead heat of n pays a win on an nth part of the stake; only the bettor knows the return of
 * a cashed out bet.
 */
export const betOutcomes = [
  'won',
  'half_won',
  'refunded',
  'half_lost',
  'lost',
  'dead_heat',
  'cashed_out',
] as const
export type BetOutcome = (typeof betOutcomes)[number]

/** The outcome of a bet by its bettor, which overrides the score. */
export interface BetVerdict {
  readonly outcome: BetOutcome
  /** The payout, with the stake; null if the outcome determines it. */
  readonly returned: number | null
  /** The number that shared the place, in a dead heat. */
  readonly sharedBy: number | null
  readonly reason: string | null
  /** When it was stated (epoch ms). */
  readonly at: number
}

export interface BetRow extends BetStatement {
  readonly id: string
  readonly accountId: string
  /** Random with each write, so that the writer recognises its own row. */
  readonly revision: string
  readonly createdAt: number
  /** When the bet, its result or a correction was last stored (epoch ms). */
  readonly updatedAt: number
  /** Null while it is not known. */
  readonly found: BetSelection | null
  /** Null if the bettor has not stated an outcome. */
  readonly verdict: BetVerdict | null
}

/** Returns the id of a bet that its account names itself: the same name gives the same id. */
export const referencedBetId = (accountId: string, reference: string) =>
  betIdOf(`${accountId}|${reference}`)

/** @param text unique to the bet */
export const betIdOf = (text: string) => `bet_${oddsIdOf(hashIdentity(text))}`
