/**
 * Keeps the embedded engine running: starts its process, starts it again when it ends, and knows
 * whether it can be asked now. What the engine had acknowledged it still has after a crash.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { projectRoot } from '../../../schemas/project-root.ts'
import type { EngineSaid } from './engine-process.ts'

export type EngineState =
  | { readonly state: 'starting' }
  | { readonly state: 'running'; readonly version: string; readonly pid: number }
  /** It is not there for good: the package is missing, or does not load here. */
  | { readonly state: 'absent'; readonly reason: string }

export interface Engine {
  /** Where it listens. The same after a restart. */
  readonly socket: string
  readonly state: EngineState
  /** Resolves when it runs, or is known to be absent. */
  settled(): Promise<EngineState>
  close(): Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 10_000
/** An engine that has run for so long has started well: the next pause is the first again. */
const steadyMs = 30_000
const closeWithinMs = 5_000

/** As it is built, also where this file is not. */
const entry = join(projectRoot, 'dist', 'pipeline', 'archive', 'engine', 'engine-process.js')

export function startEngine(
  { directory, database }: { readonly directory: string; readonly database: string },
  logger: Pick<Logger, 'info' | 'warn'>,
): Engine {
  mkdirSync(directory, { recursive: true })
  // Addresses of sockets are short, and the data directory's need not be.
  const socketDirectory = mkdtempSync(join(tmpdir(), 'overround-'))
  const socket = join(socketDirectory, 'archive.sock')
  let state: EngineState = { state: 'starting' }
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
    engine.once('message', (said: EngineSaid) => {
      if (said.isListening) {
        logger.info({ version: said.version, pid: engine.pid }, 'archive engine running')
        become({ state: 'running', version: said.version, pid: engine.pid! })
        return
      }
      logger.warn({ reason: said.reason }, 'archive engine not started')
      if (said.isFinal) become({ state: 'absent', reason: said.reason })
      engine.kill('SIGKILL')
    })
    engine.once('exit', (code, signal) => {
      if (isClosing || state.state === 'absent') return
      if (state.state === 'running') logger.warn({ code, signal }, 'archive engine ended')
      if (performance.now() - startedAt > steadyMs) pauseMs = firstPauseMs
      become({ state: 'starting' })
      restart = setTimeout(start, pauseMs)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    })
  }

  start()
  return {
    socket,
    get state() {
      return state
    },
    settled: () =>
      state.state === 'starting'
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(state),
    async close() {
      isClosing = true
      clearTimeout(restart)
      const engine = child
      if (engine && engine.exitCode === null && engine.signalCode === null) {
        const gone = new Promise((resolve) => engine.once('exit', resolve))
        engine.kill('SIGTERM')
        const timer = setTimeout(() => engine.kill('SIGKILL'), closeWithinMs)
        await gone
        clearTimeout(timer)
      }
      rmSync(socketDirectory, { recursive: true, force: true })
    },
  }
}
