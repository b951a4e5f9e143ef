/**
 * A market of many sportsbooks, played from a seed: no clock, no other randomness. `step(now)` returns the records of
 * the sportsbooks since the last step; equal seeds and equal times give equal records, to the byte.
 *
 * The speed of price changes is a budget, spent in this order: necessary events (starts, scores, ends, polls),
 * sportsbooks that follow the latest news when their delay is over, and with the rest single price
 * steps. News comes only as fast as sportsbooks can follow, so the board is as plausible at ten
 * changes a second as at fifty thousand.
 *
 * The first board has a past: slow sportsbooks open with the beliefs of some minutes ago.
 *
 * A change is a selection whose price, line or suspension differs from that sportsbook's last
 * record. New listings, withdrawals and the change to in-play come on top and are not counted.
 */
import type { FeedMarket, FeedRecord } from '../../../schemas/feed-record.ts'
import { minute } from './calendar.ts'
import { simulatedLeagues } from './catalogue.ts'
import { createEpisodes } from './episodes.ts'
import { createFloor, second, type Task } from './floor.ts'
import type { Game } from './game.ts'
import { createListings } from './listings.ts'
import { createNews, longestLagMs } from './news.ts'
import { createPlay } from './play.ts'
import { createSchedule } from './schedule.ts'

export interface SimulationOptions {
  readonly seed: number
  /** Epoch ms; the first step should be at this time. */
  readonly startAt: number
  readonly changesPerSecond?: number
  /** Games listed at a time. */
  readonly events?: number
  /** Sportsbook ids; all 32 by default. The anchor is needed for the others to make sense. */
  readonly books?: readonly string[]
  /** League ids; all by default. */
  readonly leagues?: readonly string[]
  /** Multiplies the rungs of every pregame ladder, for boards larger than real ones. */
  readonly ladderDepth?: number
  /** Lists the first board over this time instead of at once, so that a large one fits in memory. */
  readonly openingMs?: number
}

export interface Simulation {
  /**
   * Continues until `now`, which never goes back. The first step lists the board. A gap of more
   * than a minute is played in large steps, without repeated observations. It brings the changes of
   * one minute, and at most 200,000, so the result is bounded.
   */
  step(now: number): readonly FeedRecord[]
  /** Returns the number of the game behind a sportsbook's own id, which matching has to find. */
  truth(sportsbook: string, externalId: string): number | undefined
  /** Returns the games on the board now, with their true sides and start. */
  games(): readonly Game[]
  counts(): SimulationCounts
}

export interface SimulationCounts {
  /** The number of changes since the start, as defined at the top of this file. */
  readonly changes: number
  /** The number of selections on offer now. */
  readonly selections: number
}

const stride = 100
/** How long the market had news before the first board. */
const pastMs = longestLagMs
const truthKept = 5000
/** The most changes of one step. */
const mostChanges = 200_000

export function createSimulation(options: SimulationOptions): Simulation {
  const { seed, startAt } = options
  const rate = options.changesPerSecond ?? 200
  const eventCount = options.events ?? Math.round(Math.min(120, Math.max(24, rate * 0.6)))
  const openingMs = options.openingMs ?? 0
  const leagues = simulatedLeagues.filter(({ id }) => options.leagues?.includes(id) ?? true)
  if (leagues.length === 0) throw new RangeError('a simulation needs a league')

  const floor = createFloor(seed, rate, options.books)
  const { agenda, games, listingsOf, random } = floor
  const schedule = createSchedule(leagues, seed)
  const news = createNews(floor)
  const listings = createListings(floor, news, options.ladderDepth ?? 1)
  const play = createPlay(floor, news)
  const episodes = createEpisodes(floor, news)

  const truth = new Map(floor.books.map(({ profile }) => [profile.id, new Map<string, number>()]))
  const truthOrder: { readonly book: string; readonly externalId: string }[][] = []

  let clock = startAt
  let isOpen = false

  /** @param openingDelayMs the delay of a game on the first board; null for a later game */
  function bring(game: Game, at: number, openingDelayMs: number | null) {
    play.plan(game, at)
    games.push(game)
    const added = listings.add(game, at, openingDelayMs)
    listingsOf.set(game, added)
    for (const { book, externalId } of added) truth.get(book.id)?.set(externalId, game.number)
    truthOrder.push(added.map(({ book, externalId }) => ({ book: book.id, externalId })))
    if (truthOrder.length <= Math.max(truthKept, 2 * eventCount)) return
    for (const { book, externalId } of truthOrder.shift() ?? []) {
      truth.get(book)?.delete(externalId)
    }
  }

  function open() {
    isOpen = true
    const knownSince = startAt - pastMs
    const first = schedule.first(eventCount, startAt, knownSince)
    if (options.events === undefined) {
      first.push(...schedule.absentMajors(first, startAt, knownSince))
    }
    for (const [place, game] of first.entries()) {
      bring(game, startAt, (openingMs * place) / eventCount)
    }
    news.makePast(knownSince, startAt)
    episodes.plan(startAt)
  }

  function remove(game: Game, at: number) {
    games.splice(games.indexOf(game), 1)
    listingsOf.delete(game)
    bring(schedule.next(at), at, null)
  }

  function perform(task: Task, at: number) {
    switch (task.do) {
      case 'list':
      case 'flip':
      case 'close':
      case 'observe':
      case 'glance':
      case 'reopen': {
        const { listing } = task
        const { silentUntil } = floor.books[listing.bookAt]!
        if (silentUntil > at) {
          listing.wantsSnapshot = true
          if (task.do === 'glance') return
          agenda.add(silentUntil + random.between(0, 4) * second, task)
        } else if (task.do === 'reopen') play.reopen(listing, at)
        else listings[task.do](listing, at)
        return
      }
      case 'start':
        return play.start(task.game, at)
      case 'play':
        return play.playOn(task.game, at)
      case 'state':
        return play.tellScore(task.game, at)
      case 'postpone':
        return play.postpone(task.game, at)
      case 'remove':
        return remove(task.game, at)
      case 'resume':
        return episodes.resume(task.listing, task.family, at)
      case 'recover':
        return episodes.recover(task.book, at)
      default:
        episodes.befall(task.do, at)
    }
  }

  /** Spends the remaining credit on single prices. */
  function moveSingles(at: number) {
    let idle = 0
    while (floor.credit >= 2 && idle < 200) {
      const listing = floor.pickMovable()
      if (!listing) return
      const isFrozen = floor.frozenUntil(listing) > at
      // A listing that still has to price news makes no other moves; at high rates, every listing
      // is behind.
      const isBehind = listing.isFollowing && !listing.event.isLive && idle < 20
      if (listing.state !== 'open' || floor.isSilent(listing, at) || isFrozen || isBehind) {
        idle++
        continue
      }
      const stated: FeedMarket[] = []
      let changed = news.nudge(listing, at, stated)
      if (random.chance(0.2)) changed += news.nudge(listing, at, stated)
      if (stated.length === 0) {
        idle++
        continue
      }
      floor.say(listing, 'delta', stated, at)
      floor.charge(changed)
    }
  }

  function advance(to: number, creditedMs: number) {
    clock = to
    const earned = (rate * creditedMs) / second
    floor.credit = Math.min(floor.credit + earned, Math.max(2 * rate, earned))
    floor.earnNews(creditedMs)
    floor.pollCredit = Math.min(floor.pollCredit + 0.2 * earned, Math.max(rate, 20))
    for (let task = agenda.takeDue(to); task; task = agenda.takeDue(to)) perform(task, to)
    news.make(to)
    news.catchUpDue(to)
    moveSingles(to)
  }

  return {
    step(now) {
      if (now < clock) throw new RangeError('the clock of a simulation never goes back')
      if (!isOpen) open()
      const gap = now - clock
      const length = Math.max(stride, gap / 600)
      floor.hurryUntil = gap > minute ? now - minute : 0
      const creditedMs = Math.min(gap, minute, (mostChanges / rate) * second)
      if (gap === 0) advance(now, 0)
      while (clock < now) {
        const to = Math.min(now, Math.floor(clock + length))
        advance(to, ((to - clock) * creditedMs) / gap)
      }
      return floor.takeSaid()
    },
    truth: (sportsbook, externalId) => truth.get(sportsbook)?.get(externalId),
    games: () => games,
    counts: () => ({ changes: floor.changeCount, selections: floor.counts.all }),
  }
}
