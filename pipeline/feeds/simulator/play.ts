/**
 * A game from its start to its end: the reports on it, and how sportsbooks stop betting on a score.
 */
import type { FeedMarket } from '../../../schemas/feed-record.ts'
import { minute } from './calendar.ts'
import { type Floor, second } from './floor.ts'
import { type Game, playOn } from './game.ts'
import { gameStateOf, type Report, reportOn } from './game-reports.ts'
import { allMarkets, countSelections, type Listing } from './listing.ts'
import type { News } from './news.ts'

const calledOffBefore = 2 * 60 * minute

export function createPlay(floor: Floor, news: News) {
  const { random, agenda, rate, counts } = floor
  const listingsOf = (game: Game) => floor.listingsOf.get(game) ?? []

  /**
   * Returns the interval; longer than in reality if the budget is too small for every move at every
   * book.
   */
  function period() {
    const followed = 0.6 * (counts.live - counts.polledLive)
    return Math.min(180 * second, Math.max(3 * second, (followed / (0.3 * rate)) * second))
  }

  function planPlay(game: Game, at: number) {
    agenda.add(at, { do: 'play', game })
    agenda.add(at + 5 * second, { do: 'state', game })
  }

  /** The last report, for sportsbooks that are late. */
  const reports = new WeakMap<Game, Report>()

  function tell(game: Game, at: number) {
    const report = reportOn(game, at)
    if (!report) return
    const before = reports.get(game)
    reports.set(game, report)
    for (const listing of listingsOf(game)) {
      if (floor.isSilent(listing, at)) continue
      const record = gameStateOf(listing, report, before, at)
      if (record) floor.sayOther(record)
    }
  }

  function end(game: Game, at: number) {
    playOn(game, at)
    game.stage = 'final'
    if (at >= floor.hurryUntil) tell(game, at)
    for (const listing of listingsOf(game)) {
      agenda.add(at + random.between(0.5, 20) * second, { do: 'close', listing })
    }
    agenda.add(at + 15 * minute, { do: 'remove', game })
  }

  function haltOnScore(game: Game, at: number) {
    // A score costs hundreds of changes: at a small rate only some of the books take part.
    let affordable = Math.max(30, rate * 10)
    for (const listing of listingsOf(game)) {
      if (listing.state !== 'open' || !listing.event.isLive || affordable < 0) continue
      const isFrozen = floor.frozenUntil(listing) > at
      if (floor.isSilent(listing, at) || isFrozen || random.chance(0.1)) continue
      affordable -= 2 * countSelections(listing)
      if (random.chance(listing.book.withdrawsOnScore)) {
        listing.state = 'withdrawn'
        floor.say(listing, 'snapshot', [], at)
        agenda.add(at + random.between(30, 90) * second, { do: 'reopen', listing })
      } else {
        listing.state = 'suspended'
        floor.say(listing, 'delta', allMarkets(listing), at)
        floor.charge(countSelections(listing))
        agenda.add(at + random.between(8, 30) * second, { do: 'reopen', listing })
      }
    }
  }

  return {
    /** Plans the game: now when it has begun, else its start. */
    plan(game: Game, at: number) {
      if (game.startsAt <= at) {
        game.stage = 'live'
        // Played until a minute ago, so that every book has the news.
        playOn(game, Math.max(game.startsAt, at - minute))
        planPlay(game, at + random.next() * minute)
      } else if (game.isPostponed) {
        const calledOffAt = Math.max(at + minute, game.startsAt - calledOffBefore)
        agenda.add(calledOffAt, { do: 'postpone', game })
      } else {
        // No game starts exactly on time.
        agenda.add(game.startsAt + random.between(0, 90) * second, { do: 'start', game })
      }
    },
    start(game: Game, at: number) {
      game.stage = 'live'
      for (const listing of listingsOf(game)) {
        agenda.add(at + random.between(0.2, 20) * second, { do: 'flip', listing })
      }
      planPlay(game, at + period() * random.between(0.3, 1))
    },
    playOn(game: Game, at: number) {
      if (at >= game.endsAt) {
        end(game, at)
        return
      }
      const hasScored = playOn(game, at)
      if (hasScored && game.league.model.suspendsOnScore) haltOnScore(game, at)
      news.spread(game, at)
      // Moves that exceeded the credit are paid for before play goes on.
      const debtMs = (Math.max(0, -floor.credit) / rate) * second
      const next = at + period() * random.between(0.7, 1.3) + debtMs
      agenda.add(Math.min(next, Math.max(at + 1, game.endsAt)), { do: 'play', game })
    },
    /** Reports the score, and plans the next report. */
    tellScore(game: Game, at: number) {
      if (game.stage !== 'live') return
      const { hurryUntil } = floor
      if (at < hurryUntil) {
        agenda.add(hurryUntil + random.next() * 8 * second, { do: 'state', game })
        return
      }
      tell(game, at)
      agenda.add(at + 8 * second, { do: 'state', game })
    },
    postpone(game: Game, at: number) {
      game.stage = 'postponed'
      for (const listing of listingsOf(game)) {
        agenda.add(at + random.between(0.5, 240) * second, { do: 'close', listing })
      }
      agenda.add(at + 15 * minute, { do: 'remove', game })
    },
    /** Reopens betting after a score. */
    reopen(listing: Listing, at: number) {
      const { state } = listing
      if (state !== 'suspended' && state !== 'withdrawn') return
      listing.state = 'open'
      const version = news.heardBy(listing, at)
      const stated: FeedMarket[] = []
      for (const family of listing.families) {
        floor.pricer.reprice(listing, family, version, at, stated)
      }
      if (state === 'withdrawn') {
        floor.say(listing, 'snapshot', allMarkets(listing), at)
      } else {
        const gone = stated.filter(({ selections }) => selections[0]?.removed)
        const markets = [...gone, ...allMarkets(listing)]
        floor.say(listing, 'delta', markets, at)
        floor.charge(markets.reduce((sum, { selections }) => sum + selections.length, 0))
      }
      if (listing.book.delivery === 'push') news.followNext(listing, at)
    },
  }
}
