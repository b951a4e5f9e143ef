import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTeamNames, nameKindOf, parseTeamName } from '../../../pipeline/rules/team-names.ts'

const vocabulary = [
  ...['Real', 'Madrid', 'Atletico', 'United', 'City', 'Manchester', 'FC', 'St', 'State', 'Women'],
  ...['U21', 'Inter', 'Milan', 'AC', 'New', 'York', 'Giants', 'Jets', 'Michigan', 'II', '1860'],
  ...['(OH)', "Nott'm", 'J.', 'Sinner', 'Korea', 'Republic', 'Al', 'Hilal', 'Ω', '...', 'M.'],
]
const names = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '))
const anyName = fc.oneof(names, fc.string({ unit: 'grapheme' }))

describe('any two names', () => {
  test('compare alike either way round', () => {
    fc.assert(
      fc.property(
        anyName,
        anyName,
        fc.constantFrom('team' as const, 'person' as const),
        (a, b, kind) => {
          expect(compareTeamNames(a, b, kind)).toBe(compareTeamNames(b, a, kind))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('are the same when they are one, unless there is no name in them', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const { key } = parseTeamName(name)
        expect(compareTeamNames(name, name)).toBe(key === '' ? 'different' : 'same')
      }),
    )
  })

  test('do not depend on what was compared before', () => {
    const first = compareTeamNames('Rangers', 'Glasgow Rangers')
    compareTeamNames('Rangers', 'Texas Rangers')
    expect(compareTeamNames('Glasgow Rangers', 'Rangers')).toBe(first)
  })

  test('do not change by case, accents, blanks and club form', () => {
    for (const name of ['Malmö FF', 'MALMO', ' malmo  ff ', 'Malmø']) {
      expect(compareTeamNames(name, 'Malmö')).toBe('same')
    }
  })
})

test.each([
  ['Leeds United', 'Leeds Utd', 'same'],
  ['1. FC Köln', 'Cologne', 'same'],
  ['FC Bayern München', 'Bayern Munich', 'same'],
  ['Dynamo Kyiv', 'Dinamo Kiev', 'same'],
  ['NY Yankees', 'New York Yankees', 'same'],
  ['Leeds', 'Leeds United', 'likely'],
  ['Hertha', 'Hertha Berlin', 'likely'],
  ['PSG', 'Paris Saint-Germain', 'likely'],
  ['Rennes', 'Stade Rennais', 'likely'],
  ['Man City', 'Manchester City', 'likely'],
  ['Carlton', 'Carlton Blues', 'likely'],
  ['New York', 'New York Giants', 'possible'],
  ['Maccabi', 'Maccabi Haifa', 'possible'],
  ["M'gladbach", 'Borussia Monchengladbach', 'likely'],
  ["Nott'm Forest", 'Nottingham Forest', 'same'],
  ['Man City', 'Man Utd', 'different'],
  ['Dundee', 'Dundee United', 'different'],
  ['Milan', 'Inter Milan', 'different'],
  ['Melbourne', 'North Melbourne', 'different'],
  ['Michigan', 'Michigan State', 'different'],
  ['Miami (OH)', 'Miami (FL)', 'different'],
  ['Arsenal', 'Arsenal Women', 'different'],
  ['Spain U19', 'Spain U21', 'different'],
  ['Barcelona', 'Barcelona B', 'different'],
  ['Austria', 'Australia', 'different'],
  ['DR Congo', 'Congo', 'different'],
] as const)('%s and %s are %s', (a, b, verdict) => {
  expect(compareTeamNames(a, b)).toBe(verdict)
})

test.each([
  ['Jannik Sinner', 'Sinner, Jannik', 'same'],
  ['Jannik Sinner', 'J. Sinner', 'likely'],
  ['Sinner J.', 'J. Sinner', 'same'],
  ['Cerundolo F.', 'Cerundolo J.', 'different'],
  ['Cerundolo F.', 'Francisco Cerundolo', 'likely'],
  ['Cerundolo F.', 'Juan Manuel Cerundolo', 'different'],
  ['Kuznetsov A.', 'Kuznetsova A.', 'different'],
  ['A. One / B. Two', 'Bob Two / Ann One', 'likely'],
  ['A. One / B. Two', 'A. One / C. Three', 'different'],
] as const)('the players %s and %s are %s', (a, b, verdict) => {
  expect(compareTeamNames(a, b, 'person')).toBe(verdict)
})

test('names of other scripts are compared as they are written', () => {
  expect(compareTeamNames('Ολυμπιακός', 'ολυμπιακος')).toBe('same')
  expect(compareTeamNames('Ολυμπιακός', 'Άρης')).toBe('different')
  expect(compareTeamNames('浦和レッズ', '鹿島アントラーズ')).toBe('different')
})

test('tennis is played by persons, soccer by teams', () => {
  expect(nameKindOf('tennis')).toBe('person')
  expect(nameKindOf('soccer')).toBe('team')
})
