/**
 * The board's events and who offers them: finds the one event a listing belongs to, or makes it,
 * and settles what the sportsbooks disagree about (sides, start, in play) by what most of them say.
 * Similarity of names and times is judged in `rules/matching.ts`; ids are made in `rules/event-id.ts`.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type {
  EventStatus,
  EventStatusRecord,
  FeedEvent,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import { hashIdentity, type IdentityHash, offerText } from '../../../schemas/ids.ts'
import { memoise } from '../../../schemas/memoise.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { invariant } from '../../invariant.ts'
import { createEventId, teamSlug } from '../../rules/event-id.ts'
import { expiryMs } from '../../rules/freshness.ts'
import { type Candidate, findMatch, hasDoubleheaders } from '../../rules/matching.ts'
import type { Sides } from '../../rules/selections.ts'

/** One sportsbook on one event. */
export interface Offer {
  readonly event: EventEntry
  readonly sportsbook: string
  externalId: string | null
  listing: string
  /** The listings, of other ids, whose place the present one has, the newest last. */
  formerListings: readonly string[]
  /** When its prices were last observed (epoch ms); -Infinity until they are. */
  lastSeenAt: number
  /** When the sportsbook last said what state the game is in (epoch ms); -Infinity for never. */
  statedAt: number
  startsAt: number
  isLive: boolean
  /** What state the sportsbook says the game is in, in so many words; null for none that counts. */
  statedStatus: EventStatus | null
  /** The sportsbook gives the sides the other way round than the event's frame. */
  swapped: boolean
  /** The first of its rows in the price table, or -1. */
  head: number
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

/** Whose a record is. */
export interface Located {
  readonly offer: Offer
  /** How this record gives the sides; differs from `offer.swapped` when they were corrected. */
  readonly swapped: boolean
  /** The sportsbook has put a listing of another id in place of the one it had. */
  readonly renumbered: boolean
}

/** A statement of one sportsbook about one event. */
export type Statement = OddsRecord | EventStatusRecord

export interface EventBook {
  all(): Iterable<EventEntry>
  /**
   * The offer a statement is about. A listing of no known game makes a new event; one that now
   * names another game is retired from the game it was.
   * Null (and counted) for a statement that does not count: of a listing that is not the present one
   * of its game, and older than what the sportsbook last said, or offering nothing, or said while
   * the present one stands.
   */
  locate(statement: Statement): Located | null
  /**
   * The event's row after its offers changed; null when it stays as it is.
   * @param playBegins a sportsbook has begun to offer prices in play
   */
  settle(event: EventEntry, updatedAt: number, playBegins: boolean): EventRow | null
  offer(eventId: string, sportsbook: string): Offer
  remove(event: EventEntry): void
  restoreEvent(id: string, row: EventRow | null): void
  restoreSighting(sighting: Sighting | null): void
}

export const noRow = -1

/** So many listings whose place another has are remembered of one offer. */
const formerListingsMax = 8

/** When the sportsbook last said anything of the event. */
export const lastWordAt = ({ lastSeenAt, statedAt }: Offer) => Math.max(lastSeenAt, statedAt)

/** What is known of one league. */
interface LeagueBook {
  /** Candidates for a match. */
  readonly events: EventEntry[]
  /** By sportsbook, then by listing: a sportsbook's ids are its own, league by league. */
  readonly listed: Map<string, Map<string, Offer>>
}

/**
 * @param retire called with an offer whose listing the sportsbook has given to another game, before
 * the listing is taken from it
 */
export function createEventBook(
  count: (code: string) => void,
  retire: (offer: Offer, at: number) => void,
): EventBook {
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

  function create({ observedAt, event: stated }: Statement): EventEntry {
    const { league: leagueId, sport, startsAt } = stated
    const league = leagueById(leagueId)
    const home = findTeam(stated.homeTeam, leagueId)
    const away = findTeam(stated.awayTeam, leagueId)
    if (!league) count('unmapped_league')
    if (league && !(home && away)) count('unmapped_team')
    const us = league?.us ?? false
    const id = createEventId(
      {
        leagueId,
        clock: league?.clock ?? 'utc',
        home: teamSlug(stated.homeTeam, us, home),
        away: teamSlug(stated.awayTeam, us, away),
        startsAt,
      },
      (taken) => events.has(taken),
    )
    const homeTeam = home?.name ?? stated.homeTeam
    const awayTeam = away?.name ?? stated.awayTeam
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

  function enlist(event: EventEntry, { sportsbook, event: stated }: Statement, swapped: boolean) {
    const { externalId, startsAt, isLive } = stated
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
      startsAt,
      isLive,
      statedStatus: null,
      swapped,
      head: noRow,
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

  function match({ sportsbook, event: stated }: Statement, candidates: readonly EventEntry[]) {
    const { homeTeam: home, awayTeam: away, startsAt, externalId, sport, league } = stated
    const listing = {
      home,
      away,
      startsAt,
      sportsbook,
      ...(externalId !== null && { externalId }),
    }
    return findMatch(listing, candidates, { sport, league, resolveTeam: resolveTeamOf(league) })
  }

  /** A listing that is not known. */
  function locateNew(statement: Statement): Located | null {
    const found = match(statement, candidatesFor(statement))
    if (!found) return located(enlist(create(statement), statement, false), false)
    const { candidate, swapped } = found
    const before = candidate.offers.get(statement.sportsbook)
    if (before) return relist(before, statement, swapped)
    return located(enlist(candidate, statement, swapped), swapped)
  }

  /** Where the same sides play twice a day, a second id beside one that stands is the second game. */
  function candidatesFor({ sportsbook, observedAt, event: stated }: Statement) {
    const { events: all } = leagueOf(stated)
    const { externalId, sport } = stated
    if (externalId === null || !hasDoubleheaders(sport)) return all
    return all.filter(({ offers }) => {
      const offer = offers.get(sportsbook)
      if (!offer || offer.externalId === null || offer.externalId === externalId) return true
      return offer.formerListings.includes(externalId) || !stands(offer, observedAt)
    })
  }

  /** The sportsbook calls a game that it has on offer by another id, or gives it another start. */
  function relist(offer: Offer, statement: Statement, swapped: boolean): Located | null {
    const { observedAt, event: stated } = statement
    if (observedAt < lastWordAt(offer)) return leaveOut('stale_observation')
    // Nothing under another name says nothing of what there is under the present one.
    if (offersNothing(statement)) return leaveOut('empty_relisting')
    const { externalId, homeTeam, awayTeam } = stated
    const listing = listingOf(stated)
    const hasIds = offer.externalId !== null && externalId !== null
    const renumbered = hasIds && offer.externalId !== externalId
    if (renumbered && offer.formerListings.includes(listing) && stands(offer, observedAt)) {
      // It goes on offering the game under several ids: each would withdraw the others' rows.
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
    return { offer, swapped, renumbered }
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
        return located(known, known.swapped)
      }
      const isNewest = observedAt >= lastWordAt(known)
      const found = match(statement, [known.event])
      if (found) {
        if (isNewest) {
          known.home = stated.homeTeam
          known.away = stated.awayTeam
        }
        return located(known, found.swapped)
      }
      if (!isNewest) return leaveOut('stale_observation')
      retire(known, observedAt)
      strike(known)
      return locateNew(statement)
    },

    settle(event, updatedAt, playBegins) {
      const { row, offers, frameHome, frameAway } = event
      // Who offers nothing any more has no say, unless nobody offers anything.
      const offering = [...offers.values()].filter(({ head }) => head !== noRow)
      const voters = offering.length > 0 ? offering : [...offers.values()]
      let swapped = 0
      for (const offer of voters) if (offer.swapped) swapped++
      let isLive = false
      for (const { isLive: saysLive, statedStatus, head } of offers.values()) {
        isLive ||=
          statedStatus === 'live' || (saysLive && (head !== noRow || offering.length === 0))
      }
      const straight = voters.length - swapped
      const flipped = swapped === straight ? row.flipped : swapped > straight
      const startsAt = usualStart(row, voters)
      // Final and cancelled stand until a sportsbook says otherwise; a new start ends a postponement,
      // and so does play.
      const derived =
        row.status === 'upcoming' ||
        row.status === 'live' ||
        (row.status === 'postponed' && (startsAt > row.startsAt || playBegins))
      const status = derived ? (isLive ? 'live' : 'upcoming') : row.status
      if (row.flipped === flipped && row.startsAt === startsAt && row.status === status) return null
      event.startsAt = startsAt
      return {
        ...row,
        homeTeam: flipped ? frameAway : frameHome,
        awayTeam: flipped ? frameHome : frameAway,
        flipped,
        startsAt,
        status,
        isLive: status === 'live',
        updatedAt,
      }
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
      if (others.length > 0) return
      leagues.get(league)?.delete(sport)
      if (leagues.get(league)?.size === 0) leagues.delete(league)
    },

    restoreEvent(id, row) {
      if (!row) return
      const { homeTeam, awayTeam, flipped } = row
      add(row, {
        frameHome: flipped ? awayTeam : homeTeam,
        frameAway: flipped ? homeTeam : awayTeam,
      })
      invariant(events.get(id)?.row === row, `event ${id} is restored once`)
    },

    restoreSighting(sighting) {
      if (!sighting) return
      const { eventId: id, sportsbook, externalId, listing, lastSeenAt, startsAt } = sighting
      const { isLive, swapped, formerListings, statedStatus } = sighting
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
        lastSeenAt: sighting.hasGivenPrices ? lastSeenAt : Number.NEGATIVE_INFINITY,
        statedAt: sighting.statedAt ?? Number.NEGATIVE_INFINITY,
        startsAt,
        isLive,
        swapped,
        head,
        statedStatus,
        home: sighting.homeTeam,
        away: sighting.awayTeam,
      })
    },
  }
}

function located(offer: Offer, swapped: boolean): Located {
  return { offer, swapped, renumbered: false }
}

/** Whether an offer has rows that have not expired. */
const stands = ({ head, isLive, lastSeenAt }: Offer, at: number) =>
  head !== noRow && at - lastSeenAt <= expiryMs(isLive)

/** Whether a statement of prices names none that is to be had, or was. */
const offersNothing = (statement: Statement) =>
  statement.type === 'odds' &&
  statement.markets.every(({ selections }) => selections.every(({ removed }) => removed))

/** One function per league: matching remembers what it has asked one function. */
const resolveTeamOf = memoise(
  (league) => (name: string) => {
    const team = findTeam(name, league)
    return team && { key: team.id, name: team.name }
  },
  512,
)

/** Which game a sportsbook means: by its id or, without one, by what it says of it. */
function listingOf({ externalId, homeTeam, awayTeam, startsAt }: FeedEvent): string {
  return externalId ?? `${homeTeam}|${awayTeam}|${startsAt}`
}

/** The start most sportsbooks give; between equals the one the event has, then the earliest. */
function usualStart(row: EventRow, voters: readonly Offer[]): number {
  const votes = new Map<number, number>()
  let most = 0
  for (const { startsAt } of voters) {
    const count = (votes.get(startsAt) ?? 0) + 1
    votes.set(startsAt, count)
    if (count > most) most = count
  }
  if (votes.get(row.startsAt) === most) return row.startsAt
  let earliest = Number.POSITIVE_INFINITY
  for (const [startsAt, count] of votes) {
    if (count === most && startsAt < earliest) earliest = startsAt
  }
  return earliest
}
