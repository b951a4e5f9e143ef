/**
 * Reads compressed batches: we write uncompressed ones, but a topic's setting may let the broker
 * compress them. Kafka numbers its compressions in the last three bits of a batch's attributes.
 */

import { gunzipSync } from 'node:zlib'
import { decompress as unzstd } from 'fzstd'
import { decompress as unlz4 } from 'lz4js'
import { uncompress as unsnappy } from 'snappyjs'

const compressions: readonly ((bytes: Buffer) => Uint8Array)[] = [
  (bytes) => bytes,
  gunzipSync,
  unframeSnappy,
  unlz4,
  unzstd,
]

/**
 * Decompresses a batch. @param kind Kafka's number. @throws Error for one that Kafka does not have, or bytes that are
 * not of that kind
 */
export function decompressed(bytes: Buffer, kind: number): Buffer {
  const decompress = compressions[kind]
  if (!decompress) throw new Error(`records are compressed in a way ${kind} that is not known`)
  const { buffer, byteOffset, byteLength } = decompress(bytes)
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** The header of Snappy blocks as Java writes them: a name, two versions, then blocks with their length. */
const javaFrame = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const javaHeadBytes = 16

/** Unpacks Snappy as Kafka stores it, in Java's frame of blocks or as one block. */
function unframeSnappy(bytes: Buffer): Uint8Array {
  if (!bytes.subarray(0, javaFrame.length).equals(javaFrame)) return unsnappy(bytes)
  const blocks = []
  for (let at = javaHeadBytes; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    at += 4
    blocks.push(unsnappy(bytes.subarray(at, at + length)))
    at += length
  }
  return Buffer.concat(blocks)
}
