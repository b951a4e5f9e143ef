import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { createSteppedTimers } from './stepped-timers.ts'

describe('/odds/delta from a position', () => {
  let service: InProcess
  const timers = createSteppedTimers()
  beforeAll(async () => {
    service = await startInProcess({ streams: { timers } })
  })
  afterAll(() => service.close())

  const say = async (home: string) => {
    service.advance(1_000)
    const record = oddsRecord(service.clock(), {
      sportsbook: 'pinnacle',
      home,
      away: 'Brooklyn Nets',
      sport: 'basketball',
      league: 'NBA',
    })
    await service.ingest([record])
    await service.settled()
    // Streams record positions at their ticks, which are rare while there are no clients.
    await timers.pass(100)
    return service.streams.positions.now()!
  }
  const delta = (query: string) => service.get(`/odds/delta?${query}`)
  const teams = (body: { data: { home_team: string }[] }) => [
    ...new Set(body.data.map(({ home_team }) => home_team)),
  ]

  it('has the changes after it, and the position of the next call', async () => {
    const first = await say('New York Knicks')
    service.advance(1_000)
    await say('Boston Celtics')
    const { status, body } = await delta(`resume_from=${first}`)
    expect(status).toBe(200)
    expect(teams(body)).toContain('Boston Celtics')
    expect(body.meta.position).toBe(service.streams.positions.now())
    const third = await say('Chicago Bulls')
    const next = await delta(`resume_from=${body.meta.position}`)
    expect(teams(next.body)).toContain('Chicago Bulls')
    expect(teams(next.body)).not.toContain('New York Knicks')
    expect(next.body.meta.position).toBe(third)
  })

  it('comes with the last of several pages, and with responses to a time', async () => {
    const first = service.streams.positions.now()!
    const before = new Date(service.clock()).toISOString()
    await say('Miami Heat')
    await say('Orlando Magic')
    const here = service.streams.positions.now()
    for (const from of [`resume_from=${first}`, `since=${before}`]) {
      const { body } = await delta(`${from}&limit=2`)
      expect(body.pagination.total).toBeGreaterThan(2)
      expect(body.meta.position).toBeUndefined()
      let page = body
      while (page.pagination.has_more) {
        page = (await delta(`${from}&limit=2&offset=${page.pagination.next_offset}`)).body
      }
      expect(page.meta.position).toBe(here)
      expect((await delta(from)).body.meta.position).toBe(here)
    }
  })

  it('is not answered from an older board', async () => {
    const here = service.streams.positions.now()!
    const ahead = here.replace(/\d+$/, (offset) => String(Number(offset) + 1))
    const { status, headers, body } = await delta(`resume_from=${ahead}`)
    expect([status, body.error.code]).toEqual([503, 'service_unavailable'])
    expect(headers.get('retry-after')).toBe('1')
  })

  it('asks for a snapshot if it is of other sportsbooks', async () => {
    const { body } = await service.get('/odds/delta?since=2026-11-20T11:00:00Z', 'pro')
    for (const [query, tier] of [
      [`resume_from=${body.meta.position}`, 'sharp'],
      [`resume_from=${service.streams.positions.now()}`, 'pro'],
      [`resume_from=${service.streams.positions.now()}&books=pinnacle`, 'sharp'],
    ] as const) {
      const refused = await service.get(`/odds/delta?${query}`, tier)
      expect([refused.status, refused.body.error.reason]).toEqual([409, 'other_books'])
    }
    const own = await service.get(`/odds/delta?resume_from=${body.meta.position}`, 'pro')
    expect(own.status).toBe(200)
  })

  it('asks for a snapshot if it is unknown', async () => {
    const here = service.streams.positions.now()!
    const [version, epoch] = here.split(':')
    // Earlier versions had fewer tables.
    const former = here.replace(/-[^-]*$/, '')
    const answers = await Promise.all([
      delta(`resume_from=${here.replace(epoch!, 'another-log')}`),
      delta(`resume_from=${here.replace(version!, 'v9')}`),
      delta(`resume_from=${former.replace(version!, 'v2')}`),
      delta(`resume_from=${former.replace(version!, 'v1')}`),
      delta(`resume_from=${former.replace(`${version}:`, '')}`),
      delta('resume_from=nonsense'),
    ])
    expect(answers.map(({ status, body }) => [status, body.error.code, body.error.reason])).toEqual(
      [
        ...Array(5).fill([409, 'resync_required', 'other_log']),
        [400, 'validation_error', undefined],
      ],
    )
  })
})
