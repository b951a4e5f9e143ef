/**
 * The shared state of a simulation: the sportsbooks, the games, the listings that may move, the records of this step,
 * and the remaining credit of changes.
 */
import type { FeedMarket, FeedRecord } from '../../../schemas/feed-record.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import { type BookProfile, bookProfiles } from './books.ts'
import type { Game } from './game.ts'
import { countSelections, type Family, type Listing } from './listing.ts'
import { createPricer, type Pricer } from './pricing.ts'
import { createRandom, type Random } from './random.ts'

export const second = 1000

export interface BookState {
  readonly profile: BookProfile
  readonly at: number
  /** Until this time it sends nothing, because it is down or silent. */
  silentUntil: number
  /** Until this time it repeats its pregame prices; in play, for a shorter time. */
  frozenUntil: number
  frozenLiveUntil: number
}

export const episodeNames = ['outage', 'stale', 'typo', 'pause', 'pull', 'splits'] as const
export type Episode = (typeof episodeNames)[number]

export type Task =
  | {
      readonly do: 'list' | 'flip' | 'close' | 'observe' | 'glance' | 'reopen'
      readonly listing: Listing
    }
  | { readonly do: 'start' | 'play' | 'state' | 'postpone' | 'remove'; readonly game: Game }
  | { readonly do: 'resume'; readonly listing: Listing; readonly family: Family }
  | { readonly do: 'recover'; readonly book: BookState }
  | { readonly do: Episode }

/** Sizes of the offers, in selections. */
interface Counts {
  all: number
  live: number
  polled: number
  polledLive: number
}

export interface Floor {
  readonly seed: number
  /** Changes a second. */
  readonly rate: number
  readonly random: Random
  readonly pricer: Pricer
  readonly agenda: Agenda<Task>
  readonly books: readonly BookState[]
  readonly games: Game[]
  readonly listingsOf: Map<Game, Listing[]>
  readonly counts: Counts
  /** While catching up on a long gap, nothing is observed again before this time. */
  hurryUntil: number
  /** Changes that may still be made: of any kind, of news, of polled listings. */
  credit: number
  newsCredit: number
  pollCredit: number
  changeCount: number

  say(listing: Listing, mode: 'snapshot' | 'delta', markets: FeedMarket[], at: number): void
  sayStatus(listing: Listing, status: 'live' | 'final' | 'postponed', at: number): void
  sayBook(book: BookState, status: 'up' | 'down', at: number): void
  sayOther(record: FeedRecord): void
  /** Returns the records since the last call. */
  takeSaid(): FeedRecord[]
  charge(count: number): void
  /** Adds the credit that a market with this rate spends on news in this time. */
  earnNews(ms: number): void
  /** Adds the listing to the board. */
  enter(listing: Listing): void
  leave(listing: Listing): void
  isSilent(listing: Listing, at: number): boolean
  frozenUntil(listing: Listing): number
  /** Picks a listing that may move: one in play a few times more often. */
  pickMovable(): Listing | undefined
}

/** The activity of a game in play relative to one that is still to come. */
const liveActivity = 4

/** @throws RangeError for a sportsbook that is not simulated */
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

export function createFloor(
  seed: number,
  rate: number,
  bookIds: readonly string[] | undefined,
): Floor {
  const random = createRandom(seed)
  const books = selectBooks(bookIds)
  const counts: Counts = { all: 0, live: 0, polled: 0, polledLive: 0 }
  /** Listings of pushing books that may move, before and in play. */
  const movable: readonly [Listing[], Listing[]] = [[], []]
  let unsent: FeedRecord[] = []

  /** Counts selections. Withdrawn families count as listed: they come back within minutes. */
  function count(listing: Listing, sign: number) {
    let size = 0
    for (const { rungs, sides } of listing.families) size += rungs * sides.length
    size *= sign
    const { isLive } = listing.event
    counts.all += size
    if (isLive) counts.live += size
    if (listing.book.delivery === 'push') return
    counts.polled += size
    if (isLive) counts.polledLive += size
  }

  const floor: Floor = {
    seed,
    rate,
    random,
    pricer: createPricer(),
    agenda: createAgenda(),
    books,
    games: [],
    listingsOf: new Map(),
    counts,
    hurryUntil: 0,
    credit: 0,
    newsCredit: 0,
    pollCredit: 0,
    changeCount: 0,

    say(listing, mode, markets, at) {
      const observedAt = Math.max(listing.observedAt, at - listing.book.latencyMs)
      listing.observedAt = observedAt
      if (mode === 'snapshot') listing.snapshotAt = at
      const { event, book } = listing
      unsent.push({ type: 'odds', sportsbook: book.id, mode, observedAt, event, markets })
    },
    sayStatus(listing, status, at) {
      if (listing.book.delivery === 'poll') return
      const { event, book } = listing
      const observedAt = Math.max(listing.observedAt, at - book.latencyMs)
      unsent.push({ type: 'event_status', sportsbook: book.id, observedAt, event, status })
    },
    sayBook({ profile }, status, at) {
      const observedAt = at - profile.latencyMs
      unsent.push({ type: 'book_status', sportsbook: profile.id, observedAt, status })
    },
    sayOther(record) {
      unsent.push(record)
    },
    takeSaid() {
      const taken = unsent
      unsent = []
      return taken
    },
    charge(of) {
      floor.credit -= of
      floor.changeCount += of
    },
    earnNews(ms) {
      floor.newsCredit = Math.min(floor.newsCredit + 0.15 * rate * (ms / second), rate)
    },
    enter(listing) {
      if (listing.state !== 'unlisted') throw new Error('a listing enters the board twice')
      listing.state = 'open'
      count(listing, 1)
      if (listing.book.delivery === 'poll') return
      const pool = movable[listing.event.isLive ? 1 : 0]
      listing.slot = pool.length
      pool.push(listing)
    },
    leave(listing) {
      if (listing.state === 'unlisted' || listing.state === 'gone') return
      count(listing, -1)
      listing.state = 'unlisted'
      // Pregame news is not waited for any more.
      listing.isFollowing = false
      if (listing.slot < 0) return
      const pool = movable[listing.event.isLive ? 1 : 0]
      const last = pool.pop()
      if (last && last !== listing) {
        pool[listing.slot] = last
        last.slot = listing.slot
      }
      listing.slot = -1
    },
    isSilent: (listing, at) => books[listing.bookAt]!.silentUntil > at,
    frozenUntil({ bookAt, event }) {
      const book = books[bookAt]!
      return event.isLive ? book.frozenLiveUntil : book.frozenUntil
    },
    pickMovable() {
      const [before, live] = movable
      const liveShare = Math.min(0.5, (liveActivity * live.length) / (live.length + before.length))
      if (live.length > 0 && random.chance(liveShare)) return random.pick(live)
      return before.length === 0 ? undefined : random.pick(before)
    },
  }
  return floor
}

/** Returns the selections that the pushing sportsbooks offer on a game: the cost of news about it. */
export function pushedSize({ listingsOf }: Floor, game: Game): number {
  let size = 0
  for (const listing of listingsOf.get(game) ?? []) {
    if (listing.book.delivery === 'push') size += countSelections(listing)
  }
  return size
}
