/**
 * Bodies that come compressed, as log shippers and `curl` send them. What they grow to is bounded like
 * a body that comes plain, and the work is done in the runtime's threads.
 */

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ApiError, retryAfter } from '../errors.ts'

export type BodyCoding = keyof typeof decoders

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

const isKnown = (name: string): name is BodyCoding => Object.hasOwn(decoders, name)

/**
 * How a body is compressed.
 * @param header the text of `Content-Encoding`
 * @returns null for a body as it is
 * @throws ApiError unsupported_media_type
 */
export function bodyCoding(header: string): BodyCoding | null {
  const name = header.trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = name === 'x-gzip' ? 'gzip' : name
  if (isKnown(coding)) return coding
  throw new ApiError(
    'unsupported_media_type',
    `A body in this Content-Encoding is not read: send ${Object.keys(decoders).join(', ')}, one of them and once, or none.`,
  )
}

/** Bodies that are decompressed and answered at a time: eight kilobytes may become as many megabytes. */
const mostAtOnce = 2
/** Requests that wait for it with what they have sent. */
const mostWaiting = 200

export interface Inflating {
  /**
   * Runs `task` in its turn, which lasts until it settles.
   * @throws ApiError service_unavailable where too many wait
   */
  run(task: () => Promise<void>): Promise<void>
}

/** The turns of bodies that come compressed. While one waits, it costs what was sent of it. */
export function createInflating(): Inflating {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(task) {
      if (running < mostAtOnce) running++
      else if (waiting.length < mostWaiting) await new Promise<void>((go) => waiting.push(go))
      else {
        const message = 'Too many compressed bodies at once; try again.'
        throw new ApiError('service_unavailable', message, retryAfter(1))
      }
      try {
        await task()
      } finally {
        // Whoever is next has the place.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

/**
 * The body as it was before it was compressed; an empty one stays empty.
 * @throws ApiError payload_too_large, validation_error for bytes that are no such body, or not all of one
 */
export async function decompressed(
  coding: BodyCoding,
  bytes: Buffer,
  maxBytes: number,
): Promise<Buffer> {
  if (bytes.length === 0) return bytes
  try {
    return await decoders[coding](bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `A body has at most ${maxBytes} bytes once it is decompressed; send it in parts.`
      throw new ApiError('payload_too_large', message)
    }
    throw new ApiError('validation_error', `The body is not valid ${coding}, or is incomplete.`)
  }
}
