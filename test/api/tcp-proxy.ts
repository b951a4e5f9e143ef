/** A proxy before the service that can alter or cut the traffic. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Replaces the text once, in the next bytes to a client that contain it. */
  change(text: RegExp, by: (...groups: string[]) => string): { isChanged(): boolean }
  /** Cuts all current connections. */
  cut(): void
  close(): Promise<void>
}

/** @param port of the service */
export async function openProxy(port: number): Promise<Proxy> {
  let change: { text: RegExp; by: (...groups: string[]) => string } | undefined
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    clients.add(client)
    client.pipe(upstream)
    upstream.on('data', (bytes) => {
      const said = bytes.toString('latin1')
      if (!change?.text.test(said)) return client.write(bytes)
      client.write(Buffer.from(said.replace(change.text, change.by), 'latin1'))
      change = undefined
    })
    const end = () => {
      clients.delete(client)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
  })
  const cut = () => {
    for (const client of clients) client.destroy()
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    change(text, by) {
      const wanted = { text, by }
      change = wanted
      return { isChanged: () => change !== wanted }
    },
    cut,
    close() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
