/** What a client holds and says while a snapshot replaces its rows, or another subscription its own. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, type StreamFilters } from '../../api/clients/typescript/src/index.ts'
import { createOddsBook } from '../../api/clients/typescript/src/stream/odds-book.ts'
import { createScriptedService, row, rowsMessages } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Transport = keyof typeof rowsMessages

/** A board with two rows, whose service does nothing by itself. */
async function openBoard(transport: Transport, filters: StreamFilters = {}) {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  const board = client.board(filters, { transport, reconnectMs: 10 })
  await vi.advanceTimersByTimeAsync(0)
  const service = served[0]!
  const say = async (name: string, body: object = {}) => {
    service.say(name, body)
    await vi.advanceTimersByTimeAsync(0)
  }
  const snapshot = (...ids: string[]) =>
    say(...rowsMessages[transport].snapshot(ids.map((id) => row(id))))
  await say('connected', { resumed: false })
  await snapshot('1', '2')
  await say('snapshot:complete', { resumed: false })
  return { board, stream: board.stream, served, say, snapshot }
}

function proofOf(...ids: string[]) {
  const book = createOddsBook()
  for (const id of ids) book.merge(row(id))
  return { rows: ids.length, checksum: book.checksum(), position: 'v3:b' }
}

const second = () => vi.advanceTimersByTimeAsync(1_000)

describe('a board that resumed at a process that is behind', () => {
  it('keeps its rows at the first proof, and reads them again at the second that differs', async () => {
    const { board, stream, served, say } = await openBoard('sse')
    await say('odds:removed', { ids: ['2'] })
    await say('connected', { resumed: true })
    await say('odds:update', { odds: [{ id: '2', odds_american: 120 }] })
    await say('snapshot:complete', { resumed: true, ...proofOf('1', '2') })
    expect(stream.counts).toMatchObject({ mismatches: 0, strays: 0, proofs: 0 })
    await say('heartbeat', proofOf('1'))
    expect([...board.rows.keys()]).toEqual(['1'])
    expect(stream.counts).toMatchObject({ mismatches: 0, proofs: 1 })
    await say('heartbeat', proofOf('1', '2'))
    expect(stream.counts.mismatches).toBe(1)
    await second()
    expect(served).toHaveLength(2)
    board.close()
  })
})

describe('a board is not current', () => {
  it.each(['sse', 'websocket'] as const)(
    'from a resync to the end of its snapshot, over %s',
    async (transport) => {
      const { board, say, snapshot } = await openBoard(transport)
      expect(board.isCurrent()).toBe(true)
      await say('resync', { reason: 'replaced' })
      expect([board.isCurrent(), board.rows.size]).toEqual([false, 0])
      await snapshot('1')
      expect([board.isCurrent(), board.rows.size]).toEqual([false, 1])
      await snapshot('2')
      await say('snapshot:complete', proofOf('1', '2'))
      expect([board.isCurrent(), board.rows.size]).toEqual([true, 2])
      board.close()
    },
  )

  it('while the snapshot of another subscription replaces its rows', async () => {
    const { board, stream, say, snapshot } = await openBoard('websocket', { league: ['nba'] })
    stream.subscribe(['odds'], {})
    await say('subscribed', { channels: ['odds'] })
    await snapshot('1')
    expect([board.isCurrent(), board.rows.size]).toEqual([false, 1])
    await snapshot('2', '3')
    expect(board.isCurrent()).toBe(false)
    await say('snapshot:complete', { resumed: false, ...proofOf('1', '2', '3') })
    expect([board.isCurrent(), stream.counts.mismatches]).toEqual([true, 0])
    board.close()
  })

  it('and takes a refusal then without an end', async () => {
    const { board, stream, served, say, snapshot } = await openBoard('websocket')
    stream.subscribe(['odds'], { league: ['nba', 'wnba'] })
    await say('subscribed', { channels: ['odds'], leagues: ['nba', 'wnba'] })
    await snapshot('1')
    stream.subscribe(['odds'], { books: ['unseen'] })
    await say('error', { code: 'validation_error', message: 'No.' })
    await say('snapshot:complete', { resumed: false, ...proofOf('1') })
    expect([board.isCurrent(), stream.failure(), served.length]).toEqual([true, null, 1])
    expect(stream.position()).toBe('v3:b')
    board.close()
  })
})

describe('a subscription that matches no row', () => {
  const nobody: StreamFilters = { team: ['nobody'] }

  it('empties the board, and is no mismatch', async () => {
    const { board, stream, say } = await openBoard('websocket')
    stream.subscribe(['odds'], nobody)
    await say('subscribed', { channels: ['odds'], teams: ['nobody'] })
    await say('snapshot:complete', { resumed: false, ...proofOf() })
    expect([board.rows.size, stream.counts.mismatches, board.isCurrent()]).toEqual([0, 0, true])
    board.close()
  })

  it('empties it without a proof too, and keeps what has come meanwhile', async () => {
    const { board, stream, say } = await openBoard('websocket')
    stream.subscribe(['odds'], nobody)
    await say('subscribed', { channels: ['odds'], teams: ['nobody'] })
    await say(...rowsMessages.websocket.update([row('2', { line: 3 }), row('9')]))
    await say('snapshot:complete', { resumed: false })
    expect([...board.rows.keys()]).toEqual(['2', '9'])
    board.close()
  })

  it('leaves the rows of one that goes on beside a new channel', async () => {
    const { board, stream, say } = await openBoard('websocket')
    stream.subscribe(['odds', 'ev'], {})
    await say('subscribed', { channels: ['odds', 'ev'] })
    await say('opportunities_snapshot', { ev: [] })
    expect(board.isCurrent()).toBe(false)
    await say('snapshot:complete', { resumed: true, ...proofOf('1', '2') })
    expect([board.rows.size, stream.counts.mismatches, board.isCurrent()]).toEqual([2, 0, true])
    board.close()
  })
})

describe('a subscription', () => {
  it('over Server-Sent Events throws, and changes nothing', async () => {
    const { board, stream, served, say } = await openBoard('sse', { league: ['nba'] })
    expect(() => stream.subscribe(['ev'], { league: ['wnba'] })).toThrow('go one way')
    await say('heartbeat', proofOf('1', '2'))
    expect(stream.position()).toBe('v3:b')
    served[0]!.lose()
    await second()
    expect(Object.fromEntries(served[1]!.url.searchParams)).toMatchObject({
      ...{ channel: 'odds', league: 'nba', resume_from: 'v3:b' },
    })
    board.close()
  })

  it.each([
    ['of which no channel is left has none', ['tier_restricted', 'missing_channels'], 'odds'],
    ['that loses a channel takes effect', ['tier_restricted'], 'odds,gamestate'],
  ])('%s', async (_, codes, channels) => {
    const { board, stream, served, say } = await openBoard('websocket')
    stream.subscribe(['odds', 'gamestate'], {})
    for (const code of codes) await say('error', { code, message: 'No.' })
    if (codes.length === 1) await say('subscribed', { channels: ['odds'] })
    await say('heartbeat', proofOf('1', '2'))
    expect([stream.position(), stream.failure(), board.isCurrent()]).toEqual(['v3:b', null, true])
    served[0]!.lose()
    await second()
    expect(served[1]!.url.searchParams.get('channels')).toBe(channels)
    board.close()
  })
})
