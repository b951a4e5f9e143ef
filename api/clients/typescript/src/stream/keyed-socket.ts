/** The platform's own WebSocket. It sends no headers, so the key goes in the first frame, not in the address. */

import type { SocketLike } from './connection.ts'

/** @throws Error where the platform has none, as Node before 22 */
export function openKeyedSocket(url: string, key: string): SocketLike {
  const { WebSocket } = globalThis as unknown as { WebSocket?: new (url: string) => SocketLike }
  if (!WebSocket) {
    throw new Error(
      'this platform has no WebSocket: give `openSocket`, with that of the package ws',
    )
  }
  const socket = new WebSocket(url)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'auth', token: key }))
  return socket
}
