/** Requests end: one whose answer is lost or late fails with a sentence for the reader. */

import { RefusedError } from './refused.ts'

/** The error for a request to which no whole answer came. */
export class LostAnswerError extends Error {
  /** @param isWrite whether it may have changed something */
  constructor(isWrite: boolean) {
    super(
      isWrite
        ? 'The service did not answer: what you sent may have been done.'
        : 'The service does not respond.',
    )
  }
}

export interface AnswerOptions {
  readonly isWrite: boolean
  /** Time to the end of the answer. */
  readonly limitMs: number
  /** Ends the request earlier. */
  readonly signal: AbortSignal | undefined
}

/**
 * Asks, and waits for the whole answer.
 * @param ask its signal ends the request
 * @throws RefusedError, LostAnswerError; the reason of `signal` if that ends it
 */
export async function wholeAnswer<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { isWrite, limitMs, signal }: AnswerOptions,
): Promise<Answer> {
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const timer = setTimeout(() => ending.abort(), limitMs)
  try {
    return await ask(ending.signal)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw signal?.aborted ? signal.reason : new LostAnswerError(isWrite)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
