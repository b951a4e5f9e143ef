/**
 * Server-Sent Events: each frame is a block of `event:`, `id:` and one `data:` line (interface 6.2,
 * supplement 2). In the compatibility mode (supplement 2.6) each block of data is followed by an
 * unnamed one with `{type, data, timestamp}`.
 */

import {
  familyNames,
  familyOf,
  type OpportunityKind,
  prefixOf,
} from '../../../schemas/opportunity.ts'
import { sseChannelNames } from '../../../schemas/stream/channels.ts'
import { namedOnly } from '../../../schemas/stream/events.ts'
import { chunksOf } from './chunks.ts'
import { append, appendPlace, digitsOf, endFrame, type Frames } from './frames.ts'
import type { Framing } from './framing.ts'

/** In the block of the first event: some clients take a block without data for a fault. */
const retryLine = 'retry: 3000\n'
/** Says nothing. A blank line behind it would be an event without data to some clients. */
export const sseComment = ':\n'

const leastDigits = 5

/** @param isUnnamed each block comes unnamed as well */
function createSseFraming(isUnnamed: boolean): Framing {
  /** Where the rows of the block at hand begin. */
  let rowsFrom = 0

  function begin(frames: Frames, name: string, width: number) {
    append(frames, name === '' ? 'id: evt_' : `event: ${name}\nid: evt_`)
    appendPlace(frames, width)
    append(frames, '\ndata: ')
  }

  function end(frames: Frames) {
    append(frames, '\n\n')
    endFrame(frames)
  }

  function unnamed(frames: Frames, type: string, data: string, width: number, now: string) {
    if (!isUnnamed) return
    begin(frames, '', width)
    append(frames, `{"type":"${type}","data":${data},"timestamp":"${now}"}`)
    end(frames)
  }

  function block(
    frames: Frames,
    of: { name: string; type?: string; json: string; data?: string },
    width: number,
    now: string,
  ) {
    const { name, type = name, json, data = json } = of
    begin(frames, name, width)
    append(frames, json)
    end(frames)
    unnamed(frames, type, data, width, now)
  }

  function endRows(frames: Frames, type: string, tail: string, now: string) {
    const rows = isUnnamed ? textFrom(frames, rowsFrom) : ''
    append(frames, tail)
    end(frames)
    unnamed(frames, type, `[${rows}]`, placeWidth(frames), now)
  }

  /** All families as lists, the one of the kind filled. */
  const family = (kind: OpportunityKind, items: string) =>
    `{${familyNames.map((name) => `"${name}":${name === familyOf(kind) ? items : '[]'}`).join()}}`

  return {
    channels: sseChannelNames,
    isByBook: false,
    isCompact: true,
    mostRows: 1_000,
    mostBytes: 192 * 1024,
    width: (last) => Math.max(leastDigits, digitsOf(last)),
    isPadded: true,

    beginOdds(frames, { name }, width) {
      begin(frames, name, width)
      append(frames, '{"odds":[')
      rowsFrom = frames.page.length
    },
    endOdds(frames, { name, sportsbook }, count, isPartial, now) {
      const book = JSON.stringify(sportsbook)
      endRows(frames, name, `],"count":${count},"book":${book},"partial":${isPartial}}`, now)
    },
    beginSnapshot(frames, _of, width) {
      begin(frames, 'snapshot', width)
      append(frames, '{"odds":[')
      rowsFrom = frames.page.length
    },
    endSnapshot(frames, { offset, total }, count, hasMore, now) {
      const tail = `],"count":${count},"total":${total},"offset":${offset},"has_more":${hasMore}}`
      endRows(frames, 'initial', tail, now)
    },
    removed(frames, { sportsbook, ids }, width, now) {
      const book = JSON.stringify(sportsbook)
      const json = `{"ids":[${ids.map((id) => `"${id}"`).join()}],"count":${ids.length},"book":${book}}`
      block(frames, { name: 'odds:removed', json }, width, now)
    },
    opportunitySnapshot(frames, { kind, items, offset, total, chunk, chunks }, width, now) {
      const list = `[${items.join()}]`
      const hasMore = chunk + 1 < chunks
      const json = `{"${familyOf(kind)}":${list},"count":${items.length},"total":${total},"offset":${offset},"has_more":${hasMore}}`
      const data = family(kind, list)
      block(frames, { name: 'snapshot', type: 'initial', json, data }, width, now)
    },
    detected(frames, { kind, items, timestamp }, width) {
      for (const chunk of chunksOf(items, 1_000, 192 * 1024)) {
        const json = `[${chunk.join()}]`
        const name = `${prefixOf(kind)}:detected`
        block(frames, { name, json, data: family(kind, json) }, width, timestamp)
      }
    },
    expired(frames, { kind, ids, timestamp }, width) {
      const json = `{"expired":${JSON.stringify(ids)},"timestamp":"${timestamp}"}`
      block(frames, { name: `${prefixOf(kind)}:expired`, json }, width, timestamp)
    },
    snapshot(frames, name, json, width, now) {
      block(frames, { name, type: 'initial', json }, width, now)
    },
    change(frames, name, json, width, now) {
      block(frames, { name, json }, width, now)
    },
    completion: ({ totals, isResumed }) => ({
      status: 'ready',
      ...totals,
      ...(isResumed && { resumed: true }),
    }),
    message(frames, name, members, width, now) {
      const json = JSON.stringify(members)
      if (name === 'connected') append(frames, retryLine)
      if ('retry_ms' in members) append(frames, `retry: ${members.retry_ms}\n`)
      if (namedOnly.has(name)) {
        begin(frames, name, width)
        append(frames, json)
        end(frames)
      } else block(frames, { name, json }, width, now)
    },
  }
}

export const sseFraming = createSseFraming(false)
export const unnamedSseFraming = createSseFraming(true)

const textFrom = ({ page }: Frames, from: number) => page.bytes.toString('utf8', from, page.length)

/** The width of the last place. */
function placeWidth({ page, places }: Frames): number {
  const place = places.at(-1)!
  return page.bytes.indexOf(0x0a, place) - place
}
