/**
 * WebSocket frames: each a JSON object with `type`, `seq` and `timestamp` (supplement 1.5 and 1.6). The
 * number in `seq` is followed by blanks, which JSON allows, so that frames are encoded once for many.
 */

import { familyOf, prefixOf } from '../../../schemas/opportunity.ts'
import { websocketChannels } from '../../../schemas/stream/channels.ts'
import { chunksOf } from './chunks.ts'
import { append, appendPlace, endFrame, type Frames } from './frames.ts'
import type { Framing } from './framing.ts'

/** Digits of the largest safe integer. */
const seqWidth = 16
const mostOpportunities = 300
const mostIds = 5_000
/** A frame is at most 256 KB; characters beyond ASCII take more than one byte. */
const mostItemLength = 80 * 1024

export const websocketFraming: Framing = {
  channels: websocketChannels,
  isByBook: true,
  isCompact: false,
  mostRows: 1_000,
  mostBytes: 192 * 1024,
  width: () => seqWidth,
  isPadded: false,

  beginOdds(frames, { name, sportsbook, globalSeq, isReplay }) {
    begin(frames, name)
    append(
      frames,
      `"global_seq":${globalSeq},${isReplay ? '"replay":true,' : ''}"source":${JSON.stringify(sportsbook)},"data":[`,
    )
  },
  endOdds(frames, _of, count, _isPartial, now) {
    append(frames, `],"count":${count},`)
    end(frames, now)
  },
  beginSnapshot(frames, { sportsbook }) {
    begin(frames, 'initial')
    append(frames, `"source":${JSON.stringify(sportsbook ?? '')},"data":[`)
  },
  endSnapshot(frames, _of, count, _hasMore, now) {
    append(frames, `],"count":${count},`)
    end(frames, now)
  },
  removed(frames, { sportsbook, ids, globalSeq, isReplay }, _width, now) {
    begin(frames, 'odds:removed')
    append(
      frames,
      `"global_seq":${globalSeq},${isReplay ? '"replay":true,' : ''}"source":${JSON.stringify(sportsbook)},"ids":[${ids
        .map((id) => `"${id}"`)
        .join()}],"count":${ids.length},`,
    )
    end(frames, now)
  },
  opportunitySnapshot(frames, { kind, items, chunk, chunks }, _width, now) {
    begin(frames, 'opportunities_snapshot')
    append(frames, `"${familyOf(kind)}":[${items.join()}],`)
    if (chunks > 1) append(frames, `"chunk":${chunk + 1},"totalChunks":${chunks},`)
    end(frames, now)
  },
  detected(frames, { kind, items, nextSeq, timestamp }) {
    for (const chunk of chunksOf(items, mostOpportunities, mostItemLength)) {
      begin(frames, `${prefixOf(kind)}:detected`)
      append(frames, `"global_seq":${nextSeq()},"data":[${chunk.join()}],`)
      end(frames, timestamp)
    }
  },
  expired(frames, { kind, ids, nextSeq, timestamp }) {
    for (const chunk of chunksOf(ids, mostIds, Number.POSITIVE_INFINITY)) {
      begin(frames, `${prefixOf(kind)}:expired`)
      append(frames, `"global_seq":${nextSeq()},"data":{"expired":${JSON.stringify(chunk)}},`)
      end(frames, timestamp)
    }
  },
  snapshot: appendData,
  change: appendData,
  completion: ({ totals, isResumed, isWhole }) => ({
    books: totals.books,
    total_odds: totals.total_odds,
    resumed: isResumed,
    progressive: isWhole,
  }),
  message(frames, name, members, _width, now) {
    begin(frames, name)
    const json = JSON.stringify(members)
    append(frames, json === '{}' ? '' : `${json.slice(1, -1)},`)
    end(frames, now)
  },
}

function appendData(frames: Frames, name: string, json: string, _width: number, now: string) {
  begin(frames, name)
  append(frames, `"data":${json},`)
  end(frames, now)
}

function begin(frames: Frames, type: string) {
  append(frames, `{"type":"${type}","seq":`)
  appendPlace(frames, seqWidth)
  append(frames, ',')
}

function end(frames: Frames, now: string) {
  append(frames, `"timestamp":"${now}"}`)
  endFrame(frames)
}
