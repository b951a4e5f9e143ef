/** The streams of one process, as `server.ts` serves them. This file uses no sockets. */

import type { Logger } from 'pino'
import type { Log } from '../../pipeline/log/log.ts'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import type { Accounts } from '../access/accounts.ts'
import { createScopes, type RequestScopes } from '../access/scope.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import { createChosenBooks } from '../ask/chosen-books.ts'
import type { Boards } from '../boards.ts'
import type { Readiness } from '../readiness.ts'
import type { Connection } from './delivery/channel.ts'
import type { StreamWatcher } from './delivery/stream-watcher.ts'
import { createFanout } from './fanout/fanout.ts'
import type { Transport } from './framing/framing.ts'
import { createEarlyCheck } from './sessions/early-check.ts'
import { createHeldStreams } from './sessions/held-streams.ts'
import { createStreamRights } from './sessions/rights.ts'
import { createStreamSlots } from './sessions/slots.ts'
import { openSse, type SseRequest, type SseSession } from './sessions/sse-session.ts'
import { createWebsockets, type WebsocketSession } from './sessions/websocket-session.ts'
import type { Admit } from './sessions/websocket-state.ts'
import type { Positions, PositionTokens } from './timeline/positions.ts'
import { createTimers, type Timers } from './timeline/timers.ts'

export interface Streams {
  /** The scopes of the process, by tier and owner. */
  readonly scopes: RequestScopes
  /** @throws ApiError if the request is invalid, or the caller may not stream it */
  sse(request: SseRequest): SseSession
  /**
   * @param key the API key of the upgrade request; empty for none
   * @param query the query string of the address, as sent
   */
  websocket(admit: Admit, connection: Connection, key: string, query: string): WebsocketSession
  /** Returns the number of a key's open streams at all processes. */
  active(keyId: string): number
  /** Returns the number of all keys' open streams at this process. */
  openCount(transport: Transport): number
  readonly positions: Positions
  /** Ends every stream with `service_stopping`. @returns their number */
  close(): number
}

export interface StreamsOptions {
  readonly boards: Boards
  readonly readiness: Pick<Readiness, 'isReady' | 'whenReady'>
  readonly log: Pick<Log, 'epoch' | 'follow'>
  readonly accounts: Pick<Accounts, 'find' | 'keyring' | 'ready' | 'peers'>
  /** Returns an account's profile. */
  readonly profileOf: (accountId: string) => ProfileRow
  /** The chain of each game. */
  readonly chain: Chains
  readonly tokens: PositionTokens
  /** Epoch ms. */
  readonly clock: () => number
  /** Default: the timers of the process. */
  readonly timers?: Timers
  readonly logger: Logger
  readonly budget: WorkBudget
  /** Default: none. */
  readonly watcher?: StreamWatcher
  /** Whether a new stream of a key at its limit ends the key's oldest stream. */
  readonly isDisplacing?: boolean
}

export function createStreams(options: StreamsOptions): Streams {
  const { boards, readiness, log, accounts, tokens, clock, isDisplacing = false } = options
  const { timers = createTimers() } = options
  const scopes = {
    ...createScopes(boards),
    among: createChosenBooks({ sets: boards.bookSets, profileOf: options.profileOf }).scopeOf,
    profileOf: options.profileOf,
  }
  const { peers } = accounts
  const slots = createStreamSlots(peers)
  const rights = createStreamRights({
    accounts,
    slots,
    peers,
    scopes,
    clock,
    timers,
    budget: options.budget,
    isDisplacing,
  })
  let hidden = boards.sources.ownersOnly
  const fanout = createFanout({
    ...options,
    timers,
    beforeSending() {
      if (hidden === boards.sources.ownersOnly) return
      hidden = boards.sources.ownersOnly
      // Streams that may no longer see a sportsbook end before any of its prices is sent.
      rights.watch()
    },
  })
  const held = createHeldStreams(readiness, timers)
  let hasKeys = false
  accounts.ready.then(() => {
    hasKeys = true
  })
  const canCheck = createEarlyCheck({
    keyring: accounts.keyring,
    clock,
    hasKeys: () => hasKeys,
  })
  const parts = {
    fanout,
    rights,
    accounts,
    scopes,
    held,
    canCheck,
    clock,
    timers,
    tokens,
    epoch: log.epoch,
    budget: options.budget,
  }
  const websockets = createWebsockets(parts)
  return {
    scopes,
    active: rights.active,
    openCount: rights.openCount,
    positions: {
      epoch: log.epoch,
      stampAt: fanout.stampAt,
      now(view = null) {
        const position = fanout.positionNow()
        return position && tokens.of(position, view)
      },
      isAhead: fanout.isAhead,
      tokens,
    },
    sse: (request) => openSse(parts, request),
    websocket: websockets.open,
    close() {
      const { clientCount } = fanout
      const heldCount = held.close()
      rights.close()
      fanout.close()
      return clientCount + heldCount
    },
  }
}
