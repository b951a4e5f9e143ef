/**
 * Warnings to a sender about accepted markets: unknown names, and selections that do not fit their
 * market or have no readable price. No part of a record is left out without a warning.
 */

import type { FeedMarket, FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { resolveLeague } from '../../../schemas/reference/leagues.ts'
import { possibleMarkets } from '../../../schemas/reference/market-names.ts'
import { findMarket, type Market, mainMarketType } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import {
  hasContradictoryLines,
  isUnexpectedLine,
  isUnlinedEnd,
  type MarketFault,
  selectionFault,
  typeBesideMore,
} from '../../rules/odds/market-faults.ts'
import { outcomesListed } from '../../rules/odds/outcome-words.ts'
import { isOfUnknownPlayer, outcomesOf } from '../../rules/odds/questions.ts'
import { isTeamTotal } from '../../rules/odds/team-totals.ts'
import {
  marketsWithoutDraw,
  questionsBeside,
  typeWithDraw,
  typeWithoutDraw,
} from '../../rules/odds/three-ways.ts'
import { outcomeKey } from '../kit/outcomes.ts'
import { isUnclearTotal } from './labelled-totals.ts'

/** The fault of a price; its selection is suspended. */
export type PriceFault = 'invalid_price' | 'missing_price' | 'price_mismatch'

/**
 * The fault of another member: the member, its selection or its market is left out or suspended.
 */
export type MemberFault = 'invalid_field' | 'invalid_date' | 'missing_field' | 'unknown_field'

export type WarningCode =
  | MarketFault
  | PriceFault
  | MemberFault
  | 'contradictory_label'
  | 'unknown_market'
  | 'unclear_market'
  | 'market_of_other_sports'
  | 'league_of_another_sport'
  | 'missing_draw'
  | 'unclear_team'
  | 'unknown_selection'
  | 'missing_player'
  | 'repeated_selection'
  | 'contradictory_prices'

export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The market in the sender's words; the league, if the warning concerns no market. */
  readonly marketType: string
  /** The selection in a few words, if the warning concerns one price. */
  readonly selection?: string
  /** Whether a part was left out of the record. */
  readonly isLeftOut: boolean
  /** The path of the first faulty member of this kind, and (`count`) how many the record has. */
  readonly path?: string
  readonly count?: number
  /** Listed types that may be meant. */
  readonly near?: readonly string[]
}

/** A market with our name, and the stated name. */
export interface NamedMarket {
  readonly statedType: string
  readonly market: FeedMarket
}

/** Warns if a listed league has the stated name but another sport: then it is another league. */
export function warnOfSport(
  warnings: Warning[],
  { league, sport }: { readonly league: string; readonly sport: string },
) {
  const { namesake, id } = resolveLeague(league, sport)
  if (!namesake) return
  const message = `${league} is a league of ${namesake.sport} here; that of ${sport} is served as ${id} and compared with no game of ${namesake.id}`
  const code = 'league_of_another_sport'
  warnings.push({ code, message, marketType: league, isLeftOut: false })
}

/** Returns the markets without their invalid parts, and the warnings. */
export function checkMarkets(
  named: readonly NamedMarket[],
  mode: OddsRecord['mode'],
  sport: string,
): { markets: FeedMarket[]; warnings: Warning[] } {
  const warnings: Warning[] = []
  const markets: FeedMarket[] = []
  const stated = named.map(({ market }) => market)
  const withoutDraw = mode === 'snapshot' ? marketsWithoutDraw(stated, sport) : null
  for (const one of named) {
    if (isNothing(warnings, one)) continue
    warnOfName(warnings, one, sport)
    if (withoutDraw?.has(one.market)) warnOfMissingDraw(warnings, one)
    const market = withoutFaults(warnings, one, sport)
    const isEnd = market.suspended && one.market.selections.length === 0
    if (isEnd || market.selections.length > 0) markets.push(market)
  }
  warnOfRepeats(warnings, named)
  return { markets, warnings }
}

/**
 * Returns whether a market has no content: its name has only symbols, or it neither has selections
 * nor ends any.
 */
function isNothing(warnings: Warning[], { statedType: marketType, market }: NamedMarket): boolean {
  const isNameless = market.marketType === 'unknown'
  const isEmpty = market.selections.length === 0 && !market.suspended
  if (!isNameless && !isEmpty) return false
  const message = `${marketType} ${isNameless ? 'is no name' : 'has no selections'}; it is left out`
  const code = isNameless ? 'unknown_market' : 'missing_field'
  warnings.push({ code, message, marketType, isLeftOut: true })
  return true
}

function warnOfName(warnings: Warning[], { statedType, market }: NamedMarket, sport: string) {
  const listed = findMarket(market.marketType)
  const stated = { marketType: statedType, isLeftOut: false }
  if (market.suspended && isUnclearTotal(market.marketType)) {
    const message = `${statedType}: its labels name somebody who is not certain, or has no such market; it is suspended as ${market.marketType}`
    warnings.push({ ...stated, code: 'unknown_market', message })
    return
  }
  if (listed === undefined) {
    const near = possibleMarkets(statedType, sport)
    const message =
      near.length > 0
        ? `${statedType} may be ${near.join(' or ')} in ${sport}; it is served as ${market.marketType} and compared with no other`
        : `${statedType} is no market we know in ${sport}; it is served as ${market.marketType} and compared with no other`
    const code = near.length > 0 ? 'unclear_market' : 'unknown_market'
    warnings.push({ ...stated, code, message, ...(near.length > 0 && { near }) })
    return
  }
  if (!listed.sports.includes(sport) && findSport(sport) !== undefined) {
    const message = `${listed.id} is no market of ${sport}, so others are not called so`
    warnings.push({ ...stated, code: 'market_of_other_sports', message })
    return
  }
  const main = mainTotalBeside(listed, sport)
  if (main === null) return
  const message = `${listed.id} and ${main} are two markets here, which are not compared; name it ${main} if it is settled like others' ${main}`
  warnings.push({ ...stated, code: 'unclear_market', message, near: [main] })
}

/**
 * Returns the sport's main total for another total of the score ("asian_total_goals"); null for any
 * other market.
 */
function mainTotalBeside({ id, answers, counts, period }: Market, sport: string): string | null {
  if (answers !== 'over_under' || counts !== 'score') return null
  const main = mainMarketType(sport, 'total', period)
  return main !== id && findMarket(main)?.sports.includes(sport) ? main : null
}

function warnOfMissingDraw(
  warnings: Warning[],
  { statedType: marketType, market: { marketType: type } }: NamedMarket,
) {
  const message = `${type} has a draw; its sides without one, at prices that leave no room for it, are another question, such as draw_no_bet; served as ${typeWithoutDraw(type)}`
  warnings.push({ code: 'missing_draw', message, marketType, isLeftOut: false })
}

function withoutFaults(
  warnings: Warning[],
  { statedType, market }: NamedMarket,
  sport: string,
): FeedMarket {
  const warn = (code: WarningCode, isLeftOut: boolean, message: string) =>
    warnings.push({ code, message, marketType: statedType, isLeftOut })
  const type = market.marketType
  if (hasContradictoryLines(market)) {
    warn(
      'contradictory_lines',
      true,
      `${type}: its two sides have lines that do not belong together`,
    )
    return withoutPrices(market)
  }
  if (isUnexpectedLine(market)) {
    warn(
      'unexpected_line',
      false,
      `${type} has no line; with one it stands apart from those without`,
    )
  }
  const beside = typeBesideMore(market, sport)
  if (beside !== null && beside === typeWithDraw(type, sport)) {
    const message = `${type} of ${sport} with a draw is another question; it is served as ${beside}`
    warn('unexpected_draw', false, message)
  }
  const unknown = unknownOutcomes(market, sport)
  if (unknown.length > 0) {
    const served =
      beside === null ? 'is compared with no other' : `makes another question, served as ${beside}`
    warn(
      'unknown_selection',
      false,
      `${type}: ${unknown.join(', ')} is no answer we know; it ${served}`,
    )
  }
  if (isTeamTotal(type) && market.selections.some(isOfNoTeam)) {
    const message = `${type}: nothing says which team's ${statedType} is; it is compared with no other`
    warn('unclear_team', false, message)
  }
  if (lacksPlayer(market, sport)) {
    const message = `${type}: no player is named; it is compared with no other`
    warn('missing_player', false, message)
  }
  const besides = questionsBeside(market, sport)
  let kept: FeedSelection[] | null = null
  for (let i = 0; i < market.selections.length; i++) {
    const selection = market.selections[i] as FeedSelection
    const { selectionType } = selection
    const isEnding = selection.removed || isUnlinedEnd(market, selection)
    const stated = isEnding ? null : selectionFault(market, selection)
    // An additional outcome has its own type, and shows what the others are.
    const isMore = besides.some(({ has }) => has(selectionType))
    const fault = isMore && stated === 'answer_of_another_market' ? null : stated
    if (fault === null || isMore) kept?.push(selection)
    else kept ??= market.selections.slice(0, i)
    if (fault === null) continue
    const why = fault === 'missing_line' ? 'has no line' : 'is no answer to it'
    warn(fault, true, `${type}: ${selectionType} ${why}, and is left out`)
  }
  return kept === null ? market : { ...market, selections: kept }
}

/**
 * Returns a market with contradictory lines without its prices: what it suspends is suspended at
 * all lines.
 */
function withoutPrices(market: FeedMarket): FeedMarket {
  const selections = market.selections
    .filter(({ removed, suspended }) => removed || suspended || market.suspended)
    .map((of) => ({ ...of, line: of.removed ? (of.line ?? market.line) : null }))
  return { ...market, line: null, selections }
}

/**
 * Returns the unknown outcomes of a market with a known set. Without a player's name, a word may be
 * a player.
 */
function unknownOutcomes(market: FeedMarket, sport: string): readonly string[] {
  const { marketType, playerName, selections } = market
  const listed = outcomesListed(marketType, sport)
  if (listed === null || (playerName === null && findMarket(marketType)?.isPlayerProp)) return []
  const besides = questionsBeside(market, sport)
  const unknown: string[] = []
  for (const stated of selections) {
    const { selectionType: type, removed } = stated
    if (removed || type === 'draw' || listed.has(type)) continue
    const isMore = besides.some(({ has }) => has(type))
    if (isMore || selectionFault(market, stated) === null) unknown.push(type)
  }
  return unknown
}

const isOfNoTeam = ({ selectionType, removed }: FeedSelection) =>
  !removed && (selectionType === 'over' || selectionType === 'under')

/** Returns whether a question about one player, with a closed set of outcomes, names no player. */
const lacksPlayer = ({ marketType, playerName, selections }: FeedMarket, sport: string) =>
  isOfUnknownPlayer(marketType, playerName) &&
  outcomesOf(marketType, sport) !== null &&
  selections.some(({ removed }) => !removed)

/**
 * Warns if a record has an outcome twice at one line: the same price counts once, two prices do not
 * count.
 */
function warnOfRepeats(warnings: Warning[], named: readonly NamedMarket[]) {
  if (!mayRepeat(named)) return
  const byPlace = new Map<string, { at: NamedMarket; of: FeedSelection }[]>()
  for (const at of named) {
    for (const of of at.market.selections) {
      if (of.price === null || of.removed) continue
      const place = `${at.market.marketType}|${of.line ?? at.market.line}|${of.selectionType}`
      addTo(byPlace, place, { at, of })
    }
  }
  for (const sharing of byPlace.values()) {
    if (sharing.length < 2) continue
    const prices = new Map<string, number>()
    for (const { at, of } of sharing) {
      const { marketType, playerName } = at.market
      const { selectionType, selection, price } = of
      const line = of.line ?? at.market.line
      const key = outcomeKey({ marketType, playerName, line, selectionType, selection })
      const before = prices.get(key)
      if (before === undefined) {
        prices.set(key, price as number)
        continue
      }
      const isSame = before === price
      const repeated = `${marketType}: ${selectionType} is stated twice`
      warnings.push({
        code: isSame ? 'repeated_selection' : 'contradictory_prices',
        message: isSame ? repeated : `${repeated}, at two prices; neither is served`,
        marketType: at.statedType,
        isLeftOut: !isSame,
      })
    }
  }
}

/**
 * Returns whether a record may repeat an outcome; most name each market and outcome once and need
 * no comparison.
 */
function mayRepeat(named: readonly NamedMarket[]): boolean {
  for (let i = 0; i < named.length; i++) {
    const { marketType, selections } = (named[i] as NamedMarket).market
    if (selections.length > fewSelections || named.length > fewSelections) return true
    for (let j = 0; j < i; j++) if (named[j]?.market.marketType === marketType) return true
    for (let j = 1; j < selections.length; j++) {
      for (let k = 0; k < j; k++) {
        if (selections[j]?.selectionType === selections[k]?.selectionType) return true
      }
    }
  }
  return false
}

const fewSelections = 8
