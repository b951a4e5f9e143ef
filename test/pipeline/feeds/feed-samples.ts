/** Sample payloads stored beside the repository, and helpers to query parsed records. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Skip } from '../../../pipeline/feeds/feed.ts'
import type { FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'

const samples = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))

/** Returns whether a folder or file of the samples exists. */
export const hasSample = (path: string) => existsSync(samples + path)

export const readSample = (path: string) => readFileSync(samples + path, 'utf8')

export const readJsonSample = (path: string): unknown => JSON.parse(readSample(path))

export const oddsOf = (records: readonly FeedRecord[]): OddsRecord[] =>
  records.filter((record): record is OddsRecord => record.type === 'odds')

/** Returns every selection with its market and event, flat, with its effective line. */
export function selectionsOf(records: readonly FeedRecord[]) {
  return oddsOf(records).flatMap((record) =>
    record.markets.flatMap((market) =>
      market.selections.map((selection) => ({
        ...selection,
        event: record.event,
        sportsbook: record.sportsbook,
        marketType: market.marketType,
        playerName: market.playerName,
        statCategory: market.statCategory,
        marketId: market.externalId,
        line: selection.line ?? market.line,
      })),
    ),
  )
}

export function countReasons(skipped: readonly Skip[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

/** Counts objects anywhere in a payload that pass a test, independently of any parser. */
export function countObjects(
  value: unknown,
  is: (object: Record<string, unknown>) => boolean,
): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = !Array.isArray(value) && is(value as Record<string, unknown>) ? 1 : 0
  return Object.values(value).reduce((sum: number, part) => sum + countObjects(part, is), own)
}

/** Returns the selections that a sportsbook has twice on one event. */
export function repeatedSelections(records: readonly FeedRecord[]): string[] {
  const keys = selectionsOf(records).map((selection) =>
    JSON.stringify([
      selection.sportsbook,
      selection.event.externalId,
      selection.marketType,
      selection.playerName,
      selection.line,
      selection.selectionType,
      selection.selection,
    ]),
  )
  return keys.filter((key, index) => keys.indexOf(key) !== index)
}
