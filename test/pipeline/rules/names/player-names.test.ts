import { describe, expect, it, test } from 'vitest'
import {
  createPlayerNames,
  playerKeyOf,
  playerNameOf,
} from '../../../../pipeline/rules/names/player-names.ts'
import type { FeedMarket } from '../../../../schemas/feed-record.ts'

test.each([
  ['Julián Álvarez', 'Julian Alvarez'],
  ['Julian  Alvarez ', 'Julian Alvarez'],
  ['J.J. Watt', 'JJ Watt'],
  ['Martin Ødegaard', 'Martin Odegaard'],
  ['De’Aaron Fox', "De'Aaron Fox"],
  ['LeBron James', 'LeBron James'],
  ['王楚钦', '王楚钦'],
  ['OUSMANE DIENG', 'Ousmane Dieng'],
  ['ousmane dieng', 'Ousmane Dieng'],
  ['SHAI GILGEOUS-ALEXANDER', 'Shai Gilgeous-Alexander'],
  ['JJ WATT', 'JJ Watt'],
  ['Chet Holmgren (OKC)', 'Chet Holmgren'],
  ['Chet Holmgren [OKC - C]', 'Chet Holmgren'],
  ['Chet Holmgren - OKC', 'Chet Holmgren'],
  ['OKC – Chet Holmgren', 'Chet Holmgren'],
  ['Chet Holmgren, OKC', 'Chet Holmgren'],
  ['Josh Allen, QB', 'Josh Allen'],
  ['Garcia Lopez, JM', 'JM Garcia Lopez'],
  ['Hartenstein, Isaiah', 'Isaiah Hartenstein'],
  ['McCollum, C.J.', 'CJ McCollum'],
  ['Gary Trent Jr.', 'Gary Trent Jr'],
  ['Gary Trent, JR', 'Gary Trent Jr'],
  ['Trent Jr., Gary', 'Gary Trent Jr'],
  ['Trent, Gary, Jr.', 'Gary Trent Jr'],
  ['Robert Williams III', 'Robert Williams III'],
  ['Vinícius Júnior', 'Vinicius Jr'],
  ['Junior Ajayi', 'Junior Ajayi'],
  ['Moraes, Junior', 'Junior Moraes'],
  ['Dennis Schröder', 'Dennis Schroder'],
  ['Dennis Schroeder', 'Dennis Schroeder'],
  ['Danilo (BRA)', 'Danilo (BRA)'],
  ['Jayson Tatum - Jaylen Brown', 'Jayson Tatum - Jaylen Brown'],
  ['Jayson Tatum / Jaylen Brown', 'Jayson Tatum / Jaylen Brown'],
  ['()', '()'],
])('%s is written %s', (stated, written) => {
  expect(playerNameOf(stated)).toBe(written)
})

test('a written name does not change when it is written again', () => {
  for (const name of ['Nikola Jokić', 'Luka Dončić', 'C.J. McCollum', 'Trent, Gary, Jr.']) {
    expect(playerNameOf(playerNameOf(name))).toBe(playerNameOf(name))
  }
})

test('one key has every spelling of a name, and no other suffix or team', () => {
  const key = playerKeyOf('Shai Gilgeous-Alexander')
  expect(playerKeyOf('Gilgeous Alexander, SHAI')).toBe(key)
  expect(playerKeyOf('Shai Gilgeous-Alexander Jr.')).not.toBe(key)
  expect(playerKeyOf('Josh Allen (BUF)')).not.toBe(playerKeyOf('Josh Allen (JAX)'))
})

const market = (marketType: string, playerName: string) =>
  ({ marketType, playerName }) as FeedMarket

test('a code of one of the sides beside a name makes no difference, and that of another does', () => {
  const names = createPlayerNames(['Kansas City Chiefs', 'San Francisco 49ers'])
  const nameOf = (stated: string) => names.nameIn(stated, stated, [market('passing', stated)])
  nameOf('Patrick Mahomes')
  for (const mark of [', KC', ' | KC', ' / KC', ' KC', ' - KC', ' (KC)', ' - Chiefs', ' Jr.']) {
    expect(nameOf(`Patrick Mahomes${mark}`)).toBe('Patrick Mahomes')
  }
  expect(nameOf('KC: Patrick Mahomes')).toBe('Patrick Mahomes')
  expect(nameOf('Patrick Mahomes GB')).not.toBe('Patrick Mahomes')
  expect(nameOf('Neymar Jr.')).toBe('Neymar Jr')
  expect(nameOf('Neymar')).toBe('Neymar Jr')
})

/** Returns the final spellings of an event's sportsbooks, each of which has its names in one market. */
function namesOf(...said: readonly (readonly string[])[]) {
  const names = createPlayerNames(['Oklahoma City Thunder', 'Brooklyn Nets'])
  return said.map((players, at) => {
    const record = players.map((player) => market('player_points', player))
    return players.map((player) => names.nameIn(player, `book ${at}`, record))
  })
}

describe('the players of an event', () => {
  it.each([
    ['Shai Gilgeous-Alexander', 'Shai Gilgeous Alexander'],
    ['Shai Gilgeous-Alexander', 'Shai Gilgeous‑Alexander'],
    ['Shai Gilgeous-Alexander', 'Gilgeous-Alexander Shai'],
    ['Ousmane Dieng', 'OUSMANE DIENG'],
    ['LeBron James', 'LEBRON JAMES'],
    ['Chet Holmgren', 'Chet Holmgren (OKC)'],
    ['Chet Holmgren', 'Chet Holmgren (C)'],
    ['Chet Holmgren', 'Chet Holmgren (C, OKC)'],
    ['Chet Holmgren', 'Chet Holmgren - Oklahoma City Thunder'],
    ['Chet Holmgren', 'Chet Holmgren — Thunder'],
    ['Isaiah Hartenstein', 'Hartenstein, Isaiah'],
    ['Isaiah Hartenstein', 'Hartenstein Isaiah'],
    ["Day'Ron Sharpe", 'DayRon Sharpe'],
    ["Day'Ron Sharpe", 'Dayʼron Sharpe'],
    ["D'Angelo Russell", 'D‘Angelo Russell'],
    ["D'Angelo Russell", 'D Angelo Russell'],
    ['C.J. McCollum', 'CJ McCollum'],
    ['C.J. McCollum', 'C. J. McCollum'],
    ['Luka Dončić', 'Luka Doncic'],
    ['Gary Trent Jr.', 'Gary Trent'],
    ['Gary Trent', 'Trent Jr., Gary'],
    ['Robert Williams III', 'Robert Williams'],
    ['Son Heung-Min', 'Heung-Min Son'],
    ['Dennis Schröder', 'Dennis Schroeder'],
    ['Tim Stützle', 'Stuetzle, Tim'],
    ['Joel Eriksson Ek', 'JOEL ERIKSSON EK'],
    ['Vinicius Jr', 'Vinícius Júnior'],
    ['Gary Trent Jr.', 'Gary Trent Junior'],
  ])('%s and %s are one', (one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(new Set(namesOf([first], [second]).flat()).size).toBe(1)
    }
  })

  it.each([
    ['Jaylin Williams', 'Jalen Williams'],
    ['Jalen Williams', 'Jalen Wilson'],
    ['Seth Curry', 'Stephen Curry'],
    ['Junior Ajayi', 'Jr Smith'],
    ['Danilo (BRA)', 'Danilo (POR)'],
    ['Jayson Tatum', 'Jayson Tatum - Jaylen Brown'],
  ])('%s and %s are two', (one, other) => {
    expect(new Set(namesOf([one], [other]).flat()).size).toBe(2)
  })

  it.each([
    ['Josh Allen (BUF)', 'Josh Allen (JAX)'],
    ['Josh Allen (QB)', 'Josh Allen (LB)'],
    ['Tim Hardaway', 'Tim Hardaway Jr.'],
    ['James Thomas', 'Thomas James'],
    ['Michal Novak', 'Michael Novak'],
  ])('%s and %s are two where one sportsbook has both', (one, other) => {
    const [both, again, ofOne, ofOther] = namesOf([one, other], [other, one], [one], [other])
    expect(new Set(both).size).toBe(2)
    expect(again).toEqual([...both!].reverse())
    expect([ofOne, ofOther]).toEqual([[both![0]], [both![1]]])
  })

  it('are separated by a sportsbook’s additions to a name from record to record', () => {
    const names = createPlayerNames([])
    const said = (player: string) => names.nameIn(player, 'a', [market('player_points', player)])
    expect(said('Josh Allen (BUF)')).toBe('Josh Allen')
    expect(said('Josh Allen (JAX)')).toBe('Josh Allen (JAX)')
    expect(said('Josh Allen (BUF)')).toBe('Josh Allen (BUF)')
  })

  it('keep their spellings when the rows of the event are read again', () => {
    const names = createPlayerNames([])
    for (const name of [
      'LeBron James',
      'Josh Allen (JAX)',
      'Josh Allen',
      'Tim Hardaway Jr',
      'Tim Hardaway',
      'Michal Novak',
      'Michael Novak',
    ])
      names.recall(name)
    const said = (player: string) => names.nameIn(player, 'a', [])
    expect(said('LEBRON JAMES')).toBe('LeBron James')
    expect(said('Josh Allen (JAX)')).toBe('Josh Allen (JAX)')
    expect(said('Tim Hardaway')).toBe('Tim Hardaway')
    expect(said('Tim Hardaway, Jr.')).toBe('Tim Hardaway Jr')
    expect(said('Michal Novák')).toBe('Michal Novak')
    expect(said('Michael Novak')).toBe('Michael Novak')
  })
})
