/**
 * POST /api/v1/ingest: records pushed by the operator's own feeds. Good ones are in the log before
 * the answer; bad ones are named by line; nothing else is lost.
 */

import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { findDefect } from '../../pipeline/feeds/defect.ts'
import { type ParsedRecord, parseLine, parseMember } from '../../pipeline/feeds/push/parse.ts'
import type { Warning } from '../../pipeline/feeds/push/warnings.ts'
import type { CountingSink } from '../../pipeline/feeds/sink.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import {
  ingestAnswer,
  ingestRecord,
  maxBodyBytes,
  maxNamedRejections,
  maxNamedWarnings,
} from '../../schemas/http/ingest.ts'
import { memoise } from '../../schemas/memoise.ts'
import { suggest } from '../ask/suggestions.ts'
import { ApiError, writeErrors } from '../errors.ts'
import { type ActionRoute, openAction } from './route.ts'

/** Records are parsed in slices of this length, so that a large body does not hold up reads. */
const sliceMs = 4

export function createIngest(sink: CountingSink, clock: () => number): ActionRoute {
  return openAction({
    method: 'post',
    path: '/api/v1/ingest',
    access: 'ingest',
    tag: 'ingest',
    summary: 'Push feed records',
    description:
      'Records one a line (application/x-ndjson) or as a JSON array. Good records are in the log when the answer comes; bad ones are named by line. Market types may be spelt your way (`spreads`, `h2h`, `Over/Under`, `totals_q1`); `warnings` name those that meet no others.',
    query: {},
    body: {
      as: 'bytes',
      schema: z.instanceof(Buffer),
      maxBytes: maxBodyBytes,
      mediaTypes: ['application/x-ndjson', 'application/json'],
      record: ingestRecord,
      example:
        '{"type":"book_status","sportsbook":"pinnacle","observed_at":"2026-11-20T12:00:00Z","status":"up"}',
    },
    answers: {
      202: {
        description: 'What was taken and what was not.',
        schema: ingestAnswer,
        example: {
          data: {
            accepted: 1,
            rejected: [{ line: 2, code: 'invalid_json', message: 'a record is one JSON object' }],
            rejected_count: 1,
            warnings: [
              {
                line: 1,
                code: 'unknown_market',
                message:
                  'spraed is no market we know in basketball; it is served as spraed and compared with no other',
                market_type: 'spraed',
                did_you_mean: ['spread'],
              },
            ],
            warning_count: 1,
          },
        },
      },
    },
    errors: ['unauthorized', 'validation_error', 'payload_too_large', ...writeErrors],
    async handle({ body, contentType }) {
      const records: FeedRecord[] = []
      const rejected: { line: number; code: string; message: string }[] = []
      let rejectedCount = 0
      const warnings: z.infer<typeof ingestAnswer>['data']['warnings'] = []
      let warningCount = 0
      let sliceEndsAt = performance.now() + sliceMs
      for (const { line, parse } of entries(body, contentType.includes('ndjson'))) {
        const { record, code, message, warned } = checked(parse(clock()))
        if (record) {
          records.push(record)
          if (warned.length > 0) sink.warned(record.sportsbook, warned)
          warningCount += warned.length
          for (const warning of warned.slice(0, maxNamedWarnings - warnings.length)) {
            warnings.push({ line, ...warningJson(warning) })
          }
        } else {
          rejectedCount++
          if (rejected.length < maxNamedRejections) rejected.push({ line, code, message })
        }
        if (performance.now() > sliceEndsAt) {
          await nextTurn()
          sliceEndsAt = performance.now() + sliceMs
        }
      }
      await sink.publish(records)
      return {
        status: 202,
        body: {
          data: {
            accepted: records.length,
            rejected,
            rejected_count: rejectedCount,
            warnings,
            warning_count: warningCount,
          },
        },
      }
    },
  })
}

type Checked =
  | {
      readonly record: FeedRecord
      readonly warned: readonly Warning[]
      readonly code?: undefined
      readonly message?: undefined
    }
  | {
      readonly record?: undefined
      readonly warned?: undefined
      readonly code: string
      readonly message: string
    }

/** The record, if it parsed and the sink will take it. */
function checked(parsed: ParsedRecord): Checked {
  if (!parsed.ok) return parsed
  const { record, warnings } = parsed
  const defect = findDefect(record)
  return defect ? { code: defect.reason, message: defect.message } : { record, warned: warnings }
}

function warningJson({ code, message, marketType, near }: Warning) {
  const meant = near ?? (code === 'unknown_market' ? suggestedMarkets(marketType) : [])
  const didYouMean = meant.length > 0 ? { did_you_mean: [...meant] } : {}
  return { code, message, market_type: marketType, ...didYouMean }
}

/** Suggestions are slow, and a feed says the same name again and again. */
const suggestedMarkets = memoise(
  (name): readonly string[] => suggest('market', name)?.try.market?.split(',') ?? [],
)

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

interface Entry {
  /** From 1; of a JSON array, the position of the member. */
  readonly line: number
  parse(now: number): ParsedRecord
}

/** The records of a body: the members of a JSON array, or one a line. */
function* entries(body: Buffer, isLines: boolean): Iterable<Entry> {
  const bytes = body.subarray(startsWith(body, byteOrderMark) ? byteOrderMark.length : 0)
  const members = arrayMembers(bytes, isLines)
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

/**
 * The members of a body that is a JSON array; undefined for a body that begins otherwise.
 * @param isLines the media type says lines: a body that begins like an array and does not parse as one
 *   is then read as lines
 */
function arrayMembers(bytes: Buffer, isLines: boolean): readonly unknown[] | undefined {
  if (!/^\s*\[/.test(bytes.toString('latin1', 0, 1_024))) return undefined
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined
  try {
    if (text !== undefined) return JSON.parse(text) as unknown[]
  } catch (error) {
    if (!isLines) {
      throw new ApiError(
        'validation_error',
        `The JSON array does not parse (${String(error)}); records one a line are application/x-ndjson.`,
      )
    }
  }
  if (isLines) return undefined
  throw new ApiError('validation_error', 'The body is not UTF-8.')
}
