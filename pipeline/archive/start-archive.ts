/**
 * Starts the archive that the settings describe: the embedded engine, where there is no server, and the archiver in
 * its own thread. Without an engine there is no archiver: the log keeps the records as long as its retention allows.
 */

import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { aborted } from '../async/abort-signals.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import type { ArchiveAddress } from './archive.ts'
import type { ArchiveWork } from './archive-worker.ts'
import { createEngine, type Engine } from './engine/supervisor.ts'

export interface StartedArchive {
  readonly address: ArchiveAddress
  /** The embedded one; undefined with a server. */
  readonly engine: Engine | undefined
  /** Resolves when the archiver has stopped on the signal, rejects when it ends otherwise. */
  readonly ended: Promise<void>
  /** Ends the engine; call it when `ended` has resolved. */
  close(): Promise<void>
}

/**
 * @param signal ends the archiver
 * @param after a promise to wait for before any part of the archive runs
 */
export function startArchive(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  after: Promise<unknown> = Promise.resolve(),
): StartedArchive | null {
  const { archive } = config
  if (!archive) return null
  const { at, database } = archive
  const engine = 'directory' in at ? createEngine({ ...at, database }, logger) : undefined
  const address = engine
    ? { url: 'http://embedded', socket: engine.socket }
    : { url: (at as { url: string }).url }
  const stopped = aborted(signal)

  async function run() {
    await Promise.race([after, stopped])
    if (signal.aborted) return
    engine?.start()
    const engineState = await Promise.race([engine?.whenDecided(), stopped])
    if (engineState?.state === 'absent') await stopped
    if (!signal.aborted) await runThread({ config, address }, signal).catch(keepOff)
  }

  /**
   * Keeps the archiver off, and the process running, if the archive has prices of another origin.
   */
  async function keepOff(error: Error) {
    // A name, because an error of the worker arrives as a copy.
    if (error.name !== ConfigError.name) throw error
    logger.error({ reason: error.message }, 'the archiver is off: the archive is left as it is')
    await stopped
  }

  return {
    address,
    engine,
    ended: run(),
    async close() {
      await engine?.close()
    },
  }
}

function runThread(work: ArchiveWork, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('./archive-worker.js', import.meta.url), { workerData: work })
  const tellToStop = () => worker.postMessage('stop')
  if (signal.aborted) tellToStop()
  else signal.addEventListener('abort', tellToStop, { once: true })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (signal.aborted) resolve()
      else reject(new Error(`The archiver ended by itself (exit code ${code}).`))
    })
  })
}
