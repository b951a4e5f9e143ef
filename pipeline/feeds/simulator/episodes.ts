/**
 * Incidents at sportsbooks and markets besides play and news: outages, stale prices, typing errors,
 * pauses, withdrawn markets.
 */
import { minute } from './calendar.ts'
import { type BookState, type Episode, episodeNames, type Floor, second } from './floor.ts'
import { type Family, fatFinger, type Listing, marketOf, removalOf } from './listing.ts'
import type { News } from './news.ts'
import { createSplits } from './splits.ts'

/** The range of seconds between two episodes of a kind. */
const spacing: Readonly<Record<Episode, readonly [number, number]>> = {
  outage: [420, 1500],
  stale: [240, 600],
  typo: [500, 1500],
  pause: [15, 60],
  pull: [40, 180],
  splits: [1, 2],
}

export function createEpisodes(floor: Floor, news: News) {
  const { random, agenda, books } = floor
  const saySplits = createSplits(floor)

  const marketsOf = (listing: Listing, family: Family) =>
    family.lines.map((_, rung) => marketOf(listing, family, rung, family.isSuspended))

  function sayFamily(listing: Listing, family: Family, at: number) {
    floor.say(listing, 'delta', marketsOf(listing, family), at)
    floor.charge(family.rungs * family.sides.length)
  }

  function befallBook(episode: 'outage' | 'stale', at: number) {
    const book = random.pick(books)
    const isBusy = book.silentUntil > at || book.frozenUntil > at
    if (isBusy || (book.at === 0 && books.length > 1)) return
    if (episode === 'outage') {
      book.silentUntil = at + random.between(20, 180) * second
      floor.sayBook(book, 'down', at)
      agenda.add(book.silentUntil, { do: 'recover', book })
    } else if (random.chance(0.7)) {
      book.frozenUntil = at + random.between(2, 6) * minute
      book.frozenLiveUntil = at + random.between(3, 8) * second
    } else {
      book.silentUntil = at + random.between(1.5, 4) * minute
    }
  }

  function befallFamily(episode: 'typo' | 'pause' | 'pull', at: number) {
    const listing = floor.pickMovable()
    if (listing?.state !== 'open' || floor.isSilent(listing, at)) return
    const family = random.pick(listing.families)
    if (family.isSuspended || family.isWithdrawn) return
    if (episode === 'typo') {
      const side = random.below(family.sides.length)
      floor.say(listing, 'delta', [fatFinger(listing, family, 0, side, at)], at)
      floor.charge(1)
      family.version = -1
      news.follow(listing, at + random.between(5, 40) * second)
      return
    }
    const isPause = episode === 'pause'
    if (isPause) {
      family.isSuspended = true
      sayFamily(listing, family, at)
    } else {
      family.isWithdrawn = true
      const removals = family.lines.map((line) => removalOf(listing, family, line))
      floor.say(listing, 'delta', removals, at)
    }
    const length = isPause ? random.between(15, 120) : random.between(30, 300)
    agenda.add(at + length * second, { do: 'resume', listing, family })
  }

  return {
    /** Plans the first of each kind. */
    plan(at: number) {
      for (const episode of episodeNames) {
        const [from, to] = spacing[episode]
        agenda.add(at + random.between(from / 2, to) * second, { do: episode })
      }
    },
    befall(episode: Episode, at: number) {
      const [from, to] = spacing[episode]
      agenda.add(at + random.between(from, to) * second, { do: episode })
      if (episode === 'outage' || episode === 'stale') befallBook(episode, at)
      else if (episode === 'splits') saySplits(at)
      else befallFamily(episode, at)
    },
    /** Offers a family again that was paused or withdrawn. */
    resume(listing: Listing, family: Family, at: number) {
      if (!listing.families.includes(family) || listing.state === 'gone') return
      if (listing.state !== 'open' || floor.isSilent(listing, at)) {
        agenda.add(at + 10 * second, { do: 'resume', listing, family })
        return
      }
      const wasSuspended = family.isSuspended
      family.isSuspended = false
      family.isWithdrawn = false
      if (wasSuspended) sayFamily(listing, family, at)
      else floor.say(listing, 'delta', marketsOf(listing, family), at)
      news.follow(listing, at)
    },
    recover(book: BookState, at: number) {
      floor.sayBook(book, 'up', at)
      for (const listings of floor.listingsOf.values()) {
        for (const listing of listings) {
          if (listing.bookAt === book.at) listing.wantsSnapshot = true
        }
      }
    },
  }
}
