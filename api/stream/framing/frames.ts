/**
 * Frames back to back in one buffer, built once and sent to many: where each frame of a client has its
 * own number there is a place of fixed width, filled in anew for every client just before its bytes
 * are handed to the socket.
 */

import {
  appendText,
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../../pipeline/text/page-buffer.ts'

export interface Frames {
  readonly page: PageBuffer
  /** Where each frame ends. */
  readonly ends: number[]
  /** Where the number of each frame stands; of one without, -1. */
  readonly places: number[]
  /** Of the places. */
  width: number
  /** What `allBytes` and `eachBytes` have given: looking at bytes costs as much as numbering them. */
  all: Uint8Array | null
  each: readonly Uint8Array[] | null
  /** The same for clients that take gzip; null before the first. */
  deflated: DeflatedFrames | null
}

/** Compressed between their numbers, by `gzip-stream.ts`. */
export interface DeflatedFrames {
  readonly page: PageBuffer
  /** Where the number of each frame that has one stands. */
  readonly places: number[]
  isMade: boolean
}

export function createFrames(): Frames {
  return {
    page: createPageBuffer(),
    ends: [],
    places: [],
    width: 0,
    all: null,
    each: null,
    deflated: null,
  }
}

export function clearFrames(frames: Frames) {
  frames.page.length = 0
  frames.ends.length = 0
  frames.places.length = 0
  frames.all = null
  frames.each = null
  if (frames.deflated) frames.deflated.isMade = false
}

/** Frames that are whole, one behind the other; valid until they are cleared. */
export function allBytes(frames: Frames): Uint8Array {
  frames.all ??= frames.page.bytes.subarray(0, frames.page.length)
  return frames.all
}

/** The same, each by itself. */
export function eachBytes(frames: Frames): readonly Uint8Array[] {
  const { page, ends } = frames
  frames.each ??= ends.map((end, i) => page.bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
  return frames.each
}

export function append(frames: Frames, text: string) {
  appendText(frames.page, text)
}

/** Appends a whole number that is not negative. */
export function appendNumber(page: PageBuffer, whole: number) {
  const digits = digitsOf(whole)
  reserve(page, digits)
  const from = page.length
  page.length += digits
  writeDigits(page.bytes, from, page.length, whole)
}

const most32 = 0x7fffffff
const zero = 0x30
const blank = 0x20

/** Leaves room for a number; `endFrame` belongs to it. */
export function appendPlace(frames: Frames, width: number) {
  const { page } = frames
  frames.places.push(page.length)
  frames.width = width
  reserve(page, width)
  for (let i = 0; i < width; i++) page.bytes[page.length + i] = blank
  page.length += width
}

export function endFrame(frames: Frames) {
  if (frames.places.length === frames.ends.length) frames.places.push(-1)
  frames.ends.push(frames.page.length)
}

/**
 * Numbers the frames upwards, in places of this width.
 * @param isPadded zeros before the number, else blanks behind it
 * @returns the number after the last
 */
export function number(frames: Frames, first: number, width: number, isPadded: boolean): number {
  const { bytes } = frames.page
  let next = first
  for (const place of frames.places) {
    if (place < 0) continue
    const whole = next++
    let end = place + width
    if (!isPadded) {
      const digits = digitsOf(whole)
      bytes.fill(blank, place + digits, end)
      end = place + digits
    }
    writeDigits(bytes, place, end, whole)
  }
  return next
}

/** The last digits of a number, with zeros before them. */
function writeDigits(bytes: Uint8Array, from: number, end: number, whole: number) {
  let at = end
  let rest = whole
  while (rest > most32) {
    const tens = Math.floor(rest / 10)
    bytes[--at] = zero + (rest - 10 * tens)
    rest = tens
  }
  // Many clients have many frames: whole numbers of 32 bits are divided several times as fast.
  let small = rest | 0
  while (at > from) {
    const tens = (small / 10) | 0
    bytes[--at] = zero + (small - 10 * tens)
    small = tens
  }
}

export function digitsOf(whole: number): number {
  let digits = 1
  for (let bound = 10; whole >= bound; bound *= 10) digits++
  return digits
}
