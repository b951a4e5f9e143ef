import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { FeedSink } from '../../../../pipeline/feeds/feed.ts'
import {
  createTimeline,
  RecordingError,
  UnsupportedRecordingError,
} from '../../../../pipeline/feeds/replay/recording.ts'
import {
  openReplay,
  parseReplaySpec,
  type ReplayClock,
  ReplaySpecError,
  replaySpec,
} from '../../../../pipeline/feeds/replay/replay.ts'
import { readConfig } from '../../../../pipeline/settings/config.ts'
import type { FeedRecord, OddsRecord, TickRecord } from '../../../../schemas/feed-record.ts'
import { createFolder, iso, oddsOf, pushLine } from './written.ts'

const { folder, write } = createFolder()

const path = write(
  'push.ndjson',
  [
    pushLine('2026-03-03T21:00:00Z', 2),
    '{"type":"odds"}',
    pushLine('2026-03-03T21:00:10Z', 2.1),
    pushLine('2026-03-03T21:01:00Z', 2.2),
  ].join('\n'),
)

/** Creates a sink that records its input and acknowledges it a turn later. */
function createKeeper(onPublish: (count: number) => void = () => {}) {
  const published: (FeedRecord | TickRecord)[][] = []
  const skipped: string[] = []
  let open = 0
  const sink: FeedSink = {
    async publish(records) {
      expect(open++).toBe(0)
      await new Promise((resolve) => setImmediate(resolve))
      published.push([...records])
      onPublish(published.length)
      open--
    },
    skipped: (sportsbook, skips) => {
      for (const { reason } of skips) skipped.push(`${sportsbook} ${reason}`)
    },
  }
  const odds = (): OddsRecord[] =>
    oddsOf(published.map((records) => ({ records: records as FeedRecord[] })))
  return { sink, published, skipped, odds }
}

/** Creates a clock that only sleeping advances. */
function createClock(start: string) {
  let now = Date.parse(start)
  const sleeps: number[] = []
  const clock: ReplayClock = {
    now: () => now,
    sleep: async (ms) => {
      sleeps.push(ms)
      now += ms
    },
  }
  return { clock, sleeps }
}

describe('a timeline', () => {
  it('takes more pieces of one time than a call has arguments', () => {
    const timeline = createTimeline()
    timeline.add(null, [], Array(200_000).fill({ reason: 'bad_time', detail: '' }))
    expect(timeline.steps()[0]?.skipped).toHaveLength(200_000)
  })
})

const never = new AbortController().signal
const observedTimes = (records: readonly OddsRecord[]) =>
  records.map(({ observedAt }) => iso(observedAt)?.slice(0, 19))

describe('a replay', () => {
  it('opens each file of a directory when its turn comes', async () => {
    const open = async () => (await readdir('/proc/self/fd')).length
    const count = 40
    // Longer than what is read ahead.
    const faulty = 'x'.repeat(400_000)
    for (let at = 0; at < count; at++) {
      const minute = String(at).padStart(2, '0')
      write(
        `turns/${minute}.ndjson`,
        [
          pushLine(`2026-03-03T20:${minute}:00Z`, 2),
          pushLine(`2026-03-03T20:${minute}:30Z`, 2.1),
          faulty,
          pushLine(`2026-03-03T20:${minute}:45Z`, 2.2),
        ].join('\n'),
      )
    }
    const before = await open()
    let most = 0
    const { sink, odds } = createKeeper()
    const publish: FeedSink['publish'] = async (records) => {
      most = Math.max(most, await open())
      await sink.publish(records)
    }
    await openReplay({ path: `${folder}/turns` }).run({ ...sink, publish }, never)
    expect(odds()).toHaveLength(3 * count)
    expect(most - before).toBeLessThan(count / 2)
  })

  it('publishes a recording step by step, reports skipped records, and ends', async () => {
    const { sink, published, skipped, odds } = createKeeper()
    await openReplay({ path }).run(sink, never)
    expect(observedTimes(odds())).toEqual([
      '2026-03-03T21:00:00',
      '2026-03-03T21:00:10',
      '2026-03-03T21:01:00',
    ])
    // The recording sets the clock of the service.
    expect(published).toEqual(
      odds().map((record) => {
        return [record, { type: 'tick', observedAt: record.observedAt, isRecorded: true }]
      }),
    )
    expect(skipped).toEqual(['replay missing_field'])
  })

  it('keeps the pace of the recording, or a multiple of it', async () => {
    for (const [speed, sleeps] of [
      [1, [10_000, 50_000]],
      [10, [1_000, 5_000]],
      [0, []],
      [Number.POSITIVE_INFINITY, []],
    ] as const) {
      const time = createClock('2026-06-01T12:00:00Z')
      await openReplay({ path, speed, retime: true }, time.clock).run(createKeeper().sink, never)
      expect(time.sleeps).toEqual(sleeps)
    }
  })

  it('sends its time every second while it keeps the pace', async () => {
    const { sink, published } = createKeeper()
    const { clock } = createClock('2026-06-01T12:00:00Z')
    await openReplay({ path, speed: 8 }, clock).run(sink, never)
    const times = published
      .flat()
      .map(({ type, observedAt }) => [type, iso(observedAt)?.slice(14, 19)])
    expect(times).toEqual([
      ['odds', '00:00'],
      ['tick', '00:00'],
      ['tick', '00:08'],
      ['odds', '00:10'],
      ['tick', '00:10'],
      ...['00:18', '00:26', '00:34', '00:42', '00:50', '00:58'].map((time) => ['tick', time]),
      ['odds', '01:00'],
      ['tick', '01:00'],
    ])
  })

  it('moves observation, start and last change alike, so that the recording begins now', async () => {
    const { sink, odds } = createKeeper()
    const { clock } = createClock('2026-06-01T12:00:00Z')
    await openReplay({ path, retime: true }, clock).run(sink, never)
    const [first, , last] = odds()
    expect(iso(first?.observedAt)).toBe('2026-06-01T12:00:00.000Z')
    expect(iso(last?.observedAt)).toBe('2026-06-01T12:01:00.000Z')
    // It starts 3 h 10 min after the first observation. The price changed an hour before that.
    expect(iso(first?.event.startsAt)).toBe('2026-06-01T15:10:00.000Z')
    const selections = first?.markets[0]?.selections ?? []
    expect(selections.map(({ changedAt }) => iso(changedAt))).toEqual([
      '2026-06-01T11:00:00.000Z',
      null,
    ])
    expect(first?.event.externalId).toBe('77')
  })

  it('moves records of the future when it retimes, and refuses them otherwise', async () => {
    const ahead = write('ahead.ndjson', pushLine('2096-03-03T21:00:00Z'))
    const { clock } = createClock('2026-06-01T12:00:00Z')
    const moved = createKeeper()
    await openReplay({ path: ahead, retime: true }, clock).run(moved.sink, never)
    expect(observedTimes(moved.odds())).toEqual(['2026-06-01T12:00:00'])
    const refused = createKeeper()
    await openReplay({ path: ahead }, clock).run(refused.sink, never)
    expect(refused.published).toEqual([])
    expect(refused.skipped).toEqual(['replay observed_in_future'])
  })

  it.each([true, false])('loops without going back in time (retime %s)', async (retime) => {
    const stop = new AbortController()
    const { sink, odds } = createKeeper((count) => {
      if (count === 7) stop.abort()
    })
    const { clock } = createClock('2026-06-01T12:00:00Z')
    await openReplay({ path, loop: true, retime }, clock).run(sink, stop.signal)
    const times = odds().map(({ observedAt }) => observedAt)
    expect(times).toHaveLength(7)
    expect([...times].sort((a, b) => a - b)).toEqual(times)
    expect(new Set(times).size).toBe(7)
    expect(odds().map(({ event }) => event.externalId)).toEqual([
      '77',
      '77',
      '77',
      '77#2',
      '77#2',
      '77#2',
      '77#3',
    ])
    // Intervals within a pass are as recorded.
    expect(times[4]! - times[3]!).toBe(10_000)
    expect(odds()[3]!.event.startsAt - times[3]!).toBe(190 * 60_000)
  })

  it('stops while it waits for the next step', async () => {
    const stop = new AbortController()
    const { sink, published } = createKeeper(() => setImmediate(() => stop.abort()))
    await openReplay({ path, speed: 1 }).run(sink, stop.signal)
    expect(published).toHaveLength(1)
  })

  it('fails when the sink does', async () => {
    const sink: FeedSink = {
      publish: () => Promise.reject(new Error('log is gone')),
      skipped: () => {},
    }
    await expect(openReplay({ path }).run(sink, never)).rejects.toThrow('log is gone')
  })

  it('replays the supported files of a directory together, by time', async () => {
    write('season/b.ndjson', pushLine('2026-03-03T21:30:00Z'))
    const early = [pushLine('2026-03-03T21:00:00Z'), pushLine('2026-03-03T21:45:00Z')]
    write('season/a.ndjson', early.join('\n'))
    write('season/deeper/c.ndjson', pushLine('2026-03-03T22:00:00Z'))
    write('season/README.md', '# not this one')
    const { sink, odds, skipped } = createKeeper()
    await openReplay({ path: `${folder}/season` }).run(sink, never)
    expect(observedTimes(odds()).map((time) => time?.slice(11, 16))).toEqual([
      '21:00',
      '21:30',
      '21:45',
    ])
    expect(skipped).toEqual(['replay unsupported_recording'])
  })

  it('refuses a path that is missing or no recording', async () => {
    expect(() => openReplay({ path: `${folder}/nowhere` })).toThrow(RecordingError)
    write('nothing/README.md', '# not this one')
    const { sink } = createKeeper()
    const running = openReplay({ path: `${folder}/nothing` }).run(sink, never)
    await expect(running).rejects.toThrow(UnsupportedRecordingError)
    await expect(
      openReplay({ path: `${folder}/nothing/README.md` }).run(sink, never),
    ).rejects.toThrow(UnsupportedRecordingError)
  })
})

describe('the replay in a list of feeds', () => {
  it.each([
    ['replay:data/a.csv', { path: 'data/a.csv', speed: 1 }],
    ['replay:/a b/c.csv.gz?speed=10', { path: '/a b/c.csv.gz', speed: 10 }],
    [
      'replay:x?speed=0.5&retime=true&loop=false&league=afl',
      { path: 'x', speed: 0.5, retime: true, loop: false, league: 'afl' },
    ],
    ['replay:x?speed=Infinity', { path: 'x', speed: Number.POSITIVE_INFINITY }],
    ['replay:C:\\odds\\a.csv?', { path: 'C:\\odds\\a.csv', speed: 1 }],
    ['replay:a%2Cb%3f %25.csv', { path: 'a,b? %.csv', speed: 1 }],
    ['replay:a%20b 100%.csv', { path: 'a%20b 100%.csv', speed: 1 }],
  ])('reads %s', (spec, options) => {
    expect(parseReplaySpec(spec)).toEqual(options)
  })

  it.each(['/nba 2023,24.csv', '/what?.csv', '/a%2Cb%20c.csv', '/100%.csv', ' , '])(
    'reads the path %j as it was, by the settings',
    (path) => {
      const spec = replaySpec(path, new URLSearchParams({ speed: '10', loop: 'true' }))
      const { feeds } = readConfig({ OVERROUND_FEEDS: `${spec},none` })
      expect(feeds).toEqual([spec, 'none'])
      expect(parseReplaySpec(spec)).toEqual({ path, speed: 10, loop: true })
    },
  )

  it.each([
    ['replay', /replay:<path>/],
    ['replay:', /replay:<path>/],
    ['replay:?loop=true', /replay:<path>/],
    ['replay:x?speed=fast', /speed is a number/],
    ['replay:x?speed=-1', /speed is a number/],
    ['replay:x?speed=', /speed is a number/],
    ['replay:x?loop=yes', /loop is true or false/],
    ['replay:x?retime', /retime is true or false/],
    ['replay:x?tempo=2', /no parameter tempo; it has speed, retime, loop and league/],
  ])('refuses %s', (spec, message) => {
    expect(() => parseReplaySpec(spec)).toThrow(ReplaySpecError)
    expect(() => parseReplaySpec(spec)).toThrow(message)
  })
})
