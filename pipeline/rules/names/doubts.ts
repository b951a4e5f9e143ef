/**
 * Names that leave a doubt: two games that may be one by their opponents and starts, and whose names neither agree
 * nor contradict. `price-agreement.ts` settles doubts.
 *
 * Names contradict where marks differ (women, an age, a number, a country), where both are known as different teams,
 * and where a qualifying word (North, State, United) tells them apart or they share only a city. Others may be a
 * translation, a nickname or a sponsor.
 */

import { distance } from 'fastest-levenshtein'
import { areRelated, contradicts } from './club-comparison.ts'
import {
  agreementOf,
  areOneContest,
  areOnlyRelated,
  areSecondTeams,
  compareSides,
  createSides,
  type GameSides,
  likely,
  mayBeOne,
  type NamedGame,
  readSides,
  type Side,
  type SideOptions,
  same,
  sharesName,
} from './game-sides.ts'
import { namesSeveral } from './names-of-several.ts'
import { areOfTwoCountries } from './team-countries.ts'
import { nameKindOf } from './team-names.ts'

export interface Doubt {
  /** Whether the second game has its sides swapped. */
  readonly swapped: boolean
  /** Whether the first game's home side is in doubt, and (`away`) its away side. */
  readonly home: boolean
  readonly away: boolean
  /** Whether the names in doubt have something in common. */
  readonly isPartlyNamed: boolean
  /** Whether a name in doubt belongs to several teams. */
  readonly isNamesake: boolean
}

/** Returns the doubt whether two games are one; null if they certainly are or are not. */
export function findDoubt(one: NamedGame, other: NamedGame, options: SideOptions): Doubt | null {
  const ours = readSides(one, options)
  const theirs = readSides(other, options)
  const straight = doubtOf(ours, theirs, false, options)
  const swapped = doubtOf(ours, theirs, true, options)
  if (straight === null || swapped === null) return straight ?? swapped
  return null
}

function doubtOf(
  ours: GameSides,
  theirs: GameSides,
  swapped: boolean,
  options: SideOptions,
): Doubt | null {
  const { sport } = options
  const theirHome = swapped ? theirs.away : theirs.home
  const theirAway = swapped ? theirs.home : theirs.away
  const homeAgreement = agreementUnlessShared(ours.home, theirHome, options)
  const awayAgreement = agreementUnlessShared(ours.away, theirAway, options)
  const bothFit = homeAgreement !== 0 && awayAgreement !== 0
  const home = homeAgreement ?? 0
  const away = awayAgreement ?? 0
  if (Math.max(home, away) === 0 && !bothFit) return null
  if (Math.min(home, away) >= likely || !areOneContest(ours, theirs, swapped)) return null
  if (areSecondTeams([ours.home, theirHome], [ours.away, theirAway], options)) return null
  const isNamesake = [
    [ours.home, theirHome, home] as const,
    [ours.away, theirAway, away] as const,
  ].some(([one, other, agreement]) => agreement < likely && mayBeNamesake(one, other, options))
  const doubt = {
    swapped,
    home: home < likely,
    away: away < likely,
    isPartlyNamed: true,
    isNamesake,
  }
  if (bothFit) return doubt
  const [own, their] = home === 0 ? [ours.home, theirHome] : [ours.away, theirAway]
  if (own.key !== undefined && their.key !== undefined) return null
  if (areOfTwoCountries(own.parsed.from, their.parsed.from)) return null
  const isSlip = isSlipOf(own, their)
  const isOpen = nameKindOf(sport) === 'team' ? mayStandFor(own, their) : isSlip
  const isPartlyNamed =
    areRelated(own.full, their.full, true) ||
    mayBeNamesake(own, their, options) ||
    (isSlip && isOpen)
  // If only the opponent speaks for a side, the opponent must be beyond doubt.
  if (Math.max(home, away) < (isPartlyNamed ? likely : same)) return null
  return isPartlyNamed || isOpen ? { ...doubt, isPartlyNamed } : null
}

/** Returns how well two sides agree; 0 if they agree only by a name that several clubs have. */
function agreementUnlessShared(a: Side, b: Side, options: SideOptions): number | undefined {
  if (!mayBeOne(a, b)) return 0
  const agreement = agreementOf(a, b, options.sport)
  return agreement > 0 && sharesName(a, b, options) ? undefined : agreement
}

/** Returns whether one name belongs to several teams and may be short for the other. */
function mayBeNamesake(a: Side, b: Side, options: SideOptions): boolean {
  const { sport } = options
  const mayBeShort = a.parsed.joinedWords === b.parsed.joinedWords || compareSides(a, b) > 0
  if (mayBeShort && sharesName(a, b, options)) return true
  if (areRelated(a.full, b.full, true)) return !areOnlyRelated(a, b, sport)
  return mayBeShort && sport === 'soccer' && namesSeveral(a.parsed, b.parsed)
}

/** Returns whether two names may be one team, for certain or not. */
export const mayBeTeam = (a: Side, b: Side) =>
  (mayBeOne(a, b) && compareSides(a, b) > 0) || areRelated(a.full, b.full, true)

/** The most wrong letters in a typing error; names that differ by more are two teams or players. */
const slipsMost = 2
const slipLettersLeast = 8

function isSlipOf({ parsed: one }: Side, { parsed: other }: Side): boolean {
  if (one.qualifiers !== other.qualifiers || one.members.length !== other.members.length)
    return false
  const [a, b] = [one, other].map(({ parts }) => [...parts].sort().join(' ')) as [string, string]
  return Math.min(a.length, b.length) >= slipLettersLeast && distance(a, b) <= slipsMost
}

const mayStandFor = (a: Side, b: Side) =>
  !contradicts(a.parsed, b.parsed) &&
  !contradicts(a.full, b.full) &&
  !isPlaceholder(a.raw) &&
  !isPlaceholder(b.raw)

/**
 * Matches placeholders such as "TBD" and "Winner QF1", which stand for another team the next day.
 */
const placeholder =
  /^(?:tb[ad]|unknown|opponent|bye|qualifier|(?:home|away)(?: team)?|team [a-z0-9]|player [a-z0-9]|[a-z]?\d+[a-z]*)$|\b(?:winner|loser|runner[\s-]?up|qualifier|place)\b/i

const isPlaceholder = (name: string) => name.trim().length < 3 || placeholder.test(name.trim())

/** Returns whether two games have sides that may be one. */
export const mayShareSide = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  sidesAgree(one, other, 1, options)

/** Returns whether one side plays in both games, and the opponents certainly differ. */
export const areTwoGames = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  sidesAgree(one, other, same, options) &&
  createSides(one, options)(other).weaker === 0 &&
  findDoubt(one, other, options) === null

function sidesAgree(one: NamedGame, other: NamedGame, least: number, options: SideOptions) {
  const ours = readSides(one, options)
  const theirs = readSides(other, options)
  // A half of the game, or the women's game, is not a second game of the side.
  if (!areOneContest(ours, theirs, false) && !areOneContest(ours, theirs, true)) return false
  return [ours.home, ours.away].some((own) =>
    [theirs.home, theirs.away].some(
      (side) => mayBeOne(own, side) && compareSides(own, side) >= least,
    ),
  )
}
