/**
 * What one delivered row costs if many streams have different filters: CPU of the fan-out from the board to the frames,
 * without sockets. Over the simulator's market.
 *
 *     taskset -c 0 node --expose-gc build/benchmarks/stream-filters.js [rounds=5] [streams=1000] [changes=10000]
 *
 * The same ticks go to two fan-outs: one is timed, the other counts the rows.
 */

import { createScopes } from '../api/access/scope.ts'
import { createWorkBudget } from '../api/access/work-budget.ts'
import type { StreamFilters } from '../api/stream/channels/filters.ts'
import { streamQueryOf } from '../api/stream/channels/stream-query.ts'
import { createFanout } from '../api/stream/fanout/fanout.ts'
import { allBytes, type Frames } from '../api/stream/framing/frames.ts'
import { sseFraming } from '../api/stream/framing/sse-framing.ts'
import { createPositionTokens } from '../api/stream/timeline/positions.ts'
import type { Timers } from '../api/stream/timeline/timers.ts'
import { createRandom } from '../pipeline/feeds/simulator/random.ts'
import { createLogger } from '../pipeline/process/logger.ts'
import { median, printResults, type Result, rounded } from './measure.ts'
import { option } from './options.ts'
import { cpuMicros, openSimulatedMarket } from './simulated-market.ts'

const rounds = Number(option('rounds') ?? 5)
const streamCount = Number(option('streams') ?? 1_000)
const changesPerSecond = Number(option('changes') ?? 10_000)
const tickMs = 10
const ticksOfRound = 100

const { boards, chain, clock, step } = openSimulatedMarket(changesPerSecond)
const random = createRandom(11)
const sportsbooks = [...boards.live.sportsbooksWithRows()].sort()
const leagues = boards.live.leagues().map(({ league }) => league)
const markets = [...boards.live.marketTypes()].sort()
const some = (names: readonly string[], count: number) => [
  ...new Set(Array.from({ length: count }, () => random.pick(names))),
]

/** Filters by their kind, each of them different from almost all others. */
const kinds: Readonly<Record<string, () => StreamFilters>> = {
  'a league and three sportsbooks': () => ({
    ...{ league: [random.pick(leagues)], sportsbook: some(sportsbooks, 3) },
  }),
  'three sportsbooks and two markets': () => ({
    ...{ sportsbook: some(sportsbooks, 3), market: some(markets, 2) },
  }),
  'a league, a market and a least price': () => ({
    ...{ league: [random.pick(leagues)], market: [random.pick(markets)] },
    min_odds: -1_000 + Math.floor(random.between(0, 1_000)),
  }),
}

const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
const payer = { accountId: 'a', tier: 'enterprise', requestsPerMinute: 1e9 } as const

/** Writes the texts of new rows, as a service does in its pauses, so that no tick has to. */
function writeTexts() {
  while (boards.live.doDeferred?.()) {}
}

/** Opens a fan-out with one live SSE client for each filter. */
function openStreams(filters: readonly StreamFilters[], send: (frames: Frames) => void) {
  let run = () => {}
  const timers: Timers = {
    now: () => performance.now(),
    later(_ms, next) {
      run = next
      return 0
    },
    cancel() {},
    soon: (next) => next(),
    utilization: () => 0,
  }
  const fanout = createFanout({
    ...{ boards, chain, clock, timers },
    log: { epoch: 'benchmark', async *follow() {} },
    tokens: createPositionTokens('of a benchmark'),
    logger: createLogger({ logLevel: 'silent' }, 'bench'),
    budget: createWorkBudget(() => performance.now()),
  })
  for (const filter of filters) {
    const connection = {
      send(frames: Frames) {
        send(frames)
        return true
      },
      hold() {},
      close() {},
    }
    const heartbeat = () => ({})
    const options = { proof: false, heartbeatMs: 1e9, state: undefined, heartbeat }
    const client = fanout.open(connection, sseFraming, options)
    client.subscribe(streamQueryOf(scope, ['odds'], filter), { from: 'now' }, payer)
  }
  return {
    tick: () => run(),
    close: () => fanout.close(),
  }
}

function measure(kind: string): Result {
  const filters = Array.from({ length: streamCount }, kinds[kind]!)
  let rows = 0
  let writes = 0
  let bytes = 0
  const timed = openStreams(filters, (frames) => {
    bytes += allBytes(frames).length
  })
  const counting = openStreams(filters, (frames) => {
    writes++
    const text = Buffer.from(allBytes(frames)).toString()
    for (const [, count] of text.matchAll(/"count":(\d+)/g)) rows += Number(count)
  })
  const perRow: number[] = []
  const perTick: number[] = []
  // The first round starts the clients and warms up.
  for (let round = 0; round <= rounds; round++) {
    rows = writes = bytes = 0
    let micros = 0
    for (let tick = 0; tick < ticksOfRound; tick++) {
      step(tickMs)
      writeTexts()
      micros += cpuMicros(timed.tick)
      counting.tick()
    }
    if (round === 0) continue
    perRow.push(micros / rows)
    perTick.push(micros / ticksOfRound)
  }
  timed.close()
  counting.close()
  return {
    name: `${streamCount} streams with different filters: ${kind}`,
    unit: 'us of CPU a delivered row',
    value: rounded(median(perRow), 2),
    figures: {
      'min..max': [Math.min(...perRow), Math.max(...perRow)].map((us) => rounded(us, 2)).join('..'),
      'rows a write': rounded(rows / writes, 1),
      'rows a tick': rounded(rows / ticksOfRound),
      'bytes a row': rounded(bytes / rows),
      'CPU us a tick': rounded(median(perTick)),
    },
    goal: '<= 1',
  }
}

printResults(Object.keys(kinds).map(measure))
