/**
 * Opens the feeds named in OVERROUND_FEEDS. The settings of a live source (keys, leagues, intervals) are a field of
 * the JSON file named by OVERROUND_FEEDS_FILE, under the feed's name:
 *
 *     { "the-odds-api": { "apiKey": "…", "sports": ["basketball_nba"] } }
 *
 * The operator can add more through the API while the service runs (`run/added-sources.ts`).
 */

import type { Logger } from 'pino'
import { z } from 'zod'
import { type Config, ConfigError } from '../settings/config.ts'
import { readNamedFile } from '../settings/named-file.ts'
import type { Feed } from './feed.ts'
import { type LiveSource, SettingsError } from './kit/source.ts'
import { findLiveSource, liveSources } from './live-sources.ts'
import { RecordingError } from './replay/recording.ts'
import { openReplay, parseReplaySpec, realClock } from './replay/replay.ts'
import { openSimulator, systemClock } from './simulator/simulator.ts'

/**
 * @param now the clock of their timestamps (epoch ms)
 * @throws ConfigError, in one line, for a name that is no feed, or settings that do not fit it
 */
export function openFeeds(config: Config, logger: Logger, now: () => number): readonly Feed[] {
  const settings = config.feedsFile === null ? {} : readSettings(config.feedsFile)

  function openFeed(name: string): Feed {
    if (name === 'simulator')
      return openSimulator({ ...config.simulator, clock: { ...systemClock, now } })
    if (name.startsWith('replay:')) return openReplay(parseReplaySpec(name), { ...realClock, now })
    const live = findLiveSource(name)
    if (!live) {
      throw new ConfigError(
        `OVERROUND_FEEDS: "${name}" is no feed; take from ${feedNames()}, comma-separated`,
      )
    }
    if (!Object.hasOwn(settings, name)) {
      throw new ConfigError(
        `OVERROUND_FEEDS: "${name}" needs settings; name a JSON file in OVERROUND_FEEDS_FILE ` +
          `that holds {"${name}": {…}}`,
      )
    }
    const { references } = config
    return openUnchecked(live, settings[name], { logger, now, references })
  }

  const names = config.feeds.filter((name) => name !== 'none')
  if (names.length > 0 && names.length < config.feeds.length) {
    throw new ConfigError('OVERROUND_FEEDS: none stands alone; leave it out, or the others')
  }
  const feeds = names.map((name) => {
    try {
      return openFeed(name)
    } catch (error) {
      return refuse(error, name, config)
    }
  })
  if (feeds.length > 1 && feeds.some(({ isRecorded }) => isRecorded)) {
    throw new ConfigError(
      'OVERROUND_FEEDS: a recording brings its own time, so that it has to be the only feed; ' +
        'add retime=true to it (replay:<path>?retime=true), or leave the others out',
    )
  }
  if (feeds.length > 1 && feeds.some(({ runsAhead }) => runsAhead)) {
    throw new ConfigError(
      'OVERROUND_FEEDS: a recording that is faster than the clock runs ahead of the other feeds; ' +
        'leave out its speed (replay:<path>?retime=true), or leave the others out',
    )
  }
  return feeds
}

/** @throws ConfigError, in one line, for a feed that can never run */
export async function checkFeeds(feeds: readonly Feed[], config: Config): Promise<void> {
  for (const feed of feeds) await feed.check?.().catch((error) => refuse(error, feed.name, config))
}

function refuse(error: unknown, feed: string, { feedsFile }: Config): never {
  if (error instanceof SettingsError) {
    throw new ConfigError(
      `OVERROUND_FEEDS_FILE: correct "${feed}" in ${feedsFile}: ${error.message}`,
    )
  }
  if (!(error instanceof RecordingError)) throw error
  throw new ConfigError(`OVERROUND_FEEDS: ${error.message}`)
}

/** Opens a live source while the process serves others. @throws SettingsError for settings that do not fit */
export async function openLive(...opened: Parameters<typeof openUnchecked>): Promise<Feed> {
  const feed = openUnchecked(...opened)
  await feed.check?.()
  return feed
}

function openUnchecked(
  source: LiveSource,
  settings: unknown,
  {
    logger,
    now,
    references,
  }: {
    readonly logger: Logger
    readonly now: () => number
    readonly references: ReadonlySet<string>
  },
): Feed {
  const feed = source.name
  if (!source.isOfficial) {
    logger.warn({ feed }, 'feed is experimental: its operator offers no such access')
  }
  return source.openBy(settings, {
    references,
    // Its state is logged once; this has every round of it, for debugging.
    onFailure: (target, error) =>
      logger.debug({ feed, target, error: messageOf(error) }, 'feed target failed'),
    onEstimate: (estimate) => logger.info({ feed, ...estimate }, 'source costs'),
    http: { now, onPauseCut: (cut) => logger.warn({ feed, ...cut }, 'pause shortened') },
  })
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const feedNames = () =>
  ['simulator', 'replay:<path>', ...liveSources.map(({ name }) => name), 'none'].join(', ')

function readSettings(path: string): Record<string, unknown> {
  const refuse = (reason: string) => new ConfigError(`OVERROUND_FEEDS_FILE: ${path} ${reason}`)
  let text: string
  try {
    text = readNamedFile(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(
      code === 'ENOENT'
        ? 'does not exist; name the file that holds the settings of live feeds, or unset it'
        : `cannot be read (${code ?? message}); it has to be a file this process may read`,
    )
  }
  let settings: unknown
  try {
    settings = JSON.parse(text)
  } catch (error) {
    throw refuse(`is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`)
  }
  const read = z.record(z.string(), z.unknown()).safeParse(settings)
  if (!read.success) throw refuse('has to hold one JSON object, such as {"kambi": {…}}')
  return read.data
}
