/**
 * A market on the board of an in-process service that covers every kind of change: a simulation for most
 * prices, and a few hand-driven games that come, go, are renamed, move their start, flip to in-play and
 * are suspended every few steps instead of rarely.
 */

import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type { Append } from '../../pipeline/log/log.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { topics } from '../../schemas/topics.ts'
import { moneyline, parsed, points, spread, total } from './hand-made-market.ts'
import { type InProcess, oddsRecord } from './service-in-process.ts'

export interface MovingMarket {
  /** Advances time and moves the market. Resolves once the log has the changes. */
  step(ms: number): Promise<void>
  /** Returns the number of simulated price changes so far. */
  changes(): number
  /** How often each hand-driven change was made. */
  readonly done: Readonly<Record<Deed, number>>
}

const deeds = [
  'reprice',
  'move lines',
  'suspend',
  'withdraw',
  'flip',
  'rename',
  'move start',
  'leave',
] as const
export type Deed = (typeof deeds)[number]

const books = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'bet365', 'bovada', 'circa']
const simulated = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'circa']
const leagues = ['nba', 'nhl', 'england_-_premier_league']
const isOfBoard = ({ type }: FeedRecord) => type === 'odds' || type === 'book_status'

interface Game {
  readonly home: string
  readonly away: string
  readonly startsAt: string
  readonly isLive: boolean
  /** Points added to every line. */
  readonly shift: number
  readonly isSuspended: boolean
  readonly markets: number
}

export interface MovingMarketOptions {
  readonly seed: number
  readonly changesPerSecond: number
  readonly events: number
}

/** @param service the market advances its clock */
export async function createMovingMarket(
  service: Pick<InProcess, 'log' | 'clock' | 'advance' | 'boards'>,
  { seed, changesPerSecond, events }: MovingMarketOptions,
): Promise<MovingMarket> {
  const random = createRandom(seed)
  const simulation = createSimulation({
    seed,
    startAt: service.clock(),
    events,
    changesPerSecond,
    books: simulated,
    leagues,
  })
  const done = Object.fromEntries(deeds.map((deed) => [deed, 0])) as Record<Deed, number>
  const inHours = (hours: number) =>
    new Date(service.clock() + hours * 3_600_000).toISOString().replace(/:\d\d\.\d+/, ':00.000')
  let acts = 0
  const games: Game[] = ['Ankara', 'Bremen', 'Cordoba', 'Dijon', 'Evora'].map((town, i) => ({
    home: `${town} Home`,
    away: `${town} Away`,
    startsAt: inHours(2 + 5 * i),
    isLive: false,
    shift: 0,
    isSuspended: false,
    markets: 4,
  }))

  /** Draws a price near even, so that sportsbooks often disagree by more than their margin. */
  const price = () => Math.round(1e3 * random.between(1.8, 2.12)) / 1e3
  const pair = () => [price(), price()] as const

  function offers({ shift, isSuspended, markets }: Game): object[] {
    const all = [
      moneyline(...pair()),
      spread(shift - 4.5, ...pair()),
      total(220.5 + shift, ...pair()),
      points('Sample Guard', 21.5 + shift, ...pair()),
    ]
    return all
      .slice(0, markets)
      .map((market, i) => ({ ...market, ...(isSuspended && i > 0 && { suspended: true }) }))
  }

  function say(game: Game, among: readonly string[]): Append[] {
    const now = service.clock()
    const { home, away, startsAt, isLive } = game
    const records = among.map((sportsbook) =>
      oddsRecord(now, {
        sportsbook,
        home,
        away,
        startsAt,
        isLive,
        externalId: home,
        markets: offers(game),
      }),
    )
    return parsed(now, records).map((record) => toAppend(record))
  }

  /** Overwrites the row of a game. The sportsbooks' next record of it restores the row. */
  function rewriteEvent(deed: 'rename' | 'move start'): Append[] {
    const all = service.boards.live.events('*')
    if (all.length === 0) return []
    const { row } = random.pick(all)
    const name = row.homeTeam.endsWith(' II') ? row.homeTeam.slice(0, -3) : `${row.homeTeam} II`
    const changed =
      deed === 'rename'
        ? { ...row, homeTeam: name }
        : { ...row, startsAt: row.startsAt + 60_000 * (random.chance(0.5) ? 20 : -20) }
    return [{ topic: topics.events, partitionKey: row.league, key: row.id, value: changed }]
  }

  function act(): Append[] {
    const deed = deeds[acts++ % deeds.length]!
    const at = random.below(games.length)
    const game = games[at]!
    done[deed]++
    if (deed === 'rename' || deed === 'move start') return rewriteEvent(deed)
    const some = books.filter(() => random.chance(0.6))
    if (deed === 'reprice') return say(game, some)
    if (deed === 'leave') return say({ ...game, markets: 0 }, some)
    const changed: Game = {
      ...game,
      ...(deed === 'move lines' && { shift: random.below(3) }),
      ...(deed === 'suspend' && { isSuspended: !game.isSuspended }),
      ...(deed === 'withdraw' && { markets: 1 + random.below(4) }),
      ...(deed === 'flip' && { isLive: !game.isLive }),
    }
    games[at] = changed
    return say(changed, books)
  }

  const simulate = () =>
    simulation
      .step(service.clock())
      .filter(isOfBoard)
      .map((record) => toAppend(record))

  await service.log.append([...simulate(), ...games.flatMap((game) => say(game, books))])

  return {
    async step(ms) {
      service.advance(ms)
      await service.log.append([...simulate(), ...(random.chance(0.5) ? act() : [])])
    },
    changes: () => simulation.counts().changes,
    done,
  }
}
