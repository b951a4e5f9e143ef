/**
 * The reference service's odds rows as a recording: a file is one reading, in which each sportsbook has its own time.
 */

import type { Parsed } from '../feed.ts'
import { parseReferenceCsv, parseReferenceJson } from '../reference-rows/parse.ts'
import { readText } from './recorded-file.ts'
import { createTimeline, type Step } from './recording.ts'

/** The columns that identify such a file. */
export const referenceColumns = [
  'id',
  'sportsbook',
  'event_id',
  'market_type',
  'selection_type',
  'odds_american',
  'odds_decimal',
  'timestamp',
]

export async function* readReferenceCsv(path: string): AsyncGenerator<Step> {
  yield* stepsOf(parseReferenceCsv(await readText(path)))
}

export async function* readReferenceJson(path: string): AsyncGenerator<Step> {
  yield* stepsOf(parseReferenceJson(JSON.parse(await readText(path))))
}

/** Returns the steps. A skip has no time, so all skips come with the first step. */
function stepsOf({ records, skipped }: Parsed): Step[] {
  const timeline = createTimeline()
  timeline.add(records[0]?.observedAt ?? null, [], skipped)
  for (const record of records) timeline.add(record.observedAt, [record], [])
  return timeline.steps()
}

/** Returns whether a JSON text holds such rows, bare or as a response's `data`. */
export function isReferenceJson(text: string): boolean {
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    return false
  }
  const rows = Array.isArray(payload) ? payload : (payload as { data?: unknown } | null)?.data
  const first: unknown = Array.isArray(rows) ? rows[0] : undefined
  return (
    typeof first === 'object' && first !== null && referenceColumns.every((name) => name in first)
  )
}
