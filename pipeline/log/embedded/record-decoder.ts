/** Decodes entries into records. Values may have an older schema of their topic. */

import avro from 'avsc'
import type { Topic } from '../../../schemas/topics.ts'
import { LogCorruptError, type LogRecord } from '../log.ts'
import { schemaText } from './encoded-runs.ts'
import { readHeader, scanEntry } from './entry.ts'
import type { TopicState } from './log-state.ts'

/** Adds the records of an entry from offset `from` on to `records`, and the commit of each to `commits`. */
export type RecordDecoder = (
  state: TopicState,
  entry: Buffer,
  first: number,
  from: number,
  records: LogRecord[],
  commits: number[],
) => void

type ValueDecoder = (entry: Buffer, from: number, to: number) => unknown

export function createRecordDecoder(topic: Topic): RecordDecoder {
  const decoders = new Map<number, ValueDecoder>()

  function decoderOf(state: TopicState, schemaId: number): ValueDecoder {
    let decode = decoders.get(schemaId)
    if (!decode) {
      decode = createValueDecoder(topic, state.schemas[schemaId])
      decoders.set(schemaId, decode)
    }
    return decode
  }

  return (state, entry, first, from, records, commits) => {
    const decode = decoderOf(state, readHeader(entry).schemaId)
    scanEntry(entry, first, ({ offset, commit, keyStart, keyEnd, tombstone, valueEnd }) => {
      if (offset < from) return
      const key = entry.toString('utf8', keyStart, keyEnd)
      let value: unknown = null
      if (!tombstone) {
        try {
          value = decode(entry, keyEnd, valueEnd)
        } catch (cause) {
          throw new LogCorruptError(`${topic.name} offset ${offset} key ${key}`, { cause })
        }
      }
      records.push({ topic, partition: 0, offset, key, value })
      commits.push(commit)
    })
  }
}

/** @param written the schema of the values, as JSON */
function createValueDecoder(topic: Topic, written: string | undefined): ValueDecoder {
  if (written === undefined) throw new LogCorruptError(`${topic.name} has a value of no schema`)
  if (written === schemaText(topic)) return topic.decode
  try {
    const reader = avro.Type.forSchema(topic.schema)
    const resolver = reader.createResolver(avro.Type.forSchema(JSON.parse(written) as avro.Schema))
    return (entry, from, to) => reader.fromBuffer(entry.subarray(from, to), resolver) as unknown
  } catch (cause) {
    throw new LogCorruptError(`${topic.name} has values its schema cannot read`, { cause })
  }
}
