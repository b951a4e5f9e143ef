/**
 * Reads pages of an LMDB file directly, in the layout of data version 2 (lmdb-js), little endian.
 */

import { readFileSync, readSync } from 'node:fs'
import { LogCorruptError } from '../log.ts'

const metaAt = 24
const metaBytes = metaAt + 160
const magic = 0xbeefc0de
/** Flag of a meta page that was written before the pages of its state were flushed. */
const isUnflushed = 0x1000
export const pageHeaderBytes = 24
const nodeHeaderBytes = 8
export const databaseBytes = 48
/** A leaf's reference to a value on pages of its own: the first page, a transaction, the number of pages. */
export const bigDataBytes = 24
const noRoot = 0xffff_ffff_ffff_ffffn
export const [isBranch, isLeaf, isOverflow] = [1, 2, 4]
export const [isBigData, isSubDatabase, isDuplicates] = [1, 2, 4]
/** The most levels of a tree: a deeper one would not fit on a disk. */
export const deepestTree = 32

export interface Database {
  readonly depth: number
  readonly pages: readonly [branch: number, leaf: number, overflow: number]
  readonly entries: number
  /** Null for an empty database. */
  readonly root: number | null
}

export interface Meta {
  readonly pageSize: number
  readonly databases: readonly Database[]
  readonly lastPage: number
  readonly transaction: bigint
  /** Whether the disk had all pages of this state before its meta page was written. */
  readonly isFlushed: boolean
  /** The boot of the system in which it was written; 0 where that is unknown. */
  readonly boot: bigint
}

export interface Metas {
  /** The state that LMDB opens. */
  readonly opened: Meta
  /**
   * All whole meta pages: `opened`, then the others, the newest first. Each is the root of a whole
   * state.
   */
  readonly whole: readonly Meta[]
  /** False if one of the two ordinary meta pages is damaged. */
  readonly areComplete: boolean
  /** Whether LMDB leaves out newer commits, whose pages a crash of the system may have lost. */
  readonly areRolledBack: boolean
  /** Whether `opened` is of an earlier boot of the system; false where its boot is unknown. */
  readonly isOfEarlierBoot: boolean
}

export type Read = (at: number, length: number) => Buffer

export const damaged = (path: string, at: number, what: string) =>
  new LogCorruptError(`${path} is damaged at byte ${at}: ${what}`)

/** @param sizeNow returns the size of the file (bytes), which grows while another process writes to it */
export function createReader(file: number, sizeNow: () => number, path: string): Read {
  let size = sizeNow()
  return (at, length) => {
    if (at + length > size) size = sizeNow()
    if (!(at >= 0 && at + length <= size)) {
      throw damaged(path, at, `it is cut short, at ${size} bytes`)
    }
    const bytes = Buffer.allocUnsafe(length)
    if (readSync(file, bytes, 0, length, at) !== length) throw damaged(path, at, 'it is cut short')
    return bytes
  }
}

/**
 * Returns the meta pages, chosen as lmdb-js does (`mdb_pick_meta`, `mdb_env_pick_meta`). Commits write the two ordinary
 * ones in turn without waiting for the disk. The last flushed state has a third, in the middle of the first page. After
 * a crash of the system, LMDB goes back to that one.
 * @throws LogCorruptError when neither of the ordinary ones is whole
 */
export function metasIn(read: Read, path: string): Metas {
  const metaOf = (at: number) => {
    try {
      return metaIn(read(at, metaBytes), true)
    } catch {
      return null
    }
  }
  const first = metaOf(0)
  // The second is one page after the first, which names the page size if it is whole.
  const sizes = first ? [first.pageSize] : [4_096, 8_192, 16_384, 32_768, 65_536]
  const second = sizes.map(metaOf).find((meta, index) => meta?.pageSize === sizes[index]) ?? null
  const either = first ?? second
  if (!either) throw damaged(path, 0, 'neither of its meta pages is whole')
  // LMDB writes no mark into the third.
  const third = metaIn(read(either.pageSize / 2, metaBytes), false)
  const flushed = third?.pageSize === either.pageSize && third.transaction > 0n ? third : null
  const newer = olderUnlessKept(either, second ?? either)
  const opened = flushed ? olderUnlessKept(newer, flushed) : newer
  const whole = [first, second, flushed].filter(
    (meta) => meta !== null && meta !== opened,
  ) as Meta[]
  const newest = [first, second].reduce((most, meta) => {
    return meta && meta.transaction > most ? meta.transaction : most
  }, 0n)
  return {
    opened,
    whole: [opened, ...whole.sort((a, b) => Number(b.transaction - a.transaction))],
    areComplete: first !== null && second !== null,
    areRolledBack: opened.transaction < newest,
    isOfEarlierBoot: thisBoot !== null && opened.boot !== 0n && opened.boot !== thisBoot,
  }
}

/** Returns the newer of two states, but the older one if a crash may have damaged the newer. */
function olderUnlessKept(a: Meta, b: Meta): Meta {
  if (b.transaction === 0n) return a
  const newer = a.transaction >= b.transaction ? a : b
  if (newer.isFlushed || (newer.boot !== 0n && newer.boot === (thisBoot ?? newer.boot)))
    return newer
  return a.transaction > b.transaction ? b : a
}

/** This boot as LMDB stores it: the first part of its id. Null on other systems than Linux. */
const thisBoot = (() => {
  try {
    return BigInt(`0x${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-')[0]}`)
  } catch {
    return null
  }
})()

function metaIn(page: Buffer, isMarked: boolean): Meta | null {
  if (isMarked && page.readUInt32LE(metaAt) !== magic) return null
  const pageSize = page.readUInt32LE(metaAt + 24)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return null
  return {
    pageSize,
    databases: [databaseIn(page, metaAt + 24), databaseIn(page, metaAt + 24 + databaseBytes)],
    lastPage: Number(page.readBigUInt64LE(metaAt + 120)),
    transaction: page.readBigUInt64LE(metaAt + 128),
    isFlushed: (page.readUInt16LE(metaAt + 28) & isUnflushed) === 0,
    boot: page.readBigInt64LE(metaAt + 136),
  }
}

export function databaseIn(bytes: Buffer, at: number): Database {
  const number = (from: number) => Number(bytes.readBigUInt64LE(at + from))
  const root = bytes.readBigUInt64LE(at + 40)
  return {
    depth: bytes.readUInt16LE(at + 6),
    pages: [number(8), number(16), number(24)],
    entries: number(32),
    root: root === noRoot ? null : Number(root),
  }
}

/** A node of a branch or a leaf, with the places of its parts in the page. */
export interface PageNode {
  readonly key: Buffer
  readonly flags: number
  /** The page number of its child, in a branch. */
  readonly child: number
  /** The place of its value in a leaf or, with `isBigData`, of the number of its first page. */
  readonly dataAt: number
  readonly dataSize: number
}

/** Returns the node at an offset of its page; null when it does not end within the page. */
export function nodeIn(page: Buffer, at: number): PageNode | null {
  if (at < pageHeaderBytes || at + nodeHeaderBytes > page.length) return null
  const low = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 65_536
  const flags = page.readUInt16LE(at + 4)
  const dataAt = at + nodeHeaderBytes + page.readUInt16LE(at + 6)
  if (dataAt > page.length) return null
  const key = page.subarray(at + nodeHeaderBytes, dataAt)
  return { key, flags, child: low + flags * 4_294_967_296, dataAt, dataSize: low }
}
