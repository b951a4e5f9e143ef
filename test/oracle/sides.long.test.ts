/**
 * The side of a price when the two sides have similar names and one sportsbook lists them in reverse.
 * Prices decide here, not names: the favourite of one sportsbook must be the favourite of the other,
 * or a price is on the wrong side.
 */
import { expect, test } from 'vitest'
import { compareTeamNames } from '../../pipeline/rules/names/team-names.ts'
import type { OddsRecord } from '../../schemas/feed-record.ts'
import { colleges } from '../../schemas/reference/known-sides.ts'
import { type Team, teams } from '../../schemas/reference/teams.ts'
import { selection, statement } from './moneylines.ts'
import { createRealBoard } from './real-board.ts'

interface Pair {
  readonly sport: string
  readonly league: string
  /** Names of one team, and names of the other. */
  readonly one: readonly string[]
  readonly other: readonly string[]
}

function listing(
  pair: Pair,
  sportsbook: string,
  sides: readonly [string, string],
  prices: number[],
) {
  const [home = 0, away = 0] = prices
  const stated = statement(sportsbook, ...sides, [selection('home', home), selection('away', away)])
  const { sport, league } = pair
  return { ...stated, event: { ...stated.event, sport, league } } satisfies OddsRecord
}

/** Returns whether both have the same favourite; null for two events. */
function favouritesAgree(pair: Pair, first: readonly [string, string], second: [string, string]) {
  const board = createRealBoard()
  board.take([
    listing(pair, 'pinnacle', first, [1.2, 4.8]),
    listing(pair, 'bet365', second, [4.7, 1.19]),
  ])
  const rows = [...board.tables.odds.values()]
  if (new Set(rows.map(({ eventId }) => eventId)).size > 1) return null
  const short = rows.filter(({ price }) => price < 2).map(({ selection: name }) => name)
  expect(short).toHaveLength(2)
  return short[0] === short[1]
}

const names = ({ name, aliases }: Team) => [name, ...aliases]

function similarOf(all: readonly Pair['one'][], sport: string, league: string): Pair[] {
  return all.flatMap((one, i) =>
    all
      .slice(0, i)
      .filter((other) => one.some((a) => other.some((b) => compareTeamNames(a, b) !== 'different')))
      .map((other) => ({ sport, league, one, other })),
  )
}

const ofTables = ['soccer', 'basketball', 'baseball', 'football', 'hockey'].flatMap((sport) =>
  similarOf(teams.filter((team) => team.sport === sport).map(names), sport, 'a_cup_nobody_knows'),
)
const ofColleges = similarOf(
  colleges.map(({ name, nickname, aliases }) => [name, `${name} ${nickname}`, ...aliases]),
  'football',
  'ncaaf',
)
const named = (text: string, sport: string, league: string): Pair[] =>
  text.split('\n').map((line) => {
    const [one = '', other = ''] = line.split('|').map((name) => name.trim())
    return { sport, league, one: [one], other: [other] }
  })
const ofPlaces = [
  ...named(
    `Nevada | UNLV
Texas | Texas-El Paso
Texas | UTEP
Virginia | VCU
Maryland | UMBC
Louisiana | Louisiana-Monroe
Michigan | E Michigan
Missouri State | SE Missouri State`,
    'basketball',
    'college games',
  ),
  ...named(
    `Partizan | Partizani
Rangers | QPR
Inter | Inter Miami
Dundee | Dundee United
Everton | Everton de Vina
Arsenal | Arsenal de Sarandi
Barcelona | Barcelona SC`,
    'soccer',
    'friendlies',
  ),
]

test('prices of games of similar names are on the same side, whoever is listed first', () => {
  const wrong: string[] = []
  let listed = 0
  let joined = 0
  const all = [...ofPlaces, ...ofColleges, ...ofTables]
  for (const [i, pair] of all.entries()) {
    const { one, other } = pair
    // In the other's exact words, and in other words.
    const last = i % Math.max(one.length, other.length)
    for (const [a, b, c, d] of [
      [one[0], other[0], other[0], one[0]],
      [one[0], other[0], other[last % other.length], one[last % one.length]],
      [other[0], one[0], one[last % one.length], other[last % other.length]],
    ] as [string, string, string, string][]) {
      const agree = favouritesAgree(pair, [a, b], [c, d])
      listed++
      if (agree) joined++
      if (agree === false) wrong.push(`${a} v ${b} and ${c} v ${d}`)
    }
  }
  console.log(`sides: ${all.length} pairs of similar names, ${joined} of ${listed} games joined`)
  expect(all.length).toBeGreaterThan(250)
  expect(wrong).toEqual([])
  expect(joined / listed).toBeGreaterThan(0.85)
})

test('exactly the same two names are one game either way round', () => {
  const apart = ofPlaces.filter(
    (pair) =>
      !favouritesAgree(
        pair,
        [pair.one[0] as string, pair.other[0] as string],
        [pair.other[0] as string, pair.one[0] as string],
      ),
  )
  expect(apart).toEqual([])
})
