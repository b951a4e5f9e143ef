/**
 * Kills the real process at random times during a replay, restarts it, and compares the result with an undisturbed run:
 * the same tables by hash, and every pushed record that was acknowledged.
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import type { Log } from '../../pipeline/log/log.ts'
import { boardProcessor } from '../../pipeline/processors/service-processor.ts'
import type { EventRow } from '../../schemas/event.ts'
import { slugLeague } from '../../schemas/reference/leagues.ts'
import { topics } from '../../schemas/topics.ts'
import { toIngestLine } from '../ingest-lines.ts'
import { patienceMs } from '../patience.ts'
import { testSeed } from '../seed.ts'
import { type Service, startService } from '../service.ts'
import { digestTables, type TableDigest } from '../table-hash.ts'

export interface CrashOptions {
  readonly kills: number
  /** Length of the replayed small season. */
  readonly minutes: number
  /** Directory for the recording. */
  readonly workDir: string
  /** Returns the settings of one run, each with its own empty log. */
  readonly env: (run: 'undisturbed' | 'killed') => Readonly<Record<string, string>>
  /** Opens the log of a run whose process has ended. */
  readonly openLog: (run: 'undisturbed' | 'killed') => Promise<Log>
  /** Longest life of a process before its kill (ms); of every second one from its first acknowledged push. */
  readonly longestLifeMs: number
  readonly report: (line: string) => void
}

const token = 'crash-test-ingest-token'

/** The recording sets the clock, so pushed records must be of its time. */
const recordedFrom = Date.UTC(2026, 9, 20, 18)

/**
 * CI kills one process during its start and one that takes pushes. `OVERROUND_TEST_CRASHES=40` has the nightly number,
 * and a longer replay.
 */
export const crashes = Number(process.env.OVERROUND_TEST_CRASHES ?? 2)
export const replayedMinutes = crashes > 2 ? 5 : 2

export async function testCrashSafety(options: CrashOptions): Promise<void> {
  const { kills, minutes, workDir, env, openLog, longestLifeMs, report } = options
  const recording = `${workDir}/recording.ndjson`
  writeFileSync(recording, recordedLines(minutes).join('\n'))
  const settings = (run: 'undisturbed' | 'killed') => ({
    ...env(run),
    OVERROUND_FEEDS: `replay:${recording}?speed=0`,
    OVERROUND_INGEST_TOKEN: token,
    OVERROUND_LOG_LEVEL: 'info',
  })

  const undisturbed = await startService({ env: settings('undisturbed') })
  const expected = await settle(undisturbed, () => openLog('undisturbed'))
  report(`undisturbed: ${JSON.stringify(expected.replayed.rows)}`)
  expect(expected.replayed.rows[topics.odds.name]).toBeGreaterThan(1_000)
  expect(expected.replayed.rows[topics.closingLines.name]).toBeGreaterThan(0)

  const random = createRandom(testSeed)
  const acknowledged: string[] = []
  let pushed = 0
  let early = 0
  for (let kill = 0; kill < kills; kill++) {
    // Half are killed at any time, on a slow machine during the start, the others after they took pushes.
    const isGreeted = kill % 2 === 0
    const service = await startService({ env: settings('killed'), early: !isGreeted })
    const stopped = new AbortController()
    const before = acknowledged.length
    const pushing = pushUntil(stopped.signal, service, () => teamNumber(pushed++), acknowledged)
    if (isGreeted) await expect.poll(() => acknowledged.length).toBeGreaterThan(before)
    await delay(random.between(0, longestLifeMs))
    if (service.address === '') early++
    await service.kill()
    stopped.abort()
    await pushing
  }
  report(
    `${kills} kills, ${early} before the greeting; ${acknowledged.length} of ${pushed} pushes acknowledged`,
  )

  const survivor = await startService({ env: settings('killed') })
  // Where it does not settle, it must not write into a directory that is being removed.
  const actual = await settle(survivor, () => openLog('killed')).catch(async (error) => {
    await survivor.kill()
    throw error
  })
  expect(acknowledged.filter((name) => !actual.pushed.has(name))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(actual.replayed).toEqual(expected.replayed)
}

/**
 * Returns minutes of a small simulated season as lines of a recording: about 900 times a minute, each a batch of its
 * own.
 */
function recordedLines(minutes: number): string[] {
  const startAt = recordedFrom
  const simulation = createSimulation({ seed: 7, startAt, events: 12, changesPerSecond: 20 })
  const lines: string[] = []
  for (let minute = 0; minute <= minutes; minute += 0.25) {
    for (const record of simulation.step(startAt + minute * 60_000)) {
      if (record.type === 'game_state' || record.type === 'splits') continue
      lines.push(toIngestLine(record))
    }
  }
  return lines
}

/** Returns a name unlike that of any other number, so that matching cannot merge two pushed games. */
function teamNumber(number: number): string {
  const digest = createHash('sha256').update(`team ${number}`).digest()
  const letter = (byte: number) => String.fromCharCode(97 + (byte % 26))
  return [...digest.subarray(0, 14)].map(letter).join('')
}

const pushedLeague = 'Crash Test League'
const pushedLeagueId = slugLeague(pushedLeague)

/** Pushes one new game after the other and records the acknowledged ones. */
async function pushUntil(
  signal: AbortSignal,
  service: Service,
  nextName: () => string,
  acknowledged: string[],
) {
  while (!signal.aborted) {
    if (service.address === '') {
      await delay(5)
      continue
    }
    const name = nextName()
    const record = {
      type: 'odds',
      sportsbook: 'fanduel',
      mode: 'snapshot',
      observed_at: new Date(recordedFrom).toISOString(),
      event: {
        external_id: name,
        sport: 'soccer',
        league: pushedLeague,
        home_team: name,
        away_team: [...name].reverse().join(''),
        start_time: '2026-12-01T18:00:00Z',
      },
      markets: [
        {
          market_type: 'moneyline',
          selections: [{ selection_type: 'home', odds_decimal: 1.9 }],
        },
      ],
    }
    try {
      const answer = await fetch(`${service.address}/ingest`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify(record),
        signal,
      })
      if (answer.status === 202) acknowledged.push(name)
      await delay(25)
    } catch {
      // The process is gone, or not up yet: nothing was acknowledged.
      await delay(5)
    }
  }
}

interface Settled {
  readonly replayed: Pick<TableDigest, 'hash' | 'rows'>
  /** Home teams of the pushed games on the board. */
  readonly pushed: ReadonlySet<string>
}

/** Waits until the replay has ended and is fully processed, stops the process, and reads its tables. */
async function settle(service: Service, open: () => Promise<Log>): Promise<Settled> {
  const deadline = Date.now() + patienceMs
  while (!service.output().includes('feed ended')) {
    if (Date.now() > deadline) throw new Error(`the replay does not end:\n${service.output()}`)
    await delay(20)
  }
  const log = await open()
  try {
    const { inputs, name } = boardProcessor()
    while ((await log.lag(inputs, name)) > 0) {
      if (Date.now() > deadline) throw new Error(`the board lags:\n${service.output()}`)
      await delay(20)
    }
    expect(await service.stop()).toBe(0)
    const isPushed = (row: unknown) => (row as Partial<EventRow>).league === pushedLeagueId
    const { hash, rows } = await digestTables(log, (row) => !isPushed(row))
    const { tables } = await digestTables(log, isPushed)
    const events = tables.get(topics.events.name) as ReadonlyMap<string, EventRow>
    return {
      replayed: { hash, rows },
      pushed: new Set([...events.values()].map((e) => e.homeTeam)),
    }
  } finally {
    await log.close()
  }
}
