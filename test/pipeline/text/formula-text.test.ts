import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guarded, unguarded } from '../../../pipeline/text/formula-text.ts'

/** Signs that start a formula in some spreadsheet. */
const signs = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

it.each(signs)('a text that begins with %j is no formula for a spreadsheet', (sign) => {
  expect(guarded(`${sign}1+1`)).toBe(`'${sign}1+1`)
  expect(unguarded(`'${sign}1+1`)).toBe(`${sign}1+1`)
})

it('other texts stay unchanged', () => {
  for (const text of ['', 'Leeds', '1=1', "O'Neill", "'tis", ' =1', '−1.5', 'ー', '¡@']) {
    expect([guarded(text), unguarded(text)]).toEqual([text, text])
  }
})

it('a text is read back unchanged, whatever it is', () => {
  const part = fc.oneof(fc.constantFrom(...signs, "'", ' '), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join('')
      expect(unguarded(guarded(text))).toBe(text)
      expect(signs).not.toContain(guarded(text)[0])
    }),
  )
})
