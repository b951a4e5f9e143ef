/**
 * The tables of opportunities, +EV, arbitrage, middles and low hold, and of the prices that the phantom guard
 * withholds, derived from the board's tables in the commit that changes them. When a price moves,
 * its own line is examined again, and its pairs with the other lines of its market; several moves
 * in one commit are examined once. `detectors.ts` and `pair-detector.ts` decide which opportunities
 * exist; this file decides when a row changes:
 * - an opportunity is identified by its sportsbooks and selections, not by prices. It is detected
 *   once and expires once; in between its row changes only if its viewers or its reference change;
 * - ticks move time: opportunities are removed if their prices were not seen for too long, or their
 *   game has started.
 *
 * Where history is kept, `lives.ts` records how each ended. Closes of withheld prices lose their fair probability
 * (`withheld-closes.ts`).
 */

import type { ClosingLine } from '../../../schemas/closing-line.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { BoardRecord } from '../../../schemas/feed-record.ts'
import type { MainLineRow } from '../../../schemas/main-line.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import type { OpportunityRow } from '../../../schemas/opportunity.ts'
import type { RunningLife } from '../../../schemas/opportunity-life.ts'
import type { PriceChange } from '../../../schemas/price-change.ts'
import type { RecordedTime } from '../../../schemas/recorded-time.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import type { WithheldPrice } from '../../../schemas/withheld-price.ts'
import type { Append, LogRecord } from '../../log/log.ts'
import type { Chains } from '../../rules/odds/chains.ts'
import type { Fees } from '../../rules/odds/fees.ts'
import { ladderVerdict } from '../../rules/odds/ladder-guard.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import type { Derived, DerivedState } from '../derived.ts'
import {
  createJudgedLine,
  createWorkspace,
  judge,
  mostVisibilities,
  visibilitiesOfAll,
} from './best-prices.ts'
import { detectOnLine } from './detectors.ts'
import { createFindings, type Finding } from './findings.ts'
import { createLinePairs, type LinePair, type PairedLine } from './line-pairs.ts'
import { isOpenLine, type Ladder, type Line } from './lines.ts'
import {
  createListed,
  type Detection,
  hasReference,
  isOf,
  isSameOpportunity,
  type Listed,
  referenceOf,
} from './listed.ts'
import { createLives, type Life } from './lives.ts'
import { createMainLines, createRung, type Rung } from './main-lines.ts'
import { detectOnPair, isTooDear } from './pair-detector.ts'
import { createPriceLines } from './price-lines.ts'
import { createWithheldCloses } from './withheld-closes.ts'
import { withheldOn } from './withheld-prices.ts'

/** A line and the opportunities on it. */
interface WatchedLine extends PairedLine<Pair>, Rung {
  listed: readonly Listed[]
  /** The odds ids of its withheld prices. */
  withheldIds: readonly number[]
  /** The number of the round that last examined it. */
  reconciledIn: number
}

/** A withheld price and its line; null after a restart until the price is found again. */
interface Withheld {
  readonly row: WithheldPrice
  line: WatchedLine | null
}

interface Pair extends LinePair<WatchedLine> {
  listed: readonly Listed[]
  /** Whether its prices are suspiciously far apart. */
  isApart: boolean
  /** Whether the ladder guard withholds its opportunities. */
  isWithheld: boolean
}

/**
 * @param chain what +EV is measured against
 * @param fees those that are counted
 * @param keepsHistory whether the history of opportunities is written, for an archive
 * @param references sportsbooks that measure others, and that nobody can bet at
 */
export const opportunities = (
  chain: Chains,
  fees: Fees,
  keepsHistory: boolean,
  references: ReadonlySet<string> = noReferences,
): Derived => ({
  tables: [
    topics.opportunities,
    topics.withheldPrices,
    topics.mainLines,
    ...(keepsHistory ? [topics.runningLives] : []),
  ],
  create: (counts) => createOpportunities(chain, fees, keepsHistory, references, counts),
})

function createOpportunities(
  chain: Chains,
  fees: Fees,
  keepsHistory: boolean,
  references: ReadonlySet<string>,
  counts: Map<string, number>,
): DerivedState {
  const createLine = (line: Line): WatchedLine => ({
    listed: [],
    withheldIds: nothing,
    pairs: null,
    reconciledIn: 0,
    ...createJudgedLine(createRung(line)),
  })
  const lines = createPriceLines(chain, fees, createLine, references, true)
  // Fields are written out, because the engine reads them far slower in an object made by a spread.
  const linePairs = createLinePairs<WatchedLine, Pair>(({ lower, higher, outlook }) => ({
    lower,
    higher,
    outlook,
    listed: [],
    isApart: false,
    isWithheld: false,
  }))
  /** Pairs whose prices are suspiciously far apart: their verdict depends on the whole ladder. */
  const apart = new Map<Ladder, Set<Pair>>()
  /** Rows from before the restart whose opportunities are not found again yet. */
  const restored = new Map<string, OpportunityRow>()
  /** Withheld prices by odds id. */
  const withheldPrices = new Map<number, Withheld>()
  let changes: Append[] = []
  /** The number of rounds so far. */
  let round = 0
  /**
   * The time that a recording has reached. After a restart the recording begins again, and time
   * waits until it is back here.
   */
  let recordedTo = Number.NEGATIVE_INFINITY
  const room = createWorkspace()
  const mainLines = createMainLines((change) => changes.push(change))
  /** Refilled for each line and pair. */
  const found = createFindings()
  const lives = keepsHistory
    ? createLives(lines.placeOf, (append) => changes.push(append), count)
    : null
  let isRecalled = false

  function count(code: string) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }

  const countWithheld = (reason: string) => count(`opportunity_withheld_${reason}`)

  const withheldCloses = createWithheldCloses(lines.placeOf)

  // ---- rows

  function emit({ id, league }: OpportunityRow, value: OpportunityRow | null) {
    changes.push({ topic: topics.opportunities, partitionKey: league, key: id, value })
  }

  /** Updates the rows of one place from `found`; returns those that remain. */
  function reconcile(listed: readonly Listed[], at: number): readonly Listed[] {
    let same = 0
    for (let i = 0; i < found.length; i++) {
      if (isOf(listed[i], found.of[i]!)) same++
    }
    if (same === found.length && same === listed.length) {
      for (let i = 0; i < same; i++) renew(listed[i]!, found.of[i]!, at)
      return listed
    }
    const current = found.of.slice(0, found.length).map((one) => {
      const known = listed.find((other) => isOf(other, one))
      if (known) renew(known, one, at)
      return known ?? describe(one, at)
    })
    const stays = new Set(current.map(({ id }) => id))
    // Ends are written before beginnings.
    for (const { id, row, life } of listed) {
      if (stays.has(id)) continue
      emit(row, null)
      if (lives && life) lives.end(life, row, current, at)
      count(`opportunity_expired_${row.kind}`)
    }
    return current.map((one, i) => {
      if (listed.includes(one)) return one
      const of = found.of[i]!
      const renamed = listed.find(({ id }) => id === one.id)
      return renamed ? rename(renamed, one, of, at) : detect(one, of, at)
    })
  }

  /**
   * Replaces the odds ids of an opportunity, because a sportsbook has changed an outcome's label;
   * the bet is the same.
   */
  function rename(known: Listed, { row }: Listed, of: Finding, at: number): Listed {
    if (lives && known.life) lives.follow(known.life, of, at)
    const { detectedAt, detected } = known.row
    known.row = { ...row, detectedAt, detected }
    emit(known.row, known.row)
    return known
  }

  function renew(known: Listed, of: Finding, at: number) {
    if (lives && known.life) lives.follow(known.life, of, at)
    const { row } = known
    const { scopes, isSuspected } = of
    if (row.scopes === scopes && row.isSuspected === isSuspected && hasReference(row, of)) return
    known.row = { ...row, scopes, reference: referenceOf(of), measure: of.measure, isSuspected }
    emit(known.row, known.row)
  }

  const describe = (of: Finding, at: number) =>
    createListed(of, (id): Detection => {
      const before = restored.get(id)
      if (before) {
        const { detectedAt, detected } = before
        return { detectedAt, detected: lives && detected, life: null }
      }
      if (!lives) return { detectedAt: at, detected: null, life: null }
      const life = lives.begin(id, of, at)
      const { worth, prices } = life
      return { detectedAt: at, detected: { worth, prices }, life }
    })

  function detect(listed: Listed, of: Finding, at: number): Listed {
    const { id, row } = listed
    const before = restored.get(id)
    restored.delete(id)
    if (!before || !isSameOpportunity(before, row)) emit(row, row)
    if (!before) count(`opportunity_detected_${row.kind}`)
    if (!lives || !before) return listed
    listed.life = lives.resume(id)
    if (listed.life) lives.follow(listed.life, of, at)
    return listed
  }

  // ---- examination of touched lines

  function examine(line: WatchedLine) {
    judge(line, room, countWithheld)
    if (line.withheld + line.withheldIds.length > 0) tellWithheld(line)
    if (isOpenLine(line)) return
    mainLines.examine(line)
    detectOnLine(line, room, found)
    line.listed = reconcile(line.listed, line.touchedAt)
  }

  /** Updates the rows of withheld prices from the verdicts on the line. */
  function tellWithheld(line: WatchedLine) {
    const before = line.withheldIds
    const withheld: number[] = []
    for (const row of withheldOn(line, line.touchedAt)) {
      withheld.push(row.id)
      const known = withheldPrices.get(row.id)
      if (known?.row.reason === row.reason) {
        known.line = line
        continue
      }
      withheldPrices.set(row.id, { row, line })
      emitWithheld(row, row)
    }
    for (const id of before) {
      const known = withheldPrices.get(id)
      // When a game begins, its prices move to other lines.
      if (known?.line === line && !withheld.includes(id)) release(known)
    }
    line.withheldIds = withheld.length === 0 ? nothing : withheld
  }

  function release({ row }: Withheld) {
    withheldPrices.delete(row.id)
    emitWithheld(row, null)
  }

  function emitWithheld({ id, league }: WithheldPrice, value: WithheldPrice | null) {
    changes.push({ topic: topics.withheldPrices, partitionKey: league, key: String(id), value })
  }

  /** @param at when its inputs last changed */
  function examinePair(pair: Pair, at = lastTouched(pair)) {
    const { lower, higher, outlook } = pair
    const verdict = detectOnPair(lower, higher, outlook, room, found)
    noteApart(pair, verdict !== ladderVerdict.fine)
    const isWithheld = verdict === ladderVerdict.withheld
    if (isWithheld && !pair.isWithheld) countWithheld('neighbouring_lines')
    pair.isWithheld = isWithheld
    pair.listed = reconcile(pair.listed, at)
  }

  function noteApart(pair: Pair, isApart: boolean) {
    if (isApart === pair.isApart) return
    pair.isApart = isApart
    const { ladder } = pair.lower
    const pairs = apart.get(ladder)
    if (isApart) {
      if (pairs) pairs.add(pair)
      else apart.set(ladder, new Set([pair]))
    } else if (pairs?.delete(pair) && pairs.size === 0) {
      apart.delete(ladder)
    }
  }

  /** Examines pairs that are `apart` on ladders where another line was examined. */
  function examineApart(touched: Touched) {
    for (const [ladder, at] of touched) {
      for (const pair of [...(apart.get(ladder) ?? [])]) {
        if (!isExamined(pair)) examinePair(pair, at)
      }
    }
  }

  const isExamined = ({ lower, higher }: Pair) =>
    lower.reconciledIn === round || higher.reconciledIn === round

  /** Examines the pairs that ended or were made because lines came or left. */
  function examineRepaired(ended: readonly Pair[], closedUp: readonly Pair[], touched: Touched) {
    const changedAt = (pair: Pair) =>
      isExamined(pair) ? lastTouched(pair) : touched.get(pair.lower.ladder)!
    for (const pair of ended) {
      noteApart(pair, false)
      found.length = 0
      pair.listed = reconcile(pair.listed, changedAt(pair))
    }
    for (const pair of closedUp) if (!isExamined(pair)) examinePair(pair, changedAt(pair))
  }

  /** Expires opportunities from before the restart that were not found again. */
  function expireRestored() {
    for (const row of restored.values()) {
      emit(row, null)
      const life = lives?.resume(row.id)
      if (lives && life) lives.end(life, row, listedAt(life), 0)
    }
    restored.clear()
  }

  function releaseRestored() {
    for (const known of withheldPrices.values()) if (known.line === null) release(known)
  }

  /** Returns the opportunities listed at the place of a life. */
  function listedAt({ legs }: Life): readonly Listed[] {
    const [first, second] = legs.map(({ line }) => line as WatchedLine)
    if (!second || second === first) return first!.listed
    const pair = first!.pairs?.find(({ lower, higher }) => lower === second || higher === second)
    return pair?.listed ?? []
  }

  function examinePairs(line: WatchedLine) {
    for (const pair of line.pairs ?? []) {
      const { lower, higher, outlook } = pair
      // A pair whose lines are both examined is taken once.
      if (higher === line && lower.reconciledIn === round) continue
      if (pair.listed.length > 0 || !isTooDear(lower, higher, outlook, room)) examinePair(pair)
    }
  }

  return {
    restore({ topic, key, value }) {
      if (topic.name === topics.opportunities.name) {
        if (value) restored.set(key, value as OpportunityRow)
        return
      }
      if (topic.name === topics.mainLines.name) {
        return mainLines.restore(key, value as MainLineRow | null)
      }
      if (topic.name === topics.withheldPrices.name) {
        if (value) withheldPrices.set(Number(key), { row: value as WithheldPrice, line: null })
        else withheldPrices.delete(Number(key))
        return
      }
      if (topic.name === topics.runningLives.name) {
        return lives?.restore(key, value as RunningLife | null)
      }
      applyRow(topic.name, key, value)
      if (topic.name === topics.odds.name) lines.recall((value as OddsRow | null)?.observedAt ?? 0)
      if (topic.name === topics.sightings.name) {
        lines.recall((value as Sighting | null)?.lastSeenAt ?? 0)
      }
      if (topic.name === topics.recordedTime.name) lines.recall(Math.max(0, recordedTo))
    },
    observe({ value }: LogRecord) {
      if (!isRecalled) {
        isRecalled = true
        lives?.recall(restored)
      }
      const record = value as BoardRecord
      if (record.type !== 'tick') return
      if (record.isRecorded && record.observedAt < recordedTo) return
      lines.advance(record.observedAt)
    },
    change({ topic, key, value }) {
      if (topic.name === topics.closingLines.name) {
        return withheldCloses.closeChanged(key, value as ClosingLine | null)
      }
      withheldCloses.boardChanged()
      applyRow(topic.name, key, value)
    },
    flush() {
      const isFirst = round === 0
      if (isFirst) lines.begin()
      round++
      const examined = lines.takeDirty()
      for (const line of examined) if (line.quoted === 0) linePairs.leave(line)
      for (const line of examined) {
        if (line.quoted > 0 && line.pairs === null) linePairs.enter(line)
      }
      for (const line of examined) {
        line.reconciledIn = round
        examine(line)
      }
      const ended = linePairs.takeEnded()
      const closedUp = linePairs.takeClosedUp()
      const touched = ended.length + closedUp.length + apart.size > 0 ? touchedOn(examined) : null
      if (touched) examineRepaired(ended, closedUp, touched)
      for (const line of examined) examinePairs(line)
      if (apart.size > 0) examineApart(touched ?? touchedOn(examined))
      for (const line of examined) if (line.quoted === 0) lines.drop(line)
      mainLines.flush()
      expireRestored()
      if (isFirst) releaseRestored()
      lives?.flush()
      for (const change of withheldCloses.flush()) changes.push(change)
      const decided = changes
      changes = []
      return decided
    },
  }

  function applyRow(table: string, key: string, value: unknown) {
    switch (table) {
      case topics.odds.name:
        if (value) lines.applyOdds(value as OddsRow)
        else lines.removeOdds(Number(key))
        return
      case topics.priceChanges.name:
        return lives?.changed(value as PriceChange)
      case topics.events.name:
        return lines.applyEvent(key, value as EventRow | null)
      case topics.sightings.name:
        if (value) lines.applySighting(value as Sighting)
        return
      case topics.recordedTime.name:
        recordedTo = (value as RecordedTime | null)?.at ?? Number.NEGATIVE_INFINITY
        return
      case topics.sportsbookStatus.name:
        if (value) {
          const { sportsbook, status, since, audience } = value as SportsbookStatus
          lines.applySource(sportsbook, status === 'up', since)
          lines.applyAudience(sportsbook, audience === 'owner')
          room.visibilities = lines.hasOwners() ? mostVisibilities : visibilitiesOfAll
        }
    }
  }
}

/** When lines of a ladder were last touched. */
type Touched = ReadonlyMap<Ladder, number>

function touchedOn(examined: readonly WatchedLine[]): Touched {
  const touched = new Map<Ladder, number>()
  for (const { ladder, touchedAt } of examined) {
    touched.set(ladder, Math.max(touched.get(ladder) ?? 0, touchedAt))
  }
  return touched
}

const lastTouched = ({ lower, higher }: Pair) => Math.max(lower.touchedAt, higher.touchedAt)

const nothing: readonly number[] = []
