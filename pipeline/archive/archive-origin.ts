/**
 * Keeps prices of two origins from one archive: closes, lives of opportunities and results of simulated games would stand
 * beside those of live ones, under the same sportsbooks, for good. The table `logs` has the origin of each log's prices;
 * the newest such row tells the archive's. An archive of an earlier version has none, and takes that of the log that
 * filled it; where other logs did too, only the operator decides.
 */

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { PriceOrigin } from '../../schemas/deployment.ts'
import type { Log } from '../log/log.ts'
import { originOf } from '../run/deployment.ts'
import { type ArchiveConfig, type Config, ConfigError } from '../settings/config.ts'
import { type Archive, ArchiveError, longestQuerySeconds, openArchive } from './archive.ts'

/** The prices that a process brings to its archive. */
export interface BroughtPrices {
  readonly origin: PriceOrigin
  /** Whether they may follow prices of another origin, of another log. */
  readonly mayFollowOthers: boolean
  /** The archive, in words. */
  readonly archive: string
  /** The setting that names another archive. */
  readonly setting: string
}

/** The row of `logs` that tells the archive's origin. */
interface NotedOrigin {
  readonly log_epoch: string
  readonly prices: PriceOrigin
  /** In UTC. */
  readonly since: string
}

/** `none` of an archive that no other log has filled; `unknown` where others have, before origins were noted. */
export type ArchiveOrigin = NotedOrigin | 'none' | 'unknown'

const limits = { seconds: longestQuerySeconds, resultRows: 1, readRows: 1e6, memoryBytes: 1e9 }
/** How long a start waits for a server. */
const startSeconds = 5

export const broughtPrices = (config: Config, { at, database }: ArchiveConfig): BroughtPrices => ({
  origin: originOf(config),
  mayFollowOthers: config.adoptsLog,
  ...('directory' in at
    ? { archive: `The archive in ${at.directory}`, setting: 'OVERROUND_DATA_DIR' }
    : {
        archive: `The archive in the database ${database} (OVERROUND_CLICKHOUSE_URL)`,
        setting: 'OVERROUND_CLICKHOUSE_DATABASE',
      }),
})

/**
 * Compares the archive's origin with that of the prices, before anything in the archive is changed. A log whose prices
 * have got another origin has compared it itself.
 * @throws ConfigError for prices that may not follow those of the archive
 * @throws ArchiveError
 */
export async function requireOrigin(
  archive: Pick<Archive, 'query'>,
  { epoch, continues }: Pick<Log, 'epoch' | 'continues'>,
  { origin, mayFollowOthers, archive: where, setting }: BroughtPrices,
): Promise<ArchiveOrigin> {
  const ours = [epoch, ...continues.map((former) => former.epoch)]
  const noted = await readOrigin(archive, ours)
  if (noted === 'unknown') return mayFollowOthers ? 'none' : noted
  if (noted === 'none' || noted.prices === origin || mayFollowOthers) return noted
  if (ours.includes(noted.log_epoch)) return noted
  throw new ConfigError(
    `${where} has ${noted.prices} prices (noted at ${noted.since} UTC), and this process would mix ${origin} ones (OVERROUND_FEEDS) with them: its records, closing lines and closing-line values would have both for good. Name another archive by ${setting}, or keep no history by OVERROUND_ARCHIVE=off. To go on in this one all the same, start once with OVERROUND_ADOPT_LOG=true.`,
  )
}

async function readOrigin(
  archive: Pick<Archive, 'query'>,
  ours: readonly string[],
): Promise<ArchiveOrigin> {
  // A new archive has no such table, and one of an earlier version no such column.
  const [table] = await archive.query<{ hasPrices: number }>(
    `SELECT max(name = 'prices') AS hasPrices FROM system.columns
    WHERE database = currentDatabase() AND table = 'logs' HAVING count() > 0`,
    {},
    limits,
  )
  if (!table) return 'none'
  if (table.hasPrices) {
    const [newest] = await archive.query<NotedOrigin>(
      `SELECT log_epoch, prices, toString(began_at) AS since FROM logs
      WHERE prices IS NOT NULL ORDER BY began_at DESC LIMIT 1`,
      {},
      limits,
    )
    if (newest) return newest
  }
  const others = await archive.query(
    'SELECT 1 FROM logs WHERE log_epoch NOT IN {ours:Array(String)} LIMIT 1',
    { ours },
    limits,
  )
  return others.length > 0 ? 'unknown' : 'none'
}

/**
 * Compares the origins before a start, if the archive is on a server that answers; else the archiver does it later.
 * @throws ConfigError for prices that may not follow those of the archive
 */
export async function requireOriginAtStart(
  config: Config,
  log: Pick<Log, 'epoch' | 'continues'>,
): Promise<void> {
  const { archive: placement } = config
  if (!placement || 'directory' in placement.at) return
  const archive = openArchive(placement.at, placement.database, { writeMs: 1_000 * startSeconds })
  const query: Archive['query'] = (statement, parameters, usual) =>
    archive.query(statement, parameters, { ...usual, seconds: startSeconds })
  try {
    await archive.ping()
    await requireOrigin({ query }, log, broughtPrices(config, placement))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
  } finally {
    await archive.close()
  }
}

/**
 * Notes the origin of a log's prices.
 * @param noted as `requireOrigin` returned it
 * @throws ArchiveError
 */
export async function noteOrigin(
  archive: Pick<Archive, 'insert'>,
  { epoch }: Pick<Log, 'epoch'>,
  { origin }: BroughtPrices,
  noted: ArchiveOrigin,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (noted === 'unknown') {
    logger.warn(
      { prices: origin },
      'other logs have filled this archive too, and the origin of its prices (live, simulated, recorded) is not known, so none is refused: start once with OVERROUND_ADOPT_LOG=true to note that of this process',
    )
    return
  }
  if (noted !== 'none') {
    if (noted.log_epoch === epoch && noted.prices === origin) return
    if (noted.prices !== origin) {
      const origins = { from: noted.prices, to: origin }
      logger.warn(origins, 'prices of another origin follow in the archive, whose rows stay')
    }
  }
  // An origin may come back, so each row is a block of its own.
  await archive.insert('logs', `prices ${randomUUID()}`, [{ log_epoch: epoch, prices: origin }])
}
