/** Errors that the caller's own functions throw: they are the caller's, and the stream goes on. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '../../api/clients/typescript/src/index.ts'
import { createScriptedService, row, rowsMessages } from './scripted-service.ts'

/** Errors of microtasks: without this they would be uncaught, and end the run. */
let uncaught: unknown[]
beforeEach(() => {
  uncaught = []
  const own = queueMicrotask
  vi.stubGlobal('queueMicrotask', (task: () => void) =>
    own(() => {
      try {
        task()
      } catch (error) {
        uncaught.push(error)
      }
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it.each(['sse', 'websocket'] as const)(
  'of a board over %s are uncaught errors, and neither the connection nor other listeners notice',
  async (transport) => {
    const { snapshot, update } = rowsMessages[transport]
    const { network, served } = createScriptedService({
      begin(connection) {
        connection.say('connected', { resumed: false })
        connection.say(...snapshot([row('1'), row('2')]))
        connection.say('snapshot:complete')
      },
    })
    const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
    const onMessage = vi.fn(() => {
      throw new TypeError('of a message')
    })
    const board = client.board({}, { transport, reconnectMs: 1, onMessage })
    const told: string[] = []
    board.subscribe(({ id }) => {
      throw new RangeError(`of the change of ${id}`)
    })
    board.subscribe(({ id, row }) => told.push(`${id} ${row?.odds_decimal}`))
    try {
      await expect.poll(() => told).toEqual(['1 1.893', '2 1.893'])
      await board.ready
      served[0]!.say(...update([{ id: '2', odds_decimal: 3 }]))
      served[0]!.say('odds:removed', { ids: ['1'] })
      await expect.poll(() => told).toEqual(['1 1.893', '2 1.893', '2 3', '1 undefined'])
      expect(onMessage).toHaveBeenCalledTimes(5)
      expect(uncaught.map(String).toSorted()).toEqual([
        'RangeError: of the change of 1',
        'RangeError: of the change of 1',
        'RangeError: of the change of 2',
        'RangeError: of the change of 2',
        ...Array.from({ length: 5 }, () => 'TypeError: of a message'),
      ])
      expect([board.isCurrent(), board.stream.counts.connections]).toEqual([true, 1])
      expect(served.map((connection) => connection.isOpen())).toEqual([true])
    } finally {
      board.close()
    }
  },
)

it('of onFailure do not hide the failure from the board', async () => {
  const { network } = createScriptedService({
    answer: () => Response.json({ error: { code: 'invalid_api_key' } }, { status: 401 }),
  })
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  const onFailure = () => {
    throw new TypeError('of the failure')
  }
  const board = client.board({}, { onFailure })
  await expect(board.ready).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  await expect.poll(() => uncaught.map(String)).toEqual(['TypeError: of the failure'])
})

it('a stream that cannot be read further is closed before the next is opened', async () => {
  const { network, served } = createScriptedService({
    begin(connection) {
      connection.say('connected', { resumed: false })
      if (served.length < 3) connection.say('odds:update', { odds: 1 })
      else connection.say('snapshot:complete')
    },
  })
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  const board = client.board({}, { reconnectMs: 1 })
  await board.ready
  expect(served.map((connection) => connection.isOpen())).toEqual([false, false, true])
  board.close()
  await expect.poll(() => served[2]!.isOpen()).toBe(false)
})
