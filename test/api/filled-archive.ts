/**
 * An archive with the closes of two games of 2026-11-20: every kind of close and of missing reason,
 * and a game whose sides were listed in reverse.
 */

import type { Archive } from '../../pipeline/archive/archive.ts'
import { archivedTables } from '../../pipeline/archive/archived-tables.ts'
import { valueEvents } from '../../pipeline/archive/clv.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'

export const startsAt = Date.parse('2026-11-20T00:30:00.000Z')
const minute = 60_000

const game = (id: string, of: Partial<EventRow>): EventRow => ({
  id,
  sport: 'basketball',
  league: 'nba',
  leagueMapped: true,
  homeTeam: 'New York Knicks',
  awayTeam: 'Brooklyn Nets',
  flipped: false,
  startsAt,
  status: 'live',
  isLive: true,
  updatedAt: startsAt,
  ...of,
})

export const knicks = game('nba_knicks_nets_2026-11-19_b3', {})
export const bulls = game('nba_bulls_jazz_2026-11-19_b3', {
  homeTeam: 'Chicago Bulls',
  awayTeam: 'Utah Jazz',
  flipped: true,
})

let lastId = 310_778_204_665_000
const close = (
  { id: eventId }: EventRow,
  sportsbook: string,
  price: number,
  noVig: number | null,
  of: Partial<ClosingLine> = {},
): ClosingLine => ({
  oddsId: ++lastId,
  eventId,
  sport: 'basketball',
  league: 'nba',
  sportsbook,
  marketType: 'moneyline',
  selection: 'Knicks',
  selectionType: 'home',
  line: null,
  playerName: null,
  statCategory: null,
  startsAt,
  capturedAt: startsAt + minute,
  pricedAt: startsAt - minute,
  price,
  noVig,
  withheld: null,
  missing: null,
  missingSince: null,
  ...of,
})

const away = { selectionType: 'away', selection: 'Nets' } as const
const spread = { marketType: 'point_spread', line: -4.5 } as const
const points = {
  marketType: 'player_points',
  selectionType: 'over',
  selection: 'A. Able Over',
  line: 22.5,
  playerName: 'A. Able',
  statCategory: 'points',
} as const
const none = { price: null, pricedAt: null, missing: 'withdrawn', missingSince: startsAt } as const

export const closes: readonly ClosingLine[] = [
  close(knicks, 'pinnacle', 1.95, 0.5),
  close(knicks, 'pinnacle', 1.95, 0.5, away),
  close(knicks, 'circa', 2, 0.48),
  close(knicks, 'circa', 1.9, 0.52, away),
  close(knicks, 'fanduel', 2.3, 0.4),
  close(knicks, 'fanduel', 1.6, 0.6, away),
  close(knicks, 'fanduel', 19.1, null, { ...points, withheld: 'far_from_consensus' }),
  close(knicks, 'draftkings', 1.91, null, points),
  close(knicks, 'draftkings', 1.9, 0.5, spread),
  close(knicks, 'draftkings', 0, null, { ...away, ...none }),
  close(bulls, 'pinnacle', 1.5, 0.64, { selection: 'Utah Jazz', capturedAt: startsAt - minute }),
  close(bulls, 'fanduel', 1.55, 0.62, { selection: 'Utah Jazz' }),
]

export async function fillArchive(archive: Archive): Promise<void> {
  await insert(archive, 'events', [knicks, bulls])
  await insert(archive, 'closing_lines', closes)
  const events = [knicks, bulls].map(({ id, league }) => ({ eventId: id, league }))
  await valueEvents(archive, sharpChain('pinnacle'), events)
}

async function insert(archive: Archive, name: string, rows: readonly object[]) {
  const { columns } = archivedTables.find(({ table }) => table === name)!
  const place = { log_epoch: 'filled', log_partition: 0 }
  const all = rows.map((row, i) => ({ ...columns(row as never), ...place, log_offset: i }))
  await archive.insert(name, `filled ${name}`, all)
}

export const archivedPriceId = '310778204664000'

/** Archives a price of the first game that was listed and moved. */
export async function archivePrice(archive: Archive) {
  const place = { log_epoch: 'prices', log_partition: 0 }
  const of = { event_id: knicks.id, odds_id: archivedPriceId }
  await archive.insert('event_changes', 'events of prices', [
    {
      event_id: knicks.id,
      sport: 'basketball',
      league: 'nba',
      league_mapped: true,
      home_team: knicks.homeTeam,
      away_team: knicks.awayTeam,
      listed_home: null,
      listed_away: null,
      flipped: false,
      starts_at: '2026-11-20 00:30:00.000',
      status: 'upcoming',
      is_live: false,
      updated_at: '2026-11-19 12:00:00.000',
      log_epoch: place.log_epoch,
      log_offset: 1,
    },
  ])
  await archive.insert('prices', 'prices', [
    {
      ...of,
      league: 'nba',
      sportsbook: 'fanduel',
      market_type: 'moneyline',
      selection: knicks.homeTeam,
      selection_type: 'home',
      line: null,
      player_name: null,
      stat_category: null,
      listed_at: '2026-11-19 12:00:00.000',
    },
  ])
  const change = { ...of, ...place, is_live: false, is_active: true }
  await archive.insert('price_changes', 'changes', [
    { ...change, at: '2026-11-19 12:00:00.000', price: 1.9, what: 1, log_offset: 2 },
    { ...change, at: '2026-11-19 13:00:00.000', price: 1.8, what: 2, log_offset: 3 },
  ])
}
