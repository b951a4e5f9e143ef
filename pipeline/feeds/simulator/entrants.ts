/**
 * Who enters the leagues that play: teams and colleges of the reference tables with the spellings
 * that sportsbooks use for them, clubs of leagues that those do not have, and invented persons.
 */
import { colleges } from '../../../schemas/reference/known-sides.ts'
import { findTeam, type Team, teams } from '../../../schemas/reference/teams.ts'
import type { Participant } from './participants.ts'
import type { Dealer, Stock } from './people.ts'

const list = (text: string) => text.split('|')

/** Sides of leagues that the reference table does not have. */
export const listedSides: Readonly<Record<string, readonly string[]>> = {
  euroleague: list(
    'Real Madrid|Barcelona|Panathinaikos|Olympiacos|Fenerbahce|Anadolu Efes|Zalgiris Kaunas|' +
      'Bayern Munich|Virtus Bologna|Olimpia Milano|Partizan|Crvena Zvezda|Monaco|Paris Basketball|' +
      'Baskonia|Maccabi Tel Aviv|ASVEL|Valencia Basket',
  ),
  'australia_-_nbl': list(
    'Adelaide 36ers|Brisbane Bullets|Cairns Taipans|Illawarra Hawks|Melbourne United|' +
      'New Zealand Breakers|Perth Wildcats|South East Melbourne Phoenix|Sydney Kings|' +
      'Tasmania JackJumpers',
  ),
  'australia_-_a_league': list(
    'Sydney FC|Western Sydney Wanderers|Melbourne Victory|Melbourne City|Brisbane Roar|' +
      'Adelaide United|Perth Glory|Central Coast Mariners|Newcastle Jets|Wellington Phoenix|' +
      'Macarthur FC|Auckland FC',
  ),
  nrl: list(
    'Brisbane Broncos|Canberra Raiders|Canterbury Bulldogs|Cronulla Sharks|Gold Coast Titans|' +
      'Manly Sea Eagles|Melbourne Storm|Newcastle Knights|Parramatta Eels|Penrith Panthers|' +
      'Sydney Roosters|New Zealand Warriors|South Sydney Rabbitohs|North Queensland Cowboys|' +
      'St George Illawarra Dragons|Wests Tigers',
  ),
  'australia_-_big_bash_league': list(
    'Adelaide Strikers|Brisbane Heat|Hobart Hurricanes|Melbourne Renegades|Melbourne Stars|' +
      'Perth Scorchers|Sydney Sixers|Sydney Thunder',
  ),
  ipl: list(
    'Chennai Super Kings|Delhi Capitals|Gujarat Titans|Kolkata Knight Riders|Mumbai Indians|' +
      'Punjab Kings|Rajasthan Royals|Sunrisers Hyderabad|Lucknow Super Giants|' +
      'Royal Challengers Bengaluru',
  ),
  'england_-_t20_blast': list(
    'Derbyshire|Durham|Essex|Glamorgan|Gloucestershire|Hampshire|Kent|Lancashire|Leicestershire|' +
      'Middlesex|Northamptonshire|Nottinghamshire|Somerset|Surrey|Sussex|Warwickshire|' +
      'Worcestershire|Yorkshire',
  ),
  'england_-_premiership_rugby': list(
    'Bath|Bristol Bears|Exeter Chiefs|Gloucester|Harlequins|Leicester Tigers|Northampton Saints|' +
      'Sale Sharks|Saracens|Newcastle Red Bulls',
  ),
  'france_-_top_14': list(
    'Bayonne|Bordeaux Begles|Castres|Clermont|La Rochelle|Lyon|Montpellier|Pau|Racing 92|' +
      'Stade Francais|Toulon|Toulouse|Perpignan|Montauban',
  ),
  'sweden_-_shl': list(
    'Brynas|Farjestad|Frolunda|HV71|Leksand|Linkoping|Lulea|Malmo Redhawks|Orebro|Rogle|Skelleftea|' +
      'Timra|Vaxjo Lakers|Djurgarden',
  ),
  'japan_-_npb': list(
    'Yomiuri Giants|Hanshin Tigers|Chunichi Dragons|Hiroshima Carp|Yakult Swallows|' +
      'Yokohama BayStars|Softbank Hawks|Lotte Marines|Orix Buffaloes|Nippon Ham Fighters|' +
      'Rakuten Eagles|Seibu Lions',
  ),
  'usa_-_nwsl': list(
    'Angel City|Bay FC|Chicago Stars|Gotham FC|Houston Dash|Kansas City Current|' +
      'North Carolina Courage|Orlando Pride|Portland Thorns|Racing Louisville|San Diego Wave|' +
      'Seattle Reign|Utah Royals|Washington Spirit',
  ),
  'mexico_-_liga_mx': list(
    'Club America|Guadalajara|Cruz Azul|Pumas UNAM|Tigres UANL|Monterrey|Santos Laguna|Toluca|Leon|' +
      'Pachuca|Atlas|Necaxa|Queretaro|Puebla|Tijuana|Juarez|Mazatlan|Atletico San Luis',
  ),
  'brazil_-_serie_a': list(
    'Flamengo|Fluminense|Vasco da Gama|Botafogo|Palmeiras|Corinthians|Sao Paulo|Santos|Gremio|' +
      'Internacional|Atletico Mineiro|Cruzeiro|Bahia|Vitoria|Fortaleza|Ceara|Sport Recife|' +
      'Bragantino|Juventude|Mirassol',
  ),
  'argentina_-_primera_division': list(
    'Boca Juniors|River Plate|Racing Club|Independiente|San Lorenzo|Velez Sarsfield|' +
      'Estudiantes La Plata|Gimnasia La Plata|Rosario Central|Newells Old Boys|Talleres Cordoba|' +
      'Belgrano|Instituto|Central Cordoba|Godoy Cruz|Lanus|Banfield|Defensa y Justicia|' +
      'Argentinos Juniors|Huracan|Tigre|Platense|Sarmiento|Union Santa Fe|Aldosivi|' +
      'Atletico Tucuman|Barracas Central|Independiente Rivadavia',
  ),
  'sweden_-_allsvenskan': list(
    'Malmo FF|Djurgarden|AIK|Hammarby|Elfsborg|BK Hacken|IFK Goteborg|IFK Norrkoping|Mjallby|' +
      'Halmstad|Sirius|Brommapojkarna|GAIS|Degerfors|Varnamo|Osters',
  ),
  'norway_-_eliteserien': list(
    'Bodo/Glimt|Molde|Rosenborg|Brann|Viking|Fredrikstad|Sarpsborg 08|Stromsgodset|Kristiansund|' +
      'HamKam|Tromso|Valerenga|KFUM Oslo|Sandefjord|Bryne|Haugesund',
  ),
  'korea_republic_-_k_league_1': list(
    'Jeonbuk Hyundai Motors|Ulsan HD|Pohang Steelers|Suwon FC|FC Seoul|Daegu FC|Gangwon FC|' +
      'Jeju United|Gwangju FC|Daejeon Hana Citizen|Gimcheon Sangmu|FC Anyang',
  ),
}

/** Clubs that play in the European cups, in midweek. */
const championsLeague = list(
  'arsenal|chelsea|liverpool|manchester-city|newcastle-united|tottenham-hotspur|barcelona|' +
    'real-madrid|atletico-madrid|athletic-bilbao|villarreal|inter|juventus|napoli|atalanta|' +
    'bayern-munich|borussia-dortmund|bayer-leverkusen|eintracht-frankfurt|paris-saint-germain|' +
    'marseille|monaco|psv-eindhoven|ajax|benfica|sporting-cp|galatasaray|olympiacos|club-brugge|' +
    'union-saint-gilloise|slavia-prague|fc-copenhagen|bodo-glimt|kairat|pafos|red-bull-salzburg',
)
const europaLeague = list(
  'aston-villa|nottingham-forest|crystal-palace|real-betis|celta-vigo|roma|bologna|freiburg|' +
    'stuttgart|lille|lyon|nice|porto|braga|fenerbahce|panathinaikos|paok|celtic|rangers|' +
    'feyenoord|utrecht|genk|fc-midtjylland|red-star-belgrade|ferencvaros|dinamo-zagreb|malmo-ff|' +
    'maccabi-tel-aviv|basel|young-boys|sturm-graz|viktoria-plzen|ludogorets|fcsb|brann|' +
    'go-ahead-eagles',
)
const inEurope = new Set([...championsLeague, ...europaLeague])

const nations = list(
  'argentina|brazil|france|england|spain|germany|portugal|netherlands|belgium|italy|croatia|' +
    'uruguay|colombia|mexico|usa|switzerland|denmark|sweden|norway|austria|poland|ukraine|serbia|' +
    'turkey|japan|south-korea|morocco|senegal|nigeria|egypt|ghana|canada',
)

const chosenTeams: Readonly<Record<string, readonly string[]>> = {
  'uefa_-_champions_league': championsLeague,
  'uefa_-_europa_league': europaLeague,
  'international_-_friendlies': nations,
}

/** Towns of the leagues that play in several zones. */
const towns: Readonly<Record<string, string>> = {
  'America/Los_Angeles':
    'Los Angeles|Golden State|Sacramento|Portland|Seattle|San Francisco|San Diego|San Jose|Anaheim|' +
    'Las Vegas|Vegas|Vancouver',
  'America/Phoenix': 'Phoenix|Arizona',
  'America/Denver': 'Denver|Colorado|Utah|Salt Lake City|Commerce City|Edmonton|Calgary',
  'America/Chicago':
    'Chicago|Dallas|Houston|Memphis|Milwaukee|Minnesota|New Orleans|Oklahoma City|San Antonio|' +
    'Kansas City|Green Bay|Tennessee|Nashville|St. Louis|Texas|Austin|Saint Paul|Winnipeg',
  'Australia/Adelaide': 'Adelaide',
  'Australia/Brisbane': 'Brisbane|Gold Coast',
  'Australia/Perth': 'Perth|Fremantle',
}
const zoneOfTown = new Map(
  Object.entries(towns).flatMap(([zone, text]) => list(text).map((town) => [town, zone] as const)),
)
/** The one team of those leagues that goes by no town. */
const zoneOfTeam = (team: Team) =>
  team.id === 'athletics' ? 'America/Los_Angeles' : zoneOfTown.get(team.city ?? '')

const east = 'America/New_York'
const central = 'America/Chicago'
const mountain = 'America/Denver'
const pacific = 'America/Los_Angeles'

/** Colleges as they are listed most, by conference and zone. */
const conferences: readonly (readonly [conference: string, zone: string, schools: string])[] = [
  ['SEC', east, 'Florida|Georgia|Kentucky|South Carolina|Tennessee'],
  ['SEC', central, 'Alabama|Arkansas|Auburn|LSU|Mississippi|Mississippi State|Missouri|Oklahoma'],
  ['SEC', central, 'Texas|Texas A&M|Vanderbilt'],
  [
    'Big Ten',
    east,
    'Indiana|Maryland|Michigan|Michigan State|Ohio State|Penn State|Purdue|Rutgers',
  ],
  ['Big Ten', central, 'Illinois|Iowa|Minnesota|Nebraska|Northwestern|Wisconsin'],
  ['Big Ten', pacific, 'Oregon|Southern California|UCLA|Washington'],
  ['Big 12', east, 'Central Florida|Cincinnati|West Virginia'],
  [
    'Big 12',
    central,
    'Baylor|Houston|Iowa State|Kansas|Kansas State|Oklahoma State|TCU|Texas Tech',
  ],
  ['Big 12', mountain, 'BYU|Colorado|Utah'],
  ['Big 12', 'America/Phoenix', 'Arizona|Arizona State'],
  ['ACC', east, 'Boston College|Clemson|Duke|Florida State|Georgia Tech|Louisville|North Carolina'],
  ['ACC', east, 'North Carolina State|Pittsburgh|Syracuse|Virginia|Virginia Tech|Wake Forest'],
  ['ACC', central, 'SMU|Notre Dame'],
  ['ACC', pacific, 'California|Stanford'],
  ['Mountain West', mountain, 'Air Force|Boise State|Colorado State|New Mexico|Utah State|Wyoming'],
  ['Mountain West', pacific, 'Fresno State|Nevada|San Diego State|UNLV'],
]
/** Those who have a team in one sport only, or none worth listing in the other. */
const ofOneSport: Readonly<Record<string, typeof conferences>> = {
  ncaaf: [
    ['American', east, 'East Carolina|Navy|Army|Temple|South Florida|Charlotte'],
    ['American', central, 'Memphis|North Texas|Rice|Tulane|Tulsa|UAB'],
    ['Sun Belt', east, 'Appalachian State|Coastal Carolina|James Madison|Marshall|Old Dominion'],
    ['Sun Belt', central, 'Arkansas State|South Alabama|Southern Miss|Troy|Texas State'],
  ],
  ncaab: [
    ['Big East', east, 'Connecticut|Georgetown|Providence|St Johns|Seton Hall|Villanova|Xavier'],
    ['Big East', central, 'Creighton|DePaul|Marquette|Butler'],
    ['Atlantic 10', east, 'Dayton|VCU|Richmond|Davidson|George Mason|Saint Josephs'],
    ['Atlantic 10', central, 'Saint Louis|Loyola Chicago'],
    ['West Coast', pacific, 'Gonzaga|Saint Marys|San Francisco|Santa Clara|Pepperdine|San Diego'],
  ],
}

const nicknames = new Map(colleges.map(({ name, nickname }) => [name, nickname]))

function collegesOf(league: string): Participant[] {
  return [...conferences, ...(ofOneSport[league] ?? [])].flatMap(([conference, zone, schools]) =>
    list(schools).map((name) => {
      const nickname = nicknames.get(name)
      if (nickname === undefined) throw new Error(`no college ${name} in the reference list`)
      return { key: name, names: [`${name} ${nickname}`, name], zone, conference, players: [] }
    }),
  )
}

const playersListed = 3
/** Long enough that nobody could take it for somebody else's. */
const shortestAlias = 4

function teamOf(team: Team, league: string, players: readonly string[]): Participant {
  const zone = zoneOfTeam(team)
  // A spelling that two teams share is left out: nobody could say which is meant.
  const own = team.aliases.filter(
    (alias) => alias.length >= shortestAlias && findTeam(alias, league)?.id === team.id,
  )
  return {
    key: team.id,
    names: [team.name, ...own],
    ...(zone !== undefined && { zone }),
    isInEurope: inEurope.has(team.id),
    players,
  }
}

/** A side that has no entry in the reference table: some sportsbooks write it in capitals. */
function inShouting(name: string): Participant {
  return { key: name, names: [name, name.toUpperCase()], players: [] }
}

const sideWords = list(
  'Copper Falcon|Night Harbor|Polar Engine|Silver Thread|Iron Lantern|Velvet Storm|Amber Circuit|' +
    'Hollow Crown|Static Bloom|Crimson Atlas|Quiet Signal|Paper Tigers|Northgate|Blue Meridian|' +
    'Rapid Foxes|Glass Anvil|Solar Drift|Winter Guard|Echo Seven|Lucky Cobalt|Harbor Lights|' +
    'Ninth Gate|Red Anchor|Frost Giants|Open Sky|Second Sun|Old Guard|Marble Kings|Low Tide|' +
    'Black Comet|Green Signal|River Wolves|High Noon|Stone Circle|Wild Orchid|Grey Harrier|' +
    'Golden Mile|Long Shadow|Bright Spark|Cold Front|Free Radicals|Lost Signal|Deep Blue|' +
    'Fast Lane|North Star|Iron Tide|Silent Peak|True North',
)
const sidesPerGame = 16

/** Persons; some sportsbooks write an accent, without a table of persons all that they may differ in. */
const alone = (name: string): Participant => ({
  key: name,
  names: [name, name.replace(/o(?=[^o]*$)/, 'ó')],
  players: [],
})

/** Fields that several leagues share, so that a tour's players are those of its majors. */
const fields: Readonly<Record<string, readonly [stock: Stock, size: number]>> = {
  atp: ['world men', 96],
  wta: ['world women', 96],
  atp_challenger: ['world men', 64],
  itf_men: ['world men', 64],
  itf_women: ['world women', 64],
  ufc: ['american men', 168],
  boxing: ['world men', 64],
  pga_tour: ['american men', 64],
  darts: ['world men', 64],
  snooker: ['world men', 64],
  setka_cup: ['world men', 128],
  czech_liga_pro: ['world men', 128],
}

export interface Entrants {
  /** @throws Error for a league that nobody enters */
  of(league: string, sport: string, hasProps: boolean): Participant[]
}

export function createEntrants(dealer: Dealer): Entrants {
  const fieldOf = new Map<string, Participant[]>()
  let esports = 0

  function field(name: string): Participant[] {
    const before = fieldOf.get(name)
    if (before) return before
    const [stock, size] = fields[name]!
    const dealt = dealer.deal('alone', stock, size).map(alone)
    fieldOf.set(name, dealt)
    return dealt
  }

  function players(league: string, sport: string, hasProps: boolean): string[] {
    if (!hasProps) return []
    const stock =
      league === 'wnba'
        ? 'american women'
        : sport === 'soccer' || sport === 'hockey'
          ? 'world men'
          : 'american men'
    return dealer.deal('team', stock, playersListed)
  }

  return {
    of(league, sport, hasProps) {
      const name = fields[league] ? league : (league.split('_-_')[0] ?? '')
      if (fields[name]) return field(name)
      if (fields[sport]) return field(sport)
      if (league.startsWith('ncaa')) return collegesOf(league)
      const listed = listedSides[league]
      if (listed) return listed.map(inShouting)
      if (sport === 'esports') {
        const from = sidesPerGame * esports++
        return sideWords.slice(from, from + sidesPerGame).map(inShouting)
      }
      const chosen = chosenTeams[league]
      const entered = chosen
        ? chosen.flatMap((id) => teams.find((team) => team.id === id && team.sport === sport) ?? [])
        : teams.filter((team) => team.leagues.includes(league))
      return entered.map((team) => teamOf(team, league, players(league, sport, hasProps)))
    },
  }
}
