/** What the processor captures of a slate of games is compared with what follows from the whole log. */

import { expect } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import { topics } from '../../schemas/topics.ts'
import { type Delivered, makeSlate } from './made-slate.ts'
import { createRealBoard } from './real-board.ts'
import { type Happening, type SlowClose, slowCloses, slowNoVig } from './slow-closes.ts'

/** The same reason, since a listing of after the one that was not remembered. */
const isLaterListing = (close: SlowClose, { missing, missingSince, startsAt }: ClosingLine) =>
  missing === 'never_priced' && startsAt === close.startsAt && missingSince! > close.missingSince!

/** What happened to each game and sportsbook, with the rows that events had one record at a time. */
function readHappenings(slate: readonly Delivered[]) {
  const board = createRealBoard()
  const rows = new Map<string, EventRow>()
  const byOffer = new Map<string, { first: EventRow; happenings: Happening[] }>()
  const ofGame = new Map<string, string[]>()
  /** The side that was home when the game was first listed. */
  const homes = new Map<string, string>()
  /** When a sportsbook called a game off. */
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
        // A statement that makes the event is taken by it as it is then.
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
        // What arrives after the game was called off is not read.
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

/** Compares what is captured of a slate, in batches and with restarts or without, with what follows from the log. */
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
    // Where nothing was on the board at the start, a restart forgets which start was captured,
    // and so since when prices of a start that was taken back have been missing.
    const isBare = [...expected.values()].every(
      ({ missing }) => missing === 'withdrawn' || missing === 'never_priced',
    )
    for (const key of new Set([...expected.keys(), ...found.keys()])) {
      const [close, row] = [expected.get(key), found.get(key)]
      const reason = row?.missing ?? 'close'
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      // After a capture that was taken back, when it was withdrawn is not known.
      const isUncertain = Number.isNaN(close?.missingSince)
      const isSame =
        close?.price === row?.price &&
        (isBare || close?.startsAt === row?.startsAt) &&
        (close?.missing === row?.missing ||
          (isUncertain && close?.missing === 'withdrawn' && reason === 'start_corrected')) &&
        (isUncertain || isBare || close?.missingSince === row?.missingSince)
      // Listed without a price after a start that was taken back: it is not remembered.
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

/** What a row may say where nothing was on the board at a start that a restart has forgotten. */
const reasonsOfBare = ['withdrawn', 'postponed', 'start_corrected']
