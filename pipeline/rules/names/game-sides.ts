/**
 * Compares the sides of two games: how well they agree, and in which order. `matching.ts` decides
 * when they are one game.
 */
import { memoise } from '../../../schemas/memoise.ts'
import {
  createFindClub,
  findKnownSide,
  isCollegeLeague,
} from '../../../schemas/reference/known-sides.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { areRelated } from './club-comparison.ts'
import {
  carry,
  contestBeside,
  createFindLabels,
  type FindLabels,
  foreignCodes,
  isMixed,
  type LabelWords,
  labelBesideTeam,
  labelWords,
  saysNothing,
  withLabelsApart,
} from './contest-labels.ts'
import { countryOfLeague } from './league-countries.ts'
import { isOfSeveral, namesSeveral } from './names-of-several.ts'
import { rankOf, type TeamName } from './parsed-name.ts'
import { apartInGame, isOneName, type PartsApart, partsApart } from './parts-apart.ts'
import { addsWords } from './second-teams.ts'
import {
  type GameMarks,
  type LeagueMarks,
  marksAgree,
  marksOfGame,
  marksOfLeague,
  numbersMayAgree,
} from './side-marks.ts'
import { inOneSpelling, isToTheLetter } from './spelt-apart.ts'
import { areTwoClubs, letterAtEnd } from './table-clubs.ts'
import { areOfTwoCountries } from './team-countries.ts'
import { readNumbers, withPartNamed } from './team-marks.ts'
import { compareNames, nameKindOf, parseTeamName } from './team-names.ts'
import { mayAgree, type Outline } from './team-outline.ts'
import { readBrackets, textsInBrackets, withoutBrackets } from './text-in-brackets.ts'

/** The parts of a game that are compared. */
export interface NamedGame {
  readonly home: string
  readonly away: string
}

export interface SideOptions {
  /** Sport id; it determines whether the sides are persons. */
  readonly sport: string
  /** League id or name; it may imply that all its sides are women's or under-21 teams. */
  readonly league?: string
  /**
   * Returns the reference table's team for a name, if there is one; different keys are different
   * teams. A function must always return the same for a name: it is called once per candidate.
   */
  readonly resolveTeam?: ResolveTeam
}

export type ResolveTeam = (name: string) => ResolvedTeam | undefined

export interface ResolvedTeam {
  readonly key: string
  readonly name: string
}

/** The agreement of two names that are the same. */
export const same = rankOf('same')
/** The agreement of a usual shortening or respelling. */
export const likely = rankOf('likely')
/** The agreement of two names if one contains the other: less than `possible`. */
export const related = 0.5

/** The agreement of a candidate's sides with the listing's in the better order; 0 to 3 per side. */
export interface Agreement {
  readonly weaker: number
  readonly stronger: number
  /** The number of sides with identical names. */
  readonly alike: number
  readonly swapped: boolean
  /** Whether both sides have something in common, even if they disagree. */
  readonly isNear: boolean
  /** Whether a side agrees only by a name that several clubs have; then prices decide. */
  readonly isShared: boolean
}

/** Compares the sides of a candidate with those of the game that the function was made for. */
export type Sides = (candidate: NamedGame) => Agreement

const disagreement: Agreement = {
  weaker: 0,
  stronger: 0,
  alike: 0,
  swapped: false,
  isNear: false,
  isShared: false,
}
const nearDisagreement: Agreement = { ...disagreement, isNear: true }

/** A name ready to compare: its words, and the reference table's team. */
export interface Side {
  /** The name as written by the sportsbook or the event. */
  readonly raw: string
  /** The name without the marks beside it. */
  readonly parsed: TeamName
  readonly outline: Outline
  readonly key: string | undefined
  /** The table's name of the team; the written name when the table has none. */
  readonly full: TeamName
  readonly fullOutline: Outline
}

/** The sides of a game, ready to compare. */
export interface GameSides {
  readonly home: Side
  readonly away: Side
  readonly marks: GameMarks
  readonly labels: readonly string[]
  /** The parts of names that consist of several. */
  readonly apart: readonly PartsApart[]
}

/** A candidate's sides, and what they were read from. */
interface ReadSides extends GameSides {
  readonly homeName: string
  readonly awayName: string
  readonly sport: string
  readonly league: string | undefined
  readonly resolveTeam: ResolveTeam | undefined
}

/**
 * The sides of candidates, cached: every listing of an unknown game is compared with all games of
 * its league. The key is the candidate and not its names, so the cache has no limit.
 */
const sidesRead = new WeakMap<NamedGame, ReadSides>()

export function readSides(candidate: NamedGame, options: SideOptions): ReadSides {
  const { sport, league, resolveTeam } = options
  const { home: homeName, away: awayName } = candidate
  const before = sidesRead.get(candidate)
  if (
    before !== undefined &&
    before.homeName === homeName &&
    before.awayName === awayName &&
    before.sport === sport &&
    before.league === league &&
    before.resolveTeam === resolveTeam
  )
    return before
  const sides = readGame(homeName, awayName, options)
  const read = { ...sides, homeName, awayName, sport, league, resolveTeam }
  sidesRead.set(candidate, read)
  return read
}

/** Reads the name of one side. */
export const readName = (name: string, options: SideOptions): Side =>
  readerOf(options).read(name).side

export function readGame(homeName: string, awayName: string, options: SideOptions): GameSides {
  const { read, marks, findLabels } = readerOf(options)
  const named = withPartNamed(options.sport, homeName, awayName)
  const home = read(named[0])
  const away = read(named[1])
  return {
    home: home.side,
    away: away.side,
    marks: marksOfGame(home.parsed, away.parsed, marks, options.sport),
    labels: findLabels(home.words, away.words),
    apart: apartInGame(home.apart, away.apart, options.sport),
  }
}

/** A name as read: its side, and all that it says. */
interface NamedSide {
  readonly side: Side
  readonly parsed: TeamName
  readonly words: LabelWords
  readonly apart: PartsApart
}

/** The reader of one league's names. */
interface Reader {
  readonly read: (name: string) => NamedSide
  readonly marks: LeagueMarks
  readonly findLabels: FindLabels
}

/** Readers by the identity of the options object: callers should keep one object per league. */
const readers = new WeakMap<SideOptions, Reader>()

/** The number of names remembered per league: each game has listings of many sportsbooks. */
const namesKept = 1_024

function readerOf(options: SideOptions): Reader {
  let reader = readers.get(options)
  if (!reader) {
    const read = memoise((name: string) => readSide(name, options), namesKept)
    const { sport, league = '' } = options
    const findLabels = createFindLabels(nameKindOf(sport), sport, league)
    reader = { read, marks: marksOfLeague(league), findLabels }
    readers.set(options, reader)
  }
  return reader
}

const findClub = createFindClub((name) => wordsOfClub(parseTeamName(name)))

/** Returns the words for a look-up of a club if no table has its written name; '' for none. */
const wordsOfClub = (name: TeamName) =>
  name.kind === 'team' && name.tag === '' && !isToTheLetter(name) ? name.ownName : ''

function readSide(written: string, options: SideOptions): NamedSide {
  const { sport, league, resolveTeam } = options
  const parted = withLabelsApart(written)
  const apart = parted === written || resolveTeam?.(written) ? written : parted
  const name = readNumbers(apart, sport, isCollegeLeague(league ?? ''))
  const kind = nameKindOf(sport)
  const spell = isOfCountry(league ?? '') ? inOneSpelling : (text: string) => text
  const resolve = (text: string): ResolvedTeam | undefined =>
    resolveTeam?.(text) ??
    (kind === 'team' ? findKnownSide(spell(text), sport, league ?? '') : undefined)
  const team = resolve(name)
  const isShort = team !== undefined && letterAtEnd.test(name)
  const parsed = parseTeamName(spell(isShort ? team.name : name), kind)
  const exactly = team ?? (parsed.plain === '' ? undefined : resolve(parsed.plain))
  const known = exactly ?? findClub(parsed.raw, wordsOfClub(parsed.bare), sport, league ?? '')
  const teamIn = (text: string): ResolvedTeam | undefined =>
    resolve(text) ?? findClub(text, wordsOfClub(parseTeamName(text, kind)), sport, league ?? '')
  const hasBrackets = textsInBrackets(parsed.bare).length > 0
  const bracketed = {
    name: parsed.bare,
    team: hasBrackets && kind === 'team' ? teamIn(withoutBrackets(name)) : undefined,
    country: countryOfLeague(league ?? ''),
    teamOf: (text: string) => teamIn(text)?.key,
  }
  const besideTeam =
    kind !== 'team' || team
      ? []
      : [
          ...contestBeside(name, sport, league ?? '', (text) => teamIn(text) !== undefined),
          ...foreignCodes(bracketed, sport, league ?? ''),
          ...(exactly ? [] : unknownBeside(name, options)),
        ]
  const full = known ? fullName(parsed, parseTeamName(spell(known.name), kind).bare) : parsed.bare
  const side = {
    raw: parsed.raw,
    parsed: parsed.bare,
    outline: parsed.bare.outline,
    key: known?.key,
    full,
    fullOutline: full.outline,
  }
  return {
    side,
    parsed,
    words: team
      ? saysNothing
      : labelWords(parsed.bare, readBrackets(bracketed), exactly !== undefined, besideTeam),
    apart: team ? [] : partsApart(parsed.bare, sport, league ?? ''),
  }
}

/** Returns whether a league, and so all its clubs, are of one country. */
const isOfCountry = (league: string) => (leagueById(league)?.country ?? null) !== null

/**
 * Returns the words beside the name of a team in its league's table that are no part of it. In
 * baseball they may name the pitcher, and in soccer the club's city: there only words with digits
 * count.
 */
function unknownBeside(name: string, { sport, league = '', resolveTeam }: SideOptions) {
  const words = labelBesideTeam(name, league, (text) => resolveTeam?.(text)?.key)
  return (sport !== 'baseball' && sport !== 'soccer') || words.some(isMixed) ? words : []
}

/** Returns the written name if it says more than the table's: "Botafogo RJ", not Botafogo SP. */
const fullName = (parsed: TeamName, whole: TeamName): TeamName =>
  whole.parts.every((part) => parsed.parts.includes(part)) ? parsed.bare : whole

/**
 * Compares in both orders and takes the better one. If both are equally good, neither counts: the
 * names could be confused, and prices would be on the wrong side.
 */
export function createSides(listing: NamedGame, options: SideOptions): Sides {
  const ours = readGame(listing.home, listing.away, options)
  return (candidate) => {
    const theirs = readSides(candidate, options)
    const { home, away } = theirs
    // Most candidates are other games and have nothing in common with ours.
    const maybe = mayBeOne(ours.home, home) && mayBeOne(ours.away, away)
    const straight = maybe ? agree(ours, theirs, false, options) : disagreement
    const maybeSwapped = mayBeOne(ours.home, away) && mayBeOne(ours.away, home)
    const swapped = maybeSwapped ? agree(ours, theirs, true, options) : disagreement
    if (straight.weaker + swapped.weaker === 0) {
      if (maybe) return relate(ours, theirs, options)
      return maybeSwapped ? nearDisagreement : disagreement
    }
    const more =
      swapped.weaker - straight.weaker ||
      swapped.stronger - straight.stronger ||
      swapped.alike - straight.alike
    if (more === 0) return nearDisagreement
    return more > 0 ? swapped : straight
  }
}

/**
 * Returns whether two games, with sides in this order, may be one by the marks beside the names.
 */
export const areOneContest = (ours: GameSides, theirs: GameSides, swapped: boolean): boolean =>
  numbersMayAgree(ours.marks, theirs.marks) && areOneKind(ours, theirs, swapped)

/** Returns the same, even if they are two games of a day. */
const areOneKind = (ours: GameSides, theirs: GameSides, swapped: boolean): boolean =>
  marksAgree(ours.marks, theirs.marks, swapped) &&
  haveLabelsOf(ours, theirs) &&
  haveLabelsOf(theirs, ours) &&
  havePartsOf(ours, theirs) &&
  havePartsOf(theirs, ours)

/** Returns whether two games have the same sides, even if they are two games of a day. */
export const areSameSides = (ours: GameSides, theirs: GameSides): boolean =>
  [false, true].some((swapped) => {
    const home = swapped ? theirs.away : theirs.home
    const away = swapped ? theirs.home : theirs.away
    return (
      mayBeOne(ours.home, home) &&
      mayBeOne(ours.away, away) &&
      compareSides(ours.home, home) >= likely &&
      compareSides(ours.away, away) >= likely &&
      areOneKind(ours, theirs, swapped)
    )
  })

const haveLabelsOf = ({ labels }: GameSides, theirs: GameSides) =>
  labels.length === 0 ||
  labels.every((label) => theirs.labels.includes(label) || carry([theirs.home, theirs.away], label))

const havePartsOf = ({ apart }: GameSides, theirs: GameSides) =>
  apart.every((parts) => isOneName(parts, [theirs.home, theirs.away], theirs.apart))

function agree(
  ours: GameSides,
  theirs: GameSides,
  swapped: boolean,
  options: SideOptions,
): Agreement {
  if (!areOneContest(ours, theirs, swapped)) return nearDisagreement
  const home = swapped ? theirs.away : theirs.home
  const away = swapped ? theirs.home : theirs.away
  const one = agreementOf(ours.home, home, options.sport)
  if (one === 0) return nearDisagreement
  const two = agreementOf(ours.away, away, options.sport)
  if (areSecondTeams([ours.home, home], [ours.away, away], options)) return nearDisagreement
  return {
    weaker: Math.min(one, two),
    stronger: Math.max(one, two),
    alike: Number(ours.home.raw === home.raw) + Number(ours.away.raw === away.raw),
    swapped,
    isNear: true,
    isShared: sharesName(ours.home, home, options) || sharesName(ours.away, away, options),
  }
}

/**
 * Returns whether two names that agree are two clubs in the tables. Also true if one of them is
 * short for several clubs, or for a team and its second team.
 */
export function sharesName(a: Side, b: Side, options: SideOptions): boolean {
  if (a.key !== undefined && b.key !== undefined) return false
  const { sport } = options
  const kind = nameKindOf(sport)
  if (kind === 'team' && areTwoClubs(a.parsed, b.parsed, options)) return true
  const wordCount = ({ parsed }: Side) => parsed.words.length + parsed.shared.length
  const more = wordCount(a) - wordCount(b)
  if (more === 0) return false
  const [short, long] = more < 0 ? [a, b] : [b, a]
  if (kind === 'esports') return addsWords(long.parsed, short.parsed, options)
  // Outside soccer, a name in a table means that club, unless the table's full name contradicts the
  // longer one.
  const isKnown = short.key !== undefined && sport !== 'soccer'
  if (isKnown && rankOf(compareNames(short.full, long.parsed)) > 0) return false
  return isOfSeveral(short.parsed, long.parsed, options)
}

/** Returns whether both sides of one of two games have a name with more words, as second teams have. */
export function areSecondTeams(
  [ourHome, theirHome]: readonly [Side, Side],
  [ourAway, theirAway]: readonly [Side, Side],
  options: SideOptions,
): boolean {
  const isSecond = (a: Side, b: Side) =>
    (a.key === undefined || b.key === undefined) && addsWords(a.parsed, b.parsed, options)
  return (
    (isSecond(ourHome, theirHome) && isSecond(ourAway, theirAway)) ||
    (isSecond(theirHome, ourHome) && isSecond(theirAway, ourAway))
  )
}

/**
 * Compares games in which one name of a side contains the other. The league must be known to be the
 * same.
 */
function relate(ours: GameSides, theirs: GameSides, options: SideOptions): Agreement {
  const { sport, league } = options
  if (league === undefined || !areOneContest(ours, theirs, false)) return nearDisagreement
  const home = agreementOf(ours.home, theirs.home, sport)
  const away = agreementOf(ours.away, theirs.away, sport)
  const [stronger, one, two] =
    home >= away ? [home, ours.away, theirs.away] : [away, ours.home, theirs.home]
  const isRelated =
    stronger >= likely &&
    (one.key === undefined || two.key === undefined) &&
    areOnlyRelated(one, two, sport) &&
    !areSecondTeams([ours.home, theirs.home], [ours.away, theirs.away], options)
  if (!isRelated) return nearDisagreement
  const isShared = sharesName(one, two, options)
  return { weaker: related, stronger, alike: 1, swapped: false, isNear: true, isShared }
}

/** Returns false only if `compareSides` finds them different. */
export function mayBeOne(a: Side, b: Side): boolean {
  if (areOfTwoCountries(a.parsed.from, b.parsed.from)) return false
  if (a.key !== undefined && b.key !== undefined) return a.key === b.key
  if (mayAgree(a.outline, b.outline)) return true
  if (a.key === undefined && b.key === undefined) return false
  return mayAgree(a.fullOutline, b.fullOutline)
}

/** Returns false only if the written names of two games differ, regardless of tables. */
export const mayBeOfOneName = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  haveSides(one, other, options, (a, b) => mayAgree(a.outline, b.outline))

/**
 * Returns false only if, for one of the two sides, no name is short for that side in both games.
 * The short name of a player is a whole word of the full name, that of a club may be the first
 * letters of its words.
 */
export const mayShareName = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  haveSides(
    one,
    other,
    options,
    nameKindOf(options.sport) === 'person'
      ? (a, b) => mayAgree(a.outline, b.outline)
      : (a, b) => (a.outline.firsts & b.outline.firsts) !== 0,
  )

function haveSides(
  one: NamedGame,
  other: NamedGame,
  options: SideOptions,
  agree: (a: Side, b: Side) => boolean,
): boolean {
  const [ours, theirs] = [readSides(one, options), readSides(other, options)]
  return (
    (agree(ours.home, theirs.home) && agree(ours.away, theirs.away)) ||
    (agree(ours.home, theirs.away) && agree(ours.away, theirs.home))
  )
}

/** Returns whether one name contains the other, and several clubs do not share it. */
export const areOnlyRelated = (a: Side, b: Side, sport: string) =>
  areRelated(a.full, b.full, false) && !(sport === 'soccer' && namesSeveral(a.full, b.full))

/**
 * Returns how well two sides agree in a sport: as their names do, except that in soccer a name that several clubs
 * share matches none of them. In other sports a city rarely has two clubs in one league.
 */
export function agreementOf(a: Side, b: Side, sport: string): number {
  const agreement = compareSides(a, b)
  if (agreement === 0 || agreement === same || sport !== 'soccer') return agreement
  return namesSeveral(a.parsed, b.parsed) ? 0 : agreement
}

/** Returns 0 for different to 3 for same. */
export function compareSides(a: Side, b: Side): number {
  if (areOfTwoCountries(a.parsed.from, b.parsed.from)) return 0
  if (a.key !== undefined && b.key !== undefined) return a.key === b.key ? 3 : 0
  const asWritten = rankOf(compareNames(a.parsed, b.parsed))
  if (a.key === undefined && b.key === undefined) return asWritten
  return Math.max(asWritten, rankOf(compareNames(a.full, b.full)))
}
