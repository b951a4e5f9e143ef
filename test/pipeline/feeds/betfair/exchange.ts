/** A stream endpoint of Betfair on the loopback address, and its messages. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type Message = Record<string, unknown>

/** Greets clients and lets the test respond to messages; closed when the test has ended. */
export async function openExchange(
  hear: (
    message: Message,
    say: (...messages: object[]) => void,
    socket: Socket,
    nth: number,
  ) => void,
) {
  const heard: Message[] = []
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    const nth = ++count
    sockets.add(socket)
    socket.on('error', () => {})
    const say = (...messages: object[]) => {
      for (const message of messages) socket.write(`${JSON.stringify(message)}\r\n`)
    }
    say({ op: 'connection', connectionId: `c${nth}` })
    let rest = ''
    socket.on('data', (chunk) => {
      rest += chunk.toString()
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const message = JSON.parse(line) as Message
        heard.push(message)
        hear(message, say, socket, nth)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    heard,
    connect: () => connect({ port, host: '127.0.0.1' }),
    connections: () => count,
    /** Sends a message to all clients. */
    say(message: object) {
      for (const socket of sockets) socket.write(`${JSON.stringify(message)}\r\n`)
    },
  }
}

export const success = (id: unknown) => ({ op: 'status', id, statusCode: 'SUCCESS' })
export const definition = (more: object = {}) => ({
  status: 'OPEN',
  inPlay: false,
  marketType: 'MATCH_ODDS',
  bettingType: 'ODDS',
  eventId: '77',
  eventTypeId: '1477',
  marketTime: '2099-01-01T15:00:00.000Z',
  runners: [
    { id: 1, status: 'ACTIVE' },
    { id: 2, status: 'ACTIVE' },
  ],
  ...more,
})
export const image = (price: number, more: object = {}) => ({
  op: 'mcm',
  id: 2,
  ct: 'SUB_IMAGE',
  initialClk: 'i1',
  clk: 'c1',
  pt: 1_000,
  mc: [
    {
      id: '1.1',
      img: true,
      marketDefinition: definition(),
      rc: [
        { id: 1, batb: [[0, price, 5]] },
        { id: 2, batb: [[0, 3, 5]] },
      ],
    },
  ],
  ...more,
})
export const update = (pt: number, mc: object, clk = 'c2') => ({
  op: 'mcm',
  id: 2,
  pt,
  clk,
  mc: [mc],
})
export const catalogue = [
  {
    marketId: '1.1',
    event: { id: '77', name: 'Leeds v Brentford', openDate: '2099-01-01T15:00:00.000Z' },
    competition: { name: 'English Premier League' },
    runners: [
      { selectionId: 1, runnerName: 'Leeds' },
      { selectionId: 2, runnerName: 'Brentford' },
    ],
  },
]
