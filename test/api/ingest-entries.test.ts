import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entries, stepBytes } from '../../api/routes/ingest-entries.ts'
import { maxBodyBytes } from '../../schemas/http/ingest.ts'

const now = Date.UTC(2026, 10, 20)
const megabytes8 = maxBodyBytes

/** Splits a body and counts the pauses that let other requests run. */
function takeApart(body: string | Buffer, isLines: boolean) {
  const codes: string[] = []
  let pauses = 0
  let error: unknown
  try {
    for (const entry of entries(Buffer.from(body), isLines)) {
      if (entry === null) {
        pauses++
        continue
      }
      const parsed = entry.parse(now)
      codes.push(`${entry.line} ${parsed.ok ? 'ok' : parsed.code}`)
    }
  } catch (thrown) {
    error = thrown
  }
  return { codes, pauses, error }
}

describe('a body of push ingest', () => {
  it.each([
    ['newlines', '\n', true],
    ['blanks and newlines', ' \r\n\t', true],
    ['blanks within an array', ' ', false],
    ['opening brackets', '[', false],
    ['opening brackets', '[', true],
    ['openings of objects', '[{"a":', false],
    ['commas', '[,', false],
    ['quotes', '"', true],
  ])('of 8 MiB of %s (%j, lines: %s) is parsed in steps', (_, text, isLines) => {
    const start = isLines ? '' : '['
    const body = start + text.repeat(Math.floor((megabytes8 - 1) / text.length))
    const { codes, pauses, error } = takeApart(body, isLines)
    // The body is one overlong record, an unfinished array, or nothing: never thousands of errors.
    expect(codes.length).toBeLessThanOrEqual(2)
    const isRefusedAtOnce = error !== undefined || codes.length > 0
    if (!isRefusedAtOnce)
      expect(pauses).toBeGreaterThanOrEqual(Math.floor(megabytes8 / stepBytes) - 2)
  })

  it('lets other requests run in an array as often as its length requires', () => {
    const member = JSON.stringify({ type: 'x'.repeat(500) })
    const count = 4_000
    const body = `[${Array.from({ length: count }, () => member).join()}]`
    const { codes, pauses } = takeApart(body, false)
    expect(codes).toHaveLength(count)
    expect(pauses).toBe(Math.floor(body.length / stepBytes))
  })

  it('counts empty lines too', () => {
    expect(takeApart('\n \n5\r\n\n\n{}\n\n"', true).codes).toEqual([
      '3 not_an_object',
      '6 unknown_type',
      '8 invalid_json',
    ])
  })

  it('refuses what is nested too deep without parsing it, as a line and as an element', () => {
    const deep = '['.repeat(100_000)
    expect(takeApart(`5\n${deep}`, true).codes).toEqual(['1 not_an_object', '2 invalid_json'])
    const whole = `${deep}${']'.repeat(100_000)}`
    expect(takeApart(`[5,${whole},{}]`, false).codes).toEqual([
      '1 not_an_object',
      '2 invalid_json',
      '3 unknown_type',
    ])
  })

  it('splits an array exactly as JSON.parse does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 5 }), { maxLength: 8 }),
        fc.constantFrom(0, 1, '\t'),
        (values, space) => {
          const { codes, error } = takeApart(JSON.stringify(values, null, space as number), false)
          expect(error).toBeUndefined()
          expect(codes.map((code) => code.split(' ')[0])).toEqual(
            values.map((_, index) => String(index + 1)),
          )
          const objects = values.filter(
            (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
          )
          const refused = codes.filter((code) => code.endsWith('not_an_object')).length
          expect(refused).toBe(values.length - objects.length)
        },
      ),
    )
  })

  it('refuses every array that JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', ']', '[', '"', '{', '}', 'x', '1'),
        (values, where, put) => {
          const text = JSON.stringify(values)
          const at = 1 + (where % (text.length - 1))
          const body = text.slice(0, at) + put + text.slice(at + 1)
          let isJson = true
          try {
            isJson = Array.isArray(JSON.parse(body))
          } catch {
            isJson = false
          }
          expect(takeApart(body, false).error === undefined).toBe(isJson)
        },
      ),
    )
  })
})
