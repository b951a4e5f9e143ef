/** The meaning of a process's signals to stop. The caller stops, or ends the process. */

/** npm passes on a Ctrl-C that the process got from the terminal too. Two presses within this time count as one. */
const sameKeyMs = 400

/**
 * Returns what a signal asks: `stop` in order, `end` at once, or nothing, because it is the first one again.
 * @param monotonic milliseconds of a clock that is never set
 */
export function createStopSignals(monotonic: () => number): () => 'stop' | 'end' | 'same' {
  let firstAt: number | null = null
  return () => {
    const at = monotonic()
    if (firstAt === null) {
      firstAt = at
      return 'stop'
    }
    return at - firstAt < sameKeyMs ? 'same' : 'end'
  }
}
