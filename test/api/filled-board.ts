/** A board with several sports, players, lines, live and suspended rows. */

import { moneyline, total } from './hand-made-market.ts'
import { type InProcess, oddsRecord, type Quote } from './service-in-process.ts'

const selection = (selection_type: string, odds_decimal: number, more: object = {}) => ({
  selection_type,
  odds_decimal,
  ...more,
})

/** Returns the markets of a basketball game. @param shift moves every price */
function basketball(shift: number) {
  return [
    {
      market_type: 'moneyline',
      max_bet: 1_500,
      selections: [
        selection('home', 1.91 + shift, { public_bet_pct: 0.61 }),
        selection('away', 2.02 - shift, { changed_at: '2026-11-20T11:40:00Z' }),
      ],
    },
    {
      market_type: 'point_spread',
      selections: [
        selection('home', 1.9 + shift, { line: -4.5 }),
        selection('away', 1.92 - shift, { line: 4.5 }),
      ],
    },
    {
      market_type: 'point_spread',
      selections: [
        selection('home', 2.2 + shift, { line: -6.5 }),
        selection('away', 1.68 - shift, { line: 6.5 }),
      ],
    },
    {
      market_type: 'total_points',
      line: 220.5,
      selections: [selection('over', 1.9 + shift), selection('under', 1.94 - shift)],
    },
    {
      market_type: 'player_points',
      line: 22.5,
      player_name: 'Jalen Brunson',
      stat_category: 'points',
      selections: [
        selection('over', 1.83 + shift),
        selection('under', 1.97 - shift, { suspended: true }),
      ],
    },
  ]
}

const soccer = (shift: number) => [
  {
    market_type: 'moneyline',
    selections: [
      selection('home', 2.4 + shift),
      selection('draw', 3.3),
      selection('away', 2.95 - shift),
    ],
  },
  {
    market_type: 'total_goals',
    line: 2.5,
    selections: [selection('over', 1.8 + shift), selection('under', 2.05 - shift)],
  },
]

/** A sportsbook first seen at each tier, and one that the reference data does not know. */
const sportsbooks = ['draftkings', 'fanduel', 'betmgm', 'bet365', 'pinnacle', 'Corner Shop Bets']

/** The live game of `fillBoard`, as the i-th sportsbook lists it. */
export const liveGame = (sportsbook: string, i: number): Quote => ({
  sportsbook,
  externalId: i % 2 ? null : `${i}-2`,
  home: 'Chicago Bulls',
  away: 'Miami Heat',
  startsAt: '2026-11-20T11:00:00Z',
  isLive: true,
})

/** Withdraws every price of the live game of `fillBoard`. */
export async function withdrawLiveGame(service: InProcess) {
  const records = sportsbooks.map((sportsbook, i) =>
    oddsRecord(service.clock(), { ...liveGame(sportsbook, i), markets: [] }),
  )
  await service.ingest(records)
  await service.settled()
}

/**
 * Fills both boards: one round of prices a minute ago, another now.
 * @returns ids of events, `upcoming` and `live` at every sportsbook and tier
 */
export async function fillBoard(service: InProcess) {
  await push(0)
  service.advance(61_000)
  service.boards.advance()
  await push(0.02)
  service.boards.advance()

  async function push(step: number) {
    const records = sportsbooks.flatMap((sportsbook, i) => {
      const shift = i / 100 + step
      const more = { sportsbook, externalId: `${i}-1` }
      return [
        oddsRecord(service.clock(), { ...more, markets: basketball(shift) }),
        oddsRecord(service.clock(), {
          ...liveGame(sportsbook, i),
          // Markets missing in the second round are removed.
          markets: basketball(shift).slice(0, step > 0 ? 3 : 5),
        }),
        oddsRecord(service.clock(), {
          ...more,
          sport: 'soccer',
          league: 'England - Premier League',
          home: 'Arsenal',
          away: 'Chelsea',
          startsAt: '2026-11-21T15:00:00Z',
          markets: soccer(shift),
        }),
      ]
    })
    const { body } = await service.ingest(records)
    if (body.data.accepted !== records.length) throw new Error(JSON.stringify(body))
    await service.settled()
  }

  const { body } = await service.get('/events')
  const find = (isLive: boolean): string =>
    body.data.find((event: { is_live: boolean; sport: string }) => {
      return event.is_live === isLive && event.sport === 'basketball'
    }).id
  return { upcoming: find(false), live: find(true) }
}

/** Adds a game on which every tier that may see one has an opportunity of each kind. */
export async function fillOpportunities(service: InProcess, shift = 0) {
  const offers = {
    pinnacle: [moneyline(1.95 + shift, 1.95), total(226.5, 1.95 + shift, 1.95 + shift)],
    draftkings: [moneyline(2.05 + shift, 1.85), total(224.5, 1.95 + shift, 1.9 + shift)],
    fanduel: [moneyline(1.88 + shift, 2.02), total(226.5, 1.9 + shift, 1.95 + shift)],
  }
  const records = Object.entries(offers).map(([sportsbook, markets]) =>
    oddsRecord(service.clock(), {
      sportsbook,
      markets,
      home: 'Denver Nuggets',
      away: 'Utah Jazz',
      startsAt: '2026-11-21T01:30:00Z',
    }),
  )
  const { body } = await service.ingest(records)
  if (body.data.accepted !== records.length) throw new Error(JSON.stringify(body))
  await service.settled()
}
