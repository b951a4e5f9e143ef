/**
 * Position tokens, from which clients resume: a version, the log's epoch, and the offsets of the
 * board's tables that can change what a row shows (all but the sightings). Any process on the same
 * log can read them. The changes since a position come from the board's journal if it reaches back,
 * else from the log.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Log, Position } from '../../../pipeline/log/log.ts'
import { bisect } from '../../../pipeline/memory/bisect.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { recentMicros } from '../../../pipeline/views/board/recent.ts'
import { longestPosition } from '../../../schemas/http/issued-texts.ts'
import { topics } from '../../../schemas/topics.ts'
import { invalid } from '../../errors.ts'

/** Tables whose offsets are in a token, in order. */
const tables = [
  topics.events,
  topics.odds,
  topics.sportsbookStatus,
  topics.mainLines,
  topics.withheldPrices,
]

/** Most changed rows of a replay, of all tables. With more, a snapshot is cheaper. */
const mostReplayed = 200_000

/** Version of tokens. Change it with `tables`: an offset missing from a token is not 0. */
const version = 'v3'

/**
 * Writes a token such as `v3:epoch:1.2-3.4-0.0-7.8-0.9`: the version, the log, and the offsets of each table's
 * partitions.
 */
export function positionToken({ epoch, offsets }: Position): string {
  const parts = tables.map(({ name }) => (offsets[name] ?? [0]).join('.'))
  return `${version}:${encodeURIComponent(epoch)}:${parts.join('-')}`
}

/**
 * Tokens of versions 1 and 2: with two to four tables (the first ones had no version), or sealed.
 */
const earlier = /^(?:(?:v[12]:)?(?!v\d+:)[^:]+:\d[\d.]*(?:-\d[\d.]*){1,3}|v[12]:[\w-]{40,})$/
const later = /^v(?![0123]:)[1-9]\d*:./s

/**
 * Reads a token. A token of another version counts as one of another log: its client gets a
 * snapshot, or is refused.
 * @returns undefined for text that is not a token
 */
export function parsePosition(token: string): Position | undefined {
  // No log has this epoch.
  if (earlier.test(token) || later.test(token)) return { epoch: token, offsets: {} }
  const [named, epoch = '', parts = '', ...more] = token.split(':')
  const byTable = parts.split('-')
  if (named !== version || epoch === '' || more.length > 0) return undefined
  if (byTable.length !== tables.length) return undefined
  const offsets: Record<string, readonly number[]> = {}
  for (const [i, { name }] of tables.entries()) {
    const texts = byTable[i]!.split('.')
    offsets[name] = texts.map(Number)
    const areOffsets = texts.every(
      (text) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text)),
    )
    if (!areOffsets) return undefined
  }
  try {
    return { epoch: decodeURIComponent(epoch), offsets }
  } catch {
    return undefined
  }
}

/** A position as a client received it. */
export interface SeenPosition extends Position {
  /** The mark of its client's view; null for one that sees everything. */
  readonly mark: string | null
}

/** Length of a view's hash in a sealed token (bytes). All zeros mean: no view. */
const markBytes = 8
const noMark = '0'.repeat(2 * markBytes)

const markOf = (view: string | null) =>
  view === null
    ? null
    : createHash('sha256')
        .update(view)
        .digest('hex')
        .slice(0, 2 * markBytes)

/** Returns whether a position was sent to a client with this view, see `viewOf`. */
export const isOfView = ({ mark }: SeenPosition, view: string | null) => mark === markOf(view)

/**
 * Bytes of an offset in a sealed token: a fixed number, because the length would reveal how large
 * offsets are.
 */
const offsetBytes = 6

/**
 * For each table, returns the number of its offsets and the offsets; then the mark and the epoch.
 */
function packed({ epoch, offsets }: Position, view: string | null): Buffer {
  const parts = tables.map(({ name }) => {
    const ofTable = offsets[name] ?? [0]
    const bytes = Buffer.alloc(2 + offsetBytes * ofTable.length)
    bytes.writeUInt16BE(ofTable.length)
    for (const [at, offset] of ofTable.entries()) {
      bytes.writeUIntBE(offset, 2 + offsetBytes * at, offsetBytes)
    }
    return bytes
  })
  const mark = Buffer.from(markOf(view) ?? noMark, 'hex')
  return Buffer.concat([...parts, mark, Buffer.from(epoch)])
}

/** @throws RangeError for bytes that `packed` did not make */
function unpacked(bytes: Buffer): SeenPosition {
  let at = 0
  const offsets: Record<string, readonly number[]> = {}
  for (const { name } of tables) {
    const length = bytes.readUInt16BE(at)
    offsets[name] = Array.from({ length }, (_, i) =>
      bytes.readUIntBE(at + 2 + offsetBytes * i, offsetBytes),
    )
    at += 2 + offsetBytes * length
  }
  const mark = bytes.toString('hex', at, at + markBytes)
  const epoch = bytes.toString('utf8', at + markBytes)
  return { epoch, offsets, mark: mark === noMark ? null : mark }
}

/** Writes and reads the tokens of clients. */
export interface PositionTokens {
  /**
   * @param view see `viewOf`. If it is not null, the token is encrypted and includes the view's
   *   hash: offsets would reveal how often hidden prices change. Two encrypted tokens of one
   *   position differ. A plain token that is too long for clients to send back is encrypted too,
   *   which bounds the length of each offset.
   * @returns null if there are so many partitions that even the encrypted token is too long
   */
  of(position: Position, view: string | null): string | null
  /**
   * @returns undefined for text that is not a token. A token sealed with another secret counts as
   * one of another log.
   */
  parse(token: string): SeenPosition | undefined
  /** @throws ApiError validation_error for text that is not a token */
  require(token: string): SeenPosition
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** Plain tokens do not match: they have more colons. */
const sealed = /^v3:([\w-]{40,})$/

/** @param secret the same in all processes of the deployment, also after a restart */
export function createPositionTokens(secret: string): PositionTokens {
  const key = createHash('sha256').update(`position ${secret}`).digest()

  function seal(position: Position, view: string | null): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key, nonce)
    const parts = [
      nonce,
      cipher.update(packed(position, view)),
      cipher.final(),
      cipher.getAuthTag(),
    ]
    return `${version}:${Buffer.concat(parts).toString('base64url')}`
  }

  function unseal(text: string): SeenPosition | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= nonceBytes + tagBytes) return undefined
    try {
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      const plain = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
      return unpacked(Buffer.concat([plain, decipher.final()]))
    } catch {
      return undefined
    }
  }

  function parse(token: string): SeenPosition | undefined {
    const [, text] = sealed.exec(token) ?? []
    if (text !== undefined) return unseal(text) ?? { epoch: token, offsets: {}, mark: null }
    const plain = parsePosition(token)
    return plain && { ...plain, mark: null }
  }

  return {
    of(position, view) {
      const plain = view === null ? positionToken(position) : null
      if (plain !== null && plain.length <= longestPosition) return plain
      const token = seal(position, view)
      return token.length <= longestPosition ? token : null
    },
    parse,
    require(token) {
      const position = parse(token)
      if (position) return position
      throw invalid(['resume_from'], 'resume_from must be a position from a stream.')
    },
  }
}

/** Maps positions to stamps of the board, as far back as its journal reaches. */
export interface PositionHistory {
  /** Records the board's current position. */
  note(view: BoardView): void
  /** Returns a stamp at or before the position; undefined if the history does not reach back to it. */
  stampAt(position: Position): number | undefined
  /** Called when the board has been replaced. */
  reset(): void
}

/** Positions for REST. */
export interface Positions {
  readonly epoch: string
  stampAt(position: Position): number | undefined
  /**
   * Returns a token of the board's current position; null before it has one, or if the token is too
   * long.
   * @param view see `viewOf`; default null
   */
  now(view?: string | null): string | null
  readonly tokens: Pick<PositionTokens, 'require'>
  /**
   * Returns whether the position is ahead of the board. A position from another process may be
   * ahead.
   */
  isAhead(position: Position): boolean
}

/**
 * Least time between recorded positions. A position between two of them maps to the earlier stamp.
 */
const notedEveryMicros = 100_000

export function createPositionHistory(): PositionHistory {
  let noted: { readonly stamp: number; readonly position: Position }[] = []
  return {
    note({ watermark: stamp, position, staleAt }) {
      const last = noted.at(-1)
      if (!position || (last && stamp - last.stamp < notedEveryMicros)) return
      // A client at this position may have missed the prices that became stale there.
      if (staleAt && isAtOrBefore(position, staleAt)) return
      noted.push({ stamp, position })
      const oldest = stamp - recentMicros
      if (noted.length > 1_000 && noted[500]!.stamp < oldest) noted = noted.slice(500)
    },
    stampAt(position) {
      const after = bisect(0, noted.length, (at) => isAtOrBefore(noted[at]!.position, position))
      return noted[after - 1]?.stamp
    },
    reset() {
      noted = []
    },
  }
}

/** Returns whether a position is ahead of a reader's. */
export function isAhead(position: Position, reader: Position | null): boolean {
  return tables.some(({ name }) =>
    (position.offsets[name] ?? []).some(
      (offset, partition) =>
        position.epoch === reader?.epoch && offset > (reader.offsets[name]?.[partition] ?? 0),
    ),
  )
}

function isAtOrBefore(a: Position, b: Position): boolean {
  if (a.epoch !== b.epoch) return false
  return tables.every(({ name }) => {
    const [offsets, others] = [a.offsets[name] ?? [], b.offsets[name] ?? []]
    return offsets.every((offset, partition) => offset <= (others[partition] ?? 0))
  })
}

/** The reason why a client cannot continue from its position. */
export type ResyncReason =
  | 'other_log'
  | 'other_books'
  | 'too_old'
  | 'too_far'
  | 'too_many'
  | 'replaced'

export type Replayed =
  /** Keys of the changed rows. */
  | {
      readonly ok: true
      readonly oddsIds: ReadonlySet<number>
      /** Prices that have become withheld since, or are no longer withheld. */
      readonly withheldIds: ReadonlySet<number>
      readonly eventIds: ReadonlySet<string>
      readonly mainLineKeys: ReadonlySet<string>
    }
  | { readonly ok: false; readonly reason: ResyncReason }

/** Reads the changes after a position from the log. @returns null when `stop` aborts first */
export async function replaySince(
  log: Pick<Log, 'epoch' | 'follow'>,
  from: Position,
  stop: AbortSignal,
): Promise<Replayed | null> {
  if (from.epoch !== log.epoch) return { ok: false, reason: 'other_log' }
  const done = new AbortController()
  const oddsIds = new Set<number>()
  const withheldIds = new Set<number>()
  const eventIds = new Set<string>()
  const mainLineKeys = new Set<string>()
  const size = () => oddsIds.size + withheldIds.size + eventIds.size + mainLineKeys.size
  try {
    const signal = AbortSignal.any([stop, done.signal])
    for await (const { reset, records, caughtUp } of log.follow(tables, { from, signal })) {
      if (reset) return { ok: false, reason: 'too_old' }
      for (const { topic, key } of records) {
        // The sportsbook's status changed all its prices, and the log does not list them.
        if (topic.name === topics.sportsbookStatus.name) return { ok: false, reason: 'too_far' }
        if (topic.name === topics.odds.name) oddsIds.add(Number(key))
        else if (topic.name === topics.withheldPrices.name) withheldIds.add(Number(key))
        else if (topic.name === topics.mainLines.name) mainLineKeys.add(key)
        else eventIds.add(key)
      }
      if (size() > mostReplayed) return { ok: false, reason: 'too_far' }
      if (caughtUp) return { ok: true, oddsIds, withheldIds, eventIds, mainLineKeys }
    }
  } finally {
    done.abort()
  }
  return null
}
