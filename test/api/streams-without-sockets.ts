/** Streams without sockets: the test moves the board, steps time, and decides when a client's socket is full. */

import type { Caller } from '../../api/access/keys.ts'
import { createMeters } from '../../api/access/limits.ts'
import { alone } from '../../api/access/peers.ts'
import { viewOf } from '../../api/access/scope.ts'
import { tierRights, tiers } from '../../api/access/tiers.ts'
import { createWorkBudget } from '../../api/access/work-budget.ts'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import type { Boards } from '../../api/boards.ts'
import { createBookSetViews } from '../../api/book-sets.ts'
import { ApiError } from '../../api/errors.ts'
import { createFollower } from '../../api/follower.ts'
import type { Frames } from '../../api/stream/framing/frames.ts'
import { createStreams } from '../../api/stream/streams.ts'
import { createPositionTokens } from '../../api/stream/timeline/positions.ts'
import type { Log, LogRecord, Position } from '../../pipeline/log/log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import { createClosesView } from '../../pipeline/views/closes/closes-view.ts'
import { createFuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { createGameResultsView } from '../../pipeline/views/game-states/game-results-view.ts'
import { createGameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import { createOpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { createSourcesView } from '../../pipeline/views/sources/sources-view.ts'
import { createSplitsView } from '../../pipeline/views/splits/splits-view.ts'
import type { GameStateRow } from '../../schemas/game-state.ts'
import { type OpportunityRow, visibilityBit } from '../../schemas/opportunity.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { sightingKey } from '../../schemas/sighting.ts'
import type { SourceRow } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import type { GuardReason } from '../../schemas/withheld-price.ts'
import { game, quote, sighting } from './small-board.ts'
import { createSteppedTimers } from './stepped-timers.ts'

type Quote = Parameters<typeof quote>[1]
// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
type Frame = any

export function createStreamsByHand() {
  let now = Date.parse('2027-01-14T21:00:00.000Z')
  const clock = () => now
  let recordedAt: number | null = null
  const timers = createSteppedTimers()
  const live = createBoardView()
  const opportunities = createOpportunityView(live)
  const gameStates = createGameStatesView()
  const sources = createSourcesView()
  const records: LogRecord[] = []
  const boards: Boards = {
    live,
    delayed: live,
    opportunities,
    delayedOpportunities: new Map(),
    bookSets: createBookSetViews({
      ...{ board: live, sources, table: opportunities, chain: [], most: 2 },
      now: () => now,
    }),
    futures: createFuturesView(),
    gameStates,
    gameResults: createGameResultsView(),
    closes: createClosesView(),
    splits: createSplitsView(),
    now: () => recordedAt ?? clock(),
    get isRecorded() {
      return recordedAt !== null
    },
    sources,
    delayedSources: sources,
    links: createSignedLinks('of a test'),
    ...createFollower({ async *follow() {} }, [], clock),
    isReady: () => true,
  }
  const position = (): Position => ({
    epoch: 'e',
    offsets: { [topics.events.name]: [records.length], [topics.odds.name]: [records.length] },
  })
  const meters = createMeters()
  const callers = new Map<string, Caller>(
    tiers.map((tier): [string, Caller] => {
      const rights = tierRights[tier]
      const caller: Caller = {
        keyId: tier,
        accountId: 'a',
        keyRevision: '',
        isFormerValue: false,
        tier,
        isOwner: false,
        addOns: [],
        features: { ...rights.features, streaming: true },
        requestsPerMinute: 1_000,
        maxStreams: 100,
        isTest: false,
        meter: meters.of(tier, tier),
      }
      return [tier, caller]
    }),
  )
  function authenticate(key: string): Caller {
    const caller = callers.get(key)
    if (!caller) throw new ApiError('invalid_api_key', 'The key is not known.')
    return caller
  }
  /** Time to read the log (ms). */
  let readingMs = 0
  let readers = 0
  const log: Pick<Log, 'epoch' | 'follow'> = {
    epoch: 'e',
    async *follow(_topics, { from, signal }) {
      readers++
      try {
        await new Promise<void>((resolve) => {
          if (readingMs < Number.POSITIVE_INFINITY) timers.later(readingMs, resolve)
          signal.addEventListener('abort', () => resolve())
        })
        if (signal.aborted) return
        const first = from?.offsets[topics.odds.name]?.[0] ?? 0
        yield { reset: false, records: records.slice(first), position: position(), caughtUp: true }
      } finally {
        readers--
      }
    },
  }
  let isReady = true
  const waiting: (() => void)[] = []
  const readiness = {
    isReady: () => isReady,
    whenReady: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
  /** Total ms of work, and ms that each reading of the timer adds. */
  const workTime = { ms: 0, msALook: 0 }
  const budget = createWorkBudget(() => {
    workTime.ms += workTime.msALook
    return workTime.ms
  })
  const tokens = createPositionTokens('of a test')
  const streams = createStreams({
    boards,
    readiness,
    log,
    accounts: {
      find: () => undefined,
      keyring: { authenticate },
      ready: Promise.resolve(),
      peers: alone,
    },
    profileOf: emptyProfile,
    chain: [],
    tokens,
    budget,
    clock,
    timers,
    logger: createLogger({ logLevel: 'silent' }, 'test'),
  })

  function apply(...made: Pick<LogRecord, 'topic' | 'key' | 'value'>[]) {
    const taken = made.map((record) => ({ ...record, partition: 0, offset: records.length }))
    records.push(...taken)
    sources.apply(taken)
    live.apply(taken, position(), now)
    opportunities.apply(taken)
    gameStates.apply(taken)
  }

  return {
    streams,
    boards,
    log,
    tokens,
    clock,
    live,
    close: () => streams.close(),
    budget,
    workTime,
    callerOf: (tier: Tier) => callers.get(tier)!,
    /** Makes the service unready. @returns a function that makes it ready again */
    notReady() {
      isReady = false
      return () => {
        isReady = true
        for (const resolve of waiting.splice(0)) resolve()
      }
    },
    /** Sets the time to read the log (ms); infinite if the log is away. */
    slowLog(ms: number) {
      readingMs = ms
    },
    /** Returns the number of current readers of the log. */
    readers: () => readers,
    revoke: (key: string) => callers.delete(key),
    /** Steps the timers (ticks, snapshots, waits) by some ms. The time of day stays. */
    pass: timers.pass,
    /** Advances time until the condition holds. @throws Error if it never does */
    async until(what: string, isSo: () => boolean) {
      for (let ms = 0; !isSo(); ms++) {
        if (ms > 10_000) throw new Error(`never came: ${what}`)
        await timers.pass(1)
      }
    },
    timers,
    advance(ms: number) {
      now += ms
      live.advance(now)
    },
    event(id: string, more: Parameters<typeof game>[1] = {}) {
      apply({ topic: topics.events, key: id, value: game(id, more) })
    },
    odds(id: string, ...quotes: Quote[]) {
      const rows = quotes.map((of) => quote(id, of))
      apply(...rows.map((row) => ({ topic: topics.odds, key: String(row.id), value: row })))
    },
    /** Sets the time that a replayed recording has reached (epoch ms). */
    replaying(at: number) {
      recordedAt = at
    },
    /** Changes the state of a source. */
    source(row: SourceRow) {
      sources.caughtUp?.(now)
      apply({ topic: topics.sources, key: row.source, value: row })
    },
    /** Makes a sportsbook one that only the owner may see. */
    hide(sportsbook: string) {
      const value = { sportsbook, status: 'up', audience: 'owner', since: now } as const
      apply({ topic: topics.sportsbookStatus, key: sportsbook, value })
    },
    /** Adds an arbitrage of two prices on the board, for every tier. */
    arbitrage(id: string, ...legs: readonly [Quote, Quote]) {
      const [first, second] = legs.map((of) => quote(id, of))
      const row: OpportunityRow = {
        id: `arbitrage of ${id}`,
        kind: 'arbitrage',
        eventId: id,
        league: first!.league,
        legs: [first!.id, second!.id],
        reference: [],
        scopes: visibilityBit.hobby | visibilityBit.pro | visibilityBit.all,
        isSuspected: false,
        measure: null,
        detectedAt: now,
        detected: null,
      }
      const seen = legs.map(({ sportsbook }) => ({
        topic: topics.sightings,
        key: sightingKey(id, sportsbook),
        value: sighting(id, sportsbook, now),
      }))
      apply(...seen, { topic: topics.opportunities, key: row.id, value: row })
    },
    /** Reads the log again from its start. */
    replace() {
      const all = records.splice(0)
      live.reset(now)
      gameStates.reset()
      apply(...all)
    },
    /** Sets the state of a game; null removes it. */
    gameState(eventId: string, row: GameStateRow | null) {
      apply({ topic: topics.gameStates, key: eventId, value: row })
    },
    withdraw(id: string, ...quotes: Quote[]) {
      const keys = quotes.map((of) => String(quote(id, of).id))
      apply(...keys.map((key) => ({ topic: topics.odds, key, value: null })))
    },
    /** Withholds a price; without a reason it does no longer. */
    withhold(id: string, of: Quote, reason: GuardReason | null) {
      const { id: oddsId, sportsbook, league } = quote(id, of)
      const value = reason && { id: oddsId, sportsbook, league, reason, since: now }
      apply({ topic: topics.withheldPrices, key: String(oddsId), value })
    },
    /**
     * Returns a position in the log, from which no board of this process continues before its first tick.
     * @param tier whose sportsbooks it is of
     */
    positionNow: (tier: Tier = 'sharp') =>
      tokens.of(position(), viewOf(streams.scopes.of(callers.get(tier)!)))!,
    /** Opens a WebSocket of a tier. @param key key of the upgrade request; empty for none */
    open(query: string, tier: Tier = 'sharp', key: string = tier) {
      const frames: Frame[] = []
      const state = { isFull: false, closed: null as number | null, holds: 0 }
      const connection = {
        send({ page, ends }: Frames) {
          let from = 0
          for (const end of ends) {
            frames.push(JSON.parse(page.bytes.toString('utf8', from, end)))
            from = end
          }
          return !state.isFull
        },
        hold() {
          state.holds++
        },
        close(code: number) {
          state.closed = code
        },
      }
      const session = streams.websocket(authenticate, connection, key, query)
      const of = (type: string, from = 0) =>
        frames.slice(from).filter((frame) => frame.type === type)
      return {
        frames,
        state,
        of,
        session,
        say: (frame: object) => session.receive(JSON.stringify(frame)),
        /** Returns the prices received from a frame on, by id. */
        prices(from = 0): Map<string, number> {
          const rows = frames.slice(from).flatMap(({ data }) => (Array.isArray(data) ? data : []))
          return new Map(rows.map(({ id, odds_decimal }) => [id, odds_decimal]))
        },
      }
    },
  }
}
