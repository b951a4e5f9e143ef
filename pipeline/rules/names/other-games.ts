/**
 * Finds other games that a listing may be, besides the one that it fits best: then it matches none.
 * `matching.ts` finds the best one.
 */

import { areRelated } from './club-comparison.ts'
import {
  areOneContest,
  compareSides,
  type GameSides,
  likely,
  mayBeOne,
  type NamedGame,
  readGame,
  readSides,
  type Side,
  type SideOptions,
  type Sides,
} from './game-sides.ts'
import { day, isWeekly, sameStartMs, windowOf } from './start-times.ts'
import { nameKindOf } from './team-names.ts'

interface StartedGame extends NamedGame {
  /** Epoch ms. */
  readonly startsAt: number
}

/**
 * Returns the other games that a listing may be. A short name fits a club of each, and one club
 * could not play both. Or its names are short for those of both games at one start. Or they state
 * no country, but the other game's names do.
 * @param sides compares the listing's sides
 */
export function findOthers<C extends StartedGame>(
  listing: NamedGame,
  { candidate: chosen, swapped }: { readonly candidate: C; readonly swapped: boolean },
  candidates: readonly C[],
  sides: Sides,
  options: SideOptions,
): readonly C[] {
  if (nameKindOf(options.sport) !== 'team') return []
  const ours = readGame(listing.home, listing.away, options)
  const game = readSides(chosen, options)
  const [theirHome, theirAway] = swapped ? [game.away, game.home] : [game.home, game.away]
  const home = shortened(ours.home, theirHome)
  const away = shortened(ours.away, theirAway)
  const mayBeNamesake = saysNoCountry(ours.home) && saysNoCountry(ours.away)
  const less = [...lessThan(ours.home, theirHome), ...lessThan(ours.away, theirAway)]
  if (!home && !away && !mayBeNamesake && less.length === 0) return []
  const restMs = isWeekly(options) ? day : windowOf(options)
  return candidates.filter((other) => {
    const apartMs = Math.abs(other.startsAt - chosen.startsAt)
    if (other === chosen || apartMs > restMs) return false
    const theirs = readSides(other, options)
    if (home && (fitsBoth(home, theirs.home) || fitsBoth(home, theirs.away))) return true
    if (away && (fitsBoth(away, theirs.home) || fitsBoth(away, theirs.away))) return true
    if (apartMs > sameStartMs) return false
    if (less.some((one) => isLess(one, theirs)) && sides(other).weaker > 0) return true
    return isNamesake(ours.home, theirs.home) && isNamesake(ours.away, theirs.away)
  })
}

/** Two names of a club, one of them less complete. */
interface Shortened {
  readonly short: Side
  readonly long: Side
}

/** Returns the names of a club that no table has, if one of them is less complete. */
const shortened = (one: Side, other: Side): Shortened | undefined =>
  one.key === undefined && other.key === undefined ? lessOf(one, other) : undefined

function lessOf(one: Side, other: Side): Shortened | undefined {
  // A country's name is not short for a club: "USA" can only be the United States.
  if (one.parsed.country !== undefined) return undefined
  const more = one.parsed.words.length - other.parsed.words.length
  if (more === 0) return undefined
  return more < 0 ? { short: one, long: other } : { short: other, long: one }
}

/**
 * Returns the same if the first name is the less complete one, regardless of tables; else an empty
 * list.
 */
function lessThan(one: Side, other: Side): readonly Shortened[] {
  const found = lessOf(one, other)
  return found?.short === one ? [found] : []
}

/** Returns whether a name is short for another club as well. */
const fitsBoth = ({ short, long }: Shortened, other: Side): boolean =>
  other.parsed.words.length > short.parsed.words.length &&
  mayBeOne(short, other) &&
  (compareSides(short, other) >= likely || areRelated(short.full, other.full, true)) &&
  compareSides(long, other) === 0

/**
 * Returns whether a name is less complete than that of a club of another game, which contradicts
 * the longer one.
 */
const isLess = ({ short, long }: Shortened, { home, away }: GameSides): boolean =>
  [home, away].some(
    (other) =>
      other.parsed.words.length > short.parsed.words.length &&
      mayBeOne(short, other) &&
      compareSides(short, other) > 0 &&
      compareSides(long, other) === 0,
  )

/** Returns whether a name without a country may be a club whose name states one. */
const isNamesake = (name: Side, other: Side) =>
  name.parsed.letters === other.parsed.letters && saysNoCountry(name) && !saysNoCountry(other)

export const saysNoCountry = ({ parsed }: Side) => parsed.written?.from === undefined

/**
 * Returns the other games within a day that may have a side of the listing, if the chosen game
 * matches that side only in part.
 */
export function findElsewhere<C extends StartedGame>(
  listing: StartedGame,
  chosen: StartedGame,
  candidates: readonly C[],
  options: SideOptions,
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
