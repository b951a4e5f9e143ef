/** What streams say, whatever the transport: `sse.ts` and `websocket-framing.ts` put it into bytes. */

import type { OpportunityKind } from '../../../schemas/opportunity.ts'
import type { Frames } from './frames.ts'

/** Rows of one sportsbook that follow each other in a frame. */
export interface OddsFrame {
  readonly name: 'odds:update' | 'odds:locked'
  readonly sportsbook: string
  readonly globalSeq: number
  readonly isReplay: boolean
}

export interface SnapshotFrame {
  /** Of a snapshot that goes sportsbook by sportsbook, else null. */
  readonly sportsbook: string | null
  readonly offset: number
  readonly total: number
}

/** A part of all opportunities of a kind. */
export interface OpportunityChunk {
  readonly kind: OpportunityKind
  /** JSON of each. */
  readonly items: readonly string[]
  readonly offset: number
  readonly total: number
  /** From 0, and how many there are. */
  readonly chunk: number
  readonly chunks: number
}

export interface OpportunityChange {
  readonly kind: OpportunityKind
  /** The number of each frame, upwards. */
  readonly nextSeq: () => number
  /** RFC 3339. */
  readonly timestamp: string
}

/** What `snapshot:complete` may say. */
export interface Completion {
  /** Of each channel, by the names that SSE has for them. */
  readonly totals: Readonly<Record<string, unknown>>
  /** Whether what there is was left out, as asked. */
  readonly isResumed: boolean
  /** Whether what can be left out was told. */
  readonly isWhole: boolean
}

/** Clients of one framing can be sent the same bytes. */
export interface Framing {
  /** The names of channels, in the order of their snapshots. */
  readonly channels: readonly string[]
  /** Whether a snapshot of prices goes sportsbook by sportsbook. */
  readonly isByBook: boolean
  /** Whether a row that the client has is told by what moves of it alone. */
  readonly isCompact: boolean
  /** Rows and bytes of one frame are kept below these. */
  readonly mostRows: number
  readonly mostBytes: number
  /** The width of the places for numbers, given the last of them; `number` writes them. */
  width(last: number): number
  readonly isPadded: boolean
  /** Rows follow, comma-separated, then `endOdds`. */
  beginOdds(frames: Frames, of: OddsFrame, width: number): void
  endOdds(frames: Frames, of: OddsFrame, count: number, isPartial: boolean, now: string): void
  beginSnapshot(frames: Frames, of: Pick<SnapshotFrame, 'sportsbook'>, width: number): void
  endSnapshot(frames: Frames, of: SnapshotFrame, count: number, hasMore: boolean, now: string): void
  removed(
    frames: Frames,
    of: Omit<OddsFrame, 'name'> & { readonly ids: readonly number[] },
    width: number,
    now: string,
  ): void
  opportunitySnapshot(frames: Frames, of: OpportunityChunk, width: number, now: string): void
  detected(
    frames: Frames,
    of: OpportunityChange & { readonly items: readonly string[] },
    width: number,
  ): void
  expired(
    frames: Frames,
    of: OpportunityChange & { readonly ids: readonly string[] },
    width: number,
  ): void
  /** The snapshot of a channel that has no frames of its own. */
  snapshot(frames: Frames, name: string, json: string, width: number, now: string): void
  /** What has changed in a channel that has no frames of its own. */
  change(frames: Frames, name: string, json: string, width: number, now: string): void
  completion(of: Completion): object
  /** Anything else: a name and its members. */
  message(frames: Frames, name: string, members: object, width: number, now: string): void
}
