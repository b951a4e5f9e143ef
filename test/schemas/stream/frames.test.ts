import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleOdds } from '../../../schemas/http/odds.ts'
import { websocketChannels } from '../../../schemas/stream/channels.ts'
import {
  clientFrames,
  decodeClientFrame,
  maxClientFrameBytes,
} from '../../../schemas/stream/client-frames.ts'
import { streamEvents, streamedKinds } from '../../../schemas/stream/events.ts'
import type { FrameFilters } from '../../../schemas/stream/filters.ts'
import { exampleGameState } from '../../../schemas/stream/game-state.ts'
import { serverFrames } from '../../../schemas/stream/server-frames.ts'

const decode = (frame: unknown) => decodeClientFrame(JSON.stringify(frame))

function frameOf(frame: unknown) {
  const decoded = decode(frame)
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.frame
}

function filtersOf(frame: unknown): FrameFilters {
  const decoded = frameOf(frame)
  if (!('filters' in decoded)) throw new Error(`${decoded.type} has no filters`)
  return decoded.filters
}

function codeOf(frame: unknown) {
  const decoded = typeof frame === 'string' ? decodeClientFrame(frame) : decode(frame)
  return decoded.ok ? 'ok' : decoded.code
}

describe('the frames of the service', () => {
  it.each(Object.entries(serverFrames))(
    '%s has examples that are as described, without a member that is not',
    (type, { schema, examples }) => {
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) {
        expect(schema.parse(example)).toEqual(example)
        expect(example.type).toBe(type)
      }
    },
  )

  it('number changes over all connections', () => {
    for (const { schema, examples } of [serverFrames['odds:update'], serverFrames['arb:expired']]) {
      expect(schema.safeParse({ ...examples[0], global_seq: undefined }).success).toBe(false)
      expect(schema.safeParse({ ...examples[0], replay: false }).success).toBe(false)
      expect(schema.safeParse({ ...examples[0], replay: true }).success).toBe(true)
    }
  })

  it('have the names of the events', () => {
    for (const name of Object.keys(streamEvents)) {
      // On the WebSocket a snapshot is named `initial` or `opportunities_snapshot`.
      if (name !== 'snapshot') expect(serverFrames).toHaveProperty([name])
    }
  })

  it('refuse a locked row that takes bets', () => {
    const { schema, examples } = serverFrames['odds:locked']
    expect(schema.safeParse({ ...examples[0], data: [exampleOdds] }).success).toBe(false)
  })
})

describe('a frame of a client', () => {
  it('is understood in the form of its examples', () => {
    for (const [type, { schema, examples }] of Object.entries(clientFrames)) {
      for (const example of examples) {
        expect(schema.safeParse(example).success).toBe(true)
        expect(frameOf(example).type).toBe(type)
      }
    }
    expect(frameOf(clientFrames.subscribe.examples[0])).toEqual({
      type: 'subscribe',
      channels: ['ev', 'odds'],
      filters: {
        sports: ['basketball'],
        leagues: ['nba'],
        eventIds: ['nba_bulls_knicks_2027-01-14_b3'],
        min_ev: 3,
      },
    })
  })

  const spellings = {
    sports: ['sports', 'sport'],
    leagues: ['leagues', 'league'],
    sportsbooks: ['sportsbooks', 'sportsbook', 'books'],
    markets: ['markets', 'market', 'marketTypes', 'market_types'],
    eventIds: ['eventIds', 'event_ids', 'event_id', 'eventId', 'events', 'event'],
    min_ev: ['min_ev', 'minEv', 'minEV'],
    min_profit: ['min_profit', 'minProfit'],
    min_odds: ['min_odds', 'minOdds'],
    max_odds: ['max_odds', 'maxOdds'],
  }

  it.each(
    Object.entries(spellings).flatMap(([name, all]) => all.map((spelling) => [spelling, name])),
  )('has %s for %s, among its filters or by itself', (spelling, name) => {
    const isNumber = /^m(in|ax)_/.test(name)
    const values = isNumber ? [150, -110, null] : [['a', 'b'], 'a,b', ' a , ,b,a', null, [], '']
    const meant = isNumber ? values : [['a', 'b'], ['a', 'b'], ['a', 'b'], null, null, null]
    for (const [i, value] of values.entries()) {
      const expected = { [name]: meant[i] }
      for (const type of ['subscribe', 'filter']) {
        expect(filtersOf({ type, filters: { [spelling]: value } })).toEqual(expected)
        expect(filtersOf({ type, [spelling]: value })).toEqual(expected)
      }
    }
  })

  it.each(['leages', 'state', 'channels', 'max_ev', 'constructor', 'toString', ''])(
    'has no effect if its filters have %j, which is unknown',
    (name) => {
      for (const type of ['subscribe', 'filter']) {
        for (const value of [['nba'], 5, null]) {
          const frame = { type, channels: ['odds'], filters: { leagues: 'nba', [name]: value } }
          const decoded = decode(frame)
          expect(decoded).toMatchObject({ ok: false, code: 'validation_error', unknown: [name] })
          for (const known of Object.keys(spellings)) {
            expect(decoded).toMatchObject({ message: expect.stringContaining(known) })
          }
        }
        // Beside `filters` the name may be a filter too.
        const beside = decode({ type, [name]: 'x' })
        if (['state', 'channels'].includes(name)) expect(beside).not.toHaveProperty('unknown')
        else expect(beside).toMatchObject({ code: 'validation_error', unknown: [name] })
      }
    },
  )

  it('gets every unknown field of its filters named', () => {
    const text = '{"type":"filter","filters":{"__proto__":{"sports":"x"},"sprots":"x","sport":"y"}}'
    expect(decodeClientFrame(text)).toMatchObject({ unknown: ['__proto__', 'sprots'] })
  })

  it('uses the first spelling, and fields in filters before others', () => {
    expect(filtersOf({ type: 'filter', filters: { sport: 'b', sports: 'a' } })).toEqual({
      sports: ['a'],
    })
    const both = {
      type: 'filter',
      sports: 'a',
      min_ev: 1,
      filters: { sport: null, leagues: 'nba' },
    }
    expect(filtersOf(both)).toEqual({ sports: null, min_ev: 1, leagues: ['nba'] })
  })

  it('keeps the filters it does not name', () => {
    for (const frame of [
      { type: 'subscribe' },
      { type: 'subscribe', filters: null, state: 'nj' },
    ]) {
      expect(frameOf(frame)).toEqual({
        type: 'subscribe',
        channels: undefined,
        filters: {},
      })
    }
    expect(frameOf({ type: 'filter', filters: {} })).toEqual({ type: 'filter', filters: {} })
  })

  it('names channels in any case, and others beside them', () => {
    const frame = { type: 'subscribe', channels: ['ODDS', 'spreads', 'ev', 'Ev'] }
    expect(frameOf(frame)).toMatchObject({ channels: ['ev', 'odds'] })
    for (const channel of websocketChannels) {
      expect(frameOf({ type: 'subscribe', channels: [channel] })).toMatchObject({
        channels: [channel],
      })
    }
  })

  it.each([
    [[]],
    [['spreads']],
    [''],
    ['odds'],
    ['odds,ev'],
    [null],
    [5],
    [{}],
    [[null]],
    [[['ev']]],
  ])('that names no channel by %j gets an error', (channels) =>
    expect(codeOf({ type: 'subscribe', channels })).toBe('missing_channels'),
  )

  it('carries its key as token or api_key', () => {
    for (const type of ['auth', 'refresh_token'] as const) {
      expect(frameOf({ type, token: 'sk_live_1' })).toEqual({ type, token: 'sk_live_1' })
      expect(frameOf({ type, api_key: 'sk_live_2' })).toEqual({ type, token: 'sk_live_2' })
      expect(frameOf({ type, token: 'sk_live_1', api_key: 5 })).toEqual({
        type,
        token: 'sk_live_1',
      })
      for (const members of [{}, { token: null }, { token: '' }, { tokens: 'sk_live_1' }]) {
        expect(codeOf({ type, ...members })).toBe('missing_token')
      }
      for (const token of [5, {}, ['sk_live_1'], true, 'x'.repeat(1_001)]) {
        expect(codeOf({ type, token })).toBe('invalid_message')
      }
    }
  })

  it('of another type gets an error', () => {
    for (const type of ['', 'Ping', 'unsubscribe', '__proto__', 'constructor', 'toString']) {
      expect(codeOf({ type })).toBe('unknown_message_type')
    }
  })

  it.each([
    '',
    'ping',
    '{',
    'null',
    '5',
    '"ping"',
    '[{"type":"ping"}]',
    '{}',
    '{"type":5}',
    '{"type":null}',
    '{"type":["ping"]}',
    '{"__proto__":{"type":"ping"}}',
    '\ufeff{"type":"ping"}',
    '['.repeat(maxClientFrameBytes),
  ])('is an object with a type: not %j', (text) => expect(codeOf(text)).toBe('invalid_message'))

  it.each([
    { sports: 5 },
    { sports: {} },
    { sports: [5] },
    { sports: [null] },
    { sports: [['nba']] },
    { sports: true },
    { min_ev: '3' },
    { min_ev: [3] },
    { min_ev: false },
    { min_odds: 2.5 },
    { max_odds: -99 },
    { books: ['x'.repeat(201)] },
  ])('has filters of the right type: not %j', (filters) => {
    expect(codeOf({ type: 'filter', filters })).toBe('invalid_message')
    expect(codeOf({ type: 'subscribe', ...filters })).toBe('invalid_message')
  })

  it('bounds prices at even money by either of its forms', () => {
    for (const even of [-100, 100]) {
      const filters = { min_odds: even, max_odds: even }
      expect(filtersOf({ type: 'filter', filters })).toEqual({ min_odds: 100, max_odds: 100 })
    }
  })

  it.each([[5], ['sports'], [[]], [[{ sports: 'nba' }]], [true]])(
    'has filters in an object: not %j',
    (filters) => expect(codeOf({ type: 'filter', filters })).toBe('invalid_message'),
  )

  it('has no numbers beyond all bounds', () => {
    for (const number of ['1e999', '-1e999']) {
      expect(codeOf(`{"type":"filter","min_ev":${number}}`)).toBe('invalid_message')
      expect(codeOf(`{"type":"filter","filters":{"max_odds":${number}}}`)).toBe('invalid_message')
    }
    expect(codeOf('{"type":"filter","min_ev":NaN}')).toBe('invalid_message')
  })

  it('has lists of at most 300 values, each counted once', () => {
    const values = Array.from({ length: 301 }, (_, i) => `v${i}`)
    const lists = ['sports', 'eventIds', 'channels'] as const
    for (const name of lists) {
      expect(codeOf({ type: 'subscribe', [name]: [...values, 'ev'] })).toBe('invalid_message')
      if (name !== 'channels') {
        expect(codeOf({ type: 'subscribe', [name]: values.join() })).toBe('invalid_message')
      }
      const most = [...values.slice(0, 299), 'ev', 'ev', ' ev']
      expect(codeOf({ type: 'subscribe', [name]: most })).toBe('ok')
    }
  })

  it('has at most 64 KiB, of bytes and not of characters', () => {
    const padded = (fill: string, bytes: number) => {
      const empty = JSON.stringify({ type: 'ping', x: '' })
      return empty.replace(
        '""',
        `"${fill.repeat((bytes - empty.length) / Buffer.byteLength(fill))}"`,
      )
    }
    expect(codeOf(padded('x', maxClientFrameBytes))).toBe('ok')
    expect(codeOf(padded('x', maxClientFrameBytes + 1))).toBe('invalid_message')
    expect(codeOf(padded('€', maxClientFrameBytes + 50))).toBe('invalid_message')
  })

  it('leaves no trace of what it did not contain', () => {
    const text =
      '{"type":"subscribe","__proto__":{"sports":"a"},"constructor":"c","filters":{"sport":null}}'
    expect(decodeClientFrame(text)).toMatchObject({ unknown: ['__proto__', 'constructor'] })
    const understood = text.replace('"constructor":"c",', '').replace('"__proto__"', '"filters"')
    const decoded = decodeClientFrame(understood)
    expect(decoded).toEqual({
      ok: true,
      frame: {
        type: 'subscribe',
        channels: undefined,
        filters: { sports: null },
      },
    })
    expect(({} as Record<string, unknown>).sports).toBe(undefined)
    expect(Object.getPrototypeOf(decoded.ok && frameOf(JSON.parse(understood)))).toBe(
      Object.prototype,
    )
  })
})

describe('whatever a client sends', () => {
  const names = [
    'type',
    'channels',
    'filters',
    'token',
    'api_key',
    'sports',
    'league',
    'books',
    'minEV',
    'max_odds',
    'event',
  ]
  const strangers = ['__proto__', 'constructor']
  const types = [...Object.keys(clientFrames), '__proto__', 'x']
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.constantFrom(...websocketChannels, 'x', null, 5)),
    fc.dictionary(fc.constantFrom(...names, ...strangers), fc.jsonValue({ maxDepth: 2 })),
  )
  const frames = fc
    .tuple(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom(...names), anything),
      // Frames with such a name fail for that alone, so they are rare.
      fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.subarray(strangers)),
    )
    .map(([type, members, strange]) => {
      const others = strange.map((name) => [name, 1] as const)
      return Object.fromEntries([...Object.entries(members), ...others, ['type', type]])
    })

  /** Checks that a text is refused by one of five codes, or decodes to the form that the server relies on. */
  function hold(text: string) {
    const decoded = decodeClientFrame(text)
    if (!decoded.ok) {
      expect(decoded.code).toMatch(
        /^(invalid_message|unknown_message_type|missing_token|missing_channels|validation_error)$/,
      )
      expect(decoded.unknown !== undefined).toBe(decoded.code === 'validation_error')
      expect(decoded.message).toMatch(/\.$/)
      return
    }
    const { frame } = decoded
    if ('token' in frame) expect(frame.token).toMatch(/^[\s\S]{1,1000}$/)
    if (frame.type === 'subscribe') {
      expect(frame.channels).not.toEqual([])
      for (const channel of frame.channels ?? []) expect(websocketChannels).toContain(channel)
    }
    for (const [name, value] of Object.entries('filters' in frame ? frame.filters : {})) {
      if (/^m(in|ax)_/.test(name)) {
        expect(value === null || Number.isFinite(value)).toBe(true)
      } else if (value !== null) {
        const values = value as string[]
        expect(values.length > 0 && values.length <= 300).toBe(true)
        expect(new Set(values).size).toBe(values.length)
        for (const text of values) expect(text).toMatch(/^[^,]{1,200}$/)
      }
    }
  }

  it('in text is decoded or refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), hold))
  })

  it('in JSON is decoded or refused', () => {
    fc.assert(fc.property(fc.json(), hold))
  })

  it('in frames is decoded or refused', () => {
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(frames, (frame) => {
        hold(JSON.stringify(frame))
        outcomes.add(codeOf(frame))
      }),
      // The rare ones are always included.
      { numRuns: 500, examples: [[{ type: 'auth' }], [{ type: 'subscribe', channels: [] }]] },
    )
    // Otherwise the generated frames would not cover every outcome.
    expect([...outcomes].sort()).toEqual([
      'invalid_message',
      'missing_channels',
      'missing_token',
      'ok',
      'unknown_message_type',
      'validation_error',
    ])
  })

  it('means the same in whatever form', () => {
    const word = fc.stringMatching(/^[a-z0-9_-]{1,12}$/)
    const list = fc.uniqueArray(word, { minLength: 1, maxLength: 5 })
    const given = fc.record(
      { sports: list, books: list, minEv: fc.integer() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(given, fc.boolean(), fc.boolean(), (members, isNested, isText) => {
        const { sports, books, minEv } = members
        const written = Object.fromEntries(
          Object.entries(members).map(([name, value]) => [
            name,
            isText && Array.isArray(value) ? value.join(', ') : value,
          ]),
        )
        const frame = { type: 'filter', ...(isNested ? { filters: written } : written) }
        expect(filtersOf(frame)).toEqual({
          ...(sports && { sports }),
          ...(books && { sportsbooks: books }),
          ...(minEv !== undefined && { min_ev: minEv }),
        })
      }),
    )
  })
})

const supplement = join(import.meta.dirname, '../../../../shared/spec/supplement.md')

describe.skipIf(!existsSync(supplement))(
  'the samples of the specification (needs ../shared)',
  () => {
    const lines = existsSync(supplement) ? samples() : []
    const blocks = lines.flatMap((line) => {
      const match = /^event: (\S+) \| id: (\S+) \| data: (.*)$/.exec(line)
      return match ? [{ name: match[1]!, data: filled(match[3]!) }] : []
    })
    const framesOf = (side: string) =>
      lines.flatMap((line) => (line.startsWith(side) ? [line.slice(side.length)] : []))

    it('are events', () => {
      expect(blocks.length).toBeGreaterThan(9)
      for (const { name, data } of blocks) {
        const { schema } = streamEvents[name as keyof typeof streamEvents]
        expect(schema.parse(data), name).toEqual(data)
      }
    })

    it('are frames of the service', () => {
      const sent = framesOf('server: ').map(filled)
      expect(sent.length).toBeGreaterThan(8)
      for (const frame of sent) {
        const { schema } = serverFrames[frame.type as keyof typeof serverFrames]
        expect(schema.parse(frame), frame.type).toEqual(frame)
      }
    })

    it('are frames of clients', () => {
      const received = framesOf('client: ')
      expect(received.length).toBeGreaterThan(1)
      for (const text of received) expect(decodeClientFrame(text).ok).toBe(true)
      expect(frameOf(JSON.parse(received[0]!))).toMatchObject({ filters: { min_ev: 3 } })
    })

    function samples(): string[] {
      const [, after] = readFileSync(supplement, 'utf8').split('\n### 6.8 ')
      return after!.split('\n')
    }

    /** Returns the sample with example rows for its placeholders, and odds ids as long as ours. */
    // biome-ignore lint/suspicious/noExplicitAny: of whatever form the sample has
    function filled(text: string): any {
      return JSON.parse(text.replace(/"(\d{14})"/g, '"$10"'), (name, value) => {
        if (name === 'events') return value.map((row: object) => ({ ...exampleGameState, ...row }))
        if (!Array.isArray(value) || !/^<.*>$/.test(value[0])) return value
        const kind = streamedKinds.find(({ family }) => family === name)
        return kind ? kind.examples : [exampleOdds]
      })
    }
  },
)
