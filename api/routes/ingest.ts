/**
 * POST /api/v1/ingest: records pushed by the operator's own feeds. Good records are in the log before the response.
 * Bad records are named by line, and the others are kept.
 */

import type { Logger } from 'pino'
import { z } from 'zod'
import type { ParsedRecord } from '../../pipeline/feeds/push/parse.ts'
import type { Warning } from '../../pipeline/feeds/push/warnings.ts'
import type { CountingSink } from '../../pipeline/feeds/sink.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import {
  ingestAnswer,
  ingestRecord,
  maxBodyBytes,
  maxNamedRejections,
  maxNamedWarnings,
  maxRecords,
} from '../../schemas/http/ingest.ts'
import { memoise } from '../../schemas/memoise.ts'
import { traceHeaders, traceOf } from '../../schemas/trace.ts'
import { suggest } from '../ask/suggestions.ts'
import { ApiError, writeErrors } from '../errors.ts'
import { type ActionRoute, openAction } from '../route.ts'
import { entries } from './ingest-entries.ts'

/** Records are parsed in slices of this length, so that a large body does not delay reads. */
const sliceMs = 4

interface IngestParts {
  readonly sink: CountingSink
  readonly clock: () => number
  readonly logger: Logger
  /** Whether the board has simulated prices, with which pushed ones mix. */
  readonly isSimulated: () => boolean
}

export function createIngest({ sink, clock, logger, isSimulated }: IngestParts): ActionRoute {
  return openAction({
    method: 'post',
    path: '/api/v1/ingest',
    access: 'ingest',
    tag: 'ingest',
    summary: 'Push feed records',
    description:
      'Records one per line (application/x-ndjson) or as a JSON array. Valid records are in the log before the response; invalid ones are listed by line. Market types may have your spelling (`spreads`, `h2h`, `Over/Under`, `totals_q1`); `warnings` list those that match no others, and faulty prices, which are suspended.',
    query: {},
    headers: traceHeaders,
    body: {
      as: 'bytes',
      schema: z.instanceof(Buffer),
      maxBytes: maxBodyBytes,
      mediaTypes: ['application/x-ndjson', 'application/json'],
      record: ingestRecord,
      example:
        '{"type":"book_status","sportsbook":"pinnacle","observed_at":"2026-11-20T12:00:00Z","status":"up"}',
    },
    answer: {
      status: 202,
      description: 'The accepted and the rejected records.',
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
    errors: ['unauthorized', 'validation_error', 'payload_too_large', ...writeErrors],
    async handle({ body, contentType, headers }) {
      const trace = traceOf(headers)
      const began = performance.now()
      const tell = (what: string) => {
        if (trace === null) return
        const tookMs = performance.now() - began
        logger.debug({ trace, records: records.length, rejected: rejectedCount, tookMs }, what)
      }
      const records: FeedRecord[] = []
      const rejected: { line: number; code: string; message: string }[] = []
      let rejectedCount = 0
      const warnings: z.infer<typeof ingestAnswer>['data']['warnings'] = []
      let warningCount = 0
      let isMixTold = !isSimulated()
      let sliceEndsAt = performance.now() + sliceMs
      let recordCount = 0
      for (const entry of entries(body, contentType.includes('ndjson'))) {
        if (performance.now() > sliceEndsAt) {
          await nextTurn()
          sliceEndsAt = performance.now() + sliceMs
        }
        if (entry === null) continue
        if (++recordCount > maxRecords) throw tooMany
        const { line, parse } = entry
        const { record, code, message, warned } = checked(parse(clock()), sink)
        if (record) {
          records.push(trace === null ? record : { ...record, trace })
          if (warned.length > 0) sink.warned(record.sportsbook, warned)
          const league = isMixTold ? null : pricedLeague(record)
          if (league !== null) {
            isMixTold = true
            warningCount++
            if (warnings.length < maxNamedWarnings) {
              warnings.push({ line, ...mixWarning, market_type: league })
            }
          }
          warningCount += warned.length
          for (const warning of warned.slice(0, maxNamedWarnings - warnings.length)) {
            warnings.push({ line, ...warningJson(warning) })
          }
        } else {
          rejectedCount++
          if (rejected.length < maxNamedRejections) rejected.push({ line, code, message })
        }
      }
      tell('push read')
      await sink.publish(records)
      tell('push on the log')
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

/** Returns the record if it parsed and the sink will accept it. */
function checked(parsed: ParsedRecord, sink: CountingSink): Checked {
  if (!parsed.ok) return parsed
  const { record, warnings } = parsed
  const defect = sink.findDefect(record)
  return defect ? { code: defect.reason, message: defect.message } : { record, warned: warnings }
}

/** Returns the league of a record with prices; null for one without. */
function pricedLeague(record: FeedRecord): string | null {
  if (record.type === 'futures') return record.future.league
  return record.type === 'odds' && record.markets.length > 0 ? record.event.league : null
}

/** Sent once per push. */
const mixWarning = {
  code: 'simulated_board',
  message:
    'these prices stand beside simulated ones, which nobody offers; for yours alone start with OVERROUND_FEEDS=none and a new OVERROUND_DATA_DIR',
}

function warningJson({ code, message, marketType, selection, path, count, near }: Warning) {
  const meant = near ?? (code === 'unknown_market' ? suggestedMarkets(marketType) : [])
  const didYouMean = meant.length > 0 ? { did_you_mean: [...meant] } : {}
  const at = selection === undefined ? {} : { selection }
  const where = path === undefined ? {} : { path, count }
  return { code, message, market_type: marketType, ...at, ...where, ...didYouMean }
}

/** Cached because suggestions are slow, and feeds repeat the same names. */
const suggestedMarkets = memoise(
  (name): readonly string[] => suggest('market', name)?.try.market?.split(',') ?? [],
)

const tooMany = new ApiError(
  'payload_too_large',
  `A body has at most ${maxRecords} records; nothing of it was stored.`,
)

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
