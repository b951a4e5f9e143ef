/** The encodings of Kafka's requests and responses: numbers are big-endian, and a text follows its length. */

export interface WireWriter {
  int8(value: number): void
  int16(value: number): void
  int32(value: number): void
  /** Takes a number, or a decimal string of one. */
  int64(value: number | string): void
  text(value: string): void
  bytes(value: Buffer): void
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
  write({
    int8: (value) => number(1, (to) => to.writeInt8(value)),
    int16,
    int32: (value) => number(4, (to) => to.writeInt32BE(value)),
    int64: (value) => number(8, (to) => to.writeBigInt64BE(BigInt(value))),
    text(value) {
      const encoded = Buffer.from(value)
      int16(encoded.length)
      bytes(encoded)
    },
    bytes,
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
}

export function wireReader(payload: Buffer): WireReader {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  return {
    int16: () => payload.readInt16BE(skip(2)),
    int32: () => payload.readInt32BE(skip(4)),
    int64: () => Number(payload.readBigInt64BE(skip(8))),
    bytes: (length) => payload.subarray(skip(Math.max(length, 0)), at),
  }
}
