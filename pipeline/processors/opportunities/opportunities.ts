/**
 * The table of opportunities: +EV, arbitrage, middles and low hold, derived from the board's tables
 * in the commit that moves them. A price that moves has its own line looked at again, and the middles
 * between it and the other lines of its market; several moves of one commit, once. What exists is
 * decided in `detectors.ts`; this file says when a row changes:
 * - an opportunity is identified by the sportsbooks and selections it takes, whatever their prices. It
 *   is detected once and expires once. Its row moves between only when others come to see it, when what
 *   it is measured against changes, or when it is worth more than before;
 * - when it expires, its life is written beside the tombstone (`lives.ts`);
 * - time moves it through ticks: what has not been seen for too long, or has started, is taken out.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { BoardRecord } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { isSameOpportunity, type OpportunityRow } from '../../../schemas/opportunity.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append, LogRecord } from '../../log/log.ts'
import type { Derived, DerivedState } from '../derived.ts'
import { createJudgedLine, createWorkspace, type JudgedLine, judge, noSlot } from './best-prices.ts'
import { countWays } from './count-ways.ts'
import {
  createFindings,
  detectMiddle,
  detectOnLine,
  type Finding,
  isTooDear,
  makeMiddle,
} from './detectors.ts'
import {
  continueLife,
  createListed,
  createRow,
  type Listed,
  lifeOf,
  notePeak,
  referenceOf,
  reprice,
  sharpBookOf,
} from './lives.ts'
import { createPriceLines, type Ladder, type Line } from './price-lines.ts'

/** A line and the opportunities that stand on it. */
interface WatchedLine extends JudgedLine {
  listed: readonly Listed[]
  /** The middles it can make with other lines of its ladder; null until they are looked for. */
  pairs: Pair[] | null
  /** The number of the settling that looked at it last. */
  settledIn: number
}

/** Two lines between which a result can fall. */
interface Pair {
  readonly lower: WatchedLine
  readonly higher: WatchedLine
  listed: readonly Listed[]
}

/** A line beyond these makes no middles: nobody quotes so many, and pairs grow with their square. */
const mostPairedLines = 100

/** @param chain the sportsbooks that +EV is measured against, the first choice first */
export const opportunities = (chain: readonly string[]): Derived => ({
  tables: [topics.opportunities],
  create: (counts) => createOpportunities(chain, counts),
})

function createOpportunities(chain: readonly string[], counts: Map<string, number>): DerivedState {
  const lines = createPriceLines<WatchedLine>(chain, (line) => ({
    listed: [],
    pairs: null,
    settledIn: 0,
    ...createJudgedLine(line),
  }))
  /**
   * Opportunities of before the start that have not been found again, as they stood then; without
   * that where their prices are gone.
   */
  const recalled = new Map<string, { readonly row: OpportunityRow; listed: Listed | null }>()
  let isRecalled = false
  let changes: Append[] = []
  /** Settlings so far. */
  let settled = 0
  const room = createWorkspace()
  /** Filled anew for each line and pair. */
  const found = createFindings()

  function count(code: string) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }

  const countWithheld = (reason: string) => count(`opportunity_withheld_${reason}`)

  // ---- rows

  function emit(row: OpportunityRow) {
    const { id: key, league: partitionKey } = row
    changes.push({ topic: topics.opportunities, partitionKey, key, value: row })
  }

  /** @param listed null: its prices are not there any more, and nothing can be said of its life */
  function expire(
    { id: key, league: partitionKey }: OpportunityRow,
    listed: Listed | null,
    at: number,
  ) {
    changes.push({ topic: topics.opportunities, partitionKey, key, value: null })
    if (!listed) return
    const value = lifeOf(listed, at)
    changes.push({ topic: topics.opportunityLives, partitionKey, key, value })
  }

  /** Brings the rows of one place up to date with `found`; returns those that stand. */
  function reconcile(listed: readonly Listed[], at: number): readonly Listed[] {
    let same = 0
    for (let i = 0; i < found.length; i++) {
      if (isOf(listed[i], found.of[i]!)) same++
    }
    if (same === found.length && same === listed.length) {
      for (let i = 0; i < same; i++) renew(listed[i]!, found.of[i]!, at)
      return listed
    }
    const standing = found.of.slice(0, found.length).map((one) => {
      const known = listed.find((other) => isOf(other, one))
      if (known) renew(known, one, at)
      return known ?? describe(one, at)
    })
    const stays = new Set(standing.map(({ id }) => id))
    // What ends is told before what begins.
    for (const known of listed) {
      if (stays.has(known.id)) continue
      expire(known.row, known, at)
      count(`opportunity_expired_${known.row.kind}`)
    }
    return standing.map((one) => {
      if (listed.includes(one)) return one
      const renamed = listed.find(({ id }) => id === one.id)
      return renamed ? rename(one, renamed, at) : detect(one, at)
    })
  }

  function rename(listed: Listed, before: Listed, at: number): Listed {
    continueLife(listed, before, at)
    emit(listed.row)
    return listed
  }

  function renew(known: Listed, of: Finding, at: number) {
    const { row } = known
    const { scopes, isSuspected } = of
    const isBetter = reprice(known, of) && notePeak(known, at)
    const isSame = row.scopes === scopes && row.isSuspected === isSuspected && hasReference(row, of)
    if (isSame && !isBetter) return
    if (!isSame) {
      known.row = createRow({ ...known.row, scopes, reference: referenceOf(of), isSuspected })
      known.sharpBook = sharpBookOf(of)
    }
    emit(known.row)
  }

  const describe = (of: Finding, at: number) => createListed(of, at, (id) => recalled.get(id)?.row)

  function detect(listed: Listed, at: number): Listed {
    const { id, row } = listed
    const before = recalled.get(id)?.row
    recalled.delete(id)
    const isBetter = before !== undefined && notePeak(listed, at)
    if (!before || isBetter || !isSameOpportunity(before, row)) emit(listed.row)
    if (!before) count(`opportunity_detected_${row.kind}`)
    return listed
  }

  /** Works out what restored rows were worth; once, before anything changes. */
  function recall() {
    isRecalled = true
    for (const of of recalled.values()) {
      const finding = findingOf(of.row)
      if (finding) of.listed = createListed(finding, of.row.detectedAt, () => of.row)
    }
  }

  /** A restored row as it was found; null where one of its prices is not there. */
  function findingOf({ kind, legs: ids, reference, scopes, isSuspected }: OpportunityRow) {
    const places = ids.flatMap((id) => lines.locate(id) ?? [])
    const sharp = reference[0] === undefined ? undefined : lines.locate(reference[0])
    if (places.length < ids.length || places.some(({ line }) => !line.ladder.event.row)) return null
    const finding: Finding = {
      kind,
      legs: ids.length,
      ids: [...ids],
      lines: places.map(({ line }) => line),
      slots: places.map(({ slot }) => slot),
      columns: places.map(({ column }) => column),
      outcomes: reference.length || ids.length,
      sharp: sharp?.slot ?? noSlot,
      scopes,
      isSuspected,
    }
    return finding
  }

  // ---- what was touched

  function examine(line: WatchedLine) {
    judge(line, room, countWithheld)
    detectOnLine(line, room, found)
    line.listed = reconcile(line.listed, line.touchedAt)
  }

  function examinePair(pair: Pair) {
    const { lower, higher } = pair
    detectMiddle(lower, higher, room, found)
    pair.listed = reconcile(pair.listed, Math.max(lower.touchedAt, higher.touchedAt))
  }

  /** The middles of a new line with all others. */
  function pairUp(line: WatchedLine): Pair[] {
    const pairs: Pair[] = []
    if (line.ladder.lines.length > mostPairedLines) {
      count('opportunity_ladder_too_long')
      return pairs
    }
    for (const other of linesOf(line.ladder)) {
      if (other === line || !other.pairs) continue
      const isHigher = (line.line ?? 0) > (other.line ?? 0)
      const [lower, higher] = isHigher ? [other, line] : [line, other]
      if (!makeMiddle(lower, higher)) continue
      const pair = { lower, higher, listed: [] }
      pairs.push(pair)
      other.pairs.push(pair)
    }
    return pairs
  }

  function forget(line: WatchedLine) {
    for (const pair of line.pairs ?? []) {
      const other = pair.lower === line ? pair.higher : pair.lower
      other.pairs!.splice(other.pairs!.indexOf(pair), 1)
    }
    lines.drop(line)
  }

  /** The touched lines, and all of a ladder whose number of answers has changed. */
  function toExamine(touched: WatchedLine[]): readonly WatchedLine[] {
    settled++
    const changed = new Set<Ladder>()
    for (const { ladder } of touched) {
      if (!ladder.shape.mayHaveDraw || ladder.countedIn === settled) continue
      ladder.countedIn = settled
      if (!countWays(ladder)) continue
      changed.add(ladder)
    }
    if (changed.size === 0) return touched
    const all = new Set(touched)
    for (const ladder of changed) {
      const lines = linesOf(ladder)
      const touchedAt = Math.max(...lines.map((line) => line.touchedAt))
      for (const line of lines) {
        line.touchedAt = touchedAt
        all.add(line)
      }
    }
    return [...all]
  }

  function examinePairs(line: WatchedLine) {
    for (const pair of line.pairs!) {
      const { lower, higher } = pair
      // A pair of lines that are both looked at is taken once.
      if (higher === line && lower.settledIn === settled) continue
      if (pair.listed.length > 0 || !isTooDear(lower, higher)) examinePair(pair)
    }
  }

  return {
    restore({ topic, key, value }) {
      if (topic.name === topics.opportunities.name) {
        if (value) recalled.set(key, { row: value as OpportunityRow, listed: null })
        return
      }
      applyRow(topic.name, key, value)
      if (topic.name === topics.odds.name) lines.recall((value as OddsRow | null)?.observedAt ?? 0)
      if (topic.name === topics.sightings.name) {
        lines.recall((value as Sighting | null)?.lastSeenAt ?? 0)
      }
    },
    observe({ value }: LogRecord) {
      const record = value as BoardRecord
      if (record.type === 'tick') lines.advance(record.observedAt)
    },
    change({ topic, key, value }) {
      if (!isRecalled) recall()
      applyRow(topic.name, key, value)
    },
    settle() {
      changes = []
      if (!isRecalled) recall()
      if (settled === 0) lines.begin()
      const examined = toExamine(lines.takeDirty())
      for (const line of examined) {
        line.pairs ??= pairUp(line)
        line.settledIn = settled
        examine(line)
      }
      for (const line of examined) examinePairs(line)
      for (const line of examined) if (line.quoted === 0) forget(line)
      // What stood before the start and was not found again has expired meanwhile.
      for (const { row, listed } of recalled.values()) expire(row, listed, lines.now())
      recalled.clear()
      return changes
    },
  }

  function applyRow(table: string, key: string, value: unknown) {
    switch (table) {
      case topics.odds.name:
        if (value) lines.applyOdds(value as OddsRow)
        else lines.removeOdds(Number(key))
        return
      case topics.events.name:
        return lines.applyEvent(key, value as EventRow | null)
      case topics.sightings.name:
        if (value) lines.applySighting(value as Sighting)
        return
      case topics.sportsbookStatus.name:
        if (value) {
          const { sportsbook, status, since } = value as SportsbookStatus
          lines.applySource(sportsbook, status === 'up', since)
        }
    }
  }
}

const linesOf = (ladder: Ladder) => ladder.lines as readonly Line[] as readonly WatchedLine[]

/** Whether a listed opportunity is the one found. */
function isOf(listed: Listed | undefined, { kind, legs, ids }: Finding): boolean {
  if (!listed || listed.kind !== kind || listed.legs.length !== legs) return false
  for (let leg = 0; leg < legs; leg++) if (listed.row.legs[leg] !== ids[leg]) return false
  return true
}

function hasReference({ reference }: OpportunityRow, { sharp, lines, outcomes }: Finding): boolean {
  if (sharp < 0) return reference.length === 0
  const { ids, ladder } = lines[0]!
  const from = sharp * ladder.shape.columns
  if (reference.length !== outcomes) return false
  for (let column = 0; column < outcomes; column++) {
    if (reference[column] !== ids[from + column]) return false
  }
  return true
}
