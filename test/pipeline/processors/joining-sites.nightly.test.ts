/**
 * Games whose two listings come from two sites, on the board with prices: joins by names and prices,
 * and no wrong joins. Needs `../shared`; judged by the half of the names that the rules were not
 * written for. Ten games of a league begin at the same minute, and in the second table of figures all
 * of them have the same prices. Then each game is listed by one site only, again at the same prices,
 * so that every join is wrong.
 */
import { describe, expect, test } from 'vitest'
import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import { selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'
import { hasAliases, readColleges, readSites, type SpeltSide } from '../rules/names/site-names.ts'

const minute = 60_000

/** Returns the same numbers each time. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function shuffled<T>(all: readonly T[], random: (below: number) => number): T[] {
  const left = [...all]
  return all.map(() => left.splice(random(left.length), 1)[0] as T)
}

interface Game {
  readonly league: string
  readonly homes: readonly [string, string]
  readonly aways: readonly [string, string]
  readonly home: number
  readonly over: number
}

const gamesOfLeague = 10

/** Returns rounds of games of one kind of league, each as two sites write it. */
function gamesOf(sides: readonly SpeltSide[], kind: string, isAlike: boolean): Game[] {
  const random = createRandom(11)
  const games: Game[] = []
  for (let round = 0; round < 3; round++) {
    const order = shuffled(sides, random)
    for (let i = 0; i + 1 < order.length; i += 2) {
      const [home, away] = [order[i] as SpeltSide, order[i + 1] as SpeltSide]
      const sites = [...home.bySite.keys()].filter((site) => away.bySite.has(site))
      const [one, two] = shuffled(sites, random)
      if (one === undefined || two === undefined) continue
      const say = (side: SpeltSide, site: string) => {
        const spellings = side.bySite.get(site) ?? []
        return spellings[random(spellings.length)] ?? side.name
      }
      games.push({
        league: `${kind} ${round} ${Math.floor(i / 2 / gamesOfLeague)}`,
        homes: [say(home, one), say(home, two)],
        aways: [say(away, one), say(away, two)],
        home: isAlike ? 0.5 : 0.2 + random(600) / 1_000,
        over: isAlike ? 0.5 : 0.4 + random(200) / 1_000,
      })
    }
  }
  return games
}

/** Returns a sportsbook's offer on a game, with its own opinion and margin. */
function offer(sport: string, game: Game, number: number, site: 0 | 1, at: number): OddsRecord {
  const lean = site === 0 ? 0 : ((number % 5) - 2) / 250
  const price = (chance: number) => Math.round((1_000 * 0.96) / chance) / 1_000
  const two = (chance: number, types: readonly [string, string]) => [
    selection(types[0], price(chance + lean)),
    selection(types[1], price(1 - chance - lean)),
  ]
  const three = [
    selection('home', price(game.home * 0.74 + lean)),
    selection('draw', price(0.26)),
    selection('away', price(0.74 - game.home * 0.74 - lean)),
  ]
  const book = site === 0 ? 'pinnacle' : 'bet365'
  const winner = sport === 'soccer' ? three : two(game.home, ['home', 'away'])
  const said = statement(book, game.homes[site], game.aways[site], winner, {
    laterMs: at * minute,
    externalId: `${number}`,
  })
  const total: FeedMarket = {
    ...(said.markets[0] as FeedMarket),
    marketType: sport === 'tennis' ? 'total_games' : 'total_points',
    line: 20.5,
    selections: two(game.over, ['over', 'under']),
  }
  const goals = sport === 'soccer' || sport === 'hockey' || sport === 'handball'
  const markets = [...said.markets, goals ? { ...total, marketType: 'total_goals' } : total]
  return { ...said, event: { ...said.event, sport, league: game.league }, markets }
}

const both = () => true

/** @param lists whether a site lists a game */
function play(
  sport: string,
  games: readonly Game[],
  lists: (number: number, site: 0 | 1) => boolean = both,
) {
  const board = createRealBoard()
  for (const at of [0, 2, 4])
    for (const site of [0, 1] as const)
      board.take(
        games.flatMap((game, number) =>
          lists(number, site) ? [offer(sport, game, number, site, at)] : [],
        ),
      )
  const eventOf = new Map<string, string>()
  for (const row of board.tables.sightings.values())
    if (row.listing !== '') eventOf.set(`${row.sportsbook} ${row.externalId}`, row.eventId)
  const gamesByEvent = new Map<string, Set<number>>()
  let joined = 0
  for (const number of games.keys()) {
    const events = ['pinnacle', 'bet365'].map((book) => eventOf.get(`${book} ${number}`))
    if (events[0] !== undefined && events[0] === events[1]) joined++
    for (const event of events)
      if (event !== undefined)
        gamesByEvent.set(event, (gamesByEvent.get(event) ?? new Set()).add(number))
  }
  const wrong = [...gamesByEvent.values()]
    .filter((numbers) => numbers.size > 1)
    .map((numbers) => [...numbers].map((at) => games[at]?.homes.concat(games[at].aways)))
  return { joined, wrong }
}

describe.skipIf(!hasAliases)('games as two sites list them, with prices (needs ../shared)', () => {
  const all = hasAliases ? [...readSites(), ...readColleges()] : []
  const isCollege = ({ league }: SpeltSide) => league === 'ncaab'

  test.each([
    ['soccer', 0.95],
    ['tennis', 0.95],
    ['handball', 0.94],
    ['rugby', 0.95],
    ['basketball', 0.97],
    ['hockey', 0.97],
    ['colleges', 0.96],
  ])('%s: at least %d of the games are found, and none is another', (sport, least) => {
    const sides = all.filter(
      (side) =>
        side.isHeldOut &&
        (sport === 'colleges' ? isCollege(side) : side.sport === sport && !isCollege(side)),
    )
    const playedAs = sport === 'colleges' ? 'basketball' : sport
    const figures = [false, true].map((isAlike) => {
      const games = [...new Set(sides.map((side) => side.league))].flatMap((league) =>
        gamesOf(
          sides.filter((side) => side.league === league),
          league || 'a league',
          isAlike,
        ),
      )
      const { joined, wrong } = play(playedAs, games)
      expect(wrong).toEqual([])
      if (isAlike) {
        const apart = play(playedAs, games, (number, site) => number % 2 === site)
        expect(apart.wrong).toEqual([])
      }
      return { recall: joined / games.length, count: games.length }
    })
    const [usual, alike] = figures.map(({ recall, count }) => `${recall.toFixed(4)} of ${count}`)
    console.log(
      `with prices, ${sport}: recall ${usual} held out; ${alike} where all prices are alike`,
    )
    expect(figures[0]?.recall).toBeGreaterThanOrEqual(least)
  })
})
