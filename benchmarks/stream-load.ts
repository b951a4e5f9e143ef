/** Builds and runs `stream-load.c`, the readers of the stream figures; its options and its report. */

import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectRoot } from '../schemas/project-root.ts'

export interface LoadOptions {
  readonly port: number
  readonly isWebSocket?: boolean
  readonly connections: number
  /** Taken in turn. */
  readonly paths: readonly string[]
  /** Whole header lines of the request. */
  readonly headers?: readonly string[]
  /** A text that tells that a connection is ready; without it the answer's head does. */
  readonly readyText?: string
  /** A text whose occurrences are counted over the whole run. */
  readonly countText?: string
  /** Connections that are not ready yet at once. */
  readonly ramp?: number
  readonly warmupMs?: number
  readonly windowMs?: number
  /** What was due in the window may still come for so long. */
  readonly drainMs?: number
  /** So many of the connections read `slowBytes` a second from the warm-up on. */
  readonly slow?: number
  readonly slowBytes?: number
  /** So many of the slow read nothing more. */
  readonly stopped?: number
  /** Checks every block and every JSON text, beside the framing. */
  readonly isVerified?: boolean
  /** Ids of blocks, and `seq` of frames, are checked as well; only where content is. */
  readonly hasIds?: boolean
  /** A file for what the first connection gets, without chunks and frames. */
  readonly saveTo?: string
  /** Niceness above this process's. */
  readonly nice?: number
}

export interface Ready {
  /** Those that are open. */
  readonly connections: number
  readonly refused: number
  readonly faults: number
  readonly firstFault: string
  readonly firstRefusal: string
  /** From the first connection until all are ready. */
  readonly ms: number
  readonly totalBytes: number
}

/** Latencies in ms, from the instant in a row to its receipt, of rows due in the window. */
export interface Load {
  readonly connections: number
  readonly refused: number
  /** Ended by the server; slow readers are counted apart. */
  readonly closed: number
  /** Connections with broken framing, or content where that is checked. */
  readonly faults: number
  readonly firstFault: string
  readonly firstRefusal: string
  readonly seconds: number
  /** Rows that were due in the window and came, up to the end of the drain. */
  readonly deliveries: number
  /** Rows that came in the window. */
  readonly arrived: number
  /** Read in the window, framing included. */
  readonly bytes: number
  /** Over the whole run, of all readers. */
  readonly totalBytes: number
  /** Chunks or frames that came in the window. */
  readonly pieces: number
  readonly pings: number
  readonly counted: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  readonly mean: number
  /** The longest time in which one reader got no row (ms). */
  readonly longestGap: number
  /** CPU of the readers by the window's length. */
  readonly busy: number
  readonly slowDeliveries: number
  readonly slowBytes: number
  readonly slowClosed: number
  /** The first WebSocket close code; 0 for none. */
  readonly closeCode: number
}

export interface Readers {
  readonly ready: Ready
  /** Warm-up, window and drain; then the readers are gone. */
  measure(): Promise<Load>
  close(): Promise<void>
}

/** How readers are started; kept by whoever compiled them. */
export interface ReaderProgram {
  /** @throws Error when a connection is refused or at fault */
  open(options: LoadOptions): Promise<Readers>
}

/**
 * @param directory for the program and its lists of paths
 * @param core where the readers run; null for anywhere
 * @returns null where there is no C compiler
 */
export function compileReaders(directory: string, core: number | null): ReaderProgram | null {
  const program = join(directory, 'stream-load')
  const source = join(projectRoot, 'benchmarks', 'stream-load.c')
  try {
    execFileSync('sh', ['-c', 'command -v cc'], { stdio: 'ignore' })
  } catch {
    return null
  }
  execFileSync('cc', ['-O2', '-o', program, source], { stdio: 'inherit' })
  let lists = 0

  async function open(options: LoadOptions): Promise<Readers> {
    const paths = join(directory, `paths-${lists++}`)
    writeFileSync(paths, `${options.paths.join('\n')}\n`)
    const command = [
      ...(core === null ? [] : ['taskset', '-c', String(core)]),
      ...(options.nice === undefined ? [] : ['nice', '-n', String(options.nice)]),
      program,
      ...argumentsOf(options, paths),
    ]
    const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    // A program that has ended takes no more orders: what it said tells why.
    child.stdin.on('error', () => {})
    async function nextLine<Message>(): Promise<Message> {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the readers ended: ${command.join(' ')}`)
      return JSON.parse(value as string) as Message
    }
    async function close() {
      child.stdin.end()
      await gone
    }
    const ready = await nextLine<Ready>()
    if (ready.refused > 0 || ready.faults > 0) {
      await close()
      throw new Error(
        `${ready.refused} of ${options.connections} refused, ${ready.faults} at fault: ${ready.firstRefusal} ${ready.firstFault}`,
      )
    }
    return {
      ready,
      async measure() {
        child.stdin.write('go\n')
        const load = await nextLine<Load>()
        await close()
        return load
      },
      close,
    }
  }
  return { open }
}

function argumentsOf(options: LoadOptions, paths: string): string[] {
  const named = {
    port: options.port,
    websocket: options.isWebSocket ? 1 : 0,
    connections: options.connections,
    paths,
    ready: options.readyText,
    count: options.countText,
    ramp: options.ramp,
    warmup_ms: options.warmupMs,
    window_ms: options.windowMs,
    drain_ms: options.drainMs,
    slow: options.slow,
    slow_bytes: options.slowBytes,
    stopped: options.stopped,
    verify: options.isVerified ? 1 : 0,
    ids: options.hasIds ? 1 : 0,
    save: options.saveTo,
  }
  return [
    ...Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    ),
    ...(options.headers ?? []).map((line) => `header=${line}`),
  ]
}
