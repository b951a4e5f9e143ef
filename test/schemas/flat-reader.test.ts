import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFlatReader } from '../../schemas/flat-reader.ts'
import { topics } from '../../schemas/topics.ts'

const schema: avro.Schema = {
  type: 'record',
  name: 'Flat',
  fields: [
    { name: 'whole', type: 'long' },
    { name: 'text', type: 'string' },
    { name: 'price', type: 'double' },
    { name: 'isSo', type: 'boolean' },
    { name: 'maybeText', type: ['null', 'string'] },
    { name: 'maybeWhole', type: ['long', 'null'] },
  ],
}
const library = avro.Type.forSchema(schema)
const read = compileFlatReader(schema)!

/** Of which some come again and again, and some differ in little. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', 'é', 'Ã©', 'nba', 'nbA', 'home', '東京', 'x'.repeat(64), 'x'.repeat(65)),
  fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }),
)
/** Doubled, as the form has it, it is still exact. */
const largest = 2 ** 52
const whole = fc.oneof(
  fc.integer({ min: -largest, max: largest }),
  fc.integer({ min: -200, max: 200 }),
  fc.integer(),
)
const value = fc.record({
  whole,
  text,
  price: fc.double({ noNaN: true }),
  isSo: fc.boolean(),
  maybeText: fc.option(text),
  maybeWhole: fc.option(whole),
})

describe('what reads flat records', () => {
  it('reads what the library has written, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const parts = values.map((one) => library.toBuffer(one))
        const all = Buffer.concat([Buffer.from([7]), ...parts, Buffer.from([7])])
        let from = 1
        for (const [i, one] of values.entries()) {
          const to = from + parts[i]!.length
          expect(read(all, from, to)).toEqual(one)
          from = to
        }
      }),
      { numRuns: 200 },
    )
  })

  it('refuses what the library does not read', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.nat(255), (one, place, byte) => {
        const bytes = library.toBuffer(one)
        expect(() => read(bytes, 0, bytes.length - 1)).toThrow()
        expect(() => read(Buffer.concat([bytes, bytes]), 0, bytes.length + 1)).toThrow()
        bytes[place % bytes.length] = byte
        const outcome = (act: () => unknown) => {
          try {
            return { read: act() }
          } catch {
            return 'refused'
          }
        }
        const theirs = outcome(() => ({ ...(library.fromBuffer(bytes) as object) }))
        expect(outcome(() => read(bytes, 0, bytes.length))).toEqual(theirs)
      }),
      { numRuns: 500 },
    )
  })

  it('gives one string for a name that comes again', () => {
    const one = { whole: 1, price: 2, isSo: true, maybeWhole: null }
    const bytes = library.toBuffer({ ...one, text: 'point_spread', maybeText: 'point_spread' })
    const { text, maybeText } = read(bytes, 0, bytes.length) as { text: string; maybeText: string }
    expect(text).toBe('point_spread')
    expect(maybeText).toBe('point_spread')
  })

  it('is there for prices, and for nothing that is not flat', () => {
    expect(compileFlatReader(topics.odds.schema)).not.toBe(null)
    expect(compileFlatReader(topics.feedOdds.schema)).toBe(null)
  })
})
