/** The check of /health, in every role, for records that could not be decoded. */

import type { Missed } from '../log/log.ts'

/** The time after which the check recovers, because other programs may write undecodable records to a topic. */
const recentMs = 10 * 60_000

export type SchemaCheck =
  | { readonly status: 'ok' }
  | { readonly status: 'degraded'; readonly message: string }

export function schemaCheck({ counts, last }: Missed): SchemaCheck {
  if (last === null || last.agoMs > recentMs) return { status: 'ok' }
  const count = [...counts.values()].reduce((sum, records) => sum + records, 0)
  const seconds = Math.round(last.agoMs / 1_000)
  const message = `Records that this version cannot decode were left out, ${count} since the start, the last on ${last.topic} ${seconds} s ago; the text log names each. Upgrade this process if a newer version writes them, else look whether the schema registry has lost its data, and who writes to the topic.`
  return { status: 'degraded', message }
}
