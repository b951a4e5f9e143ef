import { describe, expect, it } from 'vitest'
import { createSink } from '../../../pipeline/feeds/sink.ts'
import type { Append, Log } from '../../../pipeline/log/log.ts'
import type {
  FeedEvent,
  FeedMarket,
  FeedRecord,
  FeedSelection,
  OddsRecord,
  TickRecord,
} from '../../../schemas/feed-record.ts'
import { slugMarket } from '../../../schemas/reference/markets.ts'
import type { Rejected } from '../../../schemas/rejected.ts'
import { topics } from '../../../schemas/topics.ts'
import { selection as stated } from '../../oracle/moneylines.ts'

const now = Date.UTC(2026, 10, 20)
const selection = stated('home', 1.9)
const event: FeedEvent = {
  externalId: '7',
  sport: 'basketball',
  league: 'NBA',
  homeTeam: 'New York Knicks',
  awayTeam: 'Chicago Bulls',
  startsAt: now,
  isLive: false,
}
const market: FeedMarket = {
  marketType: 'moneyline',
  line: null,
  playerName: null,
  statCategory: null,
  externalId: null,
  maxBet: null,
  suspended: false,
  selections: [selection],
}
const odds = (more: Partial<OddsRecord> = {}): OddsRecord => ({
  type: 'odds',
  sportsbook: 'FanDuel',
  mode: 'delta',
  observedAt: now,
  event,
  markets: [market],
  ...more,
})
const about = (more: Partial<FeedEvent>) => odds({ event: { ...event, ...more } })
const asking = (more: Partial<FeedMarket>) => odds({ markets: [market, { ...market, ...more }] })
const offering = (more: Partial<FeedSelection>) =>
  asking({ selections: [selection, { ...selection, ...more }] })

const partitionCount = 2

/** Opens a sink into a log that encodes like the real ones and records each append. */
function openSink() {
  const appends: Append[][] = []
  const log = {
    partitionCount,
    async append(records: readonly Append[]) {
      for (const { topic, value } of records) topic.decode(topic.encode(value))
      appends.push([...records])
    },
  } as Partial<Log> as Log
  const sink = createSink(log, () => now)
  const letters = () =>
    appends.flat().flatMap(({ topic, value }) => {
      return topic.name === topics.feedRejected.name ? [value as Rejected] : []
    })
  return { sink, appends, letters }
}

const long = 'x'.repeat(301)
const address = 'https://example.com/'
const many = Array.from({ length: 2_000 }, (_, n) => ({
  ...selection,
  selection: `${n} ${'x'.repeat(200)}`,
  externalId: `${n} ${'x'.repeat(200)}`,
  deepLink: address + 'x'.repeat(200),
}))
const bad: Record<string, [reason: string, record: FeedRecord | TickRecord]> = {
  'an instant with a fraction': ['bad_instant', odds({ observedAt: now + 0.5 })],
  'an instant that is none': ['bad_instant', odds({ observedAt: Number.NaN })],
  'an instant before 1970': ['bad_instant', odds({ observedAt: -1 })],
  'an instant after 2100': ['bad_instant', odds({ observedAt: 1e20 })],
  'a start with a fraction': ['bad_instant', about({ startsAt: 0.5 })],
  'a change beyond time': ['bad_instant', offering({ changedAt: 1e300 })],
  'a tick out of time': ['bad_instant', { type: 'tick', observedAt: 0.5 }],
  'a price of 1': ['bad_price', offering({ price: 1 })],
  'an endless price': ['bad_price', offering({ price: Number.POSITIVE_INFINITY })],
  'a line that is no number': ['bad_number', offering({ line: Number.NaN })],
  'an endless line': ['bad_number', asking({ line: Number.POSITIVE_INFINITY })],
  'a stake that is no number': ['bad_number', asking({ maxBet: Number.NaN })],
  'an empty team': ['empty_text', about({ homeTeam: '' })],
  'an empty id': ['empty_text', about({ externalId: '' })],
  'an empty market': ['empty_text', asking({ marketType: '' })],
  'an empty sportsbook': ['empty_text', odds({ sportsbook: '' })],
  'a sportsbook without a letter': ['unknown_sportsbook', odds({ sportsbook: '!!!' })],
  'an endless team': ['text_too_long', about({ awayTeam: long })],
  'an endless sportsbook': ['text_too_long', odds({ sportsbook: long })],
  'an endless label': ['text_too_long', offering({ selection: long })],
  'an endless player': ['text_too_long', asking({ playerName: long })],
  'an endless league': ['text_too_long', about({ league: long })],
  'an endless id': ['text_too_long', offering({ externalId: long })],
  'an endless link': ['bad_link', offering({ deepLink: address + 'x'.repeat(2_000) })],
  'a link that runs': ['bad_link', offering({ deepLink: 'javascript:alert(1)' })],
  'a link to a file': ['bad_link', offering({ deepLink: 'file:///etc/hosts' })],
  'a link with a line end': ['bad_link', offering({ deepLink: `${address}\r\nx` })],
  'a link to nowhere': ['bad_link', offering({ deepLink: 'https://' })],
  'a team with a control character': ['unprintable_text', about({ homeTeam: 'Le\u0001eds' })],
  'a label with a line end': ['unprintable_text', offering({ selection: 'Over\n' })],
  'half a surrogate pair': ['unprintable_text', asking({ playerName: 'a\ud83d' })],
  'a market of symbols': ['unknown_market', asking({ marketType: slugMarket('!!!') })],
  'a record without end': ['record_too_large', asking({ selections: many })],
  'an endless text of a game': [
    'text_too_long',
    {
      type: 'game_state',
      sportsbook: 'a',
      observedAt: now,
      event,
      state: { x: 'x'.repeat(1_001) },
    },
  ],
  'a state without end': [
    'record_too_large',
    {
      type: 'game_state',
      sportsbook: 'a',
      observedAt: now,
      event,
      state: Object.fromEntries(many.map((_, n) => [`member_${n}`, 'x'.repeat(1_000)])),
    },
  ],
  'a score that is none': [
    'bad_number',
    { type: 'game_state', sportsbook: 'a', observedAt: now, event, state: { x: Number.NaN } },
  ],
  'shares that are none': [
    'bad_shares',
    {
      type: 'splits',
      sportsbook: 'a',
      observedAt: now,
      event,
      moneyline: null,
      spread: null,
      total: { handle: [0.5, Number.NaN], bets: null, line: null },
    },
  ],
}

describe('the sink', () => {
  it.each(Object.entries(bad))('leaves out %s alone, with a dead letter', async (_, entry) => {
    const [reason, record] = entry
    const { sink, appends, letters } = openSink()
    const status = { type: 'book_status', sportsbook: 'a', observedAt: now, status: 'up' } as const
    await sink.publish([odds(), record, status])
    expect(appends).toHaveLength(1)
    expect(appends[0]?.map(({ topic }) => topic.name)).toEqual([
      'feed.odds',
      // A status goes to every partition.
      ...Array.from({ length: partitionCount }, () => 'feed.odds'),
      'feed.rejected',
    ])
    expect(letters()).toMatchObject([{ code: reason, receivedAt: now }])
    expect(Object.fromEntries(sink.counts)).toEqual({
      odds: 1,
      book_status: 1,
      [`unpublishable ${reason}`]: 1,
    })
  })

  it('writes the fault, and 4 KiB of the record, under its sportsbook', async () => {
    const { sink, appends, letters } = openSink()
    const markets = Array(500).fill({ ...market, playerName: '\u00e9\u20ac' })
    await sink.publish([odds({ observedAt: 0.5, markets })])
    expect(appends.flat()).toMatchObject([{ key: 'FanDuel', partitionKey: 'FanDuel' }])
    const [{ message, text }] = letters() as [Rejected]
    expect(message).toBe('observedAt is 0.5')
    expect(text.startsWith('{"type":"odds","sportsbook":"FanDuel"')).toBe(true)
    const size = Buffer.byteLength(text)
    expect(size).toBeLessThanOrEqual(4_096)
    expect(size).toBeGreaterThan(4_092)
  })

  it('publishes the longest possible texts, and large records', async () => {
    const { sink, letters } = openSink()
    const name = '\u{1f600}'.repeat(300)
    const longest = { selection: name, deepLink: address + 'x'.repeat(1_900) }
    await sink.publish([
      about({ homeTeam: name }),
      offering(longest),
      asking({ selections: many.slice(0, 1_500) }),
    ])
    expect(letters()).toEqual([])
  })

  it('publishes withdrawn or suspended prices, and missing fields', async () => {
    const { sink, letters } = openSink()
    const gone = { ...selection, price: null, removed: true }
    await sink.publish([about({ externalId: null }), offering(gone), odds({ markets: [] })])
    expect(letters()).toEqual([])
    expect(sink.counts.get('odds')).toBe(3)
  })

  it('counts every skip, and writes the first 20 of a sportsbook and reason', async () => {
    const { sink, appends, letters } = openSink()
    const skips = Array.from({ length: 30 }, (_, n) => ({ reason: 'outright', detail: `cup ${n}` }))
    sink.skipped('fanduel', skips)
    sink.skipped('fanduel', [{ reason: 'no_price', detail: 'x' }])
    sink.skipped('bovada', skips.slice(0, 1))
    expect(appends).toEqual([])
    // They are written with the next records, even if these are ticks only.
    await sink.publish([{ type: 'tick', observedAt: now }])
    await sink.publish([{ type: 'tick', observedAt: now }])
    expect(appends.map(({ length }) => length)).toEqual([2 + 22, 2])
    expect(letters().map(({ sportsbook, code }) => `${sportsbook} ${code}`)).toEqual([
      ...Array(20).fill('fanduel outright'),
      'fanduel no_price',
      'bovada outright',
    ])
    expect(letters()[3]).toMatchObject({ text: 'cup 3', receivedAt: now })
    expect(sink.counts.get('skipped fanduel outright')).toBe(30)
  })

  it('leaves out the 501st sportsbook that is not listed, of whatever records', async () => {
    const { sink, letters } = openSink()
    const named = (name: string) => odds({ sportsbook: name })
    await sink.publish(Array.from({ length: 500 }, (_, n) => named(`desk ${n}`)))
    expect(letters()).toEqual([])
    await sink.publish([
      named('Desk 499'),
      named('FanDuel'),
      named('desk 500'),
      { type: 'book_status', sportsbook: 'desk 501', observedAt: now, status: 'down' },
    ])
    expect(letters().map(({ sportsbook, code }) => [sportsbook, code])).toEqual(
      Array(2).fill(['unknown', 'too_many_sportsbooks']),
    )
    expect(letters()[0]?.text).toContain('"sportsbook":"desk 500"')
    expect(sink.findDefect(named('desk 500'))?.reason).toBe('too_many_sportsbooks')
    expect(sink.findDefect(named('desk 0'))).toBe(null)
    expect(sink.counts.get('odds')).toBe(502)
  })

  it('gives a record that is left out no place among the sportsbooks, and counts it by none', async () => {
    const { sink, letters } = openSink()
    const faulty = Array.from({ length: 1_100 }, (_, n) =>
      odds({ sportsbook: `desk ${n}`, observedAt: 0.5 }),
    )
    await sink.publish(faulty)
    expect(letters()).toHaveLength(1_000)
    expect(new Set(letters().map(({ sportsbook }) => sportsbook))).toEqual(new Set(['unknown']))
    expect(sink.findDefect(odds({ sportsbook: 'our desk' }))).toBe(null)
  })
})
