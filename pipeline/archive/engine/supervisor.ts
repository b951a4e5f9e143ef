/**
 * Keeps the embedded engine running: starts its process, restarts it when it ends, and knows
 * whether it can be queried now, and if not, why. Acknowledged writes survive a crash of the
 * engine. It logs only once why an engine does not start.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { projectRoot } from '../../../schemas/project-root.ts'
import type { EngineMessage } from './engine-process.ts'

export type EngineState =
  /** Starting: also while it is about to start, or has ended and is about to be restarted. */
  | {
      readonly state: 'starting'
      /** Why it does not run yet, where known. */
      readonly reason: string | null
    }
  | { readonly state: 'running'; readonly version: string; readonly pid: number }
  /** It is permanently missing: the package is missing, or does not load here. */
  | { readonly state: 'absent'; readonly reason: string }

export interface Engine {
  /** Its socket, the same after a restart. */
  readonly socket: string
  readonly state: EngineState
  /** Starts it, unless it is started already. */
  start(): void
  /** Resolves when it runs, or is known to be absent. */
  whenDecided(): Promise<EngineState>
  close(): Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 10_000
/** An engine that ran this long has started well: the next pause is the shortest again. */
const steadyMs = 30_000
const closeWithinMs = 5_000

/** The compiled file, also when this one runs uncompiled. */
const entry = join(projectRoot, 'dist', 'pipeline', 'archive', 'engine', 'engine-process.js')

export interface EngineOptions {
  readonly directory: string
  readonly database: string
}

export function startEngine(options: EngineOptions, logger: Pick<Logger, 'info' | 'warn'>): Engine {
  const engine = createEngine(options, logger)
  engine.start()
  return engine
}

/** Creates an engine that is not started yet; its address is known. */
export function createEngine(
  { directory, database }: EngineOptions,
  logger: Pick<Logger, 'info' | 'warn'>,
): Engine {
  // The path of a socket must be short, and that of the data directory may be long.
  const socketDirectory = mkdtempSync(join(tmpdir(), 'overround-'))
  const socket = join(socketDirectory, 'archive.sock')
  let state: EngineState = { state: 'starting', reason: null }
  /** The reason of the last failed start that was logged; the same reason is logged once. */
  let loggedReason: string | undefined
  let waiting: ((state: EngineState) => void)[] = []
  let child: ChildProcess | undefined
  let pauseMs = firstPauseMs
  let restart: NodeJS.Timeout | undefined
  let isClosing = false

  function become(next: EngineState) {
    state = next
    if (next.state === 'starting') return
    for (const resolve of waiting) resolve(next)
    waiting = []
  }

  function start() {
    const startedAt = performance.now()
    const engine = fork(entry, [directory, socket, database], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child = engine
    let reason: string | undefined
    engine.once('message', (message: EngineMessage) => {
      if (message.isListening) {
        loggedReason = undefined
        logger.info({ version: message.version, pid: engine.pid }, 'archive engine running')
        become({ state: 'running', version: message.version, pid: engine.pid! })
        return
      }
      reason = message.reason
      if (message.isFinal) {
        logger.warn(
          { reason, todo: 'install chdb, set OVERROUND_CLICKHOUSE_URL, or OVERROUND_ARCHIVE=off' },
          'archive engine absent; the service goes on without its archive',
        )
        become({ state: 'absent', reason })
      }
      engine.kill('SIGKILL')
    })
    engine.once('exit', (code, signal) => {
      if (isClosing || state.state === 'absent') return
      const wasRunning = state.state === 'running'
      reason ??= `its process ended (${signal ?? `exit code ${code}`})`
      if (wasRunning) logger.warn({ code, signal }, 'archive engine ended; it is started again')
      else if (reason !== loggedReason) {
        loggedReason = reason
        logger.warn({ reason }, 'archive engine does not start; it is tried again')
      }
      if (performance.now() - startedAt > steadyMs) pauseMs = firstPauseMs
      become({ state: 'starting', reason })
      restart = setTimeout(start, pauseMs)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    })
  }

  return {
    socket,
    get state() {
      return state
    },
    start() {
      if (!child && !isClosing) start()
    },
    whenDecided: () =>
      state.state === 'starting'
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(state),
    async close() {
      isClosing = true
      clearTimeout(restart)
      const engine = child
      if (engine && engine.exitCode === null && engine.signalCode === null) {
        const gone = new Promise((resolve) => engine.once('exit', resolve))
        // It ignores signals, and takes messages once it runs. A failed message means that it ends already.
        if (state.state === 'running') engine.send('stop', () => {})
        else engine.kill('SIGKILL')
        const timer = setTimeout(() => engine.kill('SIGKILL'), closeWithinMs)
        await gone
        clearTimeout(timer)
      }
      rmSync(socketDirectory, { recursive: true, force: true })
    },
  }
}
