/** The messages of opportunities on each transport (interface 6.2, supplements 1.6 and 2). */

import {
  familyNames,
  familyOf,
  type OpportunityKind,
  prefixOf,
} from '../../../../schemas/opportunity.ts'
import { chunksOf } from '../../framing/chunks.ts'
import { append, type Frames } from '../../framing/frames.ts'
import type { Framing } from '../../framing/framing.ts'

const mostItems = 300
const mostIds = 5_000

/** A chunk of a snapshot. */
export interface OpportunityChunk {
  readonly kind: OpportunityKind
  /** JSON of each opportunity. */
  readonly items: readonly string[]
  readonly offset: number
  readonly total: number
  /** From 0. */
  readonly chunk: number
  readonly chunks: number
}

export function appendChunk(
  frames: Frames,
  framing: Framing,
  { kind, items, offset, total, chunk, chunks }: OpportunityChunk,
  width: number,
  now: string,
) {
  const list = `"${familyOf(kind)}":[${items.join()}]`
  if (framing.transport === 'sse') {
    const json = `{${list},"count":${items.length},"total":${total},"offset":${offset},"has_more":${chunk + 1 < chunks}}`
    const plain = familiesOf(kind, `[${items.join()}]`)
    framing.data(frames, { name: 'snapshot', json, type: 'initial', plain }, width, now)
    return
  }
  framing.begin(frames, 'opportunities_snapshot', width)
  const from = frames.page.length
  append(frames, chunks > 1 ? `${list},"chunk":${chunk + 1},"totalChunks":${chunks}` : list)
  framing.end(frames, now, 'initial', from, frames.page.length)
}

/** The detected and expired opportunities of a kind. */
export interface OpportunityChange {
  readonly kind: OpportunityKind
  /** JSON of each detected one. */
  readonly items: readonly string[]
  /** Ids. */
  readonly expired: readonly string[]
  /** Returns the `global_seq` of each frame, ascending. */
  readonly nextSeq: () => number
  /** RFC 3339. */
  readonly timestamp: string
}

export function appendChange(
  frames: Frames,
  framing: Framing,
  { kind, items, expired, nextSeq, timestamp }: OpportunityChange,
  width: number,
) {
  const instant = framing.transport === 'sse' ? `,"timestamp":"${timestamp}"` : ''
  for (const ids of chunksOf(expired, mostIds, Number.POSITIVE_INFINITY)) {
    const json = `{"expired":${JSON.stringify(ids)}${instant}}`
    const name = `${prefixOf(kind)}:expired`
    framing.data(frames, { name, json, globalSeq: nextSeq() }, width, timestamp)
  }
  for (const chunk of chunksOf(items, mostItems)) {
    const json = `[${chunk.join()}]`
    const plain = familiesOf(kind, json)
    const name = `${prefixOf(kind)}:detected`
    framing.data(frames, { name, json, globalSeq: nextSeq(), plain }, width, timestamp)
  }
}

/** Returns a list for each family, empty except for that of the kind. */
const familiesOf = (kind: OpportunityKind, items: string) =>
  `{${familyNames.map((name) => `"${name}":${name === familyOf(kind) ? items : '[]'}`).join()}}`
