/** The OpenAPI document says what requests need: emptiness, forms, and rules between fields, as the routes ask them. */

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPositionTokens } from '../../api/stream/timeline/positions.ts'
import { readPrice } from '../../pipeline/rules/odds/price-formats.ts'
import { oneOfKeyword } from '../../schemas/http/needed-fields.ts'
import { toolPrice } from '../../schemas/http/tools.ts'
import { priceFormats } from '../../schemas/price-format.ts'
import { topics } from '../../schemas/topics.ts'
import { resolvedIn } from './document-references.ts'
import { fillBoard } from './filled-board.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

let service: InProcess
let document: Json

beforeAll(async () => {
  service = await startInProcess()
  await fillBoard(service)
  document = (await service.request('/openapi.json')).body
})
afterAll(() => service.close())

const resolved = (node: Json): Json => resolvedIn(document, node)

const operations = (): Json[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  )

const parameters = () =>
  operations().flatMap(({ path, method, operation }) =>
    (operation.parameters ?? []).map((parameter: Json) => ({
      ...resolved(parameter),
      at: `${method} ${path}`,
    })),
  )

describe('a parameter that is required', () => {
  it('is not empty by its schema', () => {
    const isFilled = ({ type, pattern, format, minLength, minItems, items }: Json) =>
      type === 'array'
        ? minItems > 0 && items.minLength > 0
        : pattern !== undefined || format !== undefined || minLength > 0
    const required = parameters().filter((parameter) => parameter.required)
    expect(required.length).toBeGreaterThan(40)
    const empty = required.filter(({ schema }) => !isFilled(schema))
    expect(empty.map(({ at, name }) => `${at} ${name}`)).toEqual([])
  })

  it('is refused where it is empty in the query', async () => {
    const { body } = await service.get('/odds/comparison?event=', 'sharp')
    expect(body.code).toBe('validation_error')
  })
})

describe('a text that only the service issues', () => {
  const formOf = (name: string) => {
    // Where it has no effect, any text is taken.
    const patterns = parameters().flatMap((one) =>
      one.name === name && one.schema.pattern ? [one.schema.pattern] : [],
    )
    const [pattern, ...others] = new Set(patterns)
    expect(others).toEqual([])
    return new RegExp(pattern!)
  }

  it('has the form of cursors, and another is refused', async () => {
    const { body } = await service.get('/odds?limit=1', 'sharp')
    expect(body.pagination.next_cursor).toMatch(formOf('cursor'))
    const sorted = await service.get('/odds?limit=1&sort=odds_american', 'sharp')
    expect(sorted.body.pagination.next_cursor).toMatch(formOf('cursor'))
    const refusal = await service.get('/odds?cursor=page%202', 'sharp')
    expect(refusal.body.error.message).toBe('cursor is not one we gave; start without it.')
  })

  it('has the form of positions, and another is refused', async () => {
    const form = formOf('resume_from')
    const tokens = createPositionTokens('secret')
    const offsets = { [topics.events.name]: [1, 2], [topics.odds.name]: [3, 4] }
    for (const view of [null, 'some']) {
      expect(tokens.of({ epoch: 'a:b c', offsets }, view)).toMatch(form)
    }
    // Those of earlier versions, and of later ones.
    for (const token of [
      ...['epoch:1.2-3.4', 'v1:epoch:1-2-3', `v1:${'x'.repeat(40)}`],
      ...['v2:epoch:1-2-3-4', `v2:${'x'.repeat(40)}`, 'v4:any'],
    ]) {
      expect(tokens.parse(token)).toBeDefined()
      expect(token).toMatch(form)
    }
    // As many partitions, with offsets as large as the tokens take.
    const many = (partitions: number, offset: number) => {
      const ofTable = new Array<number>(partitions).fill(offset)
      const tables = Object.values(topics).map(({ name }) => [name, ofTable])
      return { epoch: randomUUID(), offsets: Object.fromEntries(tables) }
    }
    for (const view of [null, 'some']) {
      for (const offset of [0, 2 ** 48 - 1]) {
        const token = tokens.of(many(200, offset), view)!
        expect(tokens.parse(token)!.offsets[topics.odds.name]).toEqual(new Array(200).fill(offset))
        const { status } = await service.get(`/odds/delta?resume_from=${token}`, 'sharp')
        // It is of another log.
        expect(status).toBe(409)
      }
      expect(tokens.of(many(1_000, 2 ** 48 - 1), view)).toBe(null)
    }
    const refusal = await service.get('/odds/delta?resume_from=yesterday', 'sharp')
    expect(refusal.body.error.message).toBe('resume_from must be a position from a stream.')
  })
})

describe('a price of a calculator', () => {
  const refused = (price: unknown) => !toolPrice.safeParse(price).success

  it('is in the document as any that some format reads', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789.,+-\u2212/% EVeνns'), maxLength: 8 }),
      fc.double({ min: -1e9, max: 1e9 }).map((price) => String(price).slice(0, 20)),
    )
    const numbers = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-1e8, 99_999_900, 1e9))
    fc.assert(
      fc.property(fc.oneof(texts, numbers), (price) => {
        const isRead = priceFormats.some((format) => readPrice(String(price), format) !== null)
        expect(isRead && refused(price)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is not held to its form where it is too long', () => {
    const { error } = toolPrice.safeParse(`1${' '.repeat(32_000)}x`)
    expect(JSON.stringify(error!.issues)).toContain('too_big')
    expect(JSON.stringify(error!.issues)).not.toContain('invalid_format')
  })

  it('is bounded, and of a form', () => {
    const [number, text] = document.components.schemas.StatedPrice.anyOf
    expect([number.minimum, number.maximum]).toEqual([-1e8, 1e8])
    for (const price of [2e8, -2e8, 'soon', '', '1/2/3', '+', '1'.repeat(21)]) {
      expect(refused(price), String(price)).toBe(true)
      if (typeof price === 'string' && price.length <= text.maxLength) {
        expect(price).not.toMatch(new RegExp(text.pattern))
      }
    }
  })
})

describe('fields of which one is needed', () => {
  const ask = (path: string, body: object) =>
    service.request(path, {
      method: 'POST',
      headers: { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const alert = (type: string, filters: object) =>
    ask('/account/alerts', { type, name: 'mine', target: { type: 'browser' }, filters })
  const bet = {
    ...{ placed_at: '2026-11-20T12:00:00Z', event_id: 'any', market: 'moneyline' },
    ...{ selection: 'home', stake: 5, sportsbook: 'draftkings' },
  }

  /** Sends a body with only one of the fields, or with none; by the fields. */
  const bodies: Readonly<Record<string, (given: Json) => Promise<Json>>> = {
    'probability,fair_odds': (given) =>
      ask('/tools/kelly', { bankroll: 100, bets: [{ odds: 2, ...given }] }),
    'odds_decimal,odds_american': (given) => ask('/account/bets', { ...bet, ...given }),
    'min_odds,max_odds,min_line,max_line': (given) =>
      alert('price', { market: 'moneyline', ...given }),
    'min_drop,min_books': (given) => alert('move', given),
  }
  const values: Json = {
    ...{ probability: 0.5, fair_odds: 2, odds_decimal: 2, odds_american: 100 },
    ...{ min_odds: 100, max_odds: 100, min_line: 1, max_line: 1, min_drop: 5, min_books: 2 },
  }
  const isTaken = ({ status, body }: Json) => status < 300 && (body.data.rejected_count ?? 0) === 0

  it('are named in the document, and one of them is enough', async () => {
    const named = new Set<string>()
    JSON.stringify(document.components.schemas, (name, value) => {
      if (name === oneOfKeyword) named.add(value.join())
      return value
    })
    expect([...named].sort()).toEqual(Object.keys(bodies).sort())
    for (const [fields, send] of Object.entries(bodies)) {
      for (const field of fields.split(',')) {
        expect(isTaken(await send({ [field]: values[field] })), field).toBe(true)
      }
      expect(isTaken(await send({})), fields).toBe(false)
    }
  })
})

/** Keywords, and words, that say what a check by code refuses. */
const saying = [
  ...['minLength', 'maxLength', 'minProperties', 'uniqueItems', oneOfKeyword],
  ...['examples', 'description'],
]

it('says something of every rule of a body that is checked by code', () => {
  const silent: string[] = []
  const seen = new Set<z.core.$ZodType>()
  const visit = (type: Json, at: string) => {
    if (!(type instanceof z.core.$ZodType) || seen.has(type)) return
    seen.add(type)
    const { checks = [], shape, ...parts } = type._zod.def as Json
    if (checks.some((check: Json) => check._zod.def.check === 'custom')) {
      const said = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
      if (!saying.some((keyword) => keyword in said)) silent.push(at)
    }
    for (const [name, part] of Object.entries(shape ?? {})) visit(part, `${at}.${name}`)
    for (const part of Object.values<Json>(parts).flat()) visit(part, at)
  }
  for (const route of service.routes) {
    if (route.kind === 'read' || !route.body) continue
    const { schema, record, whole } = route.body
    for (const part of [schema, record, whole]) visit(part, `${route.method} ${route.path}`)
  }
  expect(seen.size).toBeGreaterThan(100)
  expect(silent).toEqual([])
})
