/**
 * The pricing of each simulated sportsbook: its margin, its delay behind the anchor, its price grid, the depth of its
 * ladders, and how it reports (pushed changes or polled snapshots). The figures are those of `data/books.json`;
 * whether it has live odds, and may have player markets, comes from the reference table.
 */
import {
  count,
  figure,
  flag,
  listOf,
  oneOf,
  optional,
  orNull,
  readDataFile,
  row,
  type TypeOf,
  text,
} from '../../../schemas/data-file.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import rows from './data/books.json' with { type: 'json' }
import { type GridName, gridNames, type PriceGrid, priceGrids } from './price-grid.ts'

/** `slug`: league and number; `digits`: a number; `hex`: a hash; `prefixed`: letters and a number. */
export type IdStyle = 'slug' | 'digits' | 'hex' | 'prefixed'

export interface BookProfile {
  readonly id: string
  /** The overround it aims at: booksum - 1; at an exchange the spread between its two sides. */
  readonly margin: number
  /** Its usual pregame delay behind the anchor; see news.ts. */
  readonly lagMs: number
  /** The delay from its clock to the record. */
  readonly latencyMs: number
  readonly grid: PriceGrid
  /** Whether its prices are other bettors' offers, each with its own stake. */
  readonly isExchange: boolean
  /** The most steps that a price may differ from the model's. */
  readonly wander: number
  /** Lines per spread and per total. */
  readonly rungs: number
  readonly delivery: 'push' | 'poll'
  /** The interval of a poller in play, at full speed. */
  readonly pollMs: number
  /** Share of the schedule that it lists. */
  readonly coverage: number
  /** Whether it has quarter lines in soccer. */
  readonly quarterLines: boolean
  /** Whether it avoids whole lines, whose bets may be refunded. */
  readonly halfLines: boolean
  readonly hasTeamTotals: boolean
  readonly hasFirstHalf: boolean
  readonly hasProps: boolean
  readonly hasLive: boolean
  /** The chance that it withdraws its markets on a score, instead of suspending them in place. */
  readonly withdrawsOnScore: number
  readonly idStyle: IdStyle
  readonly namesSelections: boolean
  readonly statesLimits: boolean
  readonly statesChanges: boolean
  readonly statesTickets: boolean
}

/** The sharp sportsbook that moves first. */
const anchorId = 'pinnacle'

const book = row({
  id: text,
  marginPct: figure,
  lagSeconds: figure,
  rungs: count,
  grid: oneOf(gridNames),
  /** Null for a sportsbook that pushes. */
  pollSeconds: orNull(count),
  coverage: figure,
  withdrawsOnScore: figure,
  isExchange: optional(flag),
  hasQuarterLines: optional(flag),
})

const idStyles: readonly IdStyle[] = ['digits', 'slug', 'hex', 'prefixed']

const wanders: Readonly<Record<GridName, number>> = {
  american_5: 1,
  american_1: 2,
  decimal_fine: 1,
  decimal_ticks: 1,
  cents: 1,
}

/** @param at its place in the list, which determines traits without figures */
function profileOf(stated: TypeOf<typeof book>, at: number): BookProfile {
  const { id, grid, rungs, pollSeconds, coverage, withdrawsOnScore } = stated
  const { isExchange = false, hasQuarterLines = false } = stated
  const reference = findSportsbook(id)
  if (!reference) throw new Error(`no sportsbook ${id} in the reference table`)
  const isPushed = pollSeconds === null
  return {
    id,
    margin: stated.marginPct / 100,
    lagMs: stated.lagSeconds * 1000,
    latencyMs: isPushed ? 20 + ((at * 37) % 280) : 150 + ((at * 53) % 600),
    grid: priceGrids[grid],
    isExchange,
    wander: wanders[grid],
    rungs,
    delivery: isPushed ? 'push' : 'poll',
    pollMs: (pollSeconds ?? 0) * 1000,
    coverage,
    quarterLines: hasQuarterLines,
    halfLines: !hasQuarterLines,
    hasTeamTotals: rungs > 1 && at % 4 !== 3,
    hasFirstHalf: rungs > 1,
    hasProps: reference.hasPlayerProps && grid !== 'cents' && at % 5 !== 4,
    hasLive: reference.hasLiveOdds,
    withdrawsOnScore,
    idStyle: idStyles[at % idStyles.length]!,
    namesSelections: at % 2 === 0,
    statesLimits: id === anchorId || id === 'sbobet',
    statesChanges: at % 4 === 1,
    statesTickets: id === 'draftkings',
  }
}

/** The anchor and 31 others. */
export const bookProfiles: readonly BookProfile[] = readDataFile(
  'pipeline/feeds/simulator/data/books.json',
  listOf(book),
  rows,
).map(profileOf)
