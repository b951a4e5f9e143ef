/** +EV by the consensus of other sportsbooks, where no sharp book quotes the market. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess

const moneyline = (
  sportsbook: string,
  home: number,
  away: number,
  homeTeam = 'New York Knicks',
) => ({
  ...{ type: 'odds', sportsbook, mode: 'snapshot', observed_at: '2026-11-20T12:00:00Z' },
  event: {
    ...{ sport: 'basketball', league: 'NBA', home_team: homeTeam, away_team: 'Boston Celtics' },
    start_time: '2026-11-21T00:30:00Z',
  },
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', odds_decimal: home },
        { selection_type: 'away', odds_decimal: away },
      ],
    },
  ],
})

const path = '/opportunities/ev?league=nba&max_hold=10'

async function found(query = '', tier: 'pro' | 'sharp' = 'sharp') {
  const { body } = await service.get(path + query, tier)
  return body.data.map(
    ({
      sportsbook,
      selection,
      sharp_book,
      fair_probability,
      ev_percentage,
    }: Record<string, unknown>) =>
      [sportsbook, selection, sharp_book, fair_probability, ev_percentage].join(' '),
  )
}

async function push(...records: object[]) {
  const { body } = await service.ingest(records)
  expect(body.data).toMatchObject({ rejected_count: 0 })
  await service.settled()
}

beforeAll(async () => {
  service = await startInProcess({ consensus: true })
})
afterAll(() => service.close())

describe('the consensus', () => {
  it('needs three others, and is the median of their probabilities without their margins', async () => {
    // Each market is even or mirrored, so that every method gives the same probabilities.
    await push(moneyline('draftkings', 1.91, 1.91), moneyline('betmgm', 1.91, 1.91))
    await push(moneyline('caesars', 2.1, 1.85))
    expect(await found()).toEqual([])
    await push(moneyline('fanduel', 1.87, 1.87))
    // All others of caesars are even: 2.1 / 2. For the rest, the median of the three others is even too.
    expect(await found()).toEqual(['caesars New York Knicks consensus 0.5 5'])
    const { body } = await service.get(path, 'pro')
    const [item] = body.data
    expect(item).toMatchObject({
      ...{ sharp_book: 'consensus', devig_book: 'consensus', devig_method: 'power' },
      // The average of 4.71, 4.71 and 6.95 %.
      ...{ market_width: 5.46, warnings: ['CONSENSUS_REF'] },
    })
    expect(item).not.toHaveProperty('sharp_odds_decimal')
    const { body: explained } = await service.get(`/opportunities/${item.id}/explain`, 'pro')
    expect(
      explained.data.devig.map(({ sportsbook, devig_method }: Record<string, unknown>) => [
        sportsbook,
        devig_method,
      ]),
    ).toEqual([
      ['betmgm', 'power'],
      ['draftkings', 'power'],
      ['fanduel', 'power'],
    ])
    // The stake is that of the whole EV of 5 %.
    expect(explained.data.stakes).toMatchObject({ total: 4.54, warnings: ['CONSENSUS_REF'] })
    expect(explained.data.ends).toContainEqual(
      expect.objectContaining({ cause: 'price_falls', to_odds_decimal: 2.04 }),
    )
  })

  it('lists from 2 % on, and yields to a sharp book', async () => {
    await push(moneyline('caesars', 2.039, 1.85))
    expect(await found()).toEqual([])
    await push(moneyline('caesars', 2.041, 1.85))
    expect(await found()).toEqual(['caesars New York Knicks consensus 0.5 2.05'])
    await push(moneyline('pinnacle', 1.95, 1.95))
    expect(await found()).toEqual(['caesars New York Knicks pinnacle 0.5 2.05'])
    expect(await found('&devig_books=circa,consensus')).toEqual([
      'caesars New York Knicks consensus 0.5 2.05',
    ])
    await push({ ...moneyline('pinnacle', 1.95, 1.95), markets: [] })
    expect(await found()).toEqual(['caesars New York Knicks consensus 0.5 2.05'])
  })

  it('uses only the sportsbooks that an account sees', async () => {
    const bulls = (book: string, home: number, away: number) =>
      moneyline(book, home, away, 'Chicago Bulls')
    await push(bulls('draftkings', 1.91, 1.91), bulls('fanduel', 1.91, 1.91))
    await push(bulls('caesars', 2.1, 1.85), bulls('betway', 1.87, 1.87))
    // Only the tiers from sharp up see betway.
    expect(await found('&team=bulls', 'sharp')).toEqual(['caesars Chicago Bulls consensus 0.5 5'])
    expect(await found('&team=bulls', 'pro')).toEqual([])
    const set = '&team=bulls&books=caesars'
    expect(await found(set, 'pro')).toEqual([])
    expect(await found(`${set},betway`, 'sharp')).toEqual(['caesars Chicago Bulls consensus 0.5 5'])
    // With a third that both tiers see, each has a consensus.
    await push(bulls('betmgm', 1.91, 1.91))
    expect(await found('&team=bulls', 'pro')).toEqual(['caesars Chicago Bulls consensus 0.5 5'])
    expect(await found(set, 'pro')).toEqual(['caesars Chicago Bulls consensus 0.5 5'])
    const ids = await Promise.all(
      (['pro', 'sharp'] as const).map(
        async (tier) => (await service.get(`${path}&team=bulls`, tier)).body.data[0].id,
      ),
    )
    expect(ids[0]).not.toBe(ids[1])
  })

  it('counts no sportsbook of that name as sharp', async () => {
    await push(
      moneyline('consensus', 1.5, 2.9, 'Miami Heat'),
      moneyline('fanduel', 1.9, 2.9, 'Miami Heat'),
    )
    expect(await found('&team=heat')).toEqual([])
  })
})
