/**
 * Checks whether LMDB can open the file of a store. LMDB maps its file and trusts it. If the file
 * is cut short or altered, it reads beyond the end or follows a wrong page number, and a signal
 * ends the process. So before LMDB opens one, its pages are walked here, by plain reads: the meta
 * page that LMDB will choose, and from there every branch and leaf. The contents of entries are not
 * read; they carry their own checksum (`entry.ts`).
 */

import { closeSync, fstatSync, openSync } from 'node:fs'
import {
  bigDataBytes,
  createReader,
  type Database,
  damaged,
  databaseBytes,
  databaseIn,
  deepestTree,
  isBigData,
  isBranch,
  isDuplicates,
  isLeaf,
  isOverflow,
  isSubDatabase,
  type Meta,
  metasIn,
  nodeIn,
  pageHeaderBytes,
  type Read,
} from './pages.ts'

/**
 * @throws LogCorruptError that names the file and the offset of the first damage. A store that
 * changes meanwhile is not judged: the process that writes to it has checked it.
 */
export function checkStructure(path: string): void {
  readMetas(path, (read, sizeNow) => {
    const { opened, areComplete } = metasIn(read, path)
    // LMDB itself checks neither meta page.
    if (!areComplete) throw damaged(path, 0, 'one of its meta pages is not whole')
    // A writer makes the file longer before its meta page names the new pages.
    const size = sizeNow()
    try {
      walk(read, opened, size, path)
    } catch (error) {
      if (metasIn(read, path).opened.transaction !== opened.transaction) return
      throw error
    }
  })
}

/** Returns whether LMDB will leave out commits that a crash of the system may have damaged. */
export function isRolledBack(path: string): boolean {
  return readMetas(path, (read) => metasIn(read, path).areRolledBack) ?? false
}

/** Returns whether the state that LMDB opens is from before the last boot; false if unknown. */
export function isOfEarlierBoot(path: string): boolean {
  return readMetas(path, (read) => metasIn(read, path).isOfEarlierBoot) ?? false
}

/** Returns the number of the newest commit; undefined for an empty file. */
export const newestTransaction = (path: string) =>
  readMetas(path, (read) => {
    return metasIn(read, path).whole.reduce(
      (newest, { transaction }) => (transaction > newest ? transaction : newest),
      0n,
    )
  })

/** Returns undefined for an empty file. */
function readMetas<Value>(path: string, look: (read: Read, sizeNow: () => number) => Value) {
  const file = openSync(path, 'r')
  const sizeNow = () => fstatSync(file).size
  try {
    return sizeNow() === 0 ? undefined : look(createReader(file, sizeNow, path), sizeNow)
  } finally {
    closeSync(file)
  }
}

function walk(read: Read, meta: Meta, size: number, path: string): void {
  const { pageSize, lastPage } = meta
  const seen = new Set<number>()

  function take(page: number, count: number, from: number) {
    if (!(page >= 2 && page + count - 1 <= lastPage)) {
      throw damaged(path, from * pageSize, `it names page ${page}, and the last is ${lastPage}`)
    }
    // Checked before the pages are counted: a damaged file may claim more pages than memory can
    // hold.
    if ((page + count) * pageSize > size) {
      throw damaged(path, page * pageSize, `it is cut short, at ${size} bytes`)
    }
    for (let one = page; one < page + count; one++) {
      if (seen.has(one)) throw damaged(path, from * pageSize, `page ${one} is named twice`)
      seen.add(one)
    }
  }

  function walkTree(database: Database, from: number) {
    const counted = { pages: [0, 0, 0] as [number, number, number], entries: 0 }
    let last: Buffer | null = null

    function checkOverflow(node: Buffer, dataAt: number, dataSize: number, page: number) {
      const first = Number(node.readBigUInt64LE(dataAt))
      const count = Number(node.readBigUInt64LE(dataAt + 16))
      if (!(count >= 1) || count * pageSize < dataSize + pageHeaderBytes) {
        throw damaged(path, page * pageSize, 'a value is larger than its pages')
      }
      take(first, count, page)
      const header = read(first * pageSize, pageHeaderBytes)
      const isIts = Number(header.readBigUInt64LE(0)) === first
      if (!isIts || (header.readUInt16LE(18) & isOverflow) === 0) {
        throw damaged(path, first * pageSize, 'it is not the page that it should be')
      }
      counted.pages[2] += count
    }

    function walkPage(pageNumber: number, level: number, named: number) {
      take(pageNumber, 1, named)
      const page = read(pageNumber * pageSize, pageSize)
      const wrong = (what: string) => damaged(path, pageNumber * pageSize, what)
      if (Number(page.readBigUInt64LE(0)) !== pageNumber || level > deepestTree) {
        throw wrong('it is not the page that it should be')
      }
      const flags = page.readUInt16LE(18)
      const isLast = level === database.depth
      if (((flags & isBranch) !== 0) === isLast || ((flags & isLeaf) !== 0) !== isLast) {
        throw wrong('it is of another kind than it should be')
      }
      const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
      if (lower > upper || upper > pageSize - pageHeaderBytes || lower % 2 === 1) {
        throw wrong('its bounds are none')
      }
      counted.pages[isLast ? 1 : 0]++
      for (let index = 0; index < lower / 2; index++) {
        const at = pageHeaderBytes + page.readUInt16LE(pageHeaderBytes + 2 * index)
        const node = at < pageHeaderBytes + upper ? null : nodeIn(page, at)
        if (!node) throw wrong('it has a node beyond its bounds')
        const { key, flags: nodeFlags, dataAt, dataSize } = node
        if (!isLast) {
          walkPage(node.child, level + 1, pageNumber)
          continue
        }
        if (dataAt + ((nodeFlags & isBigData) === 0 ? dataSize : bigDataBytes) > pageSize) {
          throw wrong('it has a value beyond its end')
        }
        // The list of free pages is sorted by number, not by bytes; all its keys have one length.
        if (last && !isFreeList && Buffer.compare(last, key) >= 0)
          throw wrong('its keys are out of order')
        last = key
        counted.entries++
        if ((nodeFlags & isDuplicates) !== 0)
          throw wrong('it has a value of a kind that is not used')
        if ((nodeFlags & isBigData) !== 0) checkOverflow(page, dataAt, dataSize, pageNumber)
        else if ((nodeFlags & isSubDatabase) !== 0) {
          if (dataSize !== databaseBytes) throw wrong('it has a database of another size')
          walkTree(databaseIn(page, dataAt), pageNumber)
        }
      }
    }

    const isFreeList = database === meta.databases[0]
    if (database.root !== null) walkPage(database.root, 1, from)
    const isAsCounted =
      counted.entries === database.entries &&
      counted.pages.every((count, index) => count === database.pages[index])
    if (!isAsCounted) throw damaged(path, from * pageSize, 'a tree has another size than it says')
  }

  for (const database of meta.databases) walkTree(database, 0)
}
