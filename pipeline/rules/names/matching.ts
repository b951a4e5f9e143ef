/**
 * Finds the game that a sportsbook's listing belongs to.
 *
 * Teams, start and the sportsbook's own ids decide together; games are not sorted into time slots.
 * When in doubt there is no match: a game shown twice is a nuisance, but two games shown as one are
 * a false arbitrage. `team-names.ts` compares names, `game-sides.ts` the sides of two games;
 * `event-id.ts` makes the id of a game that matches nothing.
 */

import {
  areSameSides,
  createSides,
  type GameSides,
  likely,
  type NamedGame,
  readGame,
  readSides,
  related,
  type SideOptions,
  type Sides,
  same,
} from './game-sides.ts'
import { findElsewhere, findOthers, saysNoCountry } from './other-games.ts'
import {
  day,
  hasDoubleheaders,
  mayBeOneStart,
  minute,
  sameStartMs,
  tieMs,
  windowOf,
} from './start-times.ts'
import { nameKindOf } from './team-names.ts'

/** A game as one sportsbook lists it. */
export interface Listing {
  readonly home: string
  readonly away: string
  /** Epoch ms. */
  readonly startsAt: number
  readonly sportsbook: string
  /** The sportsbook's own id of the game. */
  readonly externalId?: string
}

/** A game we have. */
export interface Candidate {
  readonly id: string
  readonly home: string
  readonly away: string
  readonly startsAt: number
  /** The sportsbooks that list it, with their ids of it. */
  readonly externalIds: ReadonlyMap<string, string>
  /** The sides in each sportsbook's latest spelling, where known. */
  readonly offers?: ReadonlyMap<string, SpeltGame>
}

/** A game's sides as a sportsbook spells them; `listing` is '' if it no longer lists the game. */
interface SpeltGame extends NamedGame {
  readonly listing?: string
}

/** The options of reading sides; the sport also decides how far apart two games of the same sides are. */
export type MatchOptions = SideOptions

export interface Match<C extends Candidate> {
  readonly candidate: C
  /** Whether the listing has home and away swapped. */
  readonly swapped: boolean
}

/**
 * If a sportsbook lists a second id within this time, it is the same game again, not the second of
 * a doubleheader.
 */
const relistedMs = 10 * minute
const nearnessMs = 30 * minute

/** The most games of the same sides on a day: a higher number counts a series. */
const gamesOfDayMax = 2

/**
 * Returns the one of `candidates` that is the listing's game; null if none is, or several fit
 * equally.
 *
 * - The sportsbook's own id of a candidate wins over any start time (a postponed game keeps its event), unless the
 *   names contradict it.
 * - A candidate that this sportsbook already lists under another id and another start is another game: the second of
 *   a doubleheader. This also holds for the same start if the names are only alike, because a
 *   sportsbook does not list a game twice in two spellings.
 * - Both sides at least `likely`: the start may differ by the sport's window. If the same sides do
 *   not meet again for days, a start at midnight UTC may be only a date: it fits the whole day, in
 *   UTC and in America.
 * - One side only `possible` and the other the `same`: the start must be the same, and the sides in
 *   the same order. Two incomplete names may belong to other teams, hence the next rule.
 * - One side only `possible` and the opponent not the `same`, or one name part of the other and the
 *   opponent `likely`: the minute and the league must be the same, and no other game may have
 *   either side.
 * - A name fits clubs of two games, and no club could play both: neither matches, even if all else
 *   agrees.
 * - Several clubs have a name, and the other name says which club it is: no match, even if all else
 *   agrees.
 * - One side `different`: never a match. It suffices that one other sportsbook's names of the game
 *   differ, if these fit the game's names by their words: a short name may stand for two names that
 *   contradict each other.
 * - The order in which names came does not matter: taken as a listing, the game's names must match
 *   this listing too, and no other game.
 * - If one of the two states a number of the game of the day, games with another place in the day
 *   are ruled out (see `fitsNumber`), even at the same start; it makes no match by itself. In
 *   sports without doubleheaders, and from 3 up, it counts a playoff series: then two different
 *   numbers are two games, and a single one says nothing.
 * @param candidates the league's current games, in any order; the order does not matter
 * @param doubtful receives the games that cannot be told apart, if no game is found for that reason
 * @param all all games of the league, even if only some are candidates: a number of the day counts
 * them
 */
export function findMatch<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  options: MatchOptions,
  doubtful?: Set<C>,
  all: readonly Candidate[] = candidates,
): Match<C> | null {
  const sides = createSides(listing, options)
  const fits = (candidate: C) => fitsNumber(listing, candidate, all, options)
  const byId = findByExternalId(listing, candidates, sides, fits, options)
  if (byId) return byId
  const contrary = new Set<C>()
  for (let left = candidates; ; ) {
    const found = findByTeams(listing, left, sides, fits, options, { doubtful, contrary })
    // Players share only complete names, so only few games need to be checked. All games would be
    // too many.
    const asked = nameKindOf(options.sport) === 'person' ? [...contrary] : candidates
    const rivals = found ? rivalsOf(listing, found.candidate, asked, sides, options) : []
    if (!found || rivals.length === 0) return found
    for (const one of [found.candidate, ...rivals]) doubtful?.add(one)
    left = left.filter((one) => one !== found.candidate)
  }
}

/** Returns the same among the candidates that are not forbidden. */
export function findAllowedMatch<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  options: MatchOptions,
  isForbidden: (match: Match<C>) => boolean,
  doubtful?: Set<C>,
  all: readonly Candidate[] = candidates,
): Match<C> | null {
  const found = findMatch(listing, candidates, options, doubtful, all)
  if (found === null || !isForbidden(found)) return found
  const others = candidates.filter((candidate) => candidate !== found.candidate)
  return findAllowedMatch(listing, others, options, isForbidden, doubtful, all)
}

function findByExternalId<C extends Candidate>(
  { sportsbook, externalId }: Listing,
  candidates: readonly C[],
  sides: Sides,
  fits: (candidate: C) => boolean,
  options: MatchOptions,
): Match<C> | undefined {
  if (externalId === undefined) return undefined
  let found: Match<C> | undefined
  for (const candidate of candidates) {
    if (candidate.externalIds.get(sportsbook) !== externalId) continue
    const { weaker, swapped } = sides(candidate)
    if (weaker === 0 || !fits(candidate)) continue
    if (contradictsSpelling(candidate, sportsbook, sides, options)) continue
    if (found) return undefined
    found = { candidate, swapped }
  }
  return found
}

/** Other games that `findByTeams` comes across. */
interface Seen<C> {
  /** Receives the games that could not be told apart. */
  readonly doubtful: Set<C> | undefined
  /** Receives the games near the listing that contradict it, although they have something in common with it. */
  readonly contrary?: Set<C>
}

interface Scored<C> extends Match<C & Candidate> {
  /** Both sides at least likely. */
  readonly strong: boolean
  readonly score: number
  /** One side is only `possible`, or part of the other name, without other evidence. */
  readonly isUncertain: boolean
  readonly isShared: boolean
  readonly apartMs: number
}

function findByTeams<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  sides: Sides,
  fits: (candidate: C) => boolean,
  options: MatchOptions,
  { doubtful, contrary }: Seen<C>,
): Match<C> | null {
  const windowMs = windowOf(options)
  const found: Scored<C>[] = []
  for (const candidate of candidates) {
    if (!mayBeOneStart(options, candidate, listing)) continue
    const exactMs = Math.abs(candidate.startsAt - listing.startsAt)
    const apartMs = Math.min(exactMs, windowMs)
    if (apartMs > relistedMs && listsAnotherId(candidate, listing)) continue
    const { weaker, stronger, swapped, isNear, isShared } = sides(candidate)
    if (weaker === 0) {
      if (isNear) contrary?.add(candidate)
      continue
    }
    if (weaker < same && listsAnotherId(candidate, listing) && !isSpeltSo(candidate, listing))
      continue
    const strong = weaker >= likely
    if (!strong && (swapped || apartMs > sameStartMs)) continue
    const isUncertain = weaker === related || (!strong && stronger < same)
    if (isUncertain && (exactMs >= minute || options.league === undefined)) continue
    if (!fits(candidate)) {
      if (doubtful && strong)
        for (const one of gamesOfDay(listing, candidates, options)) doubtful.add(one)
      continue
    }
    if (contradictsSpelling(candidate, listing.sportsbook, sides, options)) {
      doubtful?.add(candidate)
      continue
    }
    const score = weaker + stronger - (swapped ? 0.5 : 0)
    found.push({ candidate, swapped, strong, score, apartMs, isUncertain, isShared })
  }
  const best = found.length > 1 ? bestOf(found) : found
  const chosen = best.length > 1 ? amongEqual(best, options) : best[0]
  if (!chosen) {
    for (const { candidate } of best) doubtful?.add(candidate)
    return null
  }
  const others = [
    ...(chosen.isUncertain ? findElsewhere(listing, chosen.candidate, candidates, options) : []),
    ...findOthers(listing, chosen, candidates, sides, options),
  ]
  if (others.length > 0 || chosen.isShared) {
    for (const other of [chosen.candidate, ...others]) doubtful?.add(other)
    return null
  }
  return { candidate: chosen.candidate, swapped: chosen.swapped }
}

/**
 * Returns the candidates that fit best; several if they fit equally. Each step compares all that
 * are left, so their order does not matter. In comparisons of pairs it would: the first start may
 * be near the second and the second near the third, but the first not near the third.
 */
function bestOf<C>(found: readonly Scored<C>[]): readonly Scored<C>[] {
  const strong = found.filter((one) => one.strong)
  const sure = strong.length > 0 ? strong : found
  const nearest = Math.min(...sure.map(({ apartMs }) => apartMs))
  const near = sure.filter(
    ({ apartMs }) =>
      apartMs - nearest < tieMs ||
      Math.floor(apartMs / nearnessMs) === Math.floor(nearest / nearnessMs),
  )
  const most = Math.max(...near.map(({ score }) => score))
  const top = near.filter(({ score }) => score === most)
  const first = Math.min(...top.map(({ apartMs }) => apartMs))
  return top.filter(({ apartMs }) => apartMs - first < tieMs)
}

/**
 * Chooses among equally good candidates. If they name different teams, or one sportsbook lists two
 * of them (a doubleheader without times), they are several games, and none is chosen. Otherwise a
 * spelling has split one game, and the candidate that most sportsbooks list is chosen.
 */
function amongEqual<C extends Candidate>(
  equal: readonly Scored<C>[],
  options: MatchOptions,
): Scored<C> | null {
  const first = equal.reduce((one, other) => (other.candidate.id < one.candidate.id ? other : one))
  const sides = createSides(first.candidate, options)
  if (equal.some(({ candidate }) => sides(candidate).weaker < same)) return null
  const listing = new Set<string>()
  for (const { candidate } of equal) {
    for (const sportsbook of candidate.externalIds.keys()) {
      if (listing.has(sportsbook)) return null
      listing.add(sportsbook)
    }
  }
  const listings = ({ candidate }: Scored<C>) => candidate.externalIds.size
  return equal.reduce((one, other) => {
    const more = listings(other) - listings(one)
    return more > 0 || (more === 0 && other.candidate.id < one.candidate.id) ? other : one
  })
}

/**
 * Returns whether another sportsbook's names of a game contradict a listing. Names that do not fit
 * the game's by their words are there because of an alias, and do not count.
 */
function contradictsSpelling(
  candidate: Candidate,
  sportsbook: string,
  sides: Sides,
  options: MatchOptions,
): boolean {
  for (const [by, spelt] of candidate.offers ?? []) {
    if (by === sportsbook || spelt.listing === '') continue
    if (sides(spelt).weaker === 0 && createSides(spelt, options)(candidate).weaker > 0) return true
  }
  return false
}

/**
 * Returns the other games that a game's names may mean and that contradict the listing. They are
 * found as if the game's names were a new listing. Games that one sportsbook lists together with
 * this one are not meant.
 */
function rivalsOf<C extends Candidate>(
  listing: Listing,
  chosen: C,
  candidates: readonly C[],
  sides: Sides,
  options: MatchOptions,
): readonly C[] {
  const others = candidates.filter((one) => one !== chosen && !shareSportsbook(one, chosen))
  if (others.length === 0 || areNamedAlike(listing, chosen, options)) return []
  const own: Candidate = { ...listing, id: '', externalIds: new Map() }
  const named: Listing = { ...chosen, sportsbook: '' }
  const turned = createSides(named, options)
  const all: readonly Candidate[] = [own, ...others]
  const doubtful = new Set<Candidate>()
  const fits = (one: Candidate) => fitsNumber(named, one, all, options)
  const found = findByTeams(named, all, turned, fits, options, { doubtful })?.candidate
  if (found) doubtful.add(found)
  return found === own ? [] : others.filter((one) => doubtful.has(one) && sides(one).weaker === 0)
}

/** Returns whether two games have the same names, and equally many of them state a country. */
export function areNamedAlike(game: NamedGame, known: NamedGame, options: SideOptions): boolean {
  if (createSides(game, options)(known).weaker < same) return false
  const silent = ({ home, away }: GameSides) => [home, away].filter(saysNoCountry).length
  return silent(readGame(game.home, game.away, options)) === silent(readSides(known, options))
}

function shareSportsbook(one: Candidate, other: Candidate): boolean {
  for (const sportsbook of one.externalIds.keys())
    if (other.externalIds.has(sportsbook)) return true
  return false
}

/**
 * Returns whether a listing may be a game by the number of the day that one of the two states. A
 * start may be a placeholder, so games are counted: before the second game there is exactly one.
 * Before the first there is none, and both starts agree.
 */
function fitsNumber(
  listing: Listing,
  candidate: Candidate,
  all: readonly Candidate[],
  options: MatchOptions,
): boolean {
  const ours = readGame(listing.home, listing.away, options)
  const number = ours.marks.gameNumber
  const theirNumber = readSides(candidate, options).marks.gameNumber
  const gameNumber = number || theirNumber
  if (number === theirNumber || gameNumber > gamesOfDayMax || !hasDoubleheaders(options))
    return true
  const { startsAt } = number === 0 ? listing : candidate
  if (gameNumber === 1 && Math.abs(listing.startsAt - candidate.startsAt) > sameStartMs)
    return false
  const before: number[] = []
  for (const other of all) {
    const earlierMs = startsAt - other.startsAt
    if (other.id === candidate.id || earlierMs <= sameStartMs || earlierMs > day / 2) continue
    const theirs = readSides(other, options)
    if (theirs.marks.gameNumber >= gameNumber || !areSameSides(ours, theirs)) continue
    // If a spelling has split a game, it counts once.
    if (before.every((start) => Math.abs(start - other.startsAt) > sameStartMs))
      before.push(other.startsAt)
  }
  return before.length === gameNumber - 1
}

/** Returns the games of a listing's sides within half a day of it, with any number. */
function gamesOfDay<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  options: MatchOptions,
): readonly C[] {
  const ours = readGame(listing.home, listing.away, options)
  return candidates.filter(
    (candidate) =>
      Math.abs(candidate.startsAt - listing.startsAt) <= day / 2 &&
      areSameSides(ours, readSides(candidate, options)),
  )
}

function listsAnotherId(candidate: Candidate, { sportsbook, externalId }: Listing): boolean {
  const known = candidate.externalIds.get(sportsbook)
  return known !== undefined && externalId !== undefined && known !== externalId
}

/**
 * Returns whether the sportsbook last spelled a candidate's sides like the listing, in any order.
 */
function isSpeltSo(candidate: Candidate, { sportsbook, home, away }: Listing): boolean {
  const spelt = candidate.offers?.get(sportsbook)
  if (spelt === undefined) return false
  return (
    (spelt.home === home && spelt.away === away) || (spelt.home === away && spelt.away === home)
  )
}
