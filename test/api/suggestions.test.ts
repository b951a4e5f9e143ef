import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Filter, suggest } from '../../api/ask/suggestions.ts'
import { findLeague } from '../../schemas/reference/leagues.ts'
import { expandMarketFilter } from '../../schemas/reference/markets.ts'
import { findSport } from '../../schemas/reference/sports.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'

const halves = (half: string) =>
  ['moneyline', 'point_spread', 'total_points', 'total_goals']
    .map((type) => `${half}_${type}`)
    .join(',')

/** A `filter=value` as sent, with the suggested one. */
const meant: Readonly<Record<string, string>> = {
  // another spelling of a name
  'league=epl ': 'league=england_-_premier_league',
  'league=premier_league': 'league=england_-_premier_league',
  'league=Premier League': 'league=england_-_premier_league',
  'league=LaLiga': 'league=spain_-_la_liga',
  'league=champions league uefa': 'league=uefa_-_champions_league',
  'sport=ice-hockey': 'sport=hockey',
  'sport=tennis table': 'sport=table_tennis',
  'sport=mens tennis': 'sport=tennis',
  'sportsbook=PIN': 'sportsbook=pinnacle',
  'sportsbook=Hard-Rock': 'sportsbook=hardrock',
  'sportsbook=draftkings.com': 'sportsbook=draftkings',
  'market=Point Spread': 'market=point_spread',
  'market=spreads': 'market=spread',
  'market=over_under': 'market=total',
  'market=h2h': 'market=moneyline',
  'market=1x2': 'market=moneyline',
  'market=btts': 'market=both_teams_to_score',
  'market=player_pts': 'market=player_points',
  'market=passing yards': 'market=player_passing_yards',
  'market=anytime td': 'market=anytime_touchdown_scorer',
  'market=first_goalscorer': 'market=first_goal_scorer',
  'market=player_props': 'market=props',
  'market=f5 ml': 'market=1st_5_innings_moneyline',
  'market=1st_half_spread': 'market=1st_half_point_spread',
  'market=2nd_half': `market=${halves('2nd_half')}`,
  // a value of another filter
  'league=1st_half': `market=${halves('1st_half')}`,
  'league=first half': `market=${halves('1st_half')}`,
  'league=2H': `market=${halves('2nd_half')}`,
  'league=player_props': 'market=props',
  'league=player_prop': 'market=player_prop',
  'league=moneyline': 'market=moneyline',
  'league=totals': 'market=total',
  'league=basketball': 'sport=basketball',
  'league=American Football': 'sport=football',
  'league=draftkings': 'sportsbook=draftkings',
  'sport=nfl': 'league=nfl',
  'sport=epl': 'league=england_-_premier_league',
  'sport=pinnacle': 'sportsbook=pinnacle',
  'sportsbook=nba': 'league=nba',
  'sportsbook=moneyline': 'market=moneyline',
  'market=draftkings': 'sportsbook=draftkings',
  'market=nba': 'league=nba',
  'market=soccer': 'sport=soccer',
  'league=soccr': 'sport=soccer',
  // typos and unfinished names
  'league=epll': 'league=england_-_premier_league',
  'league=nbaa': 'league=nba',
  'league=wnab': 'league=wnba',
  'league=premeir leauge': 'league=england_-_premier_league',
  'league=la ligaa': 'league=spain_-_la_liga',
  'league=english premier': 'league=england_-_premier_league',
  'league=uefa champions': 'league=uefa_-_champions_league',
  'league=nba basketball': 'league=nba',
  'league=england epl': 'league=england_-_premier_league',
  'league=premier league football': 'league=england_-_premier_league',
  'league=k league': 'league=korea_republic_-_k_league_1',
  'sport=basektball': 'sport=basketball',
  'sport=hocky': 'sport=hockey',
  'sport=tenis': 'sport=tennis',
  'sportsbook=draftking': 'sportsbook=draftkings',
  'sportsbook=pinacle': 'sportsbook=pinnacle',
  'sportsbook=pinn': 'sportsbook=pinnacle',
  'sportsbook=fan duell': 'sportsbook=fanduel',
  'sportsbook=ceasars': 'sportsbook=caesars',
  'market=moneylin': 'market=moneyline',
  'market=player_point': 'market=player_points',
}

/** Values that match no name closely, or match several. */
const unclear = [
  'league=ncaa',
  'league=ncaas',
  'league=world cup',
  'league=super league',
  'league=wimbledon',
  'league=england',
  'league=mexico',
  'league=european',
  'league=uefa',
  'league=league',
  'league=WNBL',
  'league=nrlw',
  'league=bundesliga 3',
  'league=ligue 3',
  'league=serie d',
  'league=primera b',
  'league=iraqi premier league',
  'league=slovenia - super liga',
  'league=cricket premier league',
  'league=lakers',
  'league=🏀',
  'sport=quidditch',
  'sport=sport',
  'sport=f1',
  'sportsbook=betano',
  'sportsbook=betonred',
  'sportsbook=bet',
  'sportsbook=bet99',
  'sportsbook=unibet dk',
  'sportsbook=stake',
  'market=points',
  'market=goals',
  'market=live',
  'market=player',
  'market=foo',
  'market=',
  'market=!!',
  'market=__proto__',
  'market=constructor',
  `league=${'premier league '.repeat(20)}`,
]

const parts = (text: string) => {
  const at = text.indexOf('=')
  return { field: text.slice(0, at) as Filter, value: text.slice(at + 1) }
}

describe('suggestions', () => {
  it.each(Object.entries(meant))('%s may mean %s', (sent, better) => {
    const { field, value } = parts(sent)
    const wanted = parts(better)
    expect(suggest(field, value)).toEqual({ field, value, try: { [wanted.field]: wanted.value } })
  })

  it.each(unclear)('%s may mean anything', (sent) => {
    const { field, value } = parts(sent)
    expect(suggest(field, value)).toBeUndefined()
  })

  it('name values that the filter accepts', () => {
    const isKnown: Record<Filter, (id: string) => boolean> = {
      sport: (id) => findSport(id)?.id === id,
      league: (id) => findLeague(id)?.id === id,
      sportsbook: (id) => findSportsbook(id)?.id === id,
      market: (id) => expandMarketFilter(id) !== undefined,
    }
    for (const better of Object.values(meant)) {
      const { field, value } = parts(better)
      for (const id of value.split(',')) expect(isKnown[field](id), id).toBe(true)
    }
  })

  it('leave valid names unchanged', () => {
    expect(suggest('sport', 'golf')?.try).toEqual({ sport: 'golf' })
    expect(suggest('league', 'mma')?.try).toEqual({ league: 'mma' })
    expect(suggest('market', 'total')?.try).toEqual({ market: 'total' })
  })

  const hostile = [
    'a'.repeat(200),
    'premeir leauge xoccer '.repeat(9),
    'bx lx px sx tx mx nx fx',
    'plyaer totla 1ts hafl sperad monyeline quartre gaols',
    'x '.repeat(100),
    'é́'.repeat(66),
    '1st_half_'.repeat(22),
  ]

  it('take little longer than for an honest mistake, whatever is sent', () => {
    const fields = ['sport', 'league', 'sportsbook', 'market'] as const
    for (const value of hostile) for (const field of fields) suggest(field, value)
    /** Returns the shortest of several runs: the machine may be busy, the work is the same. */
    const shortestMs = (value: string) => {
      const times = Array.from({ length: 15 }, () => {
        const start = performance.now()
        for (const field of fields) suggest(field, value)
        return performance.now() - start
      })
      return Math.min(...times)
    }
    for (const value of hostile) {
      const honestMs = shortestMs('player toatl points')
      expect(shortestMs(value) / honestMs, value.slice(0, 30)).toBeLessThan(10)
    }
  })

  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Filter>('sport', 'league', 'sportsbook', 'market'),
        fc.string({ unit: 'binary', maxLength: 220 }),
        (field, value) => {
          suggest(field, value)
        },
      ),
      { numRuns: 300 },
    )
  })
})
