/**
 * Opens the API (`api/app.ts`) over an existing log, with one enterprise account whose limits cannot be reached. Used by
 * `rest-server.ts`, `stream-server.ts` and `reads.ts`.
 */

import type { Caller, Keyring } from '../api/access/keys.ts'
import { openApp } from '../api/app.ts'
import type { Boards } from '../api/boards.ts'
import type { Route } from '../api/route.ts'
import type { Streams } from '../api/stream/streams.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../pipeline/log/log.ts'
import { createLogger } from '../pipeline/process/logger.ts'
import { readConfig } from '../pipeline/settings/config.ts'
import type { Tier } from '../schemas/reference/tier-books.ts'
import type { Sighting } from '../schemas/sighting.ts'
import { topics } from '../schemas/topics.ts'

export interface ServedApi {
  readonly port: number
  /** The value of the key, and its id. */
  readonly key: string
  readonly keyId: string
  readonly boards: Boards
  readonly streams: Streams
  readonly routes: readonly Route[]
  /** Rejects if a log fails. */
  readonly following: Promise<unknown>
}

export interface ServedApiOptions {
  readonly log: Log
  /** Directory of a separate log for accounts, so that the other log does not change. */
  readonly accountsPath: string
  readonly clock: () => number
  /** Memory for cached bodies. */
  readonly bodyBytes?: number
  /** The tier of the account, with its real limits. */
  readonly tier?: Tier
}

const unlimited = 1_000_000_000

/** Resolves when the boards have read the log. */
export async function openServedApi(options: ServedApiOptions): Promise<ServedApi> {
  const { log, accountsPath, clock, bodyBytes } = options
  const app = openApp({
    log,
    clock,
    logger: createLogger({ logLevel: 'warn' }, 'bench'),
    settings: readConfig({
      OVERROUND_PORT: '0',
      OVERROUND_LISTENER: process.env.OVERROUND_LISTENER,
    }),
    accountsLog: await openEmbeddedLog({ path: accountsPath }),
    ...(!options.tier && { keyring: withoutLimits }),
    ...(bodyBytes !== undefined && { server: { bodyBytes } }),
  })
  const { accounts, boards, streams, routes, following } = app
  await Promise.race([app.ready, following])
  const { key, value } = await accounts.create({
    name: 'benchmark',
    tier: options.tier ?? 'enterprise',
    addOns: [],
    expiresAt: null,
  })
  const port = await app.listen()
  return { port, key: value, keyId: key.id, boards, streams, routes, following }
}

/** Returns the same keys with unreachable limits. */
function withoutLimits(keyring: Keyring): Keyring {
  let last: Caller | undefined
  let raised: Caller | undefined
  return {
    authenticate(value, at) {
      const caller = keyring.authenticate(value, at)
      if (caller !== last || !raised) {
        last = caller
        raised = { ...caller, requestsPerMinute: unlimited, maxStreams: unlimited }
      }
      return raised
    },
  }
}

/** Returns the log's newest sighting (epoch ms). */
export async function newestSighting(from: Log): Promise<number> {
  let newest = 0
  const signal = AbortSignal.timeout(60_000)
  for await (const records of from.replay([topics.sightings], { partitions: [0], signal })) {
    for (const { value } of records) {
      newest = Math.max(newest, (value as Sighting | null)?.lastSeenAt ?? 0)
    }
  }
  return newest
}
