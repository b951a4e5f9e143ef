/** Compresses uncached responses. Cached ones are compressed by `reads.ts`. */

import { pipeline } from 'node:stream'
import type { Coding } from '../answer/codings.ts'
import { type Compressor, isCompressible, leastCompressedBytes } from '../answer/compressor.ts'
import type { Answer } from '../route.ts'
import type { SentHeaders } from './answer.ts'

/** Compresses a response and sets `headers.coding`. @returns the response itself if it stays plain */
export type CodeAnswer = (answer: Answer, headers: SentHeaders) => Answer | Promise<Answer>

export function createCodeAnswer(compressor: Compressor): CodeAnswer {
  /** Compressed documents. Documents are shared objects, so each is compressed once. */
  const documents = new WeakMap<Uint8Array, Map<Coding, Promise<Buffer>>>()

  function compress(coding: Coding, body: Uint8Array | Buffer, isNeeded: boolean) {
    const known = documents.get(body) ?? new Map<Coding, Promise<Buffer>>()
    const making = known.get(coding) ?? compressor.compress(coding, body, isNeeded)
    if (making) documents.set(body, known.set(coding, making))
    return making
  }

  return (answer, headers) => {
    const { accepted } = headers
    const { body, stream, headers: own } = answer
    const type = own?.['Content-Type'] ?? 'application/json'
    if (!accepted?.coding || !isCompressible(type)) return answer
    const { coding, isPlainRefused } = accepted
    if (stream) {
      const coded = compressor.compressStream(coding, isPlainRefused)
      if (!coded) return answer
      headers.coding = coding
      // The reader of the result gets errors of the source.
      return { ...answer, stream: pipeline(stream, coded, () => {}) }
    }
    if (body === undefined) return answer
    const bytes = body instanceof Uint8Array ? body : Buffer.from(textOf(body))
    if (bytes.length < leastCompressedBytes && !isPlainRefused) return { ...answer, body: bytes }
    const making = compress(coding, bytes, isPlainRefused)
    if (!making) return { ...answer, body: bytes }
    return making.then((coded) => {
      headers.coding = coding
      return { ...answer, body: coded }
    })
  }
}

const textOf = (body: string | object) => (typeof body === 'string' ? body : JSON.stringify(body))
