/**
 * The API as `api/main.ts` serves it, over an existing log, with one enterprise account whose limits
 * are too high to be reached: what `rest-server.ts` and `stream-server.ts` have in common.
 */

import { openAccounts } from '../api/access/accounts.ts'
import type { Caller, Keyring } from '../api/access/keys.ts'
import { createCursors, cursorSecret } from '../api/ask/cursor.ts'
import { type Boards, createBoards } from '../api/boards.ts'
import { createRoutes } from '../api/routes/all-routes.ts'
import { openServer } from '../api/server/server.ts'
import { createStreams, type Streams } from '../api/stream/streams.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded.ts'
import type { Log } from '../pipeline/log/log.ts'
import { createLogger } from '../pipeline/logger.ts'
import { sharpChain } from '../pipeline/rules/sharp-books.ts'

export interface ServedApi {
  readonly port: number
  /** The key's value, and its id. */
  readonly key: string
  readonly keyId: string
  readonly boards: Boards
  readonly streams: Streams
  /** Rejects when a log does. */
  readonly following: Promise<unknown>
}

export interface ServedApiOptions {
  readonly log: Log
  /** Accounts are on a log of their own, so that the other directory stays as it was. */
  readonly accountsPath: string
  readonly clock: () => number
  /** Memory for kept bodies. */
  readonly bodyBytes?: number
}

const unlimited = 1_000_000_000

/** Resolves once the boards hold what the log holds. */
export async function openServedApi(options: ServedApiOptions): Promise<ServedApi> {
  const { log, accountsPath, clock, bodyBytes } = options
  const accountLog = await openEmbeddedLog({ path: accountsPath })
  const { signal } = new AbortController()
  const boards = createBoards(log, clock)
  const accounts = openAccounts(accountLog, { sandbox: true, clock })
  const following = Promise.all([boards.follow(signal), accounts.follow(signal)])
  await Promise.race([Promise.all([boards.ready, accounts.ready]), following])
  const { key, value } = await accounts.create({
    name: 'benchmark',
    tier: 'enterprise',
    addOns: [],
    expiresAt: null,
  })
  const keyring = withoutLimits(accounts.keyring)
  const logger = createLogger({ logLevel: 'warn' }, 'bench')
  const chain = sharpChain('pinnacle')
  const streams = createStreams({
    boards,
    log,
    accounts: { find: accounts.find, keyring },
    chain,
    clock,
    logger,
  })
  const { port } = await openServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    boards,
    keyring,
    usage: accounts.usage,
    streams,
    tokens: { admin: null, ingest: null },
    clock,
    routes: createRoutes({
      boards,
      accounts,
      sink: createSink(accountLog, clock),
      cursors: createCursors(cursorSecret(log.epoch, { adminToken: null, ingestToken: null })),
      clock,
      chain,
      streams,
      linkHosts: [],
    }),
    ...(bodyBytes !== undefined && { bodyBytes }),
  })
  return { port, key: value, keyId: key.id, boards, streams, following }
}

/** The same keys with limits that are not reached. */
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
