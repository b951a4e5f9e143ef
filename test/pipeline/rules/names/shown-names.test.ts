import { describe, expect, test } from 'vitest'
import { shownName, tidyName } from '../../../../pipeline/rules/names/shown-names.ts'

describe('the name shown', () => {
  test.each([
    [
      'capitals lose to a name',
      ['PANATHINAIKOS', 'PANATHINAIKOS', 'Panathinaikos'],
      'Panathinaikos',
    ],
    ['so do small letters', ['olympiacos', 'olympiacos', 'Olympiacos'], 'Olympiacos'],
    ['what most say', ['Leeds', 'Leeds United', 'Leeds United'], 'Leeds United'],
    ['blanks do not count', ['Real  Madrid ', 'Real Madrid', 'Real Betis'], 'Real Madrid'],
    ['accents say more', ['Sao Paulo', 'São Paulo'], 'São Paulo'],
    ['a broken letter', ['M\ufffdnchen', 'M\ufffdnchen', 'Munchen'], 'Munchen'],
    ['codes are written so', ['PSV', 'PSV', 'Psv Eindhoven'], 'PSV'],
    ['capitals where nobody says otherwise', ['PANATHINAIKOS'], 'PANATHINAIKOS'],
    ['a script without capitals', ['阪神', '阪神', 'HANSHIN'], '阪神'],
  ])('%s', (_, spellings, shown) => {
    expect(shownName(spellings, '')).toBe(shown)
    expect(shownName(spellings.toReversed(), '')).toBe(shown)
  })

  test('stays while no other is better, and yields to a better one', () => {
    expect(shownName(['Leeds', 'Leeds United'], 'Leeds')).toBe('Leeds')
    expect(shownName(['Leeds', 'Leeds United', 'Leeds United'], 'Leeds')).toBe('Leeds United')
    expect(shownName(['PAOK SALONIKA'], 'Paok Salonika')).toBe('Paok Salonika')
    expect(shownName([], 'Leeds')).toBe('Leeds')
  })

  test('has only single blanks', () => {
    expect(tidyName(' Real\t Madrid\u0007 CF ')).toBe('Real Madrid CF')
  })
})
