/**
 * The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, as requests and responses: how a request
 * maps to the engine, and the form of an error. To the client the embedded engine is one more
 * server.
 */

import type { IncomingMessage } from 'node:http'

export type EngineRequest =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'query'
      /** The statement with its settings as a clause, and without its format. */
      readonly statement: string
      readonly settings: Readonly<Record<string, string>>
      /** The format of the response; undefined where the statement names none. */
      readonly format: string | undefined
      /** Values of `{name:Type}` in it. */
      readonly parameters: Readonly<Record<string, Value>>
      /** Whether it only reads. */
      readonly isRead: boolean
    }
  | {
      readonly kind: 'insert'
      readonly table: string
      readonly columns: readonly string[] | undefined
      readonly format: string
      readonly settings: Readonly<Record<string, string>>
      readonly rows: Buffer
    }

type Value = string | number | bigint | boolean | null | readonly Value[]

/** Thrown for a request that the dialect does not have. */
class DialectError extends Error {
  override readonly name = 'DialectError'
}

/** Settings of ClickHouse's HTTP layer, and parameters that are no settings. */
const notSettings = new Set([
  'query',
  'query_id',
  'session_id',
  'database',
  'default_format',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'enable_http_compression',
])
const parameterPrefix = 'param_'
const plainName = /^[a-z]\w*$/i
const insertStatement =
  /^\s*INSERT\s+INTO\s+(?<table>[\w.]+)\s*(?:\((?<columns>[\w\s,]+)\))?\s*FORMAT\s+(?<format>\w+)\s*$/i
const formatClause = /\s+FORMAT\s+(?<format>\w+)\s*$/i
const readStatement = /^\s*(SELECT|WITH|SHOW|DESCRIBE|EXISTS|EXPLAIN)\b/i

/** @throws DialectError */
export async function readRequest(request: IncomingMessage): Promise<EngineRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://engine')
  if (pathname === '/ping') return { kind: 'ping' }
  const parameters: Record<string, string> = {}
  const settings: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (name.startsWith(parameterPrefix)) parameters[name.slice(parameterPrefix.length)] = value
    else if (!notSettings.has(name)) settings[name] = value
  }
  for (const name of [...Object.keys(settings), ...Object.keys(parameters)]) {
    if (!plainName.test(name)) throw new DialectError(`nothing is called ${name}`)
  }
  const body = await bodyOf(request)
  const statement = searchParams.get('query')
  if (statement === null) return queryOf(body.toString('utf8'), parameters, settings)
  const insert = insertStatement.exec(statement)?.groups
  if (!insert) return queryOf(statement, parameters, settings)
  return {
    kind: 'insert',
    table: insert.table!,
    columns: insert.columns?.split(',').map((column) => column.trim()),
    format: insert.format!,
    settings,
    rows: body,
  }
}

function queryOf(
  sent: string,
  values: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>>,
): EngineRequest {
  const isRead = readStatement.test(sent)
  const format = isRead ? formatClause.exec(sent)?.groups?.format : undefined
  const text = format === undefined ? sent : sent.replace(formatClause, '')
  const clause = Object.entries(settings).map(([name, value]) => `${name} = ${literal(value)}`)
  // A statement's own settings end with it; those of `SET` would stay in the session.
  const statement = isRead && clause.length > 0 ? `${text}\nSETTINGS ${clause.join(', ')}` : text
  const parameters = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, parameterValue(text, name, value)]),
  )
  return { kind: 'query', statement, settings, format, parameters, isRead }
}

const literal = (value: string) =>
  /^-?\d+(\.\d+)?$/.test(value) ? value : `'${value.replace(/[\\']/g, '\\$&')}'`

// ---- values of parameters, which the client escapes as ClickHouse reads them

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  0: '\0',
}

const unescaped = (text: string) =>
  text.replace(/\\(.)/gs, (_all, mark: string) => escapes[mark] ?? mark)

/** @throws DialectError for an invalid list */
function parameterValue(statement: string, name: string, text: string): Value {
  if (text === '\\N') return null
  const isList = new RegExp(`\\{\\s*${name}\\s*:\\s*Array\\(`).test(statement)
  if (!isList) return unescaped(text)
  const list = listOf(text)
  if (!list) throw new DialectError(`${name} is no list`)
  return list
}

/** Returns the elements of `['a','it\'s',1]`; undefined for any other text. */
function listOf(text: string): Value[] | undefined {
  const inside = /^\[(?<members>.*)\]$/s.exec(text)?.groups?.members
  if (inside === undefined) return undefined
  if (inside === '') return []
  const members: Value[] = []
  const member = /(?:'(?<quoted>(?:[^'\\]|\\.)*)'|(?<bare>[-+\w.]+))(?:,|$)/gsy
  for (;;) {
    const found = member.exec(inside)?.groups
    if (!found) return undefined
    members.push(found.quoted === undefined ? bareValue(found.bare!) : unescaped(found.quoted))
    if (member.lastIndex === inside.length) return members
  }
}

function bareValue(text: string): Value {
  if (text === 'NULL') return null
  if (text === 'TRUE' || text === 'FALSE') return text === 'TRUE'
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Returns errors in ClickHouse's own form, which the client parses. */
export function errorText(error: unknown): { readonly status: number; readonly text: string } {
  const { message } = error as Error
  if (error instanceof DialectError) {
    return { status: 400, text: `Code: 36. DB::Exception: ${message}. (BAD_ARGUMENTS)` }
  }
  if (/^Code: \d+\. DB::Exception/.test(message)) return { status: 500, text: message }
  return { status: 500, text: `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)` }
}
