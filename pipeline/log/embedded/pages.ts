/**
 * The pages of an LMDB file, by plain reads: the layout of their parts. The layout is that of data version 2
 * (lmdb-js), little endian.
 */

import { readSync } from 'node:fs'
import { LogCorruptError } from '../log.ts'

const metaAt = 24
const magic = 0xbeefc0de
export const pageHeaderBytes = 24
export const nodeHeaderBytes = 8
export const databaseBytes = 48
/** A leaf's reference to a value on pages of its own: the first page, a transaction, the number of pages. */
export const bigDataBytes = 24
const noRoot = 0xffff_ffff_ffff_ffffn
export const [isBranch, isLeaf, isOverflow] = [1, 2, 4]
export const [isBigData, isSubDatabase, isDuplicates] = [1, 2, 4]
/** The most levels of a tree: one with more would not fit on a disk. */
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
}

export type Read = (at: number, length: number) => Buffer

export const damaged = (path: string, at: number, what: string) =>
  new LogCorruptError(`${path} is damaged at byte ${at}: ${what}`)

export function createReader(file: number, size: number, path: string): Read {
  return (at, length) => {
    if (!(at >= 0 && at + length <= size)) {
      throw damaged(path, at, `it is cut short, at ${size} bytes`)
    }
    const bytes = Buffer.allocUnsafe(length)
    if (readSync(file, bytes, 0, length, at) !== length) throw damaged(path, at, 'it is cut short')
    return bytes
  }
}

/** Returns the whole meta pages, the newest first: each is the root of a whole state of the store. */
export function metasIn(read: Read): readonly Meta[] {
  const metaOf = (at: number) => {
    try {
      return metaIn(read(at, metaAt + 160))
    } catch {
      return null
    }
  }
  const first = metaOf(0)
  // The second is one page further on, and the first has the page size, if it is whole.
  const sizes = first ? [first.pageSize] : [4_096, 8_192, 16_384, 32_768, 65_536]
  const second = sizes.map((size) => ({ size, meta: metaOf(size) }))
  const metas = [first, ...second.map(({ size, meta }) => (meta?.pageSize === size ? meta : null))]
  return metas.filter((meta) => meta !== null).sort((a, b) => Number(b.transaction - a.transaction))
}

/** @throws LogCorruptError when there is none */
export function newestMeta(read: Read, path: string): Meta {
  const [newest] = metasIn(read)
  if (!newest) throw damaged(path, 0, 'neither of its meta pages is whole')
  return newest
}

function metaIn(page: Buffer): Meta | null {
  if (page.readUInt32LE(metaAt) !== magic) return null
  const pageSize = page.readUInt32LE(metaAt + 24)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return null
  return {
    pageSize,
    databases: [databaseIn(page, metaAt + 24), databaseIn(page, metaAt + 24 + databaseBytes)],
    lastPage: Number(page.readBigUInt64LE(metaAt + 120)),
    transaction: page.readBigUInt64LE(metaAt + 128),
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
