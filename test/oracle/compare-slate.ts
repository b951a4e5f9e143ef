/** Compares the closes that the processor captures of a slate of games with those that follow from the whole log. */

import { expect } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import { topics } from '../../schemas/topics.ts'
import { type Delivered, makeSlate } from './made-slate.ts'
import { createRealBoard } from './real-board.ts'
import { type Happening, type SlowClose, slowCloses, slowNoVig } from './slow-closes.ts'

/** Returns whether the row has the same reason, dated from a listing after the one that a restart forgot. */
const isLaterListing = (close: SlowClose, { missing, missingSince, startsAt }: ClosingLine) =>
  missing === 'never_priced' && startsAt === close.startsAt && missingSince! > close.missingSince!

/** Returns the happenings of each game and sportsbook, with the events' rows after each record. */
function readHappenings(slate: readonly Delivered[]) {
  const board = createRealBoard()
  const rows = new Map<string, EventRow>()
  const byOffer = new Map<string, { first: EventRow; happenings: Happening[] }>()
  const ofGame = new Map<string, string[]>()
  /** The side that was home when the game was first listed. */
  const homes = new Map<string, string>()
  /** Time at which a sportsbook called a game off. */
  const calledOffAt = new Map<string, number>()
  for (const { record } of slate) {
    const changed: [EventRow, EventRow][] = []
    for (const { topic, value } of board.take([record])) {
      if (topic.name !== topics.events.name || value === null) continue
      const row = value as EventRow
      const before = rows.get(row.league)
      rows.set(row.league, row)
      changed.push([before ?? row, row])
    }
    if (record.type === 'tick') {
      for (const { happenings } of byOffer.values())
        happenings.push({ what: 'tick', at: record.observedAt })
    } else {
      const { sportsbook, event } = record
      const { league } = event
      if (!homes.has(league)) homes.set(league, event.homeTeam)
      const key = `${league} ${sportsbook}`
      let offer = byOffer.get(key)
      if (!offer) {
        // The statement that creates the event is read against the event's new row.
        offer = { first: changed[0]?.[0] ?? (rows.get(league) as EventRow), happenings: [] }
        byOffer.set(key, offer)
        ofGame.set(league, [...(ofGame.get(league) ?? []), key])
      }
      if (record.type === 'event_status') {
        if (record.status === 'cancelled') calledOffAt.set(key, record.observedAt)
        else calledOffAt.delete(key)
      } else if (
        record.observedAt >= (calledOffAt.get(key) ?? record.observedAt) &&
        rows.get(league)?.status !== 'cancelled'
      ) {
        // Statements that arrive after the game was called off are not read.
        offer.happenings.push({
          what: 'prices',
          record,
          isReversed: event.homeTeam !== homes.get(league),
        })
      }
    }
    for (const [before, after] of changed) {
      for (const key of ofGame.get(after.league) ?? []) {
        byOffer.get(key)?.happenings.push({ what: 'event', before, after, at: record.observedAt })
      }
    }
  }
  return byOffer
}

/** Compares the captures of a slate, in batches and with restarts or without, with those that follow from the log. */
export function compareSlate(seed: number, gameCount: number, hasRestarts: boolean) {
  const slate = makeSlate(seed, gameCount)
  const random = createRandom(seed + 4)
  const board = createRealBoard()
  for (let from = 0; from < slate.length; ) {
    const batch = slate.slice(from, from + 1 + random.below(400)).map(({ record }) => record)
    from += batch.length
    if (hasRestarts && random.chance(0.05)) board.loseBatch(batch)
    board.take(batch)
    if (hasRestarts && random.chance(0.1)) board.restart()
  }
  const rows = [...board.tableOf(topics.closingLines).values()]
  const ofOffer = new Map<string, Map<string, ClosingLine>>()
  for (const row of rows) {
    const offer = `${row.league} ${row.sportsbook}`
    const of = ofOffer.get(offer) ?? new Map<string, ClosingLine>()
    ofOffer.set(offer, of.set(`${row.marketType} ${row.selectionType} ${row.line}`, row))
  }

  const counts = new Map<string, number>()
  const differences: unknown[] = []
  let devigged = 0
  let forgotten = 0
  let bare = 0
  for (const [offer, { first, happenings }] of readHappenings(slate)) {
    const expected = slowCloses(happenings, first)
    const found = ofOffer.get(offer) ?? new Map<string, ClosingLine>()
    // If nothing was on the board at the start, a restart forgets which start was captured, and so since when prices
    // of a start that was taken back have been missing.
    const isBare = [...expected.values()].every(
      ({ missing }) => missing === 'withdrawn' || missing === 'never_priced',
    )
    for (const key of new Set([...expected.keys(), ...found.keys()])) {
      const [close, row] = [expected.get(key), found.get(key)]
      const reason = row?.missing ?? 'close'
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      // After a capture that was taken back, the time of withdrawal is unknown.
      const isUncertain = Number.isNaN(close?.missingSince)
      const isSame =
        close?.price === row?.price &&
        (isBare || close?.startsAt === row?.startsAt) &&
        (close?.missing === row?.missing ||
          (isUncertain && close?.missing === 'withdrawn' && reason === 'start_corrected')) &&
        (isUncertain || isBare || close?.missingSince === row?.missingSince)
      // A listing without a price after a start that was taken back is not remembered.
      if (close?.isUnpriced && (!row || isLaterListing(close, row))) {
        forgotten++
        continue
      }
      if (!isSame && isBare && reasonsOfBare.includes(reason)) bare++
      else if (!isSame) differences.push({ offer, key, close, row })
      if (row?.pricedAt != null) expect(row.pricedAt).toBeLessThanOrEqual(row.startsAt)
      if (row?.noVig != null) devigged++
    }
    for (const [key, row] of found) {
      const [, type = '', line] = key.split(' ')
      const others = { home: 'away', away: 'home', over: 'under', under: 'over' }[type]
      const other = found.get(`${row.marketType} ${others} ${line}`)
      if (row.price === null || !other || other.price === null) expect(row.noVig).toBeNull()
      else expect(row.noVig).toBeCloseTo(slowNoVig([row.price, other.price])[0]!, 10)
    }
  }
  console.info(
    `slate: ${slate.length} records, ${rows.length} rows, ${devigged} devigged, ${bare} of bare offers for another start, ${forgotten} not remembered;`,
    Object.fromEntries([...counts].sort()),
  )
  expect(differences.slice(0, 3)).toEqual([])
  expect(differences).toHaveLength(0)
  return { counts, rowCount: rows.length, bare, forgotten }
}

/** The possible reasons of a row if nothing was on the board at a start that a restart has forgotten. */
const reasonsOfBare = ['withdrawn', 'postponed', 'start_corrected']
