/** What `compression.ts` uses of packages that bring no types. */

declare module 'lz4js' {
  /** One LZ4 frame. */
  export function decompress(frame: Uint8Array): Uint8Array
}

declare module 'snappyjs' {
  /** One Snappy block; a buffer of the same kind. */
  export function uncompress<Bytes extends Uint8Array>(block: Bytes): Bytes
}
