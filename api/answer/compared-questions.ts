/**
 * The questions of a market with the prices of all sportsbooks side by side: which rows offer each outcome, the best
 * and the worst of them, and the hold.
 */

import { isOutOfPlay } from '../../pipeline/rules/odds/behind-play.ts'
import { isComparable } from '../../pipeline/rules/odds/in-play-handicaps.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { type OutcomeSet, teamOf } from '../../pipeline/rules/odds/outcome-sets.ts'
import { homeLine, isOfUnknownPlayer, rungKey } from '../../pipeline/rules/odds/questions.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendFew, appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { Selection } from '../../pipeline/views/board/block.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { liveBit, preMatchBit, type QuoteWalk } from '../../pipeline/views/query/quotes.ts'
import { addTo } from '../../schemas/grouping.ts'
import { memoise } from '../../schemas/memoise.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import { members } from './json.ts'
import type { TimesNoted } from './kept-texts.ts'
import { appendTimes, priceText, quoted, utf8, withheldText } from './price-text.ts'
import { shownSelection } from './selections.ts'

export type Rows = BoardView['rows']

/** A selection and the rows that offer it, by slug. At least one row is not of a reference. */
export interface Quoted {
  readonly selection: Selection
  readonly offers: readonly number[]
}

/** The outcomes on one rung of a question. */
export type Question = readonly Quoted[]

/** Returns the questions of the current market. */
export function questionsOf({ rows }: BoardView, walk: QuoteWalk): readonly Question[] {
  const { marketType } = walk
  const questions = new Map<string, Quoted[]>()
  const bySlug = (a: number, b: number) =>
    compareTexts(rows.sighted(a).sportsbook, rows.sighted(b).sportsbook)
  while (walk.nextSelection()) {
    const offers: number[] = []
    if (walk.pickActive(undefined, Number.POSITIVE_INFINITY, offers) === 0) continue
    if (offers.every((row) => isReference(rows, row))) continue
    // Rows with another label of the same outcome come after the rest, so all are sorted again.
    if (rows.selection(offers[0]!) !== rows.selection(offers.at(-1)!)) offers.sort(bySlug)
    const { selection } = walk
    const key = rungKey(marketType, selection)
    addTo(questions, key, { selection, offers })
  }
  return [...questions.values()]
}

/**
 * Appends a question with its hold and selections.
 * @param usable as `markUsable` gives it for the event
 * @param noted gets the places of times of sightings
 */
export function appendItem(
  board: BoardView,
  event: ViewEvent,
  usable: Uint8Array,
  marketType: string,
  sets: readonly OutcomeSet[],
  entries: Question,
  page: PageBuffer,
  noted: TimesNoted,
) {
  const question = members(fieldsOf(event, marketType, entries[0]!.selection))
  const isWhole =
    !isOfUnknownPlayer(marketType, entries[0]!.selection.playerName) &&
    sets.some((set) => isAnsweredBy(set, entries))
  const ranked = entries.map(({ offers }) => rank(board.rows, event, usable, marketType, offers))
  const hold = isWhole ? holdText(board, ranked) : noHold
  appendText(page, `{${question}"hold":${hold},"selections":[`)
  for (let i = 0; i < entries.length; i++) {
    const { selection, offers } = entries[i]!
    if (i > 0) appendFew(page, comma)
    appendSelection(board, event, marketType, selection, offers, ranked[i]!, page, noted)
  }
  appendFew(page, itemEnd)
}

export const comma = utf8(',')
const itemEnd = utf8(']}')
const behindPlay = ',"is_live":false'
const behindPlayBytes = utf8(behindPlay)

/** Returns the fields that distinguish the questions of an event. No two questions share all of them. */
function fieldsOf(event: ViewEvent, marketType: string, selection: Selection): object {
  const { playerName } = selection
  const { selection_type, line } = shownSelection(event, marketType, selection)
  const team = teamOf(selection_type)
  return {
    market_type: marketType,
    line: homeLine(marketType, selection_type, line),
    ...(team !== null && { team }),
    ...(playerName !== null && { player_name: playerName }),
  }
}

/** By sportsbook number: sum of the implied probabilities and number of its outcomes. */
const sums: number[] = []
const answered: number[] = []

/**
 * Returns the hold in percent, the sum of implied probabilities less one. It is given for the best
 * prices, and for each sportsbook with a price for every outcome.
 */
function holdText({ rows, sportsbooks }: BoardView, ranked: readonly Ranked[]): string {
  const books: number[] = []
  let best = -1
  let isBettable = true
  for (const outcome of ranked) {
    isBettable &&= outcome.standing === bettable && outcome.isCompared
    if (outcome.standing >= old) continue
    // These are the prices of the lowest standing: those to bet on, if the outcome has any.
    for (const row of outcome.counting) {
      const { book } = rows.sighted(row)
      const implied = 1 / rows.price(row)
      if (answered[book]) {
        sums[book]! += implied
        answered[book]!++
      } else {
        sums[book] = implied
        answered[book] = 1
        books.push(book)
      }
    }
    best += 1 / rows.price(outcome.best)
  }
  let byBook = ''
  for (const book of books) {
    if (answered[book] === ranked.length) {
      byBook += `${byBook === '' ? '' : ','}${quoted(sportsbooks[book]!)}:${percentText(sums[book]! - 1)}`
    }
    answered[book] = 0
  }
  return `{"best_available":${isBettable ? percent(best) : null},"by_book":{${byBook}}}`
}

/** For outcomes that do not form a complete set. */
const noHold = '{"best_available":null,"by_book":{}}'

/** Returns whether the selections are exactly the outcomes of the set. */
const isAnsweredBy = (set: OutcomeSet, entries: readonly Quoted[]) =>
  set.length === entries.length &&
  set.every((answer) => entries.some(({ selection }) => selection.selectionType === answer))

function appendSelection(
  board: BoardView,
  event: ViewEvent,
  marketType: string,
  selection: Selection,
  offers: readonly number[],
  ranked: Ranked,
  page: PageBuffer,
  noted: TimesNoted,
) {
  const { rows } = board
  const { playerName } = selection
  const shown = shownSelection(event, marketType, selection)
  const player = playerName === null ? '' : `"player_name":${quoted(playerName)},`
  appendText(
    page,
    `{"selection":${quoted(shown.selection)},"selection_type":${quoted(shown.selection_type)},"line":${shown.line},${player}"books":{`,
  )
  for (let i = 0; i < offers.length; i++) {
    const row = offers[i]!
    appendFew(page, (i === 0 ? firstOffer : furtherOffer)(rows.sighted(row).sportsbook))
    appendFew(page, priceText(rows.price(row)).oddsBytes)
    if (isOutOfPlay(rows.isLive(row), event.row)) appendFew(page, behindPlayBytes)
    appendTimes(page, rows, row, noted)
  }
  appendText(page, `},${extremesText(rows, ranked)}}`)
}

/**
 * Returns the best and the worst of the prices that count; null if the outcome has only old ones, or
 * prices that are not compared.
 */
function extremesText(rows: Rows, { standing, best, worst, isCompared }: Ranked): string {
  if (standing >= old || !isCompared) return noExtremes
  const bestPrice = rows.price(best)
  const worstPrice = rows.price(worst)
  const spread = percent(1 / worstPrice - 1 / bestPrice)
  return `"best_book":${quoted(rows.sighted(best).sportsbook)},"best_odds":${priceText(bestPrice).american},"worst_book":${quoted(rows.sighted(worst).sportsbook)},"worst_odds":${priceText(worstPrice).american},"spread":${spread}${standing === outOfPlay ? behindPlay : ''}${withheldText(rows.withheld(best))}`
}

const noExtremes =
  '"best_book":null,"best_odds":null,"worst_book":null,"worst_odds":null,"spread":null'
const firstOffer = memoise((sportsbook) => utf8(`${quoted(sportsbook)}:{`))
const furtherOffer = memoise((sportsbook) => utf8(`,${quoted(sportsbook)}:{`))
/** Standings of a price: the lowest among an outcome's prices decides which of them count. From `old` on none does. */
const [bettable, outOfPlay, withheld, old, reference] = [0, 1, 2, 3, 4]

function standingOf(rows: Rows, event: ViewEvent, usable: Uint8Array, row: number): number {
  const reason = rows.withheld(row)
  if (reason === 'reference') return reference
  if (usableBit(rows, row, usable) === 0) return old
  if (reason !== null) return withheld
  return isOutOfPlay(rows.isLive(row), event.row) ? outOfPlay : bettable
}

/** Returns 0 for a price that was last seen too long ago, else its bit. */
export const usableBit = (rows: Rows, row: number, usable: Uint8Array): number =>
  usable[rows.sighted(row).book]! & (rows.isLive(row) ? liveBit : preMatchBit)

/** The prices of an outcome that count: those of the lowest standing. */
interface Ranked {
  readonly standing: number
  readonly counting: readonly number[]
  /** The first with the highest price, and the first with the lowest. */
  readonly best: number
  readonly worst: number
  /** Whether they are prices of the same bet. */
  readonly isCompared: boolean
}

function rank(
  rows: Rows,
  event: ViewEvent,
  usable: Uint8Array,
  marketType: string,
  offers: readonly number[],
): Ranked {
  let standing = Number.POSITIVE_INFINITY
  let counting: number[] = []
  let best = -1
  let worst = -1
  for (let i = 0; i < offers.length; i++) {
    const row = offers[i]!
    const own = standingOf(rows, event, usable, row)
    if (own > standing) continue
    if (own < standing) {
      standing = own
      counting = [row]
      best = row
      worst = row
      continue
    }
    counting.push(row)
    if (rows.price(row) > rows.price(best)) best = row
    if (rows.price(row) < rows.price(worst)) worst = row
  }
  const { answers } = questionOf(marketType)
  const isLive = counting.some((row) => rows.isLive(row))
  const isCompared = isComparable(answers, event.row.sport, isLive)
  return { standing, counting, best, worst, isCompared }
}

/** Returns whether the price is a reference, which cannot be bet on. */
const isReference = (rows: Rows, row: number) => rows.withheld(row) === 'reference'

/** Converts a fraction to percent with two decimals. */
const percent = (fraction: number) => Math.round(fraction * 1e4) / 100
/** Cached, because distinct values are few and formatting a fraction is slow. */
const textOfHundredths = memoise((hundredths: number) => String(hundredths / 100))
const percentText = (fraction: number) => textOfHundredths(Math.round(fraction * 1e4))

/**
 * Returns the best price of a market's first selection with a price to bet on, for clients that
 * want a single row. Null if all prices are old, from before play, or not compared.
 */
export function headline(
  { rows }: BoardView,
  event: ViewEvent,
  usable: Uint8Array,
  marketType: string,
  questions: readonly Question[],
): object | null {
  for (const entries of questions) {
    for (const { selection, offers } of entries) {
      const { standing, best, isCompared } = rank(rows, event, usable, marketType, offers)
      if (standing === outOfPlay || standing >= old || !isCompared) continue
      return singleRow(rows, event, marketType, selection, best)
    }
  }
  return null
}

function singleRow(
  rows: Rows,
  event: ViewEvent,
  marketType: string,
  selection: Selection,
  best: number,
): object {
  const price = rows.price(best)
  const reason = rows.withheld(best)
  const probability = shownProbability(price)
  return {
    id: String(rows.id(best)),
    sportsbook: rows.sighted(best).sportsbook,
    market_type: marketType,
    ...shownSelection(event, marketType, selection),
    odds_american: decimalToAmerican(price),
    odds_decimal: shownPrice(price),
    odds_probability: probability,
    probability,
    ...(reason !== null && { withheld: reason }),
  }
}
