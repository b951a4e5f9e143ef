/** The messages of prices on each transport (interface 6.2, supplements 1.5, 1.6 and 2). */

import { memoise } from '../../../../schemas/memoise.ts'
import { append, appendNumber, type Frames } from '../../framing/frames.ts'
import type { Framing } from '../../framing/framing.ts'

/** A frame with rows of one sportsbook. */
export interface OddsFrame {
  readonly name: 'odds:update' | 'odds:locked' | 'odds:removed'
  readonly sportsbook: string
  readonly globalSeq: number
  readonly isReplay: boolean
}

export interface SnapshotFrame {
  /** Null if the snapshot is not by sportsbook. */
  readonly sportsbook: string | null
  readonly offset: number
  readonly total: number
}

/** Returns whether snapshots are sent by sportsbook. */
export const isByBook = ({ transport }: Framing) => transport === 'websocket'
/** Returns whether updates of a known row carry only its moved fields. */
export const isCompact = ({ transport }: Framing) => transport === 'sse'

/** Begins a list of rows. Write them with commas, then call `endOdds`. @returns where the list begins */
export function beginOdds(
  frames: Frames,
  framing: Framing,
  frame: OddsFrame,
  width: number,
): number {
  framing.begin(frames, frame.name, width)
  append(frames, framing.transport === 'sse' ? '"odds":[' : `${numbersOf(frame)}"data":[`)
  return frames.page.length - 1
}

export function endOdds(
  frames: Frames,
  framing: Framing,
  frame: OddsFrame,
  { from, count, isPartial }: { from: number; count: number; isPartial: boolean },
  now: string,
) {
  const to = endList(frames, count)
  if (framing.transport === 'sse') {
    append(frames, bookOf(frame.sportsbook))
    append(frames, isPartial ? ',"partial":true' : ',"partial":false')
  }
  framing.end(frames, now, frame.name, from, to)
}

/** As `beginOdds`, ended by `endSnapshot`. */
export function beginSnapshot(
  frames: Frames,
  framing: Framing,
  sportsbook: string | null,
  width: number,
): number {
  const isSse = framing.transport === 'sse'
  framing.begin(frames, isSse ? 'snapshot' : 'initial', width)
  append(frames, isSse ? '"odds":[' : `"source":${JSON.stringify(sportsbook ?? '')},"data":[`)
  return frames.page.length - 1
}

export function endSnapshot(
  frames: Frames,
  framing: Framing,
  { offset, total }: SnapshotFrame,
  { from, count, hasMore }: { from: number; count: number; hasMore: boolean },
  now: string,
) {
  const to = endList(frames, count)
  if (framing.transport === 'sse') {
    append(frames, `,"total":${total},"offset":${offset},"has_more":${hasMore}`)
  }
  framing.end(frames, now, 'initial', from, to)
}

export function appendRemoved(
  frames: Frames,
  framing: Framing,
  frame: OddsFrame,
  ids: readonly number[],
  width: number,
  now: string,
) {
  const list = `"ids":[${ids.map((id) => `"${id}"`).join()}],"count":${ids.length}`
  framing.begin(frames, frame.name, width)
  const from = frames.page.length - 1
  append(
    frames,
    framing.transport === 'sse'
      ? `${list}${bookOf(frame.sportsbook)}`
      : `${numbersOf(frame)}${list}`,
  )
  // For clients without event names: the whole message with its closing brace.
  framing.end(frames, now, frame.name, from, frames.page.length + 1)
}

/** Ends a list of rows, and says how many they are. @returns where the list ends */
function endList(frames: Frames, count: number): number {
  const to = frames.page.length + 1
  append(frames, '],"count":')
  appendNumber(frames.page, count)
  return to
}

const bookOf = memoise((sportsbook: string) => `,"book":${JSON.stringify(sportsbook)}`)

const numbersOf = ({ globalSeq, isReplay, sportsbook }: OddsFrame) =>
  `"global_seq":${globalSeq},${isReplay ? '"replay":true,' : ''}"source":${JSON.stringify(sportsbook)},`
