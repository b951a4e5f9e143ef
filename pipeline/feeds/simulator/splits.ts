/**
 * Shares of bets and money before a game, as two sportsbooks publish them for each of their games every five minutes.
 * The shares depend only on the game, the sportsbook and the time, and drift over hours. So they
 * use none of the market's random numbers.
 */
import type { SplitsRecord } from '../../../schemas/feed-record.ts'
import { snapshotEveryMs } from '../../../schemas/splits.ts'
import type { Floor } from './floor.ts'
import type { Listing } from './listing.ts'
import { trait } from './random.ts'

const sourceBooks: ReadonlySet<string> = new Set(['draftkings', 'betmgm'])

/** @returns a function that publishes the splits that were not published in the last five minutes */
export function createSplits(floor: Floor) {
  const { seed, games, listingsOf } = floor
  const saidIn = new WeakMap<Listing, number>()

  function sayIfDue(listing: Listing, at: number) {
    const { game, book, state, event } = listing
    if (state !== 'open' || event.isLive || floor.isSilent(listing, at)) return
    const name = `${seed}|${game.number}|${book.id}`
    // Spread over time.
    const slot = Math.floor(at / snapshotEveryMs + trait(name, 1))
    if (saidIn.get(listing) === slot) return
    saidIn.set(listing, slot)
    floor.sayOther(splitsOf(listing, name, at))
  }

  return (at: number) => {
    if (at < floor.hurryUntil) return
    for (const game of games) {
      for (const listing of listingsOf.get(game) ?? []) {
        if (sourceBooks.has(listing.book.id)) sayIfDue(listing, at)
      }
    }
  }
}

/** @param name names game and sportsbook: the seed of the shares */
function splitsOf(listing: Listing, name: string, at: number): SplitsRecord {
  const { book, event, families, isSwapped } = listing
  const main = (kind: string) => {
    const family = families.find((other) => other.kind === kind && other.share === 1)
    return family && !family.isWithdrawn ? family : undefined
  }
  const twoWay = main('two_way')
  const price = (side: number) => {
    const step = twoWay?.steps[((twoWay.rungs - 1) >> 1) * twoWay.sides.length + side]
    return step === undefined ? null : book.grid.prices[step]!
  }
  // Most bettors back the same side, even if the sportsbook has the sides swapped.
  const shares = (market: string) => sharesAt(`${name}|${market}`, at, isSwapped)
  const spread = main('spread')
  const total = main('total')
  return {
    type: 'splits',
    sportsbook: book.id,
    observedAt: at - book.latencyMs,
    event,
    moneyline: twoWay ? { ...shares('moneyline'), awayPrice: price(1), homePrice: price(0) } : null,
    spread: spread
      ? { ...shares('spread'), awayLine: 0 - spread.center, homeLine: spread.center }
      : null,
    total: total ? { ...sharesAt(`${name}|total`, at, false), line: total.center } : null,
  }
}

const driftMs = 8 * 3_600_000

function sharesAt(name: string, at: number, isTurned: boolean) {
  const wave = (salt: number) => Math.sin(2 * Math.PI * (at / driftMs + trait(name, salt)))
  const bets = 0.28 + 0.44 * trait(name, 2) + 0.06 * wave(3)
  const handle = bets + 0.2 * (trait(name, 4) - 0.5) + 0.05 * wave(5)
  return { bets: pairOf(bets, isTurned), handle: pairOf(handle, isTurned) }
}

/** Returns a pair in whole percent. */
function pairOf(share: number, isTurned: boolean): readonly [number, number] {
  const percent = Math.round(100 * share)
  const [first, second] = isTurned ? [100 - percent, percent] : [percent, 100 - percent]
  return [first / 100, second / 100]
}
