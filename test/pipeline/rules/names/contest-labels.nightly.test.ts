/**
 * Listings of other contests beside the games they are named after. Half of the labels are in no list of
 * the rules, and some mean nothing at all.
 */
import { describe, expect, test } from 'vitest'
import { type Candidate, findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Sides = readonly [home: string, away: string]

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(sport: string, league: string, ours: Sides, theirs: Sides): boolean {
  const candidate: Candidate = {
    id: 'x',
    home: theirs[0],
    away: theirs[1],
    startsAt,
    externalIds: new Map([['pinnacle', '1']]),
  }
  const listing = { home: ours[0], away: ours[1], startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
}

/** Games of leagues with a table of teams, of clubs known by name, and of unlisted clubs. */
const games: readonly (readonly [sport: string, league: string, home: string, away: string])[] = [
  ['basketball', 'nba', 'Los Angeles Lakers', 'Chicago Bulls'],
  ['basketball', 'nba', 'Miami Heat', 'New York Knicks'],
  ['basketball', 'nba', 'Los Angeles Clippers', 'Los Angeles Lakers'],
  ['football', 'nfl', 'Kansas City Chiefs', 'Buffalo Bills'],
  ['football', 'nfl', 'Giants', 'Cowboys'],
  ['baseball', 'mlb', 'New York Yankees', 'Boston Red Sox'],
  ['baseball', 'mlb', 'Pittsburgh Pirates', 'Milwaukee Brewers'],
  ['hockey', 'nhl', 'New York Rangers', 'Boston Bruins'],
  ['hockey', 'nhl', 'Dallas Stars', 'Vegas Golden Knights'],
  ['soccer', 'england_-_premier_league', 'Arsenal', 'Chelsea'],
  ['soccer', 'england_-_premier_league', 'Manchester United', 'Newcastle United'],
  ['soccer', 'iceland', 'Breidablik', 'Vikingur Reykjavik'],
  ['soccer', 'italy_-_serie_a', 'Inter', 'AC Milan'],
  ['soccer', 'italy_-_serie_a', 'Juventus', 'Napoli'],
  ['soccer', 'germany_-_bundesliga', 'Bayern Munich', 'Borussia Dortmund'],
  ['basketball', 'euroleague', 'Real Madrid', 'Olympiacos'],
  ['basketball', 'euroleague', 'Fenerbahce', 'Zalgiris Kaunas'],
  ['handball', 'a league', 'Kiel', 'Flensburg'],
  ['rugby', 'a league', 'Saracens', 'Leicester Tigers'],
  ['basketball', 'ncaab', 'Duke', 'Kansas'],
  ['basketball', 'ncaab', 'Duke', 'North Carolina'],
  ['football', 'ncaaf', 'Alabama', 'Louisiana State'],
  ['hockey', 'khl', 'CSKA Moscow', 'SKA St Petersburg'],
  ['hockey', 'shl', 'Frolunda', 'Farjestad'],
  ['baseball', 'npb', 'Yomiuri Giants', 'Hanshin Tigers'],
  ['baseball', 'kbo', 'LG Twins', 'KIA Tigers'],
  ['tennis', 'atp', 'Jannik Sinner', 'Carlos Alcaraz'],
  ['tennis', 'atp', 'Sinner J.', 'Alcaraz C.'],
]

const labels = `
1H|2H|1Q|Q1|4Q|P1|P3|F5|First 5|HT|Series|To Win Series|2K25|NBA 2K|Madden|NHL 25|FC 25|The Show|Simulation
Sim|AI|All Stars|Alumni|G League|Regulation|60 Min|OT|ET|Alternate|Props|Set 1|SOG|PP|PIM|3PT|TD|HR|CK|SOT
TT|Alt|Ks|SV|RC|YC|AS|TB|FG|REB|AST|PTS|BLK|RBI|First Half|1st Half|Inning 1|Overtime|eSports|Corners
Quarter 3|Race to 20|Last 10|Blitz|Turbo|Replay|Classic|Zorvex|Quimby Nine|XQ7|Blorp|H2H|2v2|Wrap|Boost|Minute 15
Second Unit|Winners|Futures|Parlay|RPB|Fantasy|Draft|Skills|Exhibition|Replay 2024|7v7|Halfcourt|Prime|G2`
  .trim()
  .split(/[|\n]/)

/** Labels that clubs also have as forms, and teams as initials. */
const likeForms = ['FT', 'BB', 'GK', 'RL', 'SA', 'HB', 'CS', 'CB', 'SE', 'BS', 'CP', 'GD']

const places: Readonly<Record<string, (name: string, label: string) => string>> = {
  behind: (name, label) => `${name} ${label}`,
  before: (name, label) => `${label} ${name}`,
  'behind a dash': (name, label) => `${name} - ${label}`,
  'before a dash': (name, label) => `${label} - ${name}`,
  'before a colon': (name, label) => `${label}: ${name}`,
  'behind a colon': (name, label) => `${name}: ${label}`,
  'behind, in brackets': (name, label) => `${name} (${label})`,
  'before, in brackets': (name, label) => `(${label}) ${name}`,
  'in square brackets': (name, label) => `${name} [${label}]`,
}

describe('words on both names of a listing that the other names lack', () => {
  test.each(Object.entries(places))('are a label of another contest: %s', (_, write) => {
    const joined: string[] = []
    const inBrackets = write('A', 'E').includes('E)') ? ['E'] : []
    for (const [sport, league, home, away] of games)
      for (const label of [...labels, ...inBrackets, ...(sport === 'tennis' ? [] : likeForms)]) {
        const plain: Sides = [home, away]
        const marked: Sides = [write(home, label), write(away, label)]
        if (areOne(sport, league, marked, plain)) joined.push(`${marked.join(' v ')}`)
        if (areOne(sport, league, plain, marked)) joined.push(`${marked.join(' v ')}, first`)
        expect(areOne(sport, league, marked, marked), marked.join(' v ')).toBe(true)
      }
    expect(joined).toEqual([])
  })
})

describe('labels that are written on to a name', () => {
  const glued = [...labels, ...likeForms].filter((label) =>
    /^(?:[A-Z]{2,}\d*|[A-Z]\d|\d{1,2}[A-Z]{1,2})$/.test(label),
  )

  test.each([true, false])('are a label of another contest, on both names: %s', (isOnBoth) => {
    const joined: string[] = []
    for (const [sport, league, home, away] of games)
      for (const label of glued) {
        if (!/\p{Ll}$/u.test(home) || !/\p{Ll}$/u.test(away)) continue
        if (!isOnBoth && !isKnownWhole(league)) continue
        const marked: Sides = [home + label, isOnBoth ? away + label : away]
        if (areOne(sport, league, marked, [home, away])) joined.push(marked.join(' v '))
        expect(areOne(sport, league, marked, marked), marked.join(' v ')).toBe(true)
      }
    expect(joined).toEqual([])
  })
})

/** Leagues all of whose teams are known, where nothing else stands beside a name. */
const isKnownWhole = (league: string) => ['nba', 'nfl', 'nhl'].includes(league)

/** Labels that can be nothing else, in any sport of teams and of persons. */
const plainLabels = `
1st Qtr|Qtr 1|First 5|ET|Extra Time|Shootout|Penalty Shootout|Series|Series Winner|To Advance|To Qualify|2K25|FC 26
Simulation|HT|Total Bases|Team Total|Boosted|3-Way|1st Half|3rd Period|Set 1|Map 2|SGP`
  .trim()
  .split(/[|\n]/)

/** Labels that are another contest beside any team, and those with up to two letters, beside a known team alone. */
const teamLabels =
  `Madden|The Show|Sim|All Stars|Alumni|G League|60 Min|Alternate|Alt|Legends|Fantasy`.split('|')
const shortLabels = `FT|HT|AI|PP|TD|HR|CK|TT|E`.split('|')
const unlisted = ['Breidablik', 'Fenerbahce', 'Kiel', 'Saracens']

/** Returns the labels that only teams of this game, with all teams of its league known or not, can have. */
function labelsOfTeams(sport: string, home: string, isInBrackets: boolean): readonly string[] {
  if (sport === 'tennis') return []
  // Ty Madden is a pitcher.
  const long = teamLabels.filter((label) => sport !== 'baseball' || label !== 'Madden')
  return isInBrackets || unlisted.includes(home) ? long : [...long, ...shortLabels]
}

describe('words on one name of a listing', () => {
  test.each(Object.entries(places))('are a label of another contest: %s', (_, write) => {
    const joined: string[] = []
    const isInBrackets = /[([]E/.test(write('A', 'E'))
    // HT München is a club.
    const elsewhere = plainLabels.filter(
      (label) => label !== 'HT' || write('A', '').startsWith('A'),
    )
    for (const [sport, league, home, away] of games)
      for (const label of [
        ...(isKnownWhole(league) && !isInBrackets ? [...plainLabels, ...labels] : elsewhere),
        ...labelsOfTeams(sport, home, isInBrackets),
      ])
        for (const marked of [
          [write(home, label), away],
          [home, write(away, label)],
        ] as const)
          if (areOne(sport, league, marked, [home, away])) joined.push(marked.join(' v '))
    expect(joined).toEqual([])
  })

  test.each([
    ['nba', 'Chicago Bulls CHI', 'Los Angeles Lakers'],
    ['nba', 'Bulls Chicago', 'Lakers (Los Angeles)'],
    ['nfl', 'The Buffalo Bills', 'New York Jets NY'],
    ['afl', 'Carlton FC', 'Essendon Bombers'],
    ['nfl', 'Buffalo Bills (11-5)', 'New York Jets (5-12)'],
    ['nba', '502 Chicago Bulls', '501 Los Angeles Lakers'],
    ['nba', '#1 Chicago Bulls', 'Los Angeles Lakers (M1)'],
    ['nba', 'Chicago Bulls (H)', 'Los Angeles Lakers (A)'],
    ['nba', 'Chicago Bulls - Home', 'Los Angeles Lakers'],
    ['nba', 'Chicago Bulls ML', 'Los Angeles Lakers (NBA)'],
    ['nba', 'NBA Chicago Bulls', 'Los Angeles Lakers (Neutral)'],
    ['nba', 'Chicago Bulls (+3.5)', 'Los Angeles Lakers (USA)'],
    ['nhl', 'New York Rangers (M1)', 'Boston Bruins (WC2)'],
  ])('that belong to the team are none: %s, %s v %s', (league, home, away) => {
    const sports = { nba: 'basketball', nfl: 'football', nhl: 'hockey', afl: 'australian_rules' }
    const sport = sports[league as keyof typeof sports]
    const names: Record<string, Sides> = {
      nba: ['Chicago Bulls', 'Los Angeles Lakers'],
      nfl: ['Buffalo Bills', 'New York Jets'],
      nhl: ['New York Rangers', 'Boston Bruins'],
      afl: ['Carlton', 'Essendon'],
    }
    expect(areOne(sport, league, [home, away], names[league]!)).toBe(true)
  })
})
