/**
 * The reference service's odds rows as a recording: a file is one reading, in which each sportsbook has its own time.
 */

import type { Parsed } from '../feed.ts'
import { jsonIn } from '../kit/json-text.ts'
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

interface Answer {
  readonly data?: unknown
  readonly pagination?: { readonly has_more?: unknown } | null
}

/**
 * Returns what a JSON text contains: all such rows, as a list or a response's `data`; a response
 * that says that there are more rows; or something else.
 */
export function contentOfJson(text: string): 'rows' | 'part of rows' | 'other' {
  const payload = jsonIn(text)
  const answer = (Array.isArray(payload) ? { data: payload } : payload) as Answer | null
  const first: unknown = Array.isArray(answer?.data) ? answer.data[0] : undefined
  const isRow =
    typeof first === 'object' && first !== null && referenceColumns.every((name) => name in first)
  if (!isRow) return 'other'
  return answer?.pagination?.has_more === true ? 'part of rows' : 'rows'
}
