/**
 * The rows of `events` and `closing-lines` that a recording produces, in the order of the log: the
 * recording goes through the processor of the service, and each game is closed as it starts.
 */

import { runRecording } from '../../pipeline/backtest/recording-run.ts'
import type { Append } from '../../pipeline/log/log.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { marketShape, sharedLine } from '../../pipeline/rules/odds/market-shape.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'

/** @param path of the recording */
export async function capturedCloses(path: string): Promise<Append[]> {
  /** The prices on the board, by event. */
  const board = new Map<string, Map<number, OddsRow>>()
  const eventOf = new Map<string, string>()
  /** The prices each game had before its start. */
  const had = new Map<string, Map<number, OddsRow>>()
  const appends: Append[] = []
  const closed = new Set<string>()

  function close(event: EventRow) {
    closed.add(event.id)
    for (const value of closesOf(
      event,
      [...(board.get(event.id)?.values() ?? [])],
      [...(had.get(event.id)?.values() ?? [])],
    )) {
      const key = String(value.oddsId)
      appends.push({ topic: topics.closingLines, partitionKey: event.league, key, value } as Append)
    }
  }

  const open = new Map<string, EventRow>()
  await runRecording({ path }, sharpChain('pinnacle'), new AbortController().signal, (moment) => {
    for (const event of open.values()) {
      if (event.startsAt > moment.at || closed.has(event.id)) continue
      close(event)
      open.delete(event.id)
    }
    for (const change of moment.changes) {
      if (change.topic.name === topics.events.name && change.value) {
        const event = change.value as EventRow
        appends.push(change)
        if (!closed.has(event.id)) open.set(event.id, event)
      }
      if (change.topic.name === topics.odds.name && change.value) {
        const row = change.value as OddsRow
        const prices = had.get(row.eventId) ?? new Map<number, OddsRow>()
        had.set(row.eventId, prices.set(row.id, row))
        const onBoard = board.get(row.eventId) ?? new Map<number, OddsRow>()
        board.set(row.eventId, onBoard.set(row.id, row))
        eventOf.set(change.key, row.eventId)
      } else if (change.topic.name === topics.odds.name) {
        board.get(eventOf.get(change.key) ?? '')?.delete(Number(change.key))
      }
    }
  })
  return appends
}

function closesOf(
  event: EventRow,
  board: readonly OddsRow[],
  rows: readonly OddsRow[],
): ClosingLine[] {
  const standing = new Map<number, OddsRow>()
  const complete = new Map<string, OddsRow[]>()
  for (const row of board) {
    if (row.isLive || !row.isActive) continue
    standing.set(row.id, row)
    const key = questionKey(row, event)
    complete.set(key, [...(complete.get(key) ?? []), row])
  }
  const noVig = new Map<number, number>()
  for (const answers of complete.values()) {
    const shape = marketShape(answers[0]!.marketType, event.sport)!
    const { group } = shape.columnOf.get(answers[0]!.selectionType)!
    if (answers.length < shape.types[group]!.length) continue
    const { probabilities } = devig(answers.map(({ price }) => price))!
    for (const [i, { id }] of answers.entries()) noVig.set(id, probabilities[i]!)
  }
  return rows.map((row): ClosingLine => {
    const { id: oddsId, sportsbook, marketType, selection, selectionType, line } = row
    const stands = standing.get(oddsId)
    return {
      oddsId,
      eventId: event.id,
      sport: event.sport,
      league: event.league,
      sportsbook,
      marketType,
      selection,
      selectionType,
      line,
      playerName: row.playerName,
      statCategory: row.statCategory,
      startsAt: event.startsAt,
      capturedAt: event.startsAt,
      pricedAt: stands ? (stands.changedAt ?? event.startsAt - 60_000) : null,
      price: stands ? stands.price : null,
      noVig: noVig.get(oddsId) ?? null,
      withheld: null,
      missing: stands ? null : 'withdrawn',
      missingSince: stands ? null : event.startsAt - 60_000,
    }
  })
}

/** Returns the key of one sportsbook's outcomes for one question at one line. */
function questionKey(row: OddsRow, { sport }: EventRow): string {
  const shape = marketShape(row.marketType, sport)!
  return `${row.sportsbook}|${row.marketType}|${sharedLine(shape, row.selectionType, row.line)}`
}
