/** Requests to processes that may be dead, and waits for what becomes true in the end. */

import { setTimeout as delay } from 'node:timers/promises'

/** The wait for a response before another API is tried (ms). */
const patienceMs = 2_500

export interface Answered {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/** @returns null without a response in time */
export async function ask(url: string, init: RequestInit): Promise<Answered | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, text: await response.text(), retryAfter }
  } catch {
    return null
  }
}

/** Whether a response says, as it must, that the service cannot answer yet. */
export const isTryLater = ({ status, retryAfter }: Answered) =>
  status === 503 && retryAfter !== null

export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number) {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline && !(await isSo())) await delay(100)
}
