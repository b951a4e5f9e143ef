/** The lives that the processor reports for an archive, against those that the backtest follows by itself. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLives, type LifeEnd } from '../../../pipeline/backtest/lives.ts'
import { createPricedBoard, outcomeKey } from '../../../pipeline/backtest/priced-board.ts'
import {
  type Moment,
  type RecordingToRun,
  runRecording,
} from '../../../pipeline/backtest/recording-run.ts'
import { opportunities } from '../../../pipeline/processors/opportunities/opportunities.ts'
import { type Fees, feesWith, noFees } from '../../../pipeline/rules/odds/fees.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import type { OpportunityRow } from '../../../schemas/opportunity.ts'
import type {
  OpportunityLife,
  RunningLife,
  LifeEnd as ToldEnd,
} from '../../../schemas/opportunity-life.ts'
import { projectRoot } from '../../../schemas/project-root.ts'
import { topics } from '../../../schemas/topics.ts'

const data = join(projectRoot, '../shared/data')

/** The backtest's name of the cause, which does not distinguish changes of prices. */
const endOf: Readonly<Record<ToldEnd, LifeEnd>> = {
  over: 'over',
  started: 'started',
  unseen: 'seen',
  withdrawn: 'prices',
  suspended: 'prices',
  doubted: 'prices',
  replaced: 'prices',
  moved: 'prices',
}

/** Creates a second table of opportunities, fed by the decisions of the recording's processor. */
function createTeller(fees: Fees) {
  const state = opportunities(['pinnacle'], fees, true).create(new Map())
  const ended: OpportunityLife[] = []
  const rows = new Map<string, OpportunityRow>()
  const running = new Map<string, RunningLife>()
  return {
    ended,
    /** Returns the id and peak worth of each running life. */
    alive: () =>
      [...rows.values()].map(({ id, detected }) => [
        id,
        (running.get(id)?.peak ?? detected!).worth,
      ]),
    take({ at, isTick, changes }: Moment) {
      if (isTick) {
        const value = { type: 'tick', observedAt: at, isRecorded: true }
        state.observe({
          topic: topics.feedOdds,
          partition: 0,
          offset: 0,
          key: 'tick',
          value,
        } as never)
      }
      for (const change of changes) {
        if (change.topic.name !== topics.opportunities.name) state.change(change)
      }
      for (const { topic, key, value } of state.flush()) {
        if (topic.name === topics.opportunityLives.name) ended.push(value as OpportunityLife)
        if (topic.name === topics.opportunities.name) {
          if (value) rows.set(key, value as OpportunityRow)
          else rows.delete(key)
        }
        if (topic.name !== topics.runningLives.name) continue
        if (value) running.set(key, value as RunningLife)
        else running.delete(key)
      }
    },
  }
}

describe.skipIf(!existsSync(data))(
  'the lives that are reported of a recording (needs ../shared)',
  () => {
    it.each([
      ['a football season', { path: join(data, 'football-data/I1_2425.csv') }],
      [
        'a football season after the fees of exchanges',
        { path: join(data, 'football-data/I1_2425.csv'), fees: feesWith(true, {}) },
      ],
      [
        'snapshots of a league',
        {
          path: join(data, 'series/afl/afl_game_odds_events_before_2026-03-23.csv.gz'),
          league: 'afl',
        },
      ],
    ])('equal those of the backtest: %s', async (_, recording: RecordingToRun) => {
      const board = createPricedBoard()
      const { fees = noFees } = recording
      const lives = createLives(board, fees)
      const teller = createTeller(fees)
      await runRecording(recording, ['pinnacle'], new AbortController().signal, (moment) => {
        const changedAnswers = new Set<string>()
        for (const change of moment.changes) {
          const { topic, key, value } = change
          if (topic.name === topics.odds.name) {
            const row = (value as OddsRow | null) ?? board.price(Number(key))
            if (row) changedAnswers.add(outcomeKey(row))
          }
          board.apply(change)
        }
        lives.take(moment, changedAnswers)
        teller.take(moment)
      })
      const all = lives.all()
      const ended = all.filter(({ end }) => end !== 'recording')
      expect(ended.length).toBeGreaterThan(100)
      const key = ({ id }: { readonly id: string }, at: number) => `${id} ${at}`
      const byKey = new Map(teller.ended.map((life) => [key(life, life.detected.at), life]))
      expect([...byKey.keys()].sort()).toEqual(ended.map((life) => key(life, life.bornAt)).sort())
      for (const life of ended) {
        const found = byKey.get(key(life, life.bornAt))!
        expect([
          found.detected.worth,
          found.detected.prices,
          found.peak.worth,
          found.isLive,
        ]).toEqual([life.worthAtBirth, life.legs.map(({ price }) => price), life.peak, life.isLive])
        expect(found.gone.at).toBeLessThanOrEqual(life.endedAt)
        if (life.end !== 'prices') expect(endOf[found.why]).toBe(life.end)
      }
      const alive = all.filter(({ end }) => end === 'recording')
      expect(teller.alive().sort()).toEqual(alive.map(({ id, peak }) => [id, peak]).sort())
    })
  },
)
