/**
 * The table of opportunities: +EV, arbitrage, middles and low hold, derived from the board's tables
 * in the commit that moves them. A price that moves has its own line looked at again, and the middles
 * between it and the other lines of its market; several moves of one commit, once. What exists is
 * decided in `opportunities/`; this file says when a row changes:
 * - an opportunity is what it takes: sportsbooks and selections, whatever their prices. It is
 *   detected once and expires once, and its row moves between only when others come to see it, or
 *   when what it is measured against changes;
 * - time moves it through ticks: what has not been seen for too long, or has started, is taken out.
 */

import type { EventRow } from '../../schemas/event.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { type OpportunityRow, opportunityId } from '../../schemas/opportunity.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append, LogRecord } from '../log/log.ts'
import { sharpChain } from '../rules/sharp-books.ts'
import type { Derived, DerivedState } from './derived.ts'
import {
  countWays,
  createJudgedLine,
  detectMiddle,
  detectOnLine,
  type Found,
  type JudgedLine,
  judge,
  type Leg,
  makeMiddle,
} from './opportunities/detectors.ts'
import { ownLine } from './opportunities/market-shape.ts'
import { createPriceLines, type Ladder, type Line } from './opportunities/price-lines.ts'

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

/** An opportunity that has a row. */
interface Listed {
  readonly id: string
  readonly legs: readonly number[]
  row: OpportunityRow
}

/** @param sharpBook the sportsbook that +EV is measured against first */
export const opportunities = (sharpBook: string): Derived => ({
  tables: [topics.opportunities],
  create: (counts) => createOpportunities(sharpChain(sharpBook), counts),
})

function createOpportunities(chain: readonly string[], counts: Map<string, number>): DerivedState {
  const lines = createPriceLines<WatchedLine>(chain, (line) => ({
    ...createJudgedLine(line),
    listed: [],
    pairs: null,
    settledIn: 0,
  }))
  /** Rows of before the start that have not been found again yet. */
  const restored = new Map<string, OpportunityRow>()
  let changes: Append[] = []
  /** Settlings so far. */
  let settled = 0
  /** Filled anew for each line and pair. */
  const found: Found[] = []

  function count(code: string) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }

  const countWithheld = (reason: string) => count(`opportunity_withheld_${reason}`)

  // ---- rows

  function emit(id: string, league: string, value: OpportunityRow | null) {
    changes.push({ topic: topics.opportunities, partitionKey: league, key: id, value })
  }

  /** Brings the rows of one place up to date with `found`; returns those that stand. */
  function reconcile(listed: readonly Listed[], line: WatchedLine, at: number): readonly Listed[] {
    if (listed.length === 0 && found.length === 0) return listed
    const standing = found.map((one) => {
      const legs = one.legs.map(({ line: of, slot, column }) => idAt(of, slot, column))
      const known = listed.find((other) => isSame(other, one, legs))
      return known ? renew(known, one) : detect(one, legs, line, at)
    })
    for (const old of listed) {
      if (standing.includes(old)) continue
      emit(old.id, old.row.league, null)
      count(`opportunity_expired_${old.row.kind}`)
    }
    return standing
  }

  function renew(known: Listed, { scopes, reference, isSuspected }: Found): Listed {
    const { row } = known
    if (
      row.scopes === scopes &&
      row.isSuspected === isSuspected &&
      isEqual(row.reference, reference)
    ) {
      return known
    }
    known.row = { ...row, scopes, reference, isSuspected }
    emit(known.id, row.league, known.row)
    return known
  }

  function detect(one: Found, legs: readonly number[], line: WatchedLine, at: number): Listed {
    const { kind, reference, scopes, isSuspected } = one
    const { ladder } = line
    const { event, marketType, playerName } = ladder
    const { id: eventId } = event
    const league = event.row!.league
    const [first, second] = one.legs.map(lineOf)
    const id = opportunityId({
      kind,
      eventId,
      marketType,
      playerName,
      isLive: ladder.isLive,
      line: kind === 'middle' ? `${first}/${second}` : (first ?? null),
      legs: one.legs.map((leg) => [sportsbookOf(leg), typeOf(leg)] as const),
    })
    const before = restored.get(id)
    const detectedAt = before?.detectedAt ?? at
    const row = { id, kind, eventId, league, legs, reference, scopes, isSuspected, detectedAt }
    restored.delete(id)
    if (!before || !saysTheSame(before, row)) emit(id, league, row)
    if (!before) count(`opportunity_detected_${kind}`)
    return { id, legs, row }
  }

  // ---- what was touched

  function examine(line: WatchedLine) {
    judge(line, countWithheld)
    found.length = 0
    detectOnLine(line, found)
    line.listed = reconcile(line.listed, line, line.touchedAt)
  }

  function examinePair(pair: Pair) {
    const { lower, higher } = pair
    found.length = 0
    detectMiddle(lower, higher, found)
    pair.listed = reconcile(pair.listed, lower, Math.max(lower.touchedAt, higher.touchedAt))
  }

  /** The middles of a new line with all others. */
  function pairUp(line: WatchedLine): Pair[] {
    const pairs: Pair[] = []
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
  function toExamine(touched: readonly WatchedLine[]): Iterable<WatchedLine> {
    const ladders = new Set<Ladder>()
    for (const { ladder } of touched) if (ladder.shape.mayHaveDraw) ladders.add(ladder)
    const all = new Set(touched)
    for (const ladder of ladders) {
      if (!countWays(ladder)) continue
      for (const line of linesOf(ladder)) all.add(line)
    }
    return all
  }

  return {
    restore({ topic, key, value }) {
      if (topic.name !== topics.opportunities.name) return applyRow(topic.name, key, value)
      if (value) restored.set(key, value as OpportunityRow)
    },
    observe({ value }: LogRecord) {
      const record = value as BoardRecord
      if (record.type === 'tick') lines.advance(record.observedAt)
    },
    change({ topic, key, value }) {
      applyRow(topic.name, key, value)
    },
    settle() {
      changes = []
      settled++
      const examined = [...toExamine(lines.takeDirty())]
      for (const line of examined) {
        line.pairs ??= pairUp(line)
        line.settledIn = settled
        examine(line)
      }
      for (const line of examined) {
        for (const pair of line.pairs!) {
          // Between two that were looked at, once.
          if (pair.lower === line || pair.lower.settledIn !== settled) examinePair(pair)
        }
      }
      for (const line of examined) if (line.quoted === 0) forget(line)
      // What stood before the start and was not found again has expired meanwhile.
      for (const [id, { league }] of restored) emit(id, league, null)
      restored.clear()
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

const idAt = (line: Line, slot: number, column: number) =>
  line.ids[slot * line.ladder.shape.columns + column]!

/** The line of a leg, as its own row has it. */
const lineOf = ({ line, column }: Leg) => ownLine(line.ladder.shape, column, line.line)

const sportsbookOf = ({ line, slot }: Leg) => line.offers[slot]!.sportsbook

const typeOf = ({ line, column }: Leg) => line.ladder.shape.types[line.group]![column]!

const isSame = ({ row, legs }: Listed, found: Found, ids: readonly number[]) =>
  row.kind === found.kind && isEqual(legs, ids)

const isEqual = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, i) => value === b[i])

const saysTheSame = (a: OpportunityRow, b: OpportunityRow) =>
  a.scopes === b.scopes &&
  a.isSuspected === b.isSuspected &&
  isEqual(a.legs, b.legs) &&
  isEqual(a.reference, b.reference)
