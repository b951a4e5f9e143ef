/**
 * What the fan-out keeps of a client, and of those who ask the same. One flat object a client, written
 * by whoever serves it at the moment: its phase says who that is.
 */

import type { Position } from '../../pipeline/log/log.ts'
import type { CloseCode } from '../../schemas/stream/channels.ts'
import type { Scope } from '../access/scope.ts'
import type { OddsQuestion } from './channels/odds/odds-news.ts'
import type { Proof } from './channels/odds/proof.ts'
import type { OpportunityQuestion } from './channels/opportunities/opportunity-news.ts'
import type { Subscription } from './subscription.ts'
import type { Frames } from './transports/frames.ts'
import type { Framing } from './transports/framing.ts'

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
  /** The US state that links lead to, lower case. */
  readonly state: string | undefined
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

type Phase =
  /** Begins with the next tick. */
  | 'waiting'
  /** Is being given what there is. */
  | 'snapshot'
  /** Knows the board as of its position. */
  | 'behind'
  /** Knows all up to the last tick. */
  | 'live'

export interface Member {
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

/** Members that ask for the same prices. */
export interface OddsGroup {
  readonly key: string
  readonly question: OddsQuestion
  readonly subscription: NonNullable<Subscription['odds']>
  readonly members: Set<Member>
  /** What their books come to, as of a tick. */
  proof: { readonly head: number; readonly said: Proof } | null
}

/** Members that ask for the same opportunities. */
export interface OpportunityGroup {
  readonly key: string
  readonly scope: Scope
  readonly question: OpportunityQuestion
  readonly members: Set<Member>
}

/** @param now where the fan-out stands */
export function createMember(
  connection: Connection,
  framing: Framing,
  options: ClientOptions,
  now: { readonly head: number; readonly globalSeq: number },
): Member {
  return {
    connection,
    framing,
    options,
    nextNumber: 1,
    isGone: false,
    blockedSince: 0,
    nextHeartbeatAt: performance.now() + options.heartbeatMs,
    nextHoldAt: 0,
    nextBeginAt: 0,
    heldFrames: 0,
    askedAt: 0,
    subscription: null,
    start: { from: 'snapshot' },
    phase: 'waiting',
    odds: null,
    opportunities: null,
    position: now.head,
    globalSeq: now.globalSeq,
    knownSince: now.head,
    place: 0,
    untold: null,
    script: null,
    completion: null,
    backlog: [],
    isReplay: false,
    generation: 0,
  }
}

/** Whether its socket takes frames. */
export const isOpen = (member: Member) => member.blockedSince === 0 && !member.isGone
