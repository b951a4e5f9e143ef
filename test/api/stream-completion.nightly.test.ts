/** The completion of a stream with a proof, while a large board keeps changing. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

/** Lines of the first game: if one changes, the proof of them takes more than one step. */
const lines = 130_000
/** Interval of the proof's steps (ms). */
const tickMs = 10

let by: ReturnType<typeof createStreamsByHand>
let price: number
beforeEach(() => {
  by = createStreamsByHand()
  price = 1.5
  by.event(knicks)
  by.event(leeds)
  by.odds(leeds, { sportsbook: 'draftkings', price: 2 })
  for (let from = 0; from < lines; from += 10_000) {
    by.odds(knicks, ...Array.from({ length: 10_000 }, (_, line) => total(from + line)))
  }
})
afterEach(() => by.close())

const total = (line: number) => ({
  ...{ sportsbook: 'draftkings', marketType: 'total_points', selectionType: 'over' },
  ...{ line, price },
})

it('comes without a proof after five seconds, and a heartbeat has one as soon as there is time', async () => {
  const client = by.open('channels=odds&proof=true&heartbeat_seconds=1&fields=id', 'sharp')
  const complete = () => client.of('snapshot:complete')
  await by.until('the snapshot', () => client.of('initial').length > 0)
  let waited = 0
  for (; complete().length === 0 && waited < 10_000; waited += tickMs) {
    price += 0.001
    by.advance(1)
    by.odds(knicks, total(0))
    await by.pass(tickMs)
  }
  expect(waited).toBeGreaterThanOrEqual(5_000)
  expect(complete()).toHaveLength(1)
  expect(complete()[0]).not.toHaveProperty('checksum')
  await by.until('a proof', () => client.of('heartbeat').some(({ checksum }) => checksum))
  expect(client.of('heartbeat').at(-1)).toMatchObject({ rows: lines + 1 })
})
