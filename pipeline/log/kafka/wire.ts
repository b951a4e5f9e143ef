/** The encodings of Kafka's requests and responses: numbers are big-endian, and a text follows its length. */

export interface WireWriter {
  int8(value: number): void
  int16(value: number): void
  int32(value: number): void
  /** Takes a number, or a decimal string of one. */
  int64(value: number | string): void
  text(value: string): void
  bytes(value: Buffer): void
  array<Item>(items: readonly Item[], write: (item: Item) => void): void
}

/** @returns everything that `write` wrote */
export function wireBody(write: (to: WireWriter) => void): Buffer {
  const parts: Buffer[] = []
  const number = (bytes: number, put: (to: Buffer) => void) => {
    const part = Buffer.allocUnsafe(bytes)
    put(part)
    parts.push(part)
  }
  const int16 = (value: number) => number(2, (to) => to.writeInt16BE(value))
  const bytes = (value: Buffer) => {
    parts.push(value)
  }
  const int32 = (value: number) => number(4, (to) => to.writeInt32BE(value))
  write({
    int8: (value) => number(1, (to) => to.writeInt8(value)),
    int16,
    int32,
    int64: (value) => number(8, (to) => to.writeBigInt64BE(BigInt(value))),
    text(value) {
      const encoded = Buffer.from(value)
      int16(encoded.length)
      bytes(encoded)
    },
    bytes,
    array(items, writeItem) {
      int32(items.length)
      for (const item of items) writeItem(item)
    },
  })
  return Buffer.concat(parts)
}

export interface WireReader {
  int16(): number
  int32(): number
  /** Reads offsets, times and producers' ids, which stay far below 2^53. */
  int64(): number
  /** Returns the next bytes, without a copy. @param length none for a negative one */
  bytes(length: number): Buffer
  /** Reads a text; empty for null. */
  text(): string
  /** Reads an array; empty for null. */
  array<Item>(read: () => Item): Item[]
}

export function wireReader(payload: Buffer): WireReader {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const int16 = () => payload.readInt16BE(skip(2))
  const int32 = () => payload.readInt32BE(skip(4))
  const bytes = (length: number) => payload.subarray(skip(Math.max(length, 0)), at)
  return {
    int16,
    int32,
    int64: () => Number(payload.readBigInt64BE(skip(8))),
    bytes,
    text: () => bytes(int16()).toString(),
    array: (read) => Array.from({ length: Math.max(int32(), 0) }, read),
  }
}
