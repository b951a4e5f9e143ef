/** Tens of thousands of rows on a service's board, all of which change at once on request. */

import type { Append } from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'
import type { InProcess } from './service-in-process.ts'
import { game, quote } from './small-board.ts'

const sportsbooks = [
  'draftkings',
  'fanduel',
  'betmgm',
  'caesars',
  'bet365',
  'bovada',
  'pinnacle',
  'circa',
  'kalshi',
  'novig',
]
const lineCount = 25
const eventCount = 60
export const rowCount = eventCount * sportsbooks.length * lineCount * 2

export interface LargeBoard {
  /** Changes every price. Resolves once the board has the changes. */
  change(): Promise<void>
}

/** Writes rows to the log as the board processor would, without its knowledge. */
export async function fillLargeBoard(
  service: Pick<InProcess, 'log' | 'boards' | 'clock'>,
): Promise<LargeBoard> {
  const events = Array.from({ length: eventCount }, (_, i) => {
    const row = game(`nba_a${i}_b${i}_2026-11-21_b0`, {
      homeTeam: `Home ${i}`,
      awayTeam: `Away ${i}`,
      startsAt: service.clock() + i * 3_600_000,
      updatedAt: service.clock(),
    })
    return { topic: topics.events, partitionKey: row.league, key: row.id, value: row } as Append
  })
  let round = 0

  function prices(): Append[] {
    const records: Append[] = []
    for (const { key: eventId } of events) {
      for (const [book, sportsbook] of sportsbooks.entries()) {
        for (let line = 0; line < 2 * lineCount; line++) {
          const row = quote(eventId, {
            sportsbook,
            marketType: 'total_points',
            selectionType: line % 2 ? 'over' : 'under',
            line: 200.5 + (line >> 1),
            price: 1.5 + ((37 * line + 7 * book + 13 * round) % 1_000) / 1_000,
            observedAt: service.clock(),
            changedAt: service.clock(),
          })
          records.push({
            topic: topics.odds,
            partitionKey: row.league,
            key: String(row.id),
            value: row,
          } as Append)
        }
      }
    }
    return records
  }

  async function change() {
    const { offsets = {} } = service.boards.live.position ?? {}
    const upTo = (offsets.odds?.[0] ?? 0) + rowCount
    round++
    await service.log.append(prices())
    while ((service.boards.live.position?.offsets.odds?.[0] ?? 0) < upTo) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  await service.log.append(events)
  await change()
  return { change }
}
