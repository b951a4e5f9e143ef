/**
 * The opportunities among the sportsbooks that an account chose. Best prices are those of this set,
 * so a better price elsewhere hides no opportunity. The detectors are those of the tiers' sets, on
 * lines that all sets share. Prices are judged alike for all: the phantom guard, the ladder guard
 * and the sharp book use every sportsbook.
 *
 * A set is updated when it is read: it remembers which lines have moved since the last read.
 */

import { type OpportunityRow, ownerVisibility } from '../../../schemas/opportunity.ts'
import type { Chains } from '../../rules/odds/chains.ts'
import { type Fees, priceAfterFee } from '../../rules/odds/fees.ts'
import { ladderVerdict } from '../../rules/odds/ladder-guard.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import {
  bestAt,
  createJudgedLine,
  createWorkspace,
  firstChosenVisibility,
  judge,
  mostVisibilities,
  noSlot,
  rankChosen,
  visibilitiesOfAll,
  type Workspace,
} from './best-prices.ts'
import { detectOnLineChosen } from './detectors.ts'
import { createFindings, type Finding } from './findings.ts'
import { createLinePairs, type LinePair, type PairedLine } from './line-pairs.ts'
import type { Ladder, Line } from './lines.ts'
import {
  createListed,
  type Detection,
  hasReference,
  isOf,
  isSameOpportunity,
  type Listed,
  referenceOf,
} from './listed.ts'
import { detectOnPair, isTooDear } from './pair-detector.ts'
import { createPriceLines, type PriceLines } from './price-lines.ts'

/** A line that sets share. */
interface SharedLine extends PairedLine<SharedPair> {}

interface SharedPair extends LinePair<SharedLine> {
  /** The number of the last look (of any set) that examined it. */
  examinedIn: number
}

export interface BookSet {
  readonly sportsbooks: ReadonlySet<string>
  /** The fees that its prices count. */
  readonly fees: Fees
  /** Whether sportsbooks that only the owner may see judge its prices. */
  readonly isOwners: boolean
}

/** Called for a new or changed row of a set; null if it was removed. */
export type RowChanged = (id: string, row: OpportunityRow | null) => void

export interface SetFinder {
  /** Examines lines that have moved, at most this many. @returns whether there are more */
  look(most: number): boolean
  /** The number of rows in the set. */
  readonly size: number
  close(): void
}

export interface BookSets {
  /** The prices of the lines. Only this file calls `takeDirty` and `drop`. */
  readonly prices: Omit<PriceLines<SharedLine>, 'takeDirty' | 'drop'>
  /** Judges the touched lines, so that sets see the changes. */
  settle(): void
  /**
   * @param detectionOf returns when an opportunity of this id was detected, if the tiers' sets have
   * it
   * @returns null if there are too many sets
   */
  open(
    set: BookSet,
    detectionOf: (id: string) => OpportunityRow | undefined,
    changed: RowChanged,
  ): SetFinder | null
}

/**
 * @param chain what +EV is measured against
 * @param fees the fees subtracted from prices, for sets without fees of their own
 * @param most sets at once
 * @param references sportsbooks that measure others, and that nobody can bet at
 */
export function createBookSets(
  chain: Chains,
  fees: Fees,
  most: number,
  references: ReadonlySet<string> = noReferences,
): BookSets {
  const lines = new Set<SharedLine>()
  const createLine = (line: Line): SharedLine => {
    const made: SharedLine = createJudgedLine(
      { pairs: null, ...line },
      firstChosenVisibility + most,
    )
    lines.add(made)
    return made
  }
  const prices = createPriceLines(chain, fees, createLine, references)
  const linePairs = createLinePairs<SharedLine, SharedPair>(createPair)
  /** The sets by place; a place's visibility is `firstChosenVisibility` plus its index. */
  const places: (Finder | null)[] = Array.from({ length: most }, () => null)
  const judging = createWorkspace()
  /** The number of looks of all sets so far. */
  let rounds = 0

  function settle() {
    judging.visibilities = prices.hasOwners() ? mostVisibilities : visibilitiesOfAll
    const touched = prices.takeDirty()
    for (const line of touched) if (line.quoted === 0) linePairs.leave(line)
    for (const line of touched) {
      if (line.quoted > 0 && line.pairs === null) linePairs.enter(line)
      judge(line, judging, uncounted)
    }
    const ended = linePairs.takeEnded()
    const closedUp = linePairs.takeClosedUp()
    for (const finder of places) {
      if (finder) tellOf(finder, touched, ended, closedUp)
    }
    for (const line of touched) {
      if (line.quoted > 0) continue
      prices.drop(line)
      lines.delete(line)
    }
  }

  return {
    prices,
    settle,
    open(set, detectionOf, changed) {
      const place = places.indexOf(null)
      if (place < 0) return null
      settle()
      const visibility = firstChosenVisibility + place
      for (const line of lines) forgetBest(line, visibility)
      const widestNow = () =>
        set.isOwners && prices.hasOwners() ? ownerVisibility : (visibilitiesOfAll as number) - 1
      const finder = createFinder({
        ...{ set, lines, visibility, detectionOf, changed, widestNow },
        nextRound: () => ++rounds,
        ownFees: [...set.sportsbooks].some((book) => set.fees.get(book) !== fees.get(book)),
      })
      places[place] = finder
      return {
        look: finder.look,
        get size() {
          return finder.size
        },
        close() {
          places[place] = null
          finder.forget()
        },
      }
    },
  }
}

const createPair = ({ lower, higher, outlook }: LinePair<SharedLine>): SharedPair => ({
  lower,
  higher,
  outlook,
  examinedIn: 0,
})

/** Ignores withheld prices, because the pipeline counts them. */
const uncounted = () => {}

/** Tells a set what `settle` has changed. */
function tellOf(
  finder: Finder,
  touched: readonly SharedLine[],
  ended: readonly SharedPair[],
  closedUp: readonly SharedPair[],
) {
  for (const line of touched) {
    if (line.quoted > 0) finder.move(line)
    else finder.dropLine(line)
  }
  for (const pair of ended) finder.dropPair(pair)
  for (const { lower } of closedUp) finder.move(lower)
}

/** Clears the best prices of the set that had the place before. */
function forgetBest({ best, ladder }: SharedLine, visibility: number) {
  const { columns } = ladder.shape
  best.fill(noSlot, bestAt(visibility, 0, columns), bestAt(visibility + 1, 0, columns))
}

interface FinderParts {
  readonly set: BookSet
  /** All lines, as the set has examined none. */
  readonly lines: Iterable<SharedLine>
  /** The visibility of the set in a line's `best`. */
  readonly visibility: number
  /** Whether its fees differ from those that the prices count. */
  readonly ownFees: boolean
  readonly widestNow: () => number
  readonly nextRound: () => number
  readonly detectionOf: (id: string) => OpportunityRow | undefined
  readonly changed: RowChanged
}

interface Finder extends Omit<SetFinder, 'close'> {
  /** Notes a line whose prices or pairs have changed. */
  move(line: SharedLine): void
  /** Notes that a line is no longer there. */
  dropLine(line: SharedLine): void
  dropPair(pair: SharedPair): void
  /** Forgets all noted changes. */
  forget(): void
}

function createFinder(parts: FinderParts): Finder {
  const { set, visibility, ownFees, widestNow, nextRound, detectionOf, changed } = parts
  const { sportsbooks, fees } = set
  const room: Workspace = { ...createWorkspace(), first: visibility, visibilities: visibility + 1 }
  const found = createFindings()
  /** Lines that have changed since they were last examined. */
  const moved = new Set(parts.lines)
  /** Lines and pairs with listed opportunities that no longer exist. */
  const left = new Set<SharedLine | SharedPair>()
  /** The opportunities by line or pair; lines and pairs without any have no entry. */
  const listed = new Map<SharedLine | SharedPair, readonly Listed[]>()
  /** Pairs whose prices are suspiciously far apart: their verdict depends on the whole ladder. */
  const apart = new Set<SharedPair>()
  const nets = [new Float64Array(16), new Float64Array(16)]
  const withOwnNets: (SharedLine | null)[] = [null, null]
  const netsBefore: Float64Array[] = []
  let size = 0

  /**
   * Gives a line the set's prices after fees, until `restoreNets`. @param at 0 for the first line
   * of a pair (or the only line), 1 for the second
   */
  function useOwnNets(line: SharedLine, at: 0 | 1) {
    if (!ownFees) return
    withOwnNets[at] = line
    netsBefore[at] = line.nets
    line.nets = netsOf(line, at)
  }

  function restoreNets() {
    for (let at = 0; at < withOwnNets.length; at++) {
      const line = withOwnNets[at]
      if (line) line.nets = netsBefore[at]!
      withOwnNets[at] = null
    }
  }

  function netsOf({ offers, prices, ladder }: SharedLine, at: 0 | 1): Float64Array {
    const { columns } = ladder.shape
    if (nets[at]!.length < prices.length) nets[at] = new Float64Array(2 * prices.length)
    const into = nets[at]!
    for (let slot = 0; slot < offers.length; slot++) {
      const fee = fees.get(offers[slot]!.sportsbook)
      for (let place = slot * columns; place < (slot + 1) * columns; place++) {
        into[place] = fee ? priceAfterFee(prices[place]!, fee) : prices[place]!
      }
    }
    return into
  }

  // ---- rows

  /** Updates the rows of one place from `found`. @param at when its prices last moved */
  function reconcile(place: SharedLine | SharedPair, at: number) {
    const before = listed.get(place) ?? nothing
    if (found.length === 0 && before.length === 0) return
    const now: Listed[] = []
    for (let i = 0; i < found.length; i++) {
      const finding = found.of[i]!
      const known = before.find((one) => isOf(one, finding))
      if (known) renew(known, finding)
      now.push(known ?? createListed(finding, (id) => detection(id, at)))
    }
    for (const one of before) {
      if (!now.some(({ id }) => id === one.id)) tellGone(one)
    }
    for (const one of now) {
      if (before.includes(one)) continue
      const renamed = before.find(({ id }) => id === one.id)
      if (renamed) one.row = { ...one.row, ...sinceOf(renamed.row) }
      else size++
      if (!renamed || !isSameOpportunity(renamed.row, one.row)) changed(one.id, one.row)
    }
    if (now.length > 0) listed.set(place, now)
    else listed.delete(place)
  }

  function tellGone({ id }: Listed) {
    changed(id, null)
    size--
  }

  function renew(known: Listed, finding: Finding) {
    const { row } = known
    const { isSuspected } = finding
    if (row.isSuspected === isSuspected && hasReference(row, finding)) return
    known.row = { ...row, reference: referenceOf(finding), measure: finding.measure, isSuspected }
    changed(known.id, known.row)
  }

  /**
   * Returns the detection: the tiers' own one, if their sets have it too, so that its age is the
   * same for all.
   */
  function detection(id: string, at: number): Detection {
    const same = detectionOf(id)
    return { ...(same ? sinceOf(same) : { detectedAt: at, detected: null }), life: null }
  }

  // ---- lines

  function rank(line: SharedLine) {
    useOwnNets(line, 0)
    rankChosen(line, visibility, sportsbooks)
    restoreNets()
  }

  function isQuoted({ best, ladder }: SharedLine): boolean {
    const { columns } = ladder.shape
    for (let column = 0; column < columns; column++) {
      if (best[bestAt(visibility, column, columns)] !== noSlot) return true
    }
    return false
  }

  function examine(line: SharedLine) {
    found.length = 0
    if (isQuoted(line)) {
      useOwnNets(line, 0)
      detectOnLineChosen(line, sportsbooks, room.widest, room, found)
      restoreNets()
    }
    reconcile(line, line.touchedAt)
  }

  function examinePair(pair: SharedPair) {
    const { lower, higher, outlook } = pair
    useOwnNets(lower, 0)
    useOwnNets(higher, 1)
    if (apart.has(pair) || listed.has(pair) || !isTooDear(lower, higher, outlook, room)) {
      const verdict = detectOnPair(lower, higher, outlook, room, found)
      if (verdict === ladderVerdict.fine) apart.delete(pair)
      else apart.add(pair)
      reconcile(pair, Math.max(lower.touchedAt, higher.touchedAt))
    }
    restoreNets()
  }

  return {
    get size() {
      return size
    },
    move: (line) => moved.add(line),
    dropLine(line) {
      moved.delete(line)
      if (listed.has(line)) left.add(line)
    },
    dropPair(pair) {
      apart.delete(pair)
      if (listed.has(pair)) left.add(pair)
    },
    forget() {
      moved.clear()
      left.clear()
    },
    look(most) {
      // Ends come first: if the same lines are back, their opportunities have the same ids.
      for (const place of left) {
        for (const one of listed.get(place)!) tellGone(one)
        listed.delete(place)
      }
      left.clear()
      if (moved.size === 0) return false
      const round = nextRound()
      room.widest = widestNow()
      const some: SharedLine[] = []
      for (const line of moved) {
        if (some.length === most) break
        moved.delete(line)
        rank(line)
        some.push(line)
      }
      for (const line of some) examine(line)
      for (const line of some) {
        for (const pair of line.pairs ?? []) {
          // A pair whose lines are both examined is taken once.
          if (pair.examinedIn === round) continue
          pair.examinedIn = round
          examinePair(pair)
        }
      }
      if (apart.size > 0) {
        const ladders = new Set<Ladder>(some.map(({ ladder }) => ladder))
        for (const pair of [...apart]) if (ladders.has(pair.lower.ladder)) examinePair(pair)
      }
      return moved.size > 0
    },
  }
}

const nothing: readonly Listed[] = []

const sinceOf = ({ detectedAt, detected }: OpportunityRow) => ({ detectedAt, detected })
