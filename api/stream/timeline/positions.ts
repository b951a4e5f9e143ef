/**
 * Where a client stands, as a token it can come back with: the token's version, the log's epoch and how
 * far its tables `events`, `odds`, `sportsbook-status` and `main-lines` had been read. Any process on the same log understands it. What changed since is
 * told from the board's own memory where that reaches, else by reading the log again.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Log, Position } from '../../../pipeline/log/log.ts'
import { bisect } from '../../../pipeline/memory/bisect.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { recentMicros } from '../../../pipeline/views/board/recent.ts'
import { topics } from '../../../schemas/topics.ts'
import { ApiError } from '../../errors.ts'

/** The tables whose offsets a token names, in their order. */
const tables = [topics.events, topics.odds, topics.sportsbookStatus, topics.mainLines]

/** More records than this are not read again: a snapshot is the shorter way. */
const mostReplayed = 200_000

/** Moves on when `tables` do: an offset that a token does not have is not known to be 0. */
const version = 'v2'

/** `v2:epoch:1.2-3.4-0.0-7.8`: the version, the log, and the offsets of each table's partitions. */
export function positionToken({ epoch, offsets }: Position): string {
  const parts = tables.map(({ name }) => (offsets[name] ?? [0]).join('.'))
  return `${version}:${encodeURIComponent(epoch)}:${parts.join('-')}`
}

/** The form of each token that version 1 gave: of two to four tables, at first without its version, or sealed. */
const earlier = /^(?:(?:v1:)?(?!v\d+:)[^:]+:\d[\d.]*(?:-\d[\d.]*){1,3}|v1:[\w-]{40,})$/
const later = /^v(?![012]:)[1-9]\d*:./s

/**
 * A token of another version is that of another log: the client is given everything anew, or refused.
 * @returns undefined for what is no token
 */
export function parsePosition(token: string): Position | undefined {
  // No log has such an epoch.
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

/** Tokens as clients get them, and as they come back. */
export interface PositionTokens {
  /**
   * @param isSealed for those who do not see every sportsbook: offsets count the changes of the others.
   *   No two sealed tokens are alike, also of one position.
   */
  of(position: Position, isSealed: boolean): string
  /** @returns undefined for what is no token; one that another secret sealed is of another log */
  parse(token: string): Position | undefined
  /** @throws ApiError validation_error for what is no token */
  require(token: string): Position
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** Of a plain token there are colons behind the version. */
const sealed = /^v2:([\w-]{40,})$/

/** @param secret the same in every process of the deployment, also after a restart */
export function createPositionTokens(secret: string): PositionTokens {
  const key = createHash('sha256').update(`position ${secret}`).digest()

  function seal(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const by = createCipheriv(cipher, key, nonce)
    const parts = [nonce, by.update(text), by.final(), by.getAuthTag()]
    return `${version}:${Buffer.concat(parts).toString('base64url')}`
  }

  function unseal(text: string): string | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= nonceBytes + tagBytes) return undefined
    try {
      const by = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes))
      by.setAuthTag(bytes.subarray(-tagBytes))
      const plain = by.update(bytes.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([plain, by.final()]).toString()
    } catch {
      return undefined
    }
  }

  function parse(token: string): Position | undefined {
    const [, text] = sealed.exec(token) ?? []
    if (text === undefined) return parsePosition(token)
    const plain = unseal(text)
    return plain === undefined ? { epoch: token, offsets: {} } : parsePosition(plain)
  }

  return {
    of(position, isSealed) {
      const token = positionToken(position)
      return isSealed ? seal(token) : token
    },
    parse,
    require(token) {
      const position = parse(token)
      if (position) return position
      throw new ApiError('validation_error', 'resume_from is no position a stream has given.', {
        parameters: ['resume_from'],
      })
    },
  }
}

/** Which stamp of the board stands for a position, as far back as the board remembers. */
export interface PositionHistory {
  /** The board is at this position now. */
  note(view: BoardView): void
  /** A stamp at or before the position; undefined when the board does not reach back to it. */
  stampAt(position: Position): number | undefined
  /** The board has been replaced. */
  reset(): void
}

/** What of positions REST needs. */
export interface Positions {
  readonly epoch: string
  stampAt(position: Position): number | undefined
  /** The position the board is at now; null before it is at any. */
  now(isSealed?: boolean): string | null
  readonly tokens: Pick<PositionTokens, 'require'>
  /** Whether the position is ahead of the board, as one from another process may be. */
  isAhead(position: Position): boolean
}

/** Positions are noted at least this far apart; one between two stands for the earlier. */
const notedEveryMicros = 100_000

export function createPositionHistory(): PositionHistory {
  let noted: { readonly stamp: number; readonly position: Position }[] = []
  return {
    note({ watermark: stamp, position, staleAt }) {
      const last = noted.at(-1)
      if (!position || (last && stamp - last.stamp < notedEveryMicros)) return
      // Whoever has this position may not have been told what went stale at it.
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

/** Whether a position is beyond where a reader of the log is. */
export function isAhead(position: Position, of: Position | null): boolean {
  return tables.some(({ name }) =>
    (position.offsets[name] ?? []).some(
      (offset, partition) =>
        position.epoch === of?.epoch && offset > (of.offsets[name]?.[partition] ?? 0),
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

/** Why a client cannot go on from its position. */
export type ResyncReason = 'other_log' | 'too_old' | 'too_far' | 'too_many' | 'replaced'

export type Replayed =
  /** Keys of what changed since. */
  | {
      readonly ok: true
      readonly oddsIds: ReadonlySet<number>
      readonly eventIds: ReadonlySet<string>
      readonly mainLineKeys: ReadonlySet<string>
    }
  | { readonly ok: false; readonly reason: ResyncReason }

/**
 * Reads what came after a position off the log.
 * @returns null when `stop` aborts first
 */
export async function replaySince(
  log: Pick<Log, 'epoch' | 'follow'>,
  from: Position,
  stop: AbortSignal,
): Promise<Replayed | null> {
  if (from.epoch !== log.epoch) return { ok: false, reason: 'other_log' }
  const done = new AbortController()
  const oddsIds = new Set<number>()
  const eventIds = new Set<string>()
  const mainLineKeys = new Set<string>()
  try {
    const signal = AbortSignal.any([stop, done.signal])
    for await (const { reset, records, caughtUp } of log.follow(tables, { from, signal })) {
      if (reset) return { ok: false, reason: 'too_old' }
      for (const { topic, key } of records) {
        // All prices of the sportsbook have changed, and the log does not say which these were.
        if (topic.name === topics.sportsbookStatus.name) return { ok: false, reason: 'too_far' }
        if (topic.name === topics.odds.name) oddsIds.add(Number(key))
        else if (topic.name === topics.mainLines.name) mainLineKeys.add(key)
        else eventIds.add(key)
      }
      if (oddsIds.size > mostReplayed) return { ok: false, reason: 'too_far' }
      if (caughtUp) return { ok: true, oddsIds, eventIds, mainLineKeys }
    }
  } finally {
    done.abort()
  }
  return null
}
