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
}

export function createFrames(): Frames {
  return { page: createPageBuffer(), ends: [], places: [] }
}

export function clearFrames(frames: Frames) {
  frames.page.length = 0
  frames.ends.length = 0
  frames.places.length = 0
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

/** How numbers are written into their places. */
export interface Numbering {
  readonly width: number
  /** Zeros before the number, else blanks behind it. */
  readonly isPadded: boolean
}

/** Numbers the frames upwards. @returns the number after the last */
export function number(frames: Frames, first: number, { width, isPadded }: Numbering): number {
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
