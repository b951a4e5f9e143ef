/**
 * The settings: each with its name, decoder, unit, default and a sentence. `config.ts` reads them from the environment.
 */

import { z } from 'zod'
import { logLevels } from '../../schemas/log-level.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { noFees } from '../rules/odds/fees.ts'
import { anchors } from './anchors.ts'
import { fees } from './fees.ts'
import { kafkaSecrets, kafkaSettings } from './kafka-settings.ts'
import {
  addressOf,
  bearer,
  flag,
  httpAddress,
  list,
  mustBe,
  numberThat,
  oneOf,
  refuseTwice,
  whole,
  within,
} from './setting-decoders.ts'

/** A token that clients present, which is too long to be guessed. */
const token = bearer.pipe(z.string().min(16, mustBe('at least 16 characters long'))).optional()

const isNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/**
 * `*`, `off`, or origins as browsers name them: scheme, host, and the port unless it is the usual
 * one.
 */
const origins = list.transform((items, context): '*' | readonly string[] => {
  const [first] = items
  if (items.length === 1 && first === '*') return '*'
  if (items.length === 1 && first === 'off') return []
  const wrong = items.find((item) => !URL.canParse(item) || new URL(item).origin !== item)
  if (items.length === 0 || wrong !== undefined) {
    context.addIssue('must be *, off, or origins, as in https://desk.example.com')
  }
  return items
})

/**
 * Settings whose empty value would mean "none" although they have a default: an empty value is
 * refused.
 */
export const neverEmpty: ReadonlySet<string> = new Set([
  'OVERROUND_FEEDS',
  'OVERROUND_CORS_ORIGINS',
])

export const settings = {
  OVERROUND_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  OVERROUND_PORT: whole(0, 65_535).default(3000).describe('Port to listen on; 0 takes a free one.'),
  OVERROUND_HEALTH_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'Port of /livez, /readyz, /health and /metrics of a pipeline without an API, at OVERROUND_HOST; unset: none.',
    ),
  OVERROUND_DRAIN_MS: whole(0, 600_000)
    .optional()
    .describe(
      'How long a stopping service still responds while /readyz is 503, so that a load balancer moves on (ms); unset: 3000 with the role api, else 0.',
    ),
  OVERROUND_LISTENER: oneOf('auto', 'uws', 'uws-older', 'node')
    .default('auto')
    .describe(
      'HTTP server: one of two builds of uWebSockets.js, or node:http; auto uses the first that loads.',
    ),
  OVERROUND_TRUSTED_PROXIES: list
    .refine((networks) => networks.every((network) => isNetwork.safeParse(network).success), {
      error: 'must be addresses or networks, as in 127.0.0.1,10.0.0.0/8',
    })
    .default([])
    .describe('Proxies whose X-Forwarded-For is trusted, so that limits by address count clients.'),
  OVERROUND_CONNECTIONS_PER_ADDRESS: whole(0, 1_000_000)
    .default(2_000)
    .describe(
      'Connections without a complete request that one address may have; 0: no limit. This machine and trusted proxies have no limit.',
    ),
  OVERROUND_CORS_ORIGINS: origins
    .default('*')
    .describe('Origins whose pages may read responses: *, off, or a list. Never with credentials.'),
  OVERROUND_ROLE: oneOf('standalone', 'pipeline', 'api')
    .default('standalone')
    .describe('standalone runs everything in one process; pipeline and api need Kafka.'),
  OVERROUND_DEPLOYMENT: z
    .string()
    .regex(
      /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}$/,
      'must be letters, digits, dots, dashes and underscores',
    )
    .optional()
    .describe(
      'Name of this deployment, the same in all its processes; a log of another is refused.',
    ),
  OVERROUND_ADOPT_LOG: flag
    .default(false)
    .describe(
      'Whether a start takes over the log of another deployment, or of one with other kinds of prices, that no longer runs.',
    ),
  OVERROUND_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Directory of the embedded log and archive.'),
  OVERROUND_EMBEDDED_HOURS: within(0.1, 48)
    .default(6)
    .describe('Hours that the embedded log keeps feed records; tables stay.'),
  ...kafkaSettings,
  OVERROUND_FEEDS: list
    .refine((feeds) => feeds.length > 0, {
      error: 'has to name feeds, or be none (pushed prices only) or simulator',
    })
    .superRefine(refuseTwice)
    .default(['simulator'])
    .describe('Feeds, comma-separated: simulator, replay:<path>, …, or none (pushed prices only).'),
  OVERROUND_FEEDS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON file with the settings of live sources, by feed name.'),
  OVERROUND_SIMULATOR_RATE: within(10, 50_000)
    .default(200)
    .describe('Price changes a second of the simulator.'),
  OVERROUND_SIMULATOR_SEED: numberThat('a whole number', Number.isSafeInteger)
    .default(1)
    .describe('Seed of the simulator: the same seed gives the same season.'),
  OVERROUND_SHARP_BOOK: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-]+$/, 'must be the id of a sportsbook, as in pinnacle')
    .transform(idOfSportsbook)
    .default('pinnacle')
    .describe('Sharp book for +EV; if it does not quote a market, other sharp books are used.'),
  OVERROUND_CONSENSUS: flag
    .default(true)
    .describe(
      'Whether the consensus of other sportsbooks measures +EV where no sharp book quotes the market.',
    ),
  OVERROUND_ANCHORS: anchors
    .default(() => new Map())
    .describe(
      'What +EV of a league or sport is measured against instead, in order: nba=our_model,pinnacle:2+circa,consensus;soccer=betfair. * is for all others.',
    ),
  OVERROUND_REFERENCES: list
    .transform((books) => books.map(idOfSportsbook))
    .refine((books) => !books.includes('unknown'), {
      error: 'must be names of sportsbooks, as in our_model',
    })
    .default([])
    .describe(
      'Sportsbooks that only measure others, such as a model of your own: never the best price, never in an opportunity.',
    ),
  OVERROUND_FEES: fees
    .default(() => noFees)
    .describe(
      'Exchange fees in opportunities: off, standard, or rates such as standard,betfair=0.02. Default: off.',
    ),
  OVERROUND_BOOK_SETS: numberThat(
    'a whole number from 1 to 256',
    (value) => Number.isInteger(value) && value >= 1 && value <= 256,
  )
    .default(32)
    .describe(
      'Sets of sportsbooks whose own opportunities a process keeps at once, see `books=` of opportunities.',
    ),
  OVERROUND_LINK_HOSTS: list
    .refine((hosts) => hosts.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)), {
      error: 'must be host names, as in example.com',
    })
    .default([])
    .describe('Further hosts that a deep link’s fallback may lead to.'),
  OVERROUND_PUBLIC_LISTS: flag
    .default(true)
    .describe(
      'Whether /sports, /leagues, /sportsbooks and /markets can be read without a key, ten times a minute; false: only with one.',
    ),
  OVERROUND_PUBLIC_REDIRECTS: flag
    .default(true)
    .describe(
      'Whether /deeplink/{id} accepts plain ids without a key, for prices that the free tier sees; false: only signed addresses.',
    ),
  OVERROUND_PUBLIC_RECORD: flag
    .default(false)
    .describe(
      'Whether everybody may read /record/public: what was listed at the sportsbooks that the free tier sees, and what became of it.',
    ),
  OVERROUND_ALERT_TARGETS: oneOf('public', 'any')
    .default('public')
    .describe(
      'Where alerts may send messages: public is https to public addresses; any is also http, this machine and private networks.',
    ),
  OVERROUND_SMTP_URL: addressOf(/^smtps?$/, 'an smtp or smtps address', ['user', 'query'])
    .optional()
    .describe(
      'Server that alerts are mailed by, with user and password: smtps://user:password@mail.example.com. Unset: no mail is sent. smtp goes on with TLS where the server offers it.',
    ),
  OVERROUND_MAIL_FROM: z
    .email(mustBe('a mail address'))
    .optional()
    .describe('Sender of that mail. Required with OVERROUND_SMTP_URL.'),
  OVERROUND_PUBLIC_URL: httpAddress('an http address, as in https://odds.example.com', ['path'])
    .optional()
    .describe(
      'Address of this service as clients reach it, for links in alerts; unset: http at OVERROUND_HOST and OVERROUND_PORT.',
    ),
  OVERROUND_ARCHIVE: oneOf('auto', 'anew', 'off')
    .default('auto')
    .describe(
      'The archive of price changes and closing lines: auto uses OVERROUND_CLICKHOUSE_URL or, standalone, an embedded ClickHouse under OVERROUND_DATA_DIR; anew also replaces a missing one; off keeps none.',
    ),
  OVERROUND_CLICKHOUSE_URL: httpAddress(
    'an http address, as in http://localhost:8123 or http://user:password@localhost:8123',
    ['user'],
  )
    .optional()
    .describe('ClickHouse server for the archive, with user and password if needed.'),
  OVERROUND_CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
    .default('overround')
    .describe('Database on that server; created if missing.'),
  OVERROUND_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,62}$/, 'must be the name of a cluster')
    .optional()
    .describe('Cluster of that server; tables are created and replicated on it.'),
  OVERROUND_ARCHIVE_DAYS: whole(1, 10_000)
    .optional()
    .describe(
      'Days that the archive keeps price changes, splits, usage and lives of opportunities; closing lines stay. Unset: an archive that exists keeps them as before, a new one for 730 days.',
    ),
  OVERROUND_SANDBOX: flag
    .optional()
    .describe(
      'Whether the three well-known test keys work; default: only on a loopback address, and not through a proxy.',
    ),
  OVERROUND_COMPRESSION: flag
    .default(true)
    .describe(
      'Whether responses are compressed (gzip, Brotli, permessage-deflate) for clients that accept it.',
    ),
  OVERROUND_WEB: flag
    .default(true)
    .describe('Whether the odds board and its pages are served; false: only the API.'),
  OVERROUND_SANDBOX_HOSTS: list
    .default([])
    .describe('Host names with a dot to accept while the test keys work.'),
  OVERROUND_STREAM_DISPLACEMENT: flag
    .default(false)
    .describe(
      'Whether a new stream replaces the oldest if the key has its maximum of streams; false: it is refused.',
    ),
  OVERROUND_ADMIN_TOKEN: token.describe('Bearer token of /api/v1/admin; unset: 401.'),
  OVERROUND_INGEST_TOKEN: token.describe('Bearer token of /api/v1/ingest; unset: 401.'),
  OVERROUND_LOG_LEVEL: oneOf(...logLevels)
    .default('info')
    .describe('Level of the text log; at a terminal usually warn.'),
} as const

export type Settings = {
  readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name]>
}

/** Secrets: never shown; they may be in a file that `<setting>_FILE` names. */
export const secrets: ReadonlySet<string> = new Set([
  'OVERROUND_ADMIN_TOKEN',
  'OVERROUND_INGEST_TOKEN',
  'OVERROUND_CLICKHOUSE_URL',
  'OVERROUND_SMTP_URL',
  ...kafkaSecrets,
] satisfies (keyof typeof settings)[])

/** Returns the settings as a table, for `--help`, with the defaults of those that have one. */
export function describeSettings(): string {
  return Object.entries(settings)
    .map(([name, decoder]) => {
      const value = decoder.parse(undefined)
      // Empty defaults are not shown; nor are decoded ones, which have no text.
      const hasText = typeof value !== 'object' || Array.isArray(value)
      const hasDefault = value !== undefined && hasText && String(value) !== ''
      const text = `${decoder.description}${hasDefault ? ` Default: ${value}.` : ''}`
      const file = secrets.has(name) ? ' To read it from a file, add _FILE to the name.' : ''
      return `${name}\n    ${text}${file}`
    })
    .join('\n')
}
