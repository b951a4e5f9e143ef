import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oddsQuery } from '../../../schemas/http/odds-query.ts'
import {
  american,
  createQueryReader,
  dayOrInstant,
  decimal,
  instant,
  list,
  moment,
  pageLimit,
  whole,
} from '../../../schemas/http/query.ts'

const description = 'of a test'
const read = createQueryReader(
  {
    whole: whole({ description, min: 1, max: 200, fallback: 50 }),
    limit: pageLimit({ description, max: 200, fallback: 50 }),
    decimal: decimal({ description, min: 0, max: 10 }),
    open: decimal({ description }),
    american: american({ description }),
    instant: instant({ description }),
    moment: moment({ description }),
    day: dayOrInstant({ description }),
    words: list({ description, words: ['id', 'line'], most: 2 }),
  },
  [],
)

/** Returns the parsed value of a parameter, or the reason why it is refused. */
function readAs(name: string, text: string): unknown {
  // Sent without escaping, so a plus sign is a blank.
  const result = read(`${name}=${text}`)
  return result.ok ? (result.query as Record<string, unknown>)[name] : result.problems[name]
}

const micros = (text: string) => 1_000 * Date.parse(text)

describe('a list of words', () => {
  it.each([
    ['id, line,id', ['id', 'line']],
    [',', undefined],
    ['id,price', 'names price; there are id, line'],
    ['ID', 'names ID; there are id, line'],
  ])('refuses others: %s', (text, value) => expect(readAs('words', text)).toEqual(value))
})

describe('an offset of prices', () => {
  it.each([
    ['-1', 'is a whole number from 0 to 500'],
    ['1.5', 'is a whole number from 0 to 500'],
    // The route refuses it, with a code of its own.
    ['501', 501],
  ])('says its maximum: %s', (text, value) => {
    const read = createQueryReader({ offset: oddsQuery.offset }, [])(`offset=${text}`)
    expect(read.ok ? read.query.offset : read.problems.offset).toBe(value)
  })
})

describe('a number', () => {
  it.each([
    ['1e-3', 0.001],
    ['5e-05', 0.000_05],
    ['1E2', 100],
    ['1e+2', 100],
    ['1e%2B2', 100],
    ['+2.5', 2.5],
    ['%2B2.5', 2.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['00012', 12],
  ])('is read as JSON, Python or a person writes it: %s', (text, value) => {
    expect(readAs('open', text)).toBe(value)
  })

  it.each([
    '',
    'e3',
    '1e',
    '0x10',
    '1_0',
    'NaN',
    'Infinity',
    '1e400',
    '1,5',
    '1 2',
    '--1',
    '1e2.5',
  ])('is not guessed from %j', (text) => {
    expect(readAs('open', text)).toBe(
      text === '' ? undefined : 'is a number from -1000000000 to 1000000000',
    )
  })

  it('has the value meant by the language that wrote it', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (drawn) => {
        // Minus zero cannot be written.
        const value = drawn + 0
        expect(readAs('open', String(value))).toBe(value)
        expect(readAs('open', encodeURIComponent(value.toExponential()))).toBe(value)
      }),
    )
  })

  it('above the maximum is reduced to it, below the minimum refused', () => {
    expect(readAs('decimal', '10')).toBe(10)
    expect(readAs('decimal', '12')).toBe(10)
    expect(readAs('decimal', '1e300')).toBe(10)
    expect(readAs('decimal', '-0.001')).toBe('is a number from 0')
    expect(readAs('limit', '201')).toBe(200)
    expect(readAs('limit', '1e21')).toBe(200)
    expect(readAs('limit', '1'.repeat(60))).toBe(200)
    expect(readAs('limit', '0')).toBe('is a whole number from 1')
  })

  it('outside its bounds is refused, unless it is to be reduced', () => {
    expect(readAs('whole', '200')).toBe(200)
    expect(readAs('whole', '201')).toBe('is a whole number from 1 to 200')
    expect(readAs('whole', '0')).toBe('is a whole number from 1 to 200')
    expect(readAs('open', '1e10')).toBe('is a number from -1000000000 to 1000000000')
    expect(readAs('open', '-1e82')).toBe('is a number from -1000000000 to 1000000000')
  })

  it('is whole however it is written', () => {
    expect(readAs('whole', '50.0')).toBe(50)
    expect(readAs('whole', '1e2')).toBe(100)
    expect(readAs('whole', '1.5')).toBe('is a whole number from 1 to 200')
    expect(readAs('american', '-1.1e2')).toBe(-110)
    expect(readAs('american', '99.5')).toMatch(/^is American odds/)
  })

  it('is 100 for even money, as prices show it', () => {
    for (const even of ['-100', '100', '+100', '-1e2']) expect(readAs('american', even)).toBe(100)
    expect(readAs('american', '-100.5')).toBe(-100.5)
  })
})

describe('an instant', () => {
  const noon = micros('2026-11-20T12:00:00Z')
  it.each([
    ['2026-11-20T12:00:00Z', noon],
    ['2026-11-20T12:00:00', noon],
    ['2026-11-20T12:00', noon],
    ['2026-11-20t12:00:00z', noon],
    ['2026-11-20%2012:00:00', noon],
    ['2026-11-20+12:00:00', noon],
    ['2026-11-20T13:00:00+01:00', noon],
    ['2026-11-20T13:00:00%2B0100', noon],
    ['2026-11-20%2013:00:00%2B01', noon],
    ['2026-11-20T07:00:00-05:00', noon],
    ['2026-11-20T12:00:00.123456', noon + 123_456],
    ['2026-11-20T12:00:00,5Z', noon + 500_000],
    ['2026-11-20T12:00:00.123456789Z', noon + 123_456],
    ['2026-11-20', micros('2026-11-20T00:00:00Z')],
    ['2028-02-29T00:00:00Z', micros('2028-02-29T00:00:00Z')],
  ])('is in UTC if it names no zone: %s', (text, at) => {
    expect(readAs('instant', text)).toBe(at)
    expect(readAs('moment', text)).toBe(Math.floor(at / 1_000))
  })

  it.each([
    '2026-02-30T12:00:00Z',
    '2026-02-29',
    '2026-11-31T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:00 GMT',
    '20-11-2026',
    'yesterday',
  ])('is refused on a day that does not exist: %s', (text) => {
    expect(readAs('instant', text)).toMatch(/^is a time such as/)
    expect(readAs('moment', text)).toMatch(/^is a time such as/)
    expect(readAs('day', text)).toMatch(/^is a day/)
  })

  it('may be a day where a day is allowed', () => {
    expect(readAs('day', '2026-11-20')).toEqual({ at: Date.UTC(2026, 10, 20), isDay: true })
    expect(readAs('day', '2026-11-20T12:00:00')).toEqual({ at: noon / 1_000, isDay: false })
    expect(readAs('moment', '1795176000.5')).toBe(1_795_176_000_500)
  })
})
