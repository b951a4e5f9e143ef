/**
 * Names from leagues without a reference table: pairs of spellings of one side at different sportsbooks, and pairs of
 * one league that must never match. Each part was written before the rules were tried on it, and some rules were
 * corrected by it, so today's figures flatter: the first tries found 97%, 91% and 95% of the pairs and merged 3%, 9%
 * and 10% of the others. New rows tell more than old ones.
 */
import { expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import {
  compareNames,
  nameKindOf,
  parseTeamName,
} from '../../../../pipeline/rules/names/team-names.ts'
import { mayAgree } from '../../../../pipeline/rules/names/team-outline.ts'

interface League {
  readonly sport: string
  readonly same: readonly (readonly [string, string])[]
  readonly different: readonly (readonly [string, string])[]
}

const rows = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((name) => name.trim()) as [string, string])

const leagues: Readonly<Record<string, League>> = {
  poland: {
    sport: 'soccer',
    same: rows(`Legia Warszawa | Legia Warsaw
      Lech Poznan | KKS Lech Poznań
      Wisla Krakow | Wisła Kraków
      Jagiellonia Bialystok | Jagiellonia
      Slask Wroclaw | WKS Śląsk Wrocław
      LKS Lodz | ŁKS Łódź
      Widzew Lodz | Widzew
      Zaglebie Lubin | KGHM Zagłębie Lubin`),
    different: rows(`LKS Lodz | Widzew Lodz
      Wisla Krakow | Cracovia Krakow
      Wisla Krakow | Wisla Plock
      Lech Poznan | Warta Poznan
      Legia Warszawa | Polonia Warszawa
      Zaglebie Lubin | Zaglebie Sosnowiec
      Gornik Zabrze | Gornik Leczna`),
  },
  czechia: {
    sport: 'soccer',
    same: rows(`Sparta Prague | AC Sparta Praha
      Slavia Praha | SK Slavia Prague
      Viktoria Plzen | FC Viktoria Plzeň
      Banik Ostrava | FC Baník Ostrava
      Slovan Liberec | FC Slovan Liberec
      Bohemians 1905 | Bohemians Praha 1905`),
    different: rows(`Sparta Prague | Slavia Prague
      Dukla Praha | Slavia Praha
      Slovan Liberec | Slovacko
      Bohemians Praha | Dukla Praha
      Viktoria Plzen | Viktoria Zizkov`),
  },
  sweden: {
    sport: 'soccer',
    same: rows(`Malmo FF | Malmö
      IFK Goteborg | IFK Gothenburg
      Djurgarden | Djurgårdens IF
      AIK | AIK Stockholm
      BK Hacken | Häcken
      Hammarby | Hammarby IF
      IFK Norrkoping | Norrköping
      IK Sirius | Sirius`),
    different: rows(`IFK Goteborg | IFK Norrkoping
      GAIS Goteborg | IFK Goteborg
      Hammarby | Halmstad
      AIK | Djurgarden
      IF Elfsborg | IFK Varnamo
      Orgryte | Goteborg`),
  },
  norway: {
    sport: 'soccer',
    same: rows(`Bodo/Glimt | FK Bodø/Glimt
      Rosenborg | Rosenborg BK
      SK Brann | Brann
      Viking FK | Viking Stavanger
      Tromso | Tromsø IL
      Sarpsborg 08 | Sarpsborg 08 FF
      Lillestrom SK | Lillestrøm`),
    different: rows(`Sandefjord | Sandnes Ulf
      Sarpsborg 08 | Sandefjord
      Stromsgodset | Start
      Molde | Moss
      Kristiansund BK | Kristiansand`),
  },
  denmark: {
    sport: 'soccer',
    same: rows(`FC Copenhagen | FC København
      AGF Aarhus | Aarhus GF
      Brondby | Brøndby IF
      Odense BK | OB Odense
      FC Nordsjaelland | Nordsjælland
      Aalborg BK | AaB Aalborg
      Silkeborg | Silkeborg IF`),
    different: rows(`FC Copenhagen | B 93 Copenhagen
      Aarhus GF | Aarhus Fremad
      Vejle BK | Viborg FF
      Sonderjyske | Silkeborg
      Odense BK | Hobro IK`),
  },
  greece: {
    sport: 'soccer',
    same: rows(`Olympiacos | Olympiakos Piraeus
      PAOK | PAOK Thessaloniki
      AEK Athens | AEK Athina
      Panathinaikos | Panathinaikos FC
      Aris | Aris Saloniki
      OFI Crete | OFI
      Atromitos | Atromitos Athens
      Asteras Tripolis | Asteras Tripoli`),
    different: rows(`AEK Athens | Panathinaikos Athens
      PAOK Thessaloniki | Aris Thessaloniki
      AEK Athens | AEL Larissa
      Panathinaikos | Panaitolikos
      Panserraikos | Panaitolikos
      Iraklis Thessaloniki | Aris Thessaloniki`),
  },
  austria: {
    sport: 'soccer',
    same: rows(`RB Salzburg | Red Bull Salzburg
      Rapid Vienna | SK Rapid Wien
      Austria Vienna | FK Austria Wien
      Sturm Graz | SK Sturm Graz
      Wolfsberger AC | Wolfsberg
      LASK | LASK Linz
      WSG Tirol | WSG Swarovski Tirol`),
    different: rows(`Rapid Wien | Austria Wien
      Sturm Graz | Grazer AK
      LASK Linz | Blau-Weiss Linz
      Austria Wien | Austria Klagenfurt
      Austria Lustenau | Austria Klagenfurt
      Red Bull Salzburg | Austria Salzburg`),
  },
  switzerland: {
    sport: 'soccer',
    same: rows(`Young Boys | BSC Young Boys Bern
      FC Basel | FC Basel 1893
      Grasshoppers | Grasshopper Club Zürich
      FC Zurich | Zürich
      Servette | Servette Geneva
      St. Gallen | FC St Gallen 1879
      FC Lausanne-Sport | Lausanne Sport`),
    different: rows(`FC Zurich | Grasshopper Zurich
      Lausanne-Sport | Stade Lausanne-Ouchy
      FC Sion | Servette
      FC Basel | Old Boys Basel
      Grasshoppers | Young Boys`),
  },
  ukraine: {
    sport: 'soccer',
    same: rows(`Dynamo Kyiv | Dinamo Kiev
      Shakhtar Donetsk | Shakhtar
      Zorya Luhansk | Zarya Lugansk
      Dnipro-1 | SC Dnipro-1
      Vorskla Poltava | FC Vorskla Poltava
      Metalist 1925 | Metalist 1925 Kharkiv`),
    different: rows(`Dynamo Kyiv | Obolon Kyiv
      Karpaty Lviv | Rukh Lviv
      Metalist Kharkiv | Metalurh Zaporizhzhia
      Chornomorets Odesa | Odesa`),
  },
  croatiaSerbiaRomania: {
    sport: 'soccer',
    same: rows(`Dinamo Zagreb | GNK Dinamo Zagreb
      Hajduk Split | HNK Hajduk Split
      Red Star Belgrade | Crvena Zvezda
      Partizan | Partizan Belgrade
      Red Star | FK Crvena zvezda Beograd
      FCSB | Steaua Bucuresti
      CFR Cluj | CFR 1907 Cluj
      Universitatea Craiova | Univ. Craiova
      Rapid Bucuresti | FC Rapid Bucharest
      Universitatea Cluj | U Cluj`),
    different: rows(`Dinamo Zagreb | Lokomotiva Zagreb
      NK Zagreb | Dinamo Zagreb
      Red Star Belgrade | Partizan Belgrade
      CFR Cluj | Universitatea Cluj
      Universitatea Craiova | Universitatea Cluj
      Dinamo Bucuresti | Rapid Bucuresti
      FC U Craiova 1948 | CS Universitatea Craiova
      CSKA Sofia | CSKA 1948 Sofia
      Radnicki Nis | Radnicki Kragujevac
      Osijek | Istra`),
  },
  brazil: {
    sport: 'soccer',
    same: rows(`Atletico Mineiro | Atletico-MG
      Athletico Paranaense | Athletico-PR
      Gremio | Grêmio FBPA
      Sao Paulo | São Paulo FC
      Vasco da Gama | Vasco
      Flamengo | CR Flamengo
      Flamengo RJ | Flamengo
      Sport Recife | Sport Club do Recife
      Red Bull Bragantino | RB Bragantino
      Bragantino | Red Bull Bragantino
      Botafogo FR | Botafogo
      America Mineiro | América MG`),
    different: rows(`Atletico Mineiro | Atletico Goianiense
      Atletico Mineiro | Athletico Paranaense
      America Mineiro | Atletico Mineiro
      Botafogo RJ | Botafogo SP
      Santos | Santo Andre
      Vitoria | Juventude
      Flamengo | Fluminense
      Corinthians | Coritiba
      Sao Paulo | Sao Bernardo
      Internacional | Inter de Limeira`),
  },
  argentina: {
    sport: 'soccer',
    same: rows(`Boca Juniors | CA Boca Juniors
      River Plate | CA River Plate
      Newell's Old Boys | Newells Old Boys
      Newells | Newell's Old Boys
      Argentinos Juniors | Argentinos Jrs
      Gimnasia La Plata | Gimnasia y Esgrima La Plata
      Estudiantes | Estudiantes de La Plata
      Racing Club | Racing Club Avellaneda
      Talleres | Talleres de Cordoba
      Velez Sarsfield | Vélez
      Union Santa Fe | Unión de Santa Fe
      San Lorenzo | San Lorenzo de Almagro`),
    different: rows(`Estudiantes La Plata | Gimnasia La Plata
      Independiente | Independiente Rivadavia
      Central Cordoba | Talleres Cordoba
      Central Cordoba | Instituto Cordoba
      San Martin Tucuman | Atletico Tucuman
      San Martin Tucuman | San Martin San Juan
      Union Santa Fe | Colon Santa Fe
      Gimnasia La Plata | Gimnasia Mendoza
      Rosario Central | Central Cordoba
      Racing Club | Racing Cordoba`),
  },
  mexico: {
    sport: 'soccer',
    same: rows(`Club America | América
      Guadalajara Chivas | CD Guadalajara
      Pumas UNAM | UNAM Pumas
      Tigres UANL | Tigres
      Cruz Azul | CD Cruz Azul
      Santos Laguna | Club Santos Laguna
      Atletico San Luis | Atlético de San Luis
      Queretaro FC | Querétaro`),
    different: rows(`Guadalajara | Atlas Guadalajara
      Monterrey | Tigres UANL
      Atlas | Atlante
      Toluca | Tijuana
      Pumas UNAM | Pachuca`),
  },
  asia: {
    sport: 'soccer',
    same: rows(`Kawasaki Frontale | Kawasaki-Frontale
      Yokohama F. Marinos | Yokohama F Marinos
      Urawa Reds | Urawa Red Diamonds
      Kashima Antlers | Kashima
      FC Tokyo | F.C. Tokyo
      Jeonbuk Hyundai Motors | Jeonbuk Motors
      Ulsan HD | Ulsan HD FC
      FC Seoul | Seoul
      Pohang Steelers | Pohang
      Shanghai Port | Shanghai Port FC
      Beijing Guoan | Beijing Guoan FC
      Shandong Taishan | Shandong Taishan FC
      Al Hilal | Al-Hilal Riyadh
      Al-Nassr | Al Nasr Riyadh
      Al Ahli | Al-Ahli Saudi
      Al Ittihad | Al-Ittihad Jeddah
      Al-Ettifaq | Al Ittifaq`),
    different: rows(`FC Tokyo | Tokyo Verdy
      Yokohama FC | Yokohama F. Marinos
      Kashima Antlers | Kashiwa Reysol
      Kashima | Kashiwa
      Cerezo Osaka | Gamba Osaka
      Suwon FC | Suwon Bluewings
      FC Seoul | Seoul E-Land
      Shanghai Port | Shanghai Shenhua
      Henan FC | Hunan FC
      Al Hilal | Al Ahli
      Al-Ahli | Al-Ittihad
      Al Fateh | Al Fayha
      Al Taawoun | Al Tai
      Al Shabab | Al Riyadh`),
  },
  euroleague: {
    sport: 'basketball',
    same: rows(`Anadolu Efes | Anadolu Efes Istanbul
      Fenerbahce | Fenerbahçe Beko
      EA7 Emporio Armani Milan | Olimpia Milano
      Crvena Zvezda | Crvena Zvezda Meridianbet
      Baskonia | Baskonia Vitoria-Gasteiz
      Zalgiris | Zalgiris Kaunas
      Maccabi Tel Aviv | Maccabi Playtika Tel Aviv
      Virtus Bologna | Virtus Segafredo Bologna
      Bayern Munich | FC Bayern München Basketball
      ASVEL | LDLC ASVEL Villeurbanne
      Barcelona | FC Barcelona Basquet
      Partizan Mozzart Bet | Partizan Belgrade`),
    different: rows(`Maccabi Tel Aviv | Hapoel Tel Aviv
      Virtus Bologna | Fortitudo Bologna
      Real Madrid | Estudiantes Madrid
      Crvena Zvezda | Partizan
      Anadolu Efes | Besiktas Istanbul
      Alba Berlin | Bayern Munich
      Monaco | Paris Basketball
      Olympiacos | Panathinaikos`),
  },
  khl: {
    sport: 'hockey',
    same: rows(`SKA St. Petersburg | SKA Saint Petersburg
      CSKA Moscow | HC CSKA Moskva
      Dynamo Moscow | Dinamo Moskva
      Ak Bars Kazan | Ak Bars
      Lokomotiv Yaroslavl | Lokomotiv
      Metallurg Magnitogorsk | Metallurg Mg
      Salavat Yulaev Ufa | Salavat Yulaev
      Barys Nur-Sultan | Barys`),
    different: rows(`Dynamo Moscow | Spartak Moscow
      Dynamo Moscow | Dinamo Minsk
      CSKA Moscow | Spartak Moscow
      Torpedo Nizhny Novgorod | Neftekhimik Nizhnekamsk
      SKA St. Petersburg | HC Sochi`),
  },
  nrl: {
    sport: 'rugby_league',
    same: rows(`South Sydney Rabbitohs | Rabbitohs
      St George Illawarra Dragons | St. George Illawarra
      Manly Sea Eagles | Manly-Warringah Sea Eagles
      Canterbury Bulldogs | Canterbury-Bankstown Bulldogs
      North Queensland Cowboys | Nth Queensland Cowboys
      Penrith | Penrith Panthers
      Wests Tigers | Tigers`),
    different: rows(`Sydney Roosters | South Sydney Rabbitohs
      Sydney | South Sydney
      Queensland | North Queensland
      Canberra Raiders | Canterbury Bulldogs
      Dolphins | Gold Coast Titans`),
  },
  afl: {
    sport: 'australian_rules',
    same: rows(`Carlton | Carlton Blues
      Melbourne | Melbourne Demons
      GWS Giants | Greater Western Sydney Giants
      North Melbourne | North Melbourne Kangaroos
      Port Adelaide | Port Adelaide Power
      Western Bulldogs | Bulldogs
      St Kilda | St Kilda Saints`),
    different: rows(`Melbourne | North Melbourne
      Melbourne Demons | North Melbourne Kangaroos
      Adelaide | Port Adelaide
      Adelaide Crows | Port Adelaide Power
      Sydney Swans | Greater Western Sydney Giants
      West Coast Eagles | Gold Coast Suns`),
  },
  cricket: {
    sport: 'cricket',
    same: rows(`Royal Challengers Bangalore | RCB
      Chennai Super Kings | CSK
      Mumbai Indians | Mumbai
      Kolkata Knight Riders | KKR
      West Indies | Windies
      Sydney Thunder | Thunder
      Punjab Kings | Kings Punjab
      India | India Cricket Team`),
    different: rows(`Sydney Thunder | Sydney Sixers
      Melbourne Stars | Melbourne Renegades
      India | India A
      India | India Women
      Ireland | Iceland
      Scotland | Ireland
      Chennai Super Kings | Punjab Kings`),
  },
  esports: {
    sport: 'esports',
    same: rows(`Natus Vincere | NAVI
      Team Liquid | Liquid
      G2 | G2 Esports
      FaZe | FaZe Clan
      Ninjas in Pyjamas | NIP
      Virtus.pro | Virtus Pro
      Gen.G | Gen.G Esports
      T1 | T1 Esports
      Hanwha Life Esports | HLE
      JD Gaming | JDG
      Bilibili Gaming | BLG
      MOUZ | mousesports
      Team Spirit | Spirit
      KT Rolster | kt Rolster`),
    different: rows(`G2 Esports | G2 Academy
      Natus Vincere | Natus Vincere Junior
      Team Liquid | Team Secret
      Team Spirit | Team Spirit Academy
      T1 | T1 Academy
      MOUZ | MOUZ NXT
      KT Rolster | KT Rolster Challengers
      Gen.G | G2
      Top Esports | Team WE`),
  },
  tennis: {
    sport: 'tennis',
    same: rows(`Jannik Sinner | Sinner J.
      Sinner, Jannik | J. Sinner
      Felix Auger-Aliassime | Auger Aliassime F.
      Alex de Minaur | De Minaur A.
      Alex De Minaur | Alexander De Minaur
      Juan Manuel Cerundolo | Cerundolo J.M.
      Cerundolo J. | Juan Manuel Cerundolo
      Carlos Alcaraz | Carlos Alcaraz Garfia
      Xinyu Wang | Wang Xin Yu
      Iga Swiatek | Świątek, Iga
      Karolina Pliskova | Pliskova Ka.
      Daniil Medvedev | Medvedev Daniil
      Kevin Krawietz / Tim Puetz | K. Krawietz/T. Pütz
      Bob Bryan / Mike Bryan | M. Bryan / B. Bryan`),
    different: rows(`Francisco Cerundolo | Juan Manuel Cerundolo
      Cerundolo F. | Cerundolo J.
      Alexander Zverev | Mischa Zverev
      Serena Williams | Venus Williams
      Karolina Pliskova | Pliskova Kr.
      Xinyu Wang | Xiyu Wang
      Wang Xin | Wang Qiang
      Kevin Krawietz / Tim Puetz | Kevin Krawietz / Andreas Mies
      Jannik Sinner | Jannik Sinner / Lorenzo Sonego
      Stefanos Tsitsipas | Petros Tsitsipas
      Linda Noskova | Linda Fruhvirtova
      Brenda Fruhvirtova | Linda Fruhvirtova
      Mirra Andreeva | Erika Andreeva
      Sebastian Korda | Sebastian Baez`),
  },
  ufc: {
    sport: 'mma',
    same: rows(`Alexander Volkanovski | Alex Volkanovski
      Zhang Weili | Weili Zhang
      Dricus Du Plessis | Dricus Du-Plessis
      Khamzat Chimaev | Hamzat Chimaev
      Sean O'Malley | Sean OMalley
      Jose Aldo | José Aldo Jr.
      Jiri Prochazka | J. Procházka
      Charles Oliveira | Oliveira, Charles`),
    different: rows(`Anderson Silva | Antonio Silva
      Bruno Silva | Jean Silva
      Nate Diaz | Nick Diaz
      Valentina Shevchenko | Antonina Shevchenko
      Umar Nurmagomedov | Usman Nurmagomedov
      Umar Nurmagomedov | Khabib Nurmagomedov
      Sean O'Malley | Sean Strickland`),
  },
  nations: {
    sport: 'soccer',
    same: rows(`USA | United States
      Korea Republic | South Korea
      Czechia | Czech Republic
      Turkiye | Turkey
      Ivory Coast | Côte d'Ivoire
      Bosnia & Herzegovina | Bosnia and Herzegovina
      Ireland | Republic of Ireland
      DR Congo | Congo DR
      Cape Verde | Cabo Verde
      North Macedonia | Macedonia
      China PR | China
      IR Iran | Iran
      Allemagne | Germany
      United Arab Emirates | UAE
      England U21 | England Under 21
      Spain Women | Spain (W)`),
    different: rows(`DR Congo | Congo
      Ireland | Northern Ireland
      Guinea | Equatorial Guinea
      Guinea | Guinea-Bissau
      Guinea | Papua New Guinea
      Niger | Nigeria
      Mali | Malawi
      Mali | Somalia
      Dominica | Dominican Republic
      Austria | Australia
      Iran | Iraq
      Slovakia | Slovenia
      South Korea | North Korea
      Sudan | South Sudan
      England | England U21
      Spain | Spain Women
      England U19 | England U21
      Samoa | American Samoa
      Latvia | Lithuania
      Oman | Romania`),
  },
  college: {
    sport: 'football',
    same: rows(`Michigan State | Michigan St
      Ohio State | Ohio St.
      NC State | North Carolina State
      Miami (FL) | Miami Florida
      Miami (OH) | Miami Ohio
      USC | Southern California
      Ole Miss | Mississippi
      Texas A&M | Texas A & M
      Michigan | Michigan Wolverines
      Alabama | Alabama Crimson Tide
      BYU | Brigham Young
      LSU | LSU Tigers
      Appalachian State | App State
      Stanford | Stanford Cardinal
      San Jose St | San José State
      UConn | Connecticut`),
    different: rows(`Michigan | Michigan State
      Miami (OH) | Miami (FL)
      Miami | Miami (OH)
      North Carolina | North Carolina State
      North Carolina | South Carolina
      Texas | Texas A&M
      Texas | Texas Tech
      Texas | Texas State
      Texas | North Texas
      Georgia | Georgia Tech
      Georgia | Georgia Southern
      Virginia | West Virginia
      Virginia | Virginia Tech
      Florida | Florida State
      Florida Atlantic | Florida International
      Louisiana Tech | Louisiana Monroe
      Washington | Washington State
      Michigan | Western Michigan
      Eastern Michigan | Western Michigan
      Mississippi | Mississippi State
      Boston College | Boston University`),
  },
  usPro: {
    sport: 'basketball',
    same: rows(`LA Lakers | Los Angeles Lakers
      LA Clippers | Los Angeles Clippers
      NY Knicks | New York Knicks
      GS Warriors | Golden State Warriors
      OKC Thunder | Oklahoma City Thunder
      Philadelphia Sixers | Philadelphia
      Portland Trailblazers | Portland Trail Blazers
      San Antonio | San Antonio Spurs`),
    different: rows(`LA Lakers | LA Clippers
      Los Angeles Lakers | Los Angeles Clippers
      New York Giants | New York Jets
      New York Knicks | Brooklyn Nets
      Chicago White Sox | Chicago Cubs
      Boston Red Sox | Chicago White Sox
      New York Yankees | New York Mets
      New York Rangers | New York Islanders`),
  },
  english: {
    sport: 'soccer',
    same: rows(`Man Utd | Manchester United
      Man City | Manchester City
      Nott'm Forest | Nottingham Forest
      Nottm Forest | Nottingham Forest
      Wolves | Wolverhampton
      Spurs | Tottenham Hotspur
      Brighton | Brighton & Hove Albion
      QPR | Queens Park Rangers
      West Brom | West Bromwich Albion
      Sheff Utd | Sheffield United
      Sheffield Wed | Sheffield Wednesday
      MK Dons | Milton Keynes Dons
      Dag & Red | Dagenham & Redbridge
      B. Dortmund | Borussia Dortmund
      M'gladbach | Borussia Monchengladbach
      PSG | Paris Saint-Germain
      Inter | Internazionale
      Inter Milano | Inter Milan
      Milan | AC Milan
      Lyon | Olympique Lyonnais`),
    different: rows(`Manchester United | Manchester City
      Man Utd | Man City
      Sheffield United | Sheffield Wednesday
      Bristol City | Bristol Rovers
      Dundee | Dundee United
      AC Milan | Inter Milan
      Milan | Inter
      Milan | Inter Milan
      Roma | Lazio Roma
      Real Madrid | Atletico Madrid
      Real Madrid | Real Sociedad
      Barcelona | Espanyol Barcelona
      Bayern Munich | Bayer Leverkusen
      Bayern | Bayer
      Bayern Munich | 1860 Munich
      Paris FC | Paris Saint-Germain
      Club Brugge | Cercle Brugge
      Genk | Gent
      Arsenal | Arsenal Women
      Real Madrid | Real Madrid Castilla
      Barcelona | Barcelona B
      PSV | Jong PSV
      Bayern Munich | Bayern Munich II
      Juventus | Juve Stabia
      West Ham | West Brom
      Notts County | Nottingham Forest
      Newcastle United | Newcastle Town
      Sporting Lisbon | Sporting Braga
      Hamburg | St Pauli Hamburg
      Austria Wien | Rapid Wien`),
  },
}

/** More pairs of the same kind, one a line: sport, one name, another. */
const moreSame = lines(`
  soccer|Ujpest|Újpest FC
  soccer|Ferencvaros|Ferencvárosi TC
  soccer|Slovan Bratislava|ŠK Slovan Bratislava
  soccer|Olimpija Ljubljana|NK Olimpija Ljubljana
  soccer|Maccabi Haifa|Maccabi Haifa FC
  soccer|Hapoel Beer Sheva|H. Beer Sheva
  soccer|Qarabag|Qarabağ FK
  soccer|Neftchi Baku|Neftçi PFK
  soccer|Ludogorets|PFC Ludogorets Razgrad
  soccer|Levski Sofia|PFC Levski Sofia
  soccer|HJK Helsinki|HJK
  soccer|KuPS|KuPS Kuopio
  soccer|Flora Tallinn|FC Flora Tallinn
  soccer|Zalgiris Vilnius|FK Žalgiris
  soccer|Shamrock Rovers|Shamrock Rovers FC
  soccer|St Patricks Athletic|St. Patrick's Ath
  soccer|Linfield|Linfield FC
  soccer|The New Saints|TNS
  soccer|Heart of Midlothian|Hearts
  soccer|Hibernian|Hibs
  soccer|Athletic Bilbao|Athletic Club
  soccer|Ath Madrid|Atletico Madrid
  soccer|Ath Bilbao|Athletic Bilbao
  soccer|Betis|Real Betis Sevilla
  soccer|La Coruna|Deportivo La Coruna
  soccer|Celta|Celta de Vigo
  soccer|Rayo Vallecano|Rayo Vallecano de Madrid
  soccer|Hellas Verona|Verona
  soccer|Sampdoria|UC Sampdoria
  soccer|Fortuna Dusseldorf|Fortuna Düsseldorf 1895
  soccer|Hamburger SV|Hamburg
  soccer|Schalke|FC Schalke 04
  soccer|Darmstadt|SV Darmstadt 98
  soccer|Ein Frankfurt|Eintracht Frankfurt
  soccer|Leverkusen|Bayer 04 Leverkusen
  soccer|Twente|FC Twente Enschede
  soccer|AZ|AZ Alkmaar
  soccer|NEC Nijmegen|NEC
  soccer|Vitoria Guimaraes|Vitória SC
  soccer|Sporting CP|Sporting Lisbon
  soccer|Benfica|SL Benfica
  soccer|Istanbul Basaksehir|Basaksehir
  soccer|Gaziantep FK|Gaziantep
  soccer|Colo Colo|Colo-Colo
  soccer|Universidad de Chile|Univ. de Chile
  soccer|Universidad Catolica|U. Catolica
  soccer|LDU Quito|Liga de Quito
  soccer|Penarol|CA Peñarol
  soccer|Atletico Nacional|Atletico Nacional Medellin
  soccer|Millonarios|Millonarios FC
  soccer|Deportivo Cali|Dep. Cali
  soccer|Al Ahly|Al Ahly Cairo
  soccer|Kaizer Chiefs|Kaizer Chiefs FC
  soccer|Western Sydney Wanderers|WS Wanderers
  soccer|Perth Glory|Perth Glory FC
  soccer|LA Galaxy|Los Angeles Galaxy
  soccer|LAFC|Los Angeles FC
  soccer|NYCFC|New York City FC
  soccer|NY Red Bulls|New York Red Bulls
  soccer|Sporting KC|Sporting Kansas City
  soccer|Vancouver Whitecaps|Vancouver Whitecaps FC
  soccer|Chelsea W|Chelsea Women
  soccer|Barcelona Femeni|FC Barcelona Women
  soccer|Brazil U20|Brazil U-20
  hockey|Farjestad BK|Färjestads BK
  hockey|Frolunda|Frölunda HC
  hockey|EV Zug|Zug
  hockey|Adler Mannheim|Mannheim
  hockey|Eisbaren Berlin|Eisbären Berlin
  hockey|Red Bull Munich|EHC Red Bull München
  hockey|NY Rangers|New York Rangers
  hockey|Vegas Golden Knights|Vegas
  hockey|TB Lightning|Tampa Bay Lightning
  basketball|Panathinaikos AKTOR|Panathinaikos Athens
  basketball|Hapoel Jerusalem|Hapoel Bank Yahav Jerusalem
  basketball|Joventut|Joventut Badalona
  basketball|Melbourne United|Melbourne Utd
  basketball|Las Vegas Aces|LV Aces
  basketball|Duke|Duke Blue Devils
  basketball|St. John's|St John's Red Storm
  basketball|Saint Mary's|St. Mary's Gaels
  basketball|UNC|North Carolina Tar Heels
  rugby|Leinster|Leinster Rugby
  rugby|Stade Toulousain|Toulouse
  rugby|Racing 92|Racing Metro 92
  rugby|ACT Brumbies|Brumbies
  rugby|Glasgow Warriors|Glasgow
  baseball|Yomiuri Giants|Yomiuri
  baseball|Hanshin Tigers|Hanshin
  baseball|Yokohama DeNA BayStars|Yokohama Baystars
  baseball|LG Twins|LG
  baseball|SF Giants|San Francisco Giants
  baseball|Chi White Sox|Chicago White Sox
  cricket|Delhi Capitals|Delhi
  cricket|Sunrisers Hyderabad|SRH
  cricket|Karachi Kings|Karachi
  tennis|Djokovic N.|Novak Djokovic
  tennis|Davidovich Fokina A.|Alejandro Davidovich Fokina
  tennis|Zheng Qinwen|Qinwen Zheng
  tennis|Botic van de Zandschulp|Van De Zandschulp B.
  tennis|Jan-Lennard Struff|Struff J-L
  tennis|Jo-Wilfried Tsonga|Tsonga J.W.
  tennis|Mpetshi Perricard G.|Giovanni Mpetshi Perricard
  tennis|Haddad Maia B.|Beatriz Haddad Maia
  tennis|Elina Svitolina|Svitolina E
  tennis|Arevalo/Pavic|Marcelo Arevalo / Mate Pavic
  mma|Benoit Saint-Denis|Benoît Saint Denis
  mma|Jon Jones|Jonathan Jones
  mma|Shavkat Rakhmonov|Shavkat Rahmonov
  darts|Michael van Gerwen|Van Gerwen, Michael
  darts|Luke Littler|L. Littler
  esports|Cloud9|C9
  esports|Evil Geniuses|EG
  esports|Team Vitality|Vitality
  esports|Edward Gaming|EDG
  esports|Top Esports|TES
  esports|Dplus KIA|DK
  esports|FURIA|FURIA Esports
  esports|Astralis|Astralis
  esports|BIG|BIG Clan
  esports|paiN Gaming|paiN
  esports|Movistar KOI|KOI
  soccer|Türkiye|Turkey
  soccer|Kyrgyz Republic|Kyrgyzstan
  soccer|St. Kitts & Nevis|Saint Kitts and Nevis
  soccer|Deutschland|Germany
  soccer|USA (W)|USA Women
  soccer|Brighton & Hove Albion|Brighton and Hove Albion FC
  soccer|Accrington|Accrington Stanley
  soccer|Preston|Preston North End
  soccer|Peterboro|Peterborough United
  soccer|Crewe|Crewe Alexandra
  soccer|Forest Green|Forest Green Rovers
  soccer|Oxford Utd|Oxford United
  soccer|Inverness CT|Inverness Caledonian Thistle
  soccer|Partick|Partick Thistle
  soccer|Monza|AC Monza
  soccer|Sudtirol|FC Südtirol
  soccer|Juve|Juventus
  soccer|Atalanta|Atalanta BC
  soccer|Alaves|Deportivo Alavés
  soccer|Las Palmas|UD Las Palmas
  soccer|Sporting Gijon|Real Sporting de Gijón
  soccer|Valladolid|Real Valladolid CF
  soccer|Dynamo Dresden|SG Dynamo Dresden
  soccer|Nurnberg|1. FC Nuremberg
  soccer|Preussen Munster|Preußen Münster
  soccer|Kaiserslautern|1. FC Kaiserslautern
  soccer|PSV|PSV Eindhoven
  soccer|Ajax|Ajax Amsterdam
  soccer|Heerenveen|SC Heerenveen
  soccer|Union SG|Union Saint-Gilloise
  soccer|OH Leuven|Oud-Heverlee Leuven
  soccer|Westerlo|KVC Westerlo
  soccer|Le Havre|Le Havre AC
  soccer|Auxerre|AJ Auxerre
  soccer|Saint-Étienne|St Etienne
  soccer|Estoril|GD Estoril Praia
  soccer|Famalicao|FC Famalicão
  soccer|Trabzonspor|Trabzonspor AS
  soccer|Rizespor|Caykur Rizespor
  soccer|Adana Demirspor|Adana Demir
  soccer|Volos|Volos NFC
  soccer|Lugano|FC Lugano
  soccer|Kryvbas|FC Kryvbas Kryvyi Rih
  soccer|Zenit|Zenit St. Petersburg
  soccer|Rostov|FK Rostov
  soccer|Krasnodar|FC Krasnodar
  soccer|Astana|FC Astana
  soccer|Fluminense|Fluminense FC RJ
  soccer|Corinthians|SC Corinthians Paulista
  soccer|Bahia|EC Bahia
  soccer|Defensa y Justicia|Defensa Justicia
  soccer|Lanus|Club Atlético Lanús
  soccer|Pachuca|CF Pachuca
  soccer|Leon|Club León
  soccer|Cerezo Osaka|Cerezo
  soccer|Sanfrecce Hiroshima|Sanfrecce
  soccer|Gangwon|Gangwon FC
  soccer|Mamelodi Sundowns|Sundowns
  soccer|Esperance Tunis|ES Tunis
  soccer|Wydad Casablanca|Wydad AC
  soccer|Zamalek|Zamalek SC
  soccer|Columbus Crew|Columbus
  soccer|St. Louis City|St Louis City SC
  soccer|Western Sydney|Western Sydney Wanderers
  soccer|Trinidad & Tobago|Trinidad and Tobago
  soccer|St Vincent|Saint Vincent and the Grenadines
  soccer|Rep. of Ireland|Ireland
  hockey|HC Davos|Davos
  hockey|ZSC Lions|ZSC Lions Zürich
  hockey|Tappara|Tappara Tampere
  hockey|HIFK|HIFK Helsinki
  hockey|Montreal Canadiens|Montréal Canadiens
  hockey|St. Louis Blues|St Louis Blues
  basketball|Unicaja|Unicaja Malaga
  basketball|Gran Canaria|CB Gran Canaria
  basketball|Ratiopharm Ulm|Ulm
  basketball|Panathinaikos|Panathinaikos BC
  basketball|UCLA|UCLA Bruins
  basketball|Gonzaga|Gonzaga Bulldogs
  basketball|Florida St|Florida State Seminoles
  basketball|Texas A&M|Texas A&M Aggies
  football|Pittsburgh|Pitt Panthers
  football|Notre Dame|Notre Dame Fighting Irish
  football|Hawai'i|Hawaii Rainbow Warriors
  football|Kansas City|Kansas City Chiefs
  rugby|Munster|Munster Rugby
  rugby|Bordeaux Begles|Union Bordeaux-Bègles
  rugby|Queensland Reds|Reds
  rugby_league|Brisbane Broncos|Brisbane
  rugby_league|St Helens|St. Helens RLFC
  tennis|Pegula J.|Jessica Pegula
  tennis|Ons Jabeur|Jabeur, Ons
  tennis|Alejandro Tabilo|A. Tabilo
  tennis|M. Kecmanović|Miomir Kecmanovic
  tennis|Barbora Krejcikova|Krejčíková B.
  mma|Islam Makhachev|Islam Mahachev
  mma|Song Yadong|Yadong Song
  boxing|Canelo Alvarez|Saul Canelo Alvarez
  boxing|Oleksandr Usyk|O. Usyk
  snooker|Ronnie O'Sullivan|O'Sullivan R.
  esports|Team Falcons|Falcons
  esports|The MongolZ|MongolZ
  esports|100 Thieves|100Thieves
  esports|LNG Esports|LNG
  esports|Weibo Gaming|Weibo
`)

const moreDifferent = lines(`
  soccer|Olympiacos|Olympiakos Nicosia
  soccer|River Plate|River Plate Montevideo
  soccer|Ujpest|Ferencvaros
  soccer|Slovan Bratislava|Inter Bratislava
  soccer|Maccabi Haifa|Hapoel Haifa
  soccer|Maccabi Tel Aviv|Maccabi Haifa
  soccer|Maccabi Netanya|Maccabi Petah Tikva
  soccer|Hapoel Beer Sheva|Hapoel Tel Aviv
  soccer|Levski Sofia|CSKA Sofia
  soccer|Slavia Sofia|Levski Sofia
  soccer|Lokomotiv Plovdiv|Botev Plovdiv
  soccer|Lokomotiv Plovdiv|Lokomotiv Sofia
  soccer|Botev Plovdiv|Botev Vratsa
  soccer|Cork City|Cobh Ramblers
  soccer|Shamrock Rovers|Sligo Rovers
  soccer|Bohemians|Shelbourne
  soccer|Queens Park|Queens Park Rangers
  soccer|Raith Rovers|Ross County
  soccer|Airdrieonians|Albion Rovers
  soccer|Dundee FC|Dundee United
  soccer|Inverness CT|Ross County
  soccer|Real Sociedad|Real Sociedad B
  soccer|Real Betis|Real Oviedo
  soccer|Real Betis Sevilla|Sevilla
  soccer|Racing Santander|Racing Ferrol
  soccer|Levante|Valencia
  soccer|Rayo Vallecano|Rayo Majadahonda
  soccer|Sampdoria|Genoa
  soccer|Torino|Juventus Turin
  soccer|Chievo Verona|Hellas Verona
  soccer|Fortuna Dusseldorf|Fortuna Koln
  soccer|Viktoria Koln|Koln
  soccer|FC Koln|Fortuna Koln
  soccer|Stuttgart|Stuttgarter Kickers
  soccer|Hannover 96|Hannover 96 II
  soccer|FSV Frankfurt|Eintracht Frankfurt
  soccer|Eintracht Frankfurt|Eintracht Braunschweig
  soccer|Energie Cottbus|Erzgebirge Aue
  soccer|Sparta Rotterdam|Excelsior Rotterdam
  soccer|Feyenoord Rotterdam|Sparta Rotterdam
  soccer|FC Eindhoven|PSV Eindhoven
  soccer|Boavista Porto|Porto
  soccer|Boavista|FC Porto
  soccer|Vitoria Guimaraes|Vitoria Setubal
  soccer|Galatasaray Istanbul|Besiktas Istanbul
  soccer|Fatih Karagumruk|Kasimpasa
  soccer|Universidad de Chile|Universidad Catolica
  soccer|Universidad de Chile|Union La Calera
  soccer|LDU Quito|Deportivo Quito
  soccer|Barcelona SC|Emelec
  soccer|Nacional|Nacional Potosi
  soccer|Deportivo Cali|America de Cali
  soccer|Deportivo Cali|Deportivo Pereira
  soccer|Independiente Medellin|Atletico Nacional Medellin
  soccer|Independiente Santa Fe|Independiente Medellin
  soccer|Cerro|Cerro Porteno
  soccer|Cerro|Cerro Largo
  soccer|Liverpool Montevideo|Nacional Montevideo
  soccer|Al Ahly|Al Masry
  soccer|Al Ahly|National Bank
  soccer|Al Wahda|Al Wasl
  soccer|Al Sadd|Al Shahania
  soccer|Al Ain|Al Nasr
  soccer|Orlando Pirates|Orlando City
  soccer|Melbourne City|Melbourne Victory
  soccer|Western United|Western Sydney Wanderers
  soccer|Sydney FC|Western Sydney Wanderers
  soccer|LA Galaxy|Los Angeles FC
  soccer|New York City FC|New York Red Bulls
  soccer|Inter Miami|Miami FC
  soccer|Chelsea|Chelsea Women
  soccer|Man City U21|Man City
  soccer|Man City U18|Man City U21
  soccer|Ajax|Jong Ajax
  soccer|Brazil U20|Brazil U17
  soccer|Gremio|Gremio Novorizontino
  soccer|Sport Recife|Nautico Recife
  soccer|Operario PR|Operario MS
  soccer|Sao Paulo|Corinthians Sao Paulo
  soccer|Guangzhou City|Guangzhou FC
  soccer|Changchun Yatai|Chengdu Rongcheng
  soccer|Daegu FC|Daejeon Citizen
  soccer|Gimcheon Sangmu|Gimpo FC
  soccer|Incheon United|Jeju United
  soccer|Ulsan HD|Suwon City
  soccer|Vissel Kobe|Ventforet Kofu
  soccer|Tokushima Vortis|Tochigi SC
  hockey|Dinamo Minsk|Dinamo Riga
  hockey|Red Bull Munich|Red Bull Salzburg
  hockey|New York Rangers|New York Islanders
  hockey|Eisbaren Berlin|ERC Ingolstadt
  basketball|Saint Mary's|Mount St. Mary's
  basketball|St. John's|St. Joseph's
  basketball|Loyola Chicago|Loyola Marymount
  basketball|Indiana|Indiana State
  basketball|Kansas|Arkansas
  basketball|Kansas|Kansas State
  basketball|Penn|Penn State
  basketball|Tennessee|Tennessee State
  basketball|UT Martin|UT Arlington
  basketball|Cal Poly|Cal State Fullerton
  basketball|Illinois|Illinois State
  basketball|Southern|Southern Miss
  basketball|Charleston|Charleston Southern
  basketball|Miami Heat|Milwaukee Bucks
  basketball|Utah|Utah State
  basketball|Utah|Utah Valley
  basketball|UNC Greensboro|UNC Wilmington
  basketball|UC Davis|UC Irvine
  basketball|San Diego|San Diego State
  basketball|Washington|Washington State
  basketball|Melbourne United|South East Melbourne Phoenix
  rugby|Racing 92|Stade Francais
  rugby|Stade Toulousain|Stade Francais
  rugby|Glasgow Warriors|Worcester Warriors
  rugby|Canterbury|Counties Manukau
  rugby|Western Province|Western Force
  baseball|Hanshin Tigers|Hiroshima Carp
  baseball|Kia Tigers|Kiwoom Heroes
  baseball|LG Twins|Lotte Giants
  baseball|Lotte Giants|Chiba Lotte Marines
  cricket|Delhi Capitals|Pretoria Capitals
  cricket|MI Cape Town|MI Emirates
  cricket|Sri Lanka|Sri Lanka A
  tennis|Zhang Shuai|Zhang Zhizhen
  tennis|Wang Yafan|Wang Yaqian
  tennis|Kristyna Pliskova|Karolina Pliskova
  tennis|Ben Shelton|Bryan Shelton
  tennis|Cerundolo J.M.|Cerundolo F.
  tennis|Tomas Martin Etcheverry|Tomas Machac
  tennis|Pablo Carreno Busta|Pablo Cuevas
  tennis|Lorenzo Musetti|Lorenzo Sonego
  tennis|Anna Kalinskaya|Anhelina Kalinina
  tennis|Matteo Berrettini|Jacopo Berrettini
  tennis|Laura Siegemund / Vera Zvonareva|Laura Siegemund / Beatriz Haddad Maia
  mma|Michael Chandler|Michael Chiesa
  mma|Gabriel Bonfim|Ismael Bonfim
  mma|Rafael Fiziev|Rafael dos Anjos
  mma|Sergei Pavlovich|Sergei Spivak
  darts|Michael Smith|Ross Smith
  darts|Michael van Gerwen|Michael Smith
  table_tennis|Ma Long|Ma Lin
  table_tennis|Fan Zhendong|Fan Siqi
  esports|Cloud9|Cloud9 Academy
  esports|Team Vitality|Vitality.Bee
  esports|Team Liquid|Liquid Honda
  esports|FURIA|FURIA Academy
  esports|Fnatic|Fnatic Rising
  esports|Gaimin Gladiators|Gambit
  esports|Invictus Gaming|Infinity Esports
  soccer|Serbia|Siberia
  soccer|Gambia|Zambia
  soccer|Paraguay|Uruguay
  soccer|Mauritania|Mauritius
  soccer|Mongolia|Montserrat
  soccer|Ireland Women|Northern Ireland Women
  soccer|Netherlands|Netherlands Antilles
  soccer|Guatemala|Guadeloupe
  soccer|Georgia|South Georgia
  soccer|Newport County|Stockport County
  soccer|Rotherham|Rochdale
  soccer|Swansea|Swindon
  soccer|Burton Albion|Brighton Albion
  soccer|Oxford United|Oxford City
  soccer|Cambridge United|Cambridge City
  soccer|Lincoln City|Lincoln United
  soccer|Hull City|Hull United
  soccer|Fleetwood Town|Northampton Town
  soccer|Dover Athletic|Wigan Athletic
  soccer|East Fife|East Stirlingshire
  soccer|East Kilbride|Kilmarnock
  soccer|Milan|Monza
  soccer|Parma|Palermo
  soccer|Cremonese|Crotone
  soccer|Reggina|Reggiana
  soccer|Catania|Catanzaro
  soccer|Venezia|Vicenza
  soccer|Espanyol|Barcelona
  soccer|Malaga|Mallorca
  soccer|Celta Vigo B|Celta Vigo
  soccer|Dynamo Dresden|Dynamo Berlin
  soccer|Preussen Munster|Bayern Munich
  soccer|Rot-Weiss Essen|Rot-Weiss Erfurt
  soccer|Schalke|Schalke II
  soccer|Jong AZ|Jong Ajax
  soccer|NAC Breda|NEC Nijmegen
  soccer|RKC Waalwijk|Roda JC
  soccer|KV Kortrijk|KV Mechelen
  soccer|Brest|Bastia
  soccer|Nancy|Nantes
  soccer|Lens|Lille
  soccer|Paris FC|Red Star Paris
  soccer|Braga|Braga B
  soccer|Maritimo|Moreirense
  soccer|Nacional|Penafiel
  soccer|Sivasspor|Samsunspor
  soccer|Ankaragucu|Ankaraspor
  soccer|Apollon Limassol|AEL Limassol
  soccer|APOEL Nicosia|Omonia Nicosia
  soccer|Zenit|Zenit 2
  soccer|Torpedo Moscow|Torpedo Kutaisi
  soccer|Dinamo Tbilisi|Dinamo Batumi
  soccer|Fluminense RJ|Fluminense PI
  soccer|Atletico GO|Atletico MG
  soccer|Sarmiento Junin|Sarmiento Resistencia
  soccer|San Lorenzo|San Luis
  soccer|Gamba Osaka|Osaka
  soccer|Shimizu S-Pulse|Shonan Bellmare
  soccer|Nagoya Grampus|Nagasaki
  soccer|Jeonbuk|Jeonnam
  soccer|Wuhan Three Towns|Wuhan Zall
  soccer|Raja Casablanca|Wydad Casablanca
  soccer|Columbus Crew|Columbus Crew 2
  soccer|Atlanta United|Atlanta United 2
  soccer|Slovakia U21|Slovenia U21
  soccer|Liberia|Libya
  soccer|Guyana|French Guiana
  soccer|Chile|China
  soccer|Jordan|Georgia
  soccer|Korea Republic U23|Korea DPR U23
  hockey|HC Ambri-Piotta|HC Lugano
  hockey|Tappara Tampere|Ilves Tampere
  hockey|Jokerit Helsinki|HIFK Helsinki
  hockey|Lulea|Skelleftea
  basketball|Florida|Florida Gulf Coast
  basketball|Texas Southern|Texas State
  basketball|Alabama|Alabama State
  basketball|Alabama A&M|Alabama
  basketball|South Alabama|Alabama
  basketball|South Florida|Florida
  basketball|North Dakota|North Dakota State
  basketball|Central Michigan|Michigan
  basketball|East Carolina|Coastal Carolina
  basketball|Arkansas Pine Bluff|Arkansas
  basketball|Washington|Eastern Washington
  basketball|Ohio|Ohio State
  basketball|Nebraska|Nebraska Omaha
  basketball|Houston|Houston Christian
  basketball|Idaho|Idaho State
  basketball|New Mexico|New Mexico State
  basketball|Georgetown|George Washington
  basketball|George Mason|George Washington
  basketball|Saint Louis|Saint Peters
  basketball|Oregon|Oregon State
  baseball|Chicago Cubs|Chicago White Sox
  baseball|Los Angeles Angels|Los Angeles Dodgers
  rugby_league|Hull FC|Hull KR
  rugby_league|Hull FC|Hull Kingston Rovers
  rugby|Northampton Saints|Newcastle Falcons
  tennis|Alexandre Muller|Gilles Muller
  tennis|Maria Sakkari|Maria Sharapova
  tennis|Yibing Wu|Wu Tung-Lin
  tennis|Sun Lulu|Sun Fajing
  tennis|Popyrin A.|Popyrin B.
  tennis|Leylah Fernandez|Bianca Fernandez
  mma|Tony Ferguson|Tony Martin
  mma|Li Jingliang|Li Kaiwen
  boxing|Jake Paul|Logan Paul
  boxing|Tyson Fury|Tommy Fury
  snooker|Mark Allen|Mark Williams
  snooker|Ronnie O'Sullivan|Sean O'Sullivan
  esports|Weibo Gaming|Rare Atom
  esports|Team Falcons|Falcons Vega
  esports|LNG Esports|LGD Gaming
  esports|NRG|NIP
  esports|OG|OMG
  soccer|Hamilton|Hamilton Wanderers
`)

/**
 * Pairs that the rules cannot separate: a name that is the beginning or the end of another club's
 * name, neither of them in the reference table, each against one opponent at one time. Clubs of
 * different divisions or countries, so no league lists both.
 */
const knownLimits = lines(`
  soccer|Ajaccio|Gazelec Ajaccio
  soccer|Bahia|Bahia de Feira
  soccer|Vila Nova|Villa Nova
  soccer|Universidad Catolica Quito|Universidad Catolica
`)

function lines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split('|') as [sport: string, a: string, b: string])
}

const startsAt = Date.UTC(2027, 1, 6, 15)

/** Returns whether two sportsbooks' games of the side, against one opponent at one start, are matched. */
function meet(sport: string, a: string, b: string): boolean {
  const person = a.includes('/') ? 'Olof Zest / Quentin Yorke' : 'Quentin Zest'
  const opponent = nameKindOf(sport) === 'person' ? person : 'Zquest Opponents'
  const externalIds = new Map([['pinnacle', '1']])
  const candidate = { id: 'x', home: b, away: opponent, startsAt, externalIds }
  const listing = { home: a, away: opponent, startsAt, sportsbook: 'bet365', externalId: '7' }
  return findMatch(listing, [candidate], { sport }) !== null
}

test('spellings of one side in unseen leagues match, and other sides do not', () => {
  const tables = Object.values(leagues)
  const pairs = (of: 'same' | 'different') =>
    tables.flatMap((league) => league[of].map(([a, b]) => [league.sport, a, b] as const))
  const same = [...pairs('same'), ...moreSame]
  const different = [...pairs('different'), ...moreDifferent]
  for (const [sport, a, b] of [...same, ...different])
    expect(meet(sport, b, a), `${a} and ${b} either way round`).toBe(meet(sport, a, b))
  const missed = same.filter((pair) => !meet(...pair)).map((pair) => pair.join('|'))
  const merged = different.filter((pair) => meet(...pair)).map((pair) => pair.join('|'))
  const recall = 1 - missed.length / same.length
  console.log(
    `held-out names: ${same.length} same, recall ${recall.toFixed(4)}, missed: ${missed.join('; ')}\n` +
      `held-out names: ${different.length} different, ${merged.length} merged`,
  )
  expect(merged).toEqual([])
  expect(recall).toBeGreaterThanOrEqual(0.97)
})

test('the known limits are still the limits', () => {
  expect(knownLimits.filter((pair) => !meet(...pair))).toEqual([])
})

test('no side of a league is taken for another side of that league', () => {
  const merged: string[] = []
  let pairCount = 0
  for (const [league, { sport, same }] of Object.entries(leagues)) {
    for (const [i, left] of same.entries())
      for (const right of same.slice(i + 1))
        for (const a of left)
          for (const b of right) {
            pairCount++
            if (sameInTable(a, b)) continue
            if (meet(sport, a, b)) merged.push(`${league}: ${a} != ${b}`)
          }
  }
  console.log(
    `held-out names: ${pairCount} cross pairs, ${merged.length} merged ${merged.join('; ')}`,
  )
  expect(merged).toEqual([])
})

test('names that have nothing in common at a glance are different, and most have not', () => {
  const tables = Object.values(leagues).map(({ sport, same, different }) => ({
    kind: nameKindOf(sport),
    names: [...same, ...different].flat(),
  }))
  for (const [sport, ...names] of [...moreSame, ...moreDifferent])
    tables.push({ kind: nameKindOf(sport), names })
  for (const kind of ['team', 'person'] as const) {
    const own = tables.filter((table) => table.kind === kind)
    // All names of a league, and a sample of all names against all others.
    const everyone = [...new Set(own.flatMap(({ names }) => names))]
    const strange = everyone.map((name, i) => [name, everyone[(i * 7919 + 13) % everyone.length]])
    let pairCount = 0
    let partedCount = 0
    const wronged: string[] = []
    for (const names of [...own.map((table) => table.names), ...(strange as string[][])])
      for (const [i, left] of names.entries())
        for (const right of names.slice(i + 1)) {
          const [a, b] = [parseTeamName(left, kind), parseTeamName(right, kind)]
          pairCount++
          if (mayAgree(a.outline, b.outline)) continue
          partedCount++
          if (compareNames(a, b) !== 'different') wronged.push(`${left} = ${right}`)
        }
    console.log(`at a glance: ${partedCount} of ${pairCount} pairs of ${kind}s are different`)
    expect(wronged).toEqual([])
    expect(partedCount / pairCount).toBeGreaterThan(0.5)
  }
})

/** Rows of the table about one team, in different spellings. */
const families = [
  /red star|crvena/i,
  /bragantino/i,
  /newell/i,
  /flamengo/i,
  /sinner/i,
  /cerundolo/i,
  /de minaur/i,
  /nott('?m|ingham) forest/i,
  /inter/i,
]
const sameInTable = (a: string, b: string) => families.some((name) => name.test(a) && name.test(b))
