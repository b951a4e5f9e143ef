/** Exports of lmdb-js that its types leave out. */

import type { Key } from 'lmdb'

declare module 'lmdb' {
  /** @throws Error for bytes that are no key */
  export function bufferToKeyValue(bytes: Buffer): Key
  export function keyValueToBuffer(key: Key): Uint8Array
}
