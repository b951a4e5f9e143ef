/**
 * The archive: the history that the tables do not keep, in ClickHouse. This is its port, with one
 * adapter: the official client, to a server or to the embedded engine, which speaks the same
 * protocol on a socket (`engine/`). All SQL of the project is in this folder.
 *
 * Its promises:
 * - Rows inserted under a name are stored at most once, however often the insert is tried, while
 *   the name is among the last `rememberedBlocks` of the table. If the engine crashes, a repeated
 *   insert may resolve without the rows, because the engine stores the name before them.
 * - An insert that has resolved survives a crash of this process and of the engine.
 * - Values reach a query only as bound parameters.
 */

import { Agent, type AgentOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client'
import { causeText } from '../text/cause-text.ts'

export interface ArchiveAddress {
  /** The address of a ClickHouse server; for the embedded engine, any address. */
  readonly url: string
  /** The embedded engine's socket. */
  readonly socket?: string
}

export interface QueryLimits {
  readonly seconds: number
  /** The most rows of a result; more are an error. */
  readonly resultRows: number
  /** The most rows that are read. */
  readonly readRows: number
  readonly memoryBytes: number
}

export type ArchiveRow = Readonly<Record<string, unknown>>

export type Parameters = Readonly<Record<string, Parameter>>
type Parameter = string | number | boolean | null | readonly (string | number)[]

/** Export formats that ClickHouse writes itself. */
const exportFormats = {
  csv: 'CSVWithNames',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
} as const
export type ExportFormat = keyof typeof exportFormats

export interface Archive {
  /** Resolves when it responds. @throws ArchiveError unavailable */
  ping(): Promise<void>
  /** Runs a statement that changes tables; `{name:Identifier}` takes names. */
  command(statement: string, parameters?: Parameters): Promise<void>
  /**
   * @param name of the block: the same rows under the same name are inserted once
   * @param rows by name of column
   * @throws ArchiveError
   */
  insert(table: string, name: string, rows: readonly ArchiveRow[]): Promise<void>
  /**
   * Returns the rows of a result.
   * @param decoding runs their decoding, `decodedAtOnce` rows at a time and at least once; what it throws ends the query
   * @throws ArchiveError, whose cause is what `decoding` threw
   */
  query<Row>(
    statement: string,
    parameters: Parameters,
    limits: QueryLimits,
    decoding?: <Result>(work: () => Result) => Result,
  ): Promise<Row[]>
  /**
   * Returns the result as a file, in parts as the engine makes them.
   * @throws ArchiveError `too_much` if there is no part within the limit of time and a grace,
   * although the engine answers a ping; `unavailable` if it does not
   */
  export(
    statement: string,
    parameters: Parameters,
    format: ExportFormat,
    limits: QueryLimits,
  ): Promise<Readable>
  close(): Promise<void>
}

/** Thrown when the archive did not respond, or refused. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  /**
   * `unavailable`: it does not respond or cannot work now; a later try may succeed. `too_much`:
   * beyond the limits of the query. `refused`: the engine does not understand the statement (a bug
   * of ours), or its data are damaged.
   */
  readonly code: 'unavailable' | 'too_much' | 'refused'

  constructor(code: ArchiveError['code'], message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** About a millisecond's work. */
const decodedAtOnce = 500

/** The number of block names that a table remembers. */
export const rememberedBlocks = 10_000

/**
 * The greatest `QueryLimits.seconds`. A connection may be silent that long, for example while a
 * file is sorted.
 */
export const longestQuerySeconds = 120

export interface ArchiveTimes {
  /** The time for a write, or a ping. */
  readonly writeMs?: number
  /** The time for a response to arrive beyond the engine's own limit. */
  readonly graceMs?: number
}

/** The engine's codes for queries beyond their limits. */
const tooMuchCodes = new Set(['158', '159', '160', '241', '307', '396'])
/** Codes for limits of time and memory, which a query may exceed because the engine is busy. */
const loadCodes = new Set(['159', '241'])
/**
 * The engine's codes for statements that it does not understand: syntax, and unknown or unfit columns, types, functions,
 * formats, settings and parameters. All other codes concern the server: it is overloaded, refuses
 * the login, has a full disk, or has no tables yet.
 */
const statementCodes = new Set(
  `6 8 10 15 16 26 27 36 38 41 42 43 44 46 47 48 50 51 53 62 63 69 70 72 73 115 117 130 179 184 190 207 215 352 386
  456 457`.split(/\s+/),
)

/**
 * The engine's codes for damaged data (cut short, wrong checksum, unknown codec, corrupt): another
 * try is useless.
 */
const damageCodes = new Set(['32', '33', '40', '246', '271', '432'])

export function openArchive(
  { url, socket }: ArchiveAddress,
  database: string,
  { writeMs = 60_000, graceMs = 5_000 }: ArchiveTimes = {},
): Archive {
  const client: ClickHouseClient = createClient({
    url,
    database,
    ...(socket !== undefined && { http_agent: socketAgent(socket) }),
    // Each request has its own limit; this one is for a response that stops half-way.
    request_timeout: Math.max(writeMs, 1_000 * longestQuerySeconds) + 2 * graceMs,
    max_open_connections: 16,
    compression: { request: false, response: false },
    application: 'overround',
    log: { level: 127 },
  })

  function limited(
    statement: string,
    parameters: Parameters,
    { seconds, resultRows, readRows, memoryBytes }: QueryLimits,
  ) {
    return {
      query: statement,
      query_params: parameters as Record<string, unknown>,
      clickhouse_settings: {
        max_execution_time: seconds,
        max_result_rows: String(resultRows),
        result_overflow_mode: 'throw' as const,
        max_rows_to_read: String(readRows),
        max_memory_usage: String(memoryBytes),
      },
    }
  }
  const queryMs = ({ seconds }: QueryLimits) => 1_000 * seconds + graceMs

  const ping = (withinMs: number) =>
    withOurErrors(withinMs, async (abort_signal) => {
      const answer = await client.ping({ select: false, abort_signal })
      if (!answer.success) throw answer.error
    })

  return {
    ping: () => ping(writeMs),
    command: (statement, parameters = {}) =>
      withOurErrors(writeMs, async (abort_signal) => {
        await client.command({ query: statement, query_params: parameters, abort_signal })
      }),
    insert: (table, name, rows) =>
      withOurErrors(writeMs, async (abort_signal) => {
        await client.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: {
            insert_deduplication_token: name,
            insert_deduplicate: 1,
            async_insert: 0,
            // Rows of a table beside another may be of any number of months.
            max_partitions_per_insert_block: '0',
          },
          abort_signal,
        })
      }),
    query: (statement, parameters, limits, decoding = (work) => work()) =>
      withOurErrors(queryMs(limits), async (abort_signal) => {
        const answer = await client.query({
          ...limited(statement, parameters, limits),
          format: 'JSONEachRow',
          abort_signal,
        })
        const rows: unknown[] = []
        let texts: { json(): unknown }[] = []
        const decode = () => {
          for (const row of texts) rows.push(row.json())
          texts = []
        }
        for await (const part of answer.stream()) {
          texts.push(...part)
          // Parsed at once, a large result would hold up everybody else.
          if (texts.length >= decodedAtOnce) decoding(decode)
        }
        decoding(decode)
        return rows as never
      }),
    export: (statement, parameters, format, limits) =>
      withOurErrors(queryMs(limits), async (abort_signal) => {
        const limitedQuery = limited(statement, parameters, limits)
        const query = `${statement}\nFORMAT ${exportFormats[format]}`
        const answer = client.exec({
          ...limitedQuery,
          query,
          clickhouse_settings: {
            ...limitedQuery.clickhouse_settings,
            date_time_output_format: 'iso',
            // Programs that read CSV take \N for text, and then the whole column of numbers for
            // text.
            format_csv_null_representation: '',
            // A file may be larger than the memory for sorting it.
            max_bytes_before_external_sort: String(Math.floor(limits.memoryBytes / 3)),
          },
          abort_signal,
        })
        const { stream } = await answer.catch(async (error: unknown) => {
          if (!abort_signal.aborted) throw error
          // If the engine does not respond at all, the file is not too large: `ping` throws
          // `unavailable`.
          await ping(graceMs)
          throw new ArchiveError('too_much', 'The file takes longer than its limit.', error)
        })
        return stream
      }),
    close: () => client.close(),
  }
}

/** Returns whether a query was beyond its limits of time or memory. */
export const dependsOnLoad = ({ cause }: ArchiveError): boolean =>
  cause instanceof ClickHouseError && loadCodes.has(cause.code)

function codeOf({ code }: ClickHouseError): ArchiveError['code'] {
  if (statementCodes.has(code) || damageCodes.has(code)) return 'refused'
  return tooMuchCodes.has(code) ? 'too_much' : 'unavailable'
}

/** Connects to a socket, whatever the address; the types do not provide for that. */
const socketAgent = (socketPath: string) =>
  new Agent({ socketPath, keepAlive: true } as AgentOptions)

/** Ends the work after `withinMs`, and turns errors of the client into our own. */
async function withOurErrors<Value>(
  withinMs: number,
  work: (isOver: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const isOver = AbortSignal.timeout(withinMs)
  try {
    return await work(isOver)
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    if (!(error instanceof ClickHouseError)) {
      const why = isOver.aborted ? `no response within ${withinMs / 1_000} s` : causeText(error)
      throw new ArchiveError('unavailable', `The archive does not answer: ${why}.`, error)
    }
    throw new ArchiveError(codeOf(error), error.message, error)
  }
}
