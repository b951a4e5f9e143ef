/** Streams that the service refuses or ends with a reason: what is final, what is tried again, and what the client says. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Channel,
  createClient,
  type StreamFilters,
} from '../../api/clients/typescript/src/index.ts'
import { createOddsBook } from '../../api/clients/typescript/src/stream/odds-book.ts'
import { createScriptedService, row, rowsMessages, type Served } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const transports = ['sse', 'websocket'] as const
type Transport = (typeof transports)[number]

/** Sends the start of a stream of prices. */
function start(served: Served, transport: Transport) {
  served.say('connected', { resumed: false })
  served.say(...rowsMessages[transport].snapshot([row('1'), row('2', { league: 'wnba' })]))
  served.say('snapshot:complete')
}

/** A board at a service that does nothing by itself. */
async function openBoard(transport: Transport, filters: StreamFilters = {}) {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  const board = client.board(filters, { transport, reconnectMs: 10 })
  await vi.advanceTimersByTimeAsync(0)
  return { board, served, failure: board.stream.failure }
}

const second = () => vi.advanceTimersByTimeAsync(1_000)

describe('too many streams', () => {
  const refuse = (served: Served) => {
    served.say('error', { code: 'too_many_streams', message: 'Close one.' })
    served.close(4029, 'too_many_streams')
  }

  it('are final for a stream that has never begun', async () => {
    const { board, served, failure } = await openBoard('websocket')
    refuse(served[0]!)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([served.length, failure()]).toEqual([
      1,
      expect.objectContaining({ status: 4029, code: 'too_many_streams' }),
    ])
    board.close()
  })

  it('are tried again after a break, because the service may still count the lost connection', async () => {
    const { board, served, failure } = await openBoard('websocket')
    start(served[0]!, 'websocket')
    served[0]!.lose()
    await second()
    for (let tries = 2; tries < 6; tries++) {
      expect(served.length).toBe(tries)
      refuse(served.at(-1)!)
      await vi.advanceTimersByTimeAsync(9_900)
      expect([served.length, failure()]).toEqual([tries, null])
      await vi.advanceTimersByTimeAsync(11_000)
    }
    start(served.at(-1)!, 'websocket')
    expect([board.isCurrent(), board.rows.size]).toEqual([true, 2])
    board.close()
  })
})

describe.each(transports)('over %s', (transport) => {
  it.each([
    ['validation_error', 400],
    ['missing_channels', 400],
    ['invalid_filter', 400],
    ['tier_restricted', 403],
  ])('%s instead of a snapshot is final', async (code, status) => {
    const { board, served, failure } = await openBoard(transport)
    served[0]!.say('connected', { resumed: false })
    served[0]!.say('error', { code, message: 'No.' })
    await second()
    expect(failure()).toMatchObject({ status, code, message: 'No.' })
    await expect(board.ready).rejects.toMatchObject({ status, code, message: 'No.' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([served.length, served[0]!.isOpen()]).toEqual([1, false])
    board.close()
  })

  it.each(['upstream_error', 'work_limited'])('%s instead of a snapshot is not', async (code) => {
    const { board, served, failure } = await openBoard(transport)
    served[0]!.say('connected', { resumed: false })
    served[0]!.say('error', { code, message: 'Wait.' })
    await second()
    expect([served.length, served[0]!.isOpen(), failure()]).toEqual([1, true, null])
    board.close()
  })

  it('a stream whose place another has taken does not come back', async () => {
    const { board, served, failure } = await openBoard(transport)
    start(served[0]!, transport)
    served[0]!.say('error', { code: 'displaced', message: 'Another took it.' })
    await vi.advanceTimersByTimeAsync(60_000)
    const why = { status: 4001, code: 'displaced', message: 'Another took it.', retryAfterMs: null }
    expect([served.length, served[0]!.isOpen(), failure()]).toEqual([1, false, why])
    expect(board.isCurrent()).toBe(false)
    board.close()
  })

  it.each([
    'channel',
    'channels',
    'fields',
    'heartbeat_seconds',
    'kinds',
    'only',
    'proof',
    'resume_from',
    'type',
  ])('the parameter %s is no filter', async (name) => {
    const { network, served } = createScriptedService({})
    const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
    const filters: StreamFilters = JSON.parse(`{"${name}":["id"]}`)
    const channels: readonly Channel[] = ['odds']
    expect(() => client.board(filters, { transport })).toThrow(TypeError)
    const opened = client.stream({ channels, transport })
    expect(() => opened.subscribe(channels, filters)).toThrow(`${name} is no filter`)
    await vi.advanceTimersByTimeAsync(0)
    expect(served.length).toBe(1)
    opened.close()
  })

  it('an error of before is not why a connection is lost', async () => {
    const { board, served } = await openBoard(transport)
    start(served[0]!, transport)
    served[0]!.say('error', { code: 'upstream_error', message: 'Wait.' })
    await second()
    expect(board.stream.lastFault()).toMatch('upstream_error')
    served[0]!.say('heartbeat')
    await second()
    served[0]!.lose()
    await second()
    expect(board.stream.lastFault()).toBe('The connection was lost.')
    board.close()
  })
})

describe('the reason of a WebSocket’s end', () => {
  const error = ['error', { code: 'expired_api_key', message: 'It has expired.' }] as const

  it.each<[string, readonly (readonly [string, object])[], string, object]>([
    ['an error frame', [error], '', { code: 'expired_api_key', message: 'It has expired.' }],
    ['a reason that is a code', [], 'displaced', { code: 'displaced', message: 'displaced' }],
    ['a reason that is a text', [], 'Too idle.', { code: 'closed', message: 'Too idle.' }],
    ['none', [], '', { code: 'closed', message: 'closed with 4001' }],
    [
      'none of its own, after an error of before',
      [
        ['error', { code: 'rate_limited', message: 'Slower.' }],
        ['heartbeat', {}],
      ],
      '',
      { code: 'closed' },
    ],
  ])('is %s', async (_, messages, reason, wanted) => {
    const { board, served, failure } = await openBoard('websocket')
    start(served[0]!, 'websocket')
    for (const [name, body] of messages) served[0]!.say(name, body)
    served[0]!.close(4001, reason)
    await second()
    expect(failure()).toMatchObject({ status: 4001, ...wanted })
    board.close()
  })
})

it('an error before `connected` leaves the status to the end of the connection', async () => {
  const error = { code: 'tier_restricted', message: 'No streams.' }
  const socket = await openBoard('websocket')
  socket.served[0]!.say('error', error)
  expect(socket.failure()).toBeNull()
  socket.served[0]!.close(4003, 'tier_restricted')
  await second()
  expect(socket.failure()).toMatchObject({ status: 4003, ...error })

  const events = await openBoard('sse')
  events.served[0]!.say('error', error)
  events.served[0]!.lose()
  await second()
  expect([events.served.length, events.failure()]).toEqual([2, null])
  for (const { board } of [socket, events]) board.close()
})

describe('a subscription over a WebSocket', () => {
  const held = { rows: 2, checksum: '', position: 'v3:a' }

  it.each([
    'validation_error',
    'invalid_message',
    'missing_channels',
    'too_many_book_sets',
    'work_limited',
    'rate_limited',
  ])('that is refused with %s has no effect', async (code) => {
    const { board, served, failure } = await openBoard('websocket', { league: ['nba', 'wnba'] })
    const { stream } = board
    const [service] = served
    start(service!, 'websocket')
    const proof = { ...held, checksum: proofOf(board.rows) }

    stream.subscribe(['odds'], { books: ['unseen'] })
    service!.say('heartbeat', proof)
    expect(stream.position()).toBeNull()
    service!.say('error', { code, message: 'No.' })
    service!.say('heartbeat', proof)
    expect([stream.position(), failure(), board.rows.size]).toEqual(['v3:a', null, 2])

    stream.subscribe(['odds'], { league: ['wnba'] })
    service!.say('subscribed', { channels: ['odds'], leagues: ['wnba'] })
    expect([...board.rows.keys()]).toEqual(['2'])

    stream.subscribe(['odds'], { min_odds: 5 })
    service!.say('error', { code, message: 'No.' })
    service!.lose()
    await second()
    expect(Object.fromEntries(served[1]!.url.searchParams)).toMatchObject({
      channels: 'odds',
      league: 'wnba',
    })
    expect(served[1]!.url.searchParams.has('min_odds')).toBe(false)
    board.close()
  })

  it('that is refused leaves the next one, and the families of the one before', async () => {
    const { network, served } = createScriptedService({})
    const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
    const channels: readonly Channel[] = ['odds', 'ev']
    const stream = client.stream({ channels, transport: 'websocket', reconnectMs: 10 })
    await vi.advanceTimersByTimeAsync(0)
    start(served[0]!, 'websocket')
    stream.subscribe(['odds'], { books: ['unseen'] })
    served[0]!.say('ev:detected', { data: [{ id: 'a' }] })
    stream.subscribe(['odds', 'ev'], { league: ['nba'] })
    served[0]!.say('error', { code: 'validation_error', message: 'No.' })
    served[0]!.say('subscribed', { channels, leagues: ['nba'] })
    expect([...stream.odds.keys(), ...stream.opportunities.ev.keys()]).toEqual(['1', 'a'])
    served[0]!.lose()
    await second()
    expect(served[1]!.url.searchParams.get('league')).toBe('nba')
    stream.close()
  })

  it('that is narrower is told to the listeners of a board', async () => {
    const { board, served } = await openBoard('websocket')
    const told: string[] = []
    board.subscribe(({ id, row }) => told.push(`${id} ${row?.league ?? 'gone'}`))
    served[0]!.say('connected', { resumed: false })
    served[0]!.say('subscribed', { channels: ['odds'] })
    served[0]!.say(...rowsMessages.websocket.snapshot([row('1'), row('2', { league: 'wnba' })]))
    served[0]!.say('snapshot:complete')
    board.stream.subscribe(['odds'], { league: ['nba'] })
    served[0]!.say('subscribed', { channels: ['odds'], leagues: ['nba'] })
    expect([told, [...board.rows.keys()]]).toEqual([['1 nba', '2 wnba', '2 gone'], ['1']])
    served[0]!.lose()
    await second()
    served[1]!.say('connected', { resumed: false })
    served[1]!.say('subscribed', { channels: ['odds'] })
    expect(told).toHaveLength(3)
    board.close()
  })
})

function proofOf(rows: ReadonlyMap<string, ReturnType<typeof row>>): string {
  const book = createOddsBook()
  for (const one of rows.values()) book.merge(one)
  return book.checksum()
}
