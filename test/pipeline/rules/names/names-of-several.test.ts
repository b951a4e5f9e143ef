/** Short names of clubs: a name that several clubs have is none of them, and the best-known club keeps its own. */

import { expect, test } from 'vitest'
import { findDoubt } from '../../../../pipeline/rules/names/doubts.ts'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Row = readonly [short: string, long: string, sport?: string, league?: string]

const away = 'Zquest Opponents'
const startsAt = Date.UTC(2027, 1, 6, 15)

const optionsOf = ([, , sport = 'soccer', league = 'club_friendlies']: Row) =>
  sideOptionsOf(sport, league)

/** Returns whether two names, against one opponent at one start, are one side, whichever is listed first. */
function meet(row: Row): boolean {
  const [short, long] = row
  const found = [[short, long] as const, [long, short] as const].map(([ours, theirs]) => {
    const game = {
      id: 'x',
      home: theirs,
      away,
      startsAt,
      externalIds: new Map([['pinnacle', '1']]),
    }
    const listing = { home: ours, away, startsAt, sportsbook: 'bet365', externalId: '7' }
    return findMatch(listing, [game], optionsOf(row)) !== null
  })
  expect(found[0], `${short} and ${long} either way round`).toBe(found[1])
  return found.includes(true)
}

/** Returns whether two names leave a doubt because one of them is several clubs'. */
const isInDoubt = (row: Row) =>
  findDoubt({ home: row[0], away }, { home: row[1], away }, optionsOf(row))?.isNamesake === true

const ofSeveral: readonly Row[] = [
  ['Union', 'Union Berlin'],
  ['Union', 'Union Saint-Gilloise'],
  ['Universitatea', 'Universitatea Cluj'],
  ['Dynamo', 'Dynamo Makhachkala'],
  ['Lokomotiv', 'Lokomotiv Liski'],
  ['Wanderers', 'Montevideo Wanderers'],
  ['Atletico', 'Atletico Goianiense'],
  ['Racing', 'Racing Santander'],
  ['Operario', 'Operario MS'],
  ['America', 'America RN'],
  ['Hapoel', 'Hapoel Holon', 'basketball'],
  ['Maccabi', 'Maccabi Rishon', 'basketball'],
  ['Virtus', 'Virtus Roma', 'basketball'],
  ['Fortitudo', 'Fortitudo Agrigento', 'basketball'],
  ['Partizan', 'Partizan Tivat', 'handball', 'ehf_european_league'],
  ['Metallurg', 'Metallurg Novokuznetsk', 'hockey', 'khl'],
]

test('a name that several clubs have is in doubt beside a longer one, in any sport', () => {
  expect(ofSeveral.filter(meet)).toEqual([])
  expect(ofSeveral.filter((row) => !isInDoubt(row))).toEqual([])
})

test('the best-known club of a name is no other of that name', () => {
  const others: readonly Row[] = [
    ['Zalgiris', 'Kauno Zalgiris', 'soccer', 'lithuania_-_a_lyga'],
    ['Olimpia', 'Olimpia Elblag'],
    ['Barcelona', 'Barcelona SC'],
    ['Everton', 'Everton CD'],
    ['Arsenal', 'Arsenal de Sarandi'],
    ['Botafogo', 'Botafogo SP'],
    ['Estudiantes', 'Estudiantes Rio Cuarto'],
    ['Al Ittihad (KSA)', 'Al Ittihad (EGY)'],
  ]
  expect(others.filter(meet)).toEqual([])
})

test('a name is the only club that has it in its league, and the best-known club by its own words', () => {
  const ones: readonly Row[] = [
    ['Union', 'Union Berlin', 'soccer', 'germany_-_bundesliga'],
    ['Sporting', 'Sporting CP', 'soccer', 'portugal_-_primeira_liga'],
    ['Barcelona', 'FC Barcelona'],
    ['Everton', 'Everton FC'],
    ['Arsenal', 'Arsenal London'],
    ['Arsenal', 'Arsenal (England)'],
    ['1. FC Union', 'Union Berlin'],
    ['Union SG', 'Union Saint-Gilloise'],
    ['Botafogo', 'Botafogo RJ'],
    ['Estudiantes', 'Estudiantes de La Plata'],
    ['Partizan', 'Partizan Belgrade', 'basketball', 'euroleague'],
    ['Zalgiris', 'Zalgiris Kaunas', 'basketball', 'euroleague'],
    ['Metallurg', 'Metallurg Magnitogorsk', 'hockey', 'khl'],
    ['CSKA', 'CSKA Moscow', 'hockey', 'khl'],
    ['SKA', 'SKA Saint Petersburg', 'hockey', 'khl'],
  ]
  expect(ones.filter((row) => !meet(row))).toEqual([])
})

test('a country beside such a name says which club it is only where the tables know one alone there', () => {
  const others: readonly Row[] = [
    ['Sporting (POR)', 'Sporting Gijon'],
    ['Sporting (POR)', 'Sporting Zorvex'],
    ['Real (ESP)', 'Real Oviedo'],
    ['Real (ESP)', 'Real Madrid'],
    ['Atletico (ESP)', 'Athletic Bilbao'],
    ['Vitoria (POR)', 'Vitoria Guimaraes'],
    ['Union (GER)', 'Union Saint-Gilloise'],
    ['Union (ARG)', 'Union Santa Fe'],
    ['Dinamo (ROU)', 'Dinamo Zagreb'],
    ['Racing (ARG)', 'Racing Santander'],
    ['Inter (BRA)', 'Inter Milan'],
    ['Arsenal (ARG)', 'Arsenal London'],
    ['Estudiantes (VEN)', 'Estudiantes de La Plata'],
    ['Al Ittihad (EGY)', 'Al Ittihad Jeddah'],
    ['Al Ahli (EGY)', 'Al Ahli Jeddah'],
    ['Virtus (ITA)', 'Virtus Roma', 'basketball'],
  ]
  expect(others.filter(meet)).toEqual([])
  const ones: readonly Row[] = [
    ['Sporting (POR)', 'Sporting CP'],
    ['Sporting (ESP)', 'Sporting Gijon'],
    ['Atletico (ESP)', 'Atletico Madrid'],
    ['Zenit (RUS)', 'Zenit Saint Petersburg'],
    ['Union (BEL)', 'Union Saint-Gilloise'],
    ['Dinamo (CRO)', 'Dinamo Zagreb'],
    ['Inter (ITA)', 'Inter Milan'],
    ['Arsenal (ARG)', 'Arsenal Sarandi'],
    ['Estudiantes (ARG)', 'Estudiantes de La Plata'],
    ['Al Ahli (EGY)', 'Al Ahli Cairo'],
    ['Cardiff (WAL)', 'Cardiff City'],
    ['Tigre (ARG)', 'CA Tigre BA'],
  ]
  expect(ones.filter((row) => !meet(row))).toEqual([])
})

const inOneCity: readonly Row[] = [
  ['Oxford', 'Oxford City'],
  ['Cambridge', 'Cambridge City'],
  ['Peterborough', 'Peterborough Sports'],
  ['Lincoln', 'Lincoln United'],
  ['Stockport', 'Stockport Town'],
  ['Leipzig', 'Lokomotive Leipzig'],
  ['Verona', 'Virtus Verona'],
  ['Lausanne', 'Stade Lausanne Ouchy'],
  ['Ulsan', 'Ulsan Citizen'],
  ['Torshavn', 'B36 Torshavn'],
  ['Coventry', 'Coventry Sphinx'],
  ['Bradford', 'Bradford Park Avenue'],
  ['Birmingham', 'Birmingham Legion'],
  ['Salzburg', 'Austria Salzburg'],
  ['Plymouth U19', 'Plymouth Parkway U19'],
  ['Derby', 'Derby Zorvex'],
  ['Frankfurt', 'FSV Frankfurt'],
  ['Chester', 'Chester le Street'],
  ['Bologna', 'Fortitudo Bologna', 'basketball'],
  ['Vilnius', 'Rytas Vilnius', 'basketball'],
  ['Vilnius', 'Wolves Vilnius', 'basketball'],
  ['Tampere', 'Ilves Tampere', 'hockey'],
]

test('a city is the club that the tables call so, and another club of that city is in doubt', () => {
  expect(inOneCity.filter(meet)).toEqual([])
  expect(inOneCity.filter((row) => !isInDoubt(row))).toEqual([])
  const called: readonly Row[] = [
    ['Oxford', 'Oxford United'],
    ['Lincoln', 'Lincoln City FC'],
    ['Leipzig', 'RB Leipzig'],
    ['Verona', 'Hellas Verona'],
    ['Lausanne', 'FC Lausanne-Sport'],
    ['Ulsan', 'Ulsan Hyundai', 'soccer', 'korea_republic_-_k_league_1'],
    ['Torshavn', 'HB Torshavn'],
    ['Coventry', 'Coventry City'],
    ['Munster', 'SC Pr Munster'],
    ['Bologna', 'Virtus Segafredo Bologna', 'basketball'],
    // The tables have the clubs of men.
    ['Portland (W)', 'Portland Thorns (W)'],
    ['Seattle', 'Seattle Reign', 'soccer', 'usa_-_nwsl'],
    // Clubs of England do not play there.
    ['Oxford', 'Oxford City', 'soccer', 'usa_-_usl_championship'],
  ]
  expect(called.filter((row) => !meet(row))).toEqual([])
})

test('names that the tables give to two clubs are of two', () => {
  const two: readonly Row[] = [
    ['UD Logrones', 'SD Logrones'],
    ['Yokohama FC', 'Yokohama M'],
    ['Yokohama', 'Yokohama M'],
    ['Chester', 'Chesterfield'],
    ['Chester FC', 'Chesterfield FC'],
    ['Chester FC', 'Chester-le-Street Town'],
    ['Frankfurt', 'FSV Frankfurt', 'soccer', 'germany_-_3._liga'],
    ['Eintracht Frankfurt', 'FSV Frankfurt'],
    ['FC United of Manchester', 'Manchester United'],
    ['United of Manchester', 'Man Utd'],
    ['San Diego FC', 'San Diego Loyal'],
    ['San Diego', 'San Diego Loyal'],
    ['Chiang Mai', 'Chiangmai United'],
    ['Ulsan HD', 'Ulsan Hyundai Mipo Dockyard'],
    ['Prishtina', 'Prishtina e Re'],
    ['Pristina', 'Prishtina e Re'],
  ]
  expect(two.filter(meet)).toEqual([])
  const one: readonly Row[] = [
    ['Logrones', 'UD Logrones'],
    ['Yokohama M', 'Yokohama F. Marinos'],
    ['Chester', 'Chester City'],
    ['Chester le Street', 'Chester-le-Street Town FC'],
    ['Frankfurt', 'Eintracht Frankfurt'],
    ['FSV Frankfurt', 'FSV Frankfurt 1899'],
    ['San Diego', 'San Diego FC'],
    ['Chiang Mai', 'Chiangmai FC'],
    ['Ulsan HD', 'Ulsan Hyundai'],
    ['Prishtina', 'FC Pristina'],
  ]
  expect(one.filter((row) => !meet(row))).toEqual([])
})

test('a mark beside such a name says nothing of the club', () => {
  const others: readonly Row[] = [
    ['Sporting U19', 'Sporting Gijon U19'],
    ['Sporting B', 'Sporting Gijon B'],
    ['Real (W)', 'Real Oviedo (W)'],
    ['Union Women', 'Union Berlin Women'],
    ['Hapoel U18', 'Hapoel Holon U18', 'basketball'],
  ]
  expect(others.filter(meet)).toEqual([])
  const called: readonly Row[] = [
    ['Sporting U19', 'Sporting CP U19'],
    ['Atletico (W)', 'Atletico Madrid (W)'],
  ]
  expect(called.filter((row) => !meet(row))).toEqual([])
})

const pairs: readonly (readonly [short: Row, other: Row])[] = [
  [
    ['Sporting', 'Sporting Gijon'],
    ['Real', 'Real Oviedo'],
  ],
  [
    ['Union', 'Union Berlin'],
    ['Racing', 'Racing Santander'],
  ],
  [
    ['Hapoel', 'Hapoel Holon', 'basketball', 'eurocup'],
    ['Maccabi', 'Maccabi Rishon', 'basketball', 'eurocup'],
  ],
  [
    ['Sporting U19', 'Sporting Gijon U19'],
    ['Real U19', 'Real Oviedo U19'],
  ],
  [
    ['Sporting', 'Sporting Gijon'],
    ['Real (ESP)', 'Real Oviedo'],
  ],
  [
    ['Sporting', 'Sporting Cristal'],
    ['Atletico', 'Atletico Tucuman'],
  ],
]

test.each(pairs)('two such names are in doubt at once: %s, %s', (one, two) => {
  const options = optionsOf(one)
  const short = { home: one[0], away: two[0] }
  const long = { home: one[1], away: two[1] }
  const crossed = [
    { home: one[0], away: two[1] },
    { home: one[1], away: two[0] },
  ] as const
  const turned = { home: two[0], away: one[0] }
  for (const [ours, theirs] of [[short, long], [long, short], [turned, long], crossed] as const) {
    const game = { ...theirs, id: 'x', startsAt, externalIds: new Map([['pinnacle', '1']]) }
    expect(findMatch({ ...ours, startsAt, sportsbook: 'bet365' }, [game], options)).toBeNull()
    expect(findDoubt(ours, theirs, options)).toEqual({
      ...{ swapped: ours === turned, home: true, away: true },
      ...{ isPartlyNamed: true, isNamesake: true },
    })
  }
})

test('such a name beside one that a country settles is a doubt', () => {
  const listed = { home: 'Sporting (POR)', away: 'Real (ESP)' }
  const doubt = { swapped: false, home: true, away: true, isPartlyNamed: true, isNamesake: true }
  const known = { home: 'Sporting CP', away: 'Real Madrid' }
  for (const [ours, theirs] of [[listed, known] as const, [known, listed] as const])
    expect(findDoubt(ours, theirs, optionsOf(['', '']))).toEqual(doubt)
})

test('two such names are no doubt where one of them fits neither side', () => {
  const options = optionsOf(['', ''])
  const listed = { home: 'Sporting', away: 'Real' }
  for (const other of ['Union Berlin', 'Racing Santander'])
    expect(findDoubt(listed, { home: 'Sporting Gijon', away: other }, options)).toBeNull()
})
