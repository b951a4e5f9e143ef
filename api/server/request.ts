/** Reads requests: keys, paths, headers, and bodies within their limits. */

import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { plainIssue } from '../../schemas/http/plain-issue.ts'
import { bearerToken } from '../access/keys.ts'
import { ApiError } from '../errors.ts'
import type { Request, Response } from './listener.ts'

/** Parameters that may carry the key, on every route. */
export const keyParameters = ['api_key']

/** Returns the key of a request, from `X-API-Key`, else `Authorization: Bearer`, else `api_key`; empty for none. */
export function presentedKey(request: Request, query: string): string {
  const header = request.getHeader('x-api-key')
  if (header !== '') return header
  const bearer = request.getHeader('authorization')
  if (bearer !== '') {
    const token = bearerToken(bearer)
    if (token !== '') return token
  }
  if (!query.includes('api_key=')) return ''
  return new URLSearchParams(query).get('api_key') ?? ''
}

/** Longer queries are not cached. */
export const longestCached = 512

/** Returns the cache key of a read; null for a query that contains an API key or is very long. */
export function cacheKeyOf(query: string, path: string): string | null {
  if (query.length + path.length > longestCached || query.includes('api_key=')) return null
  return path === '' ? query : `${path}?${query}`
}

export function headersOf(names: readonly string[], request: Request): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, request.getHeader(name)]))
}

/** Returns the names of a route's path parameters, such as `id` in `/:id`. */
export const parameterNames = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

export function pathOf(names: readonly string[], request: Request): Record<string, string> {
  const path: Record<string, string> = {}
  for (const [i, name] of names.entries()) path[name] = decoded(request.getParameter(i) ?? '')
  return path
}

/** Decodes a path parameter. Invalid percent-encoding stays unchanged and matches nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Most bytes that are read and discarded beyond a body's limit. */
const mostDiscardedBytes = 32 * 1024 * 1024

export interface BodyLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

export interface Receiver {
  done(): boolean
  complete(bytes: Buffer): void
  /** @param isCut whether more of the body may come, so that the connection must close */
  fail(error: ApiError, isCut: boolean): void
}

/**
 * Reads a body to its end, or fails if it is too large or too slow. The rest of a too large body is read and
 * discarded, because a client that is still sending would lose the response if the connection closed. Beyond
 * `mostDiscardedBytes` it is cut off.
 * @param declared the declared length; NaN for chunks
 */
export function receive(
  response: Response,
  declared: number,
  { maxBytes, timeoutMs }: BodyLimits,
  to: Receiver,
) {
  const mostRead = maxBytes + mostDiscardedBytes
  if (declared > mostRead || (declared > maxBytes && response.isBodyWaiting)) {
    to.fail(tooLarge(maxBytes), true)
    return
  }
  let chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => {
    const error =
      bytes > maxBytes
        ? tooLarge(maxBytes)
        : new ApiError('validation_error', `The body took longer than ${timeoutMs / 1_000} s.`)
    to.fail(error, true)
  }, timeoutMs)
  response.onData((chunk, isLast) => {
    if (isLast || to.done()) clearTimeout(timer)
    if (to.done()) return
    bytes += chunk.byteLength
    if (bytes <= maxBytes) {
      // The chunk is valid only inside this call.
      chunks.push(Buffer.from(chunk))
      if (isLast) to.complete(Buffer.concat(chunks))
      return
    }
    chunks = []
    if (!isLast && bytes <= mostRead) return
    clearTimeout(timer)
    to.fail(tooLarge(maxBytes), !isLast)
  })
}

const tooLarge = (maxBytes: number) =>
  new ApiError('payload_too_large', `A body has at most ${maxBytes} bytes; send it in parts.`)

/** @throws ApiError validation_error for a body that is not JSON, or does not match the schema */
export function decodeBody(schema: Pick<z.ZodType, 'safeParse'>, bytes: Buffer): unknown {
  let value: unknown
  if (bytes.length > 0) {
    if (!isUtf8(bytes)) throw new ApiError('validation_error', 'The body is not UTF-8.')
    try {
      value = JSON.parse(bytes.toString('utf8'))
    } catch {
      throw new ApiError('validation_error', 'The body is not JSON.')
    }
  }
  const parsed = schema.safeParse(value, { error: plainIssue })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the body'}: ${message}`)
  throw new ApiError('validation_error', `${problems.join('; ')}.`)
}
