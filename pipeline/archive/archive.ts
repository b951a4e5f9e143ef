/**
 * The archive: the history that the tables forget, in ClickHouse. This is the port to it, and its one adapter, the
 * official client: to a server, or to the embedded engine, which speaks the same on a socket
 * (`engine/`). All SQL of the project is in this folder.
 *
 * What it promises:
 * - Rows inserted under a name are there once at most, however often the insert is tried again, while
 *   the name is among the last `rememberedBlocks` of the table. Tried again after a crash of the engine
 *   they may be missing, although the insert resolves: the engine writes down the name before it has
 *   the rows.
 * - An insert that has resolved survives a crash of this process and of the engine.
 * - Values reach a query as bound parameters alone.
 */

import { Agent, type AgentOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client'

export interface ArchiveAddress {
  /** Of a ClickHouse server; of the embedded engine any. */
  readonly url: string
  /** The embedded engine's socket. */
  readonly socket?: string
}

export interface QueryLimits {
  readonly seconds: number
  /** Rows of the answer; more are an error. */
  readonly resultRows: number
  /** Rows looked at. */
  readonly readRows: number
  readonly memoryBytes: number
}

export type ArchiveRow = Readonly<Record<string, unknown>>

export type Parameters = Readonly<Record<string, Parameter>>
type Parameter = string | number | boolean | null | readonly (string | number)[]

/** A form of export that ClickHouse writes itself. */
export const exportFormats = {
  csv: 'CSVWithNames',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
} as const
export type ExportFormat = keyof typeof exportFormats

export interface Archive {
  /** Resolves when it answers. @throws ArchiveError unavailable */
  ping(): Promise<void>
  /** A statement that changes tables; `{name:Identifier}` takes names. */
  command(statement: string, parameters?: Parameters): Promise<void>
  /**
   * @param name of the block: the same rows under the same name are inserted once
   * @param rows by name of column
   * @throws ArchiveError
   */
  insert(table: string, name: string, rows: readonly ArchiveRow[]): Promise<void>
  /**
   * The rows of an answer.
   * @param decoding runs what it takes to decode them, in one piece: only for answers that are never large
   * @throws ArchiveError
   */
  query<Row>(
    statement: string,
    parameters: Parameters,
    limits: QueryLimits,
    decoding?: <Result>(work: () => Result) => Result,
  ): Promise<Row[]>
  /** The answer as a file, in parts as the engine makes them. @throws ArchiveError */
  export(
    statement: string,
    parameters: Parameters,
    format: ExportFormat,
    limits: QueryLimits,
  ): Promise<Readable>
  close(): Promise<void>
}

/** The archive did not answer, or refused. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  /**
   * `unavailable`: it does not answer, and a later try may succeed; `too_much`: beyond the limits of
   * the query; `refused`: the engine understood and refused, a mistake of ours.
   */
  readonly code: 'unavailable' | 'too_much' | 'refused'

  constructor(code: ArchiveError['code'], message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Names of blocks that a table remembers. */
export const rememberedBlocks = 10_000

const writeTimeoutMs = 60_000
/** Time for an answer to arrive beyond the time the engine may take. */
const graceMs = 5_000

/** The engine's codes for queries beyond their limits. */
const tooMuchCodes = new Set(['158', '159', '160', '241', '307', '396'])
/** No such table, no such database: the archiver has yet to make them. */
const notMadeCodes = new Set(['60', '81'])

export function openArchive({ url, socket }: ArchiveAddress, database: string): Archive {
  const client: ClickHouseClient = createClient({
    url,
    database,
    ...(socket !== undefined && { http_agent: socketAgent(socket) }),
    request_timeout: writeTimeoutMs,
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
      abort_signal: AbortSignal.timeout(1_000 * seconds + graceMs),
    }
  }

  return {
    ping: () =>
      withOurErrors(async () => {
        const answer = await client.ping()
        if (!answer.success) throw answer.error
      }),
    command: (statement, parameters = {}) =>
      withOurErrors(async () => {
        await client.command({ query: statement, query_params: parameters })
      }),
    insert: (table, name, rows) =>
      withOurErrors(async () => {
        await client.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: {
            insert_deduplication_token: name,
            insert_deduplicate: 1,
            async_insert: 0,
          },
        })
      }),
    query: (statement, parameters, limits, decoding) =>
      withOurErrors(async () => {
        const answer = await client.query({
          ...limited(statement, parameters, limits),
          format: 'JSONEachRow',
        })
        if (decoding) {
          const texts: { json(): unknown }[] = []
          for await (const part of answer.stream()) texts.push(...part)
          return decoding(() => texts.map((row) => row.json())) as never
        }
        // A part at a time: parsed at once, a large answer would hold up everybody else.
        const rows: unknown[] = []
        for await (const part of answer.stream()) for (const row of part) rows.push(row.json())
        return rows as never
      }),
    export: (statement, parameters, format, limits) =>
      withOurErrors(async () => {
        const limitedQuery = limited(statement, parameters, limits)
        const query = `${statement}\nFORMAT ${exportFormats[format]}`
        const { stream } = await client.exec({
          ...limitedQuery,
          query,
          clickhouse_settings: {
            ...limitedQuery.clickhouse_settings,
            date_time_output_format: 'iso',
            // Readers of CSV take \N for a text, and the column of numbers around it with it.
            format_csv_null_representation: '',
            // A file may be larger than the memory it is sorted in.
            max_bytes_before_external_sort: String(Math.floor(limits.memoryBytes / 3)),
          },
        })
        return stream
      }),
    close: () => client.close(),
  }
}

function codeOf({ code }: ClickHouseError): ArchiveError['code'] {
  if (notMadeCodes.has(code)) return 'unavailable'
  return tooMuchCodes.has(code) ? 'too_much' : 'refused'
}

/** Connects to a socket, whatever the address; the types do not know that an agent may. */
const socketAgent = (socketPath: string) =>
  new Agent({ socketPath, keepAlive: true } as AgentOptions)

/** With errors of the client as our own. */
async function withOurErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ClickHouseError)) {
      throw new ArchiveError('unavailable', 'The archive does not answer.', error)
    }
    throw new ArchiveError(codeOf(error), error.message, error)
  }
}
