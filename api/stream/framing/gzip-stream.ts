/**
 * Gzip for SSE streams, whose clients share the compression. Frames differ between clients only in their numbers. The text between two numbers is
 * compressed once for all clients and ends on a whole byte. Each number is a stored block, patched for every client.
 * Nothing refers to an earlier tick, so a client needs no compressor, only the checksum and length of its stream.
 *
 * A part may refer back to earlier parts of its tick, which halves the size. No part may refer to a
 * number: during compression each number is overwritten by a byte that no text contains.
 *
 * If no compression time is left, frames are sent as stored blocks. Each send ends with an empty stored block, as a
 * flush does: until then Go's decoder (Caddy) outputs nothing.
 */

import { constants, crc32, deflateRawSync } from 'node:zlib'
import { createPageBuffer, type PageBuffer, reserve } from '../../../pipeline/text/page-buffer.ts'
import type { CompressionTime } from './compression-time.ts'
import { allBytes, type DeflatedFrames, type Frames } from './frames.ts'

/** Checksum and length of the plain bytes sent to a client. */
export interface GzipStream {
  crc: number
  length: number
}

export interface GzipStreams {
  open(): GzipStream
  /** The header of every stream. */
  readonly head: Uint8Array
  /** Encodes frames. Valid until the next call. */
  frames(stream: GzipStream, frames: Frames): Uint8Array
  /** Encodes bytes of one client. Valid until the next call. */
  bytes(stream: GzipStream, bytes: Uint8Array): Uint8Array
  /** Returns the end of the stream, with its checksum. */
  end(stream: GzipStream): Uint8Array
}

/** RFC 1952: deflate, no name, no time, unknown system. */
const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/** Shorter frames hardly shrink. */
const leastBytes = 256
/** A shorter part is stored together with the number after it. */
const leastPartBytes = 48
/** How far back a part may refer. More costs time and saves few bytes. */
const historyBytes = 4_096
/** A byte that UTF-8 never contains. */
const mask = 0xff
const options = { level: 3, finishFlush: constants.Z_SYNC_FLUSH }
/** A flush ends with the length of an empty stored block. */
const flushTailBytes = 4
const mostStoredBytes = 0xffff

export function createGzipStreams(time: CompressionTime): GzipStreams {
  const stored = createPageBuffer()
  const numbers = createPageBuffer()

  function count(stream: GzipStream, bytes: Uint8Array) {
    stream.crc = crc32(bytes, stream.crc)
    stream.length += bytes.length
  }

  function store(bytes: Uint8Array): Uint8Array {
    stored.length = 0
    for (let at = 0; at < bytes.length; at += mostStoredBytes) {
      const block = bytes.subarray(at, at + mostStoredBytes)
      appendStoredHead(stored, block.length, true)
      appendBytes(stored, block)
    }
    appendStoredHead(stored, 0, true)
    return stored.bytes.subarray(0, stored.length)
  }

  function deflate(frames: Frames): DeflatedFrames {
    frames.deflated ??= { page: createPageBuffer(), places: [], isMade: false }
    const { deflated } = frames
    if (deflated.isMade) return deflated
    time.spend(() => {
      deflated.page.length = 0
      deflated.places.length = 0
      takeNumbers(frames, numbers)
      deflateParts(frames, deflated)
      putNumbers(frames, numbers)
      deflated.isMade = true
    })
    return deflated
  }

  return {
    open: () => ({ crc: 0, length: 0 }),
    head,
    frames(stream, frames) {
      const bytes = allBytes(frames)
      count(stream, bytes)
      const isDeflated = frames.deflated?.isMade === true
      if (bytes.length < leastBytes || !(isDeflated || time.isLeft())) return store(bytes)
      const deflated = deflate(frames)
      copyNumbers(frames, deflated)
      return deflated.page.bytes.subarray(0, deflated.page.length)
    },
    bytes(stream, bytes) {
      count(stream, bytes)
      return store(bytes)
    },
    end({ crc, length }) {
      const end = Buffer.alloc(13)
      // A last block, stored and empty.
      end[0] = 1
      end.writeUInt16LE(0xffff, 3)
      end.writeUInt32LE(crc, 5)
      end.writeUInt32LE(length % 2 ** 32, 9)
      return end
    },
  }
}

// ---- parts

/** Compresses the frames, whose numbers are masked, and leaves places for the numbers. */
function deflateParts({ page, places, width }: Frames, { page: into, places: to }: DeflatedFrames) {
  const { bytes, length } = page
  let from = 0
  for (const place of places) {
    if (place < 0) continue
    if (place - from < leastPartBytes) {
      appendStoredHead(into, place - from + width, true)
      appendBytes(into, bytes.subarray(from, place))
    } else {
      appendDeflated(into, bytes, from, place)
      // Reuse the stored block that the flush began: replace its length with the number's.
      into.length -= flushTailBytes
      appendStoredHead(into, width, false)
    }
    to.push(into.length)
    reserve(into, width)
    into.length += width
    from = place + width
  }
  if (from < length) appendDeflated(into, bytes, from, length)
}

function appendDeflated(into: PageBuffer, bytes: Buffer, from: number, to: number) {
  const text = bytes.subarray(from, to)
  appendBytes(
    into,
    from === 0
      ? deflateRawSync(text, options)
      : deflateRawSync(text, {
          ...options,
          dictionary: bytes.subarray(Math.max(0, from - historyBytes), from),
        }),
  )
}

/**
 * @param isWhole whether to write the header bits as well, of a stored block that is not the last
 */
function appendStoredHead(into: PageBuffer, length: number, isWhole: boolean) {
  reserve(into, 5)
  if (isWhole) into.bytes[into.length++] = 0
  into.bytes.writeUInt16LE(length, into.length)
  into.bytes.writeUInt16LE(length ^ 0xffff, into.length + 2)
  into.length += 4
}

function appendBytes(into: PageBuffer, bytes: Uint8Array) {
  reserve(into, bytes.length)
  into.bytes.set(bytes, into.length)
  into.length += bytes.length
}

// ---- numbers

/** Saves the numbers and masks their places. */
function takeNumbers({ page, places, width }: Frames, numbers: PageBuffer) {
  numbers.length = 0
  for (const place of places) {
    if (place < 0) continue
    appendBytes(numbers, page.bytes.subarray(place, place + width))
    page.bytes.fill(mask, place, place + width)
  }
}

function putNumbers({ page, places, width }: Frames, numbers: PageBuffer) {
  let from = 0
  for (const place of places) {
    if (place < 0) continue
    page.bytes.set(numbers.bytes.subarray(from, from + width), place)
    from += width
  }
}

/** Copies the numbers of the current client from the plain frames. */
function copyNumbers({ page, places, width }: Frames, { page: into, places: to }: DeflatedFrames) {
  let nth = 0
  for (const place of places) {
    if (place < 0) continue
    const at = to[nth++]!
    for (let i = 0; i < width; i++) into.bytes[at + i] = page.bytes[place + i]!
  }
}
