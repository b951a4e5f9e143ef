/**
 * Pregame news and how it spreads: each sportsbook gets it after its own delay and changes prices.
 * Before the start some take seconds, most one or a few minutes, and sometimes one takes a quarter
 * of an hour. In play no delay is longer than a second.
 */
import type { FeedMarket } from '../../../schemas/feed-record.ts'
import { createAgenda } from './agenda.ts'
import { minute } from './calendar.ts'
import { type Floor, pushedSize, second } from './floor.ts'
import { beliefAt, type Game, offsetOf, oldestVersion, versionAt, wander } from './game.ts'
import { countSelections, type Listing } from './listing.ts'

export type News = ReturnType<typeof createNews>

/** The longest delay behind the news before the start. */
export const longestLagMs = 20 * minute
const longestLiveLagMs = second
/**
 * After this many moves, further ones make no difference on average, because prices drift back to
 * the model.
 */
const movesPerMarket = 4
/**
 * How much other news comes between two injuries or the like. Most arbitrages come from sportsbooks
 * that are late then; an even spread gives every day some arbitrages and never very many.
 */
const newsBetweenShocks = [6, 9] as const
/**
 * The factor of news before the first board, when the budget did not matter. It has no shocks: by
 * the time of the board, no sportsbook would be late any more.
 */
const pastPace = 5
/** How many seconds of credit play may use in advance. */
const debtSeconds = 10

export function createNews(floor: Floor) {
  const { random, pricer, games, listingsOf } = floor
  const followsBefore = createAgenda<Listing>()
  const followsLive = createAgenda<Listing>()
  let newsToShock = random.between(0, newsBetweenShocks[1])

  function lagOf({ book, event, slowness }: Listing) {
    const lagMs = book.lagMs * slowness
    return event.isLive
      ? Math.min(longestLiveLagMs, 0.002 * lagMs + 100)
      : Math.min(longestLagMs, lagMs)
  }

  /** Draws the delay of a piece of news: the median is the book's usual delay, with a long tail. */
  const drawSlowness = () => Math.exp(0.7 * random.normal()) * (random.chance(0.05) ? 4 : 1)

  /** Returns the belief that the listing prices from now. */
  function heardBy(listing: Listing, at: number) {
    if (listing.heard < 0) hearPast(listing, at)
    const heard = versionAt(listing.game, at - lagOf(listing))
    if (heard <= listing.heard) return listing.heard
    listing.heard = heard
    listing.slowness = drawSlowness()
    return heard
  }

  /**
   * Replays, piece by piece, the news that has already reached a sportsbook that has just listed
   * the game.
   */
  function hearPast(listing: Listing, at: number) {
    const { game } = listing
    const heardAt = (version: number) =>
      game.beliefs[offsetOf(version) + beliefAt]! + lagOf(listing)
    listing.heard = oldestVersion(game)
    listing.slowness = drawSlowness()
    while (listing.heard + 1 < game.version && heardAt(listing.heard + 1) <= at) {
      listing.heard++
      listing.slowness = drawSlowness()
    }
  }

  /** Makes the listing look for news at `at`. */
  function follow(listing: Listing, at: number) {
    if (listing.book.delivery === 'poll') {
      // If a game in play has moved, a polled source is read at once.
      if (listing.event.isLive) floor.agenda.add(at, { do: 'glance', listing })
      return
    }
    if (listing.isFollowing) return
    listing.isFollowing = true
    const follows = listing.event.isLive ? followsLive : followsBefore
    follows.add(at, listing)
  }

  /** Schedules news that the listing has not priced yet, for the end of its delay. */
  function followNext(listing: Listing, at: number) {
    const { game } = listing
    const next = heardBy(listing, at) + 1
    if (next >= game.version) return
    const heardAt = game.beliefs[offsetOf(next) + beliefAt]! + lagOf(listing)
    follow(listing, Math.max(at + 1, heardAt))
  }

  function reprice(listing: Listing, at: number, stated: FeedMarket[] | null): number {
    const version = heardBy(listing, at)
    let changed = 0
    for (const family of listing.families) {
      if (family.isSuspended || family.isWithdrawn || family.version === version) continue
      changed += pricer.reprice(listing, family, version, at, stated)
    }
    return changed
  }

  function catchUp(listing: Listing, at: number) {
    listing.isFollowing = false
    if (listing.state !== 'open') return
    const heldUntil = Math.max(floor.books[listing.bookAt]!.silentUntil, floor.frozenUntil(listing))
    if (heldUntil > at) {
      follow(listing, heldUntil + random.between(0, 3 * second))
      return
    }
    const stated: FeedMarket[] = []
    const changed = reprice(listing, at, stated)
    if (stated.length > 0) floor.say(listing, 'delta', stated, at)
    floor.charge(changed)
    followNext(listing, at)
  }

  /** Moves one line by a step, as money comes in. @returns how many selections changed */
  function nudge(listing: Listing, at: number, stated: FeedMarket[] | null): number {
    const { families, book } = listing
    // An exchange matches offers against each other, so its price hardly moves without news.
    if (book.isExchange && random.chance(0.8)) return 0
    const among = random.chance(0.6) ? Math.min(3, families.length) : families.length
    const family = families[random.below(among)]!
    if (family.isSuspended || family.isWithdrawn) return 0
    return pricer.nudge(listing, family, random.below(family.rungs), at, random, stated)
  }

  /** Spreads a game's move, which all sportsbooks will follow. */
  function spread(game: Game, at: number) {
    for (const listing of listingsOf.get(game) ?? []) {
      if (listing.state === 'open') follow(listing, at + lagOf(listing))
    }
  }

  /** Makes one piece of news: rarely about distant games, often about games that start soon. */
  function makeOne(at: number, isShock: boolean) {
    const one = random.pick(games)
    const other = random.pick(games)
    const game = one.startsAt < other.startsAt && one.stage === 'upcoming' ? one : other
    if (game.stage !== 'upcoming') {
      floor.newsCredit -= 1
      return
    }
    wander(game, at, isShock, random)
    spread(game, at)
    floor.newsCredit -= 0.4 * pushedSize(floor, game)
  }

  /** Makes one piece of news if there is credit for it. */
  function make(at: number) {
    if (floor.newsCredit <= 0) return
    const isShock = --newsToShock <= 0
    if (isShock) newsToShock = random.between(...newsBetweenShocks)
    makeOne(at, isShock)
  }

  return {
    spread,
    follow,
    followNext,
    heardBy,
    /** Moves lines of a new listing to where bets would have moved them. */
    lean(listing: Listing, at: number) {
      const moves = movesPerMarket * listing.families.length
      for (let i = 0; i < moves; i++) nudge(listing, at, null)
    },
    nudge,
    make,
    /** Makes the news that a market with this rate would have made before any game was listed. */
    makePast(from: number, to: number) {
      for (let at = from; at < to; at += second) {
        floor.earnNews(pastPace * second)
        while (floor.newsCredit > 0) makeOne(at, false)
      }
    },
    /**
     * Reprices the listings whose delay is over: in play even beyond the credit, pregame while there
     * is credit.
     */
    catchUpDue(at: number) {
      while (floor.credit > -debtSeconds * floor.rate) {
        const next = followsLive.takeDue(at)
        if (!next) break
        catchUp(next, at)
      }
      while (floor.credit > 0) {
        const next = followsBefore.takeDue(at)
        if (!next) break
        catchUp(next, at)
      }
    },
    /** Moves a polled listing, as part of reading it. */
    movePolled(listing: Listing, at: number) {
      let changed = reprice(listing, at, null)
      // Besides the news, as many single moves as the pollers' share of the budget allows.
      const isBehind = listing.heard < listing.game.version - 1
      const share = isBehind ? 0 : 0.6
      const allowed = Math.min(floor.pollCredit - changed, share * countSelections(listing))
      for (let spent = 0, tries = 0; spent < allowed && tries < allowed; tries++) {
        const moved = nudge(listing, at, null)
        spent += moved
        changed += moved
      }
      floor.pollCredit -= changed
      floor.charge(changed)
    },
  }
}
