/** The pushes of a batch that have an id, for tracing them through the text log. */

import { topics } from '../../schemas/topics.ts'
import type { Traced, TracedPush, TracesRow } from '../../schemas/trace.ts'
import type { Append, LogRecord } from '../log/log.ts'

export interface Traces {
  readonly pushes: readonly TracedPush[]
  /** Announces the pushes to followers of the tables, after the batch's own changes. */
  readonly append: Append<TracesRow>
}

/** @param records of one partition. @returns null if none came from a push with an id */
export function tracesOf(records: readonly LogRecord[]): Traces | null {
  let found: Map<string, TracedPush> | null = null
  for (const { topic, offset, value } of records) {
    const trace = (value as Traced | null)?.trace
    if (trace === null || trace === undefined) continue
    found ??= new Map()
    const key = `${topic.name} ${trace}`
    const { firstOffset = offset, records: before = 0 } = found.get(key) ?? {}
    found.set(key, {
      ...{ trace, topic: topic.name, firstOffset, lastOffset: offset, records: before + 1 },
    })
  }
  if (found === null) return null
  const pushes = [...found.values()]
  const { partition } = records[0]!
  return {
    pushes,
    append: {
      topic: topics.traces,
      partitionKey: partition,
      key: String(partition),
      value: { pushes },
    },
  }
}
