/**
 * Finds the whole entries in the file of a damaged store. It reads the file directly, because LMDB
 * may crash the process on it.
 *
 * **Whole entries.** An entry counts if its checksum is right and the store still holds it. The
 * trees below the meta page that LMDB opens show which entries it holds, as far as their pages are
 * readable. Below an unreadable page, the leaves are searched one by one. LMDB leaves old pages in
 * the file, and an old page could bring back deleted rows. So such a leaf counts only if the list
 * of free pages is whole and does not include it. Entries that compaction has not touched always
 * count, because they are written only once.
 *
 * Rows of the state have no checksum. Values in them that follow from the entries are computed
 * anew. If the row of a topic or group is gone, the newest row on an old page is used, and for
 * topics the note beside the store.
 */

import { closeSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { bufferToKeyValue } from 'lmdb'
import { addTo } from '../../../schemas/grouping.ts'
import { isAsWritten, readHeader, scanEntry } from './entry.ts'
import type { GroupOffsets, LogState, TopicState } from './log-state.ts'
import {
  bigDataBytes,
  createReader,
  type Database,
  databaseBytes,
  databaseIn,
  deepestTree,
  isBigData,
  isBranch,
  isLeaf,
  isOverflow,
  isSubDatabase,
  type Meta,
  metasIn,
  nodeIn,
  type PageNode,
  pageHeaderBytes,
} from './pages.ts'
import { readTopicNotes } from './topic-notes.ts'
import type { Writer } from './writer-process.ts'

/** A whole entry, and its place in the file. */
export interface EntryPlace {
  readonly first: number
  /** The offset after its last record. */
  readonly end: number
  readonly records: number
  readonly commit: number
  readonly writtenAt: number
  readonly at: number
  readonly bytes: number
}

export interface SalvagedTopic {
  readonly name: string
  /** The topic's row in the store; its `records` is the number of records expected. */
  readonly state: TopicState
  /** False if its row in the store is gone and this one is from an older page. */
  readonly isCurrent: boolean
  /** Entries by offset, without overlaps. */
  readonly entries: readonly EntryPlace[]
  /** Unreadable offset ranges [from, to); in a compacted topic, some offsets had no record. */
  readonly unread: readonly (readonly [from: number, to: number])[]
}

export interface Salvage {
  /** Null when its row is gone. */
  readonly log: LogState | null
  readonly topics: readonly SalvagedTopic[]
  readonly groups: ReadonlyMap<string, GroupOffsets>
  /** Records in whole entries of topics whose names are lost. */
  readonly namelessRecords: number
  /** The process that last wrote to the store, if its row is whole. */
  readonly writer: Writer | null
  /**
   * Whether this is the newest state of the store; otherwise it is of an older commit, and later offsets may be in
   * use.
   */
  readonly isNewest: boolean
  /** The damage, in sentences; empty for a whole store. */
  readonly damage: readonly string[]
}

interface StateRow {
  readonly name: string
  /** The topic or group that the row belongs to; null for neither. */
  readonly of: string | null
  readonly value: unknown
}

interface Bound {
  readonly topicId: number
  readonly offset: number
}

const start: Bound = { topicId: 0, offset: 0 }
const never: Bound = { topicId: Number.POSITIVE_INFINITY, offset: 0 }

/**
 * @throws LogCorruptError if neither ordinary meta page is whole: then pages in use cannot be told
 * from old ones
 */
export function salvage(path: string): Salvage {
  const file = openSync(path, 'r')
  try {
    return salvageFile(file, path)
  } finally {
    closeSync(file)
  }
}

function salvageFile(file: number, path: string): Salvage {
  const size = fstatSync(file).size
  const read = createReader(file, () => size, path)
  const { opened, whole, areComplete, areRolledBack } = metasIn(read, path)
  const damage: string[] = []
  // If the meta page was altered, its trees are invalid. Then another one, of another commit, is
  // used.
  const { meta, trees } = firstWithRoots(whole)
  if (!areComplete || meta !== opened) {
    damage.push('a meta page is damaged: the newest commit may be lost')
  }
  const isNewest = damage.length === 0 && !areRolledBack
  const { pageSize } = meta
  damage.push(...trees.damage)

  const stale: StateRow[] = []
  const orphans: { topicId: number; place: EntryPlace; isInUse: boolean }[] = []
  if (trees.damage.length > 0) {
    for (let page = 2; (page + 1) * pageSize <= size; page++) {
      if (trees.reached.has(page)) continue
      const isInUse = trees.free !== null && page <= meta.lastPage && !trees.free.has(page)
      for (const leaf of leavesOf(page, pageSize)) {
        if (leaf.entry) orphans.push({ ...leaf.entry, isInUse })
        else if (leaf.row) stale.push(leaf.row)
      }
    }
  }

  const rowsOf = (name: string, rows: readonly StateRow[]) =>
    rows.filter((row) => row.name === name)
  // The log's own row hardly ever changes, so an older one is as good.
  const log = rowsOf('log', [...trees.rows, ...stale])[0]?.value ?? null
  const states = new Map<string, { state: TopicState; isCurrent: boolean; sweptTo: number }>()
  for (const [rows, isCurrent] of [
    [trees.rows, true],
    [stale, false],
  ] as const) {
    for (const { of: name, value } of rowsOf('topic', rows)) {
      const before = states.get(name!)
      if (!isTopicState(value) || before?.isCurrent) continue
      if (before && value.end <= before.state.end) continue
      states.set(name!, { state: value, isCurrent, sweptTo: sweptEnd(value) })
    }
  }
  for (const [name, { id, clean, schemas }] of readTopicNotes(dirname(path))) {
    const before = states.get(name)
    if (before?.isCurrent) continue
    const least = {
      end: 0,
      clean: 0,
      resumable: 0,
      records: 0,
      bytes: 0,
      oldestAt: 0,
      compaction: null,
    }
    // The noted compaction may not have begun, so the note's `clean` is not used.
    const noted = { ...(before?.state ?? least), id, schemas: [...schemas] }
    if (!isTopicState(noted)) continue
    states.set(name, {
      state: noted,
      isCurrent: false,
      sweptTo: Math.max(clean, before?.sweptTo ?? 0),
    })
  }
  const groups = new Map<string, GroupOffsets>()
  for (const { of: name, value } of rowsOf('group', trees.rows))
    groups.set(name!, value as GroupOffsets)
  const current = new Set(groups.keys())
  for (const { of: name, value } of rowsOf('group', stale)) {
    if (current.has(name!)) continue
    const before = groups.get(name!) ?? {}
    const both = { ...before }
    for (const [topic, offset] of Object.entries(value as GroupOffsets)) {
      both[topic] = Math.max(both[topic] ?? 0, offset)
    }
    groups.set(name!, both)
  }

  const topics: SalvagedTopic[] = []
  const named = new Set<number>()
  for (const [name, { state, isCurrent, sweptTo }] of states) {
    named.add(state.id)
    const isReadable = (place: EntryPlace) => schemaAt(place) < state.schemas.length
    const reached = trees.entries.get(state.id) ?? []
    const others = orphans
      .filter(({ topicId }) => topicId === state.id)
      .filter(
        ({ place, isInUse }) =>
          isInUse || (place.first >= sweptTo && (!isCurrent || place.end <= state.end)),
      )
      .map(({ place }) => place)
    const entries = withoutOverlaps(reached.filter(isReadable), others.filter(isReadable))
    const unread = trees.unread
      .filter(({ from, to }) => from.topicId <= state.id && to.topicId >= state.id)
      .map(
        ({ from, to }) =>
          [
            from.topicId < state.id ? 0 : from.offset,
            to.topicId > state.id ? state.end : to.offset,
          ] as const,
      )
    topics.push({ name, state, isCurrent, entries, unread: outside(entries, unread) })
  }
  const namelessRecords = [
    ...trees.entries,
    ...orphans.map(({ topicId, place, isInUse }) => [topicId, isInUse ? [place] : []] as const),
  ]
    .filter(([topicId]) => !named.has(topicId))
    .flatMap(([, places]) => places)
    .reduce((sum, { records }) => sum + records, 0)
  return {
    log: log as LogState | null,
    topics,
    groups,
    namelessRecords,
    writer: (rowsOf('writer', trees.rows)[0]?.value as Writer | undefined) ?? null,
    isNewest,
    damage,
  }

  function schemaAt({ at }: EntryPlace) {
    return readHeader(read(at, 32)).schemaId
  }

  function firstWithRoots([first, ...others]: readonly Meta[]) {
    const found = { meta: first!, trees: readTrees(first!) }
    if (found.trees.hasRoots) return found
    for (const meta of others) {
      const trees = readTrees(meta)
      if (trees.hasRoots) return { meta, trees }
    }
    return found
  }

  function readTrees(meta: Meta) {
    const { pageSize, lastPage } = meta
    const reached = new Set<number>()
    const damage: string[] = []
    const entries = new Map<number, EntryPlace[]>()
    const rows: StateRow[] = []
    const unread: { from: Bound; to: Bound }[] = []
    let checkedFrom = 0
    const [freeTree, mainTree] = meta.databases as [Database, Database]
    const say = (at: number, what: string) => damage.push(`byte ${at}: ${what}`)

    /**
     * Calls `visit` for each node of the leaves, with the key of the next node. Calls `lose` for an
     * unreadable page, and for the whole tree if its size differs from the stated one.
     */
    function walk(
      tree: Database,
      visit: (page: number, bytes: Buffer, node: PageNode, to: Bound) => void,
      lose: (from: Bound, to: Bound) => void,
    ): boolean {
      let isWhole = true
      const counted = { branches: 0, leaves: 0, entries: 0 }
      const step = (number: number, level: number, from: Bound, to: Bound) => {
        const bytes = reached.has(number) ? null : pageAt(number, pageSize, lastPage)
        const wanted = level === tree.depth ? isLeaf : isBranch
        const isKind = bytes !== null && (bytes.readUInt16LE(18) & (isLeaf | isBranch)) === wanted
        if (!bytes || !isKind || level > deepestTree) {
          isWhole = false
          say(number * pageSize, 'a page cannot be read')
          lose(from, to)
          return
        }
        reached.add(number)
        const nodes = nodesOf(bytes)
        if (wanted === isBranch) counted.branches++
        else {
          counted.leaves++
          counted.entries += nodes.length
        }
        const bounds = nodes.map((node, index) => {
          const isFirstOfBranch = wanted === isBranch && index === 0
          return (!isFirstOfBranch && node && boundOf(node.key)) || null
        })
        for (const [index, node] of nodes.entries()) {
          const begins = bounds[index] ?? (index === 0 ? from : null)
          const ends = bounds.slice(index + 1).find((bound) => bound !== null) ?? to
          if (!node) {
            isWhole = false
            say(number * pageSize, 'a node cannot be read')
            lose(bounds.slice(0, index).findLast((bound) => bound !== null) ?? from, ends)
          } else if (wanted === isBranch) step(node.child, level + 1, begins ?? from, ends)
          else visit(number, bytes, node, ends)
        }
      }
      if (tree.root !== null) step(tree.root, 1, start, never)
      const { branches, leaves, entries } = counted
      const [ownBranches, ownLeaves] = tree.pages
      // A page whose bounds were altered may hide some of its nodes.
      if (
        isWhole &&
        (branches !== ownBranches || leaves !== ownLeaves || entries !== tree.entries)
      ) {
        isWhole = false
        say((tree.root ?? 0) * pageSize, 'a tree has another size than it says')
        lose(start, never)
      }
      return isWhole
    }

    const free = new Set<number>()
    const listIsWhole = walk(
      freeTree,
      (page, bytes, node) => {
        const value = storedIn(page, bytes, node, pageSize)
        if (!value || !readFree(value.bytes, free, lastPage))
          say(page * pageSize, 'the list of free pages cannot be read')
      },
      () => {},
    )
    let isListed = listIsWhole && damage.length === 0
    const named = new Map<string, Database>()
    walk(
      mainTree,
      (page, bytes, node) => {
        if (
          (node.flags & isSubDatabase) === 0 ||
          node.dataSize !== databaseBytes ||
          node.dataAt + databaseBytes > pageSize
        ) {
          say(page * pageSize, 'a tree has no root')
          return
        }
        named.set(node.key.toString('latin1').replace(/\0$/, ''), databaseIn(bytes, node.dataAt))
      },
      () => unread.push({ from: start, to: never }),
    )
    // The state has the commit from which entries have checksums, so it comes first.
    const [stateTree, entryTree] = [named.get('state'), named.get('entries')]
    if (stateTree) walkRows(stateTree)
    if (entryTree) walkEntries(entryTree)
    if (!stateTree || !entryTree) {
      say(0, 'a tree has no root')
      unread.push({ from: start, to: never })
    }
    for (const page of free) if (reached.has(page)) isListed = false
    const hasRoots = named.size > 0 || isListed
    return { free: isListed ? free : null, reached, damage, entries, rows, unread, hasRoots }

    function walkRows(tree: Database) {
      walk(
        tree,
        (page, bytes, node) => {
          const value = storedIn(page, bytes, node, pageSize)
          markReached(node, bytes)
          const row = value && rowIn(node.key, value.bytes)
          if (!row) say(page * pageSize, 'a row of the state cannot be read')
          else rows.push(row)
          if (row?.name === 'log') {
            checkedFrom = (row.value as LogState).checkedFrom ?? Number.POSITIVE_INFINITY
          }
        },
        () => {},
      )
    }

    function walkEntries(tree: Database) {
      walk(
        tree,
        (page, bytes, node, to) => {
          const key = boundOf(node.key)
          const value = storedIn(page, bytes, node, pageSize)
          markReached(node, bytes)
          const place = key && value && placeOf(key, value, checkedFrom)
          if (place) {
            addTo(entries, key.topicId, place)
            return
          }
          say(page * pageSize, 'an entry is not as it was written')
          if (key) unread.push({ from: key, to })
        },
        (from, to) => unread.push({ from, to }),
      )
    }

    function markReached(node: PageNode, bytes: Buffer) {
      if ((node.flags & isBigData) === 0 || node.dataAt + bigDataBytes > pageSize) return
      const first = Number(bytes.readBigUInt64LE(node.dataAt))
      const count = Math.ceil((node.dataSize + pageHeaderBytes) / pageSize)
      for (let page = first; page < first + count && page <= lastPage; page++) reached.add(page)
    }
  }

  /** Returns a page by its number; null if it is missing or has another number. */
  function pageAt(number: number, pageSize: number, lastPage: number): Buffer | null {
    if (!(number >= 2 && number <= lastPage && (number + 1) * pageSize <= size)) return null
    const bytes = read(number * pageSize, pageSize)
    if (Number(bytes.readBigUInt64LE(0)) !== number) return null
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    return lower > upper || upper > pageSize - pageHeaderBytes || lower % 2 === 1 ? null : bytes
  }

  function nodesOf(page: Buffer): (PageNode | null)[] {
    const count = page.readUInt16LE(20) / 2
    return Array.from({ length: count }, (_, index) =>
      nodeIn(page, pageHeaderBytes + page.readUInt16LE(pageHeaderBytes + 2 * index)),
    )
  }

  /** Returns the value of a leaf's node and its place in the file; null when it is missing. */
  function storedIn(page: number, bytes: Buffer, node: PageNode, pageSize: number) {
    const { dataAt, dataSize, flags } = node
    if ((flags & isBigData) === 0) {
      if (dataAt + dataSize > pageSize) return null
      return { at: page * pageSize + dataAt, bytes: bytes.subarray(dataAt, dataAt + dataSize) }
    }
    if (dataAt + bigDataBytes > pageSize) return null
    const first = Number(bytes.readBigUInt64LE(dataAt))
    const at = first * pageSize + pageHeaderBytes
    if (!(first >= 2 && at + dataSize <= size)) return null
    const header = read(first * pageSize, pageHeaderBytes)
    const isIts =
      Number(header.readBigUInt64LE(0)) === first && (header.readUInt16LE(18) & isOverflow) !== 0
    return isIts ? { at, bytes: read(at, dataSize) } : null
  }

  function* leavesOf(number: number, pageSize: number) {
    const bytes = pageAt(number, pageSize, Number.POSITIVE_INFINITY)
    if (!bytes || (bytes.readUInt16LE(18) & (isLeaf | isBranch)) !== isLeaf) return
    for (const node of nodesOf(bytes)) {
      const value = node && storedIn(number, bytes, node, pageSize)
      if (!value) continue
      const key = boundOf(node.key)
      const place = key && placeOf(key, value, 0)
      if (place) yield { entry: { topicId: key.topicId, place } }
      else if (!key) yield { row: rowIn(node.key, value.bytes) }
    }
  }
}

function placeOf(
  { topicId, offset: first }: Bound,
  { at, bytes }: { at: number; bytes: Buffer },
  checkedFrom: number,
): EntryPlace | null {
  const mustHave = bytes.length >= 8 && bytes.readDoubleBE(0) >= checkedFrom
  if (!isAsWritten(bytes, topicId, first, mustHave)) return null
  let [end, records, newest] = [first, 0, 0]
  try {
    scanEntry(bytes, first, ({ offset, commit }) => {
      end = offset + 1
      newest = commit
      records++
    })
  } catch {
    return null
  }
  const { writtenAt } = readHeader(bytes)
  return { first, end, records, commit: newest, writtenAt, at, bytes: bytes.length }
}

function keyIn(bytes: Buffer): unknown {
  try {
    return bufferToKeyValue(bytes)
  } catch {
    return null
  }
}

/** Returns the place that an entry's key names; null for other keys. */
function boundOf(bytes: Buffer): Bound | null {
  const key = keyIn(bytes)
  if (!Array.isArray(key) || key.length !== 2) return null
  const [topicId, offset] = key
  const areCounts = [topicId, offset].every((part) => Number.isSafeInteger(part) && part >= 0)
  return areCounts ? { topicId, offset } : null
}

function rowIn(keyBytes: Buffer, bytes: Buffer): StateRow | null {
  const key = keyIn(keyBytes)
  const [name, of = null] = Array.isArray(key) ? key : [key]
  if (typeof name !== 'string' || (of !== null && typeof of !== 'string')) return null
  try {
    const value: unknown = JSON.parse(bytes.toString())
    const isRow = typeof value === 'object' && value !== null
    // Other values are numbers.
    return isRow || typeof value === 'number' ? { name, of, value } : null
  } catch {
    return null
  }
}

/** Returns the offset below which compaction may have removed records. */
const sweptEnd = ({ clean, resumable }: TopicState) => Math.max(clean, resumable)

function isTopicState(value: unknown): value is TopicState {
  const { id, end, clean, records, schemas } = value as Partial<TopicState>
  return (
    [id, end, clean, records].every((count) => Number.isSafeInteger(count) && count! >= 0) &&
    Array.isArray(schemas) &&
    schemas.every((schema) => typeof schema === 'string')
  )
}

/** Adds the pages of one value of LMDB's list: a count, then pages, or a negative length before the first of a run. */
function readFree(value: Buffer, free: Set<number>, lastPage: number): boolean {
  if (value.length < 8 || value.length % 8 !== 0) return false
  const count = Number(value.readBigInt64LE(0))
  if (!(count >= 0 && 8 * (count + 1) <= value.length)) return false
  for (let index = 1; index <= count; index++) {
    let id = Number(value.readBigInt64LE(8 * index))
    let length = 1
    if (id === 0) continue
    if (id < 0) {
      length = -id
      if (++index > count) return false
      id = Number(value.readBigInt64LE(8 * index))
    }
    if (!(id >= 2 && id + length - 1 <= lastPage)) return false
    for (let page = id; page < id + length; page++) free.add(page)
  }
  return true
}

/** Returns all of `reached`, and the entries of `others` that overlap none, by offset. */
function withoutOverlaps(reached: readonly EntryPlace[], others: readonly EntryPlace[]) {
  const all = [
    ...reached.map((place) => ({ place, isReached: true })),
    ...others.map((place) => ({ place, isReached: false })),
  ].sort(
    (a, b) =>
      a.place.first - b.place.first ||
      Number(b.isReached) - Number(a.isReached) ||
      b.place.commit - a.place.commit,
  )
  const kept: { place: EntryPlace; isReached: boolean }[] = []
  for (const one of all) {
    const last = kept.at(-1)
    if (!last || last.place.end <= one.place.first) kept.push(one)
    else if (one.isReached && !last.isReached) {
      kept.pop()
      kept.push(one)
    }
  }
  return kept.map(({ place }) => place)
}

/** Returns the parts of `ranges` that no entry covers, merged and by offset. */
function outside(
  entries: readonly EntryPlace[],
  ranges: readonly (readonly [number, number])[],
): [number, number][] {
  const left: [number, number][] = []
  let index = 0
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    let at = Math.max(from, left.at(-1)?.[1] ?? 0)
    while (index > 0 && entries[index - 1]!.end > at) index--
    while (at < to) {
      while (index < entries.length && entries[index]!.end <= at) index++
      const next = entries[index]
      const end = Math.min(to, next?.first ?? to)
      if (end > at) {
        const last = left.at(-1)
        if (last?.[1] === at) last[1] = end
        else left.push([at, end])
      }
      at = next && next.first < to ? Math.max(next.end, end) : to
    }
  }
  return left
}
