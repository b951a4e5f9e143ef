/**
 * Dead letters: the parts of responses that a parser left out, with their text, so that somebody can find out why. Only
 * the first of each sportsbook and reason are written, because a parser that does not know a market skips it in every
 * response. The counters have the totals.
 */

import { topics } from '../../schemas/topics.ts'
import type { Append } from '../log/log.ts'

const textMaxBytes = 4_096

export function createDeadLetters(clock: () => number) {
  const counts = new Map<string, number>()
  let waiting: Append[] = []
  return {
    /**
     * Writes a letter, unless there are already `max` with its sportsbook and code.
     * @param textOf returns the part left out; called only for a letter that is written
     */
    write(
      { sportsbook, code, message }: { sportsbook: string; code: string; message: string },
      textOf: () => string,
      max: number,
    ) {
      const kind = `${sportsbook} ${code}`
      const count = counts.get(kind) ?? 0
      if (count >= max) return
      counts.set(kind, count + 1)
      const value = { sportsbook, code, message, receivedAt: clock(), text: cut(textOf()) }
      const addressed = { topic: topics.feedRejected, partitionKey: sportsbook, key: sportsbook }
      waiting.push({ ...addressed, value } as Append)
    },
    /** Returns the letters since the last call. */
    take(): readonly Append[] {
      const letters = waiting
      if (letters.length > 0) waiting = []
      return letters
    },
  }
}

const cutBuffer = new Uint8Array(textMaxBytes)
const encoder = new TextEncoder()

/** Returns the text up to its last whole character within 4 KiB. */
const cut = (text: string) => text.slice(0, encoder.encodeInto(text, cutBuffer).read)
