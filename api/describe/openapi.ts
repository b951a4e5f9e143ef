/**
 * Creates the OpenAPI 3.1 document from the declared routes and the event streams alone, so it describes exactly what
 * is checked and returned. Hidden routes are left out. The introduction lists all error codes; each operation's
 * responses list its own. Client generators read the document: names are ids of operations and schemas, and
 * `portable-schema.ts` uses only forms of JSON Schema that they understand.
 */

import { STATUS_CODES } from 'node:http'
import { exampleOf } from '../../schemas/http/example.ts'
import { oneOfKeyword } from '../../schemas/http/needed-fields.ts'
import { isRequired } from '../../schemas/http/query.ts'
import { ApiError, type ErrorCode, errorBody, errorCodes, retryAfter } from '../errors.ts'
import { type Access, answersOf, type Described, type Route, type TakenBody } from '../route.ts'
import { createSchemas, errorSchema, recordSchema, refTo, type Schemas } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'
import { type DescribedOperation, shareParameters } from './shared-parameters.ts'
import { streamOperations } from './stream-operations.ts'

const prefix = '/api/v1'

/** Chapters in order. A route names one of them, in any case. */
const chapters: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Odds', description: 'Prices: all, changed, best, side by side, of several events.' },
  {
    name: 'Opportunities',
    description: '+EV, arbitrage, middles and low holds.',
  },
  { name: 'Streams', description: 'Changes as they happen, as Server-Sent Events.' },
  { name: 'Events', description: 'Games, each once, whatever sportsbooks call them.' },
  { name: 'History', description: 'How prices moved, from the archive.' },
  { name: 'Futures', description: 'Prices on seasons and tournaments.' },
  { name: 'Historical', description: 'Closes and closing-line value, from the archive.' },
  { name: 'Splits', description: 'Where the public bets: shares of bets and money.' },
  { name: 'Deep links', description: 'From a price to the sportsbook that offers it.' },
  { name: 'Tools', description: 'The same data for language models.' },
  { name: 'Reference', description: 'Sports, leagues, sportsbooks, market types and teams.' },
  {
    name: 'Account',
    description: 'Rights and usage of a key; the keys of its account, and its own bets.',
  },
  { name: 'Calculators', description: 'Our own rules, for your prices.' },
  { name: 'Health', description: 'Whether the service can respond.' },
  { name: 'Ingest', description: 'Prices pushed by the operator.' },
  { name: 'Admin', description: 'Accounts, for the operator.' },
  { name: 'Documentation', description: 'This document, and that of the streams.' },
]

/** @param version of the document and the service; the interface is v1, as in the paths */
export function createOpenApi(routes: readonly Route[], version: string): object {
  const shown: Operation[] = [...routes.filter(({ isHidden }) => !isHidden), ...streamOperations]
  const schemas = createSchemas()
  const responses: Record<string, object> = {}
  const paths: Record<string, Record<string, DescribedOperation>> = {}
  for (const route of shown) {
    const path = templateOf(route.path)
    paths[path] ??= {}
    paths[path][route.method] = operationOf(route, schemas, responses)
  }
  const used = new Set(shown.map(chapterOf))
  const parameters = shareParameters(paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overround',
      version,
      summary: 'Prices of many sportsbooks, one board per game.',
      description: introduction(),
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix, description: 'The service that this document came from.' }],
    tags: chapters.filter(({ name }) => used.has(name)),
    paths,
    components: {
      schemas: schemas.components(),
      responses,
      headers,
      parameters: { IfNoneMatch: ifNoneMatch, ...parameters },
      examples: errorExamples,
      securitySchemes,
    },
  }
}

function introduction(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, means }]) => `| ${status} | \`${code}\` | ${means} |`,
  )
  return `Every response is JSON in UTF-8; times are RFC 3339 in UTC, prices decimal and American odds. Bodies may be compressed (Content-Encoding gzip, deflate or br); size limits apply to the uncompressed body.

Several values of a parameter are separated by commas, or the parameter is repeated. An empty value counts as none. Unknown parameters are refused. Words of an enumeration may have any case; so may \`true\` and \`false\`, which \`1\` and \`0\` stand for. A number above its maximum is refused; a parameter that is lowered instead has no maximum, and its description gives the limit. Times are RFC 3339; a day alone or a time without a zone is UTC.

Every answer has the header \`X-Request-Id\`. Where a key is taken there are \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`, \`X-Tier\` and \`X-Data-Delay\`, and answers that can be revalidated have \`ETag\`, \`Cache-Control\` and \`X-Cache-Status\`. While a recording is replayed, \`X-Recorded-Time\` is its time, by which ages of prices count.

What GET answers, HEAD answers without the body. Answers with an \`ETag\` can be revalidated with \`If-None-Match\`: 304 says that nothing has changed.

Every response above 399 is \`{error: {code, message}, code}\`, with further fields by code:

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}`
}

// ---- operations

function operationOf(
  route: Operation,
  schemas: Schemas,
  responses: Record<string, object>,
): DescribedOperation {
  const operationId = operationIdOf(route)
  const name = operationId[0]!.toUpperCase() + operationId.slice(1)
  const parameters = parametersOf(route)
  const { body, needsOneOf } = route
  const answers: Record<string, object> = {}
  const described = answersOf(route)
  for (const answer of described) {
    const { status = 200 } = answer
    const suffix = described.length > 1 ? `Answer${status}` : 'Answer'
    answers[status] = answerOf(answer, `${name}${suffix}`, schemas)
  }
  if (route.kind === 'read') {
    const component = `not_modified.${route.access}`
    responses[component] ??= {
      description: 'A copy named in If-None-Match is still valid.',
      headers: headersOf(route),
    }
    answers[304] = refTo('responses', component)
  }
  for (const [status, codes] of codesByStatus(route)) {
    const component = [...(route.refusal ? [route.tag] : []), ...codes].join('.')
    responses[component] ??= errorAnswerOf(status, codes, route, schemas)
    answers[status] = refTo('responses', component)
  }
  return {
    operationId,
    tags: [chapterOf(route)],
    summary: route.summary,
    ...((route.description !== undefined || needsOneOf) && {
      description: [route.description, needsOneOf && oneOfSentence(needsOneOf)]
        .filter((text) => text)
        .join(' '),
    }),
    ...(needsOneOf && { [oneOfKeyword]: needsOneOf }),
    security: securityOf[route.access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(body, `${name}Body`, schemas) }),
    responses: answers,
  }
}

/** JSON Schema cannot express this for a list of parameters. */
const oneOfSentence = (names: readonly string[]) =>
  `One of ${names.map((name) => `\`${name}\``).join(', ')} is required.`

const templateOf = (path: string) => path.slice(prefix.length).replace(/:(\w+)/g, '{$1}')

/**
 * Returns an operation id of method and path, such as `getEvents`, `getEvent` or `getEventOdds`: a resource with an
 * id is singular. A parameter that is not an id is named: `getGamestateBySport`. A stream is named by its path alone.
 */
export function operationIdOf({
  method,
  path,
  kind,
}: Pick<Operation, 'method' | 'path' | 'kind'>): string {
  const parts = path.slice(prefix.length + 1).split('/')
  const words = parts.flatMap((part, i) => {
    if (part.startsWith(':')) {
      return /id$/i.test(part) ? [] : [`By${part[1]!.toUpperCase()}${part.slice(2)}`]
    }
    const word = parts[i + 1]?.startsWith(':')
      ? part.replace(/ies$/, 'ys').replace(/(?<=ias)es$|(?<!odd)s$/, '')
      : part
    return word
      .split(/[^A-Za-z0-9]/)
      .map((piece) => piece.slice(0, 1).toUpperCase() + piece.slice(1))
  })
  if (kind !== 'stream') return method + words.join('')
  const name = words.join('')
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

function chapterOf({ tag, path }: Operation): string {
  const chapter = chapters.find(({ name }) => name.toLowerCase() === tag.toLowerCase())
  if (!chapter) throw new Error(`${path} stands in no chapter of the document: ${tag}`)
  return chapter.name
}

function answerOf(answer: Described, name: string, schemas: Schemas): object {
  const { description, schema, csv, files = [], mediaType = 'application/json' } = answer
  const others = files.filter((type) => type !== mediaType)
  const file = { schema: { type: 'string', format: 'binary' } }
  return {
    description,
    ...(schema && {
      content: {
        [mediaType]: {
          schema: schemas.answer(name, schema),
          example: answer.example ?? exampleOf(schema),
        },
        ...(csv !== undefined && { 'text/csv': { schema: { type: 'string' }, example: csv } }),
        ...Object.fromEntries(others.map((type) => [type, file])),
      },
    }),
  }
}

function bodyOf(body: TakenBody, name: string, schemas: Schemas): object {
  const { as, schema, example, csv, maxBytes, record, whole } = body
  const { mediaTypes = ['application/json'] } = body
  const media = mediaTypes.map((mediaType): [string, object] => {
    if (mediaType === 'text/csv') return [mediaType, { schema: { type: 'string' }, example: csv }]
    if (as === 'json' || whole) {
      return [
        mediaType,
        { schema: schemas.body(name, whole ?? schema), ...(example !== undefined && { example }) },
      ]
    }
    return [mediaType, mediaType === 'application/json' ? arrayMedia(example) : linesMedia(example)]
  })
  const isRequired = as === 'bytes' || !schema.safeParse(undefined).success
  if (as === 'bytes' && record) schemas.body(name, record)
  return {
    description: `At most ${maxBytes} bytes.`,
    required: isRequired,
    content: Object.fromEntries(media),
  }
}

const arrayMedia = (line: unknown) => ({
  schema: { type: 'array', items: recordSchema },
  ...(typeof line === 'string' && { example: [JSON.parse(line)] }),
})

const linesMedia = (line: unknown) => ({
  schema: { type: 'string', description: 'One IngestRecord per line.' },
  ...(line !== undefined && { example: line }),
})

// ---- parameters

function parametersOf(route: Operation): object[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const inPath = names.map((name) => {
    const about = route.pathParameters?.[name] ?? name
    const isPlain = typeof about === 'string'
    return {
      name,
      in: 'path',
      required: true,
      description: isPlain ? about : about.description,
      schema: {
        type: 'string',
        ...(isPlain ? { minLength: 1 } : { pattern: about.pattern.source }),
      },
    }
  })
  const inQuery = Object.entries(route.query).map(([name, parameter]) => {
    const {
      description,
      examples,
      'x-aliases': aliases,
      'x-required': _,
      ...schema
    } = parameter.meta() ?? {}
    const [example] = (examples as unknown[] | undefined) ?? []
    const isList = schema.type === 'array'
    return {
      name,
      in: 'query',
      required: isRequired(parameter),
      description: described(description ?? name, aliases),
      ...(isList && { style: 'form', explode: false }),
      schema,
      ...(example !== undefined && { example: isList ? String(example).split(',') : example }),
      ...(aliases !== undefined && { 'x-aliases': aliases }),
    }
  })
  const inHeader = route.kind === 'read' ? [refTo('parameters', 'IfNoneMatch')] : []
  return [...inPath, ...inQuery, ...inHeader]
}

function described(description: string, aliases: unknown): string {
  if (!Array.isArray(aliases)) return description
  return `${description} Also accepted as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of your copies, separated by commas, or `*`.',
  schema: { type: 'string' },
  example: '"sharp-6oIT3q0mTj8kVnXo0sPq4A"',
}

// ---- access

const securitySchemes = {
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Takes precedence.',
  },
  apiKeyBearer: { type: 'http', scheme: 'bearer', description: 'The key as a bearer token.' },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'For clients that cannot send headers; URLs end up in logs.',
  },
  adminToken: { type: 'http', scheme: 'bearer', description: 'The token of the operator.' },
  ingestToken: { type: 'http', scheme: 'bearer', description: 'The token of the feeds.' },
}

const anyKey = [{ apiKeyHeader: [] }, { apiKeyBearer: [] }, { apiKeyQuery: [] }]

const securityOf: Readonly<Record<Access, readonly object[]>> = {
  public: [],
  'public-list': [...anyKey, {}],
  key: anyKey,
  admin: [{ adminToken: [] }],
  ingest: [{ ingestToken: [] }],
}

// ---- headers

const whole = { type: 'integer' }

const headers = {
  'X-Request-Id': {
    description: 'Quote it when you report a problem.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute.', schema: whole },
  'X-RateLimit-Reset': {
    description: 'When the next minute begins (Unix seconds).',
    schema: whole,
  },
  'X-Tier': { description: 'The tier of the key.', schema: { type: 'string' } },
  'X-Data-Delay': { description: 'Delay of the tier’s data, in seconds.', schema: whole },
  ETag: {
    description:
      'Strong (of `/markets` weak): depends on content, tier and coding. `If-None-Match` accepts any.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'Who may cache the response.', schema: { type: 'string' } },
  'X-Cache-Status': {
    description: '`HIT` if the response equals the last one to this query.',
    schema: { type: 'string', enum: ['HIT', 'MISS'] },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: whole },
} as const

const refsTo = (names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
const keyHeaders = ['X-Tier', 'X-Data-Delay'] as const
const tagHeaders = ['ETag', 'Cache-Control', 'X-Cache-Status'] as const

function headersOf({ access, kind }: Operation): object {
  const isWithKey = access === 'key' || access === 'public-list'
  return refsTo([
    'X-Request-Id',
    ...(isWithKey ? [...rateHeaders, ...keyHeaders] : []),
    ...(kind === 'read' ? tagHeaders : []),
  ])
}

// ---- errors

const keyCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'expired_api_key',
  'disabled_api_key',
  'rate_limited',
  'work_limited',
  'service_unavailable',
]

const accessCodes: Readonly<Record<Access, readonly ErrorCode[]>> = {
  public: [],
  'public-list': keyCodes,
  key: ['missing_api_key', ...keyCodes],
  admin: ['unauthorized', 'rate_limited'],
  ingest: ['unauthorized', 'rate_limited'],
}

/** Returns all error codes of an operation, by status, both in order. */
function codesByStatus(route: Operation): [status: number, codes: ErrorCode[]][] {
  const { access, errors, takesAnyQuery, requires, body } = route
  const codes = new Set<ErrorCode>([...accessCodes[access], ...errors, 'internal_error'])
  if (!takesAnyQuery) codes.add('validation_error')
  if (requires) codes.add(requires.otherwise)
  if ('needsCurrentValue' in route) codes.add('forbidden')
  if (body) {
    codes.add('payload_too_large')
    codes.add('unsupported_media_type')
  }
  const byStatus = new Map<number, ErrorCode[]>()
  // Codes follow the order of the table, not that of the route.
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    if (!codes.has(code)) continue
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

function errorAnswerOf(
  status: number,
  codes: readonly ErrorCode[],
  { refusal, tag }: Operation,
  schemas: Schemas,
): object {
  const isRetried = status === 429 || status >= 500
  const means = codes.map((code) => `\`${code}\`: ${errorCodes[code].means}`)
  return {
    description: `${STATUS_CODES[status]}. ${means.join(' ')}`,
    'x-error-codes': codes,
    headers: refsTo([
      'X-Request-Id',
      ...(status === 429 ? rateHeaders : []),
      ...(isRetried ? (['Retry-After'] as const) : []),
    ]),
    content: {
      'application/json': {
        schema: refusal
          ? { anyOf: [errorSchema, schemas.answer(`${tag}Refusal`, refusal)] }
          : errorSchema,
        examples: Object.fromEntries(codes.map((code) => [code, refTo('examples', code)])),
      },
    },
  }
}

/** Example details of some codes. */
const exampleDetails: Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>> = {
  validation_error: { parameters: ['limt'] },
  offset_too_large: { max_offset: 500 },
  invalid_filter: {
    details: {
      fields: { league: ['moneyline'] },
      reference: { league: '/api/v1/leagues' },
      did_you_mean: [{ field: 'league', value: 'moneyline', try: { market: 'moneyline' } }],
    },
  },
  tier_restricted: { tier: 'free', required_tier: 'sharp', max_books: 2, requested_books: 1 },
  resync_required: { reason: 'too_old' },
  unknown_endpoint: { correct_endpoint: '/events' },
  too_many_streams: { max_streams: 10, ...retryAfter(10) },
  rate_limited: retryAfter(23),
  work_limited: retryAfter(2),
  service_unavailable: retryAfter(1),
  storage_full: retryAfter(10),
  too_many_book_sets: retryAfter(10),
  archive_busy: retryAfter(1),
  not_ready: { ...retryAfter(1), reason: 'starting' },
}

const errorExamples = Object.fromEntries(
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
    code,
    {
      summary: errorCodes[code].means,
      value: errorBody(new ApiError(code, errorCodes[code].means, exampleDetails[code])),
    },
  ]),
)
