/** Compiles and runs `stream-load.c`, the readers of the stream benchmarks; its options and its report. */

import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectRoot } from '../schemas/project-root.ts'

export interface LoadOptions {
  readonly port: number
  readonly isWebSocket?: boolean
  readonly connections: number
  /** Paths, used in turn. */
  readonly paths: readonly string[]
  /** Header lines of the request. */
  readonly headers?: readonly string[]
  /** Text that marks a connection as ready; default: the head of the response. */
  readonly readyText?: string
  /** Text to count over the whole run. */
  readonly countText?: string
  /** Connections opened at the same time. */
  readonly ramp?: number
  readonly warmupMs?: number
  readonly windowMs?: number
  /** How long after the window its rows may still arrive. */
  readonly drainMs?: number
  /** Number of connections that read `slowBytes` per second from the warm-up on. */
  readonly slow?: number
  readonly slowBytes?: number
  /** Number of the slow connections that stop reading. */
  readonly stopped?: number
  /** Also checks every block and every JSON text. */
  readonly isVerified?: boolean
  /** Also checks ids of blocks and `seq` of frames; only with `verify`. */
  readonly hasIds?: boolean
  /** File for the content of the first connection. */
  readonly saveTo?: string
  /** Niceness above this process's. */
  readonly nice?: number
}

export interface Ready {
  /** Open connections. */
  readonly connections: number
  readonly refused: number
  readonly faults: number
  readonly firstFault: string
  readonly firstRefusal: string
  /** Time until all connections are ready. */
  readonly ms: number
  readonly totalBytes: number
}

/** Latencies (ms) from the due time of a row to its receipt, for rows due in the window. */
export interface Load {
  readonly connections: number
  readonly refused: number
  /** Connections ended by the server, without slow readers. */
  readonly closed: number
  /** Connections with faulty framing, or faulty content when that is checked. */
  readonly faults: number
  readonly firstFault: string
  readonly firstRefusal: string
  readonly seconds: number
  /** Rows due in the window that arrived before the end of the drain. */
  readonly deliveries: number
  /** Rows received in the window. */
  readonly arrived: number
  /** Bytes received in the window, including framing. */
  readonly bytes: number
  /** Bytes of all readers, over the whole run. */
  readonly totalBytes: number
  /** Chunks or frames received in the window. */
  readonly pieces: number
  readonly pings: number
  readonly counted: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  readonly mean: number
  /** The longest time without a row at one reader (ms). */
  readonly longestGap: number
  /** CPU time of the readers divided by the length of the window. */
  readonly busy: number
  readonly slowDeliveries: number
  readonly slowBytes: number
  readonly slowClosed: number
  /** The first WebSocket close code; 0 for none. */
  readonly closeCode: number
}

export interface Readers {
  readonly ready: Ready
  /** Runs warm-up, window and drain, then ends the readers. */
  measure(): Promise<Load>
  close(): Promise<void>
}

/** Starts compiled readers. */
export interface ReaderProgram {
  /** @throws Error if a connection is refused or faulty */
  open(options: LoadOptions): Promise<Readers>
}

/**
 * @param directory for the program and its lists of paths
 * @param core the CPU core of the readers; null for any
 * @returns null without a C compiler
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
    // A program that has ended takes no orders, so its output is reported.
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
