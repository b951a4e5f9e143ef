/**
 * Recordings in our own push format, one record per line: they can also be pushed again. The order
 * of the lines is kept, because the service accepted them in this order: a late record is late
 * again.
 */

import type { FeedRecord } from '../../../schemas/feed-record.ts'
import type { Skip } from '../feed.ts'
import { parseLine } from '../push/parse.ts'
import { readLines } from './recorded-file.ts'
import { mostInStep, type RecordingOptions, type Step } from './recording.ts'

/**
 * Yields one step for each observed time, or several if it has many lines; late lines belong to the
 * step in which they come.
 */
export async function* readIngestLines(
  path: string,
  { now = Number.POSITIVE_INFINITY }: RecordingOptions,
): AsyncGenerator<Step> {
  let at: number | null = null
  let records: FeedRecord[] = []
  let skipped: Skip[] = []
  let lineNumber = 0
  for await (const line of readLines(path)) {
    lineNumber++
    if (records.length + skipped.length >= mostInStep) {
      yield { at, records, skipped }
      records = []
      skipped = []
    }
    if (line.trim() === '') continue
    const parsed = parseLine(line, now)
    if (!parsed.ok) {
      skipped.push({ reason: parsed.code, detail: `line ${lineNumber}: ${parsed.message}` })
      continue
    }
    const { observedAt } = parsed.record
    const leftOut = parsed.warnings.filter((warning) => warning.isLeftOut)
    if (at !== null && observedAt > at) {
      yield { at, records, skipped }
      records = []
      skipped = []
    }
    at = Math.max(at ?? observedAt, observedAt)
    records.push(parsed.record)
    for (const { code, message } of leftOut) {
      skipped.push({ reason: code, detail: `line ${lineNumber}: ${message}` })
    }
  }
  if (records.length > 0 || skipped.length > 0) yield { at, records, skipped }
}

/** Returns whether some of the first lines are push records; a file may begin with a broken one. */
export function isIngestHead(head: string): boolean {
  return head
    .split('\n')
    .slice(0, 20)
    .some((line) => parseLine(line.trim(), Number.POSITIVE_INFINITY).ok)
}
