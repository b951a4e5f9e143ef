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
  northernIreland: 'NIR|Northern Ireland|N Ireland|Nordirland|Irlande du Nord|Irlanda del Norte',
  ireland: 'IE|Ireland|Republic of Ireland|Rep of Ireland|Ireland Republic|Eire|ROI',
  usa: 'US|USA|United States|United States of America|U.S.A.|US|USMNT|Etats-Unis',
  southKorea: 'KR|South Korea|Korea Republic|Republic of Korea|Korea|Korea South|S Korea',
  northKorea: 'KP|North Korea|Korea DPR|DPR Korea|Korea North|N Korea',
  china: 'CN|China|China PR|PR China|Peoples Republic of China',
  taiwan: 'TW|Taiwan|Chinese Taipei',
  hongKong: 'HK|Hong Kong|Hong Kong China',
  macau: 'MO|Macau|Macao',
  czechia: 'CZ|Czechia|Czech Republic|Czech Rep',
  turkey: 'TR|Turkey|Turkiye',
  ivoryCoast: "CI|Ivory Coast|Cote d'Ivoire",
  bosnia: 'BA|Bosnia|Bosnia and Herzegovina|Bosnia & Herzegovina|Bosnia Herzegovina|Bosnia-Herz',
  drCongo: 'CD|DR Congo|Congo DR|Democratic Republic of the Congo|D R Congo|Zaire',
  congo: 'CG|Congo|Congo Republic|Republic of the Congo|Congo-Brazzaville',
  northMacedonia: 'MK|North Macedonia|Macedonia|FYR Macedonia|N Macedonia',
  capeVerde: 'CV|Cape Verde|Cabo Verde|Cape Verde Islands',
  eswatini: 'SZ|Eswatini|Swaziland',
  iran: 'IR|Iran|IR Iran',
  uae: 'AE|UAE|United Arab Emirates',
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
  tahiti: 'PF|Tahiti|French Polynesia',
  faroe: 'FO|Faroe Islands|Faroes|Faroe',
  moldova: 'MD|Moldova|Republic of Moldova',
  syria: 'SY|Syria|Syrian Arab Republic',
  vietnam: 'VN|Vietnam|Viet Nam',
  laos: 'LA|Laos|Lao PDR',
  curacao: 'CW|Curacao',
  westIndies: 'WI|West Indies|Windies',
  saudi: 'SA|Saudi Arabia|KSA|Saudi',
  newZealand: 'NZ|New Zealand|NZ|Black Caps|All Blacks',
  southAfrica: 'ZA|South Africa|S Africa|RSA',
  greatBritain: 'GB|Great Britain|United Kingdom|UK|GBR',
}

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
