/**
 * The events and their offers in memory. Finds the event of a listing, or creates it; removes a
 * listing from a wrong event. `rules/names/matching.ts` compares names and times, `joining.ts`
 * compares by aliases and prices, `rules/names/event-id.ts` makes ids, and `events.ts` decides what
 * a statement changes.
 */

import { type AliasOrder, aliasName, anySportsbook } from '../../../schemas/alias.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { invariant } from '../../invariant.ts'
import { createEventId, teamSlug } from '../../rules/names/event-id.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { findAllowedMatch, type Match } from '../../rules/names/matching.ts'
import { tidyName } from '../../rules/names/shown-names.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { hasDoubleheaders } from '../../rules/names/start-times.ts'
import { frameOf, type Sides } from '../../rules/odds/selections.ts'
import { sourceFault } from '../own-sources.ts'
import { betterFits, candidatesFor, displaces, noLongerListed } from './doubleheaders.ts'
import { findElsewhere } from './moved-listings.ts'
import {
  createOffer,
  type EventEntry,
  isLeading,
  isRespelt,
  listingOf,
  mayMove,
  type Offer,
  offersNothing,
  restoreOffer,
  type Statement,
  stands,
  viaOf,
} from './offer.ts'
import { leavingFor } from './short-names.ts'

/** The offer that a statement is about, and how it was found. */
export interface Located {
  readonly offer: Offer
  /** Whether the event was created for this statement. */
  readonly isNewEvent: boolean
  /** Whether home and away of the statement are exchanged, compared with the event's frame. */
  readonly swapped: boolean
  /** Whether the sportsbook replaced its listing by one with another id. */
  readonly renumbered: boolean
}

export interface EventBook {
  all(): Iterable<EventEntry>
  /**
   * Finds the offer that a statement is about. A listing of no known game makes a new event; a listing that now names
   * another game is removed from its former game. Returns null, and counts the code, for a statement that is ignored:
   * - Its listing is not the current one of its game. And it is older than the sportsbook's last
   *   statement, or has no prices and another id or start, or came while the current listing has
   *   prices.
   * - It names another game, but may not change the offer.
   */
  locate(statement: Statement): Located | null
  /** Returns the offer of a sportsbook on an event; both must be known. */
  offer(eventId: string, sportsbook: string): Offer
  /** Applies the operator's decision about an alias. Offers that now belong to another event lose their listing. */
  applyOrder(order: AliasOrder): void
  remove(event: EventEntry): void
  restoreEvent(id: string, row: EventRow): void
  restoreSighting(sighting: Sighting): void
}

/** A game as a sportsbook lists it, with the options to compare it. */
export interface Listed extends NamedGame {
  readonly league: string
  readonly sportsbook: string
  readonly startsAt: number
  readonly options: SideOptions
}

/** Evidence about listings besides their names; see `joining.ts`. */
export interface Joining {
  /** Returns the side that a spelling means: the spelling itself if no alias applies. */
  read(name: string, league: string, sportsbook: string): string
  /** Returns whether the operator has decided that a listing does not belong to the event found for it. */
  isForbidden(listed: Listed, match: Match<EventEntry>): boolean
  removed(event: EventEntry): void
  /**
   * Finds the event of a listing by its prices.
   * @param own its current event; null for none
   * @param doubtful receives other events that its names fit, because several teams have these
   * names
   */
  findByPrices(
    record: OddsRecord,
    listed: Listed,
    own: EventEntry | null,
    all: readonly EventEntry[],
    doubtful?: Set<EventEntry>,
  ): Match<EventEntry> | null
  /** Records that a listing got its own event because several others fit. */
  leaveAlone(listed: Listed, own: EventEntry, doubtful: ReadonlySet<EventEntry>, at: number): void
  /**
   * Returns whether an alias put a listing on a wrong event, as shown by its prices or the other
   * games of its side. If so, withdraws the alias.
   */
  isDisproved(record: OddsRecord, listed: Listed, offer: Offer, all: readonly EventEntry[]): boolean
  /**
   * Returns whether an alias that was learnt from one event's prices would not have been learnt if
   * the other event had existed. If so, forgets the alias.
   */
  isUnsettled(listed: Listed, event: EventEntry, other: EventEntry): boolean
  /**
   * Returns whether an alias would let a side of a new listing play two games at one time. If so,
   * withdraws the alias.
   * @param called the listing with its sides replaced by aliases
   */
  isContested(
    listed: Listed,
    called: NamedGame,
    found: EventEntry | null,
    all: readonly EventEntry[],
    at: number,
  ): boolean
}

/** The most former listings of an offer that are remembered. */
const formerListingsMax = 8

/** The events and listings of one league. */
interface LeagueBook {
  /** The candidates for a match. */
  readonly events: EventEntry[]
  /** Offers by sportsbook, then by listing: a sportsbook's ids are unique only within a league. */
  readonly listed: Map<string, Map<string, Offer>>
}

export interface EventBookOptions {
  readonly joining: Joining
  /** Writes the operator's order about an alias into its table. */
  readonly writeOrder: (order: AliasOrder) => void
  readonly count: (code: string) => void
  /**
   * Called with an offer whose prices no longer count: its listing belongs to another game and is removed next, or the
   * sportsbook no longer lists its start.
   * @param wasNever whether the listing never belonged to this game: its records were about another
   * one
   */
  readonly retire: (offer: Offer, at: number, wasNever: boolean) => void
}

export function createEventBook({
  joining,
  writeOrder,
  count,
  retire,
}: EventBookOptions): EventBook {
  const events = new Map<string, EventEntry>()
  /** Books by league, then sport: two sports may have an unlisted league with the same name. */
  const leagues = new Map<string, Map<string, LeagueBook>>()

  function leagueOf({ sport, league }: { sport: string; league: string }): LeagueBook {
    let bySport = leagues.get(league)
    if (!bySport) {
      bySport = new Map()
      leagues.set(league, bySport)
    }
    let book = bySport.get(sport)
    if (!book) {
      book = { events: [], listed: new Map() }
      bySport.set(sport, book)
    }
    return book
  }

  function add(row: EventRow, frame: Sides): EventEntry {
    const { frameHome, frameAway } = frame
    const event: EventEntry = {
      id: row.id,
      home: frameHome,
      away: frameAway,
      frameHome,
      frameAway,
      startsAt: row.startsAt,
      row,
      offers: new Map(),
      externalIds: new Map(),
    }
    events.set(row.id, event)
    leagueOf(row).events.push(event)
    return event
  }

  function create({ observedAt, event: stated }: Statement, called: NamedGame): EventEntry {
    const { league: leagueId, sport, startsAt } = stated
    const league = leagueById(leagueId)
    const home = findTeam(called.home, leagueId)
    const away = findTeam(called.away, leagueId)
    if (!league) count('unmapped_league')
    if (league && !(home && away)) count('unmapped_team')
    const us = league?.us ?? false
    const id = createEventId(
      {
        leagueId,
        clock: league?.clock ?? 'utc',
        home: teamSlug(called.home, us, home),
        away: teamSlug(called.away, us, away),
        startsAt,
      },
      (taken) => events.has(taken),
    )
    const homeTeam = home?.name ?? tidyName(called.home)
    const awayTeam = away?.name ?? tidyName(called.away)
    const row: EventRow = {
      id,
      sport,
      league: leagueId,
      leagueMapped: league !== undefined,
      homeTeam,
      awayTeam,
      flipped: false,
      startsAt,
      status: 'upcoming',
      isLive: false,
      updatedAt: observedAt,
    }
    return add(row, { frameHome: homeTeam, frameAway: awayTeam })
  }

  function enlist(event: EventEntry, statement: Statement, swapped: boolean) {
    const offer = createOffer(event, statement, swapped)
    link(offer)
    return offer
  }

  function link(offer: Offer) {
    const { event, sportsbook, externalId, listing } = offer
    event.offers.set(sportsbook, offer)
    if (externalId === null) event.externalIds.delete(sportsbook)
    else event.externalIds.set(sportsbook, externalId)
    if (listing === '') return
    const { listed } = leagueOf(event.row)
    const listings = listed.get(sportsbook)
    if (listings) listings.set(listing, offer)
    else listed.set(sportsbook, new Map([[listing, offer]]))
  }

  function unlink({ event, sportsbook, listing }: Offer) {
    leagueOf(event.row).listed.get(sportsbook)?.delete(listing)
  }

  /** Removes an offer's listing, and what the event stores about it. */
  function delist(offer: Offer) {
    unlink(offer)
    offer.event.externalIds.delete(offer.sportsbook)
    offer.listing = ''
    offer.externalId = null
    offer.formerListings = []
  }

  /** Returns the listing with its sides replaced by aliases. */
  const calledOf = ({ home, away, league, sportsbook }: Listed): NamedGame => ({
    home: joining.read(home, league, sportsbook),
    away: joining.read(away, league, sportsbook),
  })

  function match(
    listed: Listed,
    externalId: string | null,
    candidates: readonly EventEntry[],
    called = calledOf(listed),
    doubtful?: Set<EventEntry>,
  ): Match<EventEntry> | null {
    const { sportsbook, startsAt, league, options } = listed
    const { events: all } = leagueOf({ sport: options.sport, league })
    const { home, away } = called
    const of = { home, away, startsAt, sportsbook }
    const listing = externalId === null ? of : { ...of, externalId }
    const isForbidden = (found: Match<EventEntry>) => {
      const isForbidden = joining.isForbidden(listed, found)
      if (isForbidden) count('forbidden_match')
      return isForbidden
    }
    return findAllowedMatch(listing, candidates, options, isForbidden, doubtful, all)
  }

  /** Locates a listing that is not known. */
  function locateNew(statement: Statement): Located | null {
    const { event: stated, observedAt } = statement
    const { events: all } = leagueOf(stated)
    const listed = listedAs(statement)
    const called = calledOf(listed)
    const doubtful = new Set<EventEntry>()
    const candidates = candidatesFor(statement, all)
    let found = match(listed, stated.externalId, candidates, called, doubtful)
    // An alias was withdrawn, so the names are read differently now.
    if (joining.isContested(listed, called, found?.candidate ?? null, all, observedAt))
      return locateNew(statement)
    if (!found && statement.type === 'odds')
      found = joining.findByPrices(statement, listed, null, all, doubtful)
    if (!found) {
      suspendOtherStart(statement, null)
      const offer = enlist(create(statement, called), statement, false)
      if (doubtful.size > 0) joining.leaveAlone(listed, offer.event, doubtful, observedAt)
      partFrom(offer.event, observedAt)
      return { offer, isNewEvent: true, swapped: false, renumbered: false }
    }
    return takePlace(found, statement)
  }

  /** Removes listings from other events if they fit a new event too. */
  function partFrom(own: EventEntry, at: number) {
    const leaving = leavingFor(own, leagueOf(own.row).events, {
      isFound: (offer, among) =>
        match(listedOf(offer), offer.externalId, among)?.candidate.id === offer.event.id,
      isUnsettled: (offer, other) => joining.isUnsettled(listedOf(offer), offer.event, other),
    })
    for (const offer of leaving) giveUp(offer, at, { wasNever: true })
  }

  function giveUp(offer: Offer, at: number, { wasNever }: { readonly wasNever: boolean }) {
    retire(offer, at, wasNever)
    delist(offer)
  }

  /**
   * Returns whether prices show that a known listing belongs to another event. Checked once a
   * minute. The offer's prices show when it was last checked, so a restart changes nothing.
   */
  function isMisplaced(known: Offer, statement: Statement): boolean {
    if (statement.type !== 'odds') return false
    if (minuteOf(known.lastSeenAt) === minuteOf(statement.observedAt)) return false
    if (!mayMove(known, statement)) return false
    const { events: all } = leagueOf(statement.event)
    const listed = listedAs(statement)
    return (
      joining.findByPrices(statement, listed, known.event, all) !== null ||
      joining.isDisproved(statement, listed, known, all)
    )
  }

  /**
   * Returns another event that a known listing fits better than its own. Checked once a minute, like `isMisplaced`.
   */
  function findBetterFit(known: Offer, statement: Statement): Match<EventEntry> | null {
    if (statement.type !== 'odds' || !mayMove(known, statement)) return null
    if (minuteOf(known.lastSeenAt) === minuteOf(statement.observedAt)) return null
    const { events: all } = leagueOf(statement.event)
    const listed = listedAs(statement)
    const called = calledOf(listed)
    const find = (among: readonly EventEntry[]) =>
      match(listed, statement.event.externalId, among, called)
    const fits = betterFits(known, statement, all)
    const better = fits.length > 0 ? find(fits) : null
    if (better) return better
    const other = findElsewhere(known, statement, all, find)
    const at = statement.observedAt
    return other && joining.isContested(listed, called, other.candidate, all, at) ? null : other
  }

  /**
   * Puts a listing on its event, where the sportsbook may have one already, even of another game.
   */
  function takePlace(
    { candidate, swapped }: Match<EventEntry>,
    statement: Statement,
  ): Located | null {
    const event = events.get(candidate.id) as EventEntry
    const before = event.offers.get(statement.sportsbook)
    if (!before) {
      suspendOtherStart(statement, null)
      return located(enlist(event, statement, swapped), swapped)
    }
    if (displaces(statement, before)) giveUp(before, statement.observedAt, { wasNever: true })
    return relist(before, statement, swapped)
  }

  /**
   * Withdraws the prices that a sportsbook without ids has for another start of the same sides,
   * because that start may have moved. They count again if the sportsbook repeats them.
   * @param known the statement's listing, which is checked once a minute; null if it is new
   */
  function suspendOtherStart(statement: Statement, known: Offer | null) {
    const { sportsbook, observedAt, event } = statement
    if (event.externalId !== null || !hasDoubleheaders(event)) return
    if (known && minuteOf(known.lastSeenAt) === minuteOf(observedAt)) return
    const unlisted = noLongerListed(statement, known, leagueOf(event).events)
    const other = match(listedAs(statement), null, unlisted)?.candidate.offers.get(sportsbook)
    if (other) retire(other, observedAt, false)
  }

  /** Handles a new id or start of a game that the sportsbook already offers. */
  function relist(offer: Offer, statement: Statement, swapped: boolean): Located | null {
    const { observedAt, event: stated } = statement
    if (!mayMove(offer, statement)) {
      // Only prices and event statuses change the listing, and no older ones.
      return isLeading(statement) ? leaveOut('stale_observation') : located(offer, swapped)
    }
    const fault = sourceFault(offer, statement)
    if (fault !== null) return leaveOut(fault)
    // A status comes from the sportsbook itself: it does not change the listing and sides of
    // passed-on prices.
    if (statement.type === 'event_status' && offer.via !== null)
      return located(offer, offer.swapped)
    // A withdrawal under another id or start does not affect the prices of the current listing.
    if (offersNothing(statement) && !isRespelt(offer, stated)) return leaveOut('empty_relisting')
    const { externalId, homeTeam, awayTeam } = stated
    const listing = listingOf(stated)
    const hasIds = offer.externalId !== null && externalId !== null
    const renumbered = hasIds && offer.externalId !== externalId
    const isBySameSource = offer.via === viaOf(statement)
    const isFormer = offer.formerListings.includes(listing)
    if (renumbered && isBySameSource && isFormer && stands(offer, observedAt)) {
      // The sportsbook lists the game under several ids at once. Each would withdraw the rows of
      // the other.
      return leaveOut('duplicate_listing')
    }
    unlink(offer)
    if (renumbered) {
      const others = offer.formerListings.filter((former) => former !== listing)
      offer.formerListings = [...others, offer.listing].slice(-formerListingsMax)
    }
    offer.externalId = externalId
    offer.listing = listing
    offer.home = homeTeam
    offer.away = awayTeam
    link(offer)
    return { offer, isNewEvent: false, swapped, renumbered }
  }

  /**
   * Returns whether a listing would be matched with its event again. If it is the only listing of its event, it must
   * also match no other event.
   */
  function isInPlace(offer: Offer, all: readonly EventEntry[]): boolean {
    const { event, externalId } = offer
    const listed = listedOf(offer)
    if (!match(listed, externalId, [event])) return false
    const others = event.offers.size === 1 ? all.filter((one) => one !== event) : []
    return match(listed, externalId, others) === null
  }

  function leaveOut(code: string): null {
    count(code)
    return null
  }

  return {
    all: () => events.values(),

    locate(statement) {
      const { sportsbook, observedAt, event: stated } = statement
      const known = leagueOf(stated).listed.get(sportsbook)?.get(listingOf(stated))
      if (!known) return locateNew(statement)
      const isSpeltSo = known.home === stated.homeTeam && known.away === stated.awayTeam
      const found = isSpeltSo ? known : match(listedAs(statement), stated.externalId, [known.event])
      if (!found) {
        if (!mayMove(known, statement))
          return leaveOut(isLeading(statement) ? 'stale_observation' : 'listing_of_another_game')
        giveUp(known, observedAt, { wasNever: false })
        return locateNew(statement)
      }
      const better = findBetterFit(known, statement)
      if (better || (isSpeltSo && isMisplaced(known, statement))) {
        giveUp(known, observedAt, { wasNever: true })
        return better ? takePlace(better, statement) : locateNew(statement)
      }
      if (isSpeltSo) suspendOtherStart(statement, known)
      else if (mayMove(known, statement)) {
        known.home = stated.homeTeam
        known.away = stated.awayTeam
      }
      return located(known, found.swapped)
    },

    applyOrder(order) {
      writeOrder(order)
      const { league, observedAt } = order
      for (const { events: all } of leagues.get(league)?.values() ?? [])
        for (const event of all)
          for (const offer of event.offers.values())
            if (offer.listing !== '' && isSpelt(offer, order) && !isInPlace(offer, all))
              giveUp(offer, observedAt, { wasNever: true })
    },

    offer(id, sportsbook) {
      const offer = events.get(id)?.offers.get(sportsbook)
      invariant(offer, `a price of ${sportsbook} on ${id} has its sighting`)
      return offer
    },

    remove(event) {
      for (const offer of event.offers.values()) unlink(offer)
      events.delete(event.id)
      const { league, sport } = event.row
      const { events: others } = leagueOf(event.row)
      others.splice(others.indexOf(event), 1)
      joining.removed(event)
      if (others.length > 0) return
      leagues.get(league)?.delete(sport)
      if (leagues.get(league)?.size === 0) leagues.delete(league)
    },

    restoreEvent(id, row) {
      add(row, frameOf(row))
      invariant(events.get(id)?.row === row, `event ${id} is restored once`)
    },

    restoreSighting(sighting) {
      const { eventId: id, sportsbook } = sighting
      const event = events.get(id)
      invariant(event, `the sighting of ${id} by ${sportsbook} has its event`)
      link(restoreOffer(event, sighting))
    },
  }
}

const minuteOf = (at: number) => Math.floor(at / 60_000)

function located(offer: Offer, swapped: boolean): Located {
  return { offer, isNewEvent: false, swapped, renumbered: false }
}

const isSpelt = (offer: Offer, { sportsbook, spelling }: AliasOrder) =>
  (sportsbook === anySportsbook || sportsbook === offer.sportsbook) &&
  [offer.home, offer.away].some((name) => aliasName(name) === aliasName(spelling))

function listedOf({ event, sportsbook, home, away, startsAt }: Offer): Listed {
  const { league, sport } = event.row
  return { home, away, startsAt, sportsbook, league, options: sideOptionsOf(sport, league) }
}

function listedAs({ sportsbook, event: stated }: Statement): Listed {
  const { homeTeam: home, awayTeam: away, startsAt, sport, league } = stated
  return { home, away, startsAt, sportsbook, league, options: sideOptionsOf(sport, league) }
}
