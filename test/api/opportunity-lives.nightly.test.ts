/** `/opportunities/lives` over an archive that the archiver filled, against the records of the log. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { LifeFigures, OpportunityLife } from '../../schemas/opportunity-life.ts'
import { topics } from '../../schemas/topics.ts'
import { simulateHistory } from '../oracle/simulated-history.ts'
import { changelogOf, type FilledArchive, fillArchive } from '../pipeline/archive/filled-archive.ts'
import { type InProcess, type Reply, startInProcess } from './service-in-process.ts'

const { records } = simulateHistory({
  seed: 9,
  events: 5,
  changesPerSecond: 30,
  books: ['pinnacle', 'draftkings', 'betmgm', 'bovada', 'kalshi', 'unibet_uk'],
  repeated: 0,
  overtaken: 0,
})
const changelog = changelogOf(records)
const told = changelog
  .filter(({ topic }) => topic.name === topics.opportunityLives.name)
  .map(({ value }) => value as OpportunityLife)
const events = new Map(
  changelog
    .filter(({ topic, value }) => topic.name === topics.events.name && value !== null)
    .map(({ key, value }) => [key, value as EventRow]),
)
/** Lives seen in the scope of all sportsbooks. */
const seen = told.filter(({ scopes }) => (scopes & 4) !== 0)
const from = '2026-05-02T18:00:00Z'
const to = '2026-05-03T18:00:00Z'
const period = `from=${from}&to=${to}`
const detected = seen.filter(
  (life) => life.detected.at >= Date.parse(from) && life.detected.at < Date.parse(to),
)

/** A game listed with its sides reversed, with a middle on it. */
const flippedEvent: EventRow = { ...[...events.values()][0]!, id: 'flipped_b3', flipped: true }
const at = Date.parse('2026-05-05T12:00:00Z')
const figures = (later: number, worth: number, prices: readonly number[]): LifeFigures => ({
  at: at + later,
  worth,
  prices,
})
const handMade: OpportunityLife = {
  id: '00000000000000ff',
  league: flippedEvent.league,
  sport: flippedEvent.sport,
  kind: 'middle',
  eventId: flippedEvent.id,
  marketType: 'point_spread',
  playerName: null,
  isLive: false,
  legs: [
    { oddsId: 1e14 + 1, sportsbook: 'draftkings', selectionType: 'home', line: 3.5 },
    { oddsId: 1e14 + 2, sportsbook: 'betmgm', selectionType: 'away', line: -1.5 },
  ],
  detected: figures(0, 0.01234, [1.95, 2.05]),
  peak: figures(1_500, 0.0456, [2, 2.1]),
  gone: figures(2_250, -0.001, [1.9, 2]),
  references: [],
  scopes: 4,
  isSuspected: true,
  why: 'suspended',
}

const timeOf = (ms: number) => new Date(ms).toISOString()
const percentOf = (worth: number) => Math.floor(worth * 1e4 + 0.5) / 1e2
const oddsOf = (price: number | undefined) => ({
  odds_american: decimalToAmerican(price!),
  odds_decimal: shownPrice(price!),
  odds_probability: shownProbability(price!),
})
const instantOf = (figures: LifeFigures) => ({
  at: timeOf(figures.at),
  worth_percent: percentOf(figures.worth),
})

/** Returns a life as it must be shown, with the sides as the event is shown. */
function shown(life: OpportunityLife) {
  const event = events.get(life.eventId)!
  return {
    id: life.id,
    kind: life.kind,
    event_id: life.eventId,
    sport: life.sport,
    league: life.league,
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    event_start_time: timeOf(event.startsAt),
    market_type: life.marketType,
    player_name: life.playerName,
    is_live: life.isLive,
    is_mismatch_suspected: life.isSuspected,
    sharp_books: life.references,
    detected: instantOf(life.detected),
    peak: instantOf(life.peak),
    gone: instantOf(life.gone),
    lasted_seconds: (life.gone.at - life.detected.at) / 1_000,
    why: life.why,
    legs: life.legs.map((leg, i) => ({
      odds_id: String(leg.oddsId),
      sportsbook: leg.sportsbook,
      selection_type: leg.selectionType,
      line: leg.line,
      detected: oddsOf(life.detected.prices[i]),
      peak: oddsOf(life.peak.prices[i]),
      gone: oddsOf(life.gone.prices[i]),
    })),
  }
}

describe('the lives of opportunities', () => {
  let filled: FilledArchive
  let service: InProcess
  beforeAll(async () => {
    const { league: partitionKey } = flippedEvent
    filled = await fillArchive([
      ...changelog,
      { topic: topics.events, partitionKey, key: flippedEvent.id, value: flippedEvent },
      { topic: topics.opportunityLives, partitionKey, key: handMade.id, value: handMade },
    ])
    service = await startInProcess({ archive: createArchiveAccess(filled.archive) })
  })
  afterAll(async () => {
    await service?.close()
    await filled?.close()
  })

  async function answered(path: string): Promise<Reply> {
    const reply = await service.get(path)
    expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, ''])
    return reply
  }

  async function walk(query: string) {
    const items = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { body } = await answered(`/opportunities/lives?${query}&limit=200&offset=${offset}`)
      items.push(...body.data)
      offset = body.pagination.next_offset
      expect(body.pagination.total).toBeGreaterThanOrEqual(items.length)
    }
    return items
  }

  const texts = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).sort()

  it('equal those of the log, each once, the one detected last first', async () => {
    expect(detected.length).toBeGreaterThan(300)
    expect(new Set(detected.map(({ kind }) => kind)).size).toBe(4)
    const items = await walk(period)
    expect(texts(items)).toEqual(texts(detected.map(shown)))
    const times = items.map((item) => item.detected.at)
    expect(times).toEqual([...times].sort().reverse())
    const past = await answered(`/opportunities/lives?${period}&offset=900000`)
    expect([past.body.data, past.body.pagination.total]).toEqual([[], detected.length])
  })

  it('are of the shape that the route states', async () => {
    const { body } = await answered(`/opportunities/lives?${period}`)
    const route = service.routes.find(({ path }) => path === '/api/v1/opportunities/lives')
    expect(route?.answer?.schema?.parse(body)).toEqual(body)
  })

  const [some] = detected
  const filters: readonly [string, (life: OpportunityLife) => boolean][] = [
    ['kind=ev', ({ kind }) => kind === 'ev'],
    ['kind=arbitrage,middle', ({ kind }) => kind === 'arbitrage' || kind === 'middle'],
    [`league=${some!.league}`, ({ league }) => league === some!.league],
    [`sport=${some!.sport}`, ({ sport }) => sport === some!.sport],
    [`event=${some!.eventId}`, ({ eventId }) => eventId === some!.eventId],
    ['sportsbook=kalshi', ({ legs }) => legs.some(({ sportsbook }) => sportsbook === 'kalshi')],
    ['market=moneyline', ({ marketType }) => marketType === 'moneyline'],
    ['live=true', ({ isLive }) => isLive],
    ['live=false', ({ isLive }) => !isLive],
    ['min_profit=1.5', ({ peak }) => percentOf(peak.worth) >= 1.5],
    ['min_profit=-2', ({ peak }) => percentOf(peak.worth) >= -2],
  ]
  it.each(filters)('match the query: %s', async (query, isMatch) => {
    const expected = detected.filter(isMatch)
    expect(texts(await walk(`${period}&${query}`))).toEqual(texts(expected.map(shown)))
    expect(expected.length).toBeLessThan(detected.length)
    if (!query.includes('live=true')) expect(expected.length).toBeGreaterThan(0)
  })

  it('have their sides and lines as the game is shown now', async () => {
    const [item] = await walk('from=2026-05-05T00:00:00Z&to=2026-05-06T00:00:00Z')
    expect(item).toMatchObject({
      id: handMade.id,
      is_mismatch_suspected: true,
      detected: { at: timeOf(at), worth_percent: 1.23 },
      peak: { at: timeOf(at + 1_500), worth_percent: 4.56 },
      gone: { at: timeOf(at + 2_250), worth_percent: -0.1 },
      lasted_seconds: 2.25,
      why: 'suspended',
    })
    expect(item.legs.map((leg: Record<string, unknown>) => [leg.selection_type, leg.line])).toEqual(
      [
        ['away', 3.5],
        ['home', -1.5],
      ],
    )
  })

  it('have a line for each leg in a file', async () => {
    const legs = detected.reduce((sum, life) => sum + life.legs.length, 0)
    const { text } = await answered(`/opportunities/lives?${period}&format=ndjson`)
    const lines = text.trim().split('\n')
    expect(lines.length).toBe(legs)
    const csv = await answered(`/opportunities/lives?${period}&format=csv`)
    expect(csv.text.trim().split('\n').length).toBe(legs + 1)
    expect(csv.headers.get('Content-Disposition')).toContain('opportunity_lives.csv')
    const parquet = await answered(`/opportunities/lives?${period}&format=parquet`)
    expect([parquet.text.slice(0, 4), parquet.text.slice(-4)]).toEqual(['PAR1', 'PAR1'])
    const first = JSON.parse(lines[0]!)
    const life = detected.find(
      (one) =>
        one.id === first.id && timeOf(one.detected.at).startsWith(first.detected_at.slice(0, 19)),
    )
    expect(first.detected_odds).toBe(shownPrice(life!.detected.prices[first.leg - 1]!))
  })

  it.each([
    ['from=2026-05-02T00:00:00Z&to=2026-06-03T00:00:00Z', 'validation_error'],
    ['from=2026-05-03T00:00:00Z&to=2026-05-02T00:00:00Z', 'validation_error'],
    ['kind=steam', 'validation_error'],
    ['league=no_such_league', 'invalid_filter'],
    ['profit_min=1', 'validation_error'],
  ])('are refused for what cannot be queried: %s', async (query, code) => {
    const { status, body } = await service.get(`/opportunities/lives?${query}`)
    expect([status, body.code]).toEqual([400, code])
  })
})
