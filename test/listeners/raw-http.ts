/** Sends bytes over a TCP connection part by part, and collects the response. */

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '../patience.ts'

export interface Came {
  readonly statuses: readonly number[]
  readonly text: string
  /** How the other side ended the connection; null if it left it open. */
  readonly end: 'closed' | 'reset' | null
}

export interface SendOptions {
  /** Whether enough has been received; without it, waits for the end of the connection. */
  readonly until?: (came: string) => boolean
  /** Pause between two parts, so that each is its own segment (ms). */
  readonly gapMs?: number
  readonly withinMs?: number
}

export function sendParts(
  port: number,
  parts: readonly (string | Buffer)[],
  { until = () => false, gapMs = 2, withinMs = patienceMs }: SendOptions = {},
): Promise<Came> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let text = ''
    const settle = (end: Came['end']) => {
      clearTimeout(timer)
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code))
      resolve({ statuses, text, end })
    }
    const timer = setTimeout(() => settle(null), withinMs)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (until(text)) settle(null)
    })
    socket.on('error', () => settle('reset'))
    socket.on('close', () => settle('closed'))
    void feed()

    async function feed() {
      for (const [i, part] of parts.entries()) {
        if (i > 0) await delay(gapMs)
        if (!socket.destroyed) socket.write(part)
      }
    }
  })
}
