/** Examples in the documents: each is derived from the fields of its schema. */

import { expect, it } from 'vitest'
import { z } from 'zod'
import { listOf, timestamp } from '../../../schemas/http/envelope.ts'
import { example, exampleOf } from '../../../schemas/http/example.ts'

const sport = z.object({
  id: example(z.string(), 'hockey'),
  is_live: z.boolean(),
  line: z.number().nullable(),
  seen_at: timestamp.nullable(),
  player: z.string().optional(),
  kind: z.literal('sport'),
})
const shown = {
  id: 'hockey',
  is_live: false,
  line: null,
  seen_at: '2027-01-14T21:03:11.204Z',
  kind: 'sport',
}

it('is derived from the fields, in an object, a list and a response', () => {
  expect(exampleOf(sport)).toEqual(shown)
  expect(exampleOf(z.array(sport))).toEqual([shown])
  const answer = listOf(sport, { requests: example(z.int(), 3) })
  const { data, meta } = exampleOf(answer)
  expect(data).toEqual([shown])
  expect(meta).toMatchObject({ count: 1, total: 1, requests: 3, filters: {} })
  expect(answer.parse(exampleOf(answer))).toEqual(exampleOf(answer))
})

it('is its own if a schema has one, whatever is added later', () => {
  const own = example(sport.nullable(), null)
  expect(exampleOf(own.describe('None.'))).toBe(null)
  expect(exampleOf(z.object({ sport: own }))).toEqual({ sport: null })
  expect(exampleOf(z.object({ at: timestamp.optional() }))).toEqual({ at: shown.seen_at })
  expect(exampleOf(z.object({ at: example(timestamp.optional(), undefined) }))).toEqual({})
})

it('leaves other uses of the schema as they are', () => {
  const text = z.string()
  expect(exampleOf(z.object({ a: example(text, 'a'), b: example(text, 'b') }))).toEqual({
    a: 'a',
    b: 'b',
  })
  expect(exampleOf(text)).toBe(undefined)
})

it('is refused, by its name, if a required field has none', () => {
  const nameless = z.object({ rows: z.array(z.object({ name: z.string() })) })
  expect(() => exampleOf(nameless)).toThrow('.rows[].name has no example')
})
