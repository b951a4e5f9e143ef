import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../api/access/keys.ts'
import type { Answer, InPieces } from '../../api/route.ts'
import { createBatchRoute } from '../../api/routes/batch.ts'
import { batchBody } from '../../schemas/http/batch.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { createSmallBoard, knicks, leeds, quote, refusal, type SmallBoard } from './small-board.ts'

let board: SmallBoard
const batch = createBatchRoute()

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
  board.event(leeds)
  board.odds(
    knicks,
    { sportsbook: 'draftkings', price: 2.62, selectionType: 'away' },
    { sportsbook: 'pinnacle', price: 1.5 },
    {
      sportsbook: 'draftkings',
      price: 1.9,
      marketType: 'point_spread',
      line: -4.5,
      isActive: false,
    },
  )
  board.odds(leeds, { sportsbook: 'pinnacle', price: 2.1 })
})

function answerTo(body: unknown, tier: Tier = 'sharp', betweenPieces = () => {}) {
  if (batch.access !== 'key' || batch.isCounting) throw new Error('the route takes a key')
  const caller = { tier } as Caller
  const scope = board.scope(tier)
  const rest = { query: {}, path: {}, contentType: 'application/json' }
  const inPieces: InPieces = (steps, finish) => {
    while (!steps.next().done) betweenPieces()
    return finish()
  }
  const charged = <Result>(work: () => Result) => work()
  const answer = batch.handle({
    ...rest,
    body: batchBody.parse(body),
    caller,
    scope,
    scopeAmong: () => scope,
    profile: emptyProfile(''),
    inPieces,
    charged,
  })
  if (answer instanceof Promise) throw new Error('the route answers at once')
  return answer
}

function ask(body: unknown, tier?: Tier, betweenPieces?: () => void) {
  const answer = answerTo(body, tier, betweenPieces)
  const parsed = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8'))
  expect(batch.answer?.schema?.parse(parsed)).toEqual(parsed)
  return parsed
}

describe('POST /odds/batch', () => {
  it('gives examples that its own schemas accept', () => {
    const schema = batch.answer!.schema!
    const example = exampleOf(schema)
    expect(schema.parse(example)).toEqual(example)
    expect(batchBody.parse(batch.body?.example)).toEqual(batch.body?.example)
  })

  it('has the prices at its turn of an event that goes between two pieces', () => {
    const { data } = ask({ event_ids: [leeds, knicks] }, 'sharp', () =>
      board.withdraw(leeds, { sportsbook: 'pinnacle', price: 2.1 }),
    )
    expect(data.events).toHaveLength(2)
  })

  it('leaves a response unchanged until it has been sent', () => {
    const textOf = ({ body }: Answer) => Buffer.from(body as Uint8Array).toString('utf8')
    const first = answerTo({ event_ids: [knicks] })
    const text = textOf(first)
    const second = answerTo({ event_ids: [leeds] })
    expect(textOf(second)).not.toBe(text)
    expect(textOf(first)).toBe(text)
    first.sent?.()
    const third = answerTo({ event_ids: [leeds] })
    expect(textOf(third)).toBe(textOf(second))
    expect(
      new Set([first, second, third].map(({ body }) => (body as Uint8Array).buffer)).size,
    ).toBe(2)
  })

  it('has the events in the order requested, each once, and names the others', () => {
    const { data, meta, missing, updated_at } = ask({ event_ids: [leeds, 'none', knicks, leeds] })
    expect([data.missing_events, missing]).toEqual([['none'], ['none']])
    expect(data.events).toMatchObject([
      {
        event_id: leeds,
        event_name: 'Brentford @ Leeds United',
        odds: [{ sportsbook: 'pinnacle' }],
      },
      {
        event_id: knicks,
        sport: 'basketball',
        league: 'nba',
        start_time: '2027-01-15T00:40:00.000Z',
        status: 'upcoming',
        is_live: false,
        odds: [
          { selection_type: 'home', sportsbook: 'pinnacle' },
          {
            sportsbook: 'draftkings',
            market_type: 'moneyline',
            selection: 'Chicago Bulls',
            selection_type: 'away',
            odds_american: 162,
            odds_decimal: 2.62,
            line: null,
            last_seen_at: '2027-01-14T21:00:00.000Z',
            odds_changed_at: null,
          },
          { market_type: 'point_spread', is_active: false },
        ],
      },
    ])
    expect(meta).toEqual({
      requested: 3,
      found: 2,
      missing: 1,
      max_batch: 50,
      filters: {},
      updated_at,
      updated: updated_at,
    })
    expect(updated_at).toBe('2027-01-14T21:00:00.000Z')
  })

  it('repeats the first row at the top for clients that want one', () => {
    expect(ask({ event_ids: [leeds, knicks] }).data).toMatchObject({
      id: String(quote(leeds, { sportsbook: 'pinnacle', price: 2.1 }).id),
      sportsbook: 'pinnacle',
      event_id: leeds,
      sport: 'soccer',
      league: 'england_-_premier_league',
      home_team: 'Leeds United',
      away_team: 'Brentford',
      market_type: 'moneyline',
      selection: 'Leeds United',
      odds_american: 110,
      odds_decimal: 2.1,
      probability: 0.4762,
    })
    const { data, meta } = ask({ event_ids: ['none'] })
    expect(data).toEqual({ events: [], missing_events: ['none'] })
    expect([meta.found, meta.updated_at]).toEqual([0, null])
  })

  it('misses events that the tier does not see, or that have no matching prices', () => {
    const { data } = ask({ event_ids: [knicks, leeds] }, 'pro')
    expect(data.missing_events).toEqual([leeds])
    expect(JSON.stringify(data)).not.toContain('innacle')
    expect(data.id).toBe(data.events[0].odds[0].id)
    const spreads = ask({ event_ids: [knicks, leeds], market: 'main', sportsbook: 'DraftKings' })
    expect(spreads.data.missing_events).toEqual([leeds])
    expect(spreads.data.events[0].odds).toHaveLength(2)
    expect(spreads.meta.filters).toEqual({
      sportsbook: ['draftkings'],
      market: ['moneyline', 'point_spread', 'total_points'],
    })
  })

  it('understands an older id, and counts two forms of one id as one event', () => {
    const { data, meta } = ask({ event_ids: ['nba_bulls_knicks_2027-01-14', knicks] })
    expect(data.events).toHaveLength(1)
    expect(data.missing_events).toEqual([])
    expect(meta).toMatchObject({ requested: 2, found: 1, missing: 0 })
  })

  it.each([
    ['free', 10],
    ['hobby', 10],
    ['pro', 50],
    ['sharp', 50],
    ['enterprise', 100],
  ] as const)('takes as many events as the %s tier has: %i', (tier, most) => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `none-${i}`)
    expect(ask({ event_ids: ids(most) }, tier).meta.max_batch).toBe(most)
    expect(refusal(() => ask({ event_ids: ids(most + 1) }, tier))).toEqual({
      code: 'validation_error',
      details: { max_batch: most },
    })
  })

  it('refuses a body without a list of ids, an unknown filter and a sportsbook of a higher tier', () => {
    for (const body of [undefined, {}, { event_ids: [] }, { event_ids: 'x' }, { event_ids: [1] }]) {
      expect(batchBody.safeParse(body).success).toBe(false)
    }
    const event_ids = [knicks]
    expect(refusal(() => ask({ event_ids, market: 'nothing' })).code).toBe('invalid_filter')
    expect(refusal(() => ask({ event_ids, sportsbook: 'draftkings,fanduel' })).code).toBe(
      'invalid_filter',
    )
    expect(refusal(() => ask({ event_ids, sportsbook: 'pinnacle' }, 'pro')).code).toBe(
      'tier_restricted',
    )
  })
})
