/**
 * Keeps two deployments from one log. The log has a row with the name of its deployment, the origin of its prices and
 * the settings that decisions depend on. A process of another deployment would silently mix its prices and decisions
 * into the same tables, and accept the same keys: on Kafka it is refused at its start, and the
 * running pipelines are notified. If its operator lets it take the log over, they end. Settings may
 * differ for a while, as in a rolling change, with a warning. A directory has one process at a
 * time, so there a difference is only a warning. One is refused: mixing live prices with simulated
 * or recorded ones.
 */

import type { Logger } from 'pino'
import type { DeploymentKey, DeploymentRow, PriceOrigin } from '../../schemas/deployment.ts'
import { topics } from '../../schemas/topics.ts'
import { type Log, LogFullError, LogSetupError } from '../log/log.ts'
import { processName } from '../process/process-name.ts'
import { anchorsText } from '../settings/anchors.ts'
import { type Config, ConfigError, StartError } from '../settings/config.ts'
import { retryWhileAway } from './retry-while-away.ts'

type DeploymentLog = Pick<Log, 'replay' | 'append' | 'follow'>

interface JoinOptions {
  readonly logger: Pick<Logger, 'info' | 'warn'>
  /** Epoch ms. */
  readonly clock: () => number
  readonly signal: AbortSignal
  /** The name of this process in rows. */
  readonly self?: string
}

/**
 * Compares this process with the deployment that the log belongs to. A pipeline writes the row if
 * there is none, or if its settings have changed. It waits for a log that is away.
 * @returns the origin of the log's prices; null where no pipeline has written it yet
 * @throws StartError for another deployment on a log that others share
 * @throws ConfigError for live prices on a log of simulated or recorded ones, and the other way round
 */
export const joinDeployment = async (
  config: Config,
  log: DeploymentLog,
  options: JoinOptions,
): Promise<PriceOrigin | null> =>
  (await retryWhileAway('deployment', () => join(config, log, options), options)) ?? null

async function join(
  config: Config,
  log: DeploymentLog,
  { logger, clock, signal, self = processName }: JoinOptions,
): Promise<PriceOrigin | null> {
  const own = await readOwn(log, signal)
  if (signal.aborted) return null
  const ours = rowOf(config, self, clock())
  if (own && isStranger(own, ours, config)) {
    if (isExclusive(config)) return refuse(config, log, { own, ours })
    const isReal = [own, ours].map(({ prices }) => prices === 'live')
    if (isReal[0] !== isReal[1] && !config.adoptsLog) {
      throw new ConfigError(originRefusal(own, ours, config))
    }
    const titles = { from: titleOf(own), as: titleOf(ours) }
    logger.warn(titles, 'the log is taken over from another deployment; its rows stay')
  } else if (own)
    warnOfDifferences(own, ours, logger, 'settings that decide differ from those of this log')
  if (config.role === 'api') return own?.prices ?? null
  const next = { ...ours, settings: { ...own?.settings, ...ours.settings } }
  if (own && isSame(own, next)) return next.prices
  await write(log, 'own', next).catch((error) => {
    // A start on a full disk is allowed, and the next writes the row.
    if (!(error instanceof LogFullError)) throw error
  })
  if (isExclusive(config)) {
    // Another deployment may have started at the same moment.
    const written = await readOwn(log, signal)
    if (written && isStranger(written, ours, config)) {
      return refuse(config, log, { own: written, ours })
    }
  }
  if (own === null) logger.info({ deployment: titleOf(next) }, 'the log belongs to this deployment')
  return next.prices
}

async function refuse(
  config: Config,
  log: DeploymentLog,
  { own, ours }: { own: DeploymentRow; ours: DeploymentRow },
): Promise<never> {
  // This process is refused even if the others cannot be notified.
  await write(log, 'refused', ours).catch(() => {})
  throw new StartError(refusal(own, ours, config))
}

/** Reports refused deployments, a name that the log has got, and settings that another pipeline changes, until `signal` aborts. */
export async function watchDeployment(
  config: Config,
  log: DeploymentLog,
  {
    logger,
    signal,
    onStranger,
    onTakenOver,
    self = processName,
  }: Pick<JoinOptions, 'signal' | 'self'> & {
    readonly logger: Pick<Logger, 'info' | 'warn'>
    readonly onStranger: () => void
    /** Called when a shared log belongs to another deployment now: this process has to end. */
    readonly onTakenOver?: (refusal: LogSetupError) => void
  },
): Promise<void> {
  const ours = rowOf(config, self, 0)

  function judge(key: DeploymentKey, row: DeploymentRow) {
    const { process } = row
    if (process === self) return
    if (key === 'own' && isNamed(row, ours)) {
      const message = 'the log has a name now: restart this process with it as OVERROUND_DEPLOYMENT'
      return logger.info({ name: row.name, process }, message)
    }
    if (key === 'own' && !isStranger(row, ours, config)) {
      return warnOfDifferences(row, ours, logger, 'another pipeline decides by other settings')
    }
    onStranger()
    logger.warn(
      { stranger: titleOf(row), process, own: titleOf(ours) },
      key === 'own'
        ? 'another deployment has taken over this log: stop this one, or its prices mix with the others'
        : 'a process of another deployment was refused: it has the brokers and the topic prefix of this one',
    )
    if (key === 'own' && isExclusive(config)) {
      onTakenOver?.(new LogSetupError(refusal(row, ours, config)))
    }
  }

  /** The newest row of the log's deployment among those written before this call. */
  let own: DeploymentRow | null = null
  let isNews = false
  for await (const { records, caughtUp } of log.follow([topics.deployments], { signal })) {
    for (const { key, value } of records) {
      const row = value as DeploymentRow | null
      if (isNews && row !== null) judge(key as DeploymentKey, row)
      else if (!isNews && key === 'own') own = row
    }
    if (isNews || !caughtUp) continue
    isNews = true
    // The row may have changed since this process joined.
    if (own !== null) judge('own', own)
  }
}

async function readOwn(log: DeploymentLog, signal: AbortSignal): Promise<DeploymentRow | null> {
  let own: DeploymentRow | null = null
  const inPartition = { partitions: [partition], signal }
  for await (const records of log.replay([topics.deployments], inPartition)) {
    for (const { key, value } of records) if (key === 'own') own = value as DeploymentRow
  }
  return own
}

const partition = 0

const write = (log: DeploymentLog, key: DeploymentKey, value: DeploymentRow) =>
  log.append([{ topic: topics.deployments, partitionKey: partition, key, value }])

function rowOf(config: Config, process: string, writtenAt: number): DeploymentRow {
  const {
    deployment: name,
    sharpBook,
    consensus,
    anchors,
    references,
    fees,
    simulator,
    archive,
  } = config
  const prices = originOf(config)
  const settings = {
    sharp_book: sharpBook,
    consensus: String(consensus),
    anchors: anchorsText(anchors),
    references: [...references].sort().join(),
    fees: JSON.stringify([...fees].sort()),
    // Only for pipelines.
    ...(config.role !== 'api' && {
      keeps_history: String(archive !== null),
      ...(prices === 'simulated' && { simulator_seed: String(simulator.seed) }),
    }),
  }
  return { name, prices, settings, process, writtenAt }
}

/** Returns the origin of this process's prices. Pushed prices count as live. */
export function originOf({ feeds }: Pick<Config, 'feeds'>): PriceOrigin {
  if (feeds.includes('simulator')) return 'simulated'
  return feeds.some((feed) => feed.startsWith('replay:')) ? 'recorded' : 'live'
}

/** Returns whether a process of another deployment is refused. */
const isExclusive = ({ kafka, adoptsLog }: Config) => kafka !== null && !adoptsLog

/** Returns whether this process is of another deployment. A log without a name accepts any. */
const isStranger = (own: DeploymentRow, ours: DeploymentRow, { role }: Config) =>
  (own.name !== null && own.name !== ours.name) ||
  // An API brings no prices.
  (role !== 'api' && own.prices !== ours.prices)

/** Returns whether the log has got a name, while this process has none. */
const isNamed = (own: DeploymentRow, ours: DeploymentRow) =>
  ours.name === null && own.name !== null && own.prices === ours.prices

/**
 * Warns of each setting with this process's value and the log's. A setting that only one of them has does not count.
 */
function warnOfDifferences(
  { settings, process }: DeploymentRow,
  ours: DeploymentRow,
  logger: Pick<Logger, 'warn'>,
  message: string,
) {
  const differing = Object.entries(ours.settings).filter(
    ([name, value]) => settings[name] !== undefined && settings[name] !== value,
  )
  if (differing.length === 0) return
  const differences = Object.fromEntries(
    differing.map(([name, here]) => [name, { here, log: settings[name]! }]),
  )
  logger.warn({ process, differences }, message)
}

const isSame = (own: DeploymentRow, next: DeploymentRow) =>
  own.name === next.name &&
  own.prices === next.prices &&
  JSON.stringify(Object.entries(own.settings).sort()) ===
    JSON.stringify(Object.entries(next.settings).sort())

const titleOf = ({ name, prices }: DeploymentRow) =>
  `${name === null ? 'a deployment without a name' : `the deployment ${name}`}, with ${prices} prices`

function originRefusal(
  { prices, process, writtenAt }: DeploymentRow,
  ours: DeploymentRow,
  { dataDir }: Config,
) {
  const since = new Date(writtenAt).toISOString()
  const why =
    ours.prices === 'simulated'
      ? 'OVERROUND_FEEDS is simulator, which is also its default. Name your feeds in OVERROUND_FEEDS (none: pushed prices only), or simulate in another directory'
      : 'start in another directory'
  return `The data directory ${dataDir} has ${prices} prices (of ${process} at ${since}), and this process would mix ${ours.prices} ones with them: ${why}, such as OVERROUND_DATA_DIR=./data-own. To go on in this one, with its accounts, keys and bets, start it once with OVERROUND_ADOPT_LOG=true: its ${prices} prices stay on the board until they are old, and in records and closing-line values for good.`
}

function refusal(own: DeploymentRow, ours: DeploymentRow, { kafka }: Config) {
  const where = `The topics ${kafka!.topicPrefix}* on ${kafka!.brokers.join(',')}`
  const since = new Date(own.writtenAt).toISOString()
  return `${where} belong to ${titleOf(own)} (written by ${own.process} at ${since}), and this process is of ${titleOf(ours)}: both would write to one board, and accept the same keys. Set another OVERROUND_KAFKA_TOPIC_PREFIX. If both are meant to be one deployment, give all its processes the same OVERROUND_DEPLOYMENT; if this one is to follow the other, which no longer runs, start it once with OVERROUND_ADOPT_LOG=true.`
}
