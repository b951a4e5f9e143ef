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
  it('asks once per text, also when the answer is nothing', () => {
    let asked = 0
    const lookup = memoise(() => {
      asked++
      return undefined
    })
    lookup('a')
    lookup('a')
    expect(asked).toBe(1)
  })

  it('holds no more than its capacity', () => {
    let asked = 0
    const lookup = memoise((text) => {
      asked++
      return text.length
    }, 2)
    for (const text of ['a', 'b', 'c', 'c', 'a']) lookup(text)
    expect(asked).toBe(4)
  })
})
