/**
 * Changes out to everybody who asked for them. Time goes in ticks: what changed since the last one is
 * looked at once, encoded once for all who ask for the same, and handed to each socket in one write.
 *
 * Every client is read from its own **position**. One that is up to date gets the shared bytes; one
 * whose socket is full gets nothing, and later, from where it stands, each row once as it is by then:
 * no queue grows for it. What goes on the wire is `framing.ts`; who may ask is decided elsewhere.
 */

import type { Logger } from 'pino'
import type { Log, Position } from '../../pipeline/log/log.ts'
import type { ViewEvent } from '../../pipeline/views/board-view.ts'
import { isoTime } from '../../pipeline/views/row-text.ts'
import type { OpportunityKind } from '../../schemas/opportunity.ts'
import type { CloseCode, StreamErrorCode } from '../../schemas/stream/channels.ts'
import type { Scope } from '../access/scope.ts'
import type { Boards } from '../boards.ts'
import { clearFrames, createFrames, type Frames, number } from './frames.ts'
import type { Framing } from './framing.ts'
import { appendNews, createOddsQuestion, type OddsNews, type OddsQuestion } from './odds-news.ts'
import { createOddsSnapshot, type OddsSnapshot } from './odds-snapshot.ts'
import { type OddsTick, oddsTick } from './odds-tick.ts'
import {
  createOpportunityFeed,
  createOpportunityQuestion,
  type OpportunityFeed,
  type OpportunityNews,
  type OpportunityQuestion,
  opportunityWriter,
} from './opportunity-news.ts'
import {
  createPositionHistory,
  isAhead,
  positionToken,
  type ResyncReason,
  replaySince,
} from './positions.ts'
import { createProver, type Proof } from './proof.ts'
import type { Subscription } from './subscription.ts'

/** A socket, as the fan-out sees it. */
export interface Connection {
  /**
   * Hands over frames, which are valid inside the call alone.
   * @returns false when the socket is full: nothing more until `Client.drained`
   */
  send(frames: Frames): boolean
  /** Keeps a full socket, which would be given up after some seconds otherwise. */
  hold(): void
  close(code: CloseCode, reason: string): void
}

export interface ClientOptions {
  /** Heartbeats tell what the client's book must come to. */
  readonly proof: boolean
  readonly heartbeatMs: number
  /** A sportsbook at a time, and opportunities before prices. */
  readonly isByBook: boolean
  /** What a heartbeat says beside a proof. */
  readonly heartbeat: (now: string) => object
}

/** From where a client goes on. */
export type Start =
  | { readonly from: 'snapshot' }
  /** A position it was given. */
  | { readonly from: 'position'; readonly position: Position }
  /** The `global_seq` of a frame it was sent. */
  | { readonly from: 'sequence'; readonly globalSeq: number }
  /** From now on, without what there is. */
  | { readonly from: 'now' }

export interface Client {
  /** Sends a message of this name at once. */
  tell(name: string, members: object): void
  /** Begins what is asked for, in place of what was asked for before. */
  subscribe(subscription: Subscription, start: Start): void
  /**
   * Goes on with prices that are among those asked for before; all else is as it was.
   * @returns false when the client has not been given all of what it asked for before, or that was
   *   only just now: `subscribe` instead
   */
  narrow(subscription: Subscription): boolean
  drained(): void
  /** The socket is gone. */
  gone(): void
  close(code: CloseCode, reason: string): void
  /** Tells why and closes. */
  fail(code: StreamErrorCode, message: string, close: CloseCode): void
}

export interface Fanout {
  open(connection: Connection, framing: Framing, options: ClientOptions): Client
  /** Counts every change frame of all clients together. */
  readonly globalSeq: number
  /** How far the board remembers: a stamp at or before the position. */
  stampAt(position: Position): number | undefined
  /** The position the board is at now. */
  positionNow(): string | null
  readonly clientCount: number
  /** Tells everybody that the service stops, and closes. */
  close(): void
}

export interface FanoutOptions {
  readonly boards: Boards
  readonly log: Pick<Log, 'epoch' | 'follow'>
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
  /** A socket that takes nothing for so long is given up. */
  readonly stallMs?: number
}

/** Shortest time between two ticks. */
const leastTickMs = 10
/** Time a tick needs for each socket: a write is a system call. */
const msPerClient = 0.008
/** Opportunities are looked at this often, and not for more than a tenth of the time. */
const opportunityTickMs = 100
/** How often it is looked for who is to hear a heartbeat, or has stalled. */
const heartbeatTickMs = 250
/** Work on snapshots before others have their turn. */
const pumpMs = 4
/** Rows a client that is behind is told at once. */
const rowsBehindAtOnce = 4_000
const opportunitiesAtOnce = 40
const defaultStallMs = 30_000
const holdMs = 4_000
/** Frames that are answers to a client which does not read them. */
const mostHeldFrames = 200
/** How often one client may begin anew. */
const beginEveryMs = 500
/** How long a position ahead of the board is waited for: other processes may be ahead. */
const aheadMs = 2_000
/** Numbers of one write have a digit more this far ahead of needing it. */
const roomFor = 500
/** How long frames can be told again by `global_seq`. */
const replayMs = 120_000

type Phase =
  /** Begins with the next tick. */
  | 'waiting'
  /** Is being given what there is. */
  | 'snapshot'
  /** Knows the board as of its position. */
  | 'behind'
  /** Knows all up to the last tick. */
  | 'live'

interface Member {
  readonly connection: Connection
  readonly framing: Framing
  readonly options: ClientOptions
  nextNumber: number
  isGone: boolean
  /** Since when (`performance.now`) the socket has been full; 0 when it is not. */
  blockedSince: number
  nextHeartbeatAt: number
  nextHoldAt: number
  /** A client that asks for something else again and again is not served each time. */
  nextBeginAt: number
  /** Frames handed to a full socket. */
  heldFrames: number
  /** When it was last asked for something (`performance.now`). */
  askedAt: number
  subscription: Subscription | null
  start: Start
  phase: Phase
  odds: OddsGroup | null
  opportunities: OpportunityGroup | null
  /** The stamp up to which the client knows the board. */
  position: number
  /** What its frames are numbered by while it is behind: the client may come back with it. */
  globalSeq: number
  /** Rows that have come since are not known to it; -1 where none is taken to be. */
  knownSince: number
  /** A place in the journal of its opportunities. */
  place: number
  /** Ids in its view that it has not been told of, because they went while it was. */
  untold: Set<string> | null
  /** What is left of the beginning, a step a call. */
  script: Iterator<void> | null
  /** To be told when it has caught up for the first time. */
  completion: (() => object) | null
  /** Ids of rows that are told before the rest, as they are by then. */
  backlog: number[]
  isReplay: boolean
  /** Grows with every subscription, so that what belongs to an earlier one is known. */
  generation: number
}

interface OddsGroup {
  readonly key: string
  readonly question: OddsQuestion
  readonly subscription: NonNullable<Subscription['odds']>
  readonly members: Set<Member>
  /** What their books come to, as of a tick. */
  proof: { readonly head: number; readonly said: Proof } | null
}

interface OpportunityGroup {
  readonly key: string
  readonly scope: Scope
  readonly question: OpportunityQuestion
  readonly members: Set<Member>
}

export function createFanout(options: FanoutOptions): Fanout {
  const { boards, log, chain, clock, logger, stallMs = defaultStallMs } = options
  const { live: view } = boards
  const members = new Set<Member>()
  const oddsGroups = new Map<string, OddsGroup>()
  const opportunityGroups = new Map<string, OpportunityGroup>()
  const feeds = new Map<Scope, OpportunityFeed>()
  const history = createPositionHistory()
  const prover = createProver(view)
  const stop = new AbortController()
  /** For what goes to one client alone. */
  const own = createFrames()
  const shared = new Map<string, Frames>()
  let replays: Promise<unknown> = Promise.resolve()
  const pumping = new Set<Member>()
  /** Those of phase `behind`; whoever has waited longest comes first. */
  const behind = new Set<Member>()
  let isPumping = false
  let head = view.watermark
  let changes = view.changes
  // Higher than any before a restart: a process makes fewer than ten thousand in a second.
  let globalSeq = 10 * clock()
  const journal: { readonly seq: number; readonly stamp: number; readonly at: number }[] = []
  /** Whether the last entry stands for all that has happened since. */
  let isGap = false
  const moved = new Set<ViewEvent>()
  /** Clients that have asked for something. */
  let listening = 0
  let nextOpportunitiesAt = 0
  let nextHeartbeatsAt = 0
  let timer: NodeJS.Timeout | undefined

  const timeNow = () => isoTime(clock())

  // ---- handing over

  /** Frames made for this client alone. */
  function sendOwn(member: Member, build: (frames: Frames, width: number, now: string) => void) {
    const { framing, nextNumber } = member
    const now = timeNow()
    const { width } = framing.numbering(nextNumber + roomFor)
    clearFrames(own)
    build(own, width, now)
    hand(member, own, width)
  }

  function hand(member: Member, frames: Frames, width: number) {
    if (member.isGone || frames.ends.length === 0) return
    const { framing, nextNumber } = member
    const { isPadded } = framing.numbering(nextNumber)
    member.nextNumber = number(frames, nextNumber, { width, isPadded })
    if (member.blockedSince > 0 && ++member.heldFrames > mostHeldFrames) {
      const { connection } = member
      drop(member)
      return connection.close(1013, 'backpressure')
    }
    const isTaken = member.connection.send(frames)
    if (!isTaken && !member.isGone && member.blockedSince === 0) {
      member.blockedSince = performance.now()
    }
  }

  /** The same frames to many, encoded once for each form and width of their numbers. */
  function sendShared(
    to: Iterable<Member>,
    build: (frames: Frames, framing: Framing, width: number) => void,
  ) {
    const made = new Set<string>()
    for (const member of to) {
      const { framing, nextNumber } = member
      const { width } = framing.numbering(nextNumber + roomFor)
      const form = `${framing.form} ${width}`
      let frames = shared.get(form)
      if (!frames) {
        frames = createFrames()
        shared.set(form, frames)
      }
      if (!made.has(form)) {
        made.add(form)
        clearFrames(frames)
        build(frames, framing, width)
      }
      hand(member, frames, width)
    }
  }

  const isOpen = (member: Member) => member.blockedSince === 0 && !member.isGone

  // ---- groups

  function oddsGroup(of: NonNullable<Subscription['odds']>): OddsGroup {
    let group = oddsGroups.get(of.key)
    if (!group) {
      const question = createOddsQuestion(view, of.requested)
      group = { key: of.key, question, subscription: of, members: new Set(), proof: null }
      oddsGroups.set(of.key, group)
      // It begins at the last tick, which is the board of now.
      const nothing = oddsTick(view, head)
      if (nothing) question.take(nothing)
    }
    return group
  }

  function feedOf(scope: Scope): OpportunityFeed {
    let feed = feeds.get(scope)
    if (!feed) {
      feed = createOpportunityFeed(scope)
      feeds.set(scope, feed)
    }
    return feed
  }

  function opportunityGroup(
    scope: Scope,
    of: NonNullable<Subscription['opportunities']>,
  ): OpportunityGroup {
    let group = opportunityGroups.get(of.key)
    if (!group) {
      // What it shows first is what the feed knows: only then does nothing end unnoticed.
      feedOf(scope).lookAtAll()
      opportunitiesChanged(clock())
      const question = createOpportunityQuestion(scope, of.kinds, of.listing, of.bounds)
      const all = (kind: OpportunityKind) => scope.opportunities.all(kind)
      question.take(
        {
          changed: {
            ev: all('ev'),
            arbitrage: all('arbitrage'),
            middle: all('middle'),
            low_hold: all('low_hold'),
          },
          gone: [],
        },
        clock(),
      )
      group = { key: of.key, scope, question, members: new Set() }
      opportunityGroups.set(of.key, group)
    }
    return group
  }

  function leaveOpportunities(member: Member) {
    const { opportunities } = member
    member.opportunities = null
    if (!opportunities?.members.delete(member) || opportunities.members.size > 0) return
    opportunityGroups.delete(opportunities.key)
    const { scope } = opportunities
    if (![...opportunityGroups.values()].some((group) => group.scope === scope)) feeds.delete(scope)
  }

  function leave(member: Member) {
    const { odds } = member
    if (odds?.members.delete(member) && odds.members.size === 0) oddsGroups.delete(odds.key)
    leaveOpportunities(member)
    member.odds = null
    member.script = null
    member.backlog = []
    member.completion = null
    member.untold = null
    member.isReplay = false
    pumping.delete(member)
    behind.delete(member)
  }

  // ---- beginnings

  /** Takes up what a client asked for; the board and the head are one now. */
  function join(member: Member) {
    const { subscription, start } = member
    const now = performance.now()
    if (!subscription || now < member.nextBeginAt) return
    if (start.from === 'position' && isAhead(start.position, view.position)) {
      if (now < member.askedAt + aheadMs) return
    }
    member.nextBeginAt = now + beginEveryMs
    const { scope, odds, opportunities } = subscription
    if (odds) {
      member.odds = oddsGroup(odds)
      member.odds.members.add(member)
    }
    if (opportunities) {
      member.opportunities = opportunityGroup(scope, opportunities)
      member.opportunities.members.add(member)
    }
    begin(member)
  }

  function begin(member: Member) {
    const { start, odds } = member
    member.position = head
    member.globalSeq = globalSeq
    member.knownSince = head
    if (!odds || start.from === 'now') return play(member, null, odds !== null)
    if (start.from === 'sequence') {
      const stamp = stampBefore(start.globalSeq)
      if (stamp === undefined) return playWhole(member)
      member.position = stamp
      member.isReplay = true
      return play(member, null, true)
    }
    if (start.from === 'position') {
      if (isAhead(start.position, view.position)) return resync(member, 'other_log')
      const stamp = history.stampAt(start.position)
      if (stamp !== undefined && stamp >= view.removals.forgotten) {
        member.position = stamp
        member.knownSince = -1
        return play(member, null, true, true)
      }
      return replay(member, start.position)
    }
    playWhole(member)
  }

  function playWhole(member: Member) {
    const { odds } = member
    const snapshot =
      odds && createOddsSnapshot(view, odds.subscription.requested, member.options.isByBook)
    play(member, snapshot, false)
  }

  /** @param isLate the completion comes once the client has caught up, not before */
  function play(
    member: Member,
    snapshot: OddsSnapshot | null,
    resumed: boolean,
    isLate = member.options.proof,
  ) {
    behind.delete(member)
    member.untold = null
    member.phase = 'snapshot'
    member.script = script(member, snapshot, resumed, isLate)
    pumping.add(member)
    pump()
  }

  function* script(
    member: Member,
    snapshot: OddsSnapshot | null,
    resumed: boolean,
    isLate: boolean,
  ): Iterator<void> {
    const { framing, options: of, subscription } = member
    const { odds, opportunities } = member
    let totalOpportunities = 0
    const oddsPart = function* () {
      if (!snapshot) return
      for (;;) {
        let hasChunk = false
        sendOwn(member, (frames, width, now) => {
          hasChunk = snapshot.next(frames, framing, width, now)
        })
        if (!hasChunk) return
        yield
      }
    }
    const opportunityPart = function* (group: OpportunityGroup) {
      // What comes and goes while it is being told is told from here on.
      member.place = group.question.place
      const all = group.question.kinds.map((kind) => [kind, group.question.shown(kind)] as const)
      for (const [kind, ids] of all) {
        totalOpportunities += ids.length
        const chunks = Math.max(1, Math.ceil(ids.length / opportunitiesAtOnce))
        for (let chunk = 0; chunk < chunks; chunk++) {
          const offset = chunk * opportunitiesAtOnce
          const part = ids.slice(offset, offset + opportunitiesAtOnce)
          const items = written(member, group.scope, part)
          const of = { kind, items, offset, total: ids.length, chunk, chunks }
          sendOwn(member, (frames, width, now) =>
            framing.opportunitySnapshot(frames, of, width, now),
          )
          yield
        }
      }
    }
    if (!of.isByBook) yield* oddsPart()
    if (opportunities) yield* opportunityPart(opportunities)
    if (of.isByBook) yield* oddsPart()
    if (subscription?.hasGameState) {
      // Nothing keeps the state of games yet.
      const none = { events: [], count: 0, total: 0, offset: 0, has_more: false }
      tell(member, 'gamestate:snapshot', of.isByBook ? { data: none } : none)
    }
    const complete = () => ({
      ...(of.isByBook
        ? {
            books: snapshot?.sportsbooks ?? [],
            resumed,
            progressive: snapshot !== null,
          }
        : {
            status: 'ready',
            books: snapshot?.sportsbooks ?? [],
            total_odds: snapshot?.total ?? 0,
            total_opportunities: totalOpportunities,
            ...(resumed && { resumed }),
          }),
    })
    if (odds && isLate) member.completion = complete
    else tell(member, 'snapshot:complete', complete())
  }

  /**
   * JSON of opportunities as prices are now. One that does not stand at this moment is not told of:
   * the client is told when it does, and nothing when it goes.
   */
  function written(
    member: Member | null,
    scope: Scope,
    ids: readonly string[],
    now = clock(),
  ): string[] {
    const write = opportunityWriter(scope, chain, now)
    return ids.flatMap((id) => {
      const text = write(id)
      if (text !== null) return [text]
      if (member) {
        member.untold ??= new Set()
        member.untold.add(id)
      }
      return []
    })
  }

  /** Works through beginnings while their sockets take them, a little at a time. */
  function pump() {
    if (isPumping || pumping.size === 0) return
    isPumping = true
    setImmediate(() => {
      isPumping = false
      const until = performance.now() + pumpMs
      let isBusy = false
      for (const member of pumping) {
        // Whoever comes first goes to the end of the queue.
        pumping.delete(member)
        if (!member.script || member.isGone) continue
        // `drained` puts it back.
        if (!isOpen(member)) continue
        if (member.script.next().done) {
          member.script = null
          fallBehind(member, member.position, member.globalSeq)
        } else {
          pumping.add(member)
          isBusy = true
        }
        if (performance.now() >= until) break
      }
      if (isBusy || pumping.size > 0) pump()
    })
  }

  // ---- resuming

  function replay(member: Member, from: Position) {
    const { generation } = member
    member.phase = 'waiting'
    member.position = head
    member.knownSince = -1
    // One after the other: after a restart everybody comes at once.
    const replayed = replays.then(() => replaySince(log, from, stop.signal))
    replays = replayed.catch(() => {})
    replayed.then(
      (replayed) => {
        if (member.isGone || member.generation !== generation) return
        if (!replayed.ok) return resync(member, replayed.reason)
        const ids = placed(member, replayed.oddsIds)
        if (!ids) return resync(member, 'too_old')
        member.backlog = [...ids, ...idsOfEvents(replayed.eventIds)]
        play(member, null, true, true)
      },
      (error) => {
        if (member.isGone || stop.signal.aborted) return
        logger.error({ err: error }, 'the log could not be read again for a stream')
        resync(member, 'too_old')
      },
    )
  }

  /**
   * Of the ids that a replay found those the client may hear of; null when that cannot be told: whose
   * a row was that had gone before this process came is not known, and tiers that see some
   * sportsbooks alone are not told of rows of others.
   */
  function placed(member: Member, ids: ReadonlySet<number>): readonly number[] | null {
    const { odds, subscription } = member
    if (!odds || !subscription) return []
    if (!subscription.scope.sportsbooks) return [...ids]
    const gone = new Map([...view.removals.after(0)].map((removal) => [removal.id, removal]))
    const told: number[] = []
    for (const id of ids) {
      if (view.rows.find(id) >= 0) {
        told.push(id)
        continue
      }
      const removal = gone.get(id)
      if (!removal) return null
      if (odds.question.mayHaveNamed(removal)) told.push(id)
    }
    return told
  }

  function idsOfEvents(eventIds: ReadonlySet<string>): number[] {
    const { rows } = view
    return [...eventIds].flatMap((id) =>
      (view.find(id)?.blocks ?? []).flatMap((block) =>
        [...block.rows.subarray(0, block.count)].map((row) => rows.id(row)),
      ),
    )
  }

  const reasons: Readonly<Record<ResyncReason | 'replaced', string>> = {
    other_log: 'The position is of another log.',
    too_old: 'What came after the position is not kept any more.',
    too_far: 'More has changed since than is told again.',
    replaced: 'The board was read anew.',
  }

  /** What the client knows is void; everything comes again. */
  function resync(member: Member, reason: keyof typeof reasons) {
    // Others do not know the word, and would keep what is gone.
    if (!member.options.proof && member.start.from !== 'position') {
      return fail(member, 'upstream_error', `${reasons[reason]} Reconnect.`, 1001)
    }
    tell(member, 'resync', { reason, message: reasons[reason] })
    member.position = head
    member.knownSince = head
    member.backlog = []
    member.isReplay = false
    playWhole(member)
  }

  function stampBefore(seq: number): number | undefined {
    const [oldest] = journal
    if (seq > globalSeq) return undefined
    if (!oldest || seq < oldest.seq - 1) return seq === globalSeq ? head : undefined
    let found = oldest
    for (const entry of journal) {
      if (entry.seq > seq) break
      found = entry
    }
    return found.stamp
  }

  // ---- ticks

  function tick() {
    if (!boards.isReady()) return
    // Times of day come from the clock; how long things take, and how often, does not.
    const now = clock()
    const started = performance.now()
    if (changes !== view.changes) replaceAll()
    if (view.watermark > head) oddsChanged(now)
    history.note(view)
    if (started >= nextOpportunitiesAt) {
      const before = performance.now()
      opportunitiesChanged(now)
      const took = performance.now() - before
      nextOpportunitiesAt = started + Math.max(opportunityTickMs, 10 * took)
    }
    listening = 0
    for (const member of members) {
      if (member.subscription) listening++
      if (member.phase === 'waiting' && !member.odds && !member.opportunities) join(member)
    }
    catchUp()
    if (started >= nextHeartbeatsAt) {
      nextHeartbeatsAt = started + heartbeatTickMs
      heartbeats(started)
    }
  }

  function replaceAll() {
    changes = view.changes
    head = view.watermark
    history.reset()
    journal.length = 0
    for (const group of oddsGroups.values()) group.question.reset()
    for (const group of oddsGroups.values()) {
      const nothing = oddsTick(view, head)
      if (nothing) group.question.take(nothing)
    }
    for (const member of members) {
      if (member.phase === 'waiting' || member.isGone) continue
      member.script = null
      pumping.delete(member)
      resync(member, 'replaced')
    }
  }

  function oddsChanged(now: number) {
    const since = head
    const seqBefore = globalSeq
    head = view.watermark
    if (members.size === 0) {
      // Nobody is told: all that happens until somebody comes counts as one change.
      if (!isGap) journal.push({ seq: ++globalSeq, stamp: since, at: now })
      isGap = true
      return
    }
    isGap = false
    const changed = oddsTick(view, since)
    // The clock has leapt past what is remembered.
    if (!changed) return replaceAll()
    if (changed.rows.length === 0 && changed.removed.length === 0) return
    if (feeds.size > 0) for (const event of changed.events()) moved.add(event)
    journal.push({ seq: ++globalSeq, stamp: since, at: now })
    while (journal[0]!.at < now - replayMs) journal.shift()
    const globalSeqOf = numberBooks()
    const time = isoTime(now)
    for (const group of oddsGroups.values()) {
      const news = group.question.take(changed)
      const upToDate = [...group.members].filter(({ phase }) => phase === 'live')
      if (upToDate.length === 0) continue
      for (const member of upToDate) {
        if (!isOpen(member)) fallBehind(member, since, seqBefore)
      }
      if (news.size === 0) continue
      sendShared(upToDate.filter(isOpen), (frames, framing, width) =>
        appendNews(frames, view, news, { framing, width, now: time, globalSeqOf }),
      )
    }
  }

  /**
   * @param position the stamp up to which the client knows the board
   * @param seq the number of the last change of it that the client was told
   */
  function fallBehind(member: Member, position: number, seq: number) {
    member.phase = 'behind'
    member.position = position
    member.globalSeq = seq
    if (member.knownSince >= 0) member.knownSince = position
    behind.add(member)
  }

  /** Each sportsbook's change in a tick has a number of its own. */
  function numberBooks(): (book: number) => number {
    const numbers = new Map<number, number>()
    return (book) => {
      let seq = numbers.get(book)
      if (seq === undefined) {
        seq = ++globalSeq
        numbers.set(book, seq)
      }
      return seq
    }
  }

  /** Those who are behind, a piece each; the rest of them with the next tick. */
  function catchUp() {
    const until = performance.now() + pumpMs
    const ticks = new Map<number, OddsTick | null>()
    for (const member of [...behind]) {
      if (!isOpen(member)) continue
      const { odds } = member
      if (performance.now() > until) return
      behind.delete(member)
      if (!odds) {
        member.phase = 'live'
        continue
      }
      // Until it has caught up it goes to the end of the queue.
      behind.add(member)
      if (view.changes.countSince(member.position) === Number.POSITIVE_INFINITY) {
        if (member.position < view.removals.forgotten) {
          resync(member, 'too_old')
          continue
        }
        const changed = odds.question.changedSince(member.position)
        member.backlog = [...new Set([...member.backlog, ...changed])]
        member.position = head
      }
      if (member.backlog.length > 0) {
        sendNews(member, odds.question.tell(member.backlog.slice(0, rowsBehindAtOnce)))
        member.backlog = member.backlog.slice(rowsBehindAtOnce)
        continue
      }
      if (member.position < head) {
        let changed = ticks.get(member.position)
        if (changed === undefined) {
          changed = oddsTick(view, member.position, rowsBehindAtOnce)
          ticks.set(member.position, changed)
        }
        if (!changed) {
          resync(member, 'too_old')
          continue
        }
        sendNews(member, odds.question.catchUp(changed, member.knownSince))
        member.position = changed.upTo
        if (member.position < head || !isOpen(member)) continue
      }
      behind.delete(member)
      member.phase = 'live'
      member.knownSince = head
      member.isReplay = false
      if (member.completion) {
        const complete = member.completion
        member.completion = null
        tell(member, 'snapshot:complete', { ...complete(), ...proofOf(member) })
      }
    }
  }

  function sendNews(member: Member, news: OddsNews) {
    if (news.size === 0) return
    const { framing, isReplay } = member
    sendOwn(member, (frames, width, now) =>
      appendNews(frames, view, news, {
        framing,
        width,
        now,
        globalSeqOf: () => member.globalSeq,
        isReplay,
      }),
    )
  }

  function opportunitiesChanged(now: number) {
    const ticks = new Map(
      [...feeds].map(([scope, feed]) => [scope, feed.tick(moved, now)] as const),
    )
    moved.clear()
    for (const { scope, question, members: ofGroup } of opportunityGroups.values()) {
      const before = question.place
      const news = question.take(ticks.get(scope)!, now)
      const upToDate = []
      for (const member of ofGroup) {
        if (member.phase !== 'live' || !isOpen(member)) continue
        if (member.place === before && !member.untold) upToDate.push(member)
        else opportunityCatchUp(member, scope, question)
      }
      if (news.length === 0 || upToDate.length === 0) continue
      const bodies = news.map((of) => ({ ...of, items: written(null, scope, of.detected, now) }))
      const seqs = bodies.map(() => ++globalSeq)
      const timestamp = isoTime(now)
      sendShared(upToDate, (frames, framing, width) => {
        for (const [i, of] of bodies.entries()) {
          appendOpportunities(frames, framing, width, { ...of, globalSeq: seqs[i]!, timestamp })
        }
      })
      for (const member of upToDate) member.place = question.place
    }
  }

  function appendOpportunities(
    frames: Frames,
    framing: Framing,
    width: number,
    of: OpportunityNews & {
      readonly items: readonly string[]
      readonly globalSeq: number
      readonly timestamp: string
    },
  ) {
    const { expired: ids, items } = of
    if (ids.length > 0) framing.expired(frames, { ...of, ids }, width)
    if (items.length > 0) framing.detected(frames, { ...of, items }, width)
  }

  function opportunityCatchUp(member: Member, scope: Scope, question: OpportunityQuestion) {
    const { framing, untold } = member
    const news = question.since(member.place)
    member.place = question.place
    member.untold = null
    if (!news) return resync(member, 'too_old')
    sendOwn(member, (frames, width, timestamp) => {
      for (const { kind, detected, expired } of news) {
        const of = {
          kind,
          detected,
          expired: untold ? expired.filter((id) => !untold.has(id)) : expired,
          items: written(member, scope, detected),
          globalSeq,
          timestamp,
        }
        appendOpportunities(frames, framing, width, of)
      }
      // What could not be shown when it was its turn, and stands after all.
      for (const kind of untold ? question.kinds : []) {
        const again = question.shown(kind).filter((id) => untold?.has(id))
        const items = written(member, scope, again)
        if (items.length === 0) continue
        framing.detected(frames, { kind, items, globalSeq, timestamp }, width)
      }
    })
  }

  // ---- heartbeats

  /** @param now as `performance.now` tells it */
  function heartbeats(now: number) {
    const time = timeNow()
    for (const member of members) {
      if (member.blockedSince > 0) {
        if (now - member.blockedSince > stallMs) {
          fail(member, 'backpressure', 'The stream is read too slowly.', 1013)
        } else if (now >= member.nextHoldAt) {
          member.nextHoldAt = now + holdMs
          member.connection.hold()
        }
        continue
      }
      if (now < member.nextHeartbeatAt || member.phase === 'snapshot') continue
      if (!member.subscription) continue
      member.nextHeartbeatAt = now + member.options.heartbeatMs
      const proof = member.phase === 'live' ? proofOf(member) : {}
      tell(member, 'heartbeat', { ...member.options.heartbeat(time), ...proof })
    }
  }

  /** What the client's book comes to at the head, where it asked for that. */
  function proofOf({ options: { proof }, odds }: Member): object {
    if (!proof || !odds) return {}
    // Between ticks the board may have moved past what the client was told.
    if (view.watermark !== head) return {}
    if (odds.proof?.head !== head) {
      odds.proof = { head, said: prover.prove(odds.subscription.requested.filter()) }
    }
    return { position: positionNow(), ...odds.proof.said }
  }

  const positionNow = () => (view.position ? positionToken(view.position) : null)

  // ---- members

  function tell(member: Member, name: string, content: object) {
    sendOwn(member, (frames, width, now) =>
      member.framing.message(frames, name, content, width, now),
    )
  }

  function drop(member: Member) {
    if (member.isGone) return
    member.isGone = true
    members.delete(member)
    leave(member)
  }

  function fail(member: Member, code: StreamErrorCode, message: string, close: CloseCode) {
    if (member.isGone) return
    tell(member, 'error', { code, message })
    const { connection } = member
    drop(member)
    connection.close(close, code)
  }

  /** When the next tick is due (`performance.now`). */
  let dueAt = performance.now() + leastTickMs

  function loop() {
    tick()
    const now = performance.now()
    // What else there is to do has its turn between two timers, however short the time.
    dueAt = Math.max(now, dueAt + Math.max(leastTickMs, listening * msPerClient))
    timer = setTimeout(loop, Math.max(1, Math.floor(dueAt - now)))
  }
  timer = setTimeout(loop, leastTickMs)

  return {
    open(connection, framing, of) {
      const member: Member = {
        connection,
        framing,
        options: of,
        nextNumber: 1,
        isGone: false,
        blockedSince: 0,
        nextHeartbeatAt: performance.now() + of.heartbeatMs,
        nextHoldAt: 0,
        nextBeginAt: 0,
        heldFrames: 0,
        askedAt: 0,
        subscription: null,
        start: { from: 'snapshot' },
        phase: 'waiting',
        odds: null,
        opportunities: null,
        position: head,
        globalSeq,
        knownSince: head,
        place: 0,
        untold: null,
        script: null,
        completion: null,
        backlog: [],
        isReplay: false,
        generation: 0,
      }
      members.add(member)
      return {
        tell: (name, content) => tell(member, name, content),
        subscribe(subscription, start) {
          leave(member)
          member.generation++
          member.subscription = subscription
          member.start = start
          member.phase = 'waiting'
          member.askedAt = performance.now()
        },
        narrow(subscription) {
          const { odds } = subscription
          const before = member.odds
          const isSettled = member.phase === 'live' || member.phase === 'behind'
          if (!odds || !before || !isSettled || member.completion) return false
          if (performance.now() < member.nextBeginAt) return false
          member.nextBeginAt = performance.now() + beginEveryMs
          member.subscription = subscription
          if (!subscription.opportunities) leaveOpportunities(member)
          before.members.delete(member)
          if (before.members.size === 0) oddsGroups.delete(before.key)
          member.odds = oddsGroup(odds)
          member.odds.members.add(member)
          // The board may be ahead of what the client was told of it.
          if (member.phase === 'live') fallBehind(member, head, globalSeq)
          return true
        },
        drained() {
          member.blockedSince = 0
          member.heldFrames = 0
          if (!member.script) return
          pumping.add(member)
          pump()
        },
        gone: () => drop(member),
        close(code, reason) {
          if (member.isGone) return
          drop(member)
          connection.close(code, reason)
        },
        fail: (code, message, close) => fail(member, code, message, close),
      }
    },
    get globalSeq() {
      return globalSeq
    },
    stampAt: history.stampAt,
    positionNow,
    get clientCount() {
      return members.size
    },
    close() {
      clearTimeout(timer)
      stop.abort()
      for (const member of members) fail(member, 'service_stopping', 'The service stops.', 1001)
    },
  }
}
