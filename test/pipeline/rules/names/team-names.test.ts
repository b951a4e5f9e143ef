import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NameKind } from '../../../../pipeline/rules/names/parsed-name.ts'
import {
  compareTeamNames,
  nameKindOf,
  parseTeamName,
} from '../../../../pipeline/rules/names/team-names.ts'
import { mayAgree } from '../../../../pipeline/rules/names/team-outline.ts'
import { knownAs } from '../../../../pipeline/rules/names/team-words.ts'

const vocabulary = [
  ...['Real', 'Madrid', 'Atletico', 'United', 'City', 'Manchester', 'FC', 'St', 'State', 'Women'],
  ...['U21', 'Inter', 'Milan', 'AC', 'New', 'York', 'Giants', 'Jets', 'Michigan', 'II', '1860'],
  ...['(OH)', "Nott'm", 'J.', 'Sinner', 'Korea', 'Republic', 'Al', 'Hilal', 'Ω', '...', 'M.'],
]
const names = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '))
const anyName = fc.oneof(names, fc.string({ unit: 'grapheme' }))

/** Short words of few letters, so that initials, stems and slips also coincide by chance. */
const anyWord = fc.oneof(
  fc.constantFrom(...vocabulary),
  fc.constantFrom(
    ...['Red', 'Star', 'Crvena', 'Zvezda', 'Germany', 'Alemania', "M'gladbach", '04'],
  ),
  fc.string({ unit: fc.constantFrom(...'abcseni'), minLength: 1, maxLength: 7 }),
)
const shortNames = fc.array(anyWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

/** Changes to names: initials, words joined, cut or reversed, letters left out or exchanged. */
const rewritings: readonly ((name: string, at: number) => string)[] = [
  (name) => name.replace(/\B\S| /g, ''),
  (name) => name.replace(/\B\S/g, '.'),
  (name) => name.replaceAll(' ', ''),
  (name) => name.replace(/(\S{3})\S*/g, '$1'),
  (name) => name.replace(/(\S)\S*/, '$1.'),
  (name) => name.split(' ').reverse().join(' '),
  (name) => name.split(' ').slice(1).join(' '),
  (name, at) => name.slice(0, at) + name.slice(at + 1),
  (name, at) => `${name.slice(0, at)}s${name.slice(at)}`,
  (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2),
]
const pairs = fc.oneof(
  fc.tuple(shortNames, shortNames),
  fc
    .tuple(shortNames, fc.constantFrom(...rewritings), fc.nat({ max: 12 }))
    .map(([name, rewrite, at]): [string, string] => [name, rewrite(name, at)]),
)

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

  test('are the same if they are equal, unless there is no name in them', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const { key } = parseTeamName(name)
        expect(compareTeamNames(name, name)).toBe(key === '' ? 'different' : 'same')
      }),
    )
  })

  test('do not depend on earlier comparisons', () => {
    const first = compareTeamNames('Rangers', 'Glasgow Rangers')
    compareTeamNames('Rangers', 'Texas Rangers')
    expect(compareTeamNames('Glasgow Rangers', 'Rangers')).toBe(first)
  })

  test('that have nothing in common at a glance are different', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom<NameKind>('team', 'person'), ([a, b], kind) => {
        const [one, two] = [parseTeamName(a, kind).outline, parseTeamName(b, kind).outline]
        expect(mayAgree(two, one)).toBe(mayAgree(one, two))
        if (!mayAgree(one, two)) expect(compareTeamNames(a, b, kind)).toBe('different')
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ["B'ham", 'Birmingham', 'team'],
    ['04 en', '04 e aa', 'team'],
    ['Lintao', 'Tao Lin', 'person'],
    ['J M', 'JM', 'person'],
  ] as const)('%s and %s have something in common at a glance', (a, b, kind) => {
    expect(compareTeamNames(a, b, kind)).not.toBe('different')
    expect(mayAgree(parseTeamName(a, kind).outline, parseTeamName(b, kind).outline)).toBe(true)
  })

  test('do not change by case, accents, blanks and club form', () => {
    for (const name of ['Malmö FF', 'MALMO', ' malmo  ff ', 'Malmø']) {
      expect(compareTeamNames(name, 'Malmö')).toBe('same')
    }
  })
})

test.each([
  // A contest other than the game, by a word before or after the name.
  ['Lyon', 'Lyon F.', 'different'],
  ['Lyon', 'Lyon F', 'different'],
  ['Lyon (F)', 'Lyon F.', 'same'],
  ['Lyon (W)', 'Lyon Dames', 'same'],
  ['Haiti', 'Haiti-23', 'different'],
  ['Haiti U23', 'Haiti -23', 'same'],
  ['Malte Esp', 'Malte(21)', 'same'],
  ['Arsenal', 'Arsenal Esports', 'different'],
  ['Arsenal', 'Cyber Arsenal', 'different'],
  ['Arsenal', 'Arsenal XI', 'different'],
  ['Arsenal', 'Arsenal VR', 'different'],
  ['Arsenal', 'Arsenal Juniors', 'different'],
  ['Boca', 'Boca Juniors', 'same'],
  ['Arsenal', 'Arsenal Cards', 'different'],
  ['St. Louis Cards', 'St. Louis Cards', 'same'],
  ['Arsenal', 'Arsenal Offsides', 'different'],
  ['Arsenal', 'Arsenal Throw-ins', 'different'],
  ['Arsenal', 'Arsenal Shots on Target', 'different'],
  ['Arsenal', 'Arsenal 1st Half', 'different'],
  ['Yankees', 'Yankees Hits+Runs+Errors', 'different'],
  ['Las Vegas Aces', 'Aces', 'likely'],
  // A qualifying word that only one name has.
  ['Missouri State', 'SE Missouri State', 'different'],
  ['Louisiana', 'SE Louisiana', 'different'],
  ['Michigan', 'E Michigan', 'different'],
  ['Eastern Michigan', 'E. Michigan', 'same'],
  ['SC State', 'SD State', 'different'],
  ['SC State', 'South Carolina State', 'same'],
  ['Northwestern', 'Northwestern State', 'different'],
  ['Northwestern', 'Northwestern St.', 'different'],
  ['Texas A&M', 'Texas A&M-Corpus Christi', 'different'],
  ['Texas A&M', 'Texas A&M-Commerce', 'different'],
  // Countries in brackets.
  ['Boca Juniors', 'Boca Juniors (ARG)', 'same'],
  ['River Plate', 'River Plate (URU)', 'different'],
  ['Fortaleza (Brésil)', 'Fortaleza (COL)', 'different'],
  ['Guam', 'Ile de Guam', 'same'],
  // Abbreviations, words cut off, words without a blank, sounds.
  ['Hap.Tel Aviv', 'Hapoel Tel-Aviv', 'likely'],
  ['Preston N. End', 'Preston North End', 'likely'],
  ['Preston N. End', 'El Nacional', 'different'],
  ['W. Salem State', 'Weber State', 'different'],
  ['Birmingham C.', 'Birmingham City', 'same'],
  ['SteauaBucarest', 'Steaua Bucuresti', 'same'],
  ['Arda Kardjali', 'Arda Kardzhali', 'likely'],
  ['Iekaterinbourg', 'Yekaterinburg', 'same'],
  ['AC Pisa', 'Pise', 'same'],
  ['St Pauli', 'Bragantino SP', 'different'],
])('%s and %s are %s', (a, b, verdict) => {
  expect(compareTeamNames(a, b)).toBe(verdict)
})

test.each([
  ['J.Peers-M.Venus', 'John Peers / Michael Venus', 'likely'],
  ['J.Peers-M.Venus', 'J. Peers', 'different'],
  ['H.Kontinen-J-L.Struff', 'Henri Kontinen / Jan-Lennard Struff', 'likely'],
  ['B.Mattek-Sands-J.Murray', 'B. Mattek-Sands', 'different'],
  ['Peers-Venus', 'J. Peers', 'different'],
  ['Peers-Venus', 'J Peers & M Venus', 'likely'],
  ['Peers/Ven', 'J Peers & M Venus', 'different'],
  ['Kontin/Struff', 'H. Kontinen / J. Struff', 'likely'],
  ['Mattek/Murray', 'B.Mattek-Sands-J.Murray', 'likely'],
  ['Sands/Murray', 'B.Mattek-Sands / J.Murray', 'different'],
  ['Mattek/Swiatek', 'B.Mattek-Sands-J.Murray', 'different'],
  ['F. Auger-Aliassime', 'Felix Auger Aliassime', 'likely'],
  ['N. Parrizas', 'Nuria Parrizas-Diaz', 'likely'],
  ['JP.Varillas', 'Juan Pablo Varillas', 'likely'],
  ['Lu Yen-Hsun', 'YH.Lu', 'likely'],
  ['Coco Gauff', 'Cori Gauff', 'likely'],
  ['A. Goloubev', 'Andrey Golubev', 'likely'],
  // Words apart, joined and shortened.
  ['Dooho Choi', 'Doo Ho Choi', 'same'],
  ['Jang Woojin', 'Woo Jin Jang', 'same'],
  ['Alex De Minaur', 'A. Deminaur', 'likely'],
  ['J. Vanassche', 'Luca Van Assche', 'different'],
  ['Deminaur', 'Minaur', 'different'],
  ['Benoit St. Denis', 'Benoit Saint-Denis', 'likely'],
  ['St-Pierre', 'Georges Saint Pierre', 'likely'],
  ['St. Wawrinka', 'Stan Wawrinka', 'likely'],
  ['St. Wawrinka', 'Saint Denis', 'different'],
  ['Chimaev K.', 'Khamzat Chimaev', 'likely'],
  ['P. Kohlschreiber', 'Philipp Kohlschreiber', 'likely'],
  ['Chimaev J.', 'Khamzat Chimaev', 'different'],
  ['Oleksandr Usyk', 'Alexander Usyk', 'likely'],
  ['Oleksandr Usyk', 'Oleksii Usyk', 'different'],
  ['Serhiy Stakhovsky', 'Sergiy Stakhovsky', 'likely'],
  ['J. Sinner', 'J. Sinner (Games)', 'different'],
  ['Sinner J.', 'Sinner J. Games', 'different'],
])('the players %s and %s are %s, and so the other way round', (a, b, verdict) => {
  expect(compareTeamNames(a, b, 'person')).toBe(verdict)
  expect(compareTeamNames(b, a, 'person')).toBe(verdict)
})

test('of many words are compared up to the number that a name may have', () => {
  const text = Array.from({ length: 500 }, (_, i) => `word${i}`).join(' ')
  expect(parseTeamName(text).words.length).toBeLessThan(30)
  expect(compareTeamNames(text, text.replace('word499', 'other'))).not.toBe('same')
  expect(compareTeamNames(text, text.toUpperCase())).toBe('same')
})

test('a team of a computer game may be named Esports', () => {
  expect(compareTeamNames('G2', 'G2 Esports', nameKindOf('esports'))).toBe('same')
  expect(compareTeamNames('Schalke 04', 'Schalke 04 Esports', nameKindOf('soccer'))).toBe(
    'different',
  )
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
  ['Arsenal', 'Arsenal LFC', 'different'],
  ['Arsenal Women', 'Arsenal LFC', 'same'],
  ['Arsenal', 'Arsenal SRL', 'different'],
  ['Arsenal', 'Arsenal Legends', 'different'],
  ['Arsenal', 'Arsenal Corners', 'different'],
  ['Arsenal', 'Arsenal (Corners)', 'different'],
  ['Arsenal Corners', 'Arsenal (Corners)', 'same'],
  ['Arsenal', 'Arsenal Bookings', 'different'],
  ['LFC', 'LFC', 'same'],
  ['Legends', 'Legends FC', 'same'],
  ['Spain U19', 'Spain U21', 'different'],
  ['Barcelona', 'Barcelona B', 'different'],
  ['Austria', 'Australia', 'different'],
  ['DR Congo', 'Congo', 'different'],
  ['IND', 'India', 'likely'],
  ['ENG', 'England', 'likely'],
  ['GER', 'Alemania', 'likely'],
  ['AUS', 'Austria', 'different'],
  ['AUT', 'Australia', 'different'],
  ['IND', 'Indonesia', 'different'],
  ['BAR', 'Barbados', 'likely'],
  ['Brésil Olympique', 'Brazil U23', 'same'],
  ['Japan', 'Japan Olympic', 'different'],
  ['Castres', 'Castres Olympique', 'likely'],
  ['Bet Boom Team', 'BB Team', 'same'],
  ['BetBoom', 'BetBoom Team', 'same'],
  ['BetBoom', 'BB Team', 'same'],
  ['Bilbao Athletic', 'Athletic Bilbao', 'different'],
  ['Bilbao Athletic', 'Athletic Club', 'different'],
] as const)('%s and %s are %s', (a, b, verdict) => {
  expect(compareTeamNames(a, b)).toBe(verdict)
})

/** Returns a name with capitals in place of its blanks, and itself where a word has too few letters to begin with one. */
const withoutBlanks = (name: string) =>
  /^\p{L}{3,}(?: \p{L}{3,})*$/u.test(name)
    ? name.replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase())
    : name

test.each(knownAs)('%s and the other names of its row are one, also without blanks', (...row) => {
  const written = row.flatMap((name) => [name, withoutBlanks(name)])
  const differAs = (kind: NameKind) =>
    written.filter((name) =>
      written.some((other) => compareTeamNames(name, other, kind) !== 'same'),
    )
  const asTeam = differAs('team')
  if (asTeam.length > 0) expect(differAs('esports'), asTeam.join(', ')).toEqual([])
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

describe('numbers', () => {
  test.each([
    ['Team 1', 'Team 2'],
    ['Team 2', 'Team 3'],
    ['Team 10', 'Team 11'],
    ['Team 1 1', 'Team 11'],
    ['1 Team X', '2 Team X'],
    ['1. FC Köln', '2. FC Köln'],
    ['Group 3 Winner', 'Group 4 Winner'],
    ['Winner Group 2', 'Winner Group 3'],
    ['Winner Group B', 'Winner Group C'],
    ['Winner 1 Group 2', 'Winner 2 Group 1'],
    ['Ajax II', 'Ajax III'],
    ['Racing 92', 'Racing 93'],
    ['Schalke 04', 'Schalke 05'],
    ['TSV 1860', 'TSV 1861'],
    ['Team 5 Łódź 東京', 'Team 6 Łódź 東京'],
    ['東京 5', '東京 6'],
  ])('that do not agree part %s from %s', (a, b) => {
    expect(compareTeamNames(a, b)).toBe('different')
  })

  test.each([
    ['Schalke 04', 'Schalke', 'same'],
    ['Schalke 04', 'FC Schalke 1904', 'same'],
    ['Hannover 96', 'Hannover 1896', 'same'],
    ['1. FC Köln', 'FC Köln', 'same'],
    ['1. FC Köln', '1 FC Koln', 'same'],
    ['TSG 1899 Hoffenheim', 'Hoffenheim', 'same'],
    ['Mainz 05', '1. FSV Mainz 05', 'same'],
    ['1. FC Heidenheim', 'FC Heidenheim 1846', 'same'],
    ['1860 München', 'TSV 1860 Munich', 'same'],
    ['Ludogorets 1945', 'Ludogorets Razgrad', 'likely'],
    ['BVB 09', 'Borussia Dortmund', 'same'],
    ['Ajax II', 'Ajax 2', 'same'],
    ['Team 5 Łódź 東京', 'Team 5 Lodz 東京', 'same'],
  ] as const)('may be omitted: %s and %s are %s', (a, b, verdict) => {
    expect(compareTeamNames(a, b)).toBe(verdict)
  })

  test('tell players apart, each of a pair by himself', () => {
    expect(compareTeamNames('Player 1', 'Player 2', 'person')).toBe('different')
    expect(compareTeamNames('Player 1', 'Player 12', 'person')).toBe('different')
    const crossed = ['Player 1 / Player 2', 'Player 2 / Player 1'] as const
    expect(compareTeamNames(...crossed, 'person')).toBe('same')
  })
})

test('names of other scripts are compared as they are written', () => {
  expect(compareTeamNames('Ολυμπιακός', 'ολυμπιακος')).toBe('same')
  expect(compareTeamNames('Ολυμπιακός', 'Άρης')).toBe('different')
  expect(compareTeamNames('浦和レッズ', '鹿島アントラーズ')).toBe('different')
  expect(compareTeamNames('Łódź 東京', 'Łódź 大阪')).toBe('different')
  // The signs of vowels and of voiced consonants are letters, not accents.
  expect(compareTeamNames('राम', 'रोम')).toBe('different')
  expect(compareTeamNames('ガンバ', 'カンハ')).toBe('different')
  expect(compareTeamNames('राम', 'रोम', 'person')).toBe('different')
  expect(compareTeamNames('ガンバ大阪', 'ガンバ大阪 FC')).toBe('same')
})

test('tennis is played by persons, soccer by teams', () => {
  expect(nameKindOf('tennis')).toBe('person')
  expect(nameKindOf('soccer')).toBe('team')
})

test.each([
  ['mma', 'Aori Qileng', 'Aoriqileng', true],
  ['mma', 'Qileng Aori', 'Aoriqileng', true],
  ['mma', 'Alateng Heili', 'Alatengheili', true],
  ['mma', 'Aori Qileng', 'Alateng Heili', false],
  ['esports', '100T', '100 Thieves', true],
  ['esports', '100T', '100 Pets', false],
  ['esports', '10T', '100 Thieves', false],
])('%s: whether %s is %s written as one word: %s', (sport, one, other, isSame) => {
  const kind = nameKindOf(sport)
  expect(['same', 'likely'].includes(compareTeamNames(one, other, kind))).toBe(isSame)
  const [a, b] = [parseTeamName(one, kind), parseTeamName(other, kind)]
  if (isSame) expect(mayAgree(a.outline, b.outline)).toBe(true)
})
