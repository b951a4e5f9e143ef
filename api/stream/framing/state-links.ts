/**
 * The `state` of a stream: deep links that lead to the pages for one US state. Rows are kept with links
 * that name none; for clients that do, the links of frames are completed, once for all of a state.
 */

import { reserve } from '../../../pipeline/text/page-buffer.ts'
import { stateEnd } from '../../answer/deep-links.ts'
import type { Frames } from './frames.ts'

/**
 * How a member begins that is a link. Within a text the quotes would be escaped, so that nothing a
 * sportsbook calls its players is taken for one.
 */
const link = Buffer.from(':"/api/v1/deeplink/')
const quote = 0x22

/**
 * Copies frames into others, which are empty, with a state at the end of their links.
 * @param state lower case
 */
export function completeLinks({ page, ends, places, width }: Frames, state: string, into: Frames) {
  const suffix = Buffer.from(stateEnd(state))
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

  /** Where ascending positions have moved to; negative ones stay as they are. */
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
