/** Makes the JSON of a bet from the cells of a line, some of which hold several fields. */

import { paid } from '../../../pipeline/rules/bets/settle-bet.ts'
import { americanToDecimal } from '../../../pipeline/rules/odds/odds.ts'
import type { BetOutcome } from '../../../schemas/bet.ts'
import type { BetColumn } from '../../../schemas/http/bets/files.ts'
import { freeReturn, moneyRounding, noProfitFault, profitFault } from '../bet-verdict.ts'
import { splitLine } from '../stated-lines.ts'
import { cellOf, eitherFree, freeFault, saysFree } from './cells.ts'
import { fault, type TableFault } from './fault.ts'
import { isTooLong, longestCell, type Shown } from './formats.ts'
import type { OtherFault } from './other-bets.ts'

/** The fields of a bet; undefined if the line has an error. */
export interface LineRead {
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly fault: TableFault | null
}

/**
 * Returns a line as the JSON of a bet, without empty cells.
 * @param otherFault returns why the bet is of a kind that is not kept
 */
export function fieldsOf(
  columns: readonly (BetColumn | null)[],
  cells: readonly string[],
  shown: Shown,
  otherFault: OtherFault,
): LineRead {
  const fields: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) {
    const cell = cells[i]
    if (column === null || cell === undefined || cell === '') continue
    if (isTooLong(cell)) {
      const message = `${column} has at most ${longestCell} characters`
      return { value: undefined, fault: fault('malformed_csv', message) }
    }
    const cellRead = cellOf(column, cell, shown, shown.freeAmounts.has(i))
    const read = column === 'free_bet' ? eitherFree(fields.free_bet, cellRead) : cellRead
    if (typeof read === 'object' && read !== null) return { value: undefined, fault: read }
    if (read !== null) fields[column] = read
  }
  const other = otherFault(cells, fields)
  if (other !== null) return { value: undefined, fault: other }
  if (shown.sportsbook !== null) fields.sportsbook ??= shown.sportsbook
  if (shown.league !== null && fields.event_id === undefined) fields.league ??= shown.league
  return spreadOut(fields, shown)
}

/** `& 2 more`, and another game behind a mark: `/ Nets at Knicks`. */
const saysOtherGames = /[&+,] ?\d+ (more|others?)\b| [/;|+] .+ (@|at|vs?\.?) /i
/** Between the sides of another game, in the way of the first: behind a `v` an `@` names the place. */
const againAway = / (@|at) /i
const againHome = / vs?\.? /i
const againAny = / (@|vs?\.?) /i
const place = / @ .*$/

/** Returns whether an event is of several games. @param how what is between the sides of the first */
function isOfSeveral(how: string, second: string): boolean {
  const again = /^(@|at)$/i.test(how) ? againAway : /^v/i.test(how) ? againHome : againAny
  return saysOtherGames.test(second) || again.test(second)
}

/** Splits cells that hold several fields: `A @ B`, `Over 215.5`, a profit. */
function spreadOut(
  fields: Record<string, unknown>,
  { hasLosses }: Pick<Shown, 'hasLosses'>,
): LineRead {
  const { event, odds, profit, free_bet, ...rest } = fields
  const bet: Record<string, unknown> = rest
  if (odds !== undefined && bet.odds_decimal === undefined) bet.odds_decimal = odds
  if (typeof event === 'string' && bet.event_id === undefined) {
    // With one blank between words, the expression takes no longer than the text.
    const words = event.replaceAll(/\s+/g, ' ')
    const [, first, how, second] = /^(.+?) (@|at|vs?\.?|[-–]) (.+)$/i.exec(words) ?? []
    if (second !== undefined && isOfSeveral(how!, second)) {
      const message = `event: ${words.slice(0, 80)} is of several games: the bet is of several legs`
      return { value: undefined, fault: fault('several_legs', message) }
    }
    if (first !== undefined) {
      const isAwayFirst = /^(@|at)$/i.test(how!)
      bet.home_team ??= isAwayFirst ? second : first
      bet.away_team ??= isAwayFirst ? first : second!.replace(place, '')
    }
  }
  if (typeof bet.selection === 'string' && bet.line === undefined) {
    Object.assign(bet, splitLine(bet.selection))
  }
  if (saysFree(free_bet)) {
    const why = setFreeReturn(bet, free_bet, profit)
    if (why !== null) return { value: undefined, fault: why }
    return { value: { ...bet, free_bet: true }, fault: null }
  }
  // A column of payouts that has 0 for a void has winnings alone: by the result the stake came
  // back.
  if (bet.result === 'refunded' && bet.returned === 0) delete bet.returned
  if (bet.result === undefined) {
    for (const member of ['returned', 'shared_by']) delete bet[member]
  } else if (typeof profit === 'number' && bet.returned === undefined) {
    const returned = returnedBy(profit, bet, hasLosses)
    if (typeof returned === 'object') return { value: undefined, fault: returned }
    if (returned !== undefined) bet.returned = returned
  }
  return { value: bet, fault: null }
}

/** Returns the terms and the result of a bet; null if its stake is no number or its price no odds. */
function termsOf(bet: Readonly<Record<string, unknown>>) {
  const { stake, result, result_reason, shared_by, odds_decimal, odds_american } = bet
  if (typeof stake !== 'number') return null
  if (typeof odds_american === 'number' && Math.abs(odds_american) < 100) return null
  const price =
    typeof odds_american === 'number' ? americanToDecimal(odds_american) : Number(odds_decimal)
  return {
    ...{ price, stake, outcome: result as BetOutcome },
    sharedBy: typeof shared_by === 'number' ? shared_by : null,
    reason: typeof result_reason === 'string' ? result_reason : null,
  }
}

/** Sets what a free bet returned. @param free true, or the amount of the stake that is free */
function setFreeReturn(
  bet: Record<string, unknown>,
  free: unknown,
  profit: unknown,
): TableFault | null {
  const terms = termsOf(bet)
  // Odds, a stake or a payout that are no numbers are refused later.
  if (terms === null || !Number.isFinite(terms.price) || typeof bet.returned === 'string') {
    return null
  }
  const { outcome, stake, sharedBy, reason } = terms
  if (typeof free === 'number' && Math.abs(free - stake) > moneyRounding(stake)) {
    return freeFault(`${free} is neither 0 nor the stake ${stake}`)
  }
  if (outcome === undefined) {
    for (const member of ['returned', 'shared_by']) delete bet[member]
    return null
  }
  const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)
  const stated = { returned: numberIn(bet.returned), profit: numberIn(profit) }
  const returned = freeReturn(stated, outcome, terms, sharedBy, reason)
  if (typeof returned === 'string') return fault('invalid_field', returned)
  if (returned !== null) bet.returned = returned
  return null
}

/** Returns what a bet returned with this profit; undefined if `termsOf` returns null. */
function returnedBy(
  profit: number,
  bet: Readonly<Record<string, unknown>>,
  hasLosses: boolean,
): number | undefined | TableFault {
  const terms = termsOf(bet)
  if (terms === null) return undefined
  const { outcome, stake, sharedBy, reason } = terms
  if (profit < -stake - moneyRounding(stake)) {
    const message = `profit ${profit} is below minus the stake ${stake}: state the whole stake, or the liability, as the stake`
    return fault('invalid_field', message)
  }
  const why =
    profitFault(profit, outcome, terms, sharedBy, reason) ??
    (hasLosses ? null : noProfitFault(profit, outcome, terms, sharedBy, reason))
  return why === null ? Math.max(0, paid(stake + profit, stake)) : fault('invalid_field', why)
}
