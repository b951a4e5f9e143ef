/** Small made-up recordings, written for a test and deleted after it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { openRecording } from '../../../../pipeline/feeds/replay/open-recording.ts'
import type { RecordingOptions, Step } from '../../../../pipeline/feeds/replay/recording.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'

export function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'overround-replay-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    /** @returns the path of the file */
    write(name: string, content: string | Buffer): string {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
  }
}

export async function readSteps(path: string, options?: RecordingOptions): Promise<Step[]> {
  const steps: Step[] = []
  for await (const step of (await openRecording(path, options)).steps()) steps.push(step)
  return steps
}

export const oddsOf = (steps: readonly Pick<Step, 'records'>[]): OddsRecord[] =>
  steps.flatMap(({ records }) =>
    records.filter((record): record is OddsRecord => record.type === 'odds'),
  )

export const priceCount = (records: readonly OddsRecord[]) =>
  records.flatMap(({ markets }) => markets.flatMap(({ selections }) => selections)).length

export const iso = (at: number | null | undefined) =>
  at === null || at === undefined ? at : new Date(at).toISOString()

/** Returns a push record of one moneyline, as a line. */
export function pushLine(observedAt: string, home = 2, more: object = {}): string {
  return JSON.stringify({
    type: 'odds',
    sportsbook: 'pinnacle',
    mode: 'snapshot',
    observed_at: observedAt,
    event: {
      external_id: '77',
      sport: 'basketball',
      league: 'nba',
      home_team: 'Utah Jazz',
      away_team: 'Miami Heat',
      start_time: '2026-03-04T00:10:00Z',
    },
    markets: [
      {
        market_type: 'moneyline',
        selections: [
          { selection_type: 'home', odds_decimal: home, changed_at: '2026-03-03T20:00:00Z' },
          { selection_type: 'away', odds_decimal: 1.9 },
        ],
      },
    ],
    ...more,
  })
}
