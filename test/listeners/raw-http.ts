/** Bytes over a TCP connection, part by part, and what came back. */

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '../patience.ts'

export interface Came {
  readonly statuses: readonly number[]
  readonly text: string
  /** How the other side ended the connection; null where it left it open. */
  readonly end: 'closed' | 'reset' | null
}

export interface SendOptions {
  /** Enough has come; without it, the end of the connection is waited for. */
  readonly until?: (came: string) => boolean
  /** Between two parts, so that each is a segment of its own. */
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
