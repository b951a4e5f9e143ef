/**
 * Frames back to back in one buffer, built once and sent to many: where each frame of a client has its
 * own number there is a place of fixed width, filled in anew for every client just before its bytes
 * are handed to the socket.
 */

import { appendText, createPageBuffer, type PageBuffer } from '../../pipeline/views/odds-page.ts'

export interface Frames {
  readonly page: PageBuffer
  /** Where each frame ends. */
  readonly ends: number[]
  /** Where the number of each frame stands; of one without, -1. */
  readonly places: number[]
  /** What `allBytes` and `eachBytes` have given: looking at bytes costs as much as numbering them. */
  all: Uint8Array | null
  each: readonly Uint8Array[] | null
}

export function createFrames(): Frames {
  return { page: createPageBuffer(), ends: [], places: [], all: null, each: null }
}

export function clearFrames(frames: Frames) {
  frames.page.length = 0
  frames.ends.length = 0
  frames.places.length = 0
  frames.all = null
  frames.each = null
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

const zero = 0x30
const blank = 0x20

/** Leaves room for a number; `endFrame` belongs to it. */
export function appendPlace(frames: Frames, width: number) {
  frames.places.push(frames.page.length)
  append(frames, ' '.repeat(width))
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
    let rest = next++
    let at = place + width
    if (!isPadded) {
      const digits = digitsOf(rest)
      for (let i = place + digits; i < at; i++) bytes[i] = blank
      at = place + digits
    }
    while (at > place) {
      const tens = Math.floor(rest / 10)
      bytes[--at] = zero + (rest - 10 * tens)
      rest = tens
    }
  }
  return next
}

export function digitsOf(whole: number): number {
  let digits = 1
  for (let bound = 10; whole >= bound; bound *= 10) digits++
  return digits
}
