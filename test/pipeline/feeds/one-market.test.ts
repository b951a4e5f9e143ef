/** The same question under every source's own name, in each sport, must become one market. */

import { describe, expect, it } from 'vitest'
import { parseBovada } from '../../../pipeline/feeds/bovada/parse.ts'
import { parseCaesars } from '../../../pipeline/feeds/caesars/parse.ts'
import { parseDraftKings } from '../../../pipeline/feeds/draftkings/parse.ts'
import { parseFanDuel } from '../../../pipeline/feeds/fanduel/parse.ts'
import { parseKambi } from '../../../pipeline/feeds/kambi/parse.ts'
import { parseLeague } from '../../../pipeline/feeds/pinnacle/parse.ts'
import { parseValue } from '../../../pipeline/feeds/push/parse.ts'
import { parseOdds } from '../../../pipeline/feeds/the-odds-api/parse.ts'
import type { FeedRecord } from '../../../schemas/feed-record.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const start = '2026-11-21T15:00:00Z'

/** The outcomes of a market, with the line of each outcome's own side. */
interface Answers {
  readonly types: readonly ('home' | 'away' | 'draw' | 'over' | 'under')[]
  readonly line: number | null
}
const lineOf = (type: string, line: number | null) =>
  line === null ? undefined : type === 'away' ? -line : line

/** Parses a source's payload with one market under its label. */
type Source = (sport: string, label: string, answers: Answers) => readonly FeedRecord[]

const sources = {
  push: (sport, market_type, { types, line }) => {
    const selections = types.map((selection_type) => ({
      selection_type,
      odds_decimal: 1.9,
      ...(line !== null && { line: lineOf(selection_type, line) }),
    }))
    const parsed = parseValue(
      {
        type: 'odds',
        sportsbook: 'pinnacle',
        mode: 'snapshot',
        observed_at: '2026-11-20T11:59:00Z',
        event: {
          sport,
          league: `ours of ${sport}`,
          home_team: 'H',
          away_team: 'A',
          start_time: start,
        },
        markets: [{ market_type, selections }],
      },
      now,
    )
    return parsed.ok ? [parsed.record] : []
  },
  theOddsApi: (sport, key, { types, line }) => {
    const names = { home: 'H', away: 'A', draw: 'Draw', over: 'Over', under: 'Under' }
    const sports: Record<string, string> = { football: 'americanfootball', hockey: 'icehockey' }
    const outcomes = types.map((type) => ({
      name: names[type],
      price: 1.9,
      ...(line !== null && { point: lineOf(type, line) }),
    }))
    const event = {
      id: 'e',
      sport_key: `${sports[sport] ?? sport}_ours`,
      commence_time: start,
      home_team: 'H',
      away_team: 'A',
      bookmakers: [{ key: 'fanduel', markets: [{ key, outcomes }] }],
    }
    return parseOdds([event], { oddsFormat: 'decimal', receivedAt: now }).records
  },
  caesars: (sport, name, { types, line }) => {
    const sportIds: Record<string, string> = {
      football: 'americanfootball',
      hockey: 'icehockey',
      soccer: 'football',
    }
    const names = { home: '|H|', away: '|A|', draw: '|Tie|', over: '|Over|', under: '|Under|' }
    const selections = types.map((type) => ({
      id: type,
      name: names[type],
      type,
      active: true,
      price: { a: -110 },
    }))
    const isOver = sport === 'soccer' || sport === 'tennis' || sport === 'baseball'
    const metadata = { period: isOver ? 'MATCH' : 'MATCH_INC_OT' }
    const market = { id: 'm', name: `|${name}|`, active: true, metadata, selections }
    const payload = {
      id: 'e',
      name: '|A| |at| |H|',
      startTime: start,
      type: 'MATCH',
      sportId: sportIds[sport] ?? sport,
      competitionName: 'Ours',
      active: true,
      started: false,
      markets: [{ ...market, ...(line !== null && { line }) }],
    }
    return parseCaesars(payload, now).records
  },
  kambi: (sport, label, { types, line }) => {
    const sportNames: Record<string, string> = {
      football: 'AMERICAN_FOOTBALL',
      hockey: 'ICE_HOCKEY',
      soccer: 'FOOTBALL',
    }
    const codes = {
      home: 'OT_ONE',
      away: 'OT_TWO',
      draw: 'OT_CROSS',
      over: 'OT_OVER',
      under: 'OT_UNDER',
    }
    const kind = types.includes('over') ? 6 : line === null ? 2 : 1
    const outcomes = types.map((type, id) => ({
      id,
      type: codes[type],
      odds: 1900,
      status: 'OPEN',
      ...(line !== null && { line: 1000 * (lineOf(type, line) as number) }),
    }))
    const offer = { id: 1, eventId: 1, criterion: { label }, betOfferType: { id: kind }, outcomes }
    const event = {
      id: 1,
      name: 'H - A',
      homeName: 'H',
      awayName: 'A',
      start,
      group: 'Ours',
      sport: sportNames[sport] ?? sport.toUpperCase(),
      state: 'NOT_STARTED',
    }
    const options = { sportsbook: 'unibet', receivedAt: now }
    return parseKambi({ betOffers: [offer], events: [event] }, options).records
  },
  bovada: (sport, description, { types, line }) => {
    const codes = { home: 'H', away: 'A', draw: 'D', over: 'O', under: 'U' }
    const outcomes = types.map((type) => ({
      id: type,
      description: type,
      status: 'O',
      type: codes[type],
      price: { american: '-110', ...(line !== null && { handicap: String(lineOf(type, line)) }) },
    }))
    const period =
      sport === 'soccer'
        ? { description: 'Regulation Time', abbreviation: 'RT' }
        : sport === 'tennis'
          ? { description: 'Match', abbreviation: 'MT' }
          : { description: 'Game', abbreviation: 'G' }
    const key = types.includes('over')
      ? '2W-OU'
      : line !== null
        ? '2W-HCAP'
        : types.includes('draw')
          ? '3W-1X2'
          : '2W-12'
    const event = {
      id: 'e',
      description: 'A @ H',
      type: 'GAMEEVENT',
      startTime: Date.parse(start),
      live: false,
      competitors: [
        { id: 'h', name: 'H', home: true },
        { id: 'a', name: 'A', home: false },
      ],
      displayGroups: [{ markets: [{ id: 'm', description, key, status: 'O', period, outcomes }] }],
    }
    const path = [
      { description: 'Ours', type: 'LEAGUE' },
      { description: sport, type: 'SPORT' },
    ]
    return parseBovada([{ path, events: [event] }], now).records
  },
  draftKings: (sport, name, { types, line }) => {
    const selections = types.map((outcomeType) => ({
      id: outcomeType,
      marketId: 'm',
      label: outcomeType,
      trueOdds: 1.9,
      outcomeType,
      ...(line !== null && { points: lineOf(outcomeType, line) }),
    }))
    const payload = {
      sports: [{ id: '1', name: sport }],
      leagues: [{ id: '1', name: 'Ours' }],
      events: [
        {
          id: 'e',
          sportId: '1',
          leagueId: '1',
          name: 'A @ H',
          startEventDate: start,
          status: 'NOT_STARTED',
          participants: [
            { name: 'H', venueRole: 'Home' },
            { name: 'A', venueRole: 'Away' },
          ],
        },
      ],
      markets: [{ id: 'm', eventId: 'e', name, marketType: { name } }],
      selections,
    }
    return parseDraftKings(payload, now).records
  },
  fanDuel: (sport, marketType, { types, line }) => {
    const runners = types.map((type, selectionId) => ({
      selectionId,
      runnerName: type,
      handicap: lineOf(type, line) ?? 0,
      runnerStatus: 'ACTIVE',
      result: { type: type.toUpperCase() },
      winRunnerOdds: { trueOdds: { decimalOdds: { decimalOdds: 1.9 } } },
    }))
    const event = {
      eventId: 1,
      name: 'A @ H',
      openDate: start,
      inPlay: false,
      competitionId: 1,
      eventTypeId: 1,
    }
    const market = { marketId: 'm', eventId: 1, marketName: 'x', marketStatus: 'OPEN' }
    const attachments = {
      eventTypes: { 1: { name: sport } },
      competitions: { 1: { name: 'Ours' } },
      events: { 1: event },
      markets: { m: { ...market, marketType, runners } },
    }
    return parseFanDuel({ attachments }, now).records
  },
  pinnacle: (sport, type, { types, line }) => {
    const names: Record<string, string> = { football: 'Football', soccer: 'Soccer' }
    const matchup = {
      id: 1,
      type: 'matchup',
      participants: [
        { alignment: 'home', name: 'H' },
        { alignment: 'away', name: 'A' },
      ],
      league: { name: 'Ours', sport: { name: names[sport] ?? sport } },
      startTime: start,
      units: sport === 'tennis' && types.includes('over') ? 'Games' : 'Regular',
    }
    const prices = types.map((designation) => ({
      designation,
      price: -110,
      ...(line !== null && { points: lineOf(designation, line) }),
    }))
    const market = { matchupId: 1, type, period: 0, key: 'k', prices }
    return parseLeague([matchup], [market], now).records
  },
} satisfies Record<string, Source>

type Labels = Readonly<Partial<Record<keyof typeof sources, readonly string[]>>>

const winners: Labels = {
  push: ['moneyline', 'h2h', 'ml', 'Match Winner', 'money_line'],
  theOddsApi: ['h2h'],
  caesars: ['Money Line'],
  draftKings: ['Moneyline'],
  fanDuel: ['MONEY_LINE'],
  bovada: ['Moneyline'],
  pinnacle: ['moneyline'],
}
const spreads: Labels = {
  push: ['spread', 'Spreads', 'handicap', 'point_spread', 'Alternate Spread'],
  theOddsApi: ['spreads', 'alternate_spreads'],
  caesars: ['Spread', 'Match Spread', 'Handicap Betting'],
  draftKings: ['Spread', 'Spread Alternate'],
  fanDuel: ['MATCH_HANDICAP_(2-WAY)'],
  bovada: ['Point Spread', 'Spread'],
  pinnacle: ['spread'],
}
const totals: Labels = {
  push: ['total', 'Totals', 'Over/Under', 'O/U'],
  theOddsApi: ['totals', 'alternate_totals'],
  draftKings: ['Total', 'Total Alternate'],
  fanDuel: ['TOTAL_POINTS_(OVER/UNDER)'],
  bovada: ['Total'],
  pinnacle: ['total'],
}
const sides = ['home', 'away'] as const
const table: readonly [sport: string, kind: 'moneyline' | 'spread' | 'total', labels: Labels][] = [
  ['basketball', 'moneyline', { ...winners, kambi: ['Moneyline - Including Overtime'] }],
  ['basketball', 'spread', { ...spreads, kambi: ['Point Spread - Including Overtime'] }],
  [
    'basketball',
    'total',
    { ...totals, caesars: ['Total Points'], kambi: ['Total Points - Including Overtime'] },
  ],
  ['football', 'moneyline', { ...winners, kambi: ['Moneyline - Including Overtime'] }],
  ['football', 'spread', { ...spreads, kambi: ['Point Spread - Including Overtime'] }],
  [
    'football',
    'total',
    { ...totals, caesars: ['Total Points'], kambi: ['Total Points - Including Overtime'] },
  ],
  [
    'hockey',
    'moneyline',
    { ...winners, kambi: ['Moneyline - Including Overtime and penalty shootout'] },
  ],
  [
    'hockey',
    'spread',
    {
      ...spreads,
      caesars: ['Puck Line'],
      draftKings: ['Puck Line'],
      bovada: ['Puck Line'],
      kambi: ['Puck Line - Including Overtime and Penalty Shootout'],
    },
  ],
  [
    'hockey',
    'total',
    {
      ...totals,
      caesars: ['Total Goals'],
      kambi: ['Total Goals - Including Overtime and Penalty Shootout'],
    },
  ],
  ['baseball', 'moneyline', { ...winners, kambi: ['Moneyline'] }],
  [
    'baseball',
    'spread',
    {
      ...spreads,
      caesars: ['Run Line'],
      draftKings: ['Run Line'],
      bovada: ['Runline'],
      kambi: ['Run Line'],
    },
  ],
  ['baseball', 'total', { ...totals, caesars: ['Total Runs'], kambi: ['Total Runs'] }],
  [
    'soccer',
    'moneyline',
    {
      ...winners,
      push: [...(winners.push ?? []), '1x2', 'Full Time Result'],
      caesars: ['90 Minutes'],
      fanDuel: ['WIN-DRAW-WIN'],
      bovada: ['3-Way Moneyline'],
      kambi: ['Full Time'],
    },
  ],
  ['soccer', 'spread', { ...spreads, bovada: ['Goal Spread'], kambi: ['Handicap'] }],
  ['soccer', 'total', { ...totals, caesars: ['Total Goals'], kambi: ['Total Goals'] }],
  ['tennis', 'moneyline', { ...winners, caesars: ['Match Betting'], kambi: ['Match Odds'] }],
]

describe('a question has one name', () => {
  const cases = table.flatMap(([sport, kind, labels]) =>
    Object.entries(labels).flatMap(([source, names]) =>
      names.map((name) => [sport, kind, source as keyof typeof sources, name] as const),
    ),
  )
  it.each(cases)('%s %s at %s: %s', (sport, kind, source, name) => {
    const types =
      kind === 'total'
        ? (['over', 'under'] as const)
        : kind === 'moneyline' && sport === 'soccer'
          ? ([...sides, 'draw'] as const)
          : sides
    const line = kind === 'moneyline' ? null : kind === 'total' ? 8.5 : -1.5
    const records = (sources[source] as Source)(sport, name, { types, line })
    const markets = records.flatMap((record) => (record.type === 'odds' ? record.markets : []))
    const stated = markets.flatMap((market) =>
      market.selections.map((selection) => [
        market.marketType,
        selection.selectionType,
        selection.line ?? market.line,
      ]),
    )
    const id = mainMarketType(sport, kind)
    const byType = (a: readonly unknown[], b: readonly unknown[]) =>
      String(a[1]).localeCompare(String(b[1]))
    expect(stated.sort(byType)).toEqual(
      types.map((type) => [id, type, lineOf(type, line) ?? null]).sort(byType),
    )
  })
})
