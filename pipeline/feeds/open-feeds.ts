/**
 * From the names in OVERROUND_FEEDS to feeds. What a live source needs (keys, leagues, intervals)
 * is a member of the JSON file named by OVERROUND_FEEDS_FILE, under the feed's name:
 *
 *     { "the-odds-api": { "apiKey": "…", "sports": ["basketball_nba"] } }
 */

import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { z } from 'zod'
import { audiences } from '../../schemas/source.ts'
import { type Config, ConfigError } from '../config.ts'
import { type BetfairConfig, createBetfairFeed } from './betfair/client.ts'
import { createBetfairSession } from './betfair/session.ts'
import { createBovadaFeed } from './bovada/client.ts'
import { createCaesarsFeed } from './caesars/client.ts'
import { createDraftKingsFeed } from './draftkings/client.ts'
import { createFanDuelFeed } from './fanduel/client.ts'
import type { Feed } from './feed.ts'
import type { PauseCut } from './http-source.ts'
import { createKalshiFeed } from './kalshi/client.ts'
import { createKambiFeed } from './kambi/client.ts'
import { createMatchbookFeed } from './matchbook/client.ts'
import { createNovigFeed } from './novig/client.ts'
import { issueOf } from './payload-issue.ts'
import { createPinnacleFeed } from './pinnacle/client.ts'
import { createPolymarketFeed } from './polymarket/client.ts'
import { type PolymarketLeague, polymarketLeagues } from './polymarket/parse.ts'
import { createProphetXFeed } from './prophetx/client.ts'
import { RecordingError } from './replay/recording.ts'
import { openReplay, parseReplaySpec, ReplaySpecError, realClock } from './replay/replay.ts'
import { openSimulator, systemClock } from './simulator/simulator.ts'
import { createSxBetFeed } from './sx-bet/client.ts'
import { createTheOddsApiFeed } from './the-odds-api/client.ts'

/** Where a live source reports its failures to the logger. */
interface Reports {
  readonly onFailure: (target: unknown, error: unknown) => void
  readonly http: { readonly onPauseCut: (cut: PauseCut) => void; readonly now: () => number }
  /** What stamps are taken from (epoch ms). */
  readonly now: () => number
  /** What the settings of a metered source come to. */
  readonly onEstimate: (estimate: object) => void
}
type OpenLive = (settings: unknown, reports: Reports) => Feed

interface LiveFeed {
  /**
   * Whether its operator offers this access to everybody who asks for it. The others are read as their
   * own pages read them, which may end any day: they are experimental.
   */
  readonly isOfficial: boolean
  readonly open: OpenLive
}

const names = z.array(z.string().min(1)).min(1)
const ids = z.array(z.number().int().positive()).min(1)
const polymarketCodes = Object.keys(polymarketLeagues) as [PolymarketLeague, ...PolymarketLeague[]]
const polled = {
  baseUrl: z.url().optional(),
  intervalMs: z.number().int().min(500).optional(),
}
const state = z.string().length(2)
const defaultIntervalMs = 10_000

/** How to come to a session: by a token of one, or by signing in, best with a client certificate. */
const betfairAccess = {
  appKey: z.string().min(1),
  sessionToken: z.string().min(1).optional(),
  username: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  certFile: z.string().min(1).optional(),
  keyFile: z.string().min(1).optional(),
  loginUrl: z.url().optional(),
  certificateLoginUrl: z.url().optional(),
  keepAliveMs: z.number().int().min(60_000).optional(),
  baseUrl: z.url().optional(),
  host: z.string().min(1).optional(),
  port: z.number().int().min(1).max(65_535).optional(),
}
type BetfairAccess = Defined<z.output<z.ZodObject<typeof betfairAccess>>>

/** Live sources by name: whether they are official, how their settings read, and how they open. */
const liveFeeds: Readonly<Record<string, LiveFeed>> = {
  'the-odds-api': official(
    {
      ...polled,
      apiKey: z.string().min(1),
      sports: names,
      regions: names.optional(),
      markets: names.optional(),
      eventMarkets: names.optional(),
      scoresDaysFrom: z.number().int().min(1).max(3).optional(),
      // What the free plan has: whoever has more says so.
      creditsPerMonth: z.number().int().min(1).nullable().default(500),
      propsCreditsPerMonth: z.number().int().min(0).optional(),
    },
    createTheOddsApiFeed,
  ),
  pinnacle: experimental(
    { ...polled, apiKey: z.string().min(1), leagues: z.array(z.number().int()).min(1) },
    createPinnacleFeed,
  ),
  kambi: experimental(
    {
      ...polled,
      operator: z.string().min(1),
      sportsbook: z.string().optional(),
      paths: names,
      live: z.boolean().optional(),
      market: z.string().optional(),
    },
    createKambiFeed,
  ),
  draftkings: experimental(
    {
      ...polled,
      intervalMs: polled.intervalMs.default(defaultIntervalMs),
      state,
      leagues: z
        .array(
          z.strictObject({
            leagueId: z.string(),
            subcategories: z
              .array(z.strictObject({ categoryId: z.string(), id: z.string() }))
              .min(1),
          }),
        )
        .min(1),
    },
    createDraftKingsFeed,
  ),
  fanduel: experimental(
    {
      ...polled,
      intervalMs: polled.intervalMs.default(defaultIntervalMs),
      state,
      applicationKey: z.string().min(1),
      pages: names,
      tabs: names.optional(),
    },
    createFanDuelFeed,
  ),
  bovada: experimental(
    { ...polled, intervalMs: polled.intervalMs.default(defaultIntervalMs), leagues: names },
    createBovadaFeed,
  ),
  caesars: experimental(
    {
      ...polled,
      intervalMs: polled.intervalMs.default(defaultIntervalMs),
      state,
      competitions: z
        .array(z.strictObject({ sportId: z.string(), competitionId: z.string() }))
        .min(1),
      tabs: names.optional(),
    },
    createCaesarsFeed,
  ),
  kalshi: official(
    { ...polled, leagues: names, kinds: names.optional(), orderBooks: z.boolean().optional() },
    createKalshiFeed,
  ),
  polymarket: official(
    {
      baseUrl: polled.baseUrl,
      streamUrl: z.url().optional(),
      leagues: z.array(z.enum(polymarketCodes)).min(1),
      refreshMs: z.number().int().min(5_000).optional(),
      repeatMs: z.number().int().min(1_000).optional(),
    },
    createPolymarketFeed,
  ),
  'sx-bet': official(
    { ...polled, leagues: ids, mainLinesOnly: z.boolean().optional() },
    createSxBetFeed,
  ),
  matchbook: official(
    { ...polled, username: z.string().min(1), password: z.string().min(1), sports: ids },
    createMatchbookFeed,
  ),
  novig: official(
    { ...polled, clientId: z.string().min(1), clientSecret: z.string().min(1), leagues: names },
    createNovigFeed,
  ),
  prophetx: official(
    { ...polled, apiKey: z.string().min(1), tournaments: ids },
    createProphetXFeed,
  ),
  'betfair-exchange': official(
    {
      ...betfairAccess,
      marketFilter: z.record(z.string(), z.unknown()),
      heartbeatMs: z.number().int().min(500).max(5_000).optional(),
      conflateMs: z.number().int().min(0).max(120_000).optional(),
    },
    openBetfair,
  ),
}

type Open<Shape extends z.ZodRawShape> = (
  settings: Defined<z.output<z.ZodObject<Shape>>> & Reports,
) => Feed

function official<Shape extends z.ZodRawShape>(shape: Shape, open: Open<Shape>): LiveFeed {
  return live(shape, open, true)
}

function experimental<Shape extends z.ZodRawShape>(shape: Shape, open: Open<Shape>): LiveFeed {
  return live(shape, open, false)
}

/** What every live source may be told, whatever it is. */
const ofEverySource = z.object({ audience: z.enum(audiences).default('all') })

/** A live source: settings as its schema reads them, then opened. */
function live<Shape extends z.ZodRawShape>(
  shape: Shape,
  open: Open<Shape>,
  isOfficial: boolean,
): LiveFeed {
  const schema = z.strictObject(shape)
  return {
    isOfficial,
    open(settings, reports) {
      const { audience } = ofEverySource.parse(settings)
      const { audience: _, ...own } = settings as Record<string, unknown>
      const parsed = schema.parse(own)
      const feed = open({ ...(parsed as Defined<typeof parsed>), ...reports })
      return { ...feed, source: { audience, isExperimental: !isOfficial } }
    },
  }
}

/** zod's optional members are also `undefined`; JSON has none of those. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** @throws ConfigError for access that is not whole, or a certificate that cannot be read */
function openBetfair({
  sessionToken,
  username,
  password,
  certFile,
  keyFile,
  loginUrl,
  certificateLoginUrl,
  onFailure,
  ...settings
}: BetfairAccess & Pick<BetfairConfig, 'marketFilter' | 'heartbeatMs' | 'conflateMs'> & Reports) {
  const { http: _, onEstimate: __, ...own } = settings
  const { now } = settings
  const reported = { ...own, onFailure: (error: unknown) => onFailure('stream', error) }
  if (sessionToken !== undefined) {
    return createBetfairFeed({ ...reported, session: async () => sessionToken })
  }
  if (username === undefined || password === undefined) {
    throw new ConfigError(
      'OVERROUND_FEEDS_FILE: "betfair-exchange" needs username and password, or a sessionToken',
    )
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError(
      'OVERROUND_FEEDS_FILE: "betfair-exchange" needs certFile and keyFile together',
    )
  }
  const { appKey, keepAliveMs } = settings
  const session = createBetfairSession({
    now,
    appKey,
    username,
    password,
    ...(certFile !== undefined &&
      keyFile !== undefined && {
        certificate: { cert: readPem(certFile), key: readPem(keyFile) },
      }),
    ...(loginUrl !== undefined && { loginUrl }),
    ...(certificateLoginUrl !== undefined && { certificateLoginUrl }),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  })
  return createBetfairFeed({
    ...reported,
    session: session.token,
    forgetSession: session.forget,
    keepAlive: session.keepAlive,
    keepAliveMs: session.keepAliveMs,
  })
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `OVERROUND_FEEDS_FILE: "betfair-exchange": ${path} cannot be read (${code})`,
    )
  }
}

/**
 * @param now what they take stamps from (epoch ms)
 * @throws ConfigError, in one line, for a name that is no feed, or settings that do not fit it
 */
export function openFeeds(config: Config, logger: Logger, now: () => number): readonly Feed[] {
  const settings = config.feedsFile === null ? {} : readSettings(config.feedsFile)
  const reportsOf = (feed: string): Reports => ({
    // Told once by its state; here every round of it, for who looks into it.
    onFailure: (target, error) =>
      logger.debug({ feed, target, error: messageOf(error) }, 'feed target failed'),
    onEstimate: (estimate) => logger.info({ feed, ...estimate }, 'source costs'),
    http: { now, onPauseCut: (cut) => logger.warn({ feed, ...cut }, 'feed pause cut') },
    now,
  })

  const feeds = config.feeds
    .filter((name) => name !== 'none')
    .map((name) => {
      if (name === 'simulator')
        return openSimulator({ ...config.simulator, clock: { ...systemClock, now } })
      if (name.startsWith('replay:')) return replayOf(name, now)
      const live = Object.hasOwn(liveFeeds, name) ? liveFeeds[name] : undefined
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
      if (!live.isOfficial) {
        logger.warn({ feed: name }, 'feed is experimental: its operator offers no such access')
      }
      try {
        return live.open(settings[name], reportsOf(name))
      } catch (error) {
        if (!(error instanceof z.ZodError)) throw error
        throw new ConfigError(
          `OVERROUND_FEEDS_FILE: correct "${name}" in ${config.feedsFile}: ${issueOf(error)}`,
        )
      }
    })
  if (feeds.length > 1 && feeds.some(({ isRecorded }) => isRecorded)) {
    throw new ConfigError(
      'OVERROUND_FEEDS: a recording brings its own time, so that it has to be the only feed; ' +
        'add retime=true to it (replay:<path>?retime=true), or leave the others out',
    )
  }
  return feeds
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function replayOf(spec: string, now: () => number): Feed {
  try {
    return openReplay(parseReplaySpec(spec), { ...realClock, now })
  } catch (error) {
    if (!(error instanceof ReplaySpecError || error instanceof RecordingError)) throw error
    throw new ConfigError(`OVERROUND_FEEDS: ${error.message}`)
  }
}

const feedNames = () => ['simulator', 'replay:<path>', ...Object.keys(liveFeeds), 'none'].join(', ')

function readSettings(path: string): Record<string, unknown> {
  const refuse = (reason: string) => new ConfigError(`OVERROUND_FEEDS_FILE: ${path} ${reason}`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refuse(
      code === 'ENOENT'
        ? 'does not exist; name the file that holds the settings of live feeds, or unset it'
        : `cannot be read (${code}); it has to be a file this process may read`,
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
