/** Words that both names of a listing add to the names of a game. */
import { expect, test } from 'vitest'
import { findDoubt } from '../../../../pipeline/rules/names/doubts.ts'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

function gameOf(text: string) {
  const [home = '', away = ''] = text.split(' v ')
  return { home, away }
}

function areOne(sport: string, ours: string, theirs: string, league = 'friendlies'): boolean {
  const externalIds = new Map([['pinnacle', '1']])
  const candidate = { ...gameOf(theirs), id: 'x', startsAt, externalIds }
  const listing = { ...gameOf(ours), startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
}

test.each([
  ['esports', 'T1 Rookies v Gen.G Scholars', 'T1 v Gen.G'],
  ['esports', 'G2 Gozen v Evil Geniuses GC', 'G2 Esports v Evil Geniuses'],
  ['esports', 'Team Liquid Brazil v Karmine Corp GC', 'Team Liquid v Karmine Corp'],
  ['esports', 'Shopify Rebellion Gold v Cloud9 White', 'Cloud9 v Shopify Rebellion'],
  ['esports', 'Imperial Valkyries v MIBR fe', 'Imperial v MIBR'],
  ['soccer', 'Real Oviedo Vetusta v Sporting Gijon Atletico', 'Real Oviedo v Sporting Gijon'],
  ['soccer', 'Las Palmas Atletico v Tenerife Atletico', 'Las Palmas v Tenerife'],
  ['soccer', 'Arsenal Zorvex v Chelsea Quimby', 'Arsenal v Chelsea'],
])('are of second teams: %s, %s is not %s', (sport, second, first) => {
  expect(areOne(sport, second, first)).toBe(false)
  expect(areOne(sport, first, second)).toBe(false)
  expect(areOne(sport, second, second)).toBe(true)
  expect(findDoubt(gameOf(second), gameOf(first), sideOptionsOf(sport, 'friendlies'))).toBeNull()
})

test.each([
  ['esports', 'BNK FearX v OKSavingsBank BRION', 'FearX v BRION'],
  ['esports', 'OpTic Texas v Toronto Ultra', 'OpTic v Toronto'],
  ['esports', 'Team Vitality v FURIA Esports', 'Vitality v FURIA'],
  ['esports', 'Karmine Corp v KT Rolster', 'Karmine v KT Rolster'],
  ['esports', 'Aurora Gaming v BetBoom Team', 'Aurora v BetBoom'],
  ['esports', 'Toronto Ultra v Minnesota ROKKR', 'Toronto v Minnesota'],
  ['esports', 'Seoul Dynasty v Shanghai Dragons', 'Seoul v Shanghai'],
  ['esports', 'Nongshim RedForce v KT Rolster', 'Nongshim v KT'],
  ['esports', 'Karmine Corp v Movistar KOI', 'Karmine v Movistar'],
  ['esports', 'Weibo Gaming Faw v Hanwha Life Zorvex', 'Weibo Gaming v Hanwha Life'],
  ['soccer', 'Leeds United v Newcastle United', 'Leeds v Newcastle'],
  ['soccer', 'Arsenal London v Chelsea FC', 'Arsenal v Chelsea'],
  ['soccer', 'Legia Warszawa v Slask Wroclaw', 'Legia v Slask'],
  ['tennis', 'Carlos Alcaraz v Jannik Sinner', 'Alcaraz v Sinner'],
])('may be the rest of a name: %s, %s is %s', (sport, long, short) => {
  expect(areOne(sport, long, short)).toBe(true)
  expect(areOne(sport, short, long)).toBe(true)
})

test.each([
  ['soccer', 'Dynamo-2 Kyiv v Rukh', 'Dynamo Kyiv v Rukh'],
  ['soccer', 'Dynamo-2 Kyiv v Rukh', 'Dynamo v Rukh'],
  ['soccer', 'Spartak-3 Moscow v Rostov', 'Spartak Moscow v Rostov'],
])('may have its number within the name: %s, %s is not %s', (sport, second, first) => {
  expect(areOne(sport, second, first)).toBe(false)
  expect(areOne(sport, first, second)).toBe(false)
})

test.each([
  ['T1 Rookies v Zorvex', 'T1 v Zorvex'],
  ['G2 Ares v Zorvex', 'G2 v Zorvex'],
  ['Karmine Corp Blue v Zorvex', 'Karmine Corp v Zorvex'],
  ['Team Liquid Brazil v Zorvex', 'Team Liquid v Zorvex'],
])('may be one of a second team on one name alone, in computer games: %s, %s', (second, first) => {
  expect(areOne('esports', second, first)).toBe(false)
  expect(areOne('esports', first, second)).toBe(false)
  const doubt = findDoubt(gameOf(second), gameOf(first), sideOptionsOf('esports', 'friendlies'))
  expect(doubt).toMatchObject({ home: true, away: false, isNamesake: true })
})

test('codes and full names of teams of computer games are one', () => {
  expect(areOne('esports', 'RNG v JDG', 'Royal Never Give Up v JD Gaming')).toBe(true)
  expect(areOne('esports', 'NS v HLE', 'Nongshim RedForce v Hanwha Life')).toBe(true)
})

const farms = [
  '{} Farm',
  '{} (Farm)',
  '{} (ni-gun)',
  '{} Ni Gun',
  '{} nigun',
  '{} 2-gun',
  '{}二軍',
  '{} (2군)',
  '{}ファーム',
  '{} 퓨처스',
]

test.each(farms)('are those of Japan and Korea, on one name or both: %s', (text) => {
  const named = (name: string) => text.replace('{}', name)
  const [swallows, tigers] = ['Yakult Swallows', 'Hanshin Tigers'] as const
  const first = `${swallows} v ${tigers}`
  const second = `${named(swallows)} v ${named(tigers)}`
  for (const league of ['japan_-_npb', 'friendlies']) {
    for (const one of [second, `${named(swallows)} v ${tigers}`, `${swallows} v ${named(tigers)}`])
      for (const [ours, theirs] of [
        [one, first],
        [first, one],
      ] as const)
        expect(areOne('baseball', ours, theirs, league)).toBe(false)
    expect(areOne('baseball', second, `${swallows} Reserves v ${tigers} II`, league)).toBe(true)
  }
  expect(areOne('baseball', second, first, 'NPB Farm League')).toBe(true)
})

const [marked, plain] = ['Yakult Swallows Reserves v Hanshin Tigers II', 'Yakult Swallows v Tigers']

test.each([
  'NPB Farm League',
  'KBO Futures League',
  'kbo_futures_league',
  'Japan - NPB 二軍',
  'NPB ni-gun',
  'プロ野球ファーム',
  'KBO 퓨처스리그',
  'KBO 2군',
  'Premier Reserve League',
  'USL Academy',
  'NBA Development League',
  'College JV',
])('need no mark in a league of second teams: %s', (league) => {
  expect(areOne('baseball', marked, plain, league)).toBe(true)
  expect(areOne('baseball', plain, marked, league)).toBe(true)
})

test.each(['Liga II', 'Segunda B', 'Serie C', 'Bundesliga 2', 'NCAA Division II'])(
  'need one in a second or third division: %s',
  (league) => {
    expect(areOne('baseball', marked, plain, league)).toBe(false)
  },
)

test('a word that is a part of the name of a club is no mark', () => {
  for (const first of ['Home Farm', 'Home Farm FC', 'HomeFarm']) {
    expect(areOne('soccer', `${first} v Bohemians`, 'Home Farm v Bohemians')).toBe(true)
    for (const second of ['Reserves', 'II', 'B', '(Farm)', 'U19']) {
      const [ours, theirs] = [`${first} v Bohemians`, `Home Farm ${second} v Bohemians`] as const
      expect(areOne('soccer', ours, theirs)).toBe(false)
      expect(areOne('soccer', theirs, ours)).toBe(false)
    }
  }
})

test('third teams are no second teams', () => {
  const third = 'Yakult Swallows (san-gun) v Hanshin Tigers'
  expect(areOne('baseball', third, 'Yakult Swallows Farm v Hanshin Tigers')).toBe(false)
  expect(areOne('baseball', third, 'Yakult Swallows三軍 v Hanshin Tigers')).toBe(true)
})

test('a team of computer games may differ from its second team by its city alone', () => {
  expect(areOne('esports', 'MAD Lions Madrid v Heretics', 'MAD Lions v Heretics')).toBe(false)
  expect(areOne('esports', 'MAD Lions KOI v Heretics', 'MAD Lions v Heretics')).toBe(true)
})
