/** Bets that the reader has placed: made from a leg in view, and sent so that each is stored once. */

import { netOf } from '../../../../pipeline/rules/odds/fees.ts'
import type { StakeLeg } from '../../../../pipeline/rules/odds/stakes.ts'
import type { Explanation, Profile } from '../../wire.ts'
import { feesOf } from './commissions.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { Opportunity } from './opportunity.ts'
import { leavesWriteOpen, type RefusedError } from './refused.ts'

/** What a row of a file says of a game that the board may not have. */
export interface NamedGame {
  readonly home_team: string
  readonly away_team: string
  /** A date, by the clock of the league. */
  readonly start_time: string
  readonly league: string
}

type BetGame = { readonly event_id: string } | NamedGame

export type NewBet = BetGame & BetOnGame

interface BetOnGame {
  /** The service stores bets of one reference once. */
  readonly reference: string
  readonly placed_at: string
  readonly market: string
  readonly selection: string
  readonly line: number | null
  readonly player_name: string | null
  readonly odds_decimal: number
  readonly stake: number
  /** Whether the stake is the sportsbook's. */
  readonly free_bet?: boolean
  readonly sportsbook: string
}

/** A leg of an explained opportunity. */
export interface PricedLeg extends StakeLeg {
  readonly sportsbook: string
  readonly selection: string
  readonly selectionType: string
  readonly line: number | null
  /** Decimal odds before fees. */
  readonly offered: number
  readonly hasFee: boolean
}

export const legsOf = ({
  quotes,
  stakes,
}: Pick<Explanation, 'quotes' | 'stakes'>): readonly PricedLeg[] =>
  quotes
    .filter(({ role }) => role === 'leg')
    .flatMap(({ odds_decimal, fee, ...quote }, i) =>
      odds_decimal === undefined
        ? []
        : {
            sportsbook: quote.sportsbook,
            selection: quote.selection,
            selectionType: quote.selection_type,
            line: quote.line,
            offered: odds_decimal,
            net: fee?.odds_after_fee ?? odds_decimal,
            maxBet: stakes.legs[i]!.max_bet,
            hasFee: fee !== undefined,
          },
    )

/**
 * Returns the price of a leg by which a bet on it is kept: after the commission that the profile states, else after the
 * fee that its figures count, else after the published one.
 */
export function priceToKeep(
  { sportsbook, offered, net, hasFee }: PricedLeg,
  profile: Pick<Profile, 'sportsbooks'>,
): number {
  const own = profile.sportsbooks.find((book) => book.sportsbook === sportsbook)
  if (hasFee && (own?.commission_percent ?? null) === null) return net
  return netOf({ sportsbook, price: offered }, feesOf(profile))
}

/** A bet as a form has it. */
export interface MadeBet {
  readonly game: BetGame
  readonly market: string
  readonly selectionType: string
  readonly line: number | null
  readonly player: string | null
  readonly sportsbook: string
  /** Decimal odds. */
  readonly price: number
  readonly stake: number
  readonly isFree: boolean
  /** Epoch ms. */
  readonly at: number
}

/** Returns a bet to store, under a reference of its own. */
export const newBetOf = (made: MadeBet): NewBet => ({
  reference: randomReference(),
  placed_at: new Date(made.at).toISOString(),
  ...made.game,
  market: made.market,
  selection: made.selectionType,
  line: made.line,
  player_name: made.player,
  odds_decimal: made.price,
  stake: made.stake,
  free_bet: made.isFree,
  sportsbook: made.sportsbook,
})

interface PlacedTerms {
  readonly price: number
  readonly stake: number
  /** Default: false. */
  readonly isFree?: boolean
}

/**
 * Returns a bet of a leg to store.
 * @param terms what the reader has got; the price in view is that after fees, of which profits are worked out
 * @param at epoch ms
 */
export const placedBet = (
  { selectionType, line, sportsbook }: PricedLeg,
  { price, stake, isFree = false }: PlacedTerms,
  { eventId, market, player }: Pick<Opportunity, 'eventId' | 'market' | 'player'>,
  at: number,
): NewBet =>
  newBetOf({
    game: { event_id: eventId },
    market,
    selectionType,
    line,
    player,
    sportsbook,
    price,
    stake,
    isFree,
    at,
  })

/** Uses `getRandomValues`, because browsers have `randomUUID` over https only. */
const randomReference = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/**
 * Returns a function that sends a bet. Until the service has answered, a retry sends the same bet again, also if the
 * leg's price or the stake has changed meanwhile: the service stores bets with one reference once if they are equal.
 * @param send returns the service's reason if it rejects the bet
 * @param onUnanswered called with the bet of which it is not known whether it is stored; null once it is known
 */
export function betSender(
  send: (bet: NewBet) => Promise<string | null>,
  onUnanswered: (bet: NewBet | null) => void,
) {
  let unanswered: NewBet | null = null
  function set(bet: NewBet | null) {
    unanswered = bet
    onUnanswered(bet)
  }
  /**
   * @returns the stored bet
   * @throws Error with a reason for the reader, unless the bet is stored
   */
  return async (make: () => NewBet): Promise<NewBet> => {
    const bet = unanswered ?? make()
    let rejection: string | null
    try {
      rejection = await send(bet)
    } catch (error) {
      if (leavesWriteOpen(error)) set(bet)
      // A refusal of the bet itself is one of its earlier tries too. Any other one says nothing about them.
      else if ((error as RefusedError).status === 400) set(null)
      throw error
    }
    set(null)
    if (rejection !== null) throw new Error(rejection)
    return bet
  }
}

export interface Placement {
  readonly isBusy: boolean
  /** The reason of the last refusal; null if there was none. */
  readonly refusal: string | null
  /** The bet of which it is not known whether it is stored. */
  readonly unanswered: NewBet | null
  /** Its bets that are stored. */
  readonly stored: readonly NewBet[]
}

const noPlacement: Placement = {
  isBusy: false,
  refusal: null,
  unanswered: null,
  stored: [],
}

/** Returns bets with a stake of the reader as one: the stake, and the odds that return as much as all; null for none. */
export function paidStake(bets: readonly NewBet[]): { stake: number; net: number } | null {
  const paid = bets.filter((bet) => bet.free_bet !== true)
  const stake = paid.reduce((sum, bet) => sum + bet.stake, 0)
  const back = paid.reduce((sum, bet) => sum + bet.stake * bet.odds_decimal, 0)
  return stake > 0 ? { stake, net: back / stake } : null
}

/** The bets of an opportunity by name, whichever sportsbook a leg is at now. A name stays, also while no row has it. */
export interface Placements {
  of(name: string): Placement
  /** Stores a bet, or sends the unanswered one of this name again. */
  place(name: string, make: () => NewBet): Promise<void>
  /** Returns the names with an unanswered bet, except those of `rows`. */
  unansweredBeside(rows: readonly string[]): readonly string[]
}

/**
 * @param send as of `betSender`
 * @param onChange called after each change
 */
export function createPlacements(
  send: (bet: NewBet) => Promise<string | null>,
  onChange: () => void,
): Placements {
  const placements = new Map<string, Placement>()
  const placers = new Map<string, (make: () => NewBet) => Promise<void>>()
  const of = (name: string) => placements.get(name) ?? noPlacement
  function change(name: string, changes: Partial<Placement>) {
    placements.set(name, { ...of(name), ...changes })
    onChange()
  }

  function placerOf(name: string) {
    const run = oneAtATime((isBusy) => change(name, { isBusy }))
    const sendBet = betSender(send, (unanswered) => change(name, { unanswered }))
    return (make: () => NewBet) =>
      run(async () => {
        change(name, { refusal: null })
        try {
          const bet = await sendBet(make)
          change(name, { stored: [...of(name).stored, bet] })
        } catch (error) {
          change(name, { refusal: (error as Error).message })
        }
      })
  }

  return {
    of,
    place(name, make) {
      const place = placers.get(name) ?? placerOf(name)
      placers.set(name, place)
      return place(make)
    },
    unansweredBeside: (rows) =>
      [...placements]
        .filter(([name, { unanswered }]) => unanswered !== null && !rows.includes(name))
        .map(([name]) => name),
  }
}
