/** Silence of a stream, and what counts as a sign of life. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '../../api/clients/typescript/src/index.ts'
import { createScriptedService, row, type Script, type Served } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const boardOf = (script: Script) => {
  const { network, served } = createScriptedService(script)
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  return { board: client.board({}, { reconnectMs: 10 }), served }
}

/** Sends a comment every five seconds. @returns a function that ends it */
function comment(connection: Served) {
  connection.write(':\n')
  const timer = setInterval(() => connection.write(':\n'), 5_000)
  return () => clearInterval(timer)
}

function start(connection: Served) {
  connection.say('connected', { resumed: false })
  connection.say('snapshot', { odds: [row('1')] })
  connection.say('snapshot:complete')
}

it('comments of a service that starts are signs of life', async () => {
  let end = () => {}
  const { board, served } = boardOf({
    begin(connection) {
      if (served.length === 1) end = comment(connection)
    },
  })
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect([served.length, board.stream.failure(), board.stream.lastFault()]).toEqual([1, null, null])
  end()
  start(served[0]!)
  await vi.advanceTimersByTimeAsync(1)
  expect([board.isCurrent(), board.rows.size]).toEqual([true, 1])
  await vi.advanceTimersByTimeAsync(31_000)
  expect(board.stream.lastFault()).toMatch(/nothing came over sse .* holds the stream back/)
  board.close()
})

it('silences before such comments do not count any more', async () => {
  const ends: (() => void)[] = []
  const { board, served } = boardOf({
    begin(connection) {
      // The first two are silent: a stream and a WebSocket.
      if (served.length > 2 && connection.url.pathname.endsWith('/stream')) {
        ends.push(comment(connection))
      }
    },
  })
  await vi.advanceTimersByTimeAsync(120_000)
  expect([served.length, board.stream.transport()]).toEqual([3, 'sse'])
  ends[0]!()
  await vi.advanceTimersByTimeAsync(31_000)
  expect([served.length, board.stream.failure()]).toEqual([4, null])
  board.close()
})

it('one part of a snapshot, and no more, is a stream that is held back', async () => {
  const { board, served } = boardOf({ begin: start })
  await vi.advanceTimersByTimeAsync(200_000)
  expect(served.map(({ url }) => url.pathname.replace('/api/v1/', ''))).toEqual([
    'stream',
    'ws',
    'stream',
  ])
  expect(board.stream.failure()?.code).toBe('held_back')
})
