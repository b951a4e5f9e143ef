/** Changes prices of a board while it is read: a sample of its rows, each to another price and back. */

import type { Boards } from '../api/boards.ts'
import type { Log, LogRecord } from '../pipeline/log/log.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { topics } from '../schemas/topics.ts'

const movedRows = 100_000
const recordsPerApply = 500

export interface MovedPrices {
  /** The log. Following it collects a uniform sample of its rows. */
  readonly log: Log
  /**
   * Applies the next changes, decoded like by a follower, in random order.
   * @param at the time of the changes (epoch ms)
   */
  move(boards: Pick<Boards, 'live' | 'opportunities'>, count: number, at: number): void
  /** Prepares the changes of the sampled rows. @param now their time of observation and change (epoch ms) */
  encode(now: number): void
}

export function createMovedPrices(from: Log): MovedPrices {
  let rows: OddsRow[] = []
  let met = 0
  let next = 0
  let ids: number[] = []
  /** Encoded rows as on the log; the two versions of the i-th id are at `2 * i` and `2 * i + 1`. */
  let encoded = Buffer.alloc(0)
  let ends = new Uint32Array(0)

  function take(row: OddsRow) {
    met++
    if (rows.length < movedRows) rows.push(row)
    else {
      const place = Math.floor(Math.random() * met)
      if (place < movedRows) rows[place] = row
    }
  }

  function record(): LogRecord {
    const i = next++
    const row = i % ids.length
    const at = 2 * row + (Math.floor(i / ids.length) % 2)
    const value = topics.odds.decode(encoded, at === 0 ? 0 : ends[at - 1], ends[at])
    return { topic: topics.odds, partition: 0, offset: i, key: String(ids[row]), value }
  }

  return {
    log: {
      ...from,
      async *follow(tables, options) {
        for await (const chunk of from.follow(tables, options)) {
          for (const { topic, value } of chunk.records) {
            if (topic.name === topics.odds.name && value) take(value as OddsRow)
          }
          yield chunk
        }
      },
    },
    move({ live, opportunities }, count, at) {
      for (let left = count; left > 0; left -= recordsPerApply) {
        const records = Array.from({ length: Math.min(recordsPerApply, left) }, record)
        live.apply(records, live.position!, at)
        opportunities.apply(records)
      }
    },
    encode(now) {
      for (let i = rows.length - 1; i > 0; i--) {
        const other = Math.floor(Math.random() * (i + 1))
        const moved = rows[i]!
        rows[i] = rows[other]!
        rows[other] = moved
      }
      const texts = rows.flatMap((row) =>
        [0.02, 0].map((by) => {
          const price = Math.round((row.price + by) * 1_000) / 1_000
          return topics.odds.encode({ ...row, price, observedAt: now, changedAt: now })
        }),
      )
      let end = 0
      ends = Uint32Array.from(texts, ({ length }) => {
        end += length
        return end
      })
      ids = rows.map(({ id }) => id)
      encoded = Buffer.concat(texts)
      rows = []
    },
  }
}
