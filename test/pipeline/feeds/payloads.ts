/** Recorded payloads outside the tree, and helpers of parser tests to count in them. */

import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Parsed } from '../../../pipeline/feeds/feed.ts'
import type { FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'

const root = new URL('../../../../shared/data/', import.meta.url)

/** Whether the recorded payloads exist; otherwise tests that need them are skipped by name. */
export const hasPayloads = existsSync(root)

export const loadText = (path: string) => readFileSync(new URL(path, root), 'utf8')
export const loadPayload = (path: string): unknown => JSON.parse(loadText(path))
export const loadLines = (path: string): string[] =>
  gunzipSync(readFileSync(new URL(path, root)))
    .toString('utf8')
    .trimEnd()
    .split('\n')

export const oddsOf = ({ records }: Pick<Parsed, 'records'>) =>
  records.filter((record): record is OddsRecord => record.type === 'odds')

export const selectionsOf = (parsed: Pick<Parsed, 'records'>): FeedSelection[] =>
  oddsOf(parsed).flatMap(({ markets }) => markets.flatMap(({ selections }) => selections))

/** Counts occurrences by name. */
export function tally(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

export const reasonsOf = ({ skipped }: Parsed) => tally(skipped.map(({ reason }) => reason))

export const typesOf = (parsed: Parsed) =>
  tally(
    oddsOf(parsed).flatMap(({ markets }) =>
      markets.flatMap(({ marketType, selections }) => selections.map(() => marketType)),
    ),
  )

/** Counts objects anywhere in a payload for which `test` holds, independently of its shape. */
export function countObjects(value: unknown, test: (item: object) => boolean): number {
  if (typeof value !== 'object' || value === null) return 0
  const within = Object.values(value).reduce<number>(
    (sum, member) => sum + countObjects(member, test),
    0,
  )
  return within + (test(value) ? 1 : 0)
}
