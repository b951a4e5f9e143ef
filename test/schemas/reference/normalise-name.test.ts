import { describe, expect, it } from 'vitest'
import { memoise } from '../../../schemas/memoise.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'

describe('normaliseName', () => {
  it.each([
    ['Montréal Canadiens', 'montreal canadiens'],
    ['Brøndby IF', 'brondby if'],
    ['Preußen Münster', 'preussen munster'],
    ['Raków Częstochowa', 'rakow czestochowa'],
    ['Widzew Łódź', 'widzew lodz'],
    ['Kasımpaşa', 'kasimpasa'],
    ['İstanbulspor', 'istanbulspor'],
    ['Đurgården', 'durgarden'],
    ['Næstved', 'naestved'],
    ["Nott'm Forest", 'nottm forest'],
    ['1. FC Köln', '1 fc koln'],
    ['  St.  Louis\tBlues ', 'st louis blues'],
    ['Bodø/Glimt', 'bodo glimt'],
    ['Τσέλσι', 'τσελσι'],
    ['...', ''],
  ])('takes %j as %j', (text, normalised) => {
    expect(normaliseName(text)).toBe(normalised)
  })

  it('leaves a normalised name as it is', () => {
    for (const text of ['Ein Frankfurt', 'Ad. Demirspor', 'Sp Gijón']) {
      expect(normaliseName(normaliseName(text))).toBe(normaliseName(text))
    }
  })
})

describe('memoise', () => {
  it('computes once per text, also when the result is nothing', () => {
    let calls = 0
    const lookup = memoise(() => {
      calls++
      return undefined
    })
    lookup('a')
    lookup('a')
    expect(calls).toBe(1)
  })

  it('holds no more than its capacity', () => {
    let calls = 0
    const lookup = memoise((text) => {
      calls++
      return text.length
    }, 2)
    for (const text of ['a', 'b', 'c', 'c', 'a']) lookup(text)
    expect(calls).toBe(4)
  })
})
