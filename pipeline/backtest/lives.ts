/**
 * The lives of opportunities: birth, worth at birth and at the peak, end and its cause. An opportunity that comes back
 * begins a new life.
 */

import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import { topics } from '../../schemas/topics.ts'
import { invariant } from '../invariant.ts'
import { isOpen } from '../rules/games/event-end.ts'
import { type Fees, netOf } from '../rules/odds/fees.ts'
import { worthNow } from '../rules/odds/opportunity-figures.ts'
import { otherSideKey, outcomeKey, type PricedBoard } from './priced-board.ts'
import type { Moment } from './recording-run.ts'

/**
 * Why a life ended: `prices` moved or were withdrawn; a price was no longer `seen`; the event `started` or was `over`;
 * or the `recording` ended.
 */
export type LifeEnd = 'prices' | 'seen' | 'started' | 'over' | 'recording'

export interface LifeLeg {
  readonly sportsbook: string
  readonly selectionType: string
  readonly line: number | null
  /** The price at birth, as offered. */
  readonly price: number
  /** The same after the sportsbook's fee; equal if none is subtracted. */
  readonly net: number
}

export interface Life {
  readonly id: string
  readonly kind: OpportunityKind
  readonly eventId: string
  /** The start of the event as stated at birth (epoch ms). */
  readonly startsAt: number
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  readonly marketType: string
  readonly playerName: string | null
  readonly isLive: boolean
  readonly isSuspected: boolean
  readonly legs: readonly LifeLeg[]
  /** Epoch ms. */
  readonly bornAt: number
  /** The gain of a stake of 1, after fees; a fraction. */
  readonly worthAtBirth: number
  peak: number
  peakAt: number
  endedAt: number
  end: LifeEnd
}

export interface Lives {
  /** To be called after the board has applied the moment. */
  take(moment: Moment, changedOutcomes: ReadonlySet<string>): void
  /** Returns the number of births so far. */
  count(): number
  /** Returns all lives in order of birth; open lives end with the recording. */
  all(): readonly Life[]
}

/** An open life, with the terms of its worth. */
interface OpenLife {
  readonly life: Life
  readonly row: OpportunityRow
  readonly terms: Terms
}

interface Terms {
  /** Keys of the outcomes whose prices decide its worth. */
  readonly keys: ReadonlySet<string>
  /** Returns its worth; null while a price is missing. */
  worth(): number | null
}

/** @param fees the fees that are subtracted from prices */
export function createLives(board: PricedBoard, fees: Fees): Lives {
  const lives: Life[] = []
  const living = new Map<string, OpenLife>()
  const byOutcome = new Map<string, Set<OpenLife>>()
  let now = 0

  const pricesOf = (oddsIds: readonly number[]) => oddsIds.flatMap((id) => board.price(id) ?? [])

  function termsOf(row: OpportunityRow, sport: string): Terms {
    const legs = pricesOf(row.legs)
    const reference = pricesOf(row.reference)
    const { marketType = '', selectionType } = legs[0] ?? {}
    const isBacked = (price: { selectionType: string }) => price.selectionType === selectionType
    const outcome = reference.findIndex(isBacked)
    const lines = legs.map(({ line }) => line)
    const legKeys = legs.map(outcomeKey)
    const againstKeys: readonly (string | null)[] =
      row.kind === 'middle'
        ? legs.map((leg) => otherSideKey(leg, sport))
        : reference.map(outcomeKey)
    const priceAt = (key: string | null) => (key === null ? 0 : (board.priceOf(key) ?? 0))
    return {
      keys: new Set([...legKeys, ...againstKeys.flatMap((key) => key ?? [])]),
      worth() {
        const offered = legKeys.map(priceAt)
        if (offered.includes(0)) return null
        const prices = offered.map((price, leg) =>
          netOf({ sportsbook: legs[leg]!.sportsbook, price }, fees),
        )
        const against = againstKeys.map(priceAt)
        return worthNow(row.kind, {
          marketType,
          sport,
          league: row.league,
          lines,
          prices,
          offered,
          against,
          sources: reference.filter(isBacked).length,
          measure: row.measure,
          outcome,
        })
      },
    }
  }

  function begin(row: OpportunityRow) {
    const event = board.event(row.eventId)
    const legs = pricesOf(row.legs)
    const [first] = legs
    invariant(event && first, `opportunity ${row.id} has its event and its prices`)
    const terms = termsOf(row, event.sport)
    const worthAtBirth = terms.worth() ?? 0
    const life: Life = {
      id: row.id,
      kind: row.kind,
      eventId: row.eventId,
      startsAt: event.startsAt,
      league: row.league,
      homeTeam: event.homeTeam,
      awayTeam: event.awayTeam,
      marketType: first.marketType,
      playerName: first.playerName,
      isLive: first.isLive,
      isSuspected: row.isSuspected,
      legs: legs.map(({ sportsbook, selectionType, line, price }) => {
        return { sportsbook, selectionType, line, price, net: netOf({ sportsbook, price }, fees) }
      }),
      bornAt: row.detectedAt,
      worthAtBirth,
      peak: worthAtBirth,
      peakAt: row.detectedAt,
      endedAt: row.detectedAt,
      end: 'recording',
    }
    lives.push(life)
    watch({ life, row, terms })
  }

  function watch(one: OpenLife) {
    living.set(one.row.id, one)
    for (const key of one.terms.keys) {
      const others = byOutcome.get(key)
      if (others) others.add(one)
      else byOutcome.set(key, new Set([one]))
    }
  }

  function unwatch(one: OpenLife) {
    living.delete(one.row.id)
    for (const key of one.terms.keys) {
      const others = byOutcome.get(key)!
      others.delete(one)
      if (others.size === 0) byOutcome.delete(key)
    }
  }

  function reach(life: Life, terms: Terms, at: number) {
    const worth = terms.worth()
    if (worth === null || worth <= life.peak) return
    life.peak = worth
    life.peakAt = at
  }

  function endOf({ eventId, isLive }: Life, { at, isTick }: Moment): LifeEnd {
    const event = board.event(eventId)
    if (event && !isOpen(event.status)) return 'over'
    if (!isTick) return 'prices'
    return !isLive && event && event.startsAt <= at ? 'started' : 'seen'
  }

  return {
    take(moment, changedOutcomes) {
      now = moment.at
      for (const { topic, key, value } of moment.changes) {
        if (topic.name !== topics.opportunities.name) continue
        const before = living.get(key)
        const row = value as OpportunityRow | null
        if (before) unwatch(before)
        if (!row && before) {
          before.life.endedAt = moment.at
          before.life.end = endOf(before.life, moment)
        } else if (row && before) {
          // The reference prices or the label may have changed: the life continues.
          const terms = termsOf(row, board.event(row.eventId)?.sport ?? '')
          watch({ life: before.life, row, terms })
          reach(before.life, terms, moment.at)
        } else if (row) begin(row)
      }
      const moved = new Set<OpenLife>()
      for (const key of changedOutcomes) for (const one of byOutcome.get(key) ?? []) moved.add(one)
      for (const { life, terms } of moved) reach(life, terms, moment.at)
    },
    count: () => lives.length,
    all() {
      for (const { life } of living.values()) life.endedAt = now
      return lives
    },
  }
}
