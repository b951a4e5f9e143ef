/**
 * Listings whose names leave a doubt which event they are of: what prices teach is kept as an alias and
 * used from then on. When in doubt they stay two.
 *
 * A listing is taken to be of another event when all of this holds:
 * - the names leave a doubt and do not contradict (`rules/doubts.ts`), in one league at one minute;
 * - each is the only one that the other can be: no third event near that time has a side that may be
 *   one of theirs, and no sportsbook lists both;
 * - the prices of the main lines agree, over several of them or several readings;
 * - nobody has said or found out that the names are two.
 *
 * An alias that was learnt is withdrawn, and not learnt again, when prices contradict it, or when its
 * two names play in two games at one time. What the operator said stands.
 */

import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { areTwoGames, type Doubt, findDoubt, mayShareSide } from '../../rules/doubts.ts'
import type { NamedGame, SideOptions } from '../../rules/game-sides.ts'
import { type Match, windowOf } from '../../rules/matching.ts'
import {
  isContradicted,
  isEnough,
  type PriceAgreement,
  readingsApartMs,
} from '../../rules/price-agreement.ts'
import type { Aliases } from './aliases.ts'
import type { EventEntry, Joining, Listed, Offer } from './event-book.ts'

/** Starts that differ by less are one minute. */
const minuteMs = 60_000

export interface JoiningOptions {
  readonly aliases: Aliases
  /** What the prices of a statement say about an event. */
  weigh(record: OddsRecord, event: EventEntry, swapped: boolean): PriceAgreement
  count(code: string): void
}

export function createJoining({ aliases, weigh, count }: JoiningOptions): Joining {
  /** The doubt whether two events are one, asked once: the names that they are compared by stay. */
  const asked = new WeakMap<EventEntry, WeakMap<EventEntry, Doubt | null>>()

  function doubtBetween(one: EventEntry, other: EventEntry, options: SideOptions): Doubt | null {
    let known = asked.get(one)
    if (!known) {
      known = new WeakMap()
      asked.set(one, known)
    }
    let doubt = known.get(other)
    if (doubt === undefined) {
      doubt = findDoubt(one, other, options)
      known.set(other, doubt)
    }
    return doubt
  }

  /** The one event at the statement's minute that its names may be of. */
  function onlyDoubt(
    { startsAt }: Listed,
    all: Iterable<readonly [EventEntry, Doubt]>,
  ): readonly [EventEntry, Doubt] | null {
    let only: readonly [EventEntry, Doubt] | null = null
    for (const one of all) {
      if (!isAtOnce(one[0], startsAt) || !isListed(one[0])) continue
      if (only) return null
      only = one
    }
    return only
  }

  function* doubtsAtOnce(
    listed: Listed,
    own: EventEntry | null,
    all: readonly EventEntry[],
  ): Iterable<readonly [EventEntry, Doubt]> {
    const { options, startsAt } = listed
    for (const other of all) {
      if (other === own || !isAtOnce(other, startsAt)) continue
      const doubt = own ? doubtBetween(own, other, options) : findDoubt(listed, other, options)
      if (doubt) yield [other, doubt]
    }
  }

  /** Whether a third event may have a side of either game, or a sportsbook lists both. */
  function hasRival(
    listed: Listed,
    own: EventEntry | null,
    other: EventEntry,
    all: readonly EventEntry[],
  ): boolean {
    if (isListedBy(other, listed.sportsbook)) return true
    for (const sportsbook of own?.offers.keys() ?? [])
      if (isListedBy(own, sportsbook) && isListedBy(other, sportsbook)) return true
    const { options, startsAt } = listed
    const windowMs = windowOf(options.sport)
    return all.some(
      (third) =>
        third !== own &&
        third !== other &&
        Math.abs(third.startsAt - startsAt) <= windowMs &&
        isListed(third) &&
        (mayShareSide(third, listed, options) || mayShareSide(third, other, options)),
    )
  }

  /**
   * Of two events, offers go to the one that more sportsbooks list; between equals, those that are
   * watched already go.
   */
  function isFirst(one: EventEntry, other: EventEntry): boolean {
    const more = listedCount(one) - listedCount(other)
    if (more !== 0) return more > 0
    const { league } = one.row
    for (const { sportsbook, home, away } of one.offers.values())
      for (const name of [home, away])
        if (aliases.find(league, sportsbook, name)?.eventId === other.id) return false
    return true
  }

  /** Takes a reading of the prices into the aliases of the sides in doubt. @returns whether it is enough */
  function learn(record: OddsRecord, listed: Listed, other: EventEntry, doubt: Doubt): boolean {
    const { league, sportsbook } = listed
    const names = (['home', 'away'] as const)
      .filter((side) => doubt[side])
      .map((side) => ({
        ...{ league, sportsbook, spelling: listed[side] },
        team: other[doubt.swapped === (side === 'home') ? 'away' : 'home'],
      }))
    const known = names.map(({ spelling }) => aliases.find(league, sportsbook, spelling))
    if (known.some((row) => row !== undefined && row.state !== 'watched')) return false
    const isForbidden = names.some(({ spelling, team }) =>
      sidesSpelt(other, team).some((name) =>
        aliases.areForbidden(league, { sportsbook, name: spelling }, name),
      ),
    )
    if (isForbidden) return false
    const agreement = weigh(record, other, doubt.swapped)
    const { agreeing } = agreement
    if (isContradicted(agreement)) {
      for (const [at, name] of names.entries()) if (known[at]) aliases.remove(name, false)
      return false
    }
    if (agreeing === 0) return false
    const before = known[0]?.eventId === other.id ? known[0] : undefined
    const isNew = !before || record.observedAt - before.updatedAt >= readingsApartMs
    const readings = (before?.readings ?? 0) + Number(isNew)
    const isLearnt = isEnough(agreeing, readings, doubt.isPartlyNamed)
    if (!isLearnt && !isNew) return false
    for (const [at, name] of names.entries())
      aliases.write({
        ...name,
        state: isLearnt ? 'learnt' : 'watched',
        readings,
        eventId: other.id,
        createdAt: known[at]?.createdAt ?? record.observedAt,
        updatedAt: record.observedAt,
        revision: '',
      })
    if (isLearnt) count('learnt_alias')
    return isLearnt
  }

  function withdraw({ league, sportsbook }: Listed, spelling: string, at: number) {
    const row = aliases.find(league, sportsbook, spelling)
    if (row?.state !== 'learnt') return false
    aliases.write({ ...row, state: 'withdrawn', updatedAt: at })
    count('withdrawn_alias')
    return true
  }

  return {
    read(name, league, sportsbook) {
      return aliases.teamOf(league, sportsbook, name) ?? name
    },

    isForbidden({ league, sportsbook, home, away }, { candidate, swapped }) {
      if (!aliases.has(league)) return false
      const ours = swapped ? [away, home] : [home, away]
      return [candidate.home, candidate.away].some((side, at) =>
        sidesSpelt(candidate, side).some((name) =>
          aliases.areForbidden(league, { sportsbook, name: ours[at] as string }, name),
        ),
      )
    },

    removed: ({ row }) => aliases.forgetEvent(row),

    findByPrices(record, listed, own, all): Match<EventEntry> | null {
      if (record.mode !== 'snapshot' || record.event.isLive) return null
      const only = onlyDoubt(listed, doubtsAtOnce(listed, own, all))
      if (!only) return null
      const [other, doubt] = only
      if (own && !isFirst(other, own)) return null
      for (const [third] of doubtsAtOnce(listed, other, all))
        if (third !== own && isListed(third)) return null
      if (hasRival(listed, own, other, all)) return null
      if (!learn(record, listed, other, doubt)) return null
      return { candidate: other, swapped: doubt.swapped }
    },

    isDisproved(record, listed, offer, all) {
      const { league, home, away } = listed
      if (!aliases.has(league) || record.event.isLive) return false
      const learnt = [home, away].filter((name) => isLearnt(listed, name))
      if (learnt.length === 0) return false
      if (!isContradicted(weigh(record, offer.event, offer.swapped)) && !isAlone(offer, all))
        return false
      for (const name of learnt) withdraw(listed, name, record.observedAt)
      return true

      /** Whether only aliases say that the offer's side plays there, and it plays elsewhere too. */
      function isAlone({ event }: Offer, others: readonly EventEntry[]): boolean {
        for (const one of event.offers.values()) {
          const by = { ...listed, sportsbook: one.sportsbook }
          if (one.listing !== '' && !isLearnt(by, one.home) && !isLearnt(by, one.away)) return false
        }
        return playsElsewhere(listed, event, event, others)
      }
    },

    isContested(listed, called, found, all, at) {
      if (called.home === listed.home && called.away === listed.away) return false
      if (!playsElsewhere(listed, called, found, all)) return false
      const withdrawn = [listed.home, listed.away].filter((name) => withdraw(listed, name, at))
      return withdrawn.length > 0
    },
  }

  function isLearnt({ league, sportsbook }: Listed, name: string): boolean {
    return aliases.find(league, sportsbook, name)?.state === 'learnt'
  }
}

/** Whether a side of a game plays in another at one time. */
function playsElsewhere(
  { startsAt, options }: Listed,
  game: NamedGame,
  own: EventEntry | null,
  all: readonly EventEntry[],
): boolean {
  const windowMs = windowOf(options.sport)
  return all.some(
    (event) =>
      event !== own &&
      Math.abs(event.startsAt - startsAt) <= windowMs &&
      isListed(event) &&
      areTwoGames(game, event, options),
  )
}

const isAtOnce = (event: EventEntry, startsAt: number) =>
  Math.abs(event.startsAt - startsAt) < minuteMs

const isListedBy = (event: EventEntry | null, sportsbook: string) =>
  (event?.offers.get(sportsbook)?.listing ?? '') !== ''

function isListed(event: EventEntry): boolean {
  for (const { listing } of event.offers.values()) if (listing !== '') return true
  return false
}

function listedCount(event: EventEntry): number {
  let count = 0
  for (const { listing } of event.offers.values()) if (listing !== '') count++
  return count
}

/** How a side of an event is written, by whom; as the event has it where nobody lists it now. */
function sidesSpelt(event: EventEntry, side: string) {
  const isHome = side === event.home
  const names: { sportsbook: string; name: string }[] = []
  for (const { sportsbook, listing, swapped, home, away } of event.offers.values())
    if (listing !== '') names.push({ sportsbook, name: swapped === isHome ? away : home })
  return names.length > 0 ? names : [{ sportsbook: '', name: side }]
}
