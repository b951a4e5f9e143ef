/**
 * The encodings of Kafka's requests and responses: numbers are big-endian, and a text follows its length.
 *
 * Newer ones are "flexible": a length is written as a varint of length + 1 (0 means null), and
 * headers and structures end with tagged fields. We write no tags, and skip those in responses.
 */

import { groupByTopic, type TopicPartition } from './partition-offsets.ts'

type WireWriter = ReturnType<typeof createWriter>

/** @returns everything that `write` wrote */
export const wireBody = (write: (to: WireWriter) => void): Buffer => bodyOf(false, write)

/** Returns the body of a flexible request, between the tags that end the header and the body. */
export const flexibleBody = (write: (to: WireWriter) => void): Buffer => bodyOf(true, write)

function bodyOf(isFlexible: boolean, write: (to: WireWriter) => void): Buffer {
  const parts: Buffer[] = []
  const writer = createWriter(isFlexible, parts)
  writer.end()
  write(writer)
  writer.end()
  return Buffer.concat(parts)
}

function createWriter(isFlexible: boolean, parts: Buffer[]) {
  function number(length: number, put: (to: Buffer) => void) {
    const part = Buffer.allocUnsafe(length)
    put(part)
    parts.push(part)
  }
  const int8 = (value: number) => number(1, (to) => to.writeInt8(value))
  const int16 = (value: number) => number(2, (to) => to.writeInt16BE(value))
  const int32 = (value: number) => number(4, (to) => to.writeInt32BE(value))
  const bytes = (value: Buffer) => void parts.push(value)

  function varint(value: number) {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) bytes(Buffer.of((rest & 0x7f) | 0x80))
    bytes(Buffer.of(rest))
  }
  const length = isFlexible ? (value: number) => varint(value + 1) : int32
  const textLength = isFlexible ? length : int16

  function end() {
    if (isFlexible) varint(0)
  }

  function text(value: string) {
    const encoded = Buffer.from(value)
    textLength(encoded.length)
    bytes(encoded)
  }

  function array<Item>(items: readonly Item[], write: (item: Item) => void) {
    length(items.length)
    for (const item of items) write(item)
  }

  const structs = <Item>(items: readonly Item[], write: (item: Item) => void) =>
    array(items, (item) => {
      write(item)
      end()
    })

  return {
    // Listed one by one: a spread took longer than writing most requests.
    int8,
    int16,
    int32,
    bytes,
    text,
    array,
    int64(value: number) {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`)
      const high = Math.floor(value / 2 ** 32)
      number(8, (to) => to.writeUInt32BE(value - high * 2 ** 32, to.writeInt32BE(high)))
    },
    /** Writes an array of structures. */
    structs,
    /** Ends a structure. */
    end,
    /**
     * Writes partitions topic by topic, without tags. @param write writes the fields after a
     * partition's number
     */
    partitions<Place extends TopicPartition>(
      places: readonly Place[],
      write: (place: Place) => void = () => {},
    ) {
      structs(groupByTopic(places), ([topic, some]) => {
        text(topic)
        array(some, (place) => {
          int32(place.partition)
          write(place)
        })
      })
    },
  }
}

export const wireReader = (payload: Buffer) => createReader(false, payload)

/** Reads the response to a flexible request, from after the tags that end its header. */
export function flexibleReader(payload: Buffer) {
  const reader = createReader(true, payload)
  reader.end()
  return reader
}

function createReader(isFlexible: boolean, payload: Buffer) {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const int16 = () => payload.readInt16BE(skip(2))
  const int32 = () => payload.readInt32BE(skip(4))
  const bytes = (length: number) => payload.subarray(skip(Math.max(length, 0)), at)
  const text = () => bytes(textLength()).toString()

  function varint() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = payload.readUInt8(skip(1))
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const length = isFlexible ? () => varint() - 1 : int32
  const textLength = isFlexible ? length : int16

  function end() {
    for (let tags = isFlexible ? varint() : 0; tags > 0; tags--) {
      varint()
      skip(varint())
    }
  }

  function array<Item>(read: () => Item): Item[] {
    const items = []
    for (let rest = length(); rest > 0; rest--) items.push(read())
    return items
  }

  function structs<Item>(read: () => Item): Item[] {
    const items = []
    for (let rest = length(); rest > 0; rest--) {
      items.push(read())
      end()
    }
    return items
  }

  return {
    int16,
    int32,
    int8: () => payload.readInt8(skip(1)),
    /** Reads offsets, times and producers' ids, which stay far below 2^53. */
    int64: () => int32() * 2 ** 32 + payload.readUInt32BE(skip(4)),
    /** Returns the next bytes as a view; empty for a negative `length`. */
    bytes,
    /** Reads a text; empty for null. */
    text,
    /** Reads an array; empty for null. */
    array,
    /** Reads an array of structures. */
    structs,
    /** Reads the end of a structure. */
    end,
    /** Reads partitions topic by topic. @param read reads the fields after a partition's number */
    partitions<Item>(read: (place: TopicPartition) => Item): Item[] {
      const items = []
      for (let topics = length(); topics > 0; topics--) {
        const topic = text()
        for (let rest = length(); rest > 0; rest--) {
          items.push(read({ topic, partition: int32() }))
          end()
        }
        end()
      }
      return items
    },
  }
}
