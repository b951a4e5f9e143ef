/**
 * POST /api/v1/ingest: records pushed by the operator's own feeds. Good ones are in the log before
 * the answer; bad ones are named by line; nothing else is lost.
 */

import type { FeedSink } from '../../pipeline/feeds/feed.ts'
import { type ParsedRecord, parseLine, parseValue } from '../../pipeline/feeds/push/parse.ts'
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
    async handle(_context, body) {
      const records: FeedRecord[] = []
      const rejected: { line: number; code: string; message: string }[] = []
      let rejectedCount = 0
      let sliceEndsAt = performance.now() + sliceMs
      for (const { line, parse } of entries(body)) {
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
function* entries(body: Buffer): Iterable<Entry> {
  const text = body.toString('utf8').trimEnd()
  if (text.trimStart().startsWith('[')) {
    let members: unknown[]
    try {
      members = JSON.parse(text) as unknown[]
    } catch (error) {
      throw new ApiError('validation_error', `The JSON array does not parse: ${String(error)}`)
    }
    for (const [i, member] of members.entries()) {
      yield { line: i + 1, parse: (now) => parseValue(member, now) }
    }
    return
  }
  let line = 0
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    const record = text.slice(from, to).trim()
    from = to + 1
    line++
    if (record !== '') yield { line, parse: (now) => parseLine(record, now) }
  }
}
