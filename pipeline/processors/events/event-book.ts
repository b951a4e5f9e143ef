/**
 * The events and who offers them, in memory: finds the one event a listing belongs to, or makes it.
 * Similarity of names and times is judged in `rules/matching.ts`; ids are made in `rules/event-id.ts`;
 * what a statement changes is decided in `events.ts`.
 */

import { type AliasOrder, aliasName, anySportsbook } from '../../../schemas/alias.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type {
  EventStatus,
  EventStatusRecord,
  FeedEvent,
  GameStateRecord,
  OddsRecord,
  SplitsRecord,
} from '../../../schemas/feed-record.ts'
import { hashIdentity, type IdentityHash, offerText } from '../../../schemas/ids.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { invariant } from '../../invariant.ts'
import { isOver } from '../../rules/games/event-end.ts'
import { createEventId, teamSlug } from '../../rules/names/event-id.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import {
  type Candidate,
  findAllowedMatch,
  hasDoubleheaders,
  type Match,
} from '../../rules/names/matching.ts'
import { tidyName } from '../../rules/names/shown-names.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { expiryMs } from '../../rules/odds/freshness.ts'
import { frameOf, type Sides } from '../../rules/odds/selections.ts'

/** State of an offer that the table of closing lines keeps. */
export interface OfferCloses {
  /** The first of its entries, or -1. */
  first: number
  /** How many of them have no row in the table, and how many have one. */
  open: number
  written: number
  /** The start it has been captured for (epoch ms); NaN while it is not. */
  closedFor: number
  /** The latest capture that its rows tell of (epoch ms). */
  lastCapturedAt: number
  /** When the prices that it knows of were last observed (epoch ms). */
  seenAt: number
}

/**
 * One sportsbook on one event; `head`, `filedByDraw` and `begunIdentity` are the price table's, `closes` is
 * the closing lines'.
 */
export interface Offer {
  readonly event: EventEntry
  readonly sportsbook: string
  externalId: string | null
  listing: string
  /** Its former listings, under other ids, the newest last. */
  formerListings: readonly string[]
  /** When its prices were last observed (epoch ms); -Infinity until they are. */
  lastSeenAt: number
  /** When the sportsbook last reported the game's state (epoch ms); -Infinity for never. */
  statedAt: number
  /** When it last sent any other record (epoch ms); counts only while it has sent neither of the two. */
  heardAt: number
  startsAt: number
  isLive: boolean
  /** The status of the game that the sportsbook states; null for none that counts. */
  statedStatus: EventStatus | null
  /** It tells the score of a game that runs; kept by the table of games in play. */
  tellsPlay: boolean
  /** The sportsbook gives the sides the other way round than the event's frame. */
  swapped: boolean
  /** The first of its rows in the price table, or -1. */
  head: number
  /** How many of them are where they are because of a draw (`OddsRow.isFiledByDraw`). */
  filedByDraw: number
  readonly closes: OfferCloses
  /** The hash that the identities of its rows begin with. */
  readonly begunIdentity: IdentityHash
  /** The sides as last spelled by the sportsbook. */
  home: string
  away: string
}

/** One event, in the frame of its first sportsbook: the sides its rows are about. */
export interface EventEntry extends Sides, Candidate {
  row: EventRow
  startsAt: number
  readonly offers: Map<string, Offer>
  readonly externalIds: Map<string, string>
}

/** Which event and whose offer of it a statement is about. */
export interface Located {
  readonly offer: Offer
  /** The event was not known: it has been made for this statement. */
  readonly isNewEvent: boolean
  /** The statement gives the sides the other way round than the event's frame. */
  readonly swapped: boolean
  /** The sportsbook has put a listing of another id in place of the one it had. */
  readonly renumbered: boolean
}

/**
 * Prices and the state of the game, as one topic has them in order. They alone move what an offer
 * says of its event (listing, sides, start), because other topics are read in no order with theirs.
 */
export type LeadingStatement = OddsRecord | EventStatusRecord

/** A statement of one sportsbook about one event. */
export type Statement = LeadingStatement | GameStateRecord | SplitsRecord

export const isLeading = (statement: Statement): statement is LeadingStatement =>
  statement.type === 'odds' || statement.type === 'event_status'

export interface EventBook {
  all(): Iterable<EventEntry>
  /**
   * The offer a statement is about. A listing of no known game makes a new event; one that now names
   * another game is retired from the game it was. Null, and counted, for a statement that is left out.
   * Either its listing is not the present one of its game, and it is older than the sportsbook's last
   * word, offers nothing, or came while the present listing stands; or it may not move the offer and
   * names another game.
   */
  locate(statement: Statement): Located | null
  /** The offer of a sportsbook on an event that are both known. */
  offer(eventId: string, sportsbook: string): Offer
  /** Applies the operator's decision about an alias: offers that it moves are retired. */
  obey(order: AliasOrder): void
  remove(event: EventEntry): void
  restoreEvent(id: string, row: EventRow): void
  restoreSighting(sighting: Sighting): void
}

/** A game as a sportsbook lists it, and what it is compared by. */
export interface Listed extends NamedGame {
  readonly league: string
  readonly sportsbook: string
  readonly startsAt: number
  readonly options: SideOptions
}

/** Knowledge about listings beyond their names; kept by `joining.ts`. */
export interface Joining {
  /** The side that a spelling stands for; the spelling itself where no alias is in force. */
  read(name: string, league: string, sportsbook: string): string
  /** Whether the operator has ruled out that a listing is of the event found for it. */
  isForbidden(listed: Listed, match: Match<EventEntry>): boolean
  removed(event: EventEntry): void
  /**
   * The event that prices say a listing is of.
   * @param own the event it is of so far; null for none
   * @param doubtful takes the events that it may be of by names that several teams have
   */
  findByPrices(
    record: OddsRecord,
    listed: Listed,
    own: EventEntry | null,
    all: readonly EventEntry[],
    doubtful?: Set<EventEntry>,
  ): Match<EventEntry> | null
  /** Says that a listing is an event of its own because it may be of several others. */
  leaveAlone(listed: Listed, own: EventEntry, doubtful: ReadonlySet<EventEntry>, at: number): void
  /**
   * Whether a listing is not of the event that an alias made it of, by its prices or by the games that
   * its side plays; then the alias is withdrawn.
   */
  isDisproved(record: OddsRecord, listed: Listed, offer: Offer, all: readonly EventEntry[]): boolean
  /**
   * Whether a side of a new listing would play two games at one time by an alias; then it is withdrawn.
   * @param called the listing as aliases read it
   */
  isContested(
    listed: Listed,
    called: NamedGame,
    found: EventEntry | null,
    all: readonly EventEntry[],
    at: number,
  ): boolean
}

export const noRow = -1

const noCloses = (seenAt: number): OfferCloses => ({
  first: noRow,
  open: 0,
  written: 0,
  closedFor: Number.NaN,
  lastCapturedAt: Number.NEGATIVE_INFINITY,
  seenAt,
})

/** How many former listings of an offer are remembered. */
const formerListingsMax = 8

/** When the sportsbook last gave prices or reported the game's state. */
export const lastWordAt = ({ lastSeenAt, statedAt }: Offer) => Math.max(lastSeenAt, statedAt)

/**
 * Whether a statement may move the offer's listing, sides and start: one that leads, and is not older
 * than the last that did; any other only while none has led.
 */
export function mayMove(offer: Offer, statement: Statement): boolean {
  const leadAt = lastWordAt(offer)
  if (isLeading(statement)) return statement.observedAt >= leadAt
  return leadAt === Number.NEGATIVE_INFINITY && statement.observedAt >= offer.heardAt
}

/** The events and listings of one league. */
interface LeagueBook {
  /** Candidates for a match. */
  readonly events: EventEntry[]
  /** By sportsbook, then by listing: a sportsbook's ids are its own, league by league. */
  readonly listed: Map<string, Map<string, Offer>>
}

export interface EventBookOptions {
  readonly joining: Joining
  /** Writes what the operator says of an alias into its table. */
  readonly obey: (order: AliasOrder) => void
  readonly count: (code: string) => void
  /**
   * Called with an offer whose listing is of another game, before the listing is taken from it.
   * @param wasNever the listing was never of this game, so its records were of another
   */
  readonly retire: (offer: Offer, at: number, wasNever: boolean) => void
}

export function createEventBook({ joining, obey, count, retire }: EventBookOptions): EventBook {
  const events = new Map<string, EventEntry>()
  /** By league, then by sport: an unlisted name may be a league of two sports. */
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
    const { sportsbook, event: stated } = statement
    const { externalId, startsAt } = stated
    const listing = listingOf(stated)
    const offer: Offer = {
      event,
      sportsbook,
      begunIdentity: hashIdentity(offerText({ sportsbook, eventId: event.id })),
      externalId,
      listing,
      formerListings: [],
      lastSeenAt: Number.NEGATIVE_INFINITY,
      statedAt: Number.NEGATIVE_INFINITY,
      heardAt: Number.NEGATIVE_INFINITY,
      startsAt,
      isLive: isLeading(statement) && stated.isLive,
      statedStatus: null,
      tellsPlay: false,
      swapped,
      head: noRow,
      filedByDraw: 0,
      closes: noCloses(Number.NEGATIVE_INFINITY),
      home: stated.homeTeam,
      away: stated.awayTeam,
    }
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

  /** Takes from an offer its listing, and all that its event knows of it. */
  function strike(offer: Offer) {
    unlink(offer)
    offer.event.externalIds.delete(offer.sportsbook)
    offer.listing = ''
    offer.externalId = null
    offer.formerListings = []
  }

  /** The listing with its sides as aliases read them. */
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
    const { sportsbook, startsAt, options } = listed
    const { home, away } = called
    const of = { home, away, startsAt, sportsbook }
    const listing = externalId === null ? of : { ...of, externalId }
    const isForbidden = (found: Match<EventEntry>) => {
      const isForbidden = joining.isForbidden(listed, found)
      if (isForbidden) count('forbidden_match')
      return isForbidden
    }
    return findAllowedMatch(listing, candidates, options, isForbidden, doubtful)
  }

  /** A listing that is not known. */
  function locateNew(statement: Statement): Located | null {
    const { event: stated, observedAt, sportsbook } = statement
    const { events: all } = leagueOf(stated)
    const listed = listedAs(statement)
    const called = calledOf(listed)
    const doubtful = new Set<EventEntry>()
    let found = match(listed, stated.externalId, candidatesFor(statement), called, doubtful)
    // Without the alias it is called something else.
    if (joining.isContested(listed, called, found?.candidate ?? null, all, observedAt))
      return locateNew(statement)
    if (!found && statement.type === 'odds')
      found = joining.findByPrices(statement, listed, null, all, doubtful)
    if (!found) {
      const offer = enlist(create(statement, called), statement, false)
      if (doubtful.size > 0) joining.leaveAlone(listed, offer.event, doubtful, observedAt)
      return { offer, isNewEvent: true, swapped: false, renumbered: false }
    }
    const { candidate, swapped } = found
    const before = candidate.offers.get(sportsbook)
    if (before) return relist(before, statement, swapped)
    return located(enlist(candidate, statement, swapped), swapped)
  }

  function giveUp(offer: Offer, at: number, { wasNever }: { readonly wasNever: boolean }) {
    retire(offer, at, wasNever)
    strike(offer)
  }

  /**
   * Whether prices say that a known listing is of another event than it was found to be of. Looked at
   * once a minute, told by what is kept of the offer, so that a restart changes nothing.
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

  /** Where the same sides play twice a day, a second id beside one that stands is the second game. */
  function candidatesFor({ sportsbook, observedAt, event: stated }: Statement) {
    const { events: all } = leagueOf(stated)
    const { externalId, sport } = stated
    if (externalId === null || !hasDoubleheaders(sport)) return all
    return all.filter(({ offers }) => {
      const offer = offers.get(sportsbook)
      if (!offer || offer.externalId === null || offer.externalId === externalId) return true
      if (offer.formerListings.includes(externalId)) return true
      // The game that it has called over is not the one that it lists now.
      return !isOver(offer.statedStatus) && !stands(offer, observedAt)
    })
  }

  /** The sportsbook calls a game that it has on offer by another id, or gives it another start. */
  function relist(offer: Offer, statement: Statement, swapped: boolean): Located | null {
    const { observedAt, event: stated } = statement
    if (!mayMove(offer, statement)) {
      // The event is found all the same, and the offer keeps the listing of its prices and states.
      return isLeading(statement) ? leaveOut('stale_observation') : located(offer, swapped)
    }
    // An empty statement under another id says nothing of the prices under the present one.
    if (offersNothing(statement)) return leaveOut('empty_relisting')
    const { externalId, homeTeam, awayTeam } = stated
    const listing = listingOf(stated)
    const hasIds = offer.externalId !== null && externalId !== null
    const renumbered = hasIds && offer.externalId !== externalId
    if (renumbered && offer.formerListings.includes(listing) && stands(offer, observedAt)) {
      // The sportsbook offers the game under several ids at once: each would withdraw the rows of the
      // others.
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
   * Whether a listing would be found to be of its event again. One that stands alone is out of place too
   * where it would be found to be of another.
   */
  function isInPlace(offer: Offer, all: readonly EventEntry[]): boolean {
    const { event, sportsbook, externalId, home, away, startsAt } = offer
    const { league, sport } = event.row
    const options = sideOptionsOf(sport, league)
    const listed = { home, away, startsAt, sportsbook, league, options }
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
      if (known.home === stated.homeTeam && known.away === stated.awayTeam) {
        if (!isMisplaced(known, statement)) return located(known, known.swapped)
        giveUp(known, observedAt, { wasNever: true })
        return locateNew(statement)
      }
      const found = match(listedAs(statement), stated.externalId, [known.event])
      if (found) {
        if (mayMove(known, statement)) {
          known.home = stated.homeTeam
          known.away = stated.awayTeam
        }
        return located(known, found.swapped)
      }
      if (!mayMove(known, statement)) {
        return leaveOut(isLeading(statement) ? 'stale_observation' : 'listing_of_another_game')
      }
      giveUp(known, observedAt, { wasNever: false })
      return locateNew(statement)
    },

    obey(order) {
      obey(order)
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
      const { eventId: id, sportsbook, externalId, listing, lastSeenAt, startsAt } = sighting
      const { isLive, swapped, formerListings, statedAt, statedStatus, hasGivenPrices } = sighting
      const hasLed = hasGivenPrices || statedAt !== null
      const event = events.get(id)
      invariant(event, `the sighting of ${id} by ${sportsbook} has its event`)
      const head = noRow
      link({
        event,
        sportsbook,
        begunIdentity: hashIdentity(offerText({ sportsbook, eventId: id })),
        externalId,
        listing,
        formerListings,
        lastSeenAt: hasGivenPrices ? lastSeenAt : Number.NEGATIVE_INFINITY,
        statedAt: statedAt ?? Number.NEGATIVE_INFINITY,
        heardAt: hasLed ? Number.NEGATIVE_INFINITY : lastSeenAt,
        startsAt,
        isLive,
        swapped,
        head,
        filedByDraw: 0,
        closes: noCloses(hasGivenPrices ? lastSeenAt : Number.NEGATIVE_INFINITY),
        statedStatus,
        tellsPlay: false,
        home: sighting.homeTeam,
        away: sighting.awayTeam,
      })
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

/** Whether an offer has rows that have not expired. */
const stands = ({ head, isLive, lastSeenAt }: Offer, at: number) =>
  head !== noRow && at - lastSeenAt <= expiryMs(isLive)

/** Whether a statement of prices offers none: all that it names are withdrawn. */
export const offersNothing = (statement: Statement) =>
  statement.type === 'odds' &&
  statement.markets.every(({ selections }) => selections.every(({ removed }) => removed))

function listedAs({ sportsbook, event: stated }: Statement): Listed {
  const { homeTeam: home, awayTeam: away, startsAt, sport, league } = stated
  return { home, away, startsAt, sportsbook, league, options: sideOptionsOf(sport, league) }
}

/** Which game a sportsbook means: by its id or, without one, by what it says of it. */
function listingOf({ externalId, homeTeam, awayTeam, startsAt }: FeedEvent): string {
  return externalId ?? `${homeTeam}|${awayTeam}|${startsAt}`
}
