/** Evaluates a recording: the lives of its opportunities, its closes, and its +EV as bets that scores settle. */

import type { GameResultRow } from '../../schemas/game-result.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import type { WithheldPrice, WithheldReason } from '../../schemas/withheld-price.ts'
import type { Chains } from '../rules/odds/chains.ts'
import { type Fees, noFees } from '../rules/odds/fees.ts'
import { type Close, createCloses } from './closes.ts'
import { createLives, type Life } from './lives.ts'
import { createPricedBoard, outcomeKey } from './priced-board.ts'
import { type Moment, type RecordingToRun, runRecording } from './recording-run.ts'
import {
  type SaidResult,
  type Settlement,
  type StakingOptions,
  settleLives,
  usualStaking,
} from './settlement.ts'

export interface Backtest {
  /** The first and the last time (epoch ms); null if no record has one. */
  readonly from: number | null
  readonly to: number | null
  readonly events: number
  /** Ids of all sportsbooks of the recording, even those that were left out. */
  readonly sportsbooks: ReadonlySet<string>
  /** The fees that were subtracted from prices. */
  readonly fees: Fees
  /** Counts of records by type, and of left-out records by reason. */
  readonly counts: ReadonlyMap<string, number>
  /** Counts of prices that the guard withheld from opportunities, by its first reason for each. */
  readonly withheld: ReadonlyMap<WithheldReason, number>
  /** In order of birth. */
  readonly lives: readonly Life[]
  /** In order of the events' starts. */
  readonly closes: readonly Close[]
  readonly settlement: Settlement
}

/** The progress of a backtest. */
export interface BacktestProgress {
  readonly at: number
  readonly events: number
  readonly births: number
}

/**
 * @param chain what +EV and closes are measured against
 * @throws RecordingError when the path holds no recording
 */
export async function backtest(
  recording: RecordingToRun,
  chain: Chains,
  signal: AbortSignal = new AbortController().signal,
  onProgress: (progress: BacktestProgress) => void = () => {},
  staking: StakingOptions = usualStaking,
): Promise<Backtest> {
  const board = createPricedBoard()
  const { fees = noFees } = recording
  const lives = createLives(board, fees)
  const closes = createCloses(chain)
  const eventIds = new Set<string>()
  const results = new Map<string, SaidResult>()
  const withheldIds = new Set<string>()
  const withheld = new Map<WithheldReason, number>()
  let from: number | null = null
  let to: number | null = null

  function take(moment: Moment) {
    closes.take(moment)
    const changedOutcomes = new Set<string>()
    for (const change of moment.changes) {
      const { topic, key, value } = change
      if (topic.name === topics.events.name) eventIds.add(key)
      if (topic.name === topics.gameResults.name && value) {
        results.set(key, { row: value as GameResultRow, at: moment.at })
      }
      if (topic.name === topics.withheldPrices.name && value && !withheldIds.has(key)) {
        const { reason } = value as WithheldPrice
        withheldIds.add(key)
        withheld.set(reason, (withheld.get(reason) ?? 0) + 1)
      }
      if (topic.name === topics.odds.name) {
        const row = (value as OddsRow | null) ?? board.price(Number(key))
        if (row) changedOutcomes.add(outcomeKey(row))
      }
      board.apply(change)
    }
    lives.take(moment, changedOutcomes)
    from ??= moment.at
    to = moment.at
    if (moment.isTick) return
    onProgress({ at: moment.at, events: eventIds.size, births: lives.count() })
  }

  const { counts, sportsbooks } = await runRecording(recording, chain, signal, take)
  const inOrder = [...closes.all()].sort((a, b) => a.startsAt - b.startsAt)
  const settlement = settleLives(lives.all(), results, staking)
  return {
    ...{ from, to, events: eventIds.size, sportsbooks, fees, counts, withheld, settlement },
    lives: lives.all(),
    closes: inOrder,
  }
}
