/**
 * The framing of WebSockets: JSON objects with `type`, `seq` and `timestamp` (supplements 1.5 and 1.6). Blanks after
 * `seq`, which JSON allows, give it a fixed width, so that frames can be shared.
 */

import { append, appendPlace, endFrame, type Frames } from './frames.ts'
import type { Framing } from './framing.ts'

/** Digits of the largest safe integer. */
const seqWidth = 16

export const websocketFraming: Framing = {
  transport: 'websocket',
  width: () => seqWidth,
  isPadded: false,
  begin,
  end: (frames, now) => finish(frames, ',', now),
  data(frames, { name, json, globalSeq }, width, now) {
    begin(frames, name, width)
    if (globalSeq !== undefined) append(frames, `"global_seq":${globalSeq},`)
    finish(frames, `"data":${json},`, now)
  },
  message(frames, name, fields, width, now) {
    begin(frames, name, width)
    const json = JSON.stringify(fields)
    finish(frames, json === '{}' ? '' : `${json.slice(1, -1)},`, now)
  },
  completion: ({ totals, isResumed, isWhole }) => ({
    ...totals,
    resumed: isResumed,
    progressive: isWhole,
  }),
}

function begin(frames: Frames, type: string, width: number) {
  append(frames, `{"type":"${type}","seq":`)
  appendPlace(frames, width)
  append(frames, ',')
}

function finish(frames: Frames, text: string, now: string) {
  append(frames, `${text}"timestamp":"${now}"}`)
  endFrame(frames)
}
