/**
 * Countries by name, for national teams. Countries differ by one letter (Iran, Iraq) or contain
 * each other (Niger, Nigeria; Guinea, Guinea-Bissau), so their names are looked up, never guessed.
 *
 * The names of every ISO 3166 region come from the runtime's own tables in the languages feeds are
 * written in; what sport says differently stands here.
 */

const languages = ['en', 'fr', 'es', 'de', 'it', 'pt', 'nl']

/** The game's own countries, and names that are not in the tables; they win over the tables. */
const namesInSport: Readonly<Record<string, string>> = {
  england: 'ENG|England|Angleterre|Inglaterra|Inghilterra|Engeland',
  scotland: 'SCO|Scotland|Ecosse|Escocia|Schottland|Scozia|Schotland',
  wales: 'WAL|Wales|Pays de Galles|Gales|Galles',
  northernIreland:
    'NIR|Northern Ireland|N Ireland|Nth Ireland|Nordirland|Irlande du Nord|Irlanda del Norte',
  ireland:
    "IE|Ireland|Irlande|République d'Irlande|Rép Irlande|Irlande République d|Republica de Irlanda|Republic of Ireland|Rep of Ireland|Ireland Republic|République de l'Irlande|Eire|ROI",
  usa: 'US|USA|United States|United States of America|U.S.A.|US|USMNT|Etats-Unis|Estados Unidos|Stati Uniti|Vereinigte Staaten|E Unis',
  southKorea: 'KR|South Korea|Korea Republic|Republic of Korea|Korea|Korea South|S Korea',
  northKorea: 'KP|North Korea|Korea DPR|DPR Korea|Korea North|N Korea',
  china: 'CN|China|China PR|PR China|Peoples Republic of China',
  taiwan: 'TW|Taiwan|Chinese Taipei',
  hongKong: 'HK|Hong Kong|Hong Kong China|Hong Kong Chine',
  macau: 'MO|Macau|Macao',
  czechia:
    'CZ|Czechia|Czech Republic|Czech Rep|République Tchèque|Rép Tchèque|Republica Checa|Tchequie',
  turkey: 'TR|Turkey|Turkiye',
  ivoryCoast: "CI|Ivory Coast|Cote d'Ivoire",
  bosnia:
    'BA|Bosnia|Bosnie|Bosnien|Bosnie-Herzegovine|Bosnie & Herzégovine|Bosnie Herz|Bosnie Herzeg|Bosnia and Herzegovina|Bosnia & Herzegovina|Bosnia Herzegovina|Bosnia-Herz',
  drCongo:
    'CD|DR Congo|Congo DR|Democratic Republic of the Congo|République Démocratique du Congo|RD Congo|D R Congo|Zaire',
  congo: 'CG|Congo|Congo Republic|Republic of the Congo|Congo-Brazzaville',
  northMacedonia:
    'MK|North Macedonia|Macedonia|FYR Macedonia|N Macedonia|Macédoine|Macédoine du Nord|Nord Macédoine|Nordmazedonien',
  capeVerde: 'CV|Cape Verde|Cabo Verde|Cape Verde Islands',
  eswatini: 'SZ|Eswatini|Swaziland',
  iran: 'IR|Iran|IR Iran',
  uae: 'AE|UAE|United Arab Emirates|Emirats Arabes Unis|Emirats|EAU|Emirates',
  russia: 'RU|Russia|Russian Federation',
  netherlands: 'NL|Netherlands|Holland|The Netherlands',
  trinidad: 'TT|Trinidad and Tobago|Trinidad & Tobago|Trinidad',
  antigua: 'AG|Antigua and Barbuda|Antigua & Barbuda',
  stKitts: 'KN|St Kitts and Nevis|Saint Kitts and Nevis|St Kitts & Nevis',
  stVincent:
    'VC|St Vincent and the Grenadines|Saint Vincent and the Grenadines|St Vincent|Saint Vincent',
  stLucia: 'LC|St Lucia|Saint Lucia',
  burma: 'MM|Myanmar|Burma',
  eastTimor: 'TL|Timor-Leste|East Timor',
  gambia: 'GM|Gambia|The Gambia',
  kyrgyzstan: 'KG|Kyrgyzstan|Kyrgyz Republic',
  brunei: 'BN|Brunei|Brunei Darussalam',
  palestine: 'PS|Palestine|Palestinian Territories',
  virginUs:
    'VI|US Virgin Islands|Virgin Islands US|Iles Vierges américaines|Iles Vierges USA|Iles Vierges Etats-Unis',
  virginGb:
    'VG|British Virgin Islands|Virgin Islands British|Iles Vierges britanniques|Iles Vierges Royaume-Uni|BVI',
  guam: 'GU|Guam|Ile de Guam',
  barbados: 'BB|Barbados|Barbade|Barbades|La Barbade|Les Barbades',
  sanMarino: 'SM|San Marino|Saint-Marin|San Marin',
  fiji: 'FJ|Fiji|Fidji|Iles Fidji',
  centralAfrica:
    'CF|Central African Republic|Centrafrique|République Centrafricaine|Rep Centrafricaine|R Centrafrique|RCA',
  dominican: 'DO|Dominican Republic|République Dominicaine|Rép Dominicaine|Dominican Rep',
  belarus: 'BY|Belarus|Biélorussie|Bélarus|Bielorussia|Weissrussland',
  tahiti: 'PF|Tahiti|French Polynesia',
  faroe:
    'FO|Faroe Islands|Faroes|Faroe|Iles Féroé|Iles Féroés|Ile Féroé|Les îles Féroé|Féroé|I Féroé|Färöer',
  moldova: 'MD|Moldova|Republic of Moldova',
  syria: 'SY|Syria|Syrian Arab Republic',
  vietnam: 'VN|Vietnam|Viet Nam',
  laos: 'LA|Laos|Lao PDR',
  curacao: 'CW|Curacao',
  westIndies: 'WI|West Indies|Windies',
  saudi: 'SA|Saudi Arabia|KSA|Saudi|Arabie Saoudite|A Saoudite',
  newZealand: 'NZ|New Zealand|Nouvelle Zélande|NZ|Black Caps|All Blacks',
  southAfrica: 'ZA|South Africa|Afrique du Sud|S Africa|RSA',
  greatBritain:
    'GB|Great Britain|United Kingdom|UK|GBR|Grande Bretagne|Gde Bretagne|Gran Bretaña|Gran Bretagna|Grossbritannien|Team GB|Royaume-Uni',
}

/** Three letters in brackets to a country: FIFA's and the IOC's where ISO's differ, and French ones. */
const marks = marksBy(`
  AF AFG|AL ALB|DZ ALG DZA|AD AND|AO ANG AGO|AG ANT ATG|AR ARG|AM ARM|AW ARU ABW|AU AUS|AT AUT
  AZ AZE|BS BAH BHS|BH BRN BHR|BD BAN BGD|BB BAR BRB|BY BLR BIE|BE BEL|BZ BIZ BLZ|BJ BEN|BM BER BMU
  BT BHU BTN|BO BOL|BA BIH BOS|BW BOT BWA|BR BRA BRE|BG BUL BGR|BF BUR BFA|BI BDI|KH CAM KHM|CM CMR
  CA CAN|CV CPV|CF CAF CTA CTF|TD CHA TCD|CL CHI CHL|CN CHN|CO COL|CG CGO COG|CD COD|CR CRC CRI
  CI CIV|HR CRO HRV|CU CUB|CW CUW|CY CYP|CZ CZE RTC TCH|DK DEN DNK DAN|DO DOM|EC ECU|EG EGY|SV SLV ESA
  ENG ENG ANG|GQ EQG GNQ|EE EST|SZ SWZ|ET ETH|FO FRO FAR|FJ FIJ FJI|FI FIN|FR FRA|GA GAB|GM GAM GMB
  GE GEO|DE GER DEU ALL|GH GHA|GI GIB|GR GRE GRC|GD GRN GRD|GT GUA GTM|GN GUI GIN|GY GUY|HT HAI HTI
  HN HON HND|HK HKG|HU HUN|IS ISL ICE|IN IND|ID INA IDN IDO|IR IRN|IQ IRQ|IE IRL|IL ISR|IT ITA
  JM JAM|JP JPN JAP|JO JOR|KZ KAZ|KE KEN|XK KOS KVX|KW KUW KWT|KG KGZ|LA LAO|LV LVA LAT LET|LB LIB LBN
  LR LBR|LY LBA LBY|LI LIE|LT LTU|LU LUX|MO MAC|MG MAD MDG|MW MWI MAW|MY MAS MYS|ML MLI|MT MLT|MR MTN
  MX MEX|MD MDA MOL|MN MGL MNG|ME MNE|MA MAR|MZ MOZ|MM MYA MMR|NA NAM|NP NEP NPL|NL NED NLD HOL|NZ NZL
  NI NCA NIC|NE NIG NER|NG NGA NGR|NIR NIR|MK MKD|NO NOR|OM OMA OMN|PK PAK|PA PAN|PY PAR PRY|PE PER
  PH PHI PHL|PL POL|PT POR PRT|PR PUR PRI|QA QAT|RO ROU ROM|RU RUS|RW RWA|SM SMR|SA KSA SAU|SCO SCO ECO
  SN SEN|RS SRB SER|SG SIN SGP|SK SVK SLQ|SI SVN SLO|SO SOM|ZA RSA ZAF AFS|KR KOR|ES ESP|LK SRI LKA
  SD SDN SUD|SR SUR|SE SWE SUE|CH SUI CHE|SY SYR|TW TPE TWN|TJ TJK|TZ TAN TZA|TH THA|TG TOG TGO|TT TRI TTO
  TN TUN|TR TUR|TM TKM|UG UGA|UA UKR|AE UAE EAU ARE|US USA|UY URU URY|UZ UZB|VE VEN|VN VIE VNM|WAL WAL GAL
  YE YEM|ZM ZAM ZMB|ZW ZIM ZWE
`)

function marksBy(table: string): ReadonlyMap<string, string> {
  const rows = table
    .trim()
    .split(/[|\n]/)
    .map((row) => row.trim().toLowerCase().split(' '))
  return new Map(
    rows.flatMap(([code = '', ...own]) => own.map((mark) => [mark, code.toUpperCase()])),
  )
}

/**
 * The country that stands in brackets behind a name, as a code.
 * @param inside what stands there, in lower case
 * @param byName what the tables make of it as a name
 */
export const countryOfMark = (inside: string, byName: string | undefined): string | undefined =>
  marks.get(inside) ?? (inside.length > 3 ? byName : undefined)

/**
 * Codes by folded name.
 * @param fold how names are compared; two languages' names for one country often fold alike
 */
export function countryCodes(fold: (name: string) => string): ReadonlyMap<string, string> {
  const codes = new Map<string, string>()
  for (const row of Object.values(namesInSport)) {
    const [code = '', ...names] = row.split('|')
    for (const name of names) codes.set(fold(name), code)
  }
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const language of languages) {
    const table = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const first of letters) {
      for (const second of letters) {
        const code = first + second
        // Withdrawn codes answer with today's name: DD is Germany again.
        if (new Intl.Locale(`und-${code}`).region !== code) continue
        const name = table.of(code)
        const key = name && !/[()]/.test(name) ? fold(name) : ''
        // English comes first and wins: "Granada" is a city before it is Spanish for Grenada.
        if (key !== '' && !codes.has(key)) codes.set(key, code)
      }
    }
  }
  return codes
}
