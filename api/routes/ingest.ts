/**
 * POST /api/v1/ingest: records pushed by the operator's own feeds. Good ones are in the log before
 * the answer; bad ones are named by line; nothing else is lost.
 */

import { isUtf8 } from 'node:buffer'
import type { FeedSink } from '../../pipeline/feeds/feed.ts'
import { type ParsedRecord, parseLine, parseMember } from '../../pipeline/feeds/push/parse.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { maxBodyBytes, maxNamedRejections } from '../../schemas/http/ingest.ts'
import { isToken } from '../access/keys.ts'
import { ApiError } from '../errors.ts'
import type { TokenRoute } from '../route.ts'

/** Records are parsed in slices of this length, so that a large body does not hold up reads. */
const sliceMs = 4

export function createIngest(
  sink: FeedSink,
  token: string | null,
  clock: () => number,
): TokenRoute {
  return {
    method: 'post',
    path: '/api/v1/ingest',
    access: 'token',
    maxBodyBytes,
    authorize(presented) {
      if (isToken(presented, token)) return
      throw new ApiError(
        'unauthorized',
        token === null
          ? 'Ingest is closed: set OVERROUND_INGEST_TOKEN to open it.'
          : 'Send the ingest token as Authorization: Bearer.',
      )
    },
    async handle(context, body) {
      const records: FeedRecord[] = []
      const rejected: { line: number; code: string; message: string }[] = []
      let rejectedCount = 0
      let sliceEndsAt = performance.now() + sliceMs
      const isLines = context.header('content-type').includes('ndjson')
      for (const { line, parse } of entries(body, isLines)) {
        const parsed = parse(clock())
        if (parsed.ok) records.push(parsed.record)
        else {
          rejectedCount++
          if (rejected.length < maxNamedRejections) {
            rejected.push({ line, code: parsed.code, message: parsed.message })
          }
        }
        if (performance.now() > sliceEndsAt) {
          await nextTurn()
          sliceEndsAt = performance.now() + sliceMs
        }
      }
      await sink.publish(records)
      return {
        status: 202,
        body: { data: { accepted: records.length, rejected, rejected_count: rejectedCount } },
      }
    },
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

interface Entry {
  /** From 1; of a JSON array, the position of the member. */
  readonly line: number
  parse(now: number): ParsedRecord
}

/** The records of a body: the members of a JSON array, or one a line. */
function* entries(body: Buffer, isLines: boolean): Iterable<Entry> {
  const bytes = body.subarray(startsWith(body, byteOrderMark) ? byteOrderMark.length : 0)
  const members = isLines ? undefined : arrayMembers(bytes)
  if (members) {
    for (const [i, member] of members.entries()) {
      yield { line: i + 1, parse: (now) => parseMember(member, now) }
    }
    return
  }
  let line = 0
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(newlineByte, from)
    const record = bytes.subarray(from, newline < 0 ? bytes.length : newline)
    from += record.length + 1
    line++
    if (!isUtf8(record)) yield { line, parse: () => notUtf8 }
    else {
      const text = record.toString('utf8').trim()
      if (text !== '') yield { line, parse: (now) => parseLine(text, now) }
    }
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const newlineByte = 0x0a

const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start)

const notUtf8: ParsedRecord = { ok: false, code: 'invalid_utf8', message: 'a record is UTF-8' }

/** The members of a body that is a JSON array; undefined for a body that begins otherwise. */
function arrayMembers(bytes: Buffer): readonly unknown[] | undefined {
  if (!/^\s*\[/.test(bytes.toString('latin1', 0, 1_024))) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown[]
  } catch (error) {
    throw new ApiError(
      'validation_error',
      `The JSON array does not parse (${String(error)}); records one a line are application/x-ndjson.`,
    )
  }
}
