import { describe, expect, it } from 'vitest'
import type { FeedSink } from '../../../../pipeline/feeds/feed.ts'
import { FetchError } from '../../../../pipeline/feeds/kit/http-source.ts'
import { type StatedOutcome, toMarkets } from '../../../../pipeline/feeds/kit/outcomes.ts'
import { createPollingFeed } from '../../../../pipeline/feeds/kit/polling-feed.ts'
import { createPageReader, createWithdrawals } from '../../../../pipeline/feeds/kit/withdrawals.ts'
import type {
  FeedEvent,
  FeedRecord,
  FuturesRecord,
  OddsRecord,
} from '../../../../schemas/feed-record.ts'
import { selectionsOf } from '../feed-samples.ts'
import { createRecordingSink } from '../loopback.ts'

const eventOf = (externalId: string): FeedEvent => ({
  externalId,
  sport: 'baseball',
  league: 'MLB',
  homeTeam: 'H',
  awayTeam: 'A',
  startsAt: 0,
  isLive: false,
})

const answer = (
  marketType: string,
  selectionType: string,
  line: number | null = null,
): StatedOutcome => ({
  marketId: `${marketType}-${line}`,
  marketType,
  playerName: null,
  statCategory: null,
  selectionType,
  selection: null,
  line,
  price: 1.9,
  externalId: null,
  suspended: false,
})

const record = (
  event: string,
  answers: readonly StatedOutcome[],
  mode: OddsRecord['mode'] = 'delta',
): OddsRecord => ({
  type: 'odds',
  sportsbook: 'caesars',
  mode,
  observedAt: 1,
  event: eventOf(event),
  markets: toMarkets(answers).markets,
})

const over = answer('total_runs', 'over', 8.5)
const under = answer('total_runs', 'under', 8.5)
const moneyline = answer('moneyline', 'home')

const words = (records: readonly FeedRecord[]) =>
  selectionsOf(records).map(({ event, marketType, selectionType, removed, price }) =>
    [event.externalId, marketType, selectionType, removed ? 'removed' : price].join(' '),
  )

const season = (externalId: string): FuturesRecord => ({
  type: 'futures',
  sportsbook: 'caesars',
  mode: 'snapshot',
  observedAt: 1,
  future: {
    ...{ externalId, sport: 'baseball', league: 'MLB', name: 'Winner', futureType: 'TEAM' },
    ...{ subject: null, season: '2027', settlesAt: null },
  },
  prices: [
    {
      ...{ selection: 'Mariners', line: null, price: 9, removed: false, suspended: false },
      ...{ changedAt: null, externalId: null, deepLink: null },
    },
  ],
})
const seasonsOf = (records: readonly FeedRecord[]) =>
  records.flatMap((published) =>
    published.type === 'futures'
      ? [`${published.future.externalId} ${published.prices.length}`]
      : [],
  )

describe('withdrawals', () => {
  it('empty a market of a season that is on no page any more', () => {
    const { replace, finish } = createWithdrawals()
    expect(seasonsOf(replace('mlb', 'futures', [season('a'), season('b')], 1))).toEqual([
      'a 1',
      'b 1',
    ])
    replace('mlb', 'awards', [season('b'), season('c')], 2)
    expect(seasonsOf(replace('mlb', 'futures', [], 3))).toEqual(['a 0'])
    expect(seasonsOf(finish('mlb', new Set(['futures']), 4))).toEqual(['b 0', 'c 0'])
  })

  it('leave what another page names under another label', () => {
    const { replace } = createWithdrawals()
    const home = (selection: string) => record('1', [{ ...moneyline, selection }])
    const goals = (playerName: string) => record('1', [{ ...over, playerName }])
    replace('mlb', 'popular', [home('Leeds'), goals('J.J. Álvarez')], 1)
    replace('mlb', 'lines', [home('Leeds United')], 2)
    replace('mlb', 'players', [goals('JJ Alvarez')], 3)
    expect(words(replace('mlb', 'popular', [], 4))).toEqual([])
    expect(words(replace('mlb', 'lines', [home('LEEDS UTD')], 5))).toEqual(['1 moneyline home 1.9'])
    expect(words(replace('mlb', 'players', [], 6))).toEqual(['1 total_runs over removed'])
  })

  it('say of the game what the newest page says, not what the page said that lost it', () => {
    const { replace, finish } = createWithdrawals()
    const inPlay = (observedAt: number) => {
      const lines = record('1', [moneyline])
      return { ...lines, observedAt, event: { ...lines.event, isLive: true, startsAt: 300_000 } }
    }
    replace('mlb', 'lines', [record('1', [moneyline])], 1)
    replace('mlb', 'players', [record('1', [over])], 1)
    replace('mlb', 'lines', [inPlay(2)], 2)
    const [withdrawn] = selectionsOf(replace('mlb', 'players', [], 3))
    expect(withdrawn?.event).toMatchObject({ isLive: true, startsAt: 300_000 })
    // The last page's own reading is the newest there is.
    replace('mlb', 'lines', [inPlay(4)], 4)
    const [last] = selectionsOf(finish('mlb', new Set(), 5))
    expect(last?.event).toMatchObject({ isLive: true, startsAt: 300_000 })
  })

  it('come before the new content of a page', () => {
    const { replace } = createWithdrawals()
    replace('mlb', 'popular', [record('1', [over, under, moneyline])], 1)
    const records = replace('mlb', 'popular', [record('1', [over])], 2)
    expect(words(records)).toEqual([
      '1 total_runs under removed',
      '1 moneyline home removed',
      '1 total_runs over 1.9',
    ])
    expect(words(replace('mlb', 'popular', [record('1', [over])], 3))).toEqual([
      '1 total_runs over 1.9',
    ])
  })

  it('remove the old rung of a line that moved', () => {
    const { replace } = createWithdrawals()
    replace('mlb', 'popular', [record('1', [over])], 1)
    const moved = replace('mlb', 'popular', [record('1', [answer('total_runs', 'over', 9)])], 2)
    expect(selectionsOf(moved).map(({ line, removed }) => [line, removed])).toEqual([
      [8.5, true],
      [9, false],
    ])
  })

  it('remove an event that has gone from the page, with the time of the response', () => {
    const { replace } = createWithdrawals()
    replace('mlb', 'page', [record('1', [over]), record('2', [moneyline])], 1)
    const records = replace('mlb', 'page', [record('2', [moneyline])], 2)
    expect(words(records)).toEqual(['2 moneyline home 1.9', '1 total_runs over removed'])
    expect(records[1]?.observedAt).toBe(2)
  })

  it('leave what another page of the event still names', () => {
    const { replace } = createWithdrawals()
    replace('mlb', 'popular', [record('1', [over, moneyline])], 1)
    replace('mlb', 'runs', [record('1', [over])], 1)
    expect(words(replace('mlb', 'popular', [], 2))).toEqual(['1 moneyline home removed'])
    expect(words(replace('mlb', 'runs', [], 3))).toEqual(['1 total_runs over removed'])
  })

  it('remove the content of a page that is no longer requested', () => {
    const { replace, finish } = createWithdrawals()
    replace('mlb', 'event 1', [record('1', [over])], 1)
    replace('mlb', 'event 2', [record('2', [over])], 1)
    expect(finish('mlb', new Set(['event 1', 'event 2']), 1)).toEqual([])
    expect(words(finish('mlb', new Set(['event 2']), 2))).toEqual(['1 total_runs over removed'])
    expect(finish('mlb', new Set(['event 2']), 3)).toEqual([])
  })

  it('begin an event with a snapshot, which clears the records of an earlier process', () => {
    const { replace } = createWithdrawals()
    expect(replace('mlb', 'totals', [record('1', [over])], 1)).toMatchObject([{ mode: 'snapshot' }])
    expect(replace('mlb', 'props', [record('1', [under])], 2)).toMatchObject([{ mode: 'delta' }])
  })

  it('begin it with another one after a long silence, in which a source that passes prices on may have it', () => {
    const { replace } = createWithdrawals()
    const modeAt = (minutes: number) => {
      const at = 60_000 * minutes
      const [first] = replace('mlb', 'totals', [{ ...record('1', [over]), observedAt: at }], at)
      return (first as OddsRecord).mode
    }
    expect([0, 5, 10, 15.1].map(modeAt)).toEqual(['snapshot', 'delta', 'delta', 'snapshot'])
  })

  it('publish a later snapshot as a delta, because the next response may be a part', () => {
    const { replace } = createWithdrawals()
    replace('soccer', 'coupon', [record('1', [over, under], 'snapshot')], 1)
    const [again] = replace('soccer', 'coupon', [record('1', [over, under], 'snapshot')], 1)
    expect(again).toMatchObject({ mode: 'delta' })
    expect(words(replace('soccer', 'coupon', [record('1', [over])], 2))).toContain(
      '1 total_runs under removed',
    )
  })

  it('leave a page with all offers of its event a snapshot, which replaces what other pages said', () => {
    const { replace, finish } = createWithdrawals()
    const whole = { isWhole: true }
    const readBoard = (answers: readonly StatedOutcome[], at: number) =>
      replace('mlb', 'board', [record('1', answers, 'snapshot')], at, whole)
    replace('live', 'list', [record('1', [under])], 1)
    expect(readBoard([over, moneyline], 2)).toMatchObject([{ mode: 'snapshot' }])
    // The board has withdrawn what the list named, and the list names the game again without clearing the board.
    const [listed] = replace('live', 'list', [record('1', [over])], 3)
    expect(listed).toMatchObject({ mode: 'delta' })
    expect(words([listed as FeedRecord])).toEqual(['1 total_runs over 1.9'])
    expect(words(replace('live', 'list', [], 4))).toEqual([])
    replace('live', 'list', [record('1', [under])], 5)
    expect(words(finish('mlb', new Set(), 6))).toEqual([
      '1 total_runs over removed',
      '1 moneyline home removed',
    ])
    expect(words(replace('live', 'list', [], 7))).toEqual(['1 total_runs under removed'])
  })

  it('let records that are not odds pass', () => {
    const status = { type: 'book_status', sportsbook: 'x', observedAt: 1, status: 'up' } as const
    expect(createWithdrawals().replace('t', 'p', [status], 1)).toEqual([status])
  })
})

describe('a reader of pages', () => {
  /** Reads one round, and returns its records and whether it failed. */
  async function readRound(
    read: ReturnType<typeof createPageReader<readonly string[]>>,
    pages: readonly string[],
    answers: Readonly<Record<string, readonly FeedRecord[]>>,
    receivedAt: number,
  ) {
    const published: FeedRecord[] = []
    try {
      const get = async (url: string | URL) => {
        const body = answers[String(url)]
        if (!body) throw new FetchError('http_404', String(url))
        return { body, receivedAt }
      }
      for await (const { records } of read(pages, get as never)) published.push(...records)
      return { published, failed: false }
    } catch {
      return { published, failed: true }
    }
  }

  it('keeps an event that may be in a part of its page that cannot be read', async () => {
    const malformed = { reason: 'malformed', detail: '' }
    const read = createPageReader<readonly string[]>({
      keyOf: () => 'mlb',
      pages: async (urls) => urls,
      parse: (records, observedAt) => ({
        records: records as FeedRecord[],
        skipped: observedAt === 2 ? [malformed] : [],
      }),
    })
    const [one, two] = [record('1', [over]), record('2', [moneyline])]
    await readRound(read, ['/1'], { '/1': [one, two] }, 1)
    const second = await readRound(read, ['/1'], { '/1': [one] }, 2)
    expect(words(second.published)).toEqual(['1 total_runs over 1.9'])
    const third = await readRound(read, ['/1'], { '/1': [one] }, 3)
    expect(words(third.published)).toContain('2 moneyline home removed')
  })

  it('withdraws pages no longer requested, even if another page is always missing', async () => {
    const read = createPageReader<readonly string[]>({
      keyOf: () => 'mlb',
      pages: async (urls) => urls,
      parse: (records) => ({ records: records as FeedRecord[], skipped: [] }),
    })
    const one = { '/1': [record('1', [over])], '/2': [record('2', [moneyline])] }
    await readRound(read, ['/1', '/2', '/props'], one, 1)
    const { published, failed } = await readRound(read, ['/2', '/props'], one, 2)
    expect(words(published)).toEqual(['2 moneyline home 1.9', '1 total_runs over removed'])
    expect(published.map(({ observedAt }) => observedAt)).toEqual([1, 2])
    expect(failed).toBe(true)
  })

  it('leaves a page that is missing once unchanged', async () => {
    const read = createPageReader<readonly string[]>({
      keyOf: () => 'mlb',
      pages: async (urls) => urls,
      parse: (records) => ({ records: records as FeedRecord[], skipped: [] }),
    })
    const both = { '/1': [record('1', [over])], '/2': [record('2', [moneyline])] }
    await readRound(read, ['/1', '/2'], both, 1)
    const { published } = await readRound(read, ['/1', '/2'], { '/2': both['/2'] }, 2)
    expect(words(published)).toEqual(['2 moneyline home 1.9'])
    expect(await readRound(read, ['/1', '/2'], {}, 3)).toEqual({ published: [], failed: true })
  })

  it('leaves a page that is missing twice, but not in a row', async () => {
    const read = createPageReader<readonly string[]>({
      keyOf: () => 'mlb',
      pages: async (urls) => urls,
      parse: (records) => ({ records: records as FeedRecord[], skipped: [] }),
    })
    const both = { '/1': [record('1', [over])], '/2': [record('2', [moneyline])] }
    const one = { '/2': both['/2'] }
    await readRound(read, ['/1', '/2'], both, 1)
    await readRound(read, ['/1', '/2'], one, 2)
    await readRound(read, ['/1', '/2'], both, 3)
    const { published } = await readRound(read, ['/1', '/2'], one, 4)
    expect(words(published)).toEqual(['2 moneyline home 1.9'])
    const inARow = await readRound(read, ['/1', '/2'], one, 5)
    expect(words(inARow.published)).toContain('1 total_runs over removed')
  })

  describe('of an event on two pages, one of which fails', () => {
    const second = 1_000
    const openPages = () =>
      createPageReader<readonly string[]>({
        keyOf: () => 'mlb',
        pages: async (urls) => urls,
        parse: (records) =>
          records === 'broken'
            ? { records: [], skipped: [{ reason: 'malformed_payload', detail: '' }] }
            : { records: records as FeedRecord[], skipped: [] },
      })
    const at = (seconds: number, answers: readonly StatedOutcome[], isLive = false) => {
      const { event, ...rest } = record('1', answers)
      return [{ ...rest, event: { ...event, isLive }, observedAt: seconds * second }]
    }
    /** Reads rounds, and returns by their times when the price of the failing page was removed. */
    async function removedAt(
      fail: unknown,
      times: readonly number[],
      { isLive = false, order = ['/1', '/2'] } = {},
    ) {
      const read = openPages()
      const removed: number[] = []
      for (const [round, seconds] of times.entries()) {
        const get = async (url: string | URL) => {
          const isFailing = String(url) === '/2' && round > 0
          if (isFailing && fail instanceof Error) throw fail
          const answers = at(seconds, [String(url) === '/1' ? over : moneyline], isLive)
          return { body: isFailing ? fail : answers, receivedAt: seconds * second }
        }
        const published: FeedRecord[] = []
        try {
          for await (const { records } of read(order, get as never)) published.push(...records)
        } catch {}
        if (words(published).includes('1 moneyline home removed')) {
          removed.push((published.at(-1)?.observedAt ?? 0) / second)
        }
      }
      return removed
    }

    it('removes its prices once the event is renewed beyond the age at which they are usable', async () => {
      for (const fail of ['broken', new FetchError('http_500', '/2')]) {
        expect(await removedAt(fail, [0, 100, 300, 301, 400])).toEqual([301])
        expect(await removedAt(fail, [0, 30, 60, 61, 90], { isLive: true })).toEqual([61])
      }
    })

    it('also where the page is not asked for because another fails before it', async () => {
      const read = openPages()
      const published: FeedRecord[] = []
      for (const seconds of [0, 100, 301]) {
        const get = async (url: string | URL) => {
          if (String(url) === '/2' && seconds > 0) throw new FetchError('http_500', '/2')
          const answers = { '/1': [over], '/2': [under], '/3': [moneyline] }
          const body = at(seconds, answers[String(url) as keyof typeof answers])
          return { body, receivedAt: seconds * second }
        }
        try {
          for await (const { records } of read(['/1', '/2', '/3'], get as never)) {
            published.push(...records)
          }
        } catch {}
      }
      expect(words(published.slice(-2))).toEqual([
        '1 total_runs under removed',
        '1 moneyline home removed',
      ])
    })

    it('removes them at once when the source does not know it twice in a row', async () => {
      const gone = new FetchError('http_404', '/2')
      expect(await removedAt(gone, [0, 10, 20, 30])).toEqual([20])
    })

    it('lets them age while no other page renews the event', async () => {
      const read = openPages()
      const published: FeedRecord[] = []
      for (const seconds of [0, 100, 1_000]) {
        const get = async (url: string | URL) => {
          if (seconds > 0) throw new FetchError('http_500', String(url))
          return { body: at(seconds, [over]), receivedAt: seconds * second }
        }
        try {
          for await (const { records } of read(['/1'], get as never)) published.push(...records)
        } catch {}
      }
      expect(words(published)).toEqual(['1 total_runs over 1.9'])
    })

    it('removes nothing between two rounds that are far apart', async () => {
      const read = openPages()
      for (const seconds of [0, 1_000]) {
        const get = async (url: string | URL) => {
          const body = at(seconds, [String(url) === '/1' ? over : moneyline], true)
          return { body, receivedAt: seconds * second }
        }
        for await (const { records } of read(['/1', '/2'], get as never)) {
          expect(words(records).filter((text) => text.endsWith('removed'))).toEqual([])
        }
      }
    })
  })

  it('states the whole event again if the log did not take its removals', async () => {
    let round = 0
    const rounds: readonly (readonly StatedOutcome[])[] = [
      [over, moneyline],
      [moneyline],
      [moneyline],
    ]
    const stopped = new AbortController()
    const feed = createPollingFeed<readonly string[]>({
      name: 'test',
      sportsbooks: ['caesars'],
      targets: [['http://source.test/1']],
      intervalMs: 1,
      namesWithdrawals: true,
      openReader: () =>
        createPageReader({
          keyOf: () => 'mlb',
          pages: async (urls) => urls,
          parse: () => ({ records: [record('1', rounds[round]!)], skipped: [] }),
        }),
      http: {
        now: () => round,
        fetch: async () => new Response('{}'),
        async sleep() {
          round++
          if (round === rounds.length) stopped.abort()
        },
      },
    })
    const { sink, records } = createRecordingSink()
    const publish: FeedSink['publish'] = async (published) => {
      if (round === 1) throw new Error('the log is away')
      await sink.publish(published)
    }
    const run = () => feed.run({ ...sink, publish }, stopped.signal)
    await expect(run()).rejects.toThrow('the log is away')
    round++
    await run()
    const odds = records.filter(({ type }) => type === 'odds') as OddsRecord[]
    expect(odds.map(({ mode }) => mode)).toEqual(['snapshot', 'snapshot'])
    expect(words(odds.slice(1))).toEqual(['1 moneyline home 1.9'])
  })
})
