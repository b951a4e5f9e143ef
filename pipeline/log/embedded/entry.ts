/**
 * The format of records in a storage entry of the embedded log: a header, then one frame per
 * record.
 *
 *     header  f64 number of the commit, f64 written at (epoch ms), u16 schema with the highest bit set,
 *             u32 CRC-32 of the rest of the entry and of where it is stored
 *     frame   offset - first offset, commit - commit of the header, key size,
 *             0 for a tombstone else value size + 1 (all varints), key in UTF-8, value
 *
 * In an entry without that bit, which an earlier version wrote, there is no checksum: its frames
 * follow the schema. A fresh entry holds part of one commit, its offsets without gaps. Compaction
 * leaves entries with gaps and merges neighbours, so an entry may then span commits; order never
 * changes.
 */

import { crc32 } from 'node:zlib'
import { LogCorruptError } from '../log.ts'

const checksumAt = 18
const headerBytes = 22
const plainHeaderBytes = 18
const hasChecksum = 0x8000
/** The size from which an entry is closed: large enough to be cheap to store, small enough to rewrite. */
export const fullEntryBytes = 65_536

export interface EntryHeader {
  readonly commit: number
  readonly writtenAt: number
  readonly schemaId: number
}

/** One record's place in an entry. `scanEntry` uses the same object for every call. */
export interface Frame {
  offset: number
  commit: number
  keyStart: number
  keyEnd: number
  tombstone: boolean
  valueEnd: number
}

export const readHeader = (entry: Buffer): EntryHeader => {
  if (entry.length < plainHeaderBytes) throw new LogCorruptError('a log entry is cut short')
  return {
    commit: entry.readDoubleBE(0),
    writtenAt: entry.readDoubleBE(8),
    schemaId: entry.readUInt16BE(16) & ~hasChecksum,
  }
}

const startOfFrames = (entry: Buffer) =>
  (entry.readUInt16BE(16) & hasChecksum) === 0 ? plainHeaderBytes : headerBytes

/** Returns the checksum of an entry. It covers the place, so a moved entry counts as damaged. */
function checksumOf(entry: Buffer, topicId: number, first: number): number {
  const place = crc32(`${topicId} ${first}`)
  return crc32(entry.subarray(headerBytes), crc32(entry.subarray(0, checksumAt), place))
}

/**
 * Returns whether an entry is unchanged since it was written.
 * @param mustHave true if it was written when all entries had a checksum
 */
export function isAsWritten(entry: Buffer, topicId: number, first: number, mustHave: boolean) {
  if (entry.length < plainHeaderBytes) return false
  if (startOfFrames(entry) === plainHeaderBytes) return !mustHave
  if (entry.length < headerBytes) return false
  return entry.readUInt32BE(checksumAt) === checksumOf(entry, topicId, first)
}

/** Fills in the header of an entry that `createEntryBuilder` made, for its place in the store. */
export function writeHeader(
  entry: Buffer,
  header: EntryHeader,
  topicId: number,
  first: number,
): void {
  entry.writeDoubleBE(header.commit, 0)
  entry.writeDoubleBE(header.writtenAt, 8)
  entry.writeUInt16BE(header.schemaId | hasChecksum, 16)
  entry.writeUInt32BE(checksumOf(entry, topicId, first), checksumAt)
}

/**
 * Calls `visit` for each record of an entry, in order, always with the same object.
 * @param first the offset under which the entry is stored
 * @throws LogCorruptError when the frames do not fill the entry exactly
 */
export function scanEntry(entry: Buffer, first: number, visit: (frame: Frame) => void): void {
  const { commit } = readHeader(entry)
  const frame: Frame = {
    offset: 0,
    commit: 0,
    keyStart: 0,
    keyEnd: 0,
    tombstone: false,
    valueEnd: 0,
  }
  const size = entry.length
  let at = startOfFrames(entry)

  const varint = () => {
    let byte = entry[at++]!
    let value = byte & 0x7f
    // Offsets outgrow 32 bits, so no shifting.
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = entry[at++]!
      value += (byte & 0x7f) * scale
    }
    return value
  }

  while (at < size) {
    frame.offset = first + varint()
    frame.commit = commit + varint()
    const keySize = varint()
    const valueSize = varint()
    frame.tombstone = valueSize === 0
    frame.keyStart = at
    frame.keyEnd = at + keySize
    at = frame.keyEnd + (valueSize === 0 ? 0 : valueSize - 1)
    frame.valueEnd = at
    if (!(at <= size)) throw new LogCorruptError(`the log entry at ${first} is cut short`)
    visit(frame)
  }
}

/** Bytes of a varint, for sizes below 2^28. */
const widestVarint = 4

/** Collects frames into entries whose headers are still to be written. */
export function createEntryBuilder() {
  let bytes = Buffer.allocUnsafe(2 * fullEntryBytes)
  let end = headerBytes

  const reserve = (more: number) => {
    if (end + more <= bytes.length) return
    const grown = Buffer.allocUnsafe(2 * (end + more))
    bytes.copy(grown, 0, 0, end)
    bytes = grown
  }
  const varint = (value: number) => {
    let rest = value
    while (rest >= 128) {
      bytes[end++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    bytes[end++] = rest
  }

  return {
    get size() {
      return end
    },
    /** Starts over. */
    clear() {
      end = headerBytes
    },
    /**
     * Adds a record. `write` puts its value into the buffer and returns its end, or minus the number of missing
     * bytes; null for a tombstone.
     */
    add(
      offsetStep: number,
      commitStep: number,
      key: string,
      write: ((into: Buffer, at: number) => number) | null,
    ) {
      const keySize = Buffer.byteLength(key)
      reserve(keySize + 32)
      varint(offsetStep)
      varint(commitStep)
      varint(keySize)
      if (write === null) {
        varint(0)
        bytes.write(key, end)
        end += keySize
        return
      }
      // The size is known only once the value is written, so room for the widest varint is
      // reserved.
      const sizeAt = end
      end += widestVarint
      bytes.write(key, end)
      end += keySize
      let valueEnd = write(bytes, end)
      while (valueEnd < 0) {
        reserve(-valueEnd + bytes.length - end)
        valueEnd = write(bytes, end)
      }
      let size = valueEnd - end + 1
      for (let i = 0; i < widestVarint - 1; i++) {
        bytes[sizeAt + i] = (size & 127) | 128
        size >>>= 7
      }
      bytes[sizeAt + widestVarint - 1] = size
      end = valueEnd
    },
    /** Adds a record from another entry. */
    copy(offsetStep: number, commitStep: number, from: Buffer, frame: Frame) {
      const { keyStart, keyEnd, valueEnd } = frame
      reserve(valueEnd - keyStart + 32)
      varint(offsetStep)
      varint(commitStep)
      varint(keyEnd - keyStart)
      varint(frame.tombstone ? 0 : valueEnd - keyEnd + 1)
      from.copy(bytes, end, keyStart, valueEnd)
      end += valueEnd - keyStart
    },
    /** Returns the entry so far, as its own buffer. */
    take() {
      const entry = Buffer.from(bytes.subarray(0, end))
      end = headerBytes
      return entry
    },
    /** Returns the entry so far, valid until the next addition. */
    lend() {
      const entry = bytes.subarray(0, end)
      end = headerBytes
      return entry
    },
  }
}
