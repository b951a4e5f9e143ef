/**
 * The question that a price is filed under if an additional outcome, or the lack of a draw, changes
 * the market's question (`three-ways.ts`). The record decides, and how the sportsbook's rows on the
 * rung are filed. Reads rows and changes none.
 */

import type { FeedMarket, FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { outcomesListed } from '../../rules/odds/outcome-words.ts'
import { flipLine, flipSelectionType, homeLine } from '../../rules/odds/questions.ts'
import { hasUnlinedDraw, withUnlinedDrawOn } from '../../rules/odds/stated-market.ts'
import {
  drawsOf,
  hasOutcomeMore,
  hasOutsider,
  isDrawn,
  isWhole,
  marketsWithoutDraw,
  type QuestionBeside,
  questionsBeside,
  type RungsMore,
  rungOf,
  rungsMore,
  type StatesDraw,
} from '../../rules/odds/three-ways.ts'
import { noRow, type Offer } from '../events/offer.ts'
import type { PriceTable } from './price-table.ts'
import { rowsByMarket, rowsOfMarket } from './unlined-ends.ts'

/** The place of a row whose type fully identifies its outcome; sides are the event's. */
export type OutcomePlace = Pick<OddsRow, 'marketType' | 'selectionType' | 'line' | 'playerName'>
type Question = Pick<OddsRow, 'marketType' | 'playerName'>

/** A market under the type of a related question. */
export interface Beside {
  readonly market: FeedMarket
  /** The rungs on which the record has the additional outcome, priced or not. */
  readonly named: RungsMore | null
  /** The rungs on which it changes the question by itself. */
  readonly rungs: RungsMore | null
  /** For each rung that the record names, how it was filed before the record. */
  readonly filed: ReadonlyMap<number | null, FiledBefore>
  /**
   * Rungs whose additional outcome is gone and that a delta states completely without it; or that
   * have their draw again.
   */
  readonly returned: ReadonlySet<number | null>
}

/**
 * Whether the sportsbook has the rung filed under the related type: only so, or beside prices under
 * the market's own type.
 */
type FiledBefore = 'never' | 'alone' | 'beside'

type PlayerOf = (offer: Offer, market: FeedMarket, record: OddsRecord) => string | null

/** @param rowOf returns the row of a place at an offer, or `noRow` */
export function createFiling(
  prices: PriceTable,
  rowOf: (offer: Offer, place: OutcomePlace) => number,
) {
  /**
   * Returns, by market, the related questions that arise from this record and the sportsbook's
   * earlier ones. Empty for a market that no outcome changes; null if neither the record nor the
   * rows of the offer have an additional outcome or lack a draw. To be computed before the record
   * changes a row, so that the order of its statements does not matter.
   */
  function questionsOf(
    offer: Offer,
    record: OddsRecord,
    markets: readonly FeedMarket[],
    playerOf: PlayerOf,
  ): readonly (readonly Beside[])[] | null {
    const { sport } = offer.event.row
    const isFull = record.mode === 'snapshot'
    const isOther =
      offer.filedByDraw > 0 ||
      hasOutcomeMore(markets, sport) ||
      (isFull && marketsWithoutDraw(markets, sport).size > 0)
    if (!isOther) return null
    const statesDraw = drawsOf(markets)
    return markets.map((market) => {
      const besides = questionsBeside(market, sport)
      if (besides.length === 0) return []
      const playerName = playerOf(offer, market, record)
      const all = besides.map((question) => {
        const { marketType } = question
        const filed = filedBefore(offer, market, marketType, playerName)
        const rungs = question.isWithoutDraw
          ? withoutDraw(record, market, statesDraw, filed, sport)
          : { ...rungsOf(record, market, markets, question, sport), returned: noRungs }
        return { market: { ...market, marketType }, question, filed, ...rungs }
      })
      const isPlain = record.mode === 'delta' && all.every(({ named }) => named === null)
      return all.map(({ question, ...beside }) => {
        if (question.isWithoutDraw) return beside
        const isReturned = ([rung, before]: readonly [number | null, FiledBefore]) =>
          isPlain &&
          before === 'alone' &&
          !question.has('draw') &&
          isRestated(offer, market, { marketType: question.marketType, playerName }, rung)
        const returned = new Set([...beside.filed].filter(isReturned).map(([rung]) => rung))
        return { ...beside, returned }
      })
    })
  }

  /**
   * Returns whether a market states, with prices, all rows of a related question on a rung, and its
   * own outcomes there make a complete question (`isWhole`).
   */
  function isRestated(
    offer: Offer,
    market: FeedMarket,
    { marketType, playerName }: Question,
    rung: number | null,
  ): boolean {
    const { sport } = offer.event.row
    if (!isWhole(market, rung, sport)) return false
    const restated = new Set(
      market.selections
        .filter((stated) => stated.price !== null && rungOf(market, stated) === rung)
        .map(({ selectionType }) =>
          rowOnRung(offer, { marketType, playerName }, selectionType, rung),
        ),
    )
    // A word that is no outcome of the market has no rung: its sign does not matter.
    const isOnRung = (line: number | null) =>
      line === null || rung === null ? line === rung : Math.abs(line) === Math.abs(rung)
    const rows = rowsOfMarket(prices, rowsByMarket(prices, offer), offer, market, [playerName])
    return rows.every(
      (of) =>
        of.marketType !== marketType || !isOnRung(prices.line(of.row)) || restated.has(of.row),
    )
  }

  function filedBefore(
    offer: Offer,
    market: FeedMarket,
    marketType: string,
    playerName: string | null,
  ): ReadonlyMap<number | null, FiledBefore> {
    const filed = new Map<number | null, FiledBefore>()
    for (const stated of market.selections) {
      const rung = rungOf(market, stated)
      if (filed.has(rung)) continue
      const hasRows = (type: string, isSuch: (row: number) => boolean) =>
        hasRow(offer, { marketType: type, playerName }, market.marketType, rung, isSuch)
      if (!hasRows(marketType, prices.isFiledByDraw)) filed.set(rung, 'never')
      else if (hasRows(market.marketType, () => true)) filed.set(rung, 'beside')
      else filed.set(rung, 'alone')
    }
    return filed
  }

  /**
   * Returns whether the offer has such a row on a rung of a question.
   * @param stated the type whose outcomes the question has, and perhaps one more
   */
  function hasRow(
    offer: Offer,
    question: Question,
    stated: string,
    rung: number | null,
    isSuch: (row: number) => boolean,
  ): boolean {
    for (const outcome of outcomesWithDraw(stated, offer.event.row.sport)) {
      const row = rowOnRung(offer, question, outcome, rung)
      if (row !== noRow && isSuch(row)) return true
    }
    return false
  }

  /** @param outcome by the sportsbook's sides */
  function rowOnRung(
    offer: Offer,
    { marketType, playerName }: Question,
    outcome: string,
    rung: number | null,
  ): number {
    const stated = homeLine(marketType, outcome, rung)
    const line = offer.swapped ? flipLine(outcome, stated, marketType) : stated
    const selectionType = offer.swapped ? flipSelectionType(outcome, marketType) : outcome
    return rowOf(offer, { marketType, selectionType, line, playerName })
  }

  /**
   * Returns a stated selection and its market as filed under the related question; null if it stays
   * in its market. Its type is its name there, so that its row is found again.
   */
  function placeOf(
    offer: Offer,
    record: OddsRecord,
    market: FeedMarket,
    besides: readonly Beside[],
    stated: FeedSelection,
  ): { readonly market: FeedMarket; readonly stated: FeedSelection } | null {
    const { sport } = offer.event.row
    for (const beside of besides) {
      if (!isOf(record, market, beside, stated, sport)) continue
      const isFound = outcomesWithDraw(market.marketType, sport).has(stated.selectionType)
      return { market: beside.market, stated: isFound ? { ...stated, selection: null } : stated }
    }
    return null
  }

  /**
   * Returns a delta's markets. A draw without a line is put on the only rung where the sportsbook
   * has a draw, so that it finds the row of its snapshot. It stays if the market or the sportsbook's
   * rows have a handicap of 0, because the draw may be that one's.
   */
  function withDrawsFound(
    offer: Offer,
    record: OddsRecord,
    markets: readonly FeedMarket[],
    playerOf: PlayerOf,
  ): readonly FeedMarket[] {
    if (!markets.some(hasUnlinedDraw)) return markets
    const isLevel = (market: FeedMarket) =>
      market.selections.some((of) => of.selectionType !== 'draw' && rungOf(market, of) === 0)
    return markets.map((market) => {
      if (!hasUnlinedDraw(market) || isLevel(market)) return market
      const rung = onlyRungWithDraw(offer, market.marketType, playerOf(offer, market, record))
      return rung === null ? market : withUnlinedDrawOn(market, rung)
    })
  }

  /**
   * Returns the only rung of a handicap on which the offer has a draw; null if there are several,
   * or it has any price at 0.
   */
  function onlyRungWithDraw(offer: Offer, stated: string, playerName: string | null) {
    const rungs = new Set<number | null>()
    const byMarket = rowsByMarket(prices, offer)
    const named = rowsOfMarket(prices, byMarket, offer, { marketType: stated }, [playerName])
    for (const { row, marketType } of named) {
      const line = prices.line(row)
      if (line === 0) return null
      if (rowOf(offer, { marketType, selectionType: 'draw', line, playerName }) !== row) continue
      rungs.add(offer.swapped ? flipLine('draw', line, marketType) : line)
    }
    const [rung = null] = rungs
    return rungs.size === 1 ? rung : null
  }

  return { questionsOf, placeOf, rowOnRung, withDrawsFound }
}

function rungsOf(
  { mode }: OddsRecord,
  market: FeedMarket,
  markets: readonly FeedMarket[],
  { has, isNamedUnpriced }: QuestionBeside,
  sport: string,
): Pick<Beside, 'named' | 'rungs'> {
  const named = rungsMore(market, markets, sport, ({ selectionType }) => has(selectionType))
  if (named === null || (isNamedUnpriced && mode === 'snapshot')) return { named, rungs: named }
  const isPriced = (of: FeedSelection) => has(of.selectionType) && of.price !== null
  return { named, rungs: rungsMore(market, markets, sport, isPriced) }
}

const noRungs: ReadonlySet<number | null> = new Set()

/**
 * Returns the rungs that a snapshot lists without their draw (`rungs`), and those filed so before
 * that have it by this record, stated or by prices that leave room for it (`returned`).
 */
function withoutDraw(
  { mode }: OddsRecord,
  market: FeedMarket,
  statesDraw: StatesDraw,
  filed: ReadonlyMap<number | null, FiledBefore>,
  sport: string,
): Pick<Beside, 'named' | 'rungs' | 'returned'> {
  const rungs = new Set<number | null>()
  const returned = new Set<number | null>()
  for (const [rung, before] of filed) {
    const drawn = isDrawn(market, rung, statesDraw, sport)
    if (drawn === true && before !== 'never') returned.add(rung)
    const isTold = before !== 'never' || !hasOutsider(market)
    if (drawn === false && mode === 'snapshot' && isTold) rungs.add(rung)
  }
  return { named: null, rungs: rungs.size > 0 ? rungs : null, returned }
}

/**
 * Returns whether a stated selection belongs to the related question. It does if the additional
 * outcome is priced on its rung, or named while the sportsbook has the rung filed so. It also does
 * if the rung is filed only so and not in `returned`; in a snapshot, which restates the whole
 * question, only if the probabilities of its own outcomes sum to less than 1: then another outcome
 * is missing.
 */
function isOf(
  record: OddsRecord,
  market: FeedMarket,
  { named, rungs, filed, returned }: Beside,
  stated: FeedSelection,
  sport: string,
): boolean {
  const rung = rungOf(market, stated)
  if (isNamed(rungs, rung)) return true
  const before = filed.get(rung)
  if (before !== 'never' && isNamed(named, rung)) return true
  if (returned.has(rung)) return false
  return before === 'alone' && (record.mode === 'delta' || !isWhole(market, rung, sport))
}

/** Returns the rungs that first get the additional outcome by this record. */
export const rungsToMove = ({ rungs, filed }: Beside) =>
  [...filed].flatMap(([rung, before]) => (before === 'never' && isNamed(rungs, rung) ? [rung] : []))

const isNamed = (rungs: RungsMore | null, rung: number | null) =>
  rungs === 'all' || rungs?.has(rung) === true

/** Returns the possible outcomes of a market, and a draw. */
export const outcomesWithDraw = (marketType: string, sport: string): ReadonlySet<string> =>
  new Set([...(outcomesListed(marketType, sport) ?? []), 'draw'])
