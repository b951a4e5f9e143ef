/**
 * The encodings of requests that Kafka calls flexible: lengths are varints and one more than the length, so that 0
 * can mean null, and each structure ends with tagged fields. We write no tags, and skip those in responses.
 */

import { type WireReader, type WireWriter, wireBody, wireReader } from './wire.ts'

export interface FlexibleWriter extends WireWriter {
  /** Ends a structure, without tags. */
  noTags(): void
}

/** Returns the body of a flexible request, with the tags that end its header. @param write leaves out the last tags */
export function flexibleBody(write: (to: FlexibleWriter) => void): Buffer {
  return wireBody((to) => {
    const varint = (value: number) => {
      let rest = value
      const bytes = []
      for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
      to.bytes(Buffer.from([...bytes, rest]))
    }
    const noTags = () => varint(0)
    noTags()
    write({
      ...to,
      text(value) {
        const bytes = Buffer.from(value)
        varint(bytes.length + 1)
        to.bytes(bytes)
      },
      array(items, writeItem) {
        varint(items.length + 1)
        for (const item of items) writeItem(item)
      },
      noTags,
    })
    noTags()
  })
}

export interface FlexibleReader extends WireReader {
  skipTags(): void
}

/** Reads the response to a flexible request, behind the tags that end its header. */
export function flexibleReader(payload: Buffer): FlexibleReader {
  const reader = wireReader(payload)
  const { bytes } = reader
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes(1).readUInt8()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const skipTags = () => {
    for (let count = varint(); count > 0; count--) {
      varint()
      bytes(varint())
    }
  }
  skipTags()
  return {
    ...reader,
    text: () => bytes(varint() - 1).toString(),
    array: (read) => Array.from({ length: Math.max(varint() - 1, 0) }, read),
    skipTags,
  }
}
