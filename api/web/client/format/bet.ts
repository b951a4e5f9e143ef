/** Bets of the reader's log as text. */

import { isOneCurrency } from '../../../../pipeline/rules/bets/currency-names.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import { countText } from '../../count.ts'
import type { BetMean, BetResult, TakenFile } from '../../wire.ts'
import type { NamedGame, NewBet } from '../data/placed-bet.ts'
import { moneyText } from './money.ts'
import { answerText, marketText } from './names.ts'
import { percentText, priceText } from './odds.ts'

type Bet = Pick<
  BetResult,
  | 'home_team'
  | 'away_team'
  | 'event_id'
  | 'market'
  | 'selection'
  | 'line'
  | 'player_name'
  | 'stake'
  | 'found'
>

/** By the name alone, because the catalogue of markets is too large for the page. */
const isNamedHandicap = (market: string) => /spread|handicap|(run|puck|goal)[_ ]?line/i.test(market)

/** Formats `New York Knicks -4.5`; a handicap has its sign. */
export function selectionOfBet({ found, market, player_name, selection, line }: Bet): string {
  const named = found?.selection ?? [player_name, selection].filter(Boolean).join(' ')
  if (line === null) return named
  const isTotal = /(^|\s)(over|under)$/i.test(named)
  const sign = line > 0 && !isTotal && isNamedHandicap(found?.market_type ?? market) ? '+' : ''
  return `${named} ${sign}${line}`
}

/** Formats `Spread, Brooklyn Nets @ New York Knicks`. */
export function questionOfBet({ found, market, home_team, away_team, event_id }: Bet): string {
  const [away, home] = [found?.away_team ?? away_team, found?.home_team ?? home_team]
  const game = home ? `, ${away} @ ${home}` : event_id ? `, ${event_id}` : ''
  return marketText(found?.market_type ?? market) + game
}

/** Names a bet in a question, so that the reader sees which one is meant. @param book name of its sportsbook */
export const betText = (bet: Bet, book: string, currency: string | null): string =>
  `${selectionOfBet(bet)} (${questionOfBet(bet)}): ${moneyText(bet.stake, currency)} at ${book}`

/**
 * Names a bet of which it is not known whether it is stored.
 * @param game that it is on
 * @param book name of its sportsbook
 */
export function unansweredText(
  bet: NewBet,
  { home_team, away_team }: Pick<NamedGame, 'home_team' | 'away_team'>,
  book: string,
  currency: string | null,
  format: PriceFormat,
): string {
  const selection = answerText(bet.selection, home_team, away_team)
  const named = { ...bet, selection, home_team, away_team, event_id: null, found: null }
  const text = betText(named, book, currency)
  return `It may be stored: ${text}, odds ${priceText(bet.odds_decimal, format)}. Sent again, it is stored once.`
}

/**
 * Says that sums lack what the archive did not answer.
 * @param count of bets without result or value for that
 * @returns null for none
 */
export const incompleteText = (count: number) =>
  count === 0
    ? null
    : `The archive does not answer: ${countText(count, 'bet')} ${count === 1 ? 'is' : 'are'} without result or value, and the sums are not complete.`

/**
 * Says what an amount that came back means, before it is stored.
 * @param returned with the stake, also of a free bet, whose stake did not come back to the reader
 */
export function returnText(
  { stake, free_bet: isFree }: Pick<BetResult, 'stake' | 'free_bet'>,
  returned: number,
  currency: string | null,
): string {
  const money = (amount: number) => moneyText(amount, currency, stake)
  const profit = returned - stake
  const end = profit < 0 ? `a loss of ${money(-profit)}` : `a profit of ${money(profit)}`
  const [amount, what] = isFree ? [profit, 'free bet'] : [returned, 'stake']
  return `${money(amount)} came back of a ${what} of ${money(stake)}: ${end}.`
}

/** Returns a text such as `3 bets are stored, 1 of them was before. 2 bets are refused.` */
export function takenText({ accepted, duplicates, rejected_count: refused }: TakenFile): string {
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const before =
    duplicates > 0 ? `, ${duplicates} of them ${duplicates === 1 ? 'was' : 'were'} before` : ''
  const stored = `${countText(accepted, 'bet')} ${are(accepted)} stored${before}.`
  return refused > 0 ? `${stored} ${countText(refused, 'bet')} ${are(refused)} refused.` : stored
}

/**
 * Says that a file has amounts of another currency than the reader's profile.
 * @returns null where it has not, or one of them names none
 */
export const otherCurrencyText = (ofFile: string | null, ofProfile: string | null) =>
  ofFile === null || ofProfile === null || isOneCurrency([ofFile, ofProfile])
    ? null
    : `The amounts of the file are in ${ofFile}, and your profile has ${ofProfile}: they are stored as they are, and sums do not convert.`

/** An interval of fewer games says little. */
const fewestGames = 10

/**
 * Formats `4.20% (−1.10% to 9.50%)`, without bounds where there are none or few games.
 * @param games that its bets are on
 */
export function meanText(mean: BetMean | null, games: number): string {
  if (mean === null) return '–'
  const { percent, low, high } = mean
  const hasRange = low !== null && high !== null && games >= fewestGames
  return percentText(percent) + (hasRange ? ` (${percentText(low)} to ${percentText(high)})` : '')
}
