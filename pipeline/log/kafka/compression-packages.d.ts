/** Types for packages without types, as far as `compression.ts` uses them. */

declare module 'lz4js' {
  /** Unpacks one LZ4 frame. */
  export function decompress(frame: Uint8Array): Uint8Array
}

declare module 'snappyjs' {
  /** Unpacks one Snappy block into a buffer of the same kind. */
  export function uncompress<Bytes extends Uint8Array>(block: Bytes): Bytes
}
