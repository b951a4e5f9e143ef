/**
 * Builders of feed rows for parsers: what a sportsbook states goes in, what it leaves unsaid stays
 * null or false. `collectAnswers` collects one event's prices and keeps the promise every parser
 * makes, that a price is either a selection or a skip with a reason, and never two selections.
 */

import type { FeedMarket, FeedSelection } from '../../schemas/feed-record.ts'
import { findMarket, type MainKind, mainMarketType } from '../../schemas/reference/markets.ts'
import type { Skip } from './feed.ts'

const unstatedSelection: FeedSelection = {
  selection: null,
  selectionType: '',
  line: null,
  price: null,
  externalId: null,
  removed: false,
  suspended: false,
  maxBet: null,
  changedAt: null,
  publicBetPct: null,
  deepLink: null,
}

const unstatedMarket: FeedMarket = {
  marketType: '',
  line: null,
  playerName: null,
  statCategory: null,
  externalId: null,
  maxBet: null,
  suspended: false,
  selections: [],
}

export type StatedSelection = Partial<FeedSelection> & Pick<FeedSelection, 'selectionType'>
export type StatedMarket = Partial<Omit<FeedMarket, 'selections'>> & Pick<FeedMarket, 'marketType'>

/** The markets of one event at one sportsbook, as a parser comes across them. */
export function collectAnswers() {
  const markets = new Map<string, { market: FeedMarket; selections: FeedSelection[] }>()
  const taken = new Set<string>()
  return {
    /**
     * Puts a price on the board. Prices with the same `group` are one market: rows of one question
     * at one line.
     * @returns false when the board already has this answer, whose price stays
     */
    add(group: string, market: StatedMarket, selection: StatedSelection): boolean {
      const line = selection.line ?? market.line ?? null
      const player = market.playerName ?? ''
      const answer = [market.marketType, player, selection.selectionType, line].join('|')
      if (taken.has(answer)) return false
      taken.add(answer)
      const row = { ...unstatedSelection, ...selection }
      // A group of two questions or lines would be a parser's mistake; here it is two markets.
      const key = [group, market.marketType, player, market.line ?? ''].join('|')
      const found = markets.get(key)
      if (found) found.selections.push(row)
      else markets.set(key, { market: { ...unstatedMarket, ...market }, selections: [row] })
      return true
    },
    markets: (): FeedMarket[] =>
      [...markets.values()].map(({ market, selections }) => ({ ...market, selections })),
  }
}

/** Our type for a main kind of market, in a period; undefined where the reference has none. */
export function marketTypeFor(
  sport: string,
  kind: MainKind | 'draw_no_bet' | 'moneyline_3-way' | 'odd_even',
  period = 'game',
): string | undefined {
  const id =
    kind === 'moneyline' || kind === 'spread' || kind === 'total' || kind === 'team_total'
      ? mainMarketType(sport, kind, period)
      : period === 'game'
        ? kind
        : `${period}_${kind}`
  return findMarket(id)?.sports.includes(sport) ? id : undefined
}

/**
 * The moneyline type for what is really on offer: with a draw it is soccer's usual one, while
 * elsewhere the three-way result in regulation is another question than the winner.
 */
export const moneylineTypeFor = (sport: string, hasDraw: boolean, period = 'game') =>
  marketTypeFor(sport, hasDraw && sport !== 'soccer' ? 'moneyline_3-way' : 'moneyline', period)

/** One skip per price, so that skips and selections together count every price of a payload. */
export const skipEach = (reason: string, details: readonly string[]): Skip[] =>
  details.map((detail) => ({ reason, detail }))

/** Epoch ms of an ISO instant; null for anything else. A missing offset or seconds is UTC. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(at) ? null : at
}

/** "Surname, Given" as "Given Surname"; other names as they are. */
export function givenNameFirst(name: string): string {
  const [surname, given, ...more] = name.split(',').map((part) => part.trim())
  return surname && given && more.length === 0 ? `${given} ${surname}` : name
}
