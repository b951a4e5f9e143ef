/**
 * The framing of Server-Sent Events: `event:`, `id:` and one `data:` line per frame (interface 6.2, supplement 2). In
 * compatibility mode (supplement 2.6) an unnamed block with `{type, data, timestamp}` follows each block of data.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { namedOnly } from '../../../schemas/stream/events.ts'
import { append, appendPlace, digitsOf, endFrame, type Frames } from './frames.ts'
import type { Framing } from './framing.ts'

/** Sent with the first event: some clients reject a block without data. */
const retryLine = 'retry: 3000\n'
/**
 * An empty comment, without a blank line after it: some clients would take that for an event
 * without data.
 */
export const sseComment = ':\n'

const leastDigits = 5

/** Returns the text before the number of a frame. */
const beginningOf = memoise((name: string) =>
  name === '' ? 'id: evt_' : `event: ${name}\nid: evt_`,
)

/** @param isUnnamed compatibility mode */
function createSseFraming(isUnnamed: boolean): Framing {
  function begin(frames: Frames, name: string, width: number, text: string) {
    append(frames, beginningOf(name))
    appendPlace(frames, width)
    append(frames, '\ndata: ')
    append(frames, text)
  }

  function block(frames: Frames, name: string, json: string, width: number) {
    begin(frames, name, width, `${json}\n\n`)
    endFrame(frames)
  }

  function unnamed(frames: Frames, type: string, data: string, width: number, now: string) {
    block(frames, '', `{"type":"${type}","data":${data},"timestamp":"${now}"}`, width)
  }

  return {
    transport: 'sse',
    width: (last) => Math.max(leastDigits, digitsOf(last)),
    isPadded: true,

    begin: (frames, name, width) => begin(frames, name, width, '{'),
    end(frames, now, type, from, to) {
      append(frames, '}\n\n')
      endFrame(frames)
      if (!isUnnamed) return
      const data = frames.page.bytes.toString('utf8', from, to)
      unnamed(frames, type, data, placeWidth(frames), now)
    },
    data(frames, { name, json, type = name, plain = json }, width, now) {
      block(frames, name, json, width)
      if (isUnnamed) unnamed(frames, type, plain, width, now)
    },
    message(frames, name, fields, width, now) {
      const json = JSON.stringify(fields)
      if (name === 'connected') append(frames, retryLine)
      if ('retry_ms' in fields) append(frames, `retry: ${fields.retry_ms}\n`)
      block(frames, name, json, width)
      if (isUnnamed && !namedOnly.has(name)) unnamed(frames, name, json, width, now)
    },
    completion: ({ totals, isResumed }) => ({
      status: 'ready',
      ...totals,
      ...(isResumed && { resumed: true }),
    }),
  }
}

export const sseFraming = createSseFraming(false)
export const unnamedSseFraming = createSseFraming(true)

/** Returns the width of the last place. */
function placeWidth({ page, places }: Frames): number {
  const place = places.at(-1)!
  return page.bytes.indexOf(0x0a, place) - place
}
