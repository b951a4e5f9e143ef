/** The parts of the client that need no service. `test/api/stream-truth.long.test.ts` tests it with one. */

import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { attributeNames } from '../../api/clients/typescript/src/generated/attributes.ts'
import {
  createEventStreamParser,
  type EventBlock,
} from '../../api/clients/typescript/src/stream/event-stream.ts'
import { createHeldRows, type RowsBody } from '../../api/clients/typescript/src/stream/held-rows.ts'
import { createOddsBook, type OddsItem } from '../../api/clients/typescript/src/stream/odds-book.ts'
import { tableChannelNames } from '../../schemas/stream/channels.ts'
import { tableEventNames, tableEvents, tables } from '../../schemas/stream/tables.ts'

const row = (id: string, more: Partial<OddsItem> = {}): OddsItem => ({
  id,
  sportsbook: 'draftkings',
  event_id: 'e',
  sport: 'basketball',
  league: 'nba',
  market_type: 'point_spread',
  odds_decimal: 1.893,
  odds_american: -112,
  line: -4.5,
  is_live: false,
  is_active: true,
  ...more,
})

describe('the checksum of a book', () => {
  it('is the sum over its rows, however they came', () => {
    const book = createOddsBook()
    expect(book.checksum()).toBe('00000000')
    const texts = [
      '1 1.893 -112 -4.5 false true',
      '2 2 100 null true false',
      '3 1.5 -200 3 false true',
    ]
    const sum = texts.reduce((total, text) => (total + crc32(text)) % 2 ** 32, 0)

    book.merge(row('3', { odds_decimal: 1.5, odds_american: -200, line: 3 }))
    book.merge(row('1', { is_active: false }))
    expect(book.merge({ id: '2', odds_decimal: 3 })).toBe(false)
    book.merge(row('2', { odds_decimal: 2, odds_american: 100, line: null, is_live: true }))
    book.merge(row('4'))
    book.checksum()
    book.merge({ id: '1', is_active: true })
    book.merge({ id: '2', is_active: false })
    book.remove('4')
    book.remove('4')
    expect(book.checksum()).toBe(sum.toString(16).padStart(8, '0'))
    book.prune(({ id }) => id === '1')
    expect(book.checksum()).toBe(crc32(texts[0]!).toString(16).padStart(8, '0'))
    expect(book.rows.get('1')).toEqual(row('1'))
    book.clear()
    expect(book.checksum()).toBe('00000000')
  })
})

describe('a row that is merged', () => {
  it.each(attributeNames)('has no %s any more once that is null, as in REST', (name) => {
    const book = createOddsBook()
    book.merge(row('1', { [name]: 1, player_name: null }))
    book.merge({ id: '1', line: null, [name]: null })
    expect(book.rows.get('1')).toEqual(row('1', { line: null, player_name: null }))
    expect(book.rows.get('1')).not.toHaveProperty(name)
    book.merge({ id: '1', [name]: 2 })
    expect(book.rows.get('1')).toHaveProperty(name, 2)
  })

  it('may lose each attribute of a price', () => {
    const shown = ['max_bet', 'public_bet_pct', 'is_stale_pregame_price', 'withheld']
    expect(attributeNames).toEqual(shown)
  })
})

describe('rows that a client holds', () => {
  it('take no part of a row removed since the last proof, which a process that is behind may send', () => {
    const counts = { updates: 0, removals: 0, detected: 0, expired: 0, strays: 0 }
    const held = createHeldRows({
      counts,
      odds: [row('1'), row('2')],
      takes: () => true,
      onRepeat: expect.unreachable,
    })
    const part = { odds: [{ id: '2', odds_american: 120 }] }
    held.apply('odds:removed', { ids: ['2'] })
    expect(held.apply('odds:update', part)).toBeUndefined()
    expect([...held.odds.keys()]).toEqual(['1'])
    // At a proof both have the same rows.
    const checksum = crc32('1 1.893 -112 -4.5 false true').toString(16).padStart(8, '0')
    expect(held.difference(1, checksum)).toBeUndefined()
    expect(held.apply('odds:update', part)).toMatch('not held')
    expect(counts.strays).toBe(1)
  })

  it.each(tableChannelNames)('of %s have the keys by which they are removed', (channel) => {
    const takes = (name: string) => name === channel
    const counts = { updates: 0, removals: 0, detected: 0, expired: 0, strays: 0 }
    const held = createHeldRows({ counts, odds: [], takes, onRepeat: expect.unreachable })
    const apply = (name: keyof typeof tableEvents) =>
      held.apply(name, tableEvents[name].examples[0] as RowsBody)
    const [snapshot, update, removed] = tableEventNames(channel)
    const { row, key } = tables[channel]
    expect(Object.keys(row.shape)).toEqual(expect.arrayContaining([...key]))
    for (const event of [snapshot, update, update]) {
      apply(event)
      expect(held.tables[channel].size).toBe(1)
    }
    apply(removed)
    expect(held.tables[channel].size).toBe(0)
  })

  it.each(tableChannelNames)(
    'of %s end with the channel, with the rows of a client, and with a snapshot',
    (channel) => {
      const counts = { updates: 0, removals: 0, detected: 0, expired: 0, strays: 0 }
      const held = createHeldRows({
        counts,
        odds: [],
        takes: () => true,
        onRepeat: expect.unreachable,
      })
      const rows = held.tables[channel]
      const [snapshot] = tableEventNames(channel)
      const example = tableEvents[snapshot].examples[0] as RowsBody
      const fill = () => {
        held.apply(snapshot, example)
        expect(rows.size).toBe(1)
      }
      fill()
      held.narrow(new Set(['odds']), {})
      expect(rows.size).toBe(0)
      fill()
      held.narrow(new Set(['odds', channel]), {})
      expect(rows.size).toBe(1)
      held.forget()
      expect(rows.size).toBe(0)
      fill()
      const empty = { ...example, [tables[channel].list]: [] }
      held.apply(snapshot, { ...empty, offset: 1 })
      // An event of a later version of the service.
      held.apply(`${channel}:later`, empty)
      expect(rows.size).toBe(1)
      held.apply(snapshot, { ...empty, offset: 0 })
      expect(rows.size).toBe(0)
      held.apply(`${channel}:later`, example)
      expect(rows.size).toBe(0)
    },
  )

  it('stay at even money whichever way a bound says it', () => {
    for (const even of [-100, 100]) {
      const held = createHeldRows({
        counts: { updates: 0, removals: 0, detected: 0, expired: 0, strays: 0 },
        odds: [row('1'), row('2', { odds_american: 100 }), row('3', { odds_american: 105 })],
        takes: () => true,
        onRepeat: expect.unreachable,
      })
      held.narrow(new Set(['odds']), { max_odds: even })
      expect([...held.odds.keys()]).toEqual(['1', '2'])
      held.narrow(new Set(['odds']), { min_odds: even })
      expect([...held.odds.keys()]).toEqual(['2'])
    }
  })
})

describe('the text of events', () => {
  it('is parsed alike wherever it is cut', () => {
    const text = Buffer.from(
      'retry: 3000\n\nevent: a\nid: evt_00001\ndata: {"name":"Bodø"}\n\n: keepalive\n\nevent: empty\n\n' +
        'data: one\r\ndata: two\r\n\r\ndata:unspaced\n\ndata: unfinished\n',
    )
    const wanted: EventBlock[] = [
      { event: 'a', id: 'evt_00001', data: '{"name":"Bodø"}' },
      { event: '', id: undefined, data: 'one\ntwo' },
      { event: '', id: undefined, data: 'unspaced' },
    ]
    for (let cut = 0; cut <= text.length; cut++) {
      const blocks: EventBlock[] = []
      const retries: number[] = []
      const parse = createEventStreamParser({
        block: (block) => blocks.push(block),
        retry: (ms) => retries.push(ms),
      })
      parse(text.subarray(0, cut))
      parse(text.subarray(cut))
      expect([cut, blocks, retries]).toEqual([cut, wanted, [3000]])
    }
  })
})
