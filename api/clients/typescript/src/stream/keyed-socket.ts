/** Opens the platform's WebSocket. It cannot set headers, so the key goes in the first frame, not in the URL. */

import type { SocketLike } from './connection.ts'

/** @throws Error if the platform has no WebSocket, such as Node before 22 */
export function openKeyedSocket(url: string, key: string): SocketLike {
  const { WebSocket } = globalThis as unknown as { WebSocket?: new (url: string) => SocketLike }
  if (!WebSocket) {
    throw new Error(
      'this platform has no WebSocket: pass the option `openSocket` with the package ws',
    )
  }
  const socket = new WebSocket(url)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'auth', token: key }))
  return socket
}
