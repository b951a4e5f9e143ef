/**
 * Frames in one buffer, built once and sent to many clients. Each frame has a place of fixed width for its number,
 * which is written for every client just before its bytes are sent.
 */

import {
  appendText,
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../../pipeline/text/page-buffer.ts'

export interface Frames {
  readonly page: PageBuffer
  /** End of each frame. */
  readonly ends: number[]
  /** Position of each frame's number; -1 for a frame without one. */
  readonly places: number[]
  /** Width of the places. */
  width: number
  /** Results of `allBytes` and `eachBytes`, cached because creating them costs as much as numbering. */
  all: Uint8Array | null
  each: readonly Uint8Array[] | null
  /** The frames for clients that take gzip; null until one needs them. */
  deflated: DeflatedFrames | null
}

/** Frames compressed between their numbers, by `gzip-stream.ts`. */
export interface DeflatedFrames {
  readonly page: PageBuffer
  /** Positions of the numbers of frames that have one. */
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

/** Returns the bytes of all frames, valid until they are cleared. */
export function allBytes(frames: Frames): Uint8Array {
  frames.all ??= frames.page.bytes.subarray(0, frames.page.length)
  return frames.all
}

/** Returns the bytes of each frame, valid until they are cleared. */
export function eachBytes(frames: Frames): readonly Uint8Array[] {
  const { page, ends } = frames
  frames.each ??= ends.map((end, i) => page.bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
  return frames.each
}

export function append(frames: Frames, text: string) {
  appendText(frames.page, text)
}

/** @param whole an integer, 0 or more */
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

/** Reserves the place of the frame's number. */
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
 * Writes ascending numbers into the places.
 * @param isPadded whether zeros come before the number, instead of blanks after it
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

/** Writes the last digits of a number, padded with zeros. */
function writeDigits(bytes: Uint8Array, from: number, end: number, whole: number) {
  let at = end
  let rest = whole
  while (rest > most32) {
    const tens = Math.floor(rest / 10)
    bytes[--at] = zero + (rest - 10 * tens)
    rest = tens
  }
  // 32-bit integers divide several times as fast, and there are many frames.
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
