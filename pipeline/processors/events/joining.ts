/**
 * Listings whose names leave a doubt about their event. A match that prices prove is kept as an
 * alias and used from then on. If the doubt remains, they stay two events.
 *
 * A listing is joined to another event if all of this holds:
 * - the names may be the same but need not be (`rules/names/doubts.ts`), in one league and one
 *   minute;
 * - no other event can be meant: no third event near that time has a side that may be one of
 *   theirs, and no sportsbook lists both;
 * - the prices of the main lines agree: several lines, several readings, or several games in a row
 *   on different days (a game whose prices also fit another one of its minute does not count);
 * - neither the operator nor prices have shown that the names are two sides.
 *
 * A learnt alias is withdrawn, and not learnt again, if prices contradict it, or its two names play
 * in two games at one time. The operator's decision wins.
 */

import { type AliasName, type AliasRow, aliasName, noEvidence } from '../../../schemas/alias.ts'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import {
  areTwoGames,
  type Doubt,
  findDoubt,
  mayBeTeam,
  mayShareSide,
} from '../../rules/names/doubts.ts'
import {
  createSides,
  type NamedGame,
  readGame,
  readSides,
  type SideOptions,
} from '../../rules/names/game-sides.ts'
import type { Match } from '../../rules/names/matching.ts'
import type { Verdict } from '../../rules/names/parsed-name.ts'
import {
  isContradicted,
  isEnough,
  type PriceAgreement,
  readingsApartMs,
} from '../../rules/names/price-agreement.ts'
import { windowOf } from '../../rules/names/start-times.ts'
import { compareTeamNames, nameKindOf } from '../../rules/names/team-names.ts'
import type { Aliases } from './aliases.ts'
import type { Joining, Listed } from './event-book.ts'
import { type EventEntry, isListed, type Offer } from './offer.ts'

/** Starts that differ by less count as the same minute. */
const minuteMs = 60_000

/**
 * The most games of a league in one minute whose names are compared, and the doubts remembered.
 * Without a limit, costs grow with the square (4,000 games in one minute took 460 MB). A league has
 * a hundred or two.
 */
export const mostAtOnce = 500

export interface JoiningOptions {
  readonly aliases: Aliases
  /** Compares the prices of a statement with an event's. */
  weigh(record: OddsRecord, event: EventEntry, swapped: boolean): PriceAgreement
  count(code: string): void
}

export function createJoining({ aliases, weigh, count }: JoiningOptions): Joining {
  /**
   * The doubt whether two events are one, by event pair. Cached for as long as both exist, because their names do not
   * change.
   */
  const doubts = new WeakMap<EventEntry, WeakMap<EventEntry, Doubt | null>>()

  function doubtBetween(one: EventEntry, other: EventEntry, options: SideOptions): Doubt | null {
    let known = doubts.get(one)
    if (!known) {
      known = new WeakMap()
      doubts.set(one, known)
    }
    let doubt = known.get(other)
    if (doubt === undefined) {
      doubt = findDoubt(one, other, options)
      known.set(other, doubt)
    }
    return doubt
  }

  /**
   * Marks the name pairs of a game that may be either of two others: nothing is learnt from it,
   * even if one of them came later.
   */
  function spoil({ startsAt }: Listed, own: EventEntry | null, doubts: readonly InDoubt[]) {
    const events = doubts.map(([event]) => event)
    for (const { row: event, offers } of own ? [own, ...events] : events)
      for (const { sportsbook, home, away } of offers.values())
        for (const name of [home, away]) {
          const row = aliases.find(event.league, sportsbook, name)
          if (row?.state !== 'watched' || row.evenings === 0 || row.startsAt === null) continue
          if (Math.abs(row.startsAt - startsAt) < minuteMs) aliases.write({ ...row, evenings: 0 })
        }
  }

  /**
   * Returns the events of the statement's minute whose names may be the statement's. Returns none
   * if more than `mostAtOnce` are listed: then they stay two.
   */
  function doubtsAtOnce(
    listed: Listed,
    own: EventEntry | null,
    all: readonly EventEntry[],
  ): readonly InDoubt[] {
    const { options, startsAt } = listed
    const doubts: InDoubt[] = []
    const others: EventEntry[] = []
    for (const other of all) {
      if (other === own || !isAtOnce(other, startsAt) || !isListed(other)) continue
      if (others.push(other) > mostAtOnce) return []
    }
    for (const other of others) {
      const doubt = own ? doubtBetween(own, other, options) : findDoubt(listed, other, options)
      if (doubt && !contradictsSpelling(listed, other)) doubts.push([other, doubt])
    }
    return doubts
  }

  /** Returns whether a third event may have a side of either game, or a sportsbook lists both. */
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
    const windowMs = windowOf(options)
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
   * Returns whether `one` of two events keeps its offers: the one that more sportsbooks list; in a
   * tie, watched pairs decide.
   */
  function isFirst(one: EventEntry, other: EventEntry, { sport }: SideOptions): boolean {
    const more = listedCount(one) - listedCount(other)
    if (more !== 0) return more > 0
    const { league } = one.row
    for (const { sportsbook, home, away } of one.offers.values())
      for (const name of [home, away]) {
        const row = learntOf(league, sportsbook, name)
        if (row && [other.home, other.away].some((side) => areOneTeam(row.team, side, sport)))
          return false
      }
    return true
  }

  /**
   * Returns whether the prices of a statement also agree with another game of that minute. Then
   * they are weak evidence.
   */
  function fitAnother(
    record: OddsRecord,
    { startsAt }: Listed,
    own: EventEntry | null,
    other: EventEntry,
    all: readonly EventEntry[],
  ): boolean {
    for (const third of all) {
      if (third === own || third === other || !isAtOnce(third, startsAt) || !isListed(third))
        continue
      if (weigh(record, third, false).agreeing + weigh(record, third, true).agreeing > 0)
        return true
    }
    return false
  }

  /** Adds a reading of prices to the evidence for the sides. @returns whether it suffices */
  function learn(
    record: OddsRecord,
    listed: Listed,
    own: EventEntry | null,
    [other, doubt]: InDoubt,
    all: readonly EventEntry[],
  ): boolean {
    const { league, sportsbook, options } = listed
    const names = (['home', 'away'] as const)
      .filter((side) => doubt[side])
      .map((side) => ({
        ...{ league, sportsbook, spelling: listed[side] },
        team: other[doubt.swapped === (side === 'home') ? 'away' : 'home'],
      }))
    const isForbidden = names.some(({ spelling, team }) =>
      sidesSpelt(other, team).some((name) =>
        aliases.areForbidden(league, { sportsbook, name: spelling }, name),
      ),
    )
    if (isForbidden) return false
    const pairs = names.map((name) => pairOf(name, other, options))
    if (pairs.some(({ known }) => known !== undefined && known.state !== 'watched')) return false
    const agreement = weigh(record, other, doubt.swapped)
    if (isContradicted(agreement)) {
      for (const { name, known } of pairs) if (known) aliases.remove(name, false)
      return false
    }
    const { agreeing, disagreeing, compared } = agreement
    const at = record.observedAt
    if (agreeing === 0 || disagreeing > 0) {
      if (compared > 0) for (const pair of pairs) breakOff(pair, other, listed.startsAt, at)
      return false
    }
    const isAnother = () => fitAnother(record, listed, own, other, all)
    const read = pairs.map((pair) => readAgain(pair, other, listed.startsAt, at, isAnother))
    const fewest = (of: 'readings' | 'evenings') => Math.min(...read.map((row) => row[of]))
    const agreed = { agreeing, readings: fewest('readings'), evenings: fewest('evenings') }
    const isLearnt =
      isEnough(agreed, doubt.isPartlyNamed) && pairs.every(({ isReversed }) => !isReversed)
    for (const [i, row] of read.entries()) {
      if (isLearnt) aliases.write({ ...row, state: 'learnt', updatedAt: at })
      else if (row !== pairs[i]?.known) aliases.write(row)
    }
    if (isLearnt) count('learnt_alias')
    return isLearnt
  }

  function learntOf(league: string, sportsbook: string, spelling: string): AliasRow | undefined {
    const row = aliases.find(league, sportsbook, spelling)
    return row?.state === 'ambiguous' ? undefined : row
  }

  /** Returns the alias of two names that may be one, whichever of them is the spelling. */
  function pairOf(name: AliasName, other: EventEntry, { sport }: SideOptions): Pair {
    const { league, sportsbook, spelling, team } = name
    const known = learntOf(league, sportsbook, spelling)
    if (known && (known.state !== 'watched' || areOneTeam(known.team, team, sport)))
      return { name, known, isReversed: false }
    for (const spelt of sidesSpelt(other, team)) {
      const row = learntOf(league, spelt.sportsbook, spelt.name)
      if (row && areOneTeam(row.team, spelling, sport))
        return { name: row, known: row, isReversed: true }
    }
    return { name, known: undefined, isReversed: false }
  }

  /** Restarts the count of games in a row: earlier prices agreed by chance, as these disagree. */
  function breakOff({ name, known }: Pair, other: EventEntry, startsAt: number, at: number) {
    if (!known || known.evenings === 0 || isOfEvening(known, other, startsAt)) return
    const { spelling, team } = name
    const anew = { evenings: 0, readings: 0, eventId: other.id, startsAt, updatedAt: at }
    aliases.write({ ...known, spelling, team, ...anew })
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

    findByPrices(record, listed, own, all, doubtful): Match<EventEntry> | null {
      const isWeighed = record.mode === 'snapshot' && !record.event.isLive
      if (!isWeighed && !doubtful) return null
      const doubts = doubtsAtOnce(listed, own, all)
      for (const [other, { isNamesake }] of doubts) if (isNamesake) doubtful?.add(other)
      const [only] = doubts
      if (!isWeighed || !only) return null
      const [other, doubt] = only
      if (own && doubts.length === 1 && !isFirst(other, own, listed.options)) return null
      const isAlone =
        doubts.length === 1 &&
        doubtsAtOnce(listed, other, all).every(([third]) => third === own) &&
        !hasRival(listed, own, other, all)
      if (!isAlone) {
        spoil(listed, own, doubts)
        return null
      }
      if (!learn(record, listed, own, only, all)) return null
      return { candidate: other, swapped: doubt.swapped }
    },

    leaveAlone(listed, own, doubtful, at) {
      const { league, sportsbook } = listed
      const events = [...doubtful].sort((a, b) => (a.id < b.id ? -1 : 1))
      const sides = (['home', 'away'] as const)
        .map((side) => ({ spelling: listed[side], teams: teamsLike(listed, side, events) }))
        .filter(({ teams }) => teams.length > 0)
      const differing = sides.filter(({ spelling, teams }) =>
        teams.some((team) => aliasName(team) !== aliasName(spelling)),
      )
      // Even two games of the same names have one row.
      for (const { spelling, teams } of differing.length > 0 ? differing : sides.slice(0, 1)) {
        const known = aliases.find(league, sportsbook, spelling)
        if (known && known.state !== 'ambiguous') continue
        aliases.write({
          ...{ league, sportsbook, spelling, team: teams[0] as string },
          ...{ state: 'ambiguous', revision: '', ...noEvidence },
          ...{ teams, eventIds: events.map(({ id }) => id), eventId: own.id },
          createdAt: known?.createdAt ?? at,
          updatedAt: at,
        })
      }
      count('ambiguous_listing')
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

      /** Returns whether the offer's side plays there only by aliases, and plays elsewhere too. */
      function isAlone({ event }: Offer, others: readonly EventEntry[]): boolean {
        for (const one of event.offers.values()) {
          const by = { ...listed, sportsbook: one.sportsbook }
          if (one.listing !== '' && !isLearnt(by, one.home) && !isLearnt(by, one.away)) return false
        }
        return playsElsewhere(listed, event, event, others)
      }
    },

    isUnsettled(listed, event, other) {
      const { league, sportsbook, home, away, options } = listed
      const learnt = [home, away]
        .map((name) => aliases.find(league, sportsbook, name))
        .filter((row) => row?.state === 'learnt' && row.eventId === event.id)
      if (learnt.length === 0) return false
      const isOther = createSides(event, options)(other).weaker === 0
      if (!mayBeOneGame(isOther ? listed : event, other, options)) return false
      if (!isOther && mayBeOneGame(listed, other, options)) return false
      for (const row of learnt) if (row) aliases.remove(row, false)
      return true
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

/** An event that a listing may belong to, with the doubt. */
type InDoubt = readonly [EventEntry, Doubt]

/** Two names that may be one, and their learnt row. */
interface Pair {
  readonly name: AliasName
  readonly known: AliasRow | undefined
  /**
   * Whether the other spelling is the watched one: this listing adds evidence to it, but is not
   * watched itself.
   */
  readonly isReversed: boolean
}

/** Games of one pair whose starts are closer than this count as one evening. */
const eveningMs = 12 * 60 * minuteMs

/** Returns whether a row is of the game that starts then, even if the start has moved. */
const isOfGame = ({ eventId, startsAt }: AliasRow, other: EventEntry, at: number) =>
  eventId === other.id || (startsAt !== null && Math.abs(startsAt - at) < minuteMs)

const isOfEvening = (row: AliasRow, other: EventEntry, startsAt: number) =>
  isOfGame(row, other, startsAt) ||
  (row.startsAt !== null && Math.abs(row.startsAt - startsAt) < eveningMs)

/**
 * Returns the row of a pair after another reading that agrees; the same row if it adds nothing.
 * @param fitAnother whether the prices also fit another game, so that the evening does not count
 */
function readAgain(
  { name, known }: Pair,
  other: EventEntry,
  startsAt: number,
  at: number,
  fitAnother: () => boolean,
): AliasRow {
  const { league, sportsbook, spelling, team } = name
  const { readings, evenings, createdAt } = known ?? { ...noEvidence, createdAt: at }
  const isSameGame = known !== undefined && isOfGame(known, other, startsAt)
  if (known && isSameGame && at - known.updatedAt < readingsApartMs) return known
  const isCounted = known !== undefined && isOfEvening(known, other, startsAt) && known.evenings > 0
  return {
    ...{ league, sportsbook, spelling, team, state: 'watched', revision: '', ...noEvidence },
    readings: (isSameGame ? readings : 0) + 1,
    evenings: isCounted || fitAnother() ? evenings : evenings + 1,
    eventId: other.id,
    startsAt,
    createdAt,
    updatedAt: at,
  }
}

const areOneTeam = (one: string, other: string, sport: string) =>
  aliasName(one) === aliasName(other) ||
  likelyVerdicts.has(compareTeamNames(one, other, nameKindOf(sport)))

const likelyVerdicts = new Set<Verdict>(['same', 'likely'])

/** Returns whether two games are or may be one by their names. */
const mayBeOneGame = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  createSides(one, options)(other).weaker > 0 || findDoubt(one, other, options) !== null

/** Returns whether another sportsbook's names of an event contradict a listing. */
function contradictsSpelling(listed: Listed, event: EventEntry): boolean {
  for (const offer of event.offers.values())
    if (offer.listing !== '' && offer.sportsbook !== listed.sportsbook)
      if (!mayBeOneGame(listed, offer, listed.options)) return true
  return false
}

/** Returns whether a side of a game plays in another at one time. */
function playsElsewhere(
  { startsAt, options }: Listed,
  game: NamedGame,
  own: EventEntry | null,
  all: readonly EventEntry[],
): boolean {
  const windowMs = windowOf(options)
  return all.some(
    (event) =>
      event !== own &&
      Math.abs(event.startsAt - startsAt) <= windowMs &&
      isListed(event) &&
      areTwoGames(game, event, options),
  )
}

/** Returns the teams, as spelled by their events, that a side of a listing may be. */
function teamsLike(
  listed: Listed,
  side: 'home' | 'away',
  events: readonly EventEntry[],
): readonly string[] {
  const own = readGame(listed.home, listed.away, listed.options)[side]
  const teams = new Set<string>()
  for (const event of events) {
    const { home, away } = readSides(event, listed.options)
    if (mayBeTeam(own, home)) teams.add(event.home)
    if (mayBeTeam(own, away)) teams.add(event.away)
  }
  return [...teams]
}

const isAtOnce = (event: EventEntry, startsAt: number) =>
  Math.abs(event.startsAt - startsAt) < minuteMs

const isListedBy = (event: EventEntry | null, sportsbook: string) =>
  (event?.offers.get(sportsbook)?.listing ?? '') !== ''

function listedCount(event: EventEntry): number {
  let count = 0
  for (const { listing } of event.offers.values()) if (listing !== '') count++
  return count
}

/** Returns the spellings of an event's side with their sportsbooks; its own if nobody lists it. */
function sidesSpelt(event: EventEntry, side: string) {
  const isHome = side === event.home
  const names: { sportsbook: string; name: string }[] = []
  for (const { sportsbook, listing, swapped, home, away } of event.offers.values())
    if (listing !== '') names.push({ sportsbook, name: swapped === isHome ? away : home })
  return names.length > 0 ? names : [{ sportsbook: '', name: side }]
}
