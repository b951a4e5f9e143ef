/**
 * How each simulated sportsbook prices: its margin, how far it runs behind the anchor, its price
 * grid, how deep its ladders are, and how it reports (pushed changes or polled snapshots).
 * What a sportsbook is (live odds, player markets) comes from the reference table.
 */
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { type GridName, type PriceGrid, priceGrids } from './price-grid.ts'

/** `slug`: league and number; `digits`: a number; `hex`: a hash; `prefixed`: letters and a number. */
export type IdStyle = 'slug' | 'digits' | 'hex' | 'prefixed'

export interface BookProfile {
  readonly id: string
  /** The overround it aims at: booksum - 1; at an exchange the spread between its two sides. */
  readonly margin: number
  /** How long after the anchor it usually follows before a game; see news.ts. */
  readonly lagMs: number
  /** From its clock to the record. */
  readonly latencyMs: number
  readonly grid: PriceGrid
  /** Its prices are other bettors' offers, each good for a stake of its own. */
  readonly isExchange: boolean
  /** The most steps that a price may differ from the model's. */
  readonly wander: number
  /** Lines per spread and per total. */
  readonly rungs: number
  readonly delivery: 'push' | 'poll'
  /** The period of a poller in play, at full speed. */
  readonly pollMs: number
  /** Share of the schedule that it lists. */
  readonly coverage: number
  /** Quarter lines in soccer. */
  readonly quarterLines: boolean
  /** Avoids whole lines, which can be void. */
  readonly halfLines: boolean
  readonly hasTeamTotals: boolean
  readonly hasFirstHalf: boolean
  readonly hasProps: boolean
  readonly hasLive: boolean
  /** Chance that it takes its markets down on a score, instead of suspending them in place. */
  readonly withdrawsOnScore: number
  readonly idStyle: IdStyle
  readonly namesSelections: boolean
  readonly statesLimits: boolean
  readonly statesChanges: boolean
  readonly statesTickets: boolean
}

/** The sharp one that moves first. */
export const anchorId = 'pinnacle'

// id, margin %, lag s, rungs, grid, delivery, coverage, withdraws on score
type Row = readonly [string, number, number, number, GridName, 'push' | number, number, number]

const rows: readonly Row[] = [
  ['pinnacle', 2.5, 0, 5, 'american_1', 'push', 1, 0],
  ['draftkings', 4.6, 110, 5, 'american_1', 'push', 0.97, 0.05],
  ['fanduel', 4.5, 90, 5, 'american_1', 'push', 0.97, 0.05],
  ['betmgm', 5.0, 340, 3, 'american_5', 4, 0.92, 0.2],
  ['caesars', 5.0, 270, 3, 'american_1', 'push', 0.88, 0.1],
  ['thescorebet', 5.4, 585, 3, 'american_5', 6, 0.75, 0.2],
  ['bet365', 5.2, 135, 5, 'american_5', 'push', 0.97, 0.05],
  ['betrivers', 5.3, 450, 3, 'american_5', 'push', 0.82, 0.1],
  ['fanatics', 5.2, 405, 3, 'american_5', 5, 0.78, 0.2],
  ['hardrock', 4.8, 360, 3, 'american_5', 'push', 0.72, 0.1],
  ['ballybet', 5.8, 855, 1, 'american_5', 8, 0.6, 0.3],
  ['bovada', 5.2, 675, 3, 'american_5', 6, 0.8, 0.3],
  ['betonline', 4.9, 135, 3, 'american_1', 'push', 0.88, 0.1],
  ['novig', 2.1, 5, 3, 'american_1', 'push', 0.5, 0],
  ['kalshi', 2.2, 8, 1, 'cents', 'push', 0.45, 0],
  ['polymarket', 2.2, 12, 1, 'cents', 'push', 0.4, 0],
  ['circa', 3.4, 90, 1, 'american_5', 'push', 0.62, 0],
  ['bookmaker', 3.3, 6, 3, 'american_1', 'push', 0.85, 0],
  ['sbobet', 3.6, 8, 3, 'decimal_fine', 2, 0.72, 0],
  ['onexbet', 4.2, 160, 10, 'decimal_fine', 3, 0.95, 0.05],
  ['prophetx', 2.1, 5, 1, 'american_1', 'push', 0.4, 0],
  ['betfair', 2.0, 3, 3, 'decimal_ticks', 'push', 0.8, 0],
  ['williamhill', 6.4, 675, 1, 'decimal_ticks', 5, 0.85, 0.25],
  ['unibet_uk', 5.6, 450, 3, 'decimal_fine', 'push', 0.88, 0.1],
  ['betway', 6.2, 765, 1, 'decimal_fine', 7, 0.78, 0.3],
  ['ladbrokes', 6.6, 900, 1, 'decimal_ticks', 6, 0.8, 0.3],
  ['paddypower', 6.3, 540, 1, 'decimal_ticks', 'push', 0.82, 0.2],
  ['betvictor', 5.7, 810, 3, 'decimal_fine', 'push', 0.75, 0.2],
  ['coolbet', 4.4, 250, 5, 'decimal_fine', 'push', 0.72, 0.1],
  ['marathonbet', 4.1, 200, 10, 'decimal_fine', 4, 0.85, 0.1],
  ['sportsbet', 6.0, 1080, 3, 'decimal_ticks', 'push', 0.7, 0.2],
  ['bwin', 7.2, 1350, 1, 'decimal_ticks', 8, 0.82, 0.4],
]

const idStyles: readonly IdStyle[] = ['digits', 'slug', 'hex', 'prefixed']

const wanders: Readonly<Record<GridName, number>> = {
  american_5: 1,
  american_1: 2,
  decimal_fine: 1,
  decimal_ticks: 1,
  cents: 1,
}

const exchanges = new Set(['novig', 'kalshi', 'polymarket', 'prophetx', 'betfair'])
const asian = new Set(['pinnacle', 'sbobet', 'onexbet', 'marathonbet'])

function profileOf(row: Row, at: number): BookProfile {
  const [id, marginPct, lagSeconds, rungs, gridName, delivery, coverage, withdrawsOnScore] = row
  const reference = findSportsbook(id)
  if (!reference) throw new Error(`no sportsbook ${id} in the reference table`)
  return {
    id,
    margin: marginPct / 100,
    lagMs: lagSeconds * 1000,
    latencyMs: delivery === 'push' ? 20 + ((at * 37) % 280) : 150 + ((at * 53) % 600),
    grid: priceGrids[gridName],
    isExchange: exchanges.has(id),
    wander: wanders[gridName],
    rungs,
    delivery: delivery === 'push' ? 'push' : 'poll',
    pollMs: delivery === 'push' ? 0 : delivery * 1000,
    coverage,
    quarterLines: asian.has(id),
    halfLines: !asian.has(id),
    hasTeamTotals: rungs > 1 && at % 4 !== 3,
    hasFirstHalf: rungs > 1,
    hasProps: reference.hasPlayerProps && gridName !== 'cents' && at % 5 !== 4,
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
export const bookProfiles: readonly BookProfile[] = rows.map(profileOf)
