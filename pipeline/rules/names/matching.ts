/**
 * Finds the game that a sportsbook's listing belongs to.
 *
 * Teams, start and the sportsbook's own ids decide together; no bucket of time does. The rule leans to one side: a
 * game shown twice is a nuisance, two games shown as one are a false arbitrage, so an ambiguous listing has no match.
 * `team-names.ts` compares names, `game-sides.ts` the sides of two games; `event-id.ts` makes the id of a game that
 * matches nothing.
 */

import { areRelated } from './club-comparison.ts'
import {
  areOneContest,
  areSameSides,
  compareSides,
  createSides,
  type GameSides,
  likely,
  mayBeOne,
  type NamedGame,
  readGame,
  readSides,
  related,
  type Side,
  type SideOptions,
  type Sides,
  same,
} from './game-sides.ts'
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
  /** The sides as each sportsbook last spelt them, where known. */
  readonly offers?: ReadonlyMap<string, SpeltGame>
}

/** A game's sides as a sportsbook spells them; `listing` is '' where it lists the game no more. */
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

const minute = 60_000
const hour = 60 * minute

/** Two starts less than this apart are one start; sportsbooks round and move by minutes. */
export const sameStartMs = 15 * minute
/** A second id of one sportsbook within this time is the game listed again, not the second game of a doubleheader. */
const relistedMs = 10 * minute
/** Candidates closer in time than this cannot be told apart by time. */
export const tieMs = 10 * minute
const nearnessMs = 30 * minute

/**
 * How far apart two sportsbooks may put one game: less than the time from one game to the next of the same sides.
 * Baseball has two a day, table tennis and esports several; two fighters or tennis players do not meet twice in one
 * event, and their starts are often placeholders.
 */
const windows: ReadonlyMap<string, number> = new Map([
  ['baseball', 2 * hour - 1],
  ['table_tennis', 40 * minute],
  ['esports', 60 * minute],
  ['tennis', 12 * hour],
  ['mma', 24 * hour],
  ['boxing', 24 * hour],
])
const usualWindow = 3 * hour

/** Returns whether the same sides play more than once a day, so that two ids are two games. */
export const hasDoubleheaders = (sport: string) => windowOf(sport) < usualWindow

/** The most games of the same sides on a day: a higher number is of a series. */
const gamesOfDayMax = 2

/** Returns how far apart two starts of one game may be (ms). */
export const windowOf = (sport: string) => windows.get(sport) ?? usualWindow

/** Sports whose teams rest for days between games: one day holds one game of the same sides. */
const weeklySports = new Set(['soccer', 'football', 'australian_rules', 'rugby', 'rugby_league'])
const day = 24 * hour

/**
 * Returns the game among `candidates` that a listing is, or null when none is or several are equally.
 *
 * - The sportsbook's own id of a candidate wins over any start time (a postponed game keeps its event), unless the
 *   names contradict it.
 * - A candidate that this sportsbook already lists under another id and another start is another game: the second of
 *   a doubleheader. The same holds at the same start where the names are merely alike, because a sportsbook does not
 *   list a game twice in two spellings.
 * - Both sides at least `likely`: the start may differ by the sport's window. Where teams play at most once a day, a
 *   start at midnight UTC may be a date without a time: it fits all of its day.
 * - One side merely `possible`: only at the same start, and with the other side the `same`. Two names that are each
 *   incomplete may be parts of other teams.
 * - One side merely `possible` beside an opponent that is not the `same`, or in part the other beside one that is
 *   `likely`: only at the same minute of one league, while no other game has either side.
 * - A name that fits the clubs of two games that no club could both play: neither, whatever else agrees.
 * - One side `different`: never, not even from one other sportsbook's names of the game, where these are the game's
 *   by their words: two names that contradict each other may both be what a short one stands for.
 * - Which of two names came first does not count: the game's names, as a listing, must be the listing's as well, and
 *   of no other game.
 * - A number of the game of the day, stated by one of the two, holds whatever the starts are. In sports without
 *   doubleheaders, and from 3 up, it is of a playoff series: then two numbers are two games, and one alone says
 *   nothing.
 * @param candidates the league's current games, in any order; the order does not matter
 * @param doubtful receives the games that could not be told apart, where that is why none is found
 */
export function findMatch<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  options: MatchOptions,
  doubtful?: Set<C>,
): Match<C> | null {
  const sides = createSides(listing, options)
  const fits = (candidate: C) => fitsNumber(listing, candidate, candidates, options)
  const byId = findByExternalId(listing, candidates, sides, fits, options)
  if (byId) return byId
  for (let left = candidates; ; ) {
    const found = findByTeams(listing, left, sides, fits, options, doubtful)
    const rivals = found ? rivalsOf(listing, found.candidate, candidates, sides, options) : []
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
): Match<C> | null {
  const found = findMatch(listing, candidates, options, doubtful)
  if (found === null || !isForbidden(found)) return found
  const others = candidates.filter((candidate) => candidate !== found.candidate)
  return findAllowedMatch(listing, others, options, isForbidden, doubtful)
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

interface Scored<C> extends Match<C & Candidate> {
  /** Both sides at least likely. */
  readonly strong: boolean
  readonly score: number
  /** One side merely `possible` or in part the other, without other evidence. */
  readonly isUncertain: boolean
  readonly apartMs: number
}

function findByTeams<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  sides: Sides,
  fits: (candidate: C) => boolean,
  options: MatchOptions,
  doubtful: Set<C> | undefined,
): Match<C> | null {
  const { sport } = options
  const windowMs = windowOf(sport)
  const found: Scored<C>[] = []
  for (const candidate of candidates) {
    const exactMs = Math.abs(candidate.startsAt - listing.startsAt)
    if (exactMs > windowMs && !sharesDate(sport, candidate, listing)) continue
    const apartMs = Math.min(exactMs, windowMs)
    if (apartMs > relistedMs && listsAnotherId(candidate, listing)) continue
    const { weaker, stronger, swapped } = sides(candidate)
    if (weaker === 0) continue
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
    found.push({ candidate, swapped, strong, score, apartMs, isUncertain })
  }
  const best = found.length > 1 ? bestOf(found) : found
  const chosen = best.length > 1 ? amongEqual(best, options) : best[0]
  if (!chosen) {
    for (const { candidate } of best) doubtful?.add(candidate)
    return null
  }
  const others = [
    ...(chosen.isUncertain ? findElsewhere(listing, chosen.candidate, candidates, options) : []),
    ...findOthers(listing, chosen, candidates, options),
  ]
  if (others.length > 0) {
    for (const other of [chosen.candidate, ...others]) doubtful?.add(other)
    return null
  }
  return { candidate: chosen.candidate, swapped: chosen.swapped }
}

/**
 * Returns the candidates that fit best, several where they fit alike. Each step compares all that are left, so their
 * order does not matter. Comparing pairs would depend on it: of three starts the first may be near enough to the
 * second and the second to the third, but not the first to the third.
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
 * Chooses among equally good candidates. Where they name different teams, or one sportsbook lists two of them (a
 * doubleheader without times), they are several games and none is chosen. Otherwise they are one game that was split
 * by a spelling, and the one that most sportsbooks list is chosen.
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
 * Returns whether another sportsbook's names of a game contradict a listing. Names that are not the game's by their
 * words are there by an alias, and say nothing.
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
 * Returns the other games that a game's names may mean beside the listing, which contradicts them: found as if the
 * game's names were listed last. Games that one sportsbook lists beside this one are not meant.
 */
function rivalsOf<C extends Candidate>(
  listing: Listing,
  chosen: C,
  candidates: readonly C[],
  sides: Sides,
  options: MatchOptions,
): readonly C[] {
  if (nameKindOf(options.sport) !== 'team' || areNamedAlike(listing, chosen, options)) return []
  const own: Candidate = { ...listing, id: '', externalIds: new Map() }
  const named: Listing = { ...chosen, sportsbook: '' }
  const turned = createSides(named, options)
  const others = candidates.filter((one) => one !== chosen && !shareSportsbook(one, chosen))
  const all: readonly Candidate[] = [own, ...others]
  const doubtful = new Set<Candidate>()
  const fits = (one: Candidate) => fitsNumber(named, one, all, options)
  const found = findByTeams(named, all, turned, fits, options, doubtful)?.candidate
  if (found) doubtful.add(found)
  return found === own ? [] : others.filter((one) => doubtful.has(one) && sides(one).weaker === 0)
}

/** Returns whether two games have the same names, and say as much of their countries. */
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
 * Returns whether a listing may be a game by the number of the day that one of the two states. A start may be a
 * placeholder, so games are counted: the second game has exactly one before it; the first has none, and both starts
 * agree.
 */
function fitsNumber<C extends Candidate>(
  listing: Listing,
  candidate: C,
  candidates: readonly C[],
  options: MatchOptions,
): boolean {
  const ours = readGame(listing.home, listing.away, options)
  const number = ours.marks.gameNumber
  const theirNumber = readSides(candidate, options).marks.gameNumber
  const gameNumber = number || theirNumber
  if (number === theirNumber || gameNumber > gamesOfDayMax || !hasDoubleheaders(options.sport))
    return true
  const { startsAt } = number === 0 ? listing : candidate
  if (gameNumber === 1 && Math.abs(listing.startsAt - candidate.startsAt) > sameStartMs)
    return false
  const before: number[] = []
  for (const other of candidates) {
    const earlierMs = startsAt - other.startsAt
    if (other === candidate || earlierMs <= sameStartMs || earlierMs > day / 2) continue
    const theirs = readSides(other, options)
    if (theirs.marks.gameNumber >= gameNumber || !areSameSides(ours, theirs)) continue
    // A game that was split by a spelling counts once.
    if (before.every((start) => Math.abs(start - other.startsAt) > sameStartMs))
      before.push(other.startsAt)
  }
  return before.length === gameNumber - 1
}

/** Returns the games of a listing's sides within half a day of it, whatever their numbers. */
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

/**
 * Returns the other games that the listing may be: a short name fits a club of each, and one club could not play
 * both; or the names state no country while the other game's do.
 */
function findOthers<C extends Candidate>(
  listing: Listing,
  { candidate: chosen, swapped }: Match<C>,
  candidates: readonly C[],
  options: MatchOptions,
): readonly C[] {
  const { sport } = options
  if (nameKindOf(sport) !== 'team') return []
  const ours = readGame(listing.home, listing.away, options)
  const game = readSides(chosen, options)
  const home = shortened(ours.home, swapped ? game.away : game.home)
  const away = shortened(ours.away, swapped ? game.home : game.away)
  const mayBeNamesake = saysNoCountry(ours.home) && saysNoCountry(ours.away)
  if (!home && !away && !mayBeNamesake) return []
  const restMs = weeklySports.has(sport) ? day : windowOf(sport)
  return candidates.filter((other) => {
    const apartMs = Math.abs(other.startsAt - chosen.startsAt)
    if (other === chosen || apartMs > restMs) return false
    const theirs = readSides(other, options)
    if (home && (fitsBoth(home, theirs.home) || fitsBoth(home, theirs.away))) return true
    if (away && (fitsBoth(away, theirs.home) || fitsBoth(away, theirs.away))) return true
    return (
      apartMs <= sameStartMs &&
      isNamesake(ours.home, theirs.home) &&
      isNamesake(ours.away, theirs.away)
    )
  })
}

/** Two names of a club, one of them less complete. */
interface Shortened {
  readonly short: Side
  readonly long: Side
}

function shortened(one: Side, other: Side): Shortened | undefined {
  if (one.key !== undefined || other.key !== undefined) return undefined
  // A country has no clubs: "USA" is not short for another than the United States.
  if (one.parsed.country !== undefined) return undefined
  const more = one.parsed.words.length - other.parsed.words.length
  if (more === 0) return undefined
  return more < 0 ? { short: one, long: other } : { short: other, long: one }
}

/** Returns whether a name is short for another club as well. */
const fitsBoth = ({ short, long }: Shortened, other: Side): boolean =>
  other.parsed.words.length > short.parsed.words.length &&
  mayBeOne(short, other) &&
  (compareSides(short, other) >= likely || areRelated(short.full, other.full, true)) &&
  compareSides(long, other) === 0

/** Returns whether a name without a country may be a club whose name states one. */
const isNamesake = (name: Side, other: Side) =>
  name.parsed.letters === other.parsed.letters && saysNoCountry(name) && !saysNoCountry(other)

const saysNoCountry = ({ parsed }: Side) => parsed.written?.from === undefined

/**
 * Returns the other games within a day that may have a side of the listing, where the chosen game has one only in
 * part.
 */
function findElsewhere<C extends Candidate>(
  listing: Listing,
  chosen: Candidate,
  candidates: readonly C[],
  options: MatchOptions,
): readonly C[] {
  const ours = readGame(listing.home, listing.away, options)
  return candidates.filter((other) => {
    if (other === chosen || Math.abs(other.startsAt - listing.startsAt) > day) return false
    const theirs = readSides(other, options)
    if (!areOneContest(ours, theirs, false) && !areOneContest(ours, theirs, true)) return false
    return [theirs.home, theirs.away].some((side) =>
      [ours.home, ours.away].some((own) => mayBeOne(own, side) && compareSides(own, side) > 0),
    )
  })
}

/** Returns whether one of two starts may be only a date, and is the date of the other. */
function sharesDate(sport: string, a: { startsAt: number }, b: { startsAt: number }): boolean {
  if (a.startsAt % day !== 0 && b.startsAt % day !== 0) return false
  return weeklySports.has(sport) && Math.floor(a.startsAt / day) === Math.floor(b.startsAt / day)
}

function listsAnotherId(candidate: Candidate, { sportsbook, externalId }: Listing): boolean {
  const known = candidate.externalIds.get(sportsbook)
  return known !== undefined && externalId !== undefined && known !== externalId
}

/** Returns whether this sportsbook's last spelling of a candidate's sides is the listing's, either way round. */
function isSpeltSo(candidate: Candidate, { sportsbook, home, away }: Listing): boolean {
  const spelt = candidate.offers?.get(sportsbook)
  if (spelt === undefined) return false
  return (
    (spelt.home === home && spelt.away === away) || (spelt.home === away && spelt.away === home)
  )
}
