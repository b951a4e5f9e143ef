/**
 * The simulator as a feed: the simulation of `simulation.ts` on a clock. It never runs ahead of the
 * sink: no step is made while a publish is waiting, and the next step covers that time.
 */
import { sleep } from '../../async/abort-signals.ts'
import type { Feed } from '../feed.ts'
import { createSimulatedFutures } from './futures.ts'
import { createSimulation, type SimulationOptions } from './simulation.ts'

export interface SimulatorClock {
  /** Returns epoch ms. */
  now(): number
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface SimulatorOptions extends Omit<SimulationOptions, 'startAt' | 'seed'> {
  readonly seed?: number
  readonly clock?: SimulatorClock
}

export const systemClock: SimulatorClock = {
  now: Date.now,
  sleep,
}

const leastRate = 1
const mostRate = 100_000
/** The most records of one publish; a first board is thousands. */
const batchSize = 1000

/**
 * Opens a lively market of 32 sportsbooks: about 120 games and 70,000 prices, by default with 200 price changes a
 * second.
 * @throws RangeError for a rate outside 1 to 100,000, or a sportsbook it does not simulate
 */
export function openSimulator(options: SimulatorOptions = {}): Feed {
  const { clock = systemClock, seed = 1, ...rest } = options
  const rate = options.changesPerSecond ?? 200
  if (!(rate >= leastRate && rate <= mostRate)) {
    throw new RangeError(`changesPerSecond must be ${leastRate} to ${mostRate}, not ${rate}`)
  }
  // Small steps spread the load; at small rates they would be empty.
  const intervalMs = rate >= 1000 ? 20 : 100

  return {
    name: 'simulator',
    async run(sink, signal) {
      const startAt = clock.now()
      const simulation = createSimulation({ ...rest, seed, startAt })
      const futures = createSimulatedFutures({ seed, books: rest.books, leagues: rest.leagues })
      let now = startAt
      let nextAt = startAt
      while (!signal.aborted) {
        const records = [...simulation.step(now), ...futures.step(now)]
        for (let from = 0; from < records.length && !signal.aborted; from += batchSize) {
          await sink.publish(records.slice(from, from + batchSize))
        }
        // While the sink keeps up, steps are at fixed intervals; missed ones are skipped.
        nextAt += intervalMs
        const left = nextAt - clock.now()
        if (left > 0) await clock.sleep(left, signal)
        else nextAt = clock.now()
        // A system clock may be set back; the market's time never goes back.
        now = Math.max(now, clock.now())
      }
    },
  }
}
