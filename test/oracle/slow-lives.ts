/**
 * The lives of opportunities the plain way: after every change all of them are computed from the whole
 * board, and the cause of an end is judged by its prices. Written from the rules alone.
 */

import { isOpen } from '../../pipeline/rules/games/event-end.ts'
import { arbitrageProfit, highestArbitrageProfit } from '../../pipeline/rules/odds/arbitrage.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import type { Fees } from '../../pipeline/rules/odds/fees.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { middleWorth } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { possibleResults } from '../../pipeline/rules/odds/possible-results.ts'
import { middleKind } from '../../pipeline/rules/odds/questions.ts'
import { highestValue } from '../../pipeline/rules/odds/value.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import { type LifeEnd, lifeEnds } from '../../schemas/opportunity-life.ts'
import { sightingKey } from '../../schemas/sighting.ts'
import { byRow } from './memory.ts'
import type { FoldedBoard } from './real-board.ts'
import {
  certainProfit,
  type ExpectedOpportunity,
  groupBy,
  homeLine,
  ladderKey,
  middleOf,
  netOf,
  type SlowOpportunities,
} from './slow-opportunities.ts'

interface SlowFigures {
  readonly worth: number
  readonly prices: readonly number[]
}

export interface SlowLife {
  readonly id: string
  readonly kind: OpportunityKind
  readonly event: EventRow
  readonly legs: readonly OddsRow[]
  readonly reference: readonly OddsRow[]
  readonly detectedAt: number
  readonly detected: SlowFigures
  readonly peak: SlowFigures
  /** Number of the look at which it first had that worth. */
  readonly peakIn: number
  readonly last: SlowFigures
  readonly scopes: number
  /** Its scopes at the last look. */
  readonly lastScopes: number
  readonly isSuspected: boolean
  readonly references: readonly string[]
}

export interface EndedLife {
  readonly life: SlowLife
  /** All possible causes, because the outcomes of a market are not checked. */
  readonly why: readonly LifeEnd[]
}

type Board = Pick<
  FoldedBoard,
  'events' | 'odds' | 'opportunities' | 'sightings' | 'sportsbookStatus'
>

export function createSlowLives(chain: readonly string[], fees: Fees) {
  const standing = new Map<string, SlowLife>()
  let looks = 0

  function lookAt(row: OpportunityRow, board: Board, places: Places): SlowLife {
    const legs = row.legs.map((id) => rowOf(board, id))
    const reference = row.reference.map((id) => rowOf(board, id))
    const event = board.events.get(row.eventId) as EventRow
    const worth = worthOf({ kind: row.kind, event, legs, reference }, places, fees)
    const now = { worth, prices: legs.map(({ price }) => price) }
    const before = standing.get(row.id)
    const { scopes, isSuspected } = row
    const [sharp] = measuredBy(reference)
    const about = { id: row.id, kind: row.kind, event, legs, reference, last: now }
    if (!before) {
      return {
        ...about,
        detectedAt: row.detectedAt,
        detected: now,
        peak: now,
        peakIn: looks,
        scopes,
        lastScopes: scopes,
        isSuspected,
        references: sharp === undefined ? [] : [sharp],
      }
    }
    const isHigher = worth > before.peak.worth
    return {
      ...before,
      ...about,
      peak: isHigher ? now : before.peak,
      peakIn: isHigher ? looks : before.peakIn,
      scopes: before.scopes | scopes,
      lastScopes: scopes,
      isSuspected: before.isSuspected || isSuspected,
      references:
        sharp === undefined || before.references.includes(sharp)
          ? before.references
          : [...before.references, sharp],
    }
  }

  function whyGone(
    life: SlowLife,
    board: Board,
    slow: SlowOpportunities,
    now: number,
    places: Places,
  ): LifeEnd[] {
    const { kind, legs, reference } = life
    const event = board.events.get(life.event.id)
    if (!event || !isOpen(event.status)) return ['over']
    const [first] = legs as readonly [OddsRow]
    if (!first.isLive && (event.isLive || event.startsAt <= now)) return ['started']
    const stateOf = (row: OddsRow): LifeEnd | null => {
      const at = places.get(placeKey(row)) ?? []
      const [only] = at
      const same = board.odds.get(String(row.id))
      if (at.length > 1) return same && at.includes(same) ? 'doubted' : 'withdrawn'
      if (!only) {
        if (same && same.isLive !== row.isLive) return 'started'
        return same || isHeard(row, board, now) ? 'withdrawn' : 'unseen'
      }
      if (!only.isActive) return 'suspended'
      if (!slow.usable.has(only)) return 'unseen'
      return slow.withheld.has(only) ? 'doubted' : null
    }
    const unfit = [...legs, ...reference].map(stateOf)
    const weakest = lifeEnds.find((why) => unfit.includes(why))
    if (weakest) return [weakest]
    if (kind === 'ev') {
      const sharper = chain
        .slice(0, chain.indexOf(measuredBy(reference)[0]!))
        .some((sportsbook) =>
          reference.every((row) => stateOf({ ...row, id: 0, sportsbook }) === null),
        )
      if (sharper) return ['replaced']
    } else {
      const isThere = [...slow.rows.values()].some(
        (row) =>
          row.kind === kind &&
          (row.scopes & life.lastScopes) !== 0 &&
          linesOf(row, board) === linesOf({ legs: legs.map(({ id }) => id), kind }, board, legs),
      )
      if (isThere) return ['replaced']
    }
    const current = (row: OddsRow) => places.get(placeKey(row))![0]!
    const worth = worthOf(
      { kind, event, legs: legs.map(current), reference: reference.map(current) },
      places,
      fees,
    )
    const taken = legs.map(current)
    const sure = sureProfit(
      taken,
      taken.map((row) => netOf(row, fees)),
      event,
    )
    return [isTooGood(kind, kind === 'middle' ? sure : worth) ? 'doubted' : 'moved']
  }

  return {
    /** Lives that are still running. */
    standing: standing as ReadonlyMap<string, SlowLife>,
    /** @returns the lives that ended since the look before */
    look(board: Board, slow: SlowOpportunities, now: number): EndedLife[] {
      looks++
      const places: Places = groupBy([...board.odds.values()], placeKey)
      const ended: EndedLife[] = []
      for (const [id, life] of standing) {
        if (slow.rows.has(id)) continue
        ended.push({ life, why: whyGone(life, board, slow, now, places) })
        standing.delete(id)
      }
      for (const id of slow.rows.keys()) {
        const row = board.opportunities.get(id) as OpportunityRow
        standing.set(id, lookAt(row, board, places))
      }
      return ended
    },
    looks: () => looks,
  }
}

/** Returns the sportsbook of the reference, or `consensus` for several. */
function measuredBy(reference: readonly OddsRow[]): string[] {
  const books = [...new Set(reference.map(({ sportsbook }) => sportsbook))]
  return books.length > 1 ? ['consensus'] : books
}

type Places = ReadonlyMap<string, readonly OddsRow[]>

/** Returns the place of an outcome, without its label. */
const placeKey = byRow(
  (row: OddsRow) => `${ladderKey(row)} ${row.sportsbook} ${row.selectionType} ${homeLine(row)}`,
)

const rowOf = ({ odds }: Board, id: number) => odds.get(String(id)) as OddsRow

function worthOf(
  { kind, event, legs, reference }: Pick<SlowLife, 'kind' | 'event' | 'legs' | 'reference'>,
  places: Places,
  fees: Fees,
): number {
  const nets = legs.map((row) => netOf(row, fees))
  const total = nets.reduce((sum, price) => sum + 1 / price, 0)
  switch (kind) {
    case 'arbitrage':
      return sureProfit(legs, nets, event)
    case 'low_hold':
      return 0 - (total - 1)
    case 'ev': {
      const outcome = reference.findIndex((row) => row.selectionType === legs[0]!.selectionType)
      const markets = [...groupBy(reference, ({ sportsbook }) => sportsbook).values()].map(
        (rows) => devig(rows.map(({ price }) => price))?.probabilities,
      )
      if (markets.includes(undefined)) return 0
      const middles = markets[0]!.map((_, at) => middleOf(markets.map((market) => market![at]!)))
      // Probabilities of one sportsbook already sum to 1, except for rounding.
      const sum = markets.length > 1 ? middles.reduce((total, one) => total + one, 0) : 1
      const fair = middles[outcome]! / sum
      return nets[0]! * fair - 1
    }
    case 'middle': {
      const figures = middleWorth({
        marketType: legs[0]!.marketType,
        sport: event.sport,
        league: event.league,
        lines: legs.map(({ line }) => line),
        prices: nets,
        offered: legs.map(({ price }) => price),
        against: legs.map((row) => {
          const [other, ...more] = places.get(placeKey(otherSide(row))) ?? []
          return other?.isActive && more.length === 0 ? other.price : 0
        }),
      })
      return figures?.expectedValue ?? 0
    }
  }
}

/** Returns the profit that is certain. */
function sureProfit(legs: readonly OddsRow[], nets: readonly number[], event: EventRow): number {
  const [first, second, third] = legs as [OddsRow, OddsRow?, OddsRow?]
  const [line1, line2] = [homeLine(first), second ? homeLine(second) : null]
  if (third || line1 === null || line2 === null || line1 === line2) {
    return arbitrageProfit(nets.reduce((sum, price) => sum + 1 / price, 0))
  }
  const isTotal = middleKind(first.marketType) === 'total'
  const [low, high] = isTotal ? [line1, line2] : [0 - line1, 0 - line2]
  const canBe = possibleResults(first.marketType, event)
  return certainProfit(low, high, nets[0]!, nets[1]!, canBe)
}

const opposite: Readonly<Record<string, string>> = {
  home: 'away',
  away: 'home',
  over: 'under',
  under: 'over',
}

function otherSide(row: OddsRow): OddsRow {
  const { selectionType } = row
  const at = selectionType.lastIndexOf('_') + 1
  const type = selectionType.slice(0, at) + opposite[selectionType.slice(at)]
  const isTurned = selectionType === 'home' || selectionType === 'away'
  return { ...row, selectionType: type, line: isTurned ? 0 - (row.line ?? 0) : row.line }
}

/** Returns whether the sportsbook was recently seen on the event, and its source is up. */
function isHeard({ eventId, sportsbook }: OddsRow, board: Board, now: number): boolean {
  const sighting = board.sightings.get(sightingKey(eventId, sportsbook))
  if (!sighting || board.sportsbookStatus.get(sportsbook)?.status === 'down') return false
  return now - sighting.lastSeenAt <= usableMs(sighting.isLive)
}

/** Returns the lines of an opportunity, and its set of outcomes. */
function linesOf(
  row: Pick<ExpectedOpportunity, 'legs' | 'kind'>,
  board: Board,
  known?: readonly OddsRow[],
): string {
  const legs = known ?? row.legs.map((id) => rowOf(board, id))
  const [first] = legs as readonly [OddsRow]
  const set = first.selectionType.split('_').slice(0, -1).join('_')
  return `${ladderKey(first)} ${set} ${legs.map((leg) => homeLine(leg)).join(' ')}`
}

function isTooGood(kind: OpportunityKind, worth: number): boolean {
  if (kind === 'ev') return worth > highestValue
  return (kind === 'low_hold' ? arbitrageProfit(1 - worth) : worth) > highestArbitrageProfit
}
