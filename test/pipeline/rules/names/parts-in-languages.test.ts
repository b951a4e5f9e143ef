/** A part of the game, or a statistic, beside one name of a listing, in the words of several languages. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Sides = readonly [home: string, away: string]

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(sport: string, league: string, ours: Sides, theirs: Sides): boolean {
  const externalIds = new Map([['pinnacle', '1']])
  const listing = { home: ours[0], away: ours[1], startsAt, sportsbook: 'bet365' }
  const candidate = { id: 'x', home: theirs[0], away: theirs[1], startsAt, externalIds }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
}

const games: readonly (readonly [sport: string, league: string, ...Sides, labels: string])[] = [
  ['basketball', 'euroleague', 'Olympiacos', 'Monaco', '1er Cuarto|1. Viertel|1° Quarto|Halbzeit'],
  ['basketball', 'spain_-_acb', 'Unicaja', 'Baskonia', 'Mitad|Descanso|(1ª Mitad)|Reg Time|(RT)'],
  ['baseball', 'mlb', 'Chicago Cubs', 'Milwaukee Brewers', 'Primera Mitad|5 Entradas|Serie'],
  ['baseball', 'npb', 'Hanshin Tigers', 'Yomiuri Giants', '2nd Team|Second Team'],
  ['soccer', 'germany_-_bundesliga', 'Mainz', 'Augsburg', '1. Halbzeit|Ecken|Karten|1.HZ|HZ'],
  ['soccer', 'italy_-_serie_a', 'Torino', 'Cagliari', '1° Tempo|Primo Tempo|Cartellini|1T'],
  ['soccer', 'france_-_ligue_1', 'Nantes', 'Brest', '1ère mi-temps|Mi-temps|Cartons|MT1'],
  ['soccer', 'brazil_-_serie_a', 'Bahia', 'Santos', '1º Tempo|Escanteios|Cartões|Intervalo'],
  ['soccer', 'argentina', 'Lanus', 'Tigre', '1er Tiempo|Tiros de esquina|Tarjetas|Medio Tiempo'],
  ['soccer', 'russia', 'Zenit', 'CSKA Moscow', '1-й тайм|угловые'],
  ['soccer', 'turkey', 'Galatasaray', 'Besiktas', '1. Yarı|İlk Yarı'],
  ['handball', 'hbl', 'Flensburg', 'Gummersbach', '1. Halbzeit|HZ1|Halbzeit'],
  ['hockey', 'shl', 'Frolunda', 'Skelleftea', '1:a perioden|J20|Reg'],
  ['volleyball', 'plusliga', 'Jastrzebski', 'Zawiercie', 'Sety|Punkty|1. set'],
  ['tennis', 'atp', 'Taylor Fritz', 'Ben Shelton', '1. Satz|1er Set|Primer Set|S1|Juegos|SRL'],
  [
    'esports',
    'lck',
    'T1',
    'Gen.G',
    'Map 1|Map1|(Map 1)|Mapa 1|Karte 1|M1|Game 1|1st Map|Kills|Pistol',
  ],
]

const cases = games.flatMap(([sport, league, home, away, labels]) =>
  labels.split('|').map((label) => [label, sport, league, home, away] as const),
)

describe('beside one name', () => {
  test.each(cases)('%s is of another contest in %s', (label, sport, league, home, away) => {
    const plain: Sides = [home, away]
    const marked: readonly Sides[] = [
      [`${home} ${label}`, away],
      [home, `${away} ${label}`],
      [`${label} ${home}`, away],
    ]
    for (const sides of marked) {
      expect([sides, areOne(sport, league, sides, plain)]).toEqual([sides, false])
      expect([sides, areOne(sport, league, plain, sides)]).toEqual([sides, false])
      expect([sides, areOne(sport, league, sides, sides)]).toEqual([sides, true])
    }
  })
})

test.each([
  ['basketball', 'spain_-_acb', ['Unicaja Mitad', 'Baskonia Descanso'], ['Unicaja', 'Baskonia']],
  ['esports', 'lck', ['T1 Map 1', 'Gen.G M1'], ['T1', 'Gen.G']],
] as const)('two words for a part, one beside either name, are one in %s', (...game) => {
  const [sport, league, marked, plain] = game
  expect(areOne(sport, league, marked, plain)).toBe(false)
})

test.each([
  ['esports', 'lck', ['G2 Esports', 'M80 Esports'], ['G2', 'M80']],
  ['esports', 'cs2', ['Team Spirit', '9z Team'], ['Spirit', '9z']],
  ['handball', 'hbl', ['MT Melsungen', 'THW Kiel'], ['Melsungen', 'Kiel']],
  ['soccer', 'belgium', ['KV Tempo Overijse', 'Ninove'], ['Tempo Overijse', 'KVK Ninove']],
  ['soccer', 'germany', ['1. FC Heidenheim', 'Mainz 05'], ['Heidenheim', '1. FSV Mainz 05']],
  ['tennis', 'atp', ['Andre Agassi', 'Primo Rossi'], ['A. Agassi', 'P. Rossi']],
] as const)('words that are a part of a name are none in %s of %s: %j', (...game) => {
  const [sport, league, long, short] = game
  expect(areOne(sport, league, long, short)).toBe(true)
})
