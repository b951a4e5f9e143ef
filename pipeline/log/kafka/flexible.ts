/**
 * The encodings of requests that Kafka calls flexible: lengths are varints and one more than they are, so that 0 can stand
 * for null, and each structure ends with tagged fields. We write no tags, and skip those that are answered.
 */

export interface FlexibleWriter {
  int8(value: number): void
  int16(value: number): void
  int32(value: number): void
  /** Takes a number, or a decimal string of one. */
  int64(value: number | string): void
  text(value: string): void
  array<Item>(items: readonly Item[], write: (item: Item) => void): void
  /** Ends a structure. */
  noTags(): void
}

/** The body of a flexible request, with the tags that end its header. @param write leaves out the last tags */
export function flexibleBody(write: (to: FlexibleWriter) => void): Buffer {
  const parts: Buffer[] = []
  const number = (bytes: number, put: (to: Buffer) => void) => {
    const part = Buffer.alloc(bytes)
    put(part)
    parts.push(part)
  }
  const varint = (value: number) => {
    const bytes = []
    for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
    parts.push(Buffer.from([...bytes, value]))
  }
  const writer: FlexibleWriter = {
    int8: (value) => number(1, (to) => to.writeInt8(value)),
    int16: (value) => number(2, (to) => to.writeInt16BE(value)),
    int32: (value) => number(4, (to) => to.writeInt32BE(value)),
    int64: (value) => number(8, (to) => to.writeBigInt64BE(BigInt(value))),
    text(value) {
      const bytes = Buffer.from(value)
      varint(bytes.length + 1)
      parts.push(bytes)
    },
    array(items, writeItem) {
      varint(items.length + 1)
      for (const item of items) writeItem(item)
    },
    noTags: () => varint(0),
  }
  writer.noTags()
  write(writer)
  writer.noTags()
  return Buffer.concat(parts)
}

export interface FlexibleReader {
  int16(): number
  int32(): number
  /** Offsets, times and producers' ids: they stay far below 2^53. */
  int64(): number
  /** Empty for null. */
  text(): string
  /** Empty for null. */
  array<Item>(read: () => Item): Item[]
  skipTags(): void
}

/** Reads the answer to a flexible request, behind the tags that end its header. */
export function flexibleReader(payload: Buffer): FlexibleReader {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = payload[at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const reader: FlexibleReader = {
    int16: () => payload.readInt16BE(skip(2)),
    int32: () => payload.readInt32BE(skip(4)),
    int64: () => Number(payload.readBigInt64BE(skip(8))),
    text() {
      const start = skip(Math.max(varint() - 1, 0))
      return payload.toString('utf8', start, at)
    },
    array: (read) => Array.from({ length: Math.max(varint() - 1, 0) }, read),
    skipTags() {
      for (let count = varint(); count > 0; count--) {
        varint()
        skip(varint())
      }
    },
  }
  reader.skipTags()
  return reader
}
