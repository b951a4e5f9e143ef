/** Sums, profit and mean closing-line value of many bets, overall and by a key. */

import { tidy } from '../../pipeline/rules/bets/settle-bet.ts'
import { dayOf, localDay } from '../../pipeline/rules/names/named-game.ts'
import {
  type MeanRange,
  meanClv,
  meanYield,
  type ValuedBet,
} from '../../pipeline/rules/odds/bettor-clv.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { type BetEvent, type BetOutcome, type BetRow, betOutcomes } from '../../schemas/bet.ts'
import { groupBy } from '../../schemas/grouping.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import { findTeam, findTeamInSport } from '../../schemas/reference/teams.ts'
import { instant } from '../answer/json.ts'
import type { WeighedBet } from './bet-closes.ts'
import type { SettledBet } from './settled-bets.ts'

export interface SummedBet extends WeighedBet {
  /** The market type; the market as stated when it is unknown. */
  readonly market: string
}

/** Converts a fraction to percent with six decimals, to drop floating-point noise. */
export const percentOf = (fraction: number) => Math.round(fraction * 1e8) / 1e6

export function sumOf(bets: readonly SummedBet[]) {
  const valued: ValuedBet[] = []
  for (const { row, found, clv } of bets) {
    if (found && clv !== null) valued.push({ eventId: found.eventId, stake: row.stake, clv })
  }
  const stakes = (staked: readonly { readonly stake: number }[]) =>
    tidy(staked.reduce((sum, { stake }) => sum + stake, 0))
  return {
    bets: bets.length,
    with_clv: valued.length,
    events: new Set(valued.map(({ eventId }) => eventId)).size,
    // At the fair price of the close the value is 0, except for floating-point noise.
    beat_close: valued.filter(({ clv }) => percentOf(clv) > 0).length,
    stake: stakes(bets.map(({ row }) => row)),
    stake_with_clv: stakes(valued),
    avg_clv: meanJson(meanClv(valued, () => 1)),
    stake_weighted_clv: meanJson(meanClv(valued, ({ stake }) => stake)),
  }
}

/**
 * Returns a text for each bet, the same for all bets on one game, even a game that the service does
 * not have: the game's id, else its sport, sides and day. A bet whose game is not found joins the
 * first found game with its names, as the service or another bet has them.
 */
export function gamesOf(bets: readonly Pick<WeighedBet, 'row' | 'found'>[]): readonly string[] {
  const known = bets.map(({ row, found }) => found?.eventId ?? row.event.id)
  const idsByName = new Map<string, string>()
  if (known.includes(null)) {
    const note = (event: NamedEvent, id: string) => {
      const name = nameOf(event)
      if (!idsByName.has(name)) idsByName.set(name, id)
    }
    const noted = new Set<string>()
    for (const { row, found } of bets) {
      if (found === null) continue
      note(row.event, found.eventId)
      if (noted.has(found.eventId)) continue
      noted.add(found.eventId)
      const game = { ...found, isDay: false }
      note(game, found.eventId)
      note({ ...game, league: null }, found.eventId)
    }
  }
  return bets.map(({ row }, i) => {
    const id = known[i] ?? null
    if (id !== null) return id
    const name = nameOf(row.event)
    return idsByName.get(name) ?? name
  })
}

type NamedEvent = Omit<BetEvent, 'id'>

/** Names a game by sport, sides and day. Two games of the same sides on one day have one name. */
function nameOf(event: NamedEvent): string {
  const { sport, league, homeTeam, awayTeam, startsAt, isDay } = event
  const sideOf = (name: string | null) => {
    const text = name ?? ''
    const team = league === null ? findTeamInSport(text, sport ?? '') : findTeam(text, league)
    return team ? String(team.numericalId) : normaliseName(text) || text
  }
  const at = startsAt ?? 0
  const day = isDay ? dayOf(at) : localDay(at, league)
  return JSON.stringify([sport, day, ...[sideOf(homeTeam), sideOf(awayTeam)].sort()])
}

/** A bet with its closing-line value and its result. */
export interface EndedBet extends SummedBet {
  /** As `gamesOf`. */
  readonly game: string
  readonly settled: SettledBet
}

/** Returns wins and losses besides the values. Refunded stakes count as staked. */
export function resultSumOf(bets: readonly EndedBet[]) {
  const { stake: _, ...values } = sumOf(bets)
  const counts: Record<BetOutcome, number> = Object.fromEntries(
    betOutcomes.map((outcome) => [outcome, 0]),
  ) as Record<BetOutcome, number>
  const yields: ValuedBet[] = []
  let open = 0
  let openStake = 0
  let staked = 0
  let back = 0
  for (const { row, game, settled } of bets) {
    const { outcome, returned, profit } = settled
    if (outcome === null || returned === null || profit === null) {
      open++
      openStake += row.stake
      continue
    }
    counts[outcome]++
    staked += row.stake
    back += returned
    yields.push({ eventId: game, stake: row.stake, clv: profit / row.stake })
  }
  return {
    ...values,
    open,
    open_stake: tidy(openStake),
    settled: bets.length - open,
    settled_events: new Set(yields.map(({ eventId }) => eventId)).size,
    ...counts,
    settled_stake: tidy(staked),
    returned: tidy(back),
    profit: tidy(back - staked),
    roi: meanJson(meanYield(yields)),
  }
}

/** Returns sums by a key, largest samples first. */
export function sumsBy<
  Bet extends SummedBet,
  Sum extends { readonly with_clv: number; readonly bets: number },
>(bets: readonly Bet[], keyOf: (bet: Bet) => string, sum: (bets: readonly Bet[]) => Sum) {
  return [...groupBy(bets, keyOf)]
    .map(([group_key, group]) => ({ group_key, ...sum(group) }))
    .sort(
      (a, b) =>
        b.with_clv - a.with_clv || b.bets - a.bets || compareTexts(a.group_key, b.group_key),
    )
}

/**
 * Returns the first day of the newest bets, as many whole days (UTC) as have no more than `most`; null if the last day
 * alone has more.
 * @param rows more than `most`, last placed first
 */
export function dayThatFits(rows: readonly Pick<BetRow, 'placedAt'>[], most: number) {
  const dayAfter = rows[most]!.placedAt + 86_400_000
  const from = instant(dayAfter)!.slice(0, 10)
  return rows[0]!.placedAt < Date.parse(from) ? null : from
}

/** Counts each distinct text. */
export function countsOf(texts: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

function meanJson(mean: MeanRange | null) {
  if (!mean) return null
  const { low, high } = mean
  return {
    percent: percentOf(mean.mean),
    low: low === null ? null : percentOf(low),
    high: high === null ? null : percentOf(high),
  }
}
