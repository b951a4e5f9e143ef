import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayName } from '../../../pipeline/rules/display-name.ts'

test.each([
  [['PANATHINAIKOS', 'PANATHINAIKOS', 'Panathinaikos'], 'Panathinaikos'],
  [['panathinaikos', 'Panathinaikos FC'], 'Panathinaikos FC'],
  [['Leeds  United', 'Leeds  United', 'Leeds United'], 'Leeds United'],
  [['Leeds', 'Leeds Utd', 'Leeds Utd'], 'Leeds Utd'],
  [['Sao Paulo', 'São Paulo'], 'São Paulo'],
  [['PSG', 'PSG', 'Paris Saint-Germain'], 'PSG'],
  [['AIK'], 'AIK'],
  [[' Ajax ', ''], 'Ajax'],
  [['東京'], '東京'],
  [['GREMIO'], 'GREMIO'],
  [[], ''],
])('of %j is shown %j', (spellings, shown) => {
  expect(displayName(spellings)).toBe(shown)
})

test('the order in which spellings are heard does not matter', () => {
  const spellings = fc.array(
    fc.constantFrom('AJAX', 'Ajax', 'ajax', 'AFC Ajax', 'Ajax  Amsterdam', 'Ájax', 'AJX'),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(spellings, (heard) => {
      expect(displayName([...heard].reverse())).toBe(displayName(heard))
      expect(displayName([...heard].sort())).toBe(displayName(heard))
    }),
  )
})
