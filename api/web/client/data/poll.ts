/**
 * Reads a value again and again while the page is visible. Timers and reads are the only state: who shows the value
 * holds it.
 */

import { isFinal, isRefusedWith, retryMs } from './refused.ts'

export interface PollOptions<Value> {
  readonly read: () => Promise<Value>
  /** Time between two reads of a value. */
  readonly everyMs: number
  readonly isHidden: () => boolean
  readonly onValue: (value: Value) => void
  readonly onFailed: (error: Error) => void
  /**
   * Called while the value is being read: when a page is shown again and it is older than
   * `everyMs`, and when the service takes long to answer.
   */
  readonly onOld: () => void
}

export interface Poll {
  /** Reads now, if the page is visible. A read under way is out of date. */
  readNow(): void
  /** To be called when the page is shown or hidden: reads at once if a read is due. */
  noteVisibility(): void
  close(): void
}

/** Wait before another try while there is no value. */
const firstMs = 1_000

/** A value whose next reading takes this long is old. */
const lateMs = 5_000

/** Begins with a read, if the page is visible. */
export function openPoll<Value>(options: PollOptions<Value>): Poll {
  const { read, everyMs, isHidden, onValue, onFailed, onOld } = options
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let turns = 0
  let hasValue = false
  /** Whether a read was left out because the page was hidden. */
  let isDue = false

  async function load() {
    clearTimeout(timer)
    isDue = isHidden()
    if (isDue) return
    turns++
    const turn = turns
    const isLast = () => !isOver && turn === turns
    let waitMs = everyMs
    const late = setTimeout(() => isLast() && hasValue && onOld(), lateMs)
    try {
      const value = await read().finally(() => clearTimeout(late))
      if (!isLast()) return
      hasValue = true
      onValue(value)
    } catch (failure) {
      if (!isLast()) return
      const error = failure as Error
      onFailed(error)
      // The key lacks the right, so polling would not help.
      if (isRefusedWith(error, 403)) return
      waitMs = hasValue || isFinal(error) ? everyMs : retryMs(error, firstMs)
    }
    if (isLast()) timer = setTimeout(load, waitMs)
  }

  load()
  return {
    readNow: load,
    noteVisibility() {
      if (!isDue || isOver || isHidden()) return
      if (hasValue) onOld()
      load()
    },
    close() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
