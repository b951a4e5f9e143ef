/** The figures of a backtest: opportunities by kind, closes by market and sportsbook. */

import { groupBy } from '../../schemas/grouping.ts'
import { type OpportunityKind, opportunityKinds } from '../../schemas/opportunity.ts'
import type { Close } from './closes.ts'
import type { Life, LifeEnd } from './lives.ts'

export interface Spread {
  readonly median: number
  readonly p90: number
  readonly most: number
}

export interface KindSummary {
  readonly kind: OpportunityKind
  readonly births: number
  /** The number of births with a warning that their prices may be of different questions. */
  readonly suspected: number
  /** The gain of a stake of 1, a fraction. */
  readonly worthAtBirth: Spread
  readonly peak: Spread
  readonly lifetimeMs: Spread
  /** Births by the cause of their end, and by market; the most frequent first. */
  readonly endedBy: ReadonlyMap<LifeEnd, number>
  readonly byMarket: ReadonlyMap<string, number>
  /** The highest peaks, the best first. */
  readonly best: readonly Life[]
}

export interface CloseSummary {
  readonly marketType: string
  readonly sportsbook: string
  /** The number of lines with a close, and of those that are complete and not withheld. */
  readonly lines: number
  readonly complete: number
  /** Mean margin of the complete lines, a fraction; null for none. */
  readonly overround: number | null
  /** The number of outcomes with a closing-line value; mean value and mean absolute value, fractions. */
  readonly measured: number
  readonly value: number | null
  readonly absoluteValue: number | null
}

/**
 * Summarises lives by kind; kinds without births are left out. @param bestCount length of each
 * kind's `best`
 */
export function summariseLives(lives: readonly Life[], bestCount: number): KindSummary[] {
  return opportunityKinds.flatMap((kind) => {
    const ofKind = lives.filter((life) => life.kind === kind)
    if (ofKind.length === 0) return []
    const byPeak = [...ofKind].sort((a, b) => b.peak - a.peak || a.bornAt - b.bornAt)
    return {
      kind,
      births: ofKind.length,
      suspected: ofKind.filter(({ isSuspected }) => isSuspected).length,
      worthAtBirth: spreadOf(ofKind.map(({ worthAtBirth }) => worthAtBirth)),
      peak: spreadOf(ofKind.map(({ peak }) => peak)),
      lifetimeMs: spreadOf(ofKind.map(({ bornAt, endedAt }) => endedAt - bornAt)),
      endedBy: countBy(ofKind, ({ end }) => end),
      byMarket: countBy(ofKind, ({ marketType }) => marketType),
      best: byPeak.slice(0, bestCount),
    }
  })
}

/** Returns closes by market, then by sportsbook. */
export function summariseCloses(closes: readonly Close[]): CloseSummary[] {
  const byMarket = ({ marketType, sportsbook }: Close) => `${marketType}|${sportsbook}`
  return [...groupBy(closes, byMarket)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { marketType, sportsbook } = group[0]!
      const margins = group.flatMap(({ overround }) => overround ?? [])
      const values = group.flatMap(({ answers }) => answers.flatMap(({ value }) => value ?? []))
      return {
        marketType,
        sportsbook,
        lines: group.length,
        complete: margins.length,
        overround: meanOf(margins),
        measured: values.length,
        value: meanOf(values),
        absoluteValue: meanOf(values.map(Math.abs)),
      }
    })
}

/** Returns the spread of at least one value. */
function spreadOf(values: readonly number[]): Spread {
  const ascending = [...values].sort((a, b) => a - b)
  const at = (part: number) => ascending[Math.ceil(part * ascending.length) - 1]!
  return { median: at(0.5), p90: at(0.9), most: at(1) }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function countBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}
