/**
 * The lives of opportunities, told for an archive: what each was worth when it was detected, at its peak
 * and last, and why it went. The table of opportunities says which there are; this file is told of its
 * changes and writes a record when a life ends.
 *
 * - A life has the birth and the end of its row. It is looked at whenever its line is; so its peak is the
 *   most that it was worth after any commit.
 * - Rows of `running-lives` are written at birth and at each new peak, so that a restart forgets nothing.
 *   The last figures are in no table: after a restart they follow from the restored prices, and are taken
 *   from them before anything is changed.
 * - An opportunity that stood when history was first kept has no life: nobody knows how it began.
 */

import {
  type OpportunityKind,
  type OpportunityRow,
  ownerLevel,
} from '../../../schemas/opportunity.ts'
import {
  type LifeEnd,
  type LifeFigures,
  lifeEnds,
  type OpportunityLife,
  type RunningLife,
} from '../../../schemas/opportunity-life.ts'
import { type PriceChange, priceChange } from '../../../schemas/price-change.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append } from '../../log/log.ts'
import { arbitrageProfit, highestArbitrageProfit } from '../../rules/arbitrage.ts'
import { isOpen } from '../../rules/event-end.ts'
import { worthNow } from '../../rules/opportunity-figures.ts'
import { highestValue } from '../../rules/value.ts'
import { isWithheld, type JudgedLine, noSlot, priceAt } from './best-prices.ts'
import { type Finding, sharpestSlot } from './detectors.ts'
import { ownLine } from './market-shape.ts'
import { isTrading, type PricePlace } from './price-lines.ts'

type Place = PricePlace<JudgedLine>

/** A life that goes on, and where its prices stand: a line keeps their places for as long. */
export interface Life {
  readonly id: string
  readonly kind: OpportunityKind
  readonly league: string
  readonly sport: string
  readonly legs: readonly Place[]
  /** +EV: the slot of the sharp book on the line of its leg; else `noSlot`. */
  sharp: number
  /** When it was last looked at. */
  worth: number
  readonly prices: number[]
  /** A middle: what the sportsbook of each leg gave for the other side of its line; else empty. */
  readonly others: number[]
  readonly detected: LifeFigures
  peak: LifeFigures
  references: readonly string[]
  scopes: number
  isSuspected: boolean
}

export interface Lives {
  /** Takes a row of `running-lives`. */
  restore(id: string, row: RunningLife | null): void
  /**
   * Everything is restored and nothing is changed yet.
   * @param rows of the table of opportunities
   */
  recall(rows: ReadonlyMap<string, OpportunityRow>): void
  begin(row: OpportunityRow, of: Finding): Life
  /** The life of a restored row; null where nobody knows how it began. Given once. */
  resume(id: string): Life | null
  /** Looks at a life whose line was looked at. */
  follow(life: Life, of: Finding, at: number): void
  /** Takes when a price was withdrawn. */
  changed(change: PriceChange): void
  /**
   * @param row that is taken out
   * @param standing what is on the same line, or between the same two, from now on
   */
  end(life: Life, row: OpportunityRow, standing: readonly { readonly row: OpportunityRow }[]): void
  /** A commit is told whole. */
  settle(): void
}

/**
 * @param placeOf where the price of an odds id stands
 * @param emit takes records for the commit
 * @param count counts what is out of the ordinary, by code
 */
export function createLives(
  placeOf: (oddsId: number) => Place | null,
  emit: (append: Append) => void,
  count: (code: string) => void,
): Lives {
  const running = new Map<string, RunningLife>()
  const recalled = new Map<string, Life>()
  /** In this commit, by odds id. */
  const withdrawnAt = new Map<number, number>()

  function emitRunning({ id, league }: Pick<Life, 'id' | 'league'>, value: RunningLife | null) {
    emit({ topic: topics.runningLives, partitionKey: league, key: id, value })
  }

  const runningOf = (life: Life): RunningLife => ({
    id: life.id,
    league: life.league,
    detected: life.detected,
    peak: life.peak,
    references: life.references,
    scopes: life.scopes,
    isSuspected: life.isSuspected,
  })

  /** As it stands on the restored prices; null where one of them is missing. */
  function lifeOf(row: OpportunityRow, known: RunningLife): Life | null {
    const legs = row.legs.map(placeOf)
    if (!areThere(legs)) return null
    const [sharpId] = row.reference
    const sharp = sharpId === undefined ? noSlot : placeOf(sharpId)?.slot
    const event = legs[0]?.line.ladder.event.row
    if (sharp === undefined || !event) return null
    const life: Life = {
      ...known,
      kind: row.kind,
      sport: event.sport,
      legs,
      sharp,
      worth: 0,
      prices: [],
      others: [],
    }
    look(life)
    life.worth = worthAt(life, row.reference.length)
    return life
  }

  /** Why an opportunity does not stand on its prices any more. */
  function endOf(
    life: Life,
    row: OpportunityRow,
    standing: readonly { readonly row: OpportunityRow }[],
  ): LifeEnd {
    const { kind, legs, sharp } = life
    const { line } = legs[0]!
    const { event } = line.ladder
    if (!event.row || !isOpen(event.row.status)) return 'over'
    if (!isTrading(line.ladder)) return 'started'
    const unfit = [
      ...row.legs.map((id, leg) => unfitness(legs[leg]!, id)),
      ...row.reference.map((id, column) => unfitness({ line, slot: sharp, column }, id)),
    ]
    const first = lifeEnds.find((why) => unfit.includes(why))
    if (first) return first
    const isReplaced =
      kind === 'ev'
        ? sharpestSlot(line, highestOf(line, sharp)) !== sharp
        : standing.some(({ row: other }) => takesThePlace(other, row))
    if (isReplaced) return 'replaced'
    return isTooGood(kind, worthAt(life, row.reference.length)) ? 'doubted' : 'moved'
  }

  /** Why a price cannot be taken; null where it can. */
  function unfitness({ line, slot, column }: Place, id: number): LifeEnd | null {
    const { ladder, offers, prices, ids, verdicts } = line
    const at = slot * ladder.shape.columns + column
    if (prices[at]! > 0) {
      if (!offers[slot]!.isUsable) return 'unseen'
      return isWithheld(verdicts[slot]!) ? 'doubted' : null
    }
    if (ids[at] !== 0) return 'suspended'
    const now = placeOf(id)
    // A price that is not seen for too long is taken off the board; its sportsbook has said nothing.
    if (!now) return offers[slot]!.isUsable ? 'withdrawn' : 'unseen'
    if (now.line.ladder.isLive !== ladder.isLive) return 'started'
    // Two labels stand for one answer there: nobody knows which of them is meant.
    return now.line === line ? 'doubted' : 'withdrawn'
  }

  /** When the last of what it was made of changed; never before its peak. */
  function endedAt({ legs, peak }: Life, row: OpportunityRow): number {
    let at = peak.at
    for (const { line } of legs) at = Math.max(at, line.touchedAt)
    if (withdrawnAt.size === 0) return at
    for (const id of row.legs) at = Math.max(at, withdrawnAt.get(id) ?? at)
    for (const id of row.reference) at = Math.max(at, withdrawnAt.get(id) ?? at)
    return at
  }

  return {
    restore(id, row) {
      if (row) running.set(id, row)
      else running.delete(id)
    },
    recall(rows) {
      for (const known of running.values()) {
        const row = rows.get(known.id)
        // While no history was kept, it may have gone and come again.
        const life = row?.detectedAt === known.detected.at ? lifeOf(row, known) : null
        if (life) recalled.set(known.id, life)
        else {
          emitRunning(known, null)
          count('opportunity_life_lost')
        }
      }
      running.clear()
    },
    begin(row, of) {
      const { id, kind, league } = row
      const legs = Array.from({ length: of.legs }, (_, leg) => ({
        line: of.lines[leg]!,
        slot: of.slots[leg]!,
        column: of.columns[leg]!,
      }))
      const prices = legs.map(priceIn)
      const others = kind === 'middle' ? legs.map(otherSideIn) : []
      const sharp = of.sharp
      const references = sharp === noSlot ? [] : [of.lines[0]!.offers[sharp]!.sportsbook]
      const { sport } = legs[0]!.line.ladder.event.row!
      const worth = worthFound(of) ?? worthAt({ kind, legs, sharp }, 0)
      const detected = { at: row.detectedAt, worth, prices: [...prices] }
      const { scopes, isSuspected } = of
      const life: Life = {
        id,
        league,
        detected,
        peak: detected,
        references,
        scopes,
        isSuspected,
        kind,
        sport,
        legs,
        sharp,
        worth,
        prices,
        others,
      }
      emitRunning(life, runningOf(life))
      return life
    },
    resume(id) {
      const life = recalled.get(id) ?? null
      recalled.delete(id)
      return life
    },
    follow(life, of, at) {
      const hasMoved = look(life)
      life.worth = worthFound(of) ?? (hasMoved ? worthAt(life, 0) : life.worth)
      let isNews = false
      if (life.worth > life.peak.worth) {
        life.peak = { at: Math.max(at, life.peak.at), worth: life.worth, prices: [...life.prices] }
        isNews = true
      }
      if ((of.scopes & ~life.scopes) !== 0) {
        life.scopes |= of.scopes
        isNews = true
      }
      if (of.isSuspected && !life.isSuspected) {
        life.isSuspected = true
        isNews = true
      }
      if (of.sharp !== life.sharp) {
        life.sharp = of.sharp
        const { sportsbook } = of.lines[0]!.offers[of.sharp]!
        if (!life.references.includes(sportsbook)) {
          life.references = [...life.references, sportsbook]
          isNews = true
        }
      }
      if (isNews) emitRunning(life, runningOf(life))
    },
    changed({ oddsId, what, at }) {
      if ((what & priceChange.withdrawn) !== 0) withdrawnAt.set(oddsId, at)
    },
    end(life, row, standing) {
      const { id, league, kind, sport, detected, peak, references, scopes, isSuspected } = life
      const { event, marketType, playerName, isLive } = life.legs[0]!.line.ladder
      const value: OpportunityLife = {
        id,
        league,
        kind,
        eventId: event.id,
        sport,
        marketType,
        playerName,
        isLive,
        legs: row.legs.map((oddsId, leg) => ({ oddsId, ...namesOf(life.legs[leg]!) })),
        detected,
        peak,
        gone: { at: endedAt(life, row), worth: life.worth, prices: [...life.prices] },
        references,
        scopes,
        isSuspected,
        why: endOf(life, row, standing),
      }
      emit({ topic: topics.opportunityLives, partitionKey: league, key: id, value })
      emitRunning(life, null)
    },
    settle() {
      withdrawnAt.clear()
    },
  }
}

const areThere = (legs: readonly (Place | null)[]): legs is readonly Place[] => !legs.includes(null)

const priceIn = ({ line, slot, column }: Place) =>
  line.prices[slot * line.ladder.shape.columns + column]!

/** On a line of two answers. */
const otherSideIn = ({ line, slot, column }: Place) =>
  line.prices[slot * line.ladder.shape.columns + 1 - column]!

/** Takes the prices of a life as they are now. @returns whether one has moved */
function look({ kind, legs, prices, others }: Life): boolean {
  let hasMoved = false
  for (let leg = 0; leg < legs.length; leg++) {
    const price = priceIn(legs[leg]!)
    if (price !== prices[leg]) {
      prices[leg] = price
      hasMoved = true
    }
    if (kind !== 'middle') continue
    const other = otherSideIn(legs[leg]!)
    if (other === others[leg]) continue
    others[leg] = other
    hasMoved = true
  }
  return hasMoved
}

/** The worth of what a detector has just found; null for a middle, whose worth costs more. */
function worthFound({ kind, legs, lines, slots, columns, ev }: Finding): number | null {
  if (kind === 'middle') return null
  if (kind === 'ev') return ev
  let total = 0
  for (let leg = 0; leg < legs; leg++) total += 1 / priceAt(lines[leg]!, slots[leg]!, columns[leg]!)
  return kind === 'arbitrage' ? arbitrageProfit(total) : 1 - total
}

/**
 * The worth of the prices as they are.
 * @param answers +EV: how many the market of the sharp book has
 */
function worthAt(
  { kind, legs, sharp }: Pick<Life, 'kind' | 'legs' | 'sharp'>,
  answers: number,
): number {
  const { line, column } = legs[0]!
  const { marketType, event, shape } = line.ladder
  const from = sharp * shape.columns
  const offered = legs.map(priceIn)
  const worth = worthNow(kind, {
    marketType,
    sport: event.row?.sport ?? '',
    lines: legs.map((leg) => namesOf(leg).line),
    prices: legs.map((leg) => priceAt(leg.line, leg.slot, leg.column)),
    offered,
    against:
      kind === 'middle'
        ? legs.map(otherSideIn)
        : Array.from({ length: answers }, (_, answer) => line.prices[from + answer]!),
    answer: column,
  })
  return worth ?? 0
}

function namesOf({ line: { ladder, group, line, offers }, slot, column }: Place) {
  return {
    sportsbook: offers[slot]!.sportsbook,
    selectionType: ladder.shape.types[group]![column]!,
    line: ownLine(ladder.shape, column, line),
  }
}

/** Whether it is the same of other sportsbooks, for some who saw the one before. */
const takesThePlace = (other: OpportunityRow, { kind, legs, scopes }: OpportunityRow) =>
  other.kind === kind && other.legs.length === legs.length && (other.scopes & scopes) !== 0

/** The sets of sportsbooks among which a sharp book is the first. */
const highestOf = ({ offers }: JudgedLine, sharp: number) =>
  offers[sharp]!.level === ownerLevel ? ownerLevel : ownerLevel - 1

/** Whether it is worth more than anybody would offer. */
function isTooGood(kind: OpportunityKind, worth: number): boolean {
  if (kind === 'middle') return false
  if (kind === 'ev') return worth > highestValue
  const profit = kind === 'arbitrage' ? worth : arbitrageProfit(1 - worth)
  return profit > highestArbitrageProfit
}
