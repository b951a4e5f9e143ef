/**
 * The service's streams compared with bare loops that only write: uWebSockets.js, node:http and `ws`, with the same rows
 * in the same bytes at the same tick.
 *
 *     node build/benchmarks/streams.js <directory made by million-rows.js> [rounds=3] [seconds=3] [only=name,name] [scale=1]
 *
 * Names are those of `figures`, in the order they run. `scale` divides connections and rates, for a trial. Needs `cc` to
 * compile the readers (`stream-load.c`).
 *
 * Servers run on core 0, readers on core 1. Variants alternate, A B C then C B A. Figures are medians over rounds; a
 * ratio is the median of the rounds' ratios. Latency is measured from when a change was due, not when it was made, to
 * the reader's `recv`. It includes the waits for a chunk of changes (2 ms), for the tick and for the reader's core.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median, printResults, type Result, range, rounded } from './measure.ts'
import { option } from './options.ts'
import {
  cpuSeconds,
  descriptorLimit,
  hasCommand,
  residentBytes,
  type Started,
  start,
} from './processes.ts'
import type { BareAnswer, BareKind } from './stream-bare.ts'
import { compileReaders, type Load, type LoadOptions } from './stream-load.ts'
import type {
  Changed,
  LeagueMarket,
  ServedStreams,
  StateOrder,
  StreamOrder,
} from './stream-server.ts'

const [, , path] = process.argv
if (!path) {
  throw new Error('usage: streams.js <directory> [rounds=3] [seconds=3] [only=name,name] [scale=1]')
}
const rounds = Number(option('rounds') ?? 3)
const seconds = Number(option('seconds') ?? 3)
const only = option('only')?.split(',')
const scale = Number(option('scale') ?? 1)

const workDir = mkdtempSync(join(tmpdir(), 'overround-streams-'))
process.once('exit', () => rmSync(workDir, { recursive: true, force: true }))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))

const hasTaskset = hasCommand('taskset')
const serverCore = hasTaskset ? 0 : null
const compiled = compileReaders(workDir, hasTaskset ? 1 : null)
if (!compiled) {
  console.error('cc is not there: the stream figures are skipped (apt-get install gcc)')
  printResults([])
  process.exit(0)
}
const readers = compiled

/** With a higher latency a server does not keep up: due rows wait longer and longer. */
const lateMs = 100
/** Long enough for new sockets to allocate their buffers. */
const defaultWarmupMs = 3_000
const heartbeatMs = 30_000
const kilobyte = 1_024
const megabyte = 1_048_576

const bareNames: Readonly<Record<BareKind, string>> = {
  'uws-sse': 'bare uWebSockets.js SSE',
  'uws-websocket': 'bare uWebSockets.js WebSocket',
  'node-sse': 'node:http SSE',
  ws: 'the ws package',
}

/** A measured server, and how to control it. */
interface Subject {
  readonly name: string
  readonly isWebSocket: boolean
  readonly pid: number
  readonly reading: Pick<LoadOptions, 'port' | 'paths' | 'headers' | 'readyText'>
  /** Sets the rows per second to each reader; `max` for as many as possible, 0 for none. */
  setRate(rowsPerSecond: number | 'max'): Promise<unknown>
  /** Returns the number of open streams, optionally after a full garbage collection. */
  openStreams(of?: StateOrder): Promise<number>
}

interface Trial extends Load {
  /** Received rows per second. */
  readonly perSecond: number
  /** CPU time of the server per received row. */
  readonly cpuMicros: number
  /** Streams that had closed by the end of the window; slow readers do not notice. */
  readonly ended: number
  /** Share of due rows received in time; the others were late, or replaced by a newer one of the same price. */
  readonly ofDue: number
}

interface TrialOptions extends Partial<LoadOptions> {
  readonly connections: number
  /** Changes made by the server, each for one or more readers. */
  readonly rowsPerSecond: number | 'max'
  /** The part that each reader follows; default: all. */
  readonly part?: number
}

// ---- figures

const figures: Readonly<Record<string, () => Promise<Result[]>>> = {
  framing,
  throughput,
  pace,
  crowd,
  changes,
  snapshots,
  slow,
  idle,
}
const stranger = only?.find((name) => !(name in figures))
if (stranger) throw new Error(`no figure ${stranger}; there are ${Object.keys(figures).join(', ')}`)

let ours: Started<ServedStreams> | undefined
let accountDirectories = 0
const results: Result[] = []
for (const [name, run] of Object.entries(figures)) {
  if (only && !only.includes(name)) continue
  console.error(`\n${name}`)
  try {
    const found = await run()
    results.push(...found)
    table(found)
  } catch (error) {
    // Other figures do not depend on this one.
    console.error(`${name} is skipped: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
await ours?.close()
printResults(results)
process.exit()

/** Checks that slow readers get well-formed data, which some versions of the library break. */
async function framing(): Promise<Result[]> {
  const connections = scaled(400)
  const bytesPerSecond = 250_000
  const windowMs = 1_000 * Math.max(seconds, 15)
  const found: Result[] = []
  const bare = await openBare('uws-sse', 10)
  for (const { subject, hasIds } of [
    { subject: (await openOurs()).sse, hasIds: true },
    { subject: bare.subject, hasIds: false },
  ]) {
    const load = await trial(subject, {
      connections,
      rowsPerSecond: 1_000,
      slow: connections,
      slowBytes: bytesPerSecond,
      isVerified: true,
      hasIds,
      windowMs,
    })
    found.push({
      name: `${subject.name}: well-formed through throttled readers`,
      unit: 'GB',
      value: load.faults > 0 ? 0 : rounded(load.totalBytes / 1e9, 2),
      figures: {
        readers: load.connections,
        'KB/s each may read': bytesPerSecond / 1_000,
        'broken streams': load.faults,
        ...(load.faults > 0 && { 'the first': load.firstFault }),
        'ended by the server': load.ended,
      },
      goal: hasIds ? '>= 1, none broken' : '',
    })
  }
  await bare.close()
  return found
}

/** A thousand readers of the same rows, at rates beyond an unbatched loop. */
async function throughput(): Promise<Result[]> {
  const connections = scaled(1_000)
  const offered = [1_500, 2_000, 3_000] as const
  const millions = offered.map((rows) => ((rows * connections) / 1e6).toLocaleString('en'))
  const { sse, websocket } = await openOurs()
  const bare = await openAllBare(10)
  const alone = await openBare('uws-sse', 0)
  const unbatched: Trial[] = []
  const subjects = [sse, websocket, ...bare.subjects]
  const measured = new Map(subjects.map((subject) => [subject, offered.map(() => [] as Trial[])]))
  await inTurns([alone.subject, ...subjects], async (subject) => {
    if (subject === alone.subject) {
      unbatched.push(await trial(subject, { connections, rowsPerSecond: 'max' }))
      return
    }
    for (const [i, rowsPerSecond] of offered.entries()) {
      const load = await trial(subject, { connections, rowsPerSecond })
      measured.get(subject)![i]!.push(load)
    }
  })
  await bare.close()
  await alone.close()

  /** Returns the highest rate of rows in time, by round. */
  const reached = (subject: Subject) =>
    unbatched.map((_, round) => {
      const loads = measured.get(subject)!.map((of) => of[round]!)
      return Math.max(...loads.filter(({ p99 }) => p99 <= lateMs).map((of) => of.perSecond), 0)
    })
  const alonePerSecond = unbatched.map(({ perSecond }) => perSecond)
  const timesUnbatched = (subject: Subject) =>
    rounded(median(reached(subject).map((of, round) => of / alonePerSecond[round]!)), 1)
  const atRates = (subject: Subject) =>
    Object.fromEntries(
      measured.get(subject)!.flatMap((loads, i) => [
        [`p50/p99 ms at ${millions[i]} million/s`, latencies(loads)],
        [`CPU us at ${millions[i]} million/s`, rounded(median(loads.map((of) => of.cpuMicros)), 2)],
      ]),
    )
  const first = measured.get(sse)![0]!
  const many = `${connections.toLocaleString('en')} readers, 10 ms tick`
  return [
    {
      name: `${sse.name}, ${many}: deliveries/s against an unbatched loop`,
      unit: 'x',
      value: timesUnbatched(sse),
      figures: { 'min..max': range(reached(sse)), 'unbatched min..max': range(alonePerSecond) },
      goal: '>= 7',
    },
    {
      name: `${sse.name}, ${many}, ${millions[0]} million deliveries/s`,
      unit: 'ms (p99)',
      value: rounded(median(first.map((of) => of.p99)), 1),
      figures: further(first),
      goal: '<= 25',
    },
    {
      name: `${websocket.name}, ${many}: deliveries/s in time against SSE`,
      unit: 'x',
      value: rounded(
        median(reached(websocket).map((of, round) => of / Math.max(1, reached(sse)[round]!))),
        2,
      ),
      figures: {
        'min..max': range(reached(websocket)),
        'SSE min..max': range(reached(sse)),
        [`in time or not, of ${millions.at(-1)} million/s offered`]: rounded(
          median(
            measured
              .get(websocket)!
              .at(-1)!
              .map((load, round) => load.perSecond / measured.get(sse)!.at(-1)![round]!.perSecond),
          ),
          2,
        ),
      },
      goal: '>= 0.95',
    },
    ...subjects.map((subject) => ({
      name: `${subject.name}, ${many}, up to ${millions.at(-1)} million deliveries/s offered`,
      unit: 'deliveries/s in time',
      value: rounded(median(reached(subject))),
      figures: { 'x unbatched': timesUnbatched(subject), ...atRates(subject) },
      goal: '',
    })),
    {
      name: `${alone.subject.name}, unbatched, ${connections.toLocaleString('en')} readers`,
      unit: 'deliveries/s',
      value: rounded(median(alonePerSecond)),
      figures: { 'min..max': range(alonePerSecond) },
      goal: '',
    },
  ]
}

/** A thousand readers at a rate that all servers reach. */
async function pace(): Promise<Result[]> {
  const connections = scaled(1_000)
  return compare({
    connections,
    rowsPerSecond: 100,
    tickMs: 10,
    goalOf: (name) => (name === 'SSE' ? { times: '<= 1.5' } : {}),
  })
}

/** Five thousand readers. */
async function crowd(): Promise<Result[]> {
  const connections = scaled(5_000)
  return compare({
    connections,
    rowsPerSecond: 160,
    tickMs: 50,
    goalOf: (name) => (name === 'SSE' ? { p99: '<= 100' } : {}),
  })
}

interface Comparison {
  readonly connections: number
  readonly rowsPerSecond: number
  readonly tickMs: number
  /** A goal for the latency, or for its ratio to the bare loop's. */
  goalOf(name: string): { readonly p99?: string; readonly times?: string }
}

/** Latencies of all servers at one rate, and the ratio of ours to the bare loop's. */
async function compare(of: Comparison): Promise<Result[]> {
  const { connections, rowsPerSecond, tickMs } = of
  const { sse, websocket } = await openOurs()
  const bare = await openAllBare(tickMs)
  const subjects = [sse, websocket, ...bare.subjects]
  const measured = new Map(subjects.map((subject) => [subject, [] as Trial[]]))
  await inTurns(subjects, async (subject) => {
    measured.get(subject)!.push(await trial(subject, { connections, rowsPerSecond }))
  })
  await bare.close()
  const what = `${connections.toLocaleString('en')} readers, ${tickMs} ms tick, ${(connections * rowsPerSecond).toLocaleString('en')} deliveries/s`
  const pairs = [
    [sse, bare.subjects[0]!],
    [websocket, bare.subjects[1]!],
  ] as const
  return [
    ...subjects.map((subject) => ({
      name: `${subject.name}, ${what}`,
      unit: 'ms (p99)',
      value: rounded(median(measured.get(subject)!.map(({ p99 }) => p99)), 1),
      figures: further(measured.get(subject)!),
      goal: of.goalOf(subject.name).p99 ?? '',
    })),
    ...pairs.map(([subject, loop]) => {
      const loops = measured.get(loop)!
      const times = measured.get(subject)!.map(({ p99 }, round) => p99 / loops[round]!.p99)
      return {
        name: `${subject.name}, ${what}: p99 against ${loop.name}`,
        unit: 'x',
        value: rounded(median(times), 2),
        figures: { 'min..max': times.map((ratio) => rounded(ratio, 2)).join(' ') },
        goal: of.goalOf(subject.name).times ?? '',
      }
    }),
  ]
}

/** Latency from a price change to readers that follow a twentieth each. */
async function changes(): Promise<Result[]> {
  const connections = scaled(1_000)
  const changesPerSecond = scaled(50_000)
  const opened = await openOurs()
  const found: Result[] = []
  for (const subject of [opened.sse, opened.websocket]) {
    const following = opened.followingTwentieths(subject)
    const of = { connections, rowsPerSecond: changesPerSecond, part: 1 / 20 }
    // Warm-up: the runtime recompiles for twenty queries.
    await trial(following, of)
    const loads: Trial[] = []
    for (let round = 0; round < rounds; round++) {
      loads.push(await trial(following, of))
    }
    found.push({
      name: `${subject.name}, ${connections.toLocaleString('en')} readers of a twentieth of ${changesPerSecond.toLocaleString('en')} changes/s each: change to reader`,
      unit: 'ms (p99)',
      value: rounded(median(loads.map(({ p99 }) => p99)), 1),
      figures: further(loads),
      goal: subject === opened.sse ? 'p50 <= 20, p99 <= 60' : '',
    })
  }
  return found
}

/** Latency of other readers while large snapshots are sent. */
async function snapshots(): Promise<Result[]> {
  const count = scaled(50)
  const changesPerSecond = 200
  const windowMs = 1_000 * Math.max(seconds, 15)
  const opened = await openOurs()
  const { large } = opened.served
  const whole = `/api/v1/stream?channel=odds&league=${large.leagues.join()}`
  const watched: Trial[] = []
  const quiet: Trial[] = []
  const took: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const live = { connections: scaled(100), rowsPerSecond: changesPerSecond, windowMs }
    quiet.push(await trial(opened.sse, { ...live, windowMs: 1_000 * seconds }))
    const taking = delay(defaultWarmupMs + 1_000).then(() =>
      // At a lower priority, so as not to delay measured readers on the same core.
      readers.open({
        ...opened.sse.reading,
        paths: [whole],
        connections: count,
        ramp: count,
        nice: 10,
      }),
    )
    watched.push(await trial(opened.sse, live))
    const { ready, close } = await taking
    took.push(ready.ms)
    sizes.push(ready.totalBytes / count)
    await close()
  }
  const stall = (loads: readonly Trial[]) =>
    loads.map(({ longestGap }) => Math.max(0, longestGap - 1_000 / changesPerSecond))
  return [
    {
      name: `longest stall of others while ${count} readers get ${large.rows.toLocaleString('en')} rows at once`,
      unit: 'ms',
      value: rounded(median(stall(watched)), 1),
      figures: {
        'min..max': range(stall(watched)),
        'without snapshots': rounded(median(stall(quiet)), 1),
        'p99 ms': rounded(median(watched.map(({ p99 }) => p99)), 1),
        'p99 ms without': rounded(median(quiet.map(({ p99 }) => p99)), 1),
        'snapshots took ms': range(took),
        'MB each': rounded(median(sizes) / 1e6, 1),
      },
      goal: '<= 50',
    },
  ]
}

/** The cost of readers that do not read, for the server and other readers. */
async function slow(): Promise<Result[]> {
  const connections = scaled(500)
  const rowsPerSecond = 1_000
  // Sockets of slow readers fill up before the window. Those that read nothing are closed during it.
  const warmupMs = 15_000
  const windowMs = 1_000 * Math.max(seconds, 40)
  const { sse } = await openOurs({ isFresh: true })
  const variants = [
    { slow: 0, stopped: 0 },
    { slow: connections / 10, stopped: connections / 50 },
  ] as const
  const run = async (subject: Subject, of: Partial<TrialOptions>) => {
    const watched = watchMemory(subject.pid)
    const load = await trial(subject, { connections, rowsPerSecond, ...of }, watched.begin)
    return { ...load, grown: watched.end() }
  }
  const measured = variants.map(() => [] as Awaited<ReturnType<typeof run>>[])
  for (let round = 0; round < rounds; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      measured[i]!.push(await run(sse, { warmupMs, windowMs, ...variants[i]! }))
    }
  }
  const [without, withSlow] = measured as [(typeof measured)[0], (typeof measured)[0]]
  const bare = await openBare('uws-sse', 10)
  const bareWithSlow = await run(bare.subject, { warmupMs, windowMs, ...variants[1] })
  const filling = new Map<Subject, number[]>([
    [sse, []],
    [bare.subject, []],
  ])
  const fillingMs = 10_000
  await inTurns([...filling.keys()], async (subject) => {
    const window = { warmupMs: 1_000, windowMs: fillingMs }
    const quick = await run(subject, { ...window, ...variants[0] })
    const slowed = await run(subject, { ...window, ...variants[1] })
    filling.get(subject)!.push(slowed.p99 / quick.p99)
  })
  await bare.close()

  const times = withSlow.map(({ p99 }, round) => p99 / without[round]!.p99)
  const megabytes = (loads: typeof without) => loads.map(({ grown }) => grown / megabyte)
  const timesFilling = (subject: Subject) => rounded(median(filling.get(subject)!), 2)
  const { slow: slowCount, stopped } = variants[1]
  const who = `${connections} readers, of which ${slowCount} read 1 KB/s and ${stopped} of those nothing`
  return [
    {
      name: `SSE, ${who}: memory of the server grows by`,
      unit: 'MB',
      value: rounded(median(megabytes(withSlow)), 1),
      figures: {
        'min..max': range(megabytes(withSlow)),
        'without the slow': rounded(median(megabytes(without)), 1),
        'slow ended by the server': rounded(median(withSlow.map((of) => of.ended))),
        [bare.subject.name]: rounded(bareWithSlow.grown / megabyte, 1),
      },
      goal: '<= 64',
    },
    {
      name: `SSE, ${who}: p99 of the others against that without`,
      unit: 'x',
      value: rounded(median(times), 2),
      figures: {
        'min..max': times.map((ratio) => rounded(ratio, 2)).join(' '),
        'p99 ms': rounded(median(withSlow.map(({ p99 }) => p99)), 1),
        'p99 ms without': rounded(median(without.map(({ p99 }) => p99)), 1),
        'in the first 10 s, while sockets fill': timesFilling(sse),
        [`then ${bare.subject.name}`]: timesFilling(bare.subject),
      },
      goal: '<= 1.2',
    },
  ]
}

/** Streams with only heartbeats. */
async function idle(): Promise<Result[]> {
  const connections = scaled(10_000)
  const limit = descriptorLimit(process.pid)
  if (limit < connections + 200) {
    throw new Error(`${connections} connections need as many descriptors (ulimit -n is ${limit})`)
  }
  const found: Result[] = []
  const weigh = async (subject: Subject, goal: string) => {
    const hold = (count: number) =>
      readers.open({
        ...subject.reading,
        isWebSocket: subject.isWebSocket,
        connections: count,
        countText: 'heartbeat',
        warmupMs: 0,
        windowMs: 1,
        drainMs: 0,
      })
    // Only later streams are measured, because the first ones also load code and buffers.
    const first = await hold(connections / 5)
    const before = await settledBytes(subject)
    const others = await hold((connections * 4) / 5)
    const cpuBefore = cpuSeconds(subject.pid)
    await delay(heartbeatMs + 2_000)
    const busy = (cpuSeconds(subject.pid) - cpuBefore) / (heartbeatMs / 1_000 + 2)
    const grown = (await settledBytes(subject)) - before
    const held = await subject.openStreams()
    const loads = await Promise.all([first.measure(), others.measure()])
    const beats = loads.reduce((sum, { counted }) => sum + counted, 0)
    found.push({
      name: `${subject.name}: memory of an idle stream, ${connections.toLocaleString('en')} held`,
      unit: 'KB',
      value: rounded(grown / ((connections * 4) / 5) / kilobyte, 2),
      figures: {
        held,
        'opened in ms': rounded(first.ready.ms + others.ready.ms),
        'heartbeats a stream': rounded(beats / connections, 1),
        'CPU of the server': rounded(busy, 2),
      },
      goal,
    })
  }
  for (const kind of ['sse', 'websocket'] as const) {
    const opened = await openOurs({ isFresh: true })
    await weigh(opened.quiet(opened[kind]), '<= 6')
  }
  for (const kind of ['uws-sse', 'node-sse'] as const) {
    const bare = await openBare(kind, 10)
    await weigh(bare.subject, '')
    await bare.close()
  }
  return found
}

/** Returns the memory of a server once the runtime has returned unused memory. */
async function settledBytes(subject: Subject): Promise<number> {
  let before = Number.POSITIVE_INFINITY
  for (let i = 0; i < 12; i++) {
    await subject.openStreams({ collect: true })
    const now = residentBytes(subject.pid)
    if (Math.abs(now - before) < megabyte / 2) return now
    before = now
    await delay(5_000)
  }
  return before
}

// ---- trials

/**
 * Opens readers, sets the rate, measures, and stops.
 * @param onOpen called when all readers are connected, before any change
 */
async function trial(
  subject: Subject,
  { rowsPerSecond, part = 1, ...reading }: TrialOptions,
  onOpen: () => void = () => {},
): Promise<Trial> {
  const { connections, warmupMs = defaultWarmupMs, windowMs = 1_000 * seconds } = reading
  const opened = await readers.open({
    ...subject.reading,
    isWebSocket: subject.isWebSocket,
    ...reading,
    warmupMs,
    windowMs,
  })
  await subject.openStreams({ collect: true })
  onOpen()
  await subject.setRate(rowsPerSecond)
  const load = opened.measure()
  await delay(warmupMs)
  const before = cpuSeconds(subject.pid)
  await delay(windowMs)
  const cpu = cpuSeconds(subject.pid) - before
  const ended = connections - (await subject.openStreams())
  const found = await load
  await subject.setRate(0)
  const perSecond = found.arrived / found.seconds
  if (found.faults > 0)
    console.error(`${subject.name}: ${found.faults} broken: ${found.firstFault}`)
  if (found.closed > 0) console.error(`${subject.name}: the server ended ${found.closed} streams`)
  console.error(
    `${subject.name}: ${connections} readers, ${rowsPerSecond} rows/s: ${rounded(perSecond)} deliveries/s, p50 ${found.p50}, p99 ${found.p99}, max ${rounded(found.max, 1)} ms; readers' core ${rounded(found.busy, 2)}, server's ${rounded(cpu / (windowMs / 1_000), 2)}`,
  )
  const due =
    rowsPerSecond === 'max'
      ? found.deliveries
      : rowsPerSecond * found.seconds * part * (connections - (reading.slow ?? 0))
  return {
    ...found,
    ended,
    perSecond,
    cpuMicros: (1e6 * cpu) / Math.max(1, found.arrived),
    ofDue: found.deliveries / Math.max(1, due),
  }
}

async function inTurns(subjects: readonly Subject[], run: (subject: Subject) => Promise<void>) {
  for (let round = 0; round < rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) await run(subject)
    console.error(`round ${round + 1} of ${rounds}`)
  }
}

/** Records how far a process grows from `begin` on, four times a second. */
function watchMemory(pid: number) {
  let from = 0
  let most = 0
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    most = Math.max(most, residentBytes(pid))
  }
  return {
    begin() {
      from = residentBytes(pid)
      most = from
      timer = setInterval(look, 250)
    },
    /** @returns bytes */
    end() {
      clearInterval(timer)
      return most - from
    },
  }
}

function latencies(loads: readonly Trial[]): string {
  const middle = (of: (load: Trial) => number) => rounded(median(loads.map(of)), 1)
  return `${middle(({ p50 }) => p50)}/${middle(({ p99 }) => p99)}`
}

function further(loads: readonly Trial[]): Result['figures'] {
  const middle = (of: (load: Trial) => number, digits = 0) => rounded(median(loads.map(of)), digits)
  return {
    'p50 ms': middle(({ p50 }) => p50, 1),
    'p99 min..max': range(loads.map(({ p99 }) => p99)),
    'max ms': middle(({ max }) => max, 1),
    'deliveries/s': middle(({ perSecond }) => perSecond),
    'of those due': middle(({ ofDue }) => ofDue, 3),
    'bytes each': middle(({ bytes, arrived }) => bytes / Math.max(1, arrived)),
    'writes/s': middle((load) => load.pieces / load.seconds),
    'CPU us each': middle(({ cpuMicros }) => cpuMicros, 2),
  }
}

// ---- servers

interface Ours {
  readonly served: ServedStreams
  readonly sse: Subject
  readonly websocket: Subject
  /** Returns the subject with readers that follow a twentieth of the changes each. */
  followingTwentieths(subject: Subject): Subject
  /** Returns the subject with readers of rows that do not change. */
  quiet(subject: Subject): Subject
}

/** Opens our server. It starts slowly, so it is reused for all figures except memory. */
async function openOurs({ isFresh = false } = {}): Promise<Ours> {
  if (isFresh) {
    await ours?.close()
    ours = undefined
  }
  if (!ours) {
    const accounts = join(workDir, `accounts-${accountDirectories++}`)
    ours = await start<ServedStreams>('stream-server.js', [path!, accounts], serverCore)
    const { rows, hot } = ours.ready
    console.error(
      `${rows.toLocaleString('en')} rows, ${hot.rows} in ${hot.league} ${hot.market}, which all follow`,
    )
  }
  const { ready: served, pid } = ours
  const order = (message: StreamOrder) => ours!.order<Changed>(message)
  const setRate = (of: 'hot' | 'twentieths', changesPerSecond: number | 'max') => {
    if (changesPerSecond === 'max') throw new Error('our rows come at a rate')
    return order({ changesPerSecond, of })
  }
  const subject = (isWebSocket: boolean): Subject => ({
    name: isWebSocket ? 'WebSocket' : 'SSE',
    isWebSocket,
    pid,
    reading: {
      port: served.port,
      headers: [`X-API-Key: ${served.key}`],
      paths: [followed(isWebSocket, served.hot)],
      readyText: 'snapshot:complete',
    },
    setRate: (rowsPerSecond) => setRate('hot', rowsPerSecond),
    openStreams: async (of = { collect: false }) => (await order(of)).streams,
  })
  return {
    served,
    sse: subject(false),
    websocket: subject(true),
    followingTwentieths: (of) => ({
      ...of,
      reading: {
        ...of.reading,
        paths: served.twentieths.map((twentieth) => followed(of.isWebSocket, twentieth)),
      },
      setRate: (changesPerSecond) => setRate('twentieths', changesPerSecond),
    }),
    quiet: (of) => ({
      ...of,
      reading: {
        ...of.reading,
        paths: [`${streamPath(of.isWebSocket)}&event=${served.quietEvent}`],
      },
    }),
  }
}

function streamPath(isWebSocket: boolean): string {
  return isWebSocket ? '/api/v1/ws?channels=odds' : '/api/v1/stream?channel=odds'
}

function followed(isWebSocket: boolean, { league, market }: LeagueMarket): string {
  return `${streamPath(isWebSocket)}&league=${league}&market=${market}`
}

async function openBare(kind: BareKind, tickMs: number) {
  const server = await start<{ port: number }>('stream-bare.js', [kind, String(tickMs)], serverCore)
  const subject: Subject = {
    name: bareNames[kind],
    isWebSocket: kind === 'uws-websocket' || kind === 'ws',
    pid: server.pid,
    reading: { port: server.ready.port, paths: ['/stream'] },
    setRate: (rowsPerSecond) => server.order<BareAnswer>({ rowsPerSecond }),
    openStreams: async (of = { collect: false }) => (await server.order<BareAnswer>(of)).streams,
  }
  return { subject, close: server.close }
}

async function openAllBare(tickMs: number) {
  const kinds: readonly BareKind[] = ['uws-sse', 'uws-websocket', 'node-sse', 'ws']
  const opened = await Promise.all(kinds.map((kind) => openBare(kind, tickMs)))
  return {
    subjects: opened.map(({ subject }) => subject),
    close: () => Promise.all(opened.map(({ close }) => close())),
  }
}

// ---- reporting

function table(of: readonly Result[]) {
  for (const { name, value, unit, goal, figures: more } of of) {
    const further = Object.entries(more).map(([what, is]) => `${what} ${is}`)
    console.error(`${value} ${unit} (${goal})\t${name}\t${further.join(', ')}`)
  }
}

/** Divides connections or rates by `scale`. */
function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale))
}
