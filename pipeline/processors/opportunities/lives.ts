/**
 * The history of opportunities, for an archive: each one's worth when it was detected, at its peak and last, and why
 * it ended. The table of opportunities has the current ones; this file follows its changes and writes a record when a
 * life ends.
 *
 * - A life begins and ends with its opportunity's row. It is examined whenever its line is, so its
 *   peak is the highest worth after any commit.
 * - A restart loses nothing. The beginning of a life is in its opportunity's row; `running-lives`
 *   has a row only once the life was worth more, or its viewers or reference changed. The last
 *   figures are in no table: they are computed from the restored prices, before any change.
 * - An opportunity that already existed when history was first kept has no life, because its beginning is unknown.
 *   Nor has one that existed while no history was kept, because its row then drops the beginning.
 */

import { type FairMeasure, weightsOf } from '../../../schemas/fair-measure.ts'
import {
  type OpportunityFigures,
  type OpportunityKind,
  type OpportunityRow,
  ownerVisibility,
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
import { isOpen } from '../../rules/games/event-end.ts'
import { ownLine } from '../../rules/odds/market-shape.ts'
import {
  middleValue,
  type PricesTaken,
  ruleOf,
  worthNow,
} from '../../rules/odds/opportunity-figures.ts'
import type { MiddleOutlook } from '../../rules/odds/results.ts'
import { consensus } from '../../rules/odds/sharp-books.ts'
import { isWithheld, type JudgedLine, noSlot, priceAt } from './best-prices.ts'
import type { Finding } from './findings.ts'
import { isTrading } from './lines.ts'
import { blendOn, sharpestSlot } from './measures.ts'
import { middleBetween } from './pair-detector.ts'
import type { PricePlace } from './price-lines.ts'

type LinePlace = PricePlace<JudgedLine>

/** A running life, with the places of its prices, which its lines keep as long as it runs. */
export interface Life {
  readonly id: string
  readonly kind: OpportunityKind
  readonly league: string
  /** Kept here, because the event may be removed before the life has ended. */
  readonly sport: string
  readonly legs: readonly LinePlace[]
  /** For a middle, the results between its lines; else null. */
  readonly outlook: MiddleOutlook | null
  /** For +EV, the slots on the leg's line that it is measured against; else empty. */
  sharps: readonly number[]
  /** The worth at the last look. */
  worth: number
  /** Never changed in place: figures share them. */
  prices: readonly number[]
  /** For a middle, the price of the other side of each leg's line at its sportsbook; else empty. */
  others: readonly number[]
  peak: LifeFigures
  /** Whether `running-lives` has a row of it. */
  isAnnounced: boolean
  references: readonly string[]
  scopes: number
  isSuspected: boolean
}

export interface Lives {
  /** Takes a row of `running-lives`. */
  restore(id: string, row: RunningLife | null): void
  /**
   * Rebuilds the lives, when everything is restored and nothing is changed yet.
   * @param rows of the table of opportunities
   */
  recall(rows: ReadonlyMap<string, OpportunityRow>): void
  /** @param id of the opportunity, detected at that time */
  begin(id: string, of: Finding, at: number): Life
  /** Returns the life of a restored row, once; null if its beginning is unknown. */
  resume(id: string): Life | null
  /** Updates a life whose line was examined. */
  follow(life: Life, of: Finding, at: number): void
  /** Notes when a price was withdrawn. */
  changed(change: PriceChange): void
  /**
   * @param row the row that is removed
   * @param remaining the opportunities left on the same line, or between the same two
   * @param at when its inputs changed, including prices of others on other lines
   */
  end(
    life: Life,
    row: OpportunityRow,
    remaining: readonly { readonly row: OpportunityRow }[],
    at: number,
  ): void
  /** Ends a commit. */
  flush(): void
}

/**
 * @param placeOf returns the place of an odds id's price
 * @param emit takes records for the commit
 * @param count counts incidents, by code
 */
export function createLives(
  placeOf: (oddsId: number) => LinePlace | null,
  emit: (append: Append) => void,
  count: (code: string) => void,
): Lives {
  const running = new Map<string, RunningLife>()
  const recalled = new Map<string, Life>()
  /** Times of withdrawals in this commit, by odds id. */
  const withdrawnAt = new Map<number, number>()

  function emitRunning({ id, league }: Pick<Life, 'id' | 'league'>, value: RunningLife | null) {
    emit({ topic: topics.runningLives, partitionKey: league, key: id, value })
  }

  const runningOf = (life: Life): RunningLife => ({
    id: life.id,
    league: life.league,
    peak: life.peak,
    references: life.references,
    scopes: life.scopes,
    isSuspected: life.isSuspected,
  })

  /** Returns its life at the restored prices; null if a price or its beginning is missing. */
  function lifeOf(row: OpportunityRow, known: RunningLife | undefined): Life | null {
    const { id, kind, league, detected, detectedAt } = row
    const legs = row.legs.map(placeOf)
    if (!detected || !areThere(legs)) return null
    const measuring = row.reference.map(placeOf)
    const [first, second] = legs
    const event = first?.line.ladder.event.row
    const outlook = event && kind === 'middle' ? outlookOf(first.line, second!.line) : null
    if (!areThere(measuring) || !event || (kind === 'middle' && !outlook)) return null
    const sharps = [...new Set(measuring.map((place) => place!.slot))]
    const life: Life = {
      id,
      kind,
      league,
      sport: event.sport,
      legs,
      outlook,
      sharps,
      worth: 0,
      prices: [],
      others: [],
      peak: known?.peak ?? figuresAt(detectedAt, detected),
      isAnnounced: known !== undefined,
      references: known?.references ?? referencesOf(first.line, sharps, row.measure),
      scopes: known?.scopes ?? row.scopes,
      isSuspected: known?.isSuspected ?? row.isSuspected,
    }
    look(life)
    life.worth = worthNow(kind, pricesTaken(life, row)) ?? 0
    return life
  }

  /** Returns why an opportunity is no longer valid at its prices. */
  function endOf(
    life: Life,
    row: OpportunityRow,
    remaining: readonly { readonly row: OpportunityRow }[],
  ): LifeEnd {
    const { kind, legs, sharps } = life
    const { line } = legs[0]!
    const { event } = line.ladder
    if (!event.row || !isOpen(event.row.status)) return 'over'
    if (!isTrading(line.ladder)) return 'started'
    const unfit = new Set<LifeEnd | null>()
    for (let leg = 0; leg < legs.length; leg++) unfit.add(unfitness(legs[leg]!, row.legs[leg]!))
    const outcomes = row.reference.length / sharps.length
    for (let at = 0; at < row.reference.length; at++) {
      const slot = sharps[Math.floor(at / outcomes)]!
      unfit.add(unfitness({ line, slot, column: at % outcomes }, row.reference[at]!))
    }
    unfit.delete(null)
    if (unfit.size > 0) return lifeEnds.find((why) => unfit.has(why))!
    const isReplaced =
      kind === 'ev'
        ? !isMeasuredStill(line, sharps, row)
        : remaining.some(({ row: other }) => takesThePlace(other, row))
    if (isReplaced) return 'replaced'
    return ruleOf(kind).isTooGood(pricesTaken(life, row)) ? 'doubted' : 'moved'
  }

  /** Returns why a price cannot be taken; null if it can. */
  function unfitness({ line, slot, column }: LinePlace, id: number): LifeEnd | null {
    const { ladder, offers, prices, ids, verdicts } = line
    const at = slot * ladder.shape.columns + column
    if (prices[at]! > 0) {
      if (!offers[slot]!.isUsable) return 'unseen'
      return isWithheld(verdicts[slot]!) ? 'doubted' : null
    }
    if (ids[at] !== 0) return 'suspended'
    const now = placeOf(id)
    // The price was not seen for too long; its sportsbook did not withdraw it.
    if (!now) return offers[slot]!.isUsable ? 'withdrawn' : 'unseen'
    if (now.line.ladder.isLive !== ladder.isLive) return 'started'
    // On the same line, another label has the same outcome, so its price is ambiguous.
    return now.line === line ? 'doubted' : 'withdrawn'
  }

  /** Returns when its last input changed; never before its peak. */
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
      for (const row of rows.values()) {
        const life = lifeOf(row, running.get(row.id))
        if (life) recalled.set(row.id, life)
        else if (row.detected) count('opportunity_life_lost')
      }
      for (const known of running.values()) if (!recalled.has(known.id)) emitRunning(known, null)
      running.clear()
    },
    begin(id, of, at) {
      const { kind, outlook, scopes, isSuspected } = of
      const { league, sport } = of.lines[0]!.ladder.event.row!
      const legs = placesOf(of)
      const sharps = sharpsOf(of)
      const prices = legs.map(priceIn)
      const others = kind === 'middle' ? legs.map(otherSideIn) : none
      const worth = outlook ? worthOfMiddle({ legs, outlook, prices, others }) : of.worth
      return {
        id,
        kind,
        league,
        sport,
        legs,
        outlook,
        sharps,
        worth,
        prices,
        others,
        peak: { at, worth, prices },
        isAnnounced: false,
        references: referencesOf(of.lines[0]!, sharps, of.measure),
        scopes,
        isSuspected,
      }
    },
    resume(id) {
      const life = recalled.get(id) ?? null
      recalled.delete(id)
      return life
    },
    follow(life, of, at) {
      const hasMoved = look(life)
      if (of.kind !== 'middle') life.worth = of.worth
      else if (hasMoved) life.worth = worthOfMiddle(life)
      let isNews = false
      if (life.worth > life.peak.worth) {
        const { worth, prices, peak } = life
        life.peak = { at: Math.max(at, peak.at), worth, prices }
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
      if (!isMeasuredBy(life, of)) {
        life.sharps = sharpsOf(of)
        const others = referencesOf(of.lines[0]!, life.sharps, of.measure)
        if (!others.every((name) => life.references.includes(name))) {
          life.references = [...new Set([...life.references, ...others])]
          isNews = true
        }
      }
      // The opportunity's row shows only who sees it now, not who saw it before.
      if (!life.isAnnounced && (of.scopes !== life.scopes || of.isSuspected !== life.isSuspected)) {
        isNews = true
      }
      if (!isNews) return
      life.isAnnounced = true
      emitRunning(life, runningOf(life))
    },
    changed({ oddsId, what, at }) {
      if ((what & priceChange.withdrawn) !== 0) withdrawnAt.set(oddsId, at)
    },
    end(life, row, remaining, at) {
      const { id, league, sport, kind, peak, prices, worth, references, scopes, isSuspected } = life
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
        detected: figuresAt(row.detectedAt, row.detected!),
        peak,
        gone: { at: Math.max(at, endedAt(life, row)), worth, prices },
        references,
        scopes,
        isSuspected,
        why: endOf(life, row, remaining),
      }
      emit({ topic: topics.opportunityLives, partitionKey: league, key: id, value })
      if (life.isAnnounced) emitRunning(life, null)
    },
    flush() {
      withdrawnAt.clear()
    },
  }
}

const none: readonly never[] = []

const areThere = (legs: readonly (LinePlace | null)[]): legs is readonly LinePlace[] =>
  !legs.includes(null)

const figuresAt = (at: number, { worth, prices }: OpportunityFigures): LifeFigures => ({
  at,
  worth,
  prices,
})

/** Returns `middleBetween` of two lines in either order. */
const outlookOf = (a: JudgedLine, b: JudgedLine) =>
  (a.line ?? 0) < (b.line ?? 0) ? middleBetween(a, b) : middleBetween(b, a)

function placesOf({ legs, lines, slots, columns }: Finding): LinePlace[] {
  const places: LinePlace[] = []
  for (let leg = 0; leg < legs; leg++) {
    places.push({ line: lines[leg]!, slot: slots[leg]!, column: columns[leg]! })
  }
  return places
}

const sharpsOf = ({ sharps, measuredBy }: Finding) => sharps.slice(0, measuredBy)

function isMeasuredBy({ sharps }: Life, of: Finding): boolean {
  if (sharps.length !== of.measuredBy) return false
  for (let at = 0; at < sharps.length; at++) if (sharps[at] !== of.sharps[at]) return false
  return true
}

/**
 * Returns what it is measured against. A blend is listed sportsbook by sportsbook, so that hiding
 * one later hides the life.
 */
const referencesOf = (
  { offers }: JudgedLine,
  sharps: readonly number[],
  measure: FairMeasure | null,
): readonly string[] =>
  isOfConsensus(sharps, measure) ? [consensus] : sharps.map((slot) => offers[slot]!.sportsbook)

const priceIn = ({ line, slot, column }: LinePlace) =>
  line.prices[slot * line.ladder.shape.columns + column]!

const netIn = ({ line, slot, column }: LinePlace) => priceAt(line, slot, column)

/** Returns the price of the other side, on a line of two outcomes. */
const otherSideIn = ({ line, slot, column }: LinePlace) =>
  line.prices[slot * line.ladder.shape.columns + 1 - column]!

/** Updates the prices of a life. @returns whether one has moved */
function look(life: Life): boolean {
  const { kind, legs, prices, others } = life
  let hasMoved = prices.length === 0
  for (let leg = 0; leg < legs.length && !hasMoved; leg++) {
    hasMoved =
      priceIn(legs[leg]!) !== prices[leg] ||
      (kind === 'middle' && otherSideIn(legs[leg]!) !== others[leg])
  }
  if (!hasMoved) return false
  life.prices = legs.map(priceIn)
  if (kind === 'middle') life.others = legs.map(otherSideIn)
  return true
}

const worthOfMiddle = ({
  legs,
  outlook,
  prices,
  others,
}: Pick<Life, 'legs' | 'outlook' | 'prices' | 'others'>) =>
  middleValue(outlook!, { prices: legs.map(netIn), offered: prices, against: others })

/** Returns the current prices. */
function pricesTaken(
  { kind, legs, sharps }: Pick<Life, 'kind' | 'legs' | 'sharps'>,
  { reference, measure, league }: OpportunityRow,
): PricesTaken {
  const { line, column } = legs[0]!
  const { marketType, event, shape } = line.ladder
  const outcomes = reference.length / sharps.length
  return {
    marketType,
    sport: event.row?.sport ?? '',
    league,
    lines: legs.map((leg) => namesOf(leg).line),
    prices: legs.map(netIn),
    offered: legs.map(priceIn),
    against:
      kind === 'middle'
        ? legs.map(otherSideIn)
        : sharps.flatMap((slot) => {
            const from = slot * shape.columns
            return [...line.prices.subarray(from, from + outcomes)]
          }),
    sources: sharps.length,
    measure,
    outcome: column,
  }
}

function namesOf({ line: { ladder, group, line, offers }, slot, column }: LinePlace) {
  return {
    sportsbook: offers[slot]!.sportsbook,
    selectionType: ladder.shape.types[group]![column]!,
    line: ownLine(ladder.shape, column, line),
  }
}

/**
 * Returns whether another opportunity takes this one's place: same kind, same number of legs, and
 * seen by some who saw this one.
 */
const takesThePlace = (other: OpportunityRow, { kind, legs, scopes }: OpportunityRow) =>
  other.kind === kind && other.legs.length === legs.length && (other.scopes & scopes) !== 0

/** Returns whether an ended +EV would still have the same reference. */
function isMeasuredStill(
  line: JudgedLine,
  sharps: readonly number[],
  { measure, scopes }: OpportunityRow,
): boolean {
  const sharp = sharpestSlot(line, highestOf(line, sharps))
  // The first set that saw it, because a blend that only later sets see does not replace its
  // reference.
  const visibility = 31 - Math.clz32(scopes & -scopes)
  const slots =
    blendOn(line, sharp, visibility, measure)?.slots ?? (sharp === noSlot ? none : [sharp])
  const before = isOfConsensus(sharps, measure) ? none : sharps
  return slots.length === before.length && slots.every((slot, at) => slot === before[at])
}

const isOfConsensus = (sharps: readonly number[], measure: FairMeasure | null) =>
  sharps.length > 1 && weightsOf(measure).length === 0

/** Returns the highest set of sportsbooks in which to look for the sharpest book. */
const highestOf = ({ offers }: JudgedLine, sharps: readonly number[]) =>
  sharps.some((slot) => offers[slot]!.visibility === ownerVisibility)
    ? ownerVisibility
    : ownerVisibility - 1
