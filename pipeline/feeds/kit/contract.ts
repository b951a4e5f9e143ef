/**
 * Contracts of exchanges: a market of two outcomes, of which one pays 1 and the other nothing. Each
 * outcome is bought at its ask.
 */

import type { Board, Question } from './board.ts'
import { priceOfContract, stakeOf } from './outcomes.ts'

/** The outcome in our types. */
interface Outcome {
  readonly selectionType: string
  readonly line?: number | null
}

/** Null for an outcome that we do not have. */
export interface TwoOutcomes extends Question {
  readonly outcomes: readonly [Outcome | null, Outcome | null]
}

const opposites: Readonly<Record<string, string>> = {
  home: 'away',
  away: 'home',
  over: 'under',
  under: 'over',
  yes: 'no',
  no: 'yes',
}

/**
 * Returns a market whose second outcome is the opposite of its first.
 * @param marketType undefined where the sport has no such market
 * @param line of the first outcome; a side's handicap is the other side's negative
 */
export function oppositeOutcomes(
  marketType: string | undefined,
  selectionType: string,
  line: number | null = null,
): TwoOutcomes | 'unmapped_market' {
  if (!marketType) return 'unmapped_market'
  const isHandicap = line !== null && (selectionType === 'home' || selectionType === 'away')
  const opposite = opposites[selectionType]
  const other = isHandicap ? 0 - line : line
  return {
    marketType,
    outcomes: [{ selectionType, line }, opposite ? { selectionType: opposite, line: other } : null],
  }
}

/**
 * Returns a market of one outcome: one result of several, whose opposite we have no outcome for.
 */
export const onlyFirst = (
  marketType: string | undefined,
  selectionType: string,
): TwoOutcomes | 'unmapped_market' =>
  marketType ? { marketType, outcomes: [{ selectionType }, null] } : 'unmapped_market'

/** The best offer to sell an outcome. */
export interface Ask {
  /** The cost of one contract, as a share of its payout. */
  readonly cost: number
  /** The highest stake in dollars; null where the size is not stated. */
  readonly stake: number | null
}

/** In the exchange's currency, such as dollars: for less, a price cannot be had in earnest. */
const smallestStake = 1

/** Returns whether so much can be staked at a price that it counts; else the next one does. */
export const isStakeable = (stake: number): boolean => stake >= smallestStake - 1e-6

/**
 * Returns the offer of the lowest cost that counts, with all stakes at this cost together, in whole cents; null
 * for none.
 * @param levels in any order, with stakes that need not be whole cents
 */
export function bestAsk(levels: Iterable<Ask>): Ask | null {
  const stakes = new Map<number, number | null>()
  for (const { cost, stake } of levels) {
    const before = stakes.get(cost)
    stakes.set(cost, stake === null || before === null ? null : stake + (before ?? 0))
  }
  let best: Ask | null = null
  for (const [cost, stake] of stakes) {
    if (best !== null && cost >= best.cost) continue
    if (stake === null) best = { cost, stake }
    else if (isStakeable(stake)) best = { cost, stake: stakeOf(stake, 1) }
  }
  return best
}

/**
 * Returns the cost of a contract against a bid for the other outcome, rounded because 1 - 0.59 in binary has more
 * than six digits.
 */
export const costAgainst = (bid: number) => Math.round((1 - bid) * 1e6) / 1e6

export type Asks = readonly [Ask | null, Ask | null]

/**
 * Returns whether both outcomes together cost less than the payout. An exchange would match two
 * such orders, so the asks are of different times, and neither can be trusted.
 */
export const areCrossed = ([first, second]: Asks): boolean =>
  first !== null && second !== null && Math.round((first.cost + second.cost) * 1e6) < 1e6

/**
 * Returns whether a line is a half. A result can equal a whole line, and then a contract pays
 * otherwise than a bet.
 */
export const isHalf = (line: number) => Math.abs(line % 1) === 0.5

export interface Contract {
  readonly id: string
  readonly question: TwoOutcomes | string
  readonly asks: Asks
  /** Whether no order is taken now, though the asks stay in the book. */
  readonly isSuspended?: boolean
  /** The ids of its outcomes. */
  readonly externalIds?: readonly (string | undefined)[]
}

const places = [0, 1] as const

/** @param label returns the label of a contract, for skips */
export const contractBoard = <Read extends Contract>(
  sportsbook: string,
  label: (contract: Read, at: 0 | 1) => string,
): Board<Read, 0 | 1, TwoOutcomes> => ({
  sportsbook,
  marketId: ({ id }) => id,
  offers: ({ asks }) => places.filter((at) => asks[at] !== null),
  describe: (at, contract) => `${label(contract, at)} ${contract.asks[at]?.cost}`,
  question: ({ question }) => question,
  outcome(at, { outcomes }, { asks, isSuspended = false, externalIds }) {
    const outcome = outcomes[at]
    const { cost, stake } = asks[at] as Ask
    if (!outcome) return 'unmapped_selection'
    const price = priceOfContract(cost) ?? 'bad'
    const externalId = externalIds?.[at] ?? null
    return { ...outcome, price, maxBet: stake, suspended: isSuspended, externalId }
  },
})
