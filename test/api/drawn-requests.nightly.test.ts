/**
 * Requests drawn from the OpenAPI document: one that it allows is not refused as malformed, one that it does not allow
 * is. Unknown ids and names are not malformed: they get `invalid_filter` and 404.
 */

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resolvedIn } from './document-references.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { adminToken, type InProcess, keys, startInProcess } from './service-in-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

const seeds = [1, 2, 3, 20261126]
const drawsOfSeed = 12

/** Parameters whose values only the service can issue. */
const given = new Set(['cursor', 'resume_from', 'last_event_id'])
/** Body fields whose format no schema states: time zones, reachable addresses. */
const fittingMembers: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  time_zone: fc.constantFrom('Europe/London', 'America/New_York'),
  url: fc.constantFrom('https://example.com/hook', 'https://example.com:8443/a?b=c'),
}
/** Of a bet: a time that has been, one price in both forms, a known sportsbook. */
const fittingBet: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  placed_at: fc.constantFrom('2026-11-19T12:00:00Z', '2026-11-19T12:00:00.123456789-05:00'),
  odds_decimal: fc.constantFrom(null, 1.91),
  odds_american: fc.constantFrom(null, -110),
  sportsbook: fc.constantFrom('draftkings', 'Bet MGM'),
}
/** Filters that an alert's type requires; the document states them in words only. */
const fittingFilters: Readonly<Record<string, Json>> = {
  price: { market: 'moneyline', min_odds: 150 },
  move: { min_drop: 5 },
}
/** A name with a synonym, by the synonym that is left out where both are drawn. */
const besides: Readonly<Record<string, string>> = { devig_book: 'devig_books' }
/** A fitting choice of parameters whose mutual bounds the document states in words only. */
const fitting: Readonly<Record<string, string>> = {
  from: '2026-11-19',
  to: '2026-11-20',
  start_time: '2026-11-19T00:00:00Z',
  end_time: '2026-11-20T00:00:00Z',
}

interface Request {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body?: Json
  readonly what: string
}

let service: InProcess
let document: Json

beforeAll(async () => {
  service = await startInProcess({
    mail: { url: 'smtp://127.0.0.1:9', from: 'odds@example.com' },
  })
  await fillBoard(service)
  await fillOpportunities(service)
  document = JSON.parse((await service.request('/openapi.json')).text)
})
/** One of the drawn requests turns on the full log. */
afterEach(() =>
  service.request('/admin/log-level', {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: '{"level":"silent"}',
  }),
)
afterAll(() => service.close())

const resolved = (node: Json): Json => resolvedIn(document, node)

// ---- values by schema

function valid(schema: Json): fc.Arbitrary<Json> {
  const of = resolved(schema)
  const choices = of.anyOf ?? of.oneOf
  if (choices) return fc.oneof(...choices.map(valid))
  if (of.enum) return fc.constantFrom(...of.enum)
  const [type] = [of.type].flat()
  const isNullable = Array.isArray(of.type) && of.type.includes('null')
  const value = ofType(type, of)
  return isNullable ? fc.option(value) : value
}

function ofType(type: string, of: Json): fc.Arbitrary<Json> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer') {
    return fc.integer({ min: of.minimum ?? -1e6, max: Math.min(of.maximum ?? 1e9, 2 ** 31 - 1) })
  }
  if (type === 'number') {
    const { exclusiveMinimum, exclusiveMaximum, not } = of
    const min = exclusiveMinimum ?? of.minimum ?? -1e80
    const max = exclusiveMaximum ?? of.maximum ?? 1e80
    const numbers = fc
      .oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max))
      .filter((one) => one !== exclusiveMinimum && one !== exclusiveMaximum)
    return not
      ? numbers.filter((one) => one <= not.exclusiveMinimum || one >= not.exclusiveMaximum)
      : numbers
  }
  if (type === 'array') {
    const length = { minLength: of.minItems ?? 0, maxLength: of.maxItems === 1 ? 1 : 4 }
    return of.uniqueItems
      ? fc.uniqueArray(valid(of.items), length)
      : fc.array(valid(of.items), length)
  }
  if (type === 'object') {
    const { properties = {}, required = [] } = of
    const fits = fittingFilters[resolved(properties.type)?.enum?.[0]]
    const fitted = properties.placed_at ? fittingBet : fittingMembers
    const members = Object.entries<Json>(properties).map(([name, one]) => [
      name,
      name === 'filters' && fits ? fc.constant(fits) : (fitted[name] ?? valid(one)),
    ])
    // An account's `owner` needs a tier that sees every sportsbook, so it is not drawn.
    const drawn = Object.fromEntries(members.filter(([name]) => name !== 'owner'))
    const objects = fc.record<Json>(drawn, { requiredKeys: required })
    return objects.filter((one) => Object.keys(one).length >= (of.minProperties ?? 0))
  }
  return text(of)
}

function text({ format, pattern, minLength = 0, maxLength = 60 }: Json): fc.Arbitrary<string> {
  const instants = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  })
  if (format === 'date') return instants.map((at) => at.toISOString().slice(0, 10))
  if (format === 'date-time') {
    const zones = fc.constantFrom('Z', '+02:00', '-11:30', 'z')
    return fc
      .tuple(instants, zones, fc.constantFrom('', '.5', '.123456789012'))
      .map(([at, zone, rest]) => `${at.toISOString().slice(0, 19)}${rest}${zone}`)
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((one) => one.length <= 200)
  const letters = fc.string({
    unit: 'grapheme-composite',
    minLength,
    maxLength: Math.min(maxLength, 12),
  })
  return fc.oneof(
    letters,
    fc.constantFrom('x'.repeat(maxLength), '\u{1F3C0}'.repeat(Math.min(maxLength, 200))),
  )
}

/** Yields values that a schema does not allow, each with its fault. */
function* invalid(schema: Json): Generator<[what: string, value: Json]> {
  const of = resolved(schema)
  const [type] = [of.type].flat()
  if (of.enum) yield ['a stranger', 'no_such_word']
  else if (of.pattern) yield ['another form', '\u0007']
  else if (of.format) yield ['another form', 'soon']
  if (type === 'boolean') yield ['no boolean', 'perhaps']
  if (type === 'integer' || type === 'number') {
    yield ['no number', 'many']
    if (type === 'integer') yield ['a fraction', (of.minimum ?? 0) + 0.5]
    if (of.minimum !== undefined) yield ['too little', of.minimum - 1 - Math.abs(of.minimum)]
    if (of.maximum !== undefined) yield ['too much', of.maximum + 1 + Math.abs(of.maximum)]
    if (of.not) yield ['what is excluded', 2.5]
  }
  if (type === 'string' && of.maxLength !== undefined)
    yield ['too long', 'x'.repeat(of.maxLength + 1)]
  if (type === 'array') {
    if (of.maxItems !== undefined) {
      yield ['too many', Array.from({ length: of.maxItems + 1 }, (_, i) => `v${i}`)]
    }
    const items = resolved(of.items)
    if (items.enum || items.pattern)
      for (const [what, value] of invalid(items)) yield [what, [value]]
  }
}

// ---- requests

interface Drawn {
  readonly method: string
  readonly template: string
  readonly described: Json
  readonly parameters: readonly Json[]
}

const operations = (): readonly Drawn[] =>
  Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, { tags }]) => !['Streams', 'Tools', 'Ingest', 'Documentation'].includes(tags[0]))
      .map(([method, described]) => ({
        method,
        template,
        described,
        parameters: (described.parameters ?? [])
          .map(resolved)
          .filter((parameter: Json) => parameter.in !== 'header'),
      })),
  )

const jsonBody = ({ described }: Drawn): Json =>
  described.requestBody?.content?.['application/json']

const bodyOf = (operation: Drawn): Json => jsonBody(operation)?.schema

/** Fields of a calculator's body depend on each other (a price and its format), so its example is used. */
const drawnBody = (operation: Drawn): fc.Arbitrary<Json> =>
  operation.described.tags[0] === 'Calculators'
    ? fc.constant(jsonBody(operation).example)
    : valid(bodyOf(operation))

const textOf = (value: Json): string => (Array.isArray(value) ? value.join() : String(value))

/** Draws a request with its required parameters, and none that only the service can issue. */
function requestOf(operation: Drawn): fc.Arbitrary<Request> {
  const { method, template, described, parameters } = operation
  const one = described['x-needs-one-of']?.[0]
  const drawn = parameters.filter(({ name }) => !given.has(name) && name !== 'as_of')
  const values = drawn.map((parameter) => {
    const { name, schema, required, in: place } = parameter
    const fit = fitting[name]
    const value = fit !== undefined ? fc.constant(fit) : valid(schema).map(textOf)
    // An empty part would make another path, and a list of only blanks counts as none.
    const isNeeded = required || name === one || fit !== undefined
    const whole = isNeeded
      ? value.filter((text) => /[^\s,]/.test(text) && text !== '.' && text !== '..')
      : value
    return [name, isNeeded || place === 'path' ? whole : fc.option(whole, { freq: 2 })]
  })
  return fc
    .record({
      values: fc.record(Object.fromEntries(values)),
      body: bodyOf(operation) ? drawnBody(operation) : fc.constant(undefined),
    })
    .map(({ values: chosen, body }) => ({
      ...placed(operation, chosen as Readonly<Record<string, string | null>>),
      body,
      what: 'valid',
      method,
      operation: `${method} ${template}`,
    }))
}

function placed({ template, parameters }: Drawn, values: Readonly<Record<string, string | null>>) {
  const path = template.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values[name] ?? 'none'),
  )
  const inQuery = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const query = Object.fromEntries(
    inQuery.flatMap((name): [string, string][] => {
      const value = values[name]
      if (values[besides[name] ?? '']) return []
      return value === null || value === undefined ? [] : [[name, value]]
    }),
  )
  return { path, query }
}

async function answerTo({ method, path, query, body }: Request) {
  const isAdmin = path.startsWith('/admin') || path.startsWith('/sources')
  const headers = new Headers({ 'X-API-Key': keys.sharp })
  if (isAdmin) headers.set('Authorization', `Bearer ${adminToken}`)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const init = {
    method: method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  } as const
  for (;;) {
    const reply = await service.request(`${path}?${new URLSearchParams(query)}`, init)
    if (reply.status !== 429) return reply
    service.advance(60_000)
  }
}

const shown = ({ operation, what, path, query, body }: Request, reply: Json) =>
  [
    `${operation}, ${what}: ${path}?${new URLSearchParams(query)} ${JSON.stringify(body) ?? ''}`.slice(
      0,
      400,
    ),
    `${reply.status} ${JSON.stringify(reply.body?.error?.message)}`,
  ].join(' -> ')

describe('a request drawn from the document', () => {
  it.each(seeds)(
    'is not refused as malformed where the document allows it (seed %i)',
    async (seed) => {
      const refused: string[] = []
      for (const operation of operations()) {
        for (const request of fc.sample(requestOf(operation), { seed, numRuns: drawsOfSeed })) {
          const reply = await answerTo(request)
          expect(reply.status, shown(request, reply)).not.toBe(500)
          const isMalformed = reply.status === 400 && reply.body.code !== 'invalid_filter'
          if (isMalformed) refused.push(shown(request, reply))
        }
      }
      expect(refused).toEqual([])
    },
  )

  it('is refused where the document does not allow a value, a name or an absence', async () => {
    const taken: string[] = []
    for (const operation of operations()) {
      const [usual] = fc.sample(requestOf(operation), { seed: seeds[0]!, numRuns: 1 })
      for (const request of malformed(operation, usual!)) {
        const reply = await answerTo(request)
        if (reply.status !== 400) taken.push(shown(request, reply))
      }
    }
    expect(taken).toEqual([])
  })
})

describe('a parameter name of the document', () => {
  const spellings = ({ name, 'x-aliases': aliases = [] }: Json): string[] => [name, ...aliases]

  it('is accepted by the operations that list it, as a parameter or another spelling of one, and by no other', async () => {
    const wrong: string[] = []
    const all = operations()
    const names = new Set(all.flatMap(({ parameters }) => parameters.flatMap(spellings)))
    for (const operation of all) {
      const [usual] = fc.sample(requestOf(operation), { seed: seeds[0]!, numRuns: 1 })
      const inQuery = operation.parameters.filter(({ in: place }) => place === 'query')
      const own = new Set(inQuery.flatMap(spellings))
      for (const name of names) {
        // An empty value counts as none, so only the name is tested.
        const request = { ...usual!, what: name, query: { ...usual!.query, [name]: '' } }
        const reply = await answerTo(request)
        const isStranger = reply.status === 400 && reply.text.includes(`${name} is not a parameter`)
        if (isStranger === own.has(name)) wrong.push(shown(request, reply))
      }
    }
    expect(wrong).toEqual([])
  })
})

function* malformed(operation: Drawn, usual: Request): Generator<Request> {
  const { described, parameters } = operation
  for (const { name, in: place, schema, required } of parameters) {
    if (place !== 'query') continue
    for (const [what, value] of invalid(schema)) {
      yield { ...usual, what: `${name}: ${what}`, query: { ...usual.query, [name]: textOf(value) } }
    }
    const { [name]: _, ...others } = usual.query
    if (required) yield { ...usual, what: `without ${name}`, query: others }
  }
  const needed: readonly string[] = described['x-needs-one-of'] ?? []
  if (needed.length > 0) {
    const others = Object.entries(usual.query).filter(([name]) => !needed.includes(name))
    yield { ...usual, what: 'without any it needs', query: Object.fromEntries(others) }
  }
  yield { ...usual, what: 'no parameter', query: { ...usual.query, no_parameter: '1' } }
  const schema = resolved(bodyOf(operation))
  if (schema?.type !== 'object') return
  yield { ...usual, what: 'no member', body: { ...usual.body, no_member: 1 } }
  yield { ...usual, what: 'a list for an object', body: [] }
  for (const [name, member] of Object.entries<Json>(schema.properties)) {
    const { [name]: _, ...others } = usual.body ?? {}
    if (schema.required?.includes(name)) yield { ...usual, what: `without ${name}`, body: others }
    // The filters of an alert follow its list's rules, and are read once the alert is found; settings are of their source.
    if (name !== 'filters' && name !== 'settings') {
      yield { ...usual, what: `${name}: an object`, body: { ...usual.body, [name]: { x: 1 } } }
    }
    for (const [what, value] of invalid(member)) {
      yield { ...usual, what: `${name}: ${what}`, body: { ...usual.body, [name]: value } }
    }
  }
}
