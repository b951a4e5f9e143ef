/**
 * Decompresses request bodies, which log shippers and `curl` may compress. The decompressed size has the same limit
 * as a plain body. The work runs in the runtime's threads.
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
 * Returns the coding of a body.
 * @param header the text of `Content-Encoding`
 * @returns null for a plain body
 * @throws ApiError unsupported_media_type
 */
export function bodyCoding(header: string): BodyCoding | null {
  const name = header.trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = name === 'x-gzip' ? 'gzip' : name
  if (isKnown(coding)) return coding
  throw new ApiError(
    'unsupported_media_type',
    `This Content-Encoding is not supported: use one of ${Object.keys(decoders).join(', ')}, or none.`,
  )
}

/** Bodies decompressed and handled at a time, because eight kilobytes may become eight megabytes. */
const mostAtOnce = 2
/** Most compressed bodies that wait. */
const mostWaiting = 200

export interface Inflating {
  /**
   * Runs `task` once there is room.
   * @throws ApiError service_unavailable if too many wait
   */
  run(task: () => Promise<void>): Promise<void>
}

/** Limits the compressed bodies in progress. A waiting body takes only its compressed size. */
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
        // The next one takes its place.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

/**
 * Decompresses a body; an empty one stays empty.
 * @throws ApiError payload_too_large, validation_error for invalid or incomplete bytes
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
      const message = `The decompressed body exceeds ${maxBytes} bytes; send it in parts.`
      throw new ApiError('payload_too_large', message)
    }
    throw new ApiError('validation_error', `The body is not valid ${coding}, or is incomplete.`)
  }
}
