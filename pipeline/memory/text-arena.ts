/**
 * Off-heap memory for ready-to-send text: extents of bytes in large chunks, so that a million rows
 * are a few buffers for the garbage collector.
 *
 * Extents come in size classes, each a quarter larger than the one before; a freed extent serves the next request of
 * its class. Chunks are never freed.
 */

import { invariant } from '../invariant.ts'
import { bisect } from './bisect.ts'

/** A buffer with the internal writer behind `write(text, at, 'latin1')`, which the types leave out. */
export type Chunk = Buffer & { latin1Write(text: string, at: number, length: number): number }

/** A run of bytes in one chunk. */
export interface Extent {
  readonly chunk: Chunk
  /** `chunk.buffer`, which the engine takes long to look up. */
  readonly memory: ArrayBufferLike
  readonly start: number
  readonly capacity: number
  readonly sizeClass: number
}

export interface TextArena {
  /** Returns an extent of at least `bytes`; its old content is not cleared. */
  allocate(bytes: number): Extent
  free(extent: Extent): void
  /** Bytes held in chunks, used or not. */
  readonly heldBytes: number
}

const smallestBytes = 512
const chunkBytes = 16 * 1024 * 1024

/** Capacities by class: multiples of 64 bytes, each about 1.25 times the one before. */
const capacities: number[] = [smallestBytes]
while (capacities.at(-1)! < 2 ** 30) {
  capacities.push(Math.ceil((capacities.at(-1)! * 1.25) / 64) * 64)
}

function sizeClassOf(bytes: number): number {
  invariant(bytes <= capacities.at(-1)!, 'an extent stays below a gigabyte')
  return bisect(0, capacities.length - 1, (sizeClass) => capacities[sizeClass]! < bytes)
}

export function createTextArena(): TextArena {
  const freed: Extent[][] = capacities.map(() => [])
  let heldBytes = 0
  let chunk = open(0)
  let used = 0

  function open(bytes: number): Chunk {
    heldBytes += bytes
    return Buffer.allocUnsafeSlow(bytes) as Chunk
  }

  return {
    get heldBytes() {
      return heldBytes
    },
    allocate(bytes) {
      const sizeClass = sizeClassOf(bytes)
      const before = freed[sizeClass]!.pop()
      if (before) return before
      const capacity = capacities[sizeClass]!
      if (capacity > chunkBytes / 8) {
        const own = open(capacity)
        return { chunk: own, memory: own.buffer, start: 0, capacity, sizeClass }
      }
      if (used + capacity > chunk.length) {
        chunk = open(chunkBytes)
        used = 0
      }
      const start = used
      used += capacity
      return { chunk, memory: chunk.buffer, start, capacity, sizeClass }
    },
    free(extent) {
      freed[extent.sizeClass]!.push(extent)
    },
  }
}
