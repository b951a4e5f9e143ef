/**
 * A game's life on the boards: each sportsbook lists it, changes it to in-play, observes it again
 * from time to time, and removes it at the end.
 */
import { minute } from './calendar.ts'
import { type Floor, second } from './floor.ts'
import type { Game } from './game.ts'
import {
  allMarkets,
  createListing,
  type Listing,
  marketOf,
  openFamilies,
  setLive,
} from './listing.ts'
import type { News } from './news.ts'
import { trait } from './random.ts'

/** @param depth multiplies the rungs of every ladder before the game */
export function createListings(floor: Floor, news: News, depth: number) {
  const { random, agenda, rate, counts, pricer } = floor

  /** Returns the coverage; minor leagues are on fewer boards. */
  const coverageOf = (coverage: number, { league }: Game) =>
    league.isMajor ? coverage : coverage - (1 - coverage) * 0.9

  function offersLive({ book, game }: Listing) {
    return book.hasLive && trait(`${book.id}|${game.number}`, 21) < 0.85
  }

  /** Decides which markets it has at this stage; they have no prices yet. */
  function offer(listing: Listing, isLive: boolean) {
    setLive(listing, isLive)
    openFamilies(listing, isLive, depth, random)
  }

  function list(listing: Listing, at: number) {
    const { stage } = listing.game
    if (stage === 'final' || stage === 'postponed') return
    const isLive = stage === 'live'
    if (isLive && !offersLive(listing)) {
      listing.state = 'gone'
      return
    }
    if (listing.event.isLive !== isLive) offer(listing, isLive)
    const version = news.heardBy(listing, at)
    for (const family of listing.families) pricer.reprice(listing, family, version, at, null)
    if (!isLive) news.lean(listing, at)
    floor.enter(listing)
    if (listing.book.delivery === 'push') news.followNext(listing, at)
    floor.say(listing, 'snapshot', allMarkets(listing), at)
    if (isLive) floor.sayStatus(listing, 'live', at)
    if (listing.isObserved) return
    listing.isObserved = true
    agenda.add(at + random.next() * periodOf(listing), { do: 'observe', listing })
  }

  /** Returns the time until the book is observed again if nothing changes. */
  function periodOf({ book, event }: Listing): number {
    if (book.delivery === 'push') return event.isLive ? 15 * second : 100 * second
    const selections = event.isLive ? counts.polledLive * 2 : counts.polled
    const stretched = (selections / rate) * second
    return event.isLive
      ? Math.min(20 * second, Math.max(book.pollMs, stretched))
      : Math.min(200 * second, Math.max(4 * book.pollMs, stretched))
  }

  function poll(listing: Listing, at: number) {
    const isFrozen = floor.frozenUntil(listing) > at
    if (listing.state === 'open' && !isFrozen) news.movePolled(listing, at)
    floor.say(listing, 'snapshot', allMarkets(listing), at)
  }

  return {
    list,
    /** Lists the game at the sportsbooks that will have it. */
    add(game: Game, at: number, delayMs: number | null): Listing[] {
      const listings: Listing[] = []
      for (const book of floor.books) {
        const { id, coverage } = book.profile
        if (trait(`${id}|${game.number}`, floor.seed) >= coverageOf(coverage, game)) continue
        const listing = createListing(game, book.profile, book.at)
        offer(listing, game.stage === 'live')
        listings.push(listing)
        // For a later game, sportsbooks list it one after the other.
        const delay = delayMs ?? random.between(0, 5 * minute)
        agenda.add(at + delay, { do: 'list', listing })
      }
      return listings
    },
    flip(listing: Listing, at: number) {
      if (listing.game.stage !== 'live' || listing.event.isLive) return
      if (listing.state === 'unlisted' || listing.state === 'gone') return
      floor.leave(listing)
      if (offersLive(listing)) {
        list(listing, at)
        return
      }
      floor.say(listing, 'snapshot', [], at)
      floor.sayStatus(listing, 'live', at)
      listing.state = 'gone'
    },
    /** Removes it, because the game is over or called off. */
    close(listing: Listing, at: number) {
      const isListed = listing.state !== 'gone' && listing.state !== 'unlisted'
      floor.leave(listing)
      listing.state = 'gone'
      if (!isListed) return
      floor.say(listing, 'snapshot', [], at)
      floor.sayStatus(listing, listing.game.stage === 'postponed' ? 'postponed' : 'final', at)
    },
    /** Observes it, and plans the next observation. */
    observe(listing: Listing, at: number) {
      if (listing.state === 'gone' || listing.state === 'unlisted') return
      if (at < floor.hurryUntil) {
        agenda.add(floor.hurryUntil + random.next() * minute, { do: 'observe', listing })
        return
      }
      const period = periodOf(listing)
      if (listing.state === 'withdrawn') {
        agenda.add(at + 5 * second, { do: 'observe', listing })
        return
      }
      if (listing.book.delivery === 'poll') {
        poll(listing, at)
      } else if (listing.wantsSnapshot || at - listing.snapshotAt > 8 * period) {
        floor.say(listing, 'snapshot', allMarkets(listing), at)
        listing.wantsSnapshot = false
      } else if (at - listing.observedAt >= period / 2) {
        const again = listing.families.find(({ isWithdrawn }) => !isWithdrawn)
        if (again) {
          const isSuspended = listing.state === 'suspended' || again.isSuspended
          floor.say(listing, 'delta', [marketOf(listing, again, 0, isSuspended)], at)
        }
      }
      agenda.add(at + period * random.between(0.8, 1.2), { do: 'observe', listing })
    },
    /** Observes a polled listing out of turn. */
    glance(listing: Listing, at: number) {
      if (at >= floor.hurryUntil && listing.state === 'open') poll(listing, at)
    },
  }
}
