/**
 * Which listing of a sportsbook is which game.
 *
 * Teams, start and the sportsbook's own ids decide together; no bucket of time does. The rule
 * leans to one side: a game shown twice is a nuisance, two games shown as one are a false
 * arbitrage, so whatever stays ambiguous is no match. What the names mean is in `team-names.ts`;
 * the id of a game that matches nothing is made in `event-id.ts`.
 */

import { findKnownSide } from '../../schemas/reference/known-sides.ts'
import { areRelated } from './club-comparison.ts'
import { type NameKind, rankOf, type TeamName } from './parsed-name.ts'
import { type GameMarks, marksAgree, marksOfGame, marksOfLeague } from './side-marks.ts'
import { compareNames, nameKindOf, parseTeamName } from './team-names.ts'
import { mayAgree, type Outline } from './team-outline.ts'

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
  /** The sportsbooks that list it, and their ids of it. */
  readonly externalIds: ReadonlyMap<string, string>
  /** How each sportsbook last spelt the sides, where that is known. */
  readonly offers?: ReadonlyMap<string, { readonly home: string; readonly away: string }>
}

export interface MatchOptions {
  /** Sport id: how far apart two games of the same sides are, and whether the sides are persons. */
  readonly sport: string
  /** League id or name: it may say for all its sides that women play, or under 21. */
  readonly league?: string
  /**
   * The reference table's team of a name, if it knows it; unequal keys are unequal teams. What one
   * function says of a name does not change: it is asked once for each candidate, so a caller that
   * keeps one function per league is served faster than one that makes a function per call.
   */
  readonly resolveTeam?: ResolveTeam
}

export type ResolveTeam = (name: string) => ResolvedTeam | undefined

export interface ResolvedTeam {
  readonly key: string
  readonly name: string
}

export interface Match<C extends Candidate> {
  readonly candidate: C
  /** Whether the listing has home and away the other way round. */
  readonly swapped: boolean
}

const minute = 60_000
const hour = 60 * minute

/** The agreement of two names that are the same. */
const same = rankOf('same')
/** The agreement of two names of which one is in part the other: less than `possible`. */
const related = 0.5

/** Below this, two starts are one start; sportsbooks round and move by minutes. */
const sameStartMs = 15 * minute
/** A second id of one sportsbook within this is the game listed again, not its second half of a day. */
const relistedMs = 10 * minute
/** Candidates nearer to each other in time than this cannot be told apart by time. */
const tieMs = 10 * minute
const nearnessMs = 30 * minute

/**
 * How far apart two sportsbooks may put one game: less than the time from one game to the next of
 * the same sides. Baseball plays two a day, table tennis and esports several; two fighters or
 * tennis players do not meet twice in one event, and their starts are often placeholders.
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

/** Whether the same sides play more than once a day: there two ids side by side are two games. */
export const hasDoubleheaders = (sport: string) => windowOf(sport) < usualWindow

const windowOf = (sport: string) => windows.get(sport) ?? usualWindow

/** Sports whose teams rest for days between games: one day holds one game of the same sides. */
const weeklySports = new Set(['soccer', 'football', 'australian_rules', 'rugby', 'rugby_league'])
const day = 24 * hour

/**
 * The game among `candidates` that a listing is, or null when none is or several are equally.
 *
 * - The sportsbook's own id of a candidate wins over any start time (a postponed game keeps its
 *   event), unless the names contradict it.
 * - A candidate that this sportsbook already lists under another id and another start is another
 *   game: the second of a doubleheader. So it is at the same start where the names are merely alike,
 *   for a sportsbook does not list a game twice in two spellings.
 * - Both sides at least `likely`: the start may differ by the sport's window. Where teams play at
 *   most once a day, a start at midnight UTC may be a date without a time: it fits all of its day.
 * - One side merely `possible`: only at the same start, and with the other side the `same`. Two names
 *   that each say only a part may be parts of other teams.
 * - One side in part the other, beside an opponent that is exactly the same: only at the same minute
 *   of one league, while no other game has that side.
 * - One side `different`: never.
 * @param candidates the league's current games, in any order; the order does not matter
 */
export function findMatch<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  options: MatchOptions,
): Match<C> | null {
  const sides = createSides(listing, options)
  return (
    findByExternalId(listing, candidates, sides) ?? findByTeams(listing, candidates, sides, options)
  )
}

type Sides = (candidate: Candidate) => Agreement

function findByExternalId<C extends Candidate>(
  { sportsbook, externalId }: Listing,
  candidates: readonly C[],
  sides: Sides,
): Match<C> | undefined {
  if (externalId === undefined) return undefined
  let found: Match<C> | undefined
  for (const candidate of candidates) {
    if (candidate.externalIds.get(sportsbook) !== externalId) continue
    const { weaker, swapped } = sides(candidate)
    if (weaker === 0) continue
    if (found) return undefined
    found = { candidate, swapped }
  }
  return found
}

interface Scored<C> extends Match<C & Candidate> {
  /** Both sides at least likely. */
  readonly strong: boolean
  readonly score: number
  readonly apartMs: number
}

function findByTeams<C extends Candidate>(
  listing: Listing,
  candidates: readonly C[],
  sides: Sides,
  options: MatchOptions,
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
    const strong = weaker >= 2
    if (!strong && (stronger < same || swapped || apartMs > sameStartMs)) continue
    if (weaker === related && exactMs >= minute) continue
    const score = weaker + stronger - (swapped ? 0.5 : 0)
    found.push({ candidate, swapped, strong, score, apartMs })
  }
  const best = found.length > 1 ? bestOf(found) : found
  const chosen = best.length > 1 ? amongEqual(best, options) : best[0]
  if (
    chosen?.score === related + same &&
    isElsewhere(listing, chosen.candidate, candidates, options)
  )
    return null
  return chosen ? { candidate: chosen.candidate, swapped: chosen.swapped } : null
}

/**
 * The candidates that fit best, several where they fit alike. Each step compares all that are left,
 * so their order does not matter. Comparing pairs would depend on it: of three starts the first may
 * be near enough to the second and the second to the third, but not the first to the third.
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
 * Chooses among equally good candidates. Where they name different teams, or one sportsbook lists
 * two of them (a doubleheader without times), they are several games and none is chosen. Else they
 * are one game that was split by a spelling, and the one that most sportsbooks list is chosen.
 */
function amongEqual<C extends Candidate>(
  equal: readonly Scored<C>[],
  options: MatchOptions,
): Scored<C> | null {
  const first = equal.reduce((one, other) => (other.candidate.id < one.candidate.id ? other : one))
  const { home, away, startsAt } = first.candidate
  const sides = createSides({ home, away, startsAt, sportsbook: '' }, options)
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

/** Whether another game within the window has a side of the listing that this one has only in part. */
function isElsewhere<C extends Candidate>(
  listing: Listing,
  chosen: Candidate,
  candidates: readonly C[],
  options: MatchOptions,
): boolean {
  const ours = readGame(listing.home, listing.away, options)
  return candidates.some((other) => {
    if (other === chosen || Math.abs(other.startsAt - listing.startsAt) > day) return false
    const theirs = readSides(other, options)
    return [theirs.home, theirs.away].some((side) =>
      [ours.home, ours.away].some((own) => mayBeOne(own, side) && compareSides(own, side) > 1),
    )
  })
}

/** Whether one of two starts may be only a date, and is the date of the other. */
function sharesDate(sport: string, a: { startsAt: number }, b: { startsAt: number }): boolean {
  if (a.startsAt % day !== 0 && b.startsAt % day !== 0) return false
  return weeklySports.has(sport) && Math.floor(a.startsAt / day) === Math.floor(b.startsAt / day)
}

function listsAnotherId(candidate: Candidate, { sportsbook, externalId }: Listing): boolean {
  const known = candidate.externalIds.get(sportsbook)
  return known !== undefined && externalId !== undefined && known !== externalId
}

/** Whether this sportsbook spelt the sides of a candidate as it does now, either way round. */
function isSpeltSo(candidate: Candidate, { sportsbook, home, away }: Listing): boolean {
  const spelt = candidate.offers?.get(sportsbook)
  if (spelt === undefined) return false
  return (
    (spelt.home === home && spelt.away === away) || (spelt.home === away && spelt.away === home)
  )
}

/** How well a candidate's sides agree with the listing's, the better way round; 0 to 3 a side. */
interface Agreement {
  readonly weaker: number
  readonly stronger: number
  /** How many sides are written letter by letter alike. */
  readonly alike: number
  readonly swapped: boolean
}

const disagreement: Agreement = { weaker: 0, stronger: 0, alike: 0, swapped: false }

/** A name as it is compared: its words, and the reference table's team. */
interface Side {
  /** As the sportsbook, or the event, has it. */
  readonly raw: string
  /** Without what it says beside the name. */
  readonly parsed: TeamName
  readonly outline: Outline
  readonly key: string | undefined
  /** The table's name of the team; as written, when the table has none. */
  readonly full: TeamName
  readonly fullOutline: Outline
}

/** The sides of a game as they are compared. */
interface GameSides {
  readonly home: Side
  readonly away: Side
  readonly marks: GameMarks
}

/** A candidate's sides, and what they were read from. */
interface ReadSides extends GameSides {
  readonly homeName: string
  readonly awayName: string
  readonly kind: NameKind
  readonly league: string | undefined
  readonly resolveTeam: ResolveTeam | undefined
}

/**
 * Every listing of a game not yet known meets all games of its league, so these are read once. By
 * the candidate and not by its names: no number of games at a time can be too many for it.
 */
const sidesRead = new WeakMap<Candidate, ReadSides>()

function readSides(candidate: Candidate, options: MatchOptions): ReadSides {
  const { sport, league, resolveTeam } = options
  const { home: homeName, away: awayName } = candidate
  const kind = nameKindOf(sport)
  const before = sidesRead.get(candidate)
  if (
    before !== undefined &&
    before.homeName === homeName &&
    before.awayName === awayName &&
    before.kind === kind &&
    before.league === league &&
    before.resolveTeam === resolveTeam
  )
    return before
  const { home, away, marks } = readGame(homeName, awayName, options)
  const read = { home, away, marks, homeName, awayName, kind, league, resolveTeam }
  sidesRead.set(candidate, read)
  return read
}

function readGame(homeName: string, awayName: string, options: MatchOptions): GameSides {
  const kind = nameKindOf(options.sport)
  const resolve = (name: string): ResolvedTeam | undefined =>
    options.resolveTeam?.(name) ??
    (kind === 'team' ? findKnownSide(name, options.sport, options.league ?? '') : undefined)
  const home = parseSide(homeName, kind, resolve(homeName))
  const away = parseSide(awayName, kind, resolve(awayName))
  return {
    home: sideOf(home, kind, resolve),
    away: sideOf(away, kind, resolve),
    marks: marksOfGame(home.parsed, away.parsed, marksOfLeague(options.league ?? '')),
  }
}

interface ParsedSide {
  readonly parsed: TeamName
  readonly team: ResolvedTeam | undefined
}

function parseSide(name: string, kind: NameKind, team: ResolvedTeam | undefined): ParsedSide {
  // A name the table knows whole and that ends in a letter is short for the club ("Manchester C"),
  // not its third team.
  const isShort = team !== undefined && /\s[bcf]\.?$/i.test(name)
  return { parsed: parseTeamName(isShort ? team.name : name, kind), team }
}

function sideOf({ parsed, team }: ParsedSide, kind: NameKind, resolve: ResolveTeam): Side {
  const known = team ?? (parsed.plain === '' ? undefined : resolve(parsed.plain))
  // "Botafogo RJ" says more than the table's Botafogo, and is no Botafogo SP.
  const whole = known ? parseTeamName(known.name, kind).bare : parsed.bare
  const full = whole.parts.every((part) => parsed.parts.includes(part)) ? parsed.bare : whole
  return {
    raw: parsed.raw,
    parsed: parsed.bare,
    outline: parsed.bare.outline,
    key: known?.key,
    full,
    fullOutline: full.outline,
  }
}

/**
 * Both ways round are tried and the better one holds: of two alike names each may be taken for the
 * other, and prices would stand on the wrong side. Where both ways are as good there is no telling.
 */
function createSides(listing: Listing, options: MatchOptions): Sides {
  const ours = readGame(listing.home, listing.away, options)
  return (candidate) => {
    const theirs = readSides(candidate, options)
    const { home, away } = theirs
    // Most candidates are other games, and most of those have nothing in common with ours.
    const maybe = mayBeOne(ours.home, home) && mayBeOne(ours.away, away)
    const straight = maybe ? agree(ours, theirs, false) : disagreement
    const maybeSwapped = mayBeOne(ours.home, away) && mayBeOne(ours.away, home)
    const swapped = maybeSwapped ? agree(ours, theirs, true) : disagreement
    if (straight.weaker + swapped.weaker === 0)
      return maybe ? relate(ours, theirs, options) : disagreement
    const more =
      swapped.weaker - straight.weaker ||
      swapped.stronger - straight.stronger ||
      swapped.alike - straight.alike
    if (more === 0) return disagreement
    return more > 0 ? swapped : straight
  }
}

function agree(ours: GameSides, theirs: GameSides, swapped: boolean): Agreement {
  if (!marksAgree(ours.marks, theirs.marks, swapped)) return disagreement
  const home = swapped ? theirs.away : theirs.home
  const away = swapped ? theirs.home : theirs.away
  const one = compareSides(ours.home, home)
  if (one === 0) return disagreement
  const two = compareSides(ours.away, away)
  const alike = Number(ours.home.raw === home.raw) + Number(ours.away.raw === away.raw)
  return { weaker: Math.min(one, two), stronger: Math.max(one, two), alike, swapped }
}

/** For a league that is known to be one, whoever plays in it. */
function relate(ours: GameSides, theirs: GameSides, { sport, league }: MatchOptions): Agreement {
  if (league === undefined || !marksAgree(ours.marks, theirs.marks, false)) return disagreement
  for (const [one, otherOne, two, otherTwo] of [
    [ours.home, theirs.home, ours.away, theirs.away],
    [ours.away, theirs.away, ours.home, theirs.home],
  ] as const) {
    if (compareSides(one, otherOne) < same) continue
    if (two.key !== undefined && otherTwo.key !== undefined) continue
    if (areRelated(two.full, otherTwo.full, sport !== 'soccer'))
      return { weaker: related, stronger: same, alike: 1, swapped: false }
  }
  return disagreement
}

/** False only where `compareSides` finds them different. */
function mayBeOne(a: Side, b: Side): boolean {
  if (a.key !== undefined && b.key !== undefined) return a.key === b.key
  if (mayAgree(a.outline, b.outline)) return true
  if (a.key === undefined && b.key === undefined) return false
  return mayAgree(a.fullOutline, b.fullOutline)
}

/** 0 for different to 3 for same. */
function compareSides(a: Side, b: Side): number {
  if (a.key !== undefined && b.key !== undefined) return a.key === b.key ? 3 : 0
  const asWritten = rankOf(compareNames(a.parsed, b.parsed))
  if (a.key === undefined && b.key === undefined) return asWritten
  return Math.max(asWritten, rankOf(compareNames(a.full, b.full)))
}
