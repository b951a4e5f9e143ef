/**
 * Listings whose short names fit two games. A game may appear when a listing is already on another
 * game's event. The listing then leaves that event, and its next record finds an event again, so
 * that the order in which games are listed does not matter. Listings with the event's own names
 * stay; if these are the short ones, the others leave.
 */

import {
  createSides,
  mayBeOfOneName,
  mayShareName,
  type SideOptions,
} from '../../rules/names/game-sides.ts'
import { areNamedAlike } from '../../rules/names/matching.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { windowOf } from '../../rules/names/start-times.ts'
import type { EventEntry, Offer } from './offer.ts'

export interface ShortNamesOptions {
  /** Returns whether a listing would be matched with its present event among these events. */
  isFound(offer: Offer, among: readonly EventEntry[]): boolean
  /**
   * Returns whether only prices put an offer on its event, and the other could have had the same.
   */
  isUnsettled(offer: Offer, other: EventEntry): boolean
}

/** Returns the listings near a new event that would not be there if it had come first. */
export function leavingFor(
  own: EventEntry,
  all: readonly EventEntry[],
  { isFound, isUnsettled }: ShortNamesOptions,
): readonly Offer[] {
  const { sport, league } = own.row
  const options = sideOptionsOf(sport, league)
  const windowMs = windowOf(own.row)
  const sides = createSides(own, options)
  const leaving: Offer[] = []
  for (const event of all) {
    if (event === own || Math.abs(event.startsAt - own.startsAt) > windowMs) continue
    if (!mayShareName(event, own, options)) continue
    const isShort = mayBeOfOneName(event, own, options)
    for (const offer of event.offers.values()) {
      if (offer.listing === '' || !(isShort || mayBeOfOneName(offer, own, options))) continue
      if (isUnsettled(offer, own) || leaves(offer)) leaving.push(offer)
    }
  }
  return leaving

  function leaves(offer: Offer): boolean {
    const event = listedAlike(offer.event, options)
    if (event.offers.has(offer.sportsbook)) return false
    // A new event with the same names is a second game of the two, or a spelling split one game in
    // two.
    if (sides(event).weaker > 0 && sides(offer).weaker > 0) return false
    return isFound(offer, [event]) && !isFound(offer, [event, own])
  }
}

/** Returns an event with only the listings that use its names. */
function listedAlike(event: EventEntry, options: SideOptions): EventEntry {
  const offers = new Map<string, Offer>()
  const externalIds = new Map<string, string>()
  for (const [sportsbook, offer] of event.offers) {
    if (offer.listing === '' || !areNamedAlike(offer, event, options)) continue
    offers.set(sportsbook, offer)
    if (offer.externalId !== null) externalIds.set(sportsbook, offer.externalId)
  }
  return { ...event, offers, externalIds }
}
