/**
 * The question that the label of a stated selection asks, if it has more than the outcome and its
 * line: "Lakers 1H", "Over 2.5 Corners", "Lakers (Draw No Bet)", "Napoli Over 2.5" of a game's
 * total, "Lakers & Over 215.5". A price with such a label is of another question than its market.
 *
 * Words that name no question, such as words of other languages, are ignored.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { marketsWithin } from '../../../schemas/reference/market-names.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { type Part, readPart } from '../../../schemas/reference/periods.ts'
import { isBareSideName } from '../names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import { isBareOutcome, withoutOutcome } from '../names/labelled-player.ts'
import { ownWords, withoutNames, wordsOf } from './label-words.ts'
import { teamOf } from './outcome-sets.ts'
import { isHandicap, isOfUnknownPlayer, outcomesOf } from './questions.ts'
import { statedSide } from './team-totals.ts'
import { isGameTotal, totalOwner } from './total-owners.ts'

/** A label beside what is stated of its selection. */
export interface LabelledSelection {
  readonly marketType: string
  readonly playerName: string | null
  readonly selectionType: string
  readonly label: string
}

/** Returns whether a label asks another question than the market of its selection. */
export function asksAnotherQuestion(
  of: LabelledSelection,
  game: NamedGame,
  options: SideOptions,
): boolean {
  const market = findMarket(of.marketType)
  if (market === undefined || !isCompared(of, options.sport) || isBareOutcome(of.label))
    return false
  const names = [game.home, game.away, of.playerName]
  const beside = withoutNames(wordsOf(of.label), names, options).join(' ')
  return (
    namesAnotherQuestion(beside, market.id, options.sport) ||
    isOfAnotherOwner(of, market.id, game, options) ||
    isCombined(of.label, game, options)
  )
}

/** Returns whether a selection is compared with others, in a market that is not itself about parts of the game. */
const isCompared = ({ marketType, playerName, selectionType }: LabelledSelection, sport: string) =>
  !isOfUnknownPlayer(marketType, playerName) &&
  !/(?:half|halves)(?:_goal_scored)?$/.test(marketType) &&
  outcomesOf(marketType, sport)?.some((set) => set.includes(selectionType)) === true

// ---- what the words beside the names ask

/**
 * Returns whether a text without names is of another part of the game than a listed market, or
 * names another market.
 */
export const namesAnotherQuestion = (text: string, marketType: string, sport: string) =>
  text !== '' && namesAnother(`${sport}|${marketType}|${text}`)

const namesAnother = memoise((key: string): boolean => {
  const [sport = '', id = ''] = key.split('|', 2)
  const market = findMarket(id) as Market
  const own = ownWords(id)
  const { part, rest } = readPart(wordsOf(key.slice(sport.length + id.length + 2)), sport)
  if (!isPartOf(part, market)) return true
  const kind = market.isPlayerProp ? 'player' : market.answers === 'handicap' ? 'handicap' : null
  return marketsWithin(rest, sport, kind).some(
    ({ words, named }) => !words.every((word) => own.has(word)) && isAnother(named, market),
  )
})

/** Returns whether a part of the game is that of a market; a label may leave it out. */
const isPartOf = (part: Part, { period, answers, base }: Market) =>
  part === 'game' ||
  part === period ||
  (part === 'regulation' && (answers === 'three_ways' || base === 'draw_no_bet'))

/**
 * Returns whether the market that a label names is another than the selection's. Words for who wins
 * are also in other markets ("to win"), and the unit of the score is also that of all its lines.
 */
function isAnother(named: Market, own: Market): boolean {
  if (named.base === own.base || named.answers === 'winner') return false
  if (named.answers === 'various' || named.isPlayerProp !== own.isPlayerProp) return false
  if (own.isPlayerProp) return named.answers === own.answers
  if (named.counts !== 'score') return true
  if (named.answers === 'over_under') return own.hasLine && own.counts !== 'score'
  return named.answers !== 'handicap' || !own.hasLine || !isHandicap(own.id)
}

// ---- whose the total is, and several outcomes in one

/** Returns whether a label names an owner of a game's total, or the other side for a side's own question. */
function isOfAnotherOwner(
  { label, selectionType, playerName }: LabelledSelection,
  id: string,
  game: NamedGame,
  options: SideOptions,
): boolean {
  if (isGameTotal(id)) {
    const whose = totalOwner(label, id, game, options)
    return whose !== null && (playerName === null || whose.side !== null)
  }
  const owner = teamOf(selectionType)
  const side = owner === null ? null : statedSide(label, game, options)
  if (side === null || side === owner) return false
  const own = ownWords(id)
  const words = wordsOf(withoutOutcome(label))
  const name = words.filter((word) => !own.has(word)).join(' ')
  return name === side || (name !== '' && isBareSideName(name, game[side], options))
}

const joints = /\s*[&/]\s*|\s+(?:\+|and)\s+/i

/** A word with an unsigned line, in any language: "Over 2.5", "Oltre 2,5". */
const wordAndLine = /^\p{L}+ \d+[.,]\d+$/u

/** Returns whether a label joins two outcomes, "Lakers & Over 215.5", and not the parts of one name. */
function isCombined(label: string, game: NamedGame, options: SideOptions): boolean {
  if (!joints.test(label)) return false
  const names = [game.home, game.away]
  const isOf = (name: string) => (text: string) => isBareSideName(text, name, options)
  const isSide = (text: string) => text === jointName || names.some((name) => isOf(name)(text))
  if (isSide(wordsOf(label).join(' '))) return false
  const isOutcome = (text: string) =>
    /\p{L}/u.test(text) &&
    (isBareOutcome(text) ||
      wordAndLine.test(text) ||
      normaliseName(text) === 'draw' ||
      isSide(text))
  const outcomes = names
    .filter((name) => joints.test(name))
    .reduce((text, name) => text.replaceAll(name, jointName), label)
    .split(joints)
    .filter(isOutcome)
  if (outcomes.length < 2) return false
  const isOneName = names.some((name) => outcomes.every(isOf(name)))
  return !isOneName || new Set(outcomes).size < outcomes.length
}

/** The placeholder for a side whose own name has a joint. */
const jointName = 'a side'
