/**
 * Compares the label of a stated selection with its type and line. A price is unusable if the label
 * clearly names another outcome ("Boston Celtics" stated as the Knicks' side, "Under" as over,
 * "Over 225.5" at 220.5) or asks another question (`labelled-questions.ts`): nobody knows which of
 * the two is right. Unclear labels count as agreeing: other words, languages, partial names, and
 * numbers that may be no line.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { outcomeNamed } from '../../../schemas/reference/outcome-words.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import { asksAnotherQuestion } from './labelled-questions.ts'
import { decimalToAmerican } from './odds.ts'
import { isHandicap, outcomesOf } from './questions.ts'
import { isWithoutLine } from './stated-market.ts'

/** A stated selection, with the line that it inherits from its market. */
export interface Labelled {
  readonly marketType: string
  readonly playerName: string | null
  readonly selectionType: string
  readonly line: number | null
  readonly label: string
  readonly price: number
}

/** Returns whether a label names another outcome than its type, another line, or another question. */
export const contradictsLabel = (of: Labelled, game: NamedGame, options: SideOptions): boolean =>
  contradictsOutcome(of, game, options) ||
  contradictsLines(of, game) ||
  asksAnotherQuestion(of, game, options)

function contradictsOutcome(of: Labelled, game: NamedGame, options: SideOptions): boolean {
  const { selectionType } = of
  if (selectionType === 'home') return contradictsSide(of, game.home, game.away, options)
  if (selectionType === 'away') return contradictsSide(of, game.away, game.home, options)
  if (selectionType === 'draw') return contradictsDraw(of, game, options)
  const word = selectionType.slice(selectionType.lastIndexOf('_') + 1)
  const opposite = opposites.get(word)
  return opposite !== undefined && contradictsWord(of, word, opposite)
}

// ---- sides

function contradictsSide(
  { marketType, label, line, price }: Labelled,
  own: string,
  other: string,
  options: SideOptions,
): boolean {
  if (label === own || isNameOf(label, own, options)) return false
  if (isNameOf(label, other, options) || plainName(label) === 'draw') return true
  const [, name, stated] = sideAndLine.exec(label) ?? []
  if (name === undefined) return false
  if (isNameOf(name, other, options)) return true
  if (line === null || !isHandicap(marketType) || !isNameOf(name, own, options)) return false
  const number = Math.abs(numberOf(stated as string))
  // From 100 up it may be American odds. The sign may be that of home's line.
  return number < 100 && isLine(number, price) && number !== Math.abs(line)
}

/** Returns whether a draw, in a market with a draw, has the label of a side. */
function contradictsDraw(
  { marketType, label }: Labelled,
  { home, away }: NamedGame,
  options: SideOptions,
): boolean {
  const hasDraw = outcomesOf(marketType, options.sport)?.some((set) => set.includes('draw'))
  if (!hasDraw || outcomeNamed(label) === 'draw') return false
  const [, name = label] = sideAndLine.exec(label) ?? []
  return [home, away].some(
    (side) => isNameOf(label, side, options) || isNameOf(name, side, options),
  )
}

/**
 * Matches a name and a number that is no part of it: with a sign or decimals, so not the number of
 * Schalke 04.
 */
const sideAndLine = /^(.+?)\s*\(?([+-]\d+(?:\.\d+|,\d\d?)?|\d+(?:\.\d+|,\d\d?))\)?$/

/** Returns whether a name is exactly a side's: as stated, or a listed spelling of its team. */
function isNameOf(name: string, side: string, { resolveTeam }: SideOptions): boolean {
  const plain = plainName(name)
  if (plain === '') return false
  if (plain === plainName(side)) return true
  const team = resolveTeam?.(name)
  return team !== undefined && team.key === resolveTeam?.(side)?.key
}

const plainName = memoise(normaliseName)

// ---- words

const opposites: ReadonlyMap<string, string> = new Map(
  [
    ['over', 'under'],
    ['yes', 'no'],
    ['odd', 'even'],
  ].flatMap(([one, other]) => [
    [one!, other!],
    [other!, one!],
  ]),
)

/** One word with or without a number: "Over", "Under (2.5)", "o220.5". */
const wordAndLine = /^([a-z]+)(?:\s*\(?(\d+(?:\.\d+|,\d\d?)?)\)?)?$/

function contradictsWord(
  { label, playerName, line, price }: Labelled,
  word: string,
  opposite: string,
): boolean {
  const [, said, stated] = wordAndLine.exec(withoutPlayer(label, playerName)) ?? []
  if (said === undefined) return false
  const isShort = stated !== undefined && said.length === 1
  if (said === opposite || (isShort && said === opposite[0])) return true
  if (stated === undefined || line === null) return false
  if (said !== word && !(isShort && said === word[0])) return false
  const number = numberOf(stated)
  return isLine(number, price) && number !== line && !isBound(stated, word, line)
}

function withoutPlayer(label: string, playerName: string | null): string {
  const text = label.trim().toLowerCase()
  const player = playerName?.trim().toLowerCase() ?? ''
  return player !== '' && text.startsWith(player) ? text.slice(player.length).trim() : text
}

// ---- numbers

/** Two numbers that make one line: "-0.5, -1.0", "2.5/3", "0 & -0.5". */
const twoNumbers =
  /(?<![\p{L}\p{N}.,+-])([+-]?\d+(?:\.\d+|,\d(?!\d))?)(?:\s*[,/&]\s*|\s+and\s+)([+-]?\d+(?:[.,]\d+)?)(?![\p{L}\p{N}])/u

/** Matches a line with its sign, which is no number of a name and no price. */
const signedNumber = /(?<=^|[\s(])[+-]\d+(?:[.,]\d+)?(?![\p{L}\p{N}.,])/u

/** Matches the margin of a win in a label: "by 10", "10+". */
const margin = /\bby (?:\p{L}+ ){0,2}\d|(?<![\p{L}\p{N}])\d+\+(?!\d)/u

/**
 * Returns whether a label has the two halves of another line, or a line or a margin although the
 * market is about who is ahead and has no lines.
 */
function contradictsLines(
  { marketType, label, line, price }: Labelled,
  { home, away }: NamedGame,
): boolean {
  const text = label.replaceAll(home, '').replaceAll(away, '')
  const [, first, second] = twoNumbers.exec(text) ?? []
  if (line !== null) {
    if (first === undefined || second === undefined) return false
    const [one, other] = [first, second].map((half) => Math.abs(numberOf(half))) as [number, number]
    const isPair = Math.abs(one - other) === 0.5 && isLine(one, price) && isLine(other, price)
    return isPair && (one + other) / 2 !== Math.abs(line)
  }
  if (!isHandicap(marketType) || !isWithoutLine(marketType)) return false
  const [stated] = signedNumber.exec(text) ?? []
  const number = stated === undefined ? 0 : Math.abs(numberOf(stated))
  // From 100 up it is American odds.
  return margin.test(text) || (number !== 0 && number < 100 && isLine(number, price))
}

/**
 * Returns whether a number can only be a line: a multiple of a quarter, and not the price (to the
 * cent, or in American odds).
 */
function isLine(number: number, price: number): boolean {
  if (number % 0.25 !== 0) return false
  const cents = Math.round(Math.abs(number - price) * 100)
  return cents > 1 && number !== Math.abs(decimalToAmerican(price))
}

/**
 * Returns whether a number is the limit that still wins at a line: an over at 24.5 is "25", as in
 * "25 or more".
 */
const isBound = (stated: string, word: string, line: number) =>
  /^\d+$/.test(stated) &&
  ((word === 'over' && Number(stated) === line + 0.5) ||
    (word === 'under' && Number(stated) === line - 0.5))

const numberOf = (text: string) => Number(text.replace(',', '.'))
