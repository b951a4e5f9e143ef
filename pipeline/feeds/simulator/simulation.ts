/**
 * A market of many sportsbooks, played from a seed: no clock, no other randomness. `step(now)`
 * gives what the sportsbooks said since the last step; equal seeds and equal instants give equal
 * records, to the byte.
 *
 * How fast prices change is a budget, spent in this order: what must happen (starts, scores, ends,
 * polls), followers of the last news when their lag is over, and with what is left single prices
 * that move by a step. News itself is made only as fast as the followers can keep up with, so the
 * board is as sane at ten changes a second as at fifty thousand.
 *
 * A change is a selection whose price, line or suspension differs from what that sportsbook last
 * said. New listings, withdrawals and the turn to in-play are not counted: they come on top.
 */
import type { FeedMarket, FeedRecord } from '../../../schemas/feed-record.ts'
import { createAgenda } from './agenda.ts'
import { type BookProfile, bookProfiles } from './books.ts'
import { simulatedLeagues } from './catalogue.ts'
import { beliefAt, type Game, offsetOf, playOn, versionAt, wander } from './game.ts'
import { gameStateOf, splitsOf } from './game-reports.ts'
import {
  allMarkets,
  countSelections,
  createListing,
  type Family,
  fatFinger,
  type Listing,
  marketOf,
  openFamilies,
  removalOf,
  setLive,
} from './listing.ts'
import { createPricer } from './pricing.ts'
import { createRandom, trait } from './random.ts'
import { createSchedule } from './schedule.ts'

export interface SimulationOptions {
  readonly seed: number
  /** Epoch ms; the first step should be at this instant. */
  readonly startAt: number
  readonly changesPerSecond?: number
  /** Games listed at a time. */
  readonly events?: number
  /** Sportsbook ids; all 32 by default. The anchor is needed for the others to make sense. */
  readonly books?: readonly string[]
  /** League ids; all by default. */
  readonly leagues?: readonly string[]
  /** Multiplies the rungs of every ladder before the game, for boards larger than life. */
  readonly ladderDepth?: number
  /** Lists the first board over this time instead of at once, so that a large one fits in memory. */
  readonly openingMs?: number
}

export interface Simulation {
  /**
   * Goes on until `now`, which never goes back. The first step lists the board. A gap of more than
   * a minute is played in large strides, without what would only have been observed again; it
   * brings the changes of one minute, and never more than 200,000, so the answer stays bounded.
   */
  step(now: number): readonly FeedRecord[]
  /** What matching has to find out: the number of the game behind a sportsbook's own id. */
  truth(sportsbook: string, externalId: string): number | undefined
  /** Games on the board now, and their true sides and start. */
  games(): readonly Game[]
  counts(): SimulationCounts
}

export interface SimulationCounts {
  /** Since the start; see the module for what a change is. */
  readonly changes: number
  /** Selections on offer now. */
  readonly selections: number
}

interface BookState {
  readonly profile: BookProfile
  readonly at: number
  /** Says nothing until then: down, or without a word. */
  silentUntil: number
  /** Repeats its old prices until then: before a game, and in play for a shorter time. */
  frozenUntil: number
  frozenLiveUntil: number
}

type Task =
  | { readonly do: 'list' | 'flip' | 'close' | 'observe' | 'reopen'; readonly listing: Listing }
  | { readonly do: 'start' | 'play' | 'state' | 'remove'; readonly game: Game }
  | { readonly do: 'resume'; readonly listing: Listing; readonly family: Family }
  | { readonly do: 'recover'; readonly book: BookState }
  | { readonly do: Episode }

type Episode = 'outage' | 'stale' | 'typo' | 'pause' | 'pull' | 'splits'

/** Seconds between two of a kind, from and to. */
const episodes: Readonly<Record<Episode, readonly [number, number]>> = {
  outage: [420, 1500],
  stale: [240, 600],
  typo: [500, 1500],
  pause: [15, 60],
  pull: [40, 180],
  splits: [1, 2],
}

const second = 1000
const minute = 60_000
const hour = 60 * minute
const stride = 100
/** In play traders are quicker by this much. */
const liveHaste = 0.1
const truthKept = 5000
/** Of one step. */
const mostChanges = 200_000

export function createSimulation(options: SimulationOptions): Simulation {
  const { seed, startAt } = options
  const rate = options.changesPerSecond ?? 200
  const eventCount = options.events ?? Math.round(Math.min(120, Math.max(24, rate * 0.6)))
  const depth = options.ladderDepth ?? 1
  const openingMs = options.openingMs ?? 0
  const random = createRandom(seed)
  const pricer = createPricer()
  const books = selectBooks(options.books)
  const leagues = simulatedLeagues.filter(({ id }) => options.leagues?.includes(id) ?? true)
  if (leagues.length === 0) throw new RangeError('a simulation needs a league')

  const schedule = createSchedule(leagues, random)
  const agenda = createAgenda<Task>()
  const follows = createAgenda<Listing>()
  const truth = new Map<string, Map<string, number>>()
  for (const { profile } of books) truth.set(profile.id, new Map())
  const truthOrder: { readonly book: string; readonly externalId: string }[][] = []

  const games: Game[] = []
  const listingsOf = new Map<Game, Listing[]>()
  /** Listings of pushing books that may move, before and in play. */
  const movable: readonly [Listing[], Listing[]] = [[], []]

  let clock = startAt
  let isOpen = false
  /** While a long gap is made up for, nothing before this instant is worth observing again. */
  let hurryUntil = 0
  let out: FeedRecord[] = []
  let credit = 0
  let newsCredit = 0
  let pollCredit = 0
  let changeCount = 0
  let selectionCount = 0
  let liveSelections = 0
  let polledSelections = 0
  let polledLiveSelections = 0

  function selectBooks(ids: readonly string[] | undefined): BookState[] {
    const chosen = bookProfiles.filter(({ id }) => ids?.includes(id) ?? true)
    if (chosen.length === 0 || (ids && chosen.length < new Set(ids).size)) {
      throw new RangeError(`the simulator has no such sportsbooks: ${ids?.join(', ')}`)
    }
    return chosen.map((profile, at) => ({
      profile,
      at,
      silentUntil: 0,
      frozenUntil: 0,
      frozenLiveUntil: 0,
    }))
  }

  // What is said

  function say(listing: Listing, mode: 'snapshot' | 'delta', markets: FeedMarket[], at: number) {
    const observedAt = Math.max(listing.observedAt, at - listing.book.latencyMs)
    listing.observedAt = observedAt
    if (mode === 'snapshot') listing.snapshotAt = at
    const { event } = listing
    out.push({ type: 'odds', sportsbook: listing.book.id, mode, observedAt, event, markets })
  }

  function sayStatus(listing: Listing, status: 'live' | 'final', at: number) {
    if (listing.book.delivery === 'poll') return
    const { event, book } = listing
    const observedAt = Math.max(listing.observedAt, at - book.latencyMs)
    out.push({ type: 'event_status', sportsbook: book.id, observedAt, event, status })
  }

  function charge(count: number) {
    credit -= count
    changeCount += count
  }

  // Listings

  function addGame(game: Game, at: number, isFirst: boolean) {
    // A later game comes up at one sportsbook after the other.
    const opening = (openingMs * games.length) / eventCount
    games.push(game)
    const listings: Listing[] = []
    const ids: { book: string; externalId: string }[] = []
    for (const book of books) {
      const { id, coverage } = book.profile
      if (trait(`${id}|${game.number}`, seed) >= coverageOf(coverage, game)) continue
      const listing = createListing(game, book.profile, book.at)
      listings.push(listing)
      truth.get(id)?.set(listing.externalId, game.number)
      ids.push({ book: id, externalId: listing.externalId })
      const delay = isFirst ? opening : random.between(0, 5 * minute)
      agenda.add(at + delay, { do: 'list', listing })
    }
    listingsOf.set(game, listings)
    truthOrder.push(ids)
    if (truthOrder.length > Math.max(truthKept, 2 * eventCount)) {
      for (const { book, externalId } of truthOrder.shift() ?? []) {
        truth.get(book)?.delete(externalId)
      }
    }
  }

  /** Minor leagues are on fewer boards. */
  function coverageOf(coverage: number, { league }: Game) {
    return league.weight >= 4 ? coverage : coverage - (1 - coverage) * 0.9
  }

  function beliefFor(listing: Listing, at: number) {
    return versionAt(listing.game, at - lagOf(listing))
  }

  function lagOf({ book, event }: Listing) {
    return event.isLive ? book.lagMs * liveHaste : book.lagMs
  }

  function list(listing: Listing, at: number) {
    const isLive = listing.game.stage === 'live'
    if (listing.game.stage === 'final') return
    if (isLive && !offersLive(listing)) {
      listing.state = 'gone'
      return
    }
    setLive(listing, isLive)
    openFamilies(listing, isLive, depth, random)
    const version = beliefFor(listing, at)
    for (const family of listing.families) pricer.reprice(listing, family, version, at, null)
    enter(listing)
    say(listing, 'snapshot', allMarkets(listing), at)
    if (isLive) sayStatus(listing, 'live', at)
    if (listing.isObserved) return
    listing.isObserved = true
    agenda.add(at + random.next() * periodOf(listing), { do: 'observe', listing })
  }

  function offersLive({ book, game }: Listing) {
    return book.hasLive && trait(`${book.id}|${game.number}`, 21) < 0.85
  }

  function enter(listing: Listing) {
    if (listing.state !== 'unlisted') throw new Error('a listing enters the board twice')
    listing.state = 'open'
    count(listing, 1)
    if (listing.book.delivery === 'poll') return
    const pool = movable[listing.event.isLive ? 1 : 0]
    listing.slot = pool.length
    pool.push(listing)
    followNext(listing, clock)
  }

  function leave(listing: Listing) {
    if (listing.state === 'unlisted' || listing.state === 'gone') return
    count(listing, -1)
    listing.state = 'unlisted'
    if (listing.slot < 0) return
    const pool = movable[listing.event.isLive ? 1 : 0]
    const last = pool.pop()
    if (last && last !== listing) {
      pool[listing.slot] = last
      last.slot = listing.slot
    }
    listing.slot = -1
  }

  /** Withdrawn families count as listed: they come back within minutes. */
  function count(listing: Listing, sign: number) {
    let size = 0
    for (const { rungs, sides } of listing.families) size += rungs * sides.length
    size *= sign
    const { isLive } = listing.event
    selectionCount += size
    if (isLive) liveSelections += size
    if (listing.book.delivery === 'push') return
    polledSelections += size
    if (isLive) polledLiveSelections += size
  }

  function flip(listing: Listing, at: number) {
    if (listing.game.stage !== 'live' || listing.event.isLive) return
    if (listing.state === 'unlisted' || listing.state === 'gone') return
    leave(listing)
    if (offersLive(listing)) {
      list(listing, at)
      return
    }
    say(listing, 'snapshot', [], at)
    sayStatus(listing, 'live', at)
    listing.state = 'gone'
  }

  function close(listing: Listing, at: number) {
    if (listing.state === 'gone' || listing.state === 'unlisted') {
      listing.state = 'gone'
      return
    }
    leave(listing)
    listing.state = 'gone'
    say(listing, 'snapshot', [], at)
    sayStatus(listing, 'final', at)
  }

  // Observing again

  /** How long until the book is heard of again when nothing changes. */
  function periodOf({ book, event }: Listing): number {
    if (book.delivery === 'push') return event.isLive ? 15 * second : 100 * second
    const stretched = ((event.isLive ? polledLiveSelections * 2 : polledSelections) / rate) * second
    return event.isLive
      ? Math.min(20 * second, Math.max(book.pollMs, stretched))
      : Math.min(200 * second, Math.max(4 * book.pollMs, stretched))
  }

  function observe(listing: Listing, at: number) {
    if (listing.state === 'gone' || listing.state === 'unlisted') return
    if (at < hurryUntil) {
      agenda.add(hurryUntil + random.next() * minute, { do: 'observe', listing })
      return
    }
    const period = periodOf(listing)
    if (listing.state === 'withdrawn') {
      agenda.add(at + 5 * second, { do: 'observe', listing })
      return
    }
    if (listing.book.delivery === 'poll') {
      if (listing.state === 'open' && !isFrozen(listing, at)) movePolled(listing, at)
      say(listing, 'snapshot', allMarkets(listing), at)
    } else if (listing.wantsSnapshot || at - listing.snapshotAt > 8 * period) {
      say(listing, 'snapshot', allMarkets(listing), at)
      listing.wantsSnapshot = false
    } else if (at - listing.observedAt >= period / 2) {
      const again = listing.families.find(({ isWithdrawn }) => !isWithdrawn)
      if (again) {
        const isSuspended = listing.state === 'suspended' || again.isSuspended
        say(listing, 'delta', [marketOf(listing, again, 0, isSuspended)], at)
      }
    }
    agenda.add(at + period * random.between(0.8, 1.2), { do: 'observe', listing })
  }

  function movePolled(listing: Listing, at: number) {
    const version = beliefFor(listing, at)
    let changed = 0
    for (const family of listing.families) {
      if (family.isSuspended || family.isWithdrawn || family.version === version) continue
      changed += pricer.reprice(listing, family, version, at, null)
    }
    // Beyond the news, as many single moves as the pollers' share of the budget allows.
    const allowed = Math.min(pollCredit - changed, 0.6 * countSelections(listing))
    for (let spent = 0, tries = 0; spent < allowed && tries < allowed; tries++) {
      const moved = nudgeOne(listing, at, null)
      spent += moved
      changed += moved
    }
    pollCredit -= changed
    charge(changed)
  }

  const isFrozen = (listing: Listing, at: number) => frozenUntil(listing) > at

  function frozenUntil({ bookAt, event }: Listing) {
    const book = books[bookAt]!
    return event.isLive ? book.frozenLiveUntil : book.frozenUntil
  }

  // Following the news

  function follow(listing: Listing, at: number) {
    if (listing.isFollowing || listing.book.delivery === 'poll') return
    listing.isFollowing = true
    follows.add(at, listing)
  }

  function catchUp(listing: Listing, at: number) {
    listing.isFollowing = false
    if (listing.state !== 'open') return
    const heldUntil = Math.max(books[listing.bookAt]!.silentUntil, frozenUntil(listing))
    if (heldUntil > at) {
      follow(listing, heldUntil + random.between(0, 3 * second))
      return
    }
    const version = beliefFor(listing, at)
    const stated: FeedMarket[] = []
    let changed = 0
    for (const family of listing.families) {
      if (family.isSuspended || family.isWithdrawn || family.version === version) continue
      changed += pricer.reprice(listing, family, version, at, stated)
    }
    if (stated.length > 0) say(listing, 'delta', stated, at)
    charge(changed)
    followNext(listing, at)
  }

  /** News that the listing has not priced yet is due when its lag is over. */
  function followNext(listing: Listing, at: number) {
    const { game } = listing
    const next = beliefFor(listing, at) + 1
    if (next >= game.version) return
    const heardAt = game.beliefs[offsetOf(next) + beliefAt]! + lagOf(listing)
    follow(listing, Math.max(at + 1, heardAt))
  }

  function spread(game: Game, at: number) {
    for (const listing of listingsOf.get(game) ?? []) {
      if (listing.state === 'open') follow(listing, at + lagOf(listing))
    }
  }

  /** News before the game: rarely far ahead, often close to the start. */
  function makeNews(at: number) {
    const one = random.pick(games)
    const other = random.pick(games)
    const game = one.startsAt < other.startsAt && one.stage === 'upcoming' ? one : other
    if (game.stage !== 'upcoming') {
      newsCredit -= 1
      return
    }
    wander(game, at, random)
    spread(game, at)
    let size = 0
    for (const listing of listingsOf.get(game) ?? []) {
      if (listing.book.delivery === 'push') size += countSelections(listing)
    }
    newsCredit -= 0.4 * size
  }

  // Play

  function start(game: Game, at: number) {
    game.stage = 'live'
    const listings = listingsOf.get(game) ?? []
    for (const listing of listings) {
      const delay = listing.book.lagMs * 0.1 + random.between(0.2, 20) * second
      agenda.add(at + delay, { do: 'flip', listing })
    }
    agenda.add(at + playPeriod() * random.between(0.3, 1), { do: 'play', game })
    agenda.add(at + 5 * second, { do: 'state', game })
  }

  /** Slower than life when the budget could not carry every move to every book. */
  function playPeriod() {
    const followed = 0.6 * (liveSelections - polledLiveSelections)
    return Math.min(180 * second, Math.max(3 * second, (followed / (0.3 * rate)) * second))
  }

  function play(game: Game, at: number) {
    if (at >= game.endsAt) {
      game.stage = 'final'
      for (const listing of listingsOf.get(game) ?? []) {
        agenda.add(at + random.between(0.5, 60) * second, { do: 'close', listing })
      }
      agenda.add(at + 15 * minute, { do: 'remove', game })
      return
    }
    const hasScored = playOn(game, at, random)
    if (hasScored && game.league.model.suspendsOnScore) haltOnScore(game, at)
    spread(game, at)
    const next = at + playPeriod() * random.between(0.7, 1.3)
    agenda.add(Math.min(next, Math.max(at + 1, game.endsAt)), { do: 'play', game })
  }

  function haltOnScore(game: Game, at: number) {
    // A score costs hundreds of changes: at a small rate only some of the books take part.
    let affordable = Math.max(30, rate * 10)
    for (const listing of listingsOf.get(game) ?? []) {
      if (listing.state !== 'open' || !listing.event.isLive || affordable < 0) continue
      if (isSilent(listing, at) || isFrozen(listing, at) || random.chance(0.2)) continue
      affordable -= 2 * countSelections(listing)
      if (random.chance(listing.book.withdrawsOnScore)) {
        listing.state = 'withdrawn'
        say(listing, 'snapshot', [], at)
        agenda.add(at + random.between(30, 90) * second, { do: 'reopen', listing })
      } else {
        listing.state = 'suspended'
        say(listing, 'delta', allMarkets(listing), at)
        charge(countSelections(listing))
        const pause = random.between(6, 25) * second + lagOf(listing)
        agenda.add(at + pause, { do: 'reopen', listing })
      }
    }
  }

  function reopen(listing: Listing, at: number) {
    const { state } = listing
    if (state !== 'suspended' && state !== 'withdrawn') return
    listing.state = 'open'
    const version = beliefFor(listing, at)
    const stated: FeedMarket[] = []
    for (const family of listing.families) pricer.reprice(listing, family, version, at, stated)
    if (state === 'withdrawn') {
      say(listing, 'snapshot', allMarkets(listing), at)
    } else {
      const gone = stated.filter(({ selections }) => selections[0]?.removed)
      const markets = [...gone, ...allMarkets(listing)]
      say(listing, 'delta', markets, at)
      charge(markets.reduce((sum, { selections }) => sum + selections.length, 0))
    }
    follow(listing, at + lagOf(listing))
  }

  const isSilent = (listing: Listing, at: number) => books[listing.bookAt]!.silentUntil > at

  function remove(game: Game, at: number) {
    const place = games.indexOf(game)
    games.splice(place, 1)
    listingsOf.delete(game)
    schedule.forget(at - 48 * hour)
    bring(schedule.next(games, at), at, false)
  }

  function bring(game: Game, at: number, isFirst: boolean) {
    if (game.startsAt <= at) {
      game.stage = 'live'
      // Played a minute ago, so that every book has heard of it.
      playOn(game, Math.max(game.startsAt, at - minute), random)
    }
    addGame(game, at, isFirst)
    if (game.stage === 'live') {
      agenda.add(at + random.next() * minute, { do: 'play', game })
      agenda.add(at + 5 * second, { do: 'state', game })
    } else {
      // Nothing starts on the second.
      agenda.add(game.startsAt + random.between(0, 90) * second, { do: 'start', game })
    }
  }

  // What befalls books and markets

  function befall(episode: Episode, at: number) {
    const [from, to] = episodes[episode]
    agenda.add(at + random.between(from, to) * second, { do: episode })
    if (episode === 'outage' || episode === 'stale') {
      const book = random.pick(books)
      const isBusy = book.silentUntil > at || book.frozenUntil > at
      if (isBusy || (book.at === 0 && books.length > 1)) return
      if (episode === 'outage') {
        book.silentUntil = at + random.between(20, 180) * second
        sayBook(book, 'down', at)
        agenda.add(book.silentUntil, { do: 'recover', book })
      } else if (random.chance(0.7)) {
        book.frozenUntil = at + random.between(2, 6) * minute
        book.frozenLiveUntil = at + random.between(20, 50) * second
      } else {
        book.silentUntil = at + random.between(1.5, 4) * minute
      }
      return
    }
    if (episode === 'splits') {
      saySplits(at)
      return
    }
    const listing = pickMovable()
    if (listing?.state !== 'open' || isSilent(listing, at)) return
    const family = random.pick(listing.families)
    if (family.isSuspended || family.isWithdrawn) return
    if (episode === 'typo') {
      const side = random.below(family.sides.length)
      say(listing, 'delta', [fatFinger(listing, family, 0, side, at)], at)
      charge(1)
      family.version = -1
      follow(listing, at + random.between(5, 40) * second)
    } else if (episode === 'pause') {
      family.isSuspended = true
      sayFamily(listing, family, at)
      agenda.add(at + random.between(15, 120) * second, { do: 'resume', listing, family })
    } else {
      family.isWithdrawn = true
      say(
        listing,
        'delta',
        family.lines.map((line) => removalOf(listing, family, line)),
        at,
      )
      agenda.add(at + random.between(30, 300) * second, { do: 'resume', listing, family })
    }
  }

  function resume(listing: Listing, family: Family, at: number) {
    if (!listing.families.includes(family) || listing.state === 'gone') return
    if (listing.state !== 'open' || isSilent(listing, at)) {
      agenda.add(at + 10 * second, { do: 'resume', listing, family })
      return
    }
    const wasSuspended = family.isSuspended
    family.isSuspended = false
    family.isWithdrawn = false
    if (wasSuspended) sayFamily(listing, family, at)
    else say(listing, 'delta', marketsOf(listing, family), at)
    follow(listing, at)
  }

  function marketsOf(listing: Listing, family: Family) {
    return family.lines.map((_, rung) => marketOf(listing, family, rung, family.isSuspended))
  }

  function sayFamily(listing: Listing, family: Family, at: number) {
    say(listing, 'delta', marketsOf(listing, family), at)
    charge(family.rungs * family.sides.length)
  }

  function sayBook({ profile }: BookState, status: 'up' | 'down', at: number) {
    const observedAt = at - profile.latencyMs
    out.push({ type: 'book_status', sportsbook: profile.id, observedAt, status })
  }

  function recover(book: BookState, at: number) {
    sayBook(book, 'up', at)
    for (const listings of listingsOf.values()) {
      for (const listing of listings) {
        if (listing.bookAt === book.at) listing.wantsSnapshot = true
      }
    }
  }

  function saySplits(at: number) {
    if (at < hurryUntil) return
    const listing = pickMovable()
    if (listing?.state !== 'open' || listing.event.isLive || isSilent(listing, at)) return
    const record = splitsOf(listing, at, random)
    if (record) out.push(record)
  }

  function sayStates(game: Game, at: number) {
    if (game.stage !== 'live') return
    if (at < hurryUntil) {
      agenda.add(hurryUntil + random.next() * 8 * second, { do: 'state', game })
      return
    }
    for (const listing of listingsOf.get(game) ?? []) {
      if (isSilent(listing, at)) continue
      const record = gameStateOf(listing, at)
      if (record) out.push(record)
    }
    agenda.add(at + 8 * second, { do: 'state', game })
  }

  // Single moves

  function pickMovable(): Listing | undefined {
    const [before, live] = movable
    const pool = live.length > 0 && (before.length === 0 || random.chance(0.5)) ? live : before
    return pool.length === 0 ? undefined : pool[random.below(pool.length)]
  }

  /** @returns how many selections moved, none when the step was not to be had */
  function nudgeOne(listing: Listing, at: number, stated: FeedMarket[] | null): number {
    const { families } = listing
    const among = random.chance(0.6) ? Math.min(3, families.length) : families.length
    const family = families[random.below(among)]!
    if (family.isSuspended || family.isWithdrawn) return 0
    return pricer.nudge(listing, family, random.below(family.rungs), at, random, stated)
  }

  function moveSingles(at: number) {
    let idle = 0
    while (credit >= 2 && idle < 200) {
      const listing = pickMovable()
      if (!listing) return
      if (listing.state !== 'open' || isSilent(listing, at) || isFrozen(listing, at)) {
        idle++
        continue
      }
      const stated: FeedMarket[] = []
      let changed = nudgeOne(listing, at, stated)
      if (random.chance(0.2)) changed += nudgeOne(listing, at, stated)
      if (stated.length === 0) {
        idle++
        continue
      }
      say(listing, 'delta', stated, at)
      charge(changed)
    }
  }

  // Time

  function perform(task: Task, at: number) {
    switch (task.do) {
      case 'list':
      case 'flip':
      case 'close':
      case 'observe':
      case 'reopen': {
        const { listing } = task
        const { silentUntil } = books[listing.bookAt]!
        if (silentUntil > at) {
          listing.wantsSnapshot = true
          agenda.add(silentUntil + random.between(0, 4) * second, task)
        } else if (task.do === 'list') list(listing, at)
        else if (task.do === 'flip') flip(listing, at)
        else if (task.do === 'close') close(listing, at)
        else if (task.do === 'observe') observe(listing, at)
        else reopen(listing, at)
        return
      }
      case 'resume':
        resume(task.listing, task.family, at)
        return
      case 'start':
        start(task.game, at)
        return
      case 'play':
        play(task.game, at)
        return
      case 'state':
        sayStates(task.game, at)
        return
      case 'remove':
        remove(task.game, at)
        return
      case 'recover':
        recover(task.book, at)
        return
      default:
        befall(task.do, at)
    }
  }

  function advance(to: number, creditedMs: number) {
    clock = to
    const earned = (rate * creditedMs) / second
    credit = Math.min(credit + earned, Math.max(2 * rate, earned))
    newsCredit = Math.min(newsCredit + 0.15 * earned, rate)
    pollCredit = Math.min(pollCredit + 0.2 * earned, Math.max(rate, 20))
    for (let task = agenda.takeDue(to); task; task = agenda.takeDue(to)) perform(task, to)
    if (newsCredit > 0) makeNews(to)
    while (credit > 0) {
      const listing = follows.takeDue(to)
      if (!listing) break
      catchUp(listing, to)
    }
    moveSingles(to)
  }

  function open() {
    isOpen = true
    for (const game of schedule.first(eventCount, startAt)) bring(game, startAt, true)
    for (const [name, [from, to]] of Object.entries(episodes)) {
      const due = startAt + random.between(from / 2, to) * second
      agenda.add(due, { do: name as Episode })
    }
  }

  return {
    step(now) {
      if (now < clock) throw new RangeError('the clock of a simulation never goes back')
      out = []
      if (!isOpen) open()
      const gap = now - clock
      const length = Math.max(stride, gap / 600)
      hurryUntil = gap > minute ? now - minute : 0
      const creditedMs = Math.min(gap, minute, (mostChanges / rate) * second)
      if (gap === 0) advance(now, 0)
      while (clock < now) {
        const to = Math.min(now, Math.floor(clock + length))
        advance(to, ((to - clock) * creditedMs) / gap)
      }
      const said = out
      out = []
      return said
    },
    truth: (sportsbook, externalId) => truth.get(sportsbook)?.get(externalId),
    games: () => games,
    counts: () => ({ changes: changeCount, selections: selectionCount }),
  }
}
