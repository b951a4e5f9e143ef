import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alone } from '../../api/access/peers.ts'
import type { RequestedOdds } from '../../api/ask/odds-filter.ts'
import { createClient } from '../../api/clients/typescript/src/index.ts'
import { appendNews } from '../../api/stream/channels/odds/news-frames.ts'
import { appendRemoved, beginOdds, endOdds } from '../../api/stream/channels/odds/odds-frames.ts'
import { createOddsNewsFinder } from '../../api/stream/channels/odds/odds-news.ts'
import { createOddsSnapshot } from '../../api/stream/channels/odds/odds-snapshot.ts'
import {
  append,
  appendNumber,
  appendPlace,
  clearFrames,
  createFrames,
  endFrame,
  number,
} from '../../api/stream/framing/frames.ts'
import { sseFraming, unnamedSseFraming } from '../../api/stream/framing/sse-framing.ts'
import { createStreamSlots } from '../../api/stream/sessions/slots.ts'
import { framePart, numbersOfFrames } from '../../api/stream/timeline/frame-numbers.ts'
import { oddsTick } from '../../api/stream/timeline/odds-tick.ts'
import {
  createPositionHistory,
  isAhead,
  parsePosition,
  positionToken,
} from '../../api/stream/timeline/positions.ts'
import type { Position } from '../../pipeline/log/log.ts'
import { type BoardView, createBoardView } from '../../pipeline/views/board/board-view.ts'
import { topics } from '../../schemas/topics.ts'
import { announcements, createBoardPair, recordOf } from '../pipeline/views/histories.ts'
import { startInProcess } from './service-in-process.ts'
import { knicks } from './small-board.ts'
import { type Frames, openFrames } from './stream-reader.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const text = ({ page }: ReturnType<typeof createFrames>) =>
  page.bytes.toString('utf8', 0, page.length)

describe('frames', () => {
  it('are numbered separately for each client, in places of one width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
        fc.nat(900_000),
        fc.boolean(),
        (contents, first, isPadded) => {
          const frames = createFrames()
          clearFrames(frames)
          for (const content of contents) {
            append(frames, content)
            appendPlace(frames, 6)
            endFrame(frames)
          }
          for (const from of [first, 7, first]) {
            expect(number(frames, from, 6, isPadded)).toBe(from + contents.length)
            const wanted = contents.map((content, i) => {
              const digits = String(from + i)
              return content + (isPadded ? digits.padStart(6, '0') : digits.padEnd(6))
            })
            // Text that UTF-8 cannot encode comes back as the replacement character.
            expect(text(frames)).toBe(Buffer.from(wanted.join('')).toString())
            expect(frames.ends.at(-1)).toBe(frames.page.length)
          }
        },
      ),
    )
  })
})

describe('whole numbers', () => {
  it('are written as JSON writes them, however large', () => {
    const anyWhole = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(0, 2 ** 31 - 1, 2 ** 31))
    fc.assert(
      fc.property(anyWhole, (whole) => {
        const frames = createFrames()
        appendNumber(frames.page, whole)
        appendPlace(frames, 16)
        endFrame(frames)
        number(frames, whole, 16, false)
        expect(text(frames)).toBe(String(whole) + String(whole).padEnd(16))
      }),
    )
  })
})

describe('a position', () => {
  const offsets = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
  const anyPosition = fc.record({
    epoch: fc.uuid(),
    offsets: fc.record({
      [topics.events.name]: offsets,
      [topics.odds.name]: offsets,
      [topics.sportsbookStatus.name]: offsets,
      [topics.mainLines.name]: offsets,
      [topics.withheldPrices.name]: offsets,
    }),
  })

  it('comes back from its token', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const token = positionToken(position)
        expect(token).toMatch(/^[A-Za-z0-9:._-]+$/)
        expect(parsePosition(token)).toEqual(position)
      }),
    )
  })

  it('in a token of another version belongs to no log of ours', () => {
    fc.assert(
      fc.property(anyPosition, fc.string(), (position, rest) => {
        const token = positionToken(position)
        expect(token).toMatch(/^v3:/)
        const [, epoch, parts] = token.split(':')
        const ofFewer = parts!.split('-').slice(1).join('-')
        const ofFewest = parts!.split('-').slice(2).join('-')
        for (const token of [
          `v4:${epoch}:${parts}`,
          `v2:${epoch}:${ofFewer}`,
          `v10:x${rest}`,
          `v1:${epoch}:${ofFewer}`,
          `v1:${epoch}:${ofFewest}`,
          `${epoch}:${ofFewest}`,
          `v1:${'aB-_'.repeat(20)}`,
          `v2:${'aB-_'.repeat(20)}`,
        ]) {
          const parsed = parsePosition(token)!
          expect(parsed.epoch).not.toBe(position.epoch)
          expect(isAhead(parsed, position)).toBe(false)
        }
      }),
    )
  })

  it('is read from nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (token) => {
        fc.pre(!/^v\d+:|:\d/.test(token))
        expect(parsePosition(token)).toBeUndefined()
      }),
    )
    for (const token of [
      'a:1',
      'a:1-',
      ':1-1',
      'a:1-1-1-1-1',
      'a:1-1-',
      'a:1e3-1',
      'v1:1-1',
      'v1:a:1',
      'v1:nonsense',
      'a:b:1-1',
      'v0:a:1-1-1-1',
      'v2:',
      'v2:a:1',
      'v3:',
      'v3:a',
      'v3:a:1-1-1-1',
      'v3:a:1-1-1-1-1-1',
      'v3:a:1-1-1-1-',
      'v3:a:1-1-1-1-1.',
      'v3:a:1-1-1-1-1e3',
      'v3::1-1-1-1-1',
      'v3:%:1-1-1-1-1',
      'v3:a:1-1-1-1-1:1',
      `v3:a:1-1-1-1-${'9'.repeat(20)}`,
      'v4:',
    ]) {
      expect([token, parsePosition(token)]).toEqual([token, undefined])
    }
  })

  it('names every table that can change what a row shows', () => {
    const read = createBoardView().tables.map(({ name }) => name)
    const at = (offsets: Position['offsets']): Position => ({ epoch: 'e', offsets })
    const named = read.filter((name) => isAhead(at({ [name]: [1] }), at({})))
    expect(named).toEqual(read.filter((name) => name !== topics.sightings.name))
    const all = at(Object.fromEntries(named.map((name, i) => [name, [i]])))
    expect(parsePosition(positionToken(all))).toEqual(all)
  })

  it('maps to a stamp at or before it, as far back as positions are remembered', () => {
    const history = createPositionHistory()
    const at = (odds: number, epoch = 'e') => ({
      epoch,
      offsets: { [topics.events.name]: [0], [topics.odds.name]: [odds] },
    })
    for (let i = 1; i <= 20; i++) {
      history.note({ watermark: i * 200_000, position: at(10 * i) } as unknown as BoardView)
    }
    expect(history.stampAt(at(9))).toBeUndefined()
    expect(history.stampAt(at(10))).toBe(200_000)
    expect(history.stampAt(at(59))).toBe(1_000_000)
    expect(history.stampAt(at(1_000))).toBe(4_000_000)
    expect(history.stampAt(at(50, 'another'))).toBeUndefined()
    history.reset()
    expect(history.stampAt(at(1_000))).toBeUndefined()
  })
})

describe('news of the board', () => {
  const at = Date.parse('2026-11-20T12:00:00Z')
  const odds = (answer: number, price: number, when: number, attributes: object = {}) =>
    recordOf({
      op: 'odds',
      fixture: 0,
      book: 0,
      answer,
      price,
      changed: true,
      isLive: false,
      isActive: true,
      at: when,
      attributes,
    } as Parameters<typeof recordOf>[0])

  it('sends missed rows in their current state, each once and whole if it came since, in pieces', () => {
    const { view, take } = createBoardPair()
    take([...announcements(), odds(0, 2, 0)])
    const everything = { filter: () => ({}), changesFilter: () => ({}) }
    const finder = createOddsNewsFinder(view, everything as unknown as RequestedOdds)
    const known = view.watermark
    take([odds(1, 2, 1)])
    take([odds(0, 2.1, 2)])
    take([odds(1, 2.2, 3)])
    const sent: Record<string, unknown>[] = []
    for (const missed of finder.missedSince(known, view.watermark)!) {
      const frames = createFrames()
      appendNews(frames, view, finder.newsOf([missed]), {
        framing: sseFraming,
        width: 5,
        now: new Date(at).toISOString(),
        numbers: numbersOfFrames(1, 0),
      })
      for (const line of text(frames).split('\n')) {
        if (line.startsWith('data: ')) sent.push(...JSON.parse(line.slice(6)).odds)
      }
    }
    expect(
      sent.map(({ odds_decimal, sportsbook }) => [odds_decimal, sportsbook !== undefined]),
    ).toEqual([
      [2.1, false],
      [2.2, true],
    ])
  })

  it('has null for a limit that is gone, and nothing where there was none', () => {
    const { view, take } = createBoardPair()
    const everything = { filter: () => ({}), changesFilter: () => ({}) }
    const finder = createOddsNewsFinder(view, everything as unknown as RequestedOdds)
    const sent = (records: Parameters<typeof take>[0]) => {
      const since = view.watermark
      take(records)
      const frames = createFrames()
      const tick = oddsTick(view, since)!
      appendNews(frames, view, finder.take(tick, [0, tick.changes.length]), {
        framing: sseFraming,
        width: 5,
        now: new Date(at).toISOString(),
        numbers: numbersOfFrames(1, 0),
      })
      const [row] = JSON.parse(/^data: (.*)$/m.exec(text(frames))![1]!).odds
      return [row.max_bet, row.public_bet_pct]
    }
    take([...announcements(), odds(0, 2, 0), odds(1, 2, 0)])
    expect(sent([odds(0, 2.1, 1)])).toEqual([undefined, undefined])
    expect(sent([odds(0, 2.1, 2, { maxBet: 1_500, publicBetPct: 0.6 })])).toEqual([1_500, 0.6])
    expect(sent([odds(0, 2.1, 3, { publicBetPct: 0.6 })])).toEqual([null, 0.6])
    expect(sent([odds(0, 2.2, 4)])).toEqual([null, null])
    expect(sent([odds(0, 2.2, 5, { maxBet: 900 })])).toEqual([900, null])
    expect(sent([odds(1, 2.2, 6)])).toEqual([undefined, undefined])
  })
})

describe('missed changes', () => {
  it('name for removal only rows that were in the query at some time since', () => {
    const at = Date.parse('2026-11-20T12:00:00Z')
    const odds = (answer: number, price: number, when: number) =>
      recordOf({
        op: 'odds',
        fixture: 0,
        book: 0,
        answer,
        price,
        changed: true,
        isLive: false,
        isActive: true,
        at: when,
        attributes: {},
      } as Parameters<typeof recordOf>[0])
    const { view, take } = createBoardPair()
    take([...announcements(), odds(0, 2, 0), odds(1, 2, 0)])
    const filter = { minAmerican: 150 }
    const query = { filter: () => filter, changesFilter: () => filter }
    const finder = createOddsNewsFinder(view, query as unknown as RequestedOdds)
    const since = view.watermark
    const removed = () => {
      const news = finder.newsOf(finder.missedSince(since, view.watermark)!)
      return [...news.values()].flatMap((of) => of.removed)
    }
    take([odds(0, 2.1, at)])
    take([odds(1, 3, at)])
    expect(removed()).toEqual([])
    take([odds(0, 2.2, at)])
    take([odds(1, 2, at)])
    expect(removed().length).toBe(1)
  })
})

describe('the numbers of frames', () => {
  it('are shared beyond twenty of one part, and a client that resumes at one gets the part again', () => {
    const first = 1_000
    const numbers = numbersOfFrames(first, first - 1)
    const sent = Array.from({ length: 30 }, (_, i) =>
      numbers.next('draftkings', framePart.updated, i === 29),
    )
    expect(sent).toEqual(sent.toSorted((a, b) => a - b))
    const [shared, last] = [sent[28]!, sent[29]!]
    expect(sent.filter((seq) => seq === shared).length).toBe(11)
    expect(last).toBe(shared + 1)
    const wasSent = (seq: number) =>
      numbersOfFrames(first, seq).wasSent('draftkings', framePart.updated)
    expect(sent.map(wasSent)).toEqual(sent.map((seq) => seq === last))
    const again = numbersOfFrames(first, shared)
    expect(again.wasSent('draftkings', framePart.removed)).toBe(true)
    expect(again.next('draftkings', framePart.updated, false)).toBe(shared)
  })
})

describe('a block without a name', () => {
  it('has the name of the one before it', () => {
    const frames = createFrames()
    const now = '2026-11-20T12:00:00.000Z'
    const of = { sportsbook: 'draftkings', globalSeq: 1, isReplay: false }
    appendRemoved(frames, unnamedSseFraming, { name: 'odds:removed', ...of }, [7, 8], 5, now)
    const rows = { name: 'odds:update', ...of } as const
    const from = beginOdds(frames, unnamedSseFraming, rows, 5)
    append(frames, '{"id":"7"},{"id":"9"}')
    endOdds(frames, unnamedSseFraming, rows, { from, count: 2, isPartial: false }, now)
    unnamedSseFraming.data(frames, { name: 'table:update', json: '{"a":1}' }, 5, now)
    const datas = text(frames)
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
    const named = datas.filter((_, i) => i % 2 === 0)
    expect(datas.filter((_, i) => i % 2 === 1)).toEqual([
      { type: 'odds:removed', data: named[0], timestamp: now },
      { type: 'odds:update', data: named[1].odds, timestamp: now },
      { type: 'table:update', data: { a: 1 }, timestamp: now },
    ])
  })
})

describe('a snapshot', () => {
  it('ends with a chunk marked as the last, even if its last rows are gone meanwhile', () => {
    const by = createStreamsByHand()
    by.event(knicks)
    const totals = Array.from({ length: 201 }, (_, i) => ({
      sportsbook: 'draftkings',
      price: 1.9,
      marketType: 'total_points',
      selectionType: 'over',
      line: i + 0.5,
    }))
    by.odds(knicks, ...totals)
    const everything = { filter: () => ({}), changesFilter: () => ({}) }
    const requested = everything as unknown as RequestedOdds
    const snapshot = createOddsSnapshot(by.live, { requested }, false)
    const next = () => {
      const frames = createFrames()
      const now = new Date(0).toISOString()
      if (!snapshot.next(frames, sseFraming, 5, now)) return null
      const { count, total, offset, has_more } = JSON.parse(/^data: (.*)$/m.exec(text(frames))![1]!)
      return [count, total, offset, has_more]
    }
    expect(next()).toEqual([200, 201, 0, true])
    by.withdraw(knicks, totals.at(-1)!)
    // The last chunk has the number of rows sent.
    expect(next()).toEqual([0, 200, 200, false])
    expect(next()).toBeNull()
    by.close()
  })
})

describe('slots', () => {
  it('are given up to the limit of a key and freed once', () => {
    const slots = createStreamSlots(alone)
    const first = slots.take('a', 2)
    expect(slots.take('a', 2)).not.toBeNull()
    expect(slots.take('a', 2)).toBeNull()
    expect(slots.take('b', 1)).not.toBeNull()
    first?.()
    first?.()
    expect(slots.active('a')).toBe(1)
    expect(slots.take('a', 2)).not.toBeNull()
    expect(slots.active('a')).toBe(2)
  })
})

describe('a key with all its streams open', () => {
  it('has its oldest displaced by the newest if the operator wants that', async () => {
    const service = await startInProcess({ streams: { isDisplacing: true } })
    try {
      const account = { name: 'a', tier: 'enterprise', addOns: [], expiresAt: null } as const
      const { account: row } = await service.accounts.create(account)
      const { value: key } = await service.accounts.grantKey(row.id, { name: 'two', maxStreams: 2 })
      const sockets: Frames[] = []
      for (let i = 0; i < 3; i++) {
        const socket = await openFrames(`${service.base}/ws?api_key=${key}`)
        await socket.next('connected')
        sockets.push(socket)
      }
      const [oldest, ...others] = sockets
      expect(await oldest?.closed).toEqual({ code: 4001, reason: 'displaced' })
      expect(oldest?.frames.at(-1)).toMatchObject({ type: 'error', code: 'displaced' })
      for (const socket of others) {
        socket.send({ type: 'ping' })
        await socket.next('pong')
        socket.close()
      }
    } finally {
      await service.close()
    }
  })

  it('tells an event stream that it is displaced, so that its client does not displace the next', async () => {
    const service = await startInProcess({ streams: { isDisplacing: true } })
    try {
      const account = { name: 'a', tier: 'enterprise', addOns: [], expiresAt: null } as const
      const { account: row } = await service.accounts.create(account)
      const { value: key } = await service.accounts.grantKey(row.id, { name: 'one', maxStreams: 1 })
      const client = createClient({ base: service.base, key })
      const [older, newer] = [client.board(), client.board()].map((board) => board.stream)
      await expect
        .poll(() => [older!, newer!].map((stream) => stream.failure()?.code ?? stream.isReady()))
        .toContain('displaced')
      const [ended, other] = older!.failure() ? [older, newer] : [newer, older]
      await expect.poll(() => other!.isReady()).toBe(true)
      expect([ended!.failure(), other!.failure()]).toMatchObject([{ code: 'displaced' }, null])
      expect([ended!.counts.connections, other!.counts.connections]).toEqual([1, 1])
      for (const stream of [older, newer]) stream!.close()
    } finally {
      await service.close()
    }
  })
})
