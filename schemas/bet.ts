/**
 * A bet that an account has made: a row of the compacted topic `bets`, under its id and partitioned by
 * account. What was stated stays as it was; what it was found to be of is beside it, once that is known.
 */

import { hashIdentity, oddsIdOf } from './ids.ts'

/** The game that a bet is on, as the bettor names it. */
export interface BetEvent {
  /** Our id, where the bettor gives it; the other members may then be null. */
  readonly id: string | null
  readonly homeTeam: string | null
  readonly awayTeam: string | null
  /** Epoch ms; of a start that is only a day, midnight UTC of that date. */
  readonly startsAt: number | null
  /** Only the date of the start was stated, by the league's own clock. */
  readonly isDay: boolean
  /** Ids; the league is null where only the sport was stated. */
  readonly sport: string | null
  readonly league: string | null
}

export interface BetStatement {
  /** The client's own name of the bet; the same one is kept once. */
  readonly reference: string | null
  /** Epoch ms. */
  readonly placedAt: number
  readonly event: BetEvent
  /** As stated, in the bettor's words. */
  readonly market: string
  readonly selection: string
  /** Signed from the selection's own side. */
  readonly line: number | null
  readonly playerName: string | null
  /** Decimal odds at which it was made. */
  readonly price: number
  /** In the bettor's own money. */
  readonly stake: number
  /** Id. */
  readonly sportsbook: string
}

/** What a bet is on, in the frame of the event's rows (`OddsRow`). */
export interface BetSelection {
  readonly eventId: string
  readonly sport: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  /** The start as it was known then (epoch ms). */
  readonly startsAt: number
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
}

/**
 * How a bet can end. A dead heat of n pays a win on an nth part of the stake; what a cashed out bet returns only the
 * bettor knows.
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

/** How a bet ended, by its bettor: it counts before what the score says. */
export interface BetVerdict {
  readonly outcome: BetOutcome
  /** What came back, with the stake; null where the outcome says it. */
  readonly returned: number | null
  /** How many shared the place, of a dead heat. */
  readonly sharedBy: number | null
  readonly reason: string | null
  /** When it was stated (epoch ms). */
  readonly at: number
}

export interface BetRow extends BetStatement {
  readonly id: string
  readonly accountId: string
  /** A new one with each write, by which the writer knows its own row again. */
  readonly revision: string
  readonly createdAt: number
  /** Null while it is not known. */
  readonly found: BetSelection | null
  /** Null where the bettor has not stated how it ended. */
  readonly verdict: BetVerdict | null
}

/** The id of a bet that its account names itself: the same name, the same id. */
export const referencedBetId = (accountId: string, reference: string) =>
  betIdOf(`${accountId}|${reference}`)

/** @param text no other bet has */
export const betIdOf = (text: string) => `bet_${oddsIdOf(hashIdentity(text))}`
