/** Words for a page whose link is healthy, and whose prices or games are old all the same. */

import type { Sportsbook } from '../../wire.ts'
import { ageText } from './time.ts'

/** When something that is polled was read last, and how often it is. */
export interface Reading {
  /** Epoch ms; 0 if it has not been read. */
  readonly at: number
  readonly everyMs: number
}

/** The sportsbooks of a page, with the times of their newest prices. */
export interface ReadPrices {
  readonly sportsbooks: readonly Sportsbook[]
  readonly ofSportsbooks: Reading
  /** Time that the prices had reached when the sportsbooks were read (epoch ms): earlier by the delay of the tier. */
  readonly upTo: number
}

/** Age beyond which prices are called old although the link is healthy. */
const oldPricesMs = 60_000
/** Polls that may be missed before what they read is called old. */
const missedPolls = 3
/** Time that a slow answer may take. */
const slowMs = 3_000

const isOld = ({ at, everyMs }: Reading, now: number) =>
  at > 0 && now - at > everyMs * missedPolls + slowMs

/**
 * Returns why a page with a healthy link is not live; null if it is.
 * @param games when the games were read, whose state decides which prices count
 */
export function silenceOf(
  { sportsbooks, ofSportsbooks, upTo }: ReadPrices,
  games: readonly Reading[],
  now: number,
): string | null {
  const priced = sportsbooks.filter(({ last_update }) => last_update !== null)
  if (priced.length === 0) return 'no prices yet'
  const old = games.find((one) => isOld(one, now))
  if (old) return `games not read for ${ageText(now - old.at)}`
  if (isOld(ofSportsbooks, now))
    return `sportsbooks not read for ${ageText(now - ofSportsbooks.at)}`
  if (priced.every(({ status }) => status !== 'active')) return 'all sources down'
  const newest = Math.max(...priced.map(({ last_update }) => Date.parse(last_update!)))
  return upTo - newest > oldPricesMs ? `no new prices for ${ageText(upTo - newest)}` : null
}
