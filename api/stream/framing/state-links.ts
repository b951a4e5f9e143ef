/**
 * Adds the US state of a client to deep links. Rows have links without a state; frames are completed once for all
 * clients of a state.
 */

import { reserve } from '../../../pipeline/text/page-buffer.ts'
import { stateQuery } from '../../answer/deep-links.ts'
import type { Frames } from './frames.ts'

/** The start of a link as a JSON value. Quotes inside a text are escaped, so no name can look like it. */
const link = Buffer.from(':"/api/v1/deeplink/')
const quote = 0x22

/**
 * Copies frames with a state added to their links.
 * @param state lower case @param into empty
 */
export function completeLinks({ page, ends, places, width }: Frames, state: string, into: Frames) {
  const suffix = Buffer.from(stateQuery(state))
  const bytes = page.bytes.subarray(0, page.length)
  const linkEnds: number[] = []
  for (let at = bytes.indexOf(link); at >= 0; at = bytes.indexOf(link, linkEnds.at(-1))) {
    linkEnds.push(bytes.indexOf(quote, at + link.length))
  }
  const { page: to } = into
  reserve(to, page.length + linkEnds.length * suffix.length)
  let copied = 0
  for (const end of linkEnds) {
    to.length += bytes.copy(to.bytes, to.length, copied, end)
    to.length += suffix.copy(to.bytes, to.length)
    copied = end
  }
  to.length += bytes.copy(to.bytes, to.length, copied)

  /** Maps ascending offsets to the copy. Negative ones stay. */
  const moved = (positions: readonly number[]) => {
    let passed = 0
    return positions.map((position) => {
      if (position < 0) return position
      while (passed < linkEnds.length && linkEnds[passed]! < position) passed++
      return position + passed * suffix.length
    })
  }
  for (const end of moved(ends)) into.ends.push(end)
  into.width = width
  for (const place of moved(places)) into.places.push(place)
}
