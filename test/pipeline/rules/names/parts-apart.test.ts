/** What punctuation sets apart from one name of a listing, in leagues with and without a table of teams. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Sides = readonly [home: string, away: string]

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(sport: string, league: string, ours: Sides, theirs: Sides): boolean {
  const externalIds = new Map([['pinnacle', '1']])
  const candidate = { id: 'x', home: theirs[0], away: theirs[1], startsAt, externalIds }
  const listing = { home: ours[0], away: ours[1], startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
}

const games: readonly (readonly [sport: string, league: string, home: string, away: string])[] = [
  ['basketball', 'nba', 'Los Angeles Lakers', 'Chicago Bulls'],
  ['basketball', 'euroleague', 'Real Madrid', 'Partizan'],
  ['basketball', 'ncaab', 'Duke', 'Kansas'],
  ['football', 'nfl', 'Kansas City Chiefs', 'Buffalo Bills'],
  ['baseball', 'mlb', 'Detroit Tigers', 'Atlanta Braves'],
  ['baseball', 'kbo', 'LG Twins', 'Doosan Bears'],
  ['hockey', 'nhl', 'New York Rangers', 'Boston Bruins'],
  ['hockey', 'khl', 'SKA', 'CSKA Moscow'],
  ['soccer', 'england_-_premier_league', 'Arsenal', 'Chelsea'],
  ['soccer', 'club_friendlies', 'Paris Saint-Germain', 'Bodo/Glimt'],
  ['soccer', 'iceland', 'Breidablik', 'Vikingur Reykjavik'],
  ['cricket', 'ipl', 'Mumbai Indians', 'Chennai Super Kings'],
  ['rugby', 'top_14', 'Toulouse', 'Clermont'],
  ['rugby_league', 'nrl', 'Penrith Panthers', 'Parramatta Eels'],
  ['volleyball', 'superlega', 'Perugia', 'Trentino'],
  ['handball', 'a league', 'Kiel', 'Flensburg'],
  ['esports', 'lol', 'T1', 'Gen.G'],
  ['tennis', 'atp', 'Jannik Sinner', 'Carlos Alcaraz'],
  ['darts', 'pdc', 'Luke Littler', 'Luke Humphries'],
  ['snooker', 'wst', "Ronnie O'Sullivan", 'Judd Trump'],
  ['mma', 'ufc', 'Jon Jones', 'Stipe Miocic'],
]

function sidesOf(game: string): Sides {
  const [home = '', away = ''] = game.split(' v ')
  return [home, away]
}

const isInBrackets = (write: (name: string, text: string) => string) => write('A', 'B') === 'A (B)'

describe('text that is set apart from one name of a listing', () => {
  test.each([
    ['behind a dash', (name: string, text: string) => `${name} - ${text}`],
    ['behind a long dash', (name: string, text: string) => `${name} – ${text}`],
    ['behind a bar', (name: string, text: string) => `${name} | ${text}`],
    ['behind a colon', (name: string, text: string) => `${name}: ${text}`],
    ['before a dash', (name: string, text: string) => `${text} - ${name}`],
    ['before a colon', (name: string, text: string) => `${text}: ${name}`],
    ['in brackets', (name: string, text: string) => `${name} (${text})`],
  ] as const)('is of another contest, whatever it says: %s', (_, write) => {
    const joined: string[] = []
    for (const [sport, league, home, away] of games)
      for (const text of ['Zorvex Quimby', 'Most 180s', 'Method of Victory', 'Race To 15'])
        for (const marked of [
          [write(home, text), away],
          [home, write(away, text)],
        ] as const) {
          // In baseball brackets name the pitcher.
          if (sport === 'baseball' && isInBrackets(write)) continue
          if (areOne(sport, league, marked, [home, away])) joined.push(marked.join(' v '))
          if (areOne(sport, league, [home, away], marked))
            joined.push(`${marked.join(' v ')}, first`)
          expect(areOne(sport, league, marked, marked), marked.join(' v ')).toBe(true)
        }
    expect(joined).toEqual([])
  })

  test.each([
    ['soccer', 'club_friendlies', 'Arsenal - Enhanced v Chelsea', 'Arsenal v Chelsea'],
    ['soccer', 'club_friendlies', 'Arsenal v Chelsea (In-Play 10 min)', 'Arsenal v Chelsea'],
    ['baseball', 'mlb', 'Tigers v Braves - NRFI', 'Tigers v Braves'],
    ['baseball', 'mlb', 'Tigers - Zorvex v Braves - Zorvex', 'Tigers v Braves'],
    ['soccer', 'cup', 'Arsenal (Champion) v Chelsea (Champion)', 'Arsenal v Chelsea'],
    ['darts', 'pdc', 'Littler (The Show) v Humphries (The Show)', 'Littler v Humphries'],
    ['soccer', 'cup', 'Arsenal (Arsenal Corners) v Chelsea', 'Arsenal v Chelsea'],
    ['soccer', 'cup', 'Arsenal - WSL v Chelsea', 'Arsenal v Chelsea'],
    ['soccer', 'cup', 'Arsenal (Premier League 2) v Chelsea', 'Arsenal v Chelsea'],
    ['mma', 'ufc', 'Jones v Miocic (Rematch)', 'Jon Jones v Stipe Miocic'],
    ['darts', 'pdc', 'Littler v Humphries - 1st Leg', 'Luke Littler v Luke Humphries'],
  ])('may be one word: %s %s, %s', (sport, league, marked, plain) => {
    expect(areOne(sport, league, sidesOf(marked), sidesOf(plain))).toBe(false)
  })

  test.each([
    ['basketball', 'nba', 'Chicago Bulls - Home v NBA: Utah Jazz', 'Bulls v Jazz'],
    ['basketball', 'nba', 'Bulls v Utah Jazz | Neutral Venue', 'Bulls v Jazz'],
    ['soccer', 'cup', 'Bodo - Glimt v Paris Saint - Germain', 'Bodo/Glimt v Paris Saint-Germain'],
    ['soccer', 'cup', 'Lech - Poznan v Widzew Lodz - Home', 'KKS Lech Poznan v Widzew'],
    ['soccer', 'cup', 'FC Koln (Playoff Winner) v Arsenal', 'FC Koln v Arsenal'],
    ['soccer', 'cup', 'Central Cordoba (Santiago del Estero) v Lanus', 'Central Cordoba v Lanus'],
    ['soccer', 'cup', 'Arsenal - England v Slavia Praha: Live', 'Arsenal v Slavia Praha'],
    ['soccer', 'cup', 'Arsenal (2nd Leg) v Bayern Munich', 'Arsenal v Bayern Munich'],
    ['soccer', 'copa_del_rey', 'Copa del Rey: Arnedo v Astorga', 'Arnedo v Astorga'],
    ['baseball', 'mlb', 'Tigers - T. Skubal v Braves - C Sale', 'Tigers v Braves'],
    ['baseball', 'mlb', 'Tigers (Skubal - L) v Braves (Chris Sale)', 'Tigers v Braves'],
    ['soccer', 'fa_cup', 'Arsenal (2nd Tier) v Chelsea', 'Arsenal v Chelsea'],
    ['soccer', 'champions_league', 'Arsenal (Premier League) v PSG', 'Arsenal v PSG'],
    ['soccer', 'cup', 'Nacional (Montevideo Uruguay) v River Plate', 'Nacional v River Plate'],
    ['soccer', 'cup', 'Bayern Munich - Men v Real Madrid - Men', 'Bayern Munich v Real Madrid'],
    ['football', 'nfl', 'Chiefs (Neutral Site) v Buffalo Bills', 'Chiefs v Bills'],
    ['basketball', 'nba', 'Celtics (1st East) v Lakers (3rd West)', 'Celtics v Lakers'],
    ['basketball', 'ncaab', 'Duke (#1 Seed) v Vermont (#16 Seed)', 'Duke v Vermont'],
    ['baseball', 'mlb', 'Yankees - Gerrit Cole v Red Sox - Brayan Bello', 'Yankees v Red Sox'],
    ['tennis', 'atp', 'Sinner (Wildcard) v Alcaraz (Qual.)', 'Jannik Sinner v Carlos Alcaraz'],
    ['tennis', 'atp', 'Sinner (Seed 1) v Alcaraz (Seed 2)', 'Jannik Sinner v Carlos Alcaraz'],
    ['tennis', 'atp', 'Sinner (Retired) v Alcaraz', 'Jannik Sinner v Carlos Alcaraz'],
    ['mma', 'ufc', 'Jon Jones (Champion) v Stipe Miocic', 'Jon Jones v Stipe Miocic'],
    ['mma', 'ufc', 'Jon Jones (C) v Tom Aspinall (IC)', 'Jon Jones v Tom Aspinall'],
    ['mma', 'ufc', 'Jon Jones (Champion) v Aspinall (Interim Champion)', 'Jon Jones v Aspinall'],
    ['boxing', 'boxing', 'Oleksandr Usyk (C) v Tyson Fury (C)', 'Oleksandr Usyk v Tyson Fury'],
    ['boxing', 'boxing', 'Usyk (Champion) v Fury (Champion)', 'Oleksandr Usyk v Tyson Fury'],
    ['boxing', 'boxing', 'Oleksandr Usyk (IC) v Tyson Fury (IC)', 'Usyk v Fury'],
    ['darts', 'pdc', 'Littler (The Nuke) v Humphries (The Cool Hand)', 'Littler v Humphries'],
    ['mma', 'ufc', 'UFC 300: Jon Jones v Stipe Miocic', 'Jon Jones v Stipe Miocic'],
    ['tennis', 'atp', 'Alcaraz/Sinner v J.Peers - M.Venus', 'Alcaraz/Sinner v Peers/Venus'],
    ['tennis', 'atp', 'Sinner (ITA) v Alcaraz (Spain)', 'Jannik Sinner v Carlos Alcaraz'],
  ])('is none if it says something of the same game: %s %s, %s', (sport, league, marked, plain) => {
    expect(areOne(sport, league, sidesOf(marked), sidesOf(plain))).toBe(true)
  })
})
