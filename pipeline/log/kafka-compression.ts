/**
 * Reading what brokers have compressed. kafkajs knows gzip alone, and a topic set to another
 * compression could not be read at all. We write uncompressed: a broker compresses as the topic says.
 * Imported for its effect, since kafkajs keeps its codecs in one table for the process.
 */

import { decompress as unzstd } from 'fzstd'
// kafkajs is CommonJS, and Node finds only some of its names.
import kafkajs, { CompressionTypes } from 'kafkajs'
import { decompress as unlz4 } from 'lz4js'
import { uncompress as unsnappy } from 'snappyjs'

const reading = (decompress: (bytes: Buffer) => Uint8Array) => () => ({
  compress: async (): Promise<Buffer> => {
    throw new Error('records are written uncompressed')
  },
  decompress: async (bytes: Buffer) => {
    const { buffer, byteOffset, byteLength } = decompress(bytes)
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  },
})

/** In front of Snappy blocks as Java writes them: a name, two versions, then blocks with their length. */
const javaFrame = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const javaHeadBytes = 16

/** Snappy as Kafka has it, in Java's frame of blocks or as one block. */
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

const { CompressionCodecs } = kafkajs
CompressionCodecs[CompressionTypes.Snappy] = reading(unframeSnappy)
CompressionCodecs[CompressionTypes.LZ4] = reading(unlz4)
CompressionCodecs[CompressionTypes.ZSTD] = reading((bytes) => unzstd(bytes))
