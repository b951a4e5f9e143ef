/**
 * Names that leave a doubt: two games that may be one by their opponents and starts, and whose names
 * neither agree nor contradict. What settles a doubt is in `price-agreement.ts`.
 *
 * Names contradict where marks differ (women, an age, a number, a country), where both are known as
 * different teams, and where a qualifying word (North, State, United) tells them apart or a city is all
 * that they share. Others may be a translation, a nickname or a sponsor.
 */

import { distance } from 'fastest-levenshtein'
import { areRelated, contradicts, namesSeveral } from './club-comparison.ts'
import {
  agreementOf,
  areOneContest,
  areOnlyRelated,
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
} from './game-sides.ts'
import { nameKindOf } from './team-names.ts'

export interface Doubt {
  /** The second game has the sides the other way round. */
  readonly swapped: boolean
  /** Whether the first game's home, and its away, are in doubt. */
  readonly home: boolean
  readonly away: boolean
  /** What is in doubt has something in common. */
  readonly isPartlyNamed: boolean
  /** What is in doubt is a name that several teams have. */
  readonly isNamesake: boolean
}

/** The doubt whether two games are one; null where there is none, either way. */
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
  { sport }: SideOptions,
): Doubt | null {
  const theirHome = swapped ? theirs.away : theirs.home
  const theirAway = swapped ? theirs.home : theirs.away
  const home = mayBeOne(ours.home, theirHome) ? agreementOf(ours.home, theirHome, sport) : 0
  const away = mayBeOne(ours.away, theirAway) ? agreementOf(ours.away, theirAway, sport) : 0
  if (Math.max(home, away) === 0 || Math.min(home, away) >= likely) return null
  if (!areOneContest(ours, theirs, swapped)) return null
  const isNamesake = [
    [ours.home, theirHome, home] as const,
    [ours.away, theirAway, away] as const,
  ].some(([one, other, agreement]) => agreement < likely && mayBeNamesake(one, other, sport))
  const doubt = {
    swapped,
    home: home < likely,
    away: away < likely,
    isPartlyNamed: true,
    isNamesake,
  }
  if (Math.min(home, away) > 0) return doubt
  const [own, their] = home === 0 ? [ours.home, theirHome] : [ours.away, theirAway]
  if (own.key !== undefined && their.key !== undefined) return null
  const isSlip = isSlipOf(own, their)
  const isOpen = nameKindOf(sport) === 'team' ? mayStandFor(own, their) : isSlip
  const isPartlyNamed =
    areRelated(own.full, their.full, true) || mayBeNamesake(own, their, sport) || (isSlip && isOpen)
  // A side that has nothing to say for it but its opponent needs one who is beyond doubt.
  if (Math.max(home, away) < (isPartlyNamed ? likely : same)) return null
  return isPartlyNamed || isOpen ? { ...doubt, isPartlyNamed } : null
}

/** Whether one name is one that several teams have, and may be short for the other. */
function mayBeNamesake(a: Side, b: Side, sport: string): boolean {
  if (areRelated(a.full, b.full, true)) return !areOnlyRelated(a, b, sport)
  const mayBeShort = a.parsed.joinedWords === b.parsed.joinedWords || compareSides(a, b) > 0
  return mayBeShort && sport === 'soccer' && namesSeveral(a.parsed, b.parsed)
}

/** Whether a name may be a team's, for certain or not. */
export const mayBeTeam = (a: Side, b: Side) =>
  (mayBeOne(a, b) && compareSides(a, b) > 0) || areRelated(a.full, b.full, true)

/** So many letters may be wrong in a name; another team or player has another name. */
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

/** "TBD", "Winner QF1": nobody's name, and another's the next day. */
const placeholder =
  /^(?:tb[ad]|unknown|opponent|bye|qualifier|(?:home|away)(?: team)?|team [a-z0-9]|player [a-z0-9]|[a-z]?\d+[a-z]*)$|\b(?:winner|loser|runner[\s-]?up|qualifier|place)\b/i

const isPlaceholder = (name: string) => name.trim().length < 3 || placeholder.test(name.trim())

/** Whether two games have sides that may be one. */
export const mayShareSide = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  sidesAgree(one, other, 1, options)

/** Whether a side that is the same plays in two games: its opponents are others beyond doubt. */
export const areTwoGames = (one: NamedGame, other: NamedGame, options: SideOptions): boolean =>
  sidesAgree(one, other, same, options) &&
  createSides(one, options)(other).weaker === 0 &&
  findDoubt(one, other, options) === null

function sidesAgree(one: NamedGame, other: NamedGame, least: number, options: SideOptions) {
  const ours = readSides(one, options)
  const theirs = readSides(other, options)
  // Its half, or its women's game, is not a side's second game.
  if (!areOneContest(ours, theirs, false) && !areOneContest(ours, theirs, true)) return false
  return [ours.home, ours.away].some((own) =>
    [theirs.home, theirs.away].some(
      (side) => mayBeOne(own, side) && compareSides(own, side) >= least,
    ),
  )
}
