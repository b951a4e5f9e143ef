/** Records encoded for one commit: a run of entries per topic. The writer adds their headers. */

import type { Topic } from '../../../schemas/topics.ts'
import type { Append } from '../log.ts'
import { createEntryBuilder, fullEntryBytes } from './entry.ts'

export interface EncodedRun {
  readonly topic: Topic
  /** The schema as JSON. */
  readonly schema: string
  readonly entries: readonly { readonly count: number; readonly bytes: Buffer }[]
}

const schemaTexts = new WeakMap<Topic, string>()

export function schemaText(topic: Topic): string {
  let text = schemaTexts.get(topic)
  if (text === undefined) {
    text = JSON.stringify(topic.schema)
    schemaTexts.set(topic, text)
  }
  return text
}

/** @throws RangeError, TypeError for a record that this log cannot hold */
export function createRunEncoder(): (appends: readonly Append[]) => EncodedRun[] {
  const builder = createEntryBuilder()

  function encodeRun(topic: Topic, appends: readonly Append[]): EncodedRun {
    const entries: { count: number; bytes: Buffer }[] = []
    builder.clear()
    let count = 0
    for (const { key, partitionKey, value } of appends) {
      if (typeof partitionKey === 'number' && partitionKey !== 0) {
        throw new RangeError(`the embedded log has partition 0 only, not ${partitionKey}`)
      }
      if (value === null && topic.retention !== 'compacted') {
        throw new TypeError(`a tombstone on ${topic.name}, which is not compacted`)
      }
      if (builder.size >= fullEntryBytes) {
        entries.push({ count, bytes: builder.take() })
        count = 0
      }
      builder.add(
        count++,
        0,
        key,
        value === null ? null : (into, at) => topic.encodeInto(value, into, at),
      )
    }
    entries.push({ count, bytes: builder.take() })
    return { topic, schema: schemaText(topic), entries }
  }

  return (appends) => {
    const byTopic = new Map<string, { topic: Topic; appends: Append[] }>()
    for (const append of appends) {
      const run = byTopic.get(append.topic.name)
      if (run) run.appends.push(append)
      else byTopic.set(append.topic.name, { topic: append.topic, appends: [append] })
    }
    return [...byTopic.values()].map((run) => encodeRun(run.topic, run.appends))
  }
}
