/** The archiver in its own thread. Any message stops it. */

import { parentPort, workerData } from 'node:worker_threads'
import { openLog } from '../log/open-log.ts'
import { createClock } from '../process/clock.ts'
import { createLogger } from '../process/logger.ts'
import { chainsOf } from '../rules/odds/chains.ts'
import { waitForRoom } from '../run/wait-for-room.ts'
import type { Config } from '../settings/config.ts'
import type { ArchiveAddress } from './archive.ts'
import { broughtPrices } from './archive-origin.ts'
import { runArchive } from './run-archive.ts'

export interface ArchiveWork {
  readonly config: Config
  readonly address: ArchiveAddress
}

const { config, address } = workerData as ArchiveWork
const { archive: placement } = config
if (!placement) throw new Error('the archiver was started without an archive')
const logger = createLogger(config, 'archive')
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

const { signal } = stop
const log = await openLog(config, logger, createClock(), { signal })
try {
  if (log) {
    const patientLog = waitForRoom(log, { signal, logger })
    const prices = broughtPrices(config, placement)
    await runArchive(address, placement, prices, patientLog, chainsOf(config), logger, signal)
  }
} finally {
  await log?.close()
  parentPort?.close()
}
// A start that was abandoned may still be trying to connect.
if (!log) process.exit(0)
