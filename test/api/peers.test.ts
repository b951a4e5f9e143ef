/** Processes that share the limits of a key over an ordered log, whose records arrive after any delay within a bound. */

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createMeters, remainingRequests, takeRequest } from '../../api/access/limits.ts'
import {
  createPeers,
  type FollowedPeers,
  forgottenMs,
  goneMs,
  keepReporting,
  presentEveryMs,
  reportEveryMs,
} from '../../api/access/peers.ts'
import { createFollower } from '../../api/follower.ts'
import {
  type Append,
  type Chunk,
  LogSetupError,
  LogUnavailableError,
} from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'

const mostStreams = 10
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const key = 'key_1'
const minuteMs = 60_000
/** The time within which a report is made, written and read. */
const exchangeMs = 250

/** Bounds of writing and of reading (ms). A report waits at most `reportEveryMs`. */
const longestWriteMs = 75
const longestReadMs = 75

interface Process {
  readonly peers: FollowedPeers
  hear(chunk: Chunk): void
  take(limit: number): boolean
  remaining(limit: number): number
  /** Number of log records that it has read. */
  read: number
  /** Whether it does nothing, like a sleeping machine. */
  isPaused: boolean
  /** Its records that are being written to the log. */
  writing: { readonly at: number; readonly records: readonly Append[] } | null
}

/** @param delay of the next step (ms), at most the bound */
function createCluster(delay: (most: number) => number) {
  let now = noon
  const log: { readonly at: number; readonly record: Append }[] = []
  const processes: Process[] = []
  let isAway = false

  const chunk = (records: readonly Append[], isFirst = false): Chunk => ({
    reset: isFirst,
    caughtUp: true,
    position: {} as Chunk['position'],
    records: records.map(({ topic, key, value }) => ({ topic, key, value }) as Chunk['records'][0]),
  })

  function start(): Process {
    const meters = createMeters()
    const meter = meters.of(key, 'acct_1')
    const name = `process_${processes.length}`
    const peers = createPeers({
      process: name,
      meters,
      mostStreams: () => mostStreams,
      clock: () => now,
      timer: () => now - noon,
    })
    const one: Process = {
      peers,
      hear: createFollower({ async *follow() {} }, [peers], () => now).take,
      take: (limit) => takeRequest(meter, limit, now, peers.sharing()).isAllowed,
      remaining: (limit) => remainingRequests(meter, limit, now).remaining,
      read: log.length,
      isPaused: false,
      writing: null,
    }
    // A replayed table has only the last row of each process.
    const rows = new Map(log.map(({ record }) => [record.key, record]))
    const kept = [...rows.values()].filter(({ value }) => value !== null)
    one.hear(chunk(kept, true))
    processes.push(one)
    return one
  }

  /** Advances time by a millisecond. */
  function tick() {
    now++
    if (isAway) return
    for (const [i, one] of processes.entries()) {
      if (one.isPaused) continue
      if (one.writing && one.writing.at <= now) {
        for (const record of one.writing.records) log.push({ at: now, record })
        one.writing = null
      }
      if (!one.writing && (now + 37 * i) % reportEveryMs === 0) {
        const records = one.peers.next()
        if (records.length > 0) one.writing = { at: now + delay(longestWriteMs), records }
      }
      // It reads everything, or waits for the delay.
      const next = log[one.read]
      if (next && (now - next.at >= longestReadMs || delay(longestReadMs) === 0)) {
        one.hear(chunk(log.slice(one.read).map(({ record }) => record)))
        one.read = log.length
      }
    }
  }

  return {
    processes,
    log,
    start,
    now: () => now,
    pass(ms: number) {
      for (let i = 0; i < ms; i++) tick()
    },
    setAway(away: boolean) {
      isAway = away
    },
    kill(one: Process) {
      processes.splice(processes.indexOf(one), 1)
    },
  }
}

type Cluster = ReturnType<typeof createCluster>

/** Starts processes one by one until all share the limits, which takes some seconds. */
function startAll(cluster: Cluster, count: number) {
  for (let i = 0; i < count; i++) {
    const one = cluster.start()
    while (!one.peers.hasJoined()) cluster.pass(1)
  }
}

/** Returns random delays from a seed. */
function delays(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % (most + 1)
  }
}

const bursts = fc.array(
  fc.record({
    afterMs: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: exchangeMs }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
    ),
    process: fc.nat(5),
    requests: fc.oneof(fc.constant(2_000), fc.integer({ min: 1, max: 150 })),
  }),
  { minLength: 1, maxLength: 20 },
)

describe('processes that share reports', () => {
  it('let through at most a tenth more than the limit, in any bursts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom(12, 120, 300, 1_000),
        fc.nat(),
        bursts,
        (count, limit, seed, draws) => {
          const cluster = createCluster(delays(seed))
          startAll(cluster, count)
          const minute = Math.floor(cluster.now() / minuteMs)
          let allowed = 0
          for (const { afterMs, process, requests } of draws) {
            cluster.pass(afterMs)
            if (Math.floor(cluster.now() / minuteMs) !== minute) break
            const one = cluster.processes[process % count]!
            const before = one.remaining(limit)
            let taken = 0
            // A refused request changes nothing, so further ones would be refused too.
            while (taken < requests && one.take(limit)) taken++
            allowed += taken
            // The remaining requests decrease with every request.
            expect(one.remaining(limit)).toBe(Math.max(0, before - taken))
          }
          expect(allowed).toBeLessThanOrEqual(1.1 * limit)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('give a client of one process its whole limit within seconds', () => {
    const limit = 120
    for (const count of [2, 4]) {
      const cluster = createCluster(delays(1))
      startAll(cluster, count)
      const one = cluster.processes[0]!
      const beganAt = cluster.now()
      let allowed = 0
      while (allowed < limit) {
        if (one.take(limit)) allowed++
        else cluster.pass(100)
        expect(cluster.now() - beganAt).toBeLessThan(20_000)
      }
      expect(one.take(limit)).toBe(false)
    }
  })

  it('refuse nothing of requests at an even pace', () => {
    const limit = 120
    const cluster = createCluster(delays(2))
    startAll(cluster, 3)
    for (let i = 0; i < limit - 1; i++) {
      expect(cluster.processes[0]!.take(limit), `request ${i}`).toBe(true)
      cluster.pass(minuteMs / limit)
    }
  })

  it('do not forget requests from before a new process came', () => {
    const limit = 120
    const cluster = createCluster(delays(3))
    startAll(cluster, 1)
    const [first] = cluster.processes
    for (let i = 0; i < limit; i++) expect(first!.take(limit)).toBe(true)
    const second = cluster.start()
    while (!second.peers.hasJoined()) cluster.pass(1)
    expect([first!.take(limit), second.take(limit)]).toEqual([false, false])
    expect(second.remaining(limit)).toBe(0)
  })

  it('go on with their shares while the log is away, minute after minute', () => {
    const limit = 120
    const cluster = createCluster(delays(4))
    startAll(cluster, 2)
    cluster.setAway(true)
    for (let minute = 0; minute < 3; minute++) {
      const allowed = cluster.processes.map((one) => {
        let count = 0
        for (let i = 0; i < limit; i++) if (one.take(limit)) count++
        return count
      })
      expect(allowed).toEqual([66, 66])
      cluster.pass(minuteMs)
    }
    cluster.setAway(false)
    cluster.pass(2 * presentEveryMs)
    expect(cluster.processes.map(({ peers }) => peers.sharing().processes)).toEqual([2, 2])
  })

  it('give a paused process its share of the then remaining requests, and no more', () => {
    const limit = 120
    const cluster = createCluster(delays(8))
    startAll(cluster, 2)
    const [first, second] = cluster.processes as [Process, Process]
    second.isPaused = true
    cluster.pass(goneMs + 2 * presentEveryMs)
    for (let i = 0; i < limit; i++) expect(first.take(limit)).toBe(true)
    second.isPaused = false
    let late = 0
    while (second.take(limit)) late++
    expect(late).toBe(66)
    cluster.pass(exchangeMs)
    expect(second.take(limit)).toBe(false)
    expect(second.remaining(limit)).toBe(0)
  })

  it('soon drop a killed process, and one that leaves at once', () => {
    const cluster = createCluster(delays(5))
    startAll(cluster, 3)
    const [first, second, third] = cluster.processes as [Process, Process, Process]
    expect(first.peers.sharing().processes).toBe(3)
    cluster.log.push({ at: cluster.now(), record: third.peers.farewell() })
    cluster.kill(third)
    cluster.pass(exchangeMs)
    expect(first.peers.sharing().processes).toBe(2)
    cluster.kill(second)
    cluster.pass(exchangeMs)
    expect(first.peers.sharing().processes).toBe(2)
    cluster.pass(goneMs + 2 * presentEveryMs)
    expect(first.peers.sharing().processes).toBe(1)
  })

  it('report only their presence without requests', () => {
    const cluster = createCluster(delays(6))
    startAll(cluster, 2)
    const before = cluster.log.length
    cluster.pass(10 * presentEveryMs)
    expect(cluster.log.length - before).toBeLessThanOrEqual(20)
    expect(cluster.log.every(({ record }) => record.topic === topics.apiProcesses)).toBe(true)
  })
})

describe('streams of a key', () => {
  it('are counted at all processes, until they end or their process stops', () => {
    const cluster = createCluster(delays(7))
    startAll(cluster, 2)
    const [first, second] = cluster.processes as [Process, Process]
    first.peers.setStreams(key, 3)
    cluster.pass(exchangeMs)
    expect(second.peers.streamsElsewhere(key)).toBe(3)
    first.peers.setStreams(key, 1)
    cluster.pass(exchangeMs)
    expect(second.peers.streamsElsewhere(key)).toBe(1)
    const third = cluster.start()
    while (!third.peers.hasJoined()) cluster.pass(1)
    expect(third.peers.streamsElsewhere(key)).toBe(1)
    first.peers.retire()
    cluster.pass(exchangeMs)
    expect([second, third].map(({ peers }) => peers.streamsElsewhere(key))).toEqual([0, 0])
  })

  it('opened at several at once end at those that report later, and no more of them than must', () => {
    const steps = fc.array(
      fc.record({
        process: fc.nat(3),
        opened: fc.integer({ min: -5, max: 10 }),
        afterMs: fc.integer({ min: 0, max: 2 * exchangeMs }),
      }),
      { minLength: 2, maxLength: 12 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.nat(), steps, (count, seed, taken) => {
        const cluster = createCluster(delays(seed))
        startAll(cluster, count)
        const open = new Map(cluster.processes.map((one) => [one, 0]))
        const total = () => [...open.values()].reduce((sum, n) => sum + n, 0)
        function set(one: Process, streams: number) {
          open.set(one, streams)
          one.peers.setStreams(key, streams)
        }
        for (const one of cluster.processes) {
          one.peers.onTooManyStreams((keyId, kept) => {
            expect(keyId).toBe(key)
            set(one, Math.min(open.get(one)!, kept))
          })
        }
        /** Opens the wanted streams as far as the reports allow. */
        function take(one: Process, wanted: number) {
          const free = mostStreams - open.get(one)! - one.peers.streamsElsewhere(key)
          set(one, open.get(one)! + Math.max(0, Math.min(wanted, free)))
        }
        for (const { process, opened, afterMs } of taken) {
          const one = cluster.processes[process % count]!
          if (opened < 0) set(one, Math.max(0, open.get(one)! + opened))
          else take(one, opened)
          cluster.pass(afterMs)
        }
        cluster.pass(4 * exchangeMs)
        expect(total()).toBeLessThanOrEqual(mostStreams)
        // All processes want all streams within one exchange, and no stream may be lost between them.
        for (const [i, one] of cluster.processes.entries()) {
          for (let n = 0; n < mostStreams; n++) {
            take(one, 1)
            cluster.pass((seed >> i) % 20)
          }
        }
        cluster.pass(4 * exchangeMs)
        expect(total()).toBe(mostStreams)
        for (const one of cluster.processes) {
          expect(one.peers.streamsElsewhere(key)).toBe(mostStreams - open.get(one)!)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('of a paused process are distinguished from those opened meanwhile', () => {
    const cluster = createCluster(delays(9))
    startAll(cluster, 3)
    const [first, second] = cluster.processes as [Process, Process]
    const tooMany: number[] = []
    second.peers.onTooManyStreams((_, kept) => tooMany.push(kept))
    first.peers.setStreams(key, 8)
    cluster.pass(exchangeMs)
    first.isPaused = true
    cluster.pass(goneMs + 2 * presentEveryMs)
    expect(second.peers.streamsElsewhere(key)).toBe(0)
    second.peers.setStreams(key, mostStreams)
    cluster.pass(exchangeMs)
    expect(tooMany).toEqual([])
    first.isPaused = false
    cluster.pass(presentEveryMs + 2 * exchangeMs)
    expect(tooMany).toEqual([mostStreams - 8])
  })

  it('of a process that all have forgotten are reported again when it resumes', () => {
    const cluster = createCluster(delays(10))
    startAll(cluster, 3)
    const [first, second, third] = cluster.processes as [Process, Process, Process]
    first.peers.setStreams(key, 8)
    cluster.pass(exchangeMs)
    first.isPaused = true
    cluster.pass(forgottenMs + 2 * presentEveryMs)
    first.isPaused = false
    cluster.pass(2 * presentEveryMs)
    expect([second, third].map(({ peers }) => peers.streamsElsewhere(key))).toEqual([8, 8])
  })
})

describe('a process whose reports are refused', () => {
  const refused = new LogSetupError(
    'User:odds-api lacks the right Write on the topic api-processes',
  )

  /** Reports to a log that answers in turn with these errors, four seconds apart, and then stops. */
  async function reportTo(answers: readonly (Error | null)[]) {
    const { peers } = createCluster(() => 0).start()
    const stop = new AbortController()
    const left = [...answers]
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const log = {
        async append() {
          vi.advanceTimersByTime(4_000)
          const answer = left.shift()
          if (left.length === 0) stop.abort()
          if (answer) throw answer
        },
      }
      // Each report has something new, so that each round appends.
      const changing = { ...peers, next: () => [peers.farewell()] }
      await keepReporting(log, changing, stop.signal, () => {})
    } finally {
      vi.useRealTimers()
    }
  }

  it('for good ends, since the others would not count it', async () => {
    await expect(reportTo([refused, refused, refused, refused])).rejects.toBe(refused)
  })

  it.each([
    ['once', [refused, null]],
    ['less than ten seconds', [refused, refused, refused, null]],
    ['with an accepted one between', [refused, refused, null, refused, refused, null]],
    [
      'with an outage between',
      [refused, refused, refused, new LogUnavailableError('away'), refused],
    ],
  ])('%s goes on', async (_how, answers) => {
    await reportTo(answers)
  })
})
