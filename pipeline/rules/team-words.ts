/**
 * What single words mean in the names of teams: facts about language, not a list of teams.
 *
 * All words stand here as people write them, in lower case; who uses them folds them the way
 * incoming names are folded, so that accents, doubled letters and c/k need no rows of their own.
 */

const words = (text: string) => text.trim().split(/\s+/)

/** Club forms and descriptors: they say what kind of club it is, not which. */
export const forms = words(`
  fc cf sc ac afc sk fk if bk ik ff ssc as us ss cd ud sd ad rc krc rsc rsca kv kaa kvc kfc kfco fco fsv
  sv vfb vfl tsg tsv bsc spvgg ssv msv kas kvk rfc nk gnk hnk gd cs csm acs afk mfk ofk pfc pfk tj
  zsk gks mks ks ts rks wks osc hsc sco ogc es ec sa cp cr fr ca cb kk bc hc khk ehc ev erc cc jk tc
  ftc se vv ksv kvv afs va gf bb bbc fbc ea ef kp sfc ssd asd jfc cfc foot club clube klub kulub clan
  calcio futbol football futebol fotball fotboll fotbal fudbalski fussball fussballclub balompie
  futebolclube associazione sportiva sociedade societa association basket basketball baskets
  baloncesto pallacanestro basquet esports esport gaming egaming team rugby rl rlfc rufc cricket
  handball volley volleyball hockey royal royale koninklijke spor kulubu boldklub idrottsforening
  as hk kf jk tjk ihk mhk mhc dhk hbc hb bm rk zrk gk uch csd acs aec csk bcm khk fbk sg hv hbk
  handbal balonmano bs bss tss afl sad fcb mfc yf ofc vfr kks pae kae pas ae usc ucm spa ghc
  krc pfc hfc cfm hhc nd nfc
`)

/** Little words that are written or left out at will; "LA" as well, its team's name says enough. */
export const particles = words(`
  and und e y et de del della dell di da do dos das la le les los las der die den the of van al el an
  ash ar in
`)

/** Words behind the name of a town that say where it lies: on a river, at the sea. */
export const placing = words('sur sous upon nad pod')

/** Words that many clubs share: alone they name nobody, but two of them that differ are two clubs. */
export const sharedWords = words(`
  united city town rovers real athletic sporting racing wanderers county albion deportivo deportes
  olympique stade dinamo lokomotiv maccabi hapoel beitar bnei college university universidad
  national nacional
`)

/** Spellings of one shared word, and abbreviations that cannot be read another way. */
export const synonyms: readonly (readonly string[])[] = [
  ['united', 'utd'],
  ['athletic', 'atletico', 'athletico', 'atletic', 'ath', 'atl', 'atleti'],
  ['deportivo', 'dep', 'depor', 'deportiva'],
  ['lokomotiv', 'lokomotive', 'lokomotiva', 'loko', 'lok'],
  ['maccabi', 'macabi', 'makkabi'],
  ['university', 'univ', 'u', 'universitatea', 'universitet', 'universidad'],
  ['wanderers', 'wand', 'wdrs'],
  ['rovers', 'rvrs'],
  ['rangers', 'rgrs'],
  ['internazionale', 'inter'],
  ['saint', 'st', 'sint', 'sankt', 'ste'],
  ['state', 'etat'],
  ['north', 'nth'],
  ['south', 'sth'],
  ['tech', 'technical'],
  ['mount', 'mt', 'mont'],
  ['national', 'nacional'],
  ['fort', 'ft'],
  ['republic', 'rep'],
  ['juniors', 'jrs'],
  ['mineiro', 'mg'],
  ['goianiense', 'go'],
  ['paranaense', 'pr'],
]

/** One place (or thing) under its names in several languages; the first is how we know it. */
export const exonyms: readonly (readonly string[])[] = [
  ['koln', 'koeln', 'cologne', 'keulen', 'colonia'],
  ['munchen', 'munich', 'muenchen', 'monachium'],
  ['wien', 'vienna', 'vienne'],
  ['praha', 'prague', 'prag', 'praga'],
  ['moskva', 'moscow', 'moscou', 'moskau', 'moskwa'],
  ['lisboa', 'lisbon', 'lisbonne', 'lissabon'],
  ['sevilla', 'seville'],
  ['roma', 'rome', 'rom'],
  ['milano', 'milan', 'mailand'],
  ['torino', 'turin'],
  ['napoli', 'naples', 'neapel'],
  ['genoa', 'genova', 'genes', 'genua'],
  ['firenze', 'florence', 'florenz'],
  ['venezia', 'venice', 'venise', 'venedig'],
  ['parma', 'parme'],
  ['bologna', 'bologne'],
  ['athens', 'athina', 'athen', 'athenes', 'athinai', 'athinon', 'atina'],
  ['piraeus', 'pireas', 'piree', 'pireus', 'pirea'],
  ['kobenhavn', 'copenhagen', 'copenhague', 'kopenhagen'],
  ['goteborg', 'gothenburg', 'goeteborg'],
  ['beograd', 'belgrade', 'belgrad', 'belgrado'],
  ['warszawa', 'warsaw', 'varsovie', 'warschau'],
  ['krakow', 'cracow', 'cracovie', 'krakau'],
  ['poznan', 'posen'],
  ['wroclaw', 'breslau'],
  ['gdansk', 'danzig'],
  ['kyiv', 'kiev', 'kiew'],
  ['kharkiv', 'kharkov'],
  ['odesa', 'odessa'],
  ['lviv', 'lvov'],
  ['luhansk', 'lugansk'],
  ['poltava', 'poltawa'],
  ['geneve', 'geneva', 'genf', 'ginebra'],
  ['bern', 'berne', 'berna'],
  ['basel', 'bale', 'basle', 'basilea'],
  ['luzern', 'lucerne', 'lucerna'],
  ['brugge', 'bruges', 'brugges'],
  ['gent', 'ghent', 'gand'],
  ['antwerp', 'antwerpen', 'anvers', 'amberes'],
  ['liege', 'luik', 'luttich', 'lieja'],
  ['brussels', 'brussel', 'bruxelles'],
  ['mechelen', 'malines'],
  ['nurnberg', 'nuremberg'],
  ['hannover', 'hanover', 'hanovre', 'hannovre'],
  ['braunschweig', 'brunswick'],
  ['mainz', 'mayence'],
  ['freiburg', 'fribourg'],
  ['strasbourg', 'strassburg', 'estrasburgo'],
  ['plzen', 'pilsen'],
  ['brno', 'brunn'],
  ['tbilisi', 'tiflis'],
  ['yerevan', 'erevan', 'jerevan'],
  ['almaty', 'alma-ata'],
  ['petersburg', 'peterburg', 'petersbourg', 'petersburgo'],
  ['beijing', 'peking', 'pekin'],
  ['tehran', 'teheran'],
  ['riyadh', 'riad', 'riyad'],
  ['jeddah', 'jidda', 'jiddah', 'djeddah'],
  ['barcelona', 'barcelone', 'barca'],
  ['valencia', 'valence'],
  ['zaragoza', 'saragossa', 'saragosse'],
  ['mallorca', 'majorca', 'majorque'],
  ['porto', 'oporto'],
  ['coruna', 'corunna', 'corogne'],
  ['helsinki', 'helsingfors'],
  ['larnaca', 'larnaka'],
  ['wolves', 'wolverhampton'],
  ['gladbach', 'monchengladbach', 'moenchengladbach', 'mgladbach'],
  ['bratislava', 'pressburg'],
  ['split', 'spalato'],
  ['rijeka', 'fiume'],
  ['vilnius', 'wilno'],
  ['kaunas', 'kowno'],
  ['istanbul', 'estambul'],
  ['olympiacos', 'olympiakos', 'olimpiakos', 'olympiacos', 'olympiakos'],
  ['shakhtar', 'schachtar', 'chakhtar', 'chakhtior', 'shakhtior', 'shakhtyor', 'shakhter'],
  ['zorya', 'zaria', 'zarya'],
  ['ittihad', 'itihad', 'ittehad'],
  ['ettifaq', 'ittifaq', 'etifaq'],
  ['nassr', 'nasr'],
  ['taawoun', 'taawon', 'taawun'],
  ['fateh', 'fath'],
  ['mouz', 'mousesports'],
  ['uconn', 'connecticut'],
  ['umass', 'massachusetts'],
  ['appalachian', 'app'],
  ['philadelphia', 'philly'],
  ['koblenz', 'coblence', 'coblenz'],
  ['wurzburg', 'wurtzbourg', 'wurzbourg'],
  ['salzburg', 'salzbourg', 'salisburgo'],
  ['augsburg', 'augsbourg', 'augusta'],
  ['regensburg', 'ratisbonne'],
  ['frankfurt', 'francfort', 'francoforte'],
  ['dresden', 'dresde'],
  ['bremen', 'breme', 'brema'],
  ['berlin', 'berlino'],
  ['hamburg', 'hambourg', 'amburgo', 'hamburgo'],
  ['duisburg', 'duisbourg'],
  ['magdeburg', 'magdebourg'],
  ['aachen', 'aken'],
  ['edinburgh', 'edimbourg', 'edimburgo'],
  ['london', 'londres', 'londra'],
  ['dublin', 'dublino'],
  ['leuven', 'louvain', 'lovaina'],
  ['kortrijk', 'courtrai'],
  ['ostende', 'oostende', 'ostend'],
  ['truiden', 'trond', 'truidense', 'truidens'],
  ['groningen', 'groningue'],
  ['cadiz', 'cadix'],
  ['cordoba', 'cordoue', 'cordova'],
  ['granada', 'grenade'],
  ['pisa', 'pise'],
  ['como', 'come'],
  ['siena', 'sienne'],
  ['modena', 'modene'],
  ['bergamo', 'bergame'],
  ['verona', 'verone'],
  ['vicenza', 'vicence'],
  ['padova', 'padua', 'padoue'],
  ['trento', 'trente'],
  ['alessandria', 'alexandrie', 'alexandria'],
  [
    'thessaloniki',
    'thessalonique',
    'thessalonikis',
    'saloniki',
    'salonika',
    'salonica',
    'salonique',
    'selanik',
  ],
  ['patras', 'patra', 'patrasso'],
  ['famagusta', 'famagouste', 'ammochostos'],
  ['limassol', 'lemesos'],
  ['paphos', 'pafos'],
  ['nicosia', 'nicosie', 'lefkosia'],
  ['cracovia', 'cracovie'],
  ['silesia', 'slask', 'silesie'],
  ['lubeck', 'luebeck'],
  ['ljubljana', 'lubiana', 'laibach'],
  ['zagreb', 'agram'],
  ['bucuresti', 'bucharest', 'bukarest', 'bucarest'],
  ['novgorod', 'nowgorod'],
  ['nizhny', 'nijni', 'nizhni'],
  ['ekaterinburg', 'yekaterinburg', 'ekaterinbourg', 'iekaterinbourg', 'jekaterinburg'],
  ['yaroslavl', 'iaroslavl', 'jaroslavl'],
  ['chisinau', 'kishinev'],
  ['cairo', 'kairo', 'caire', 'kahira'],
  ['alger', 'algiers', 'argel'],
  ['tunis', 'tunisi', 'tunez'],
  ['damascus', 'damas'],
  ['austria', 'autriche'],
  ['hungaria', 'hongrie'],
  ['chile', 'chili'],
  ['zealand', 'zelande'],
  ['briochin', 'brieuc'],
]

/** Words that belong together: read as one word, wherever they stand. */
export const phrases: readonly (readonly [phrase: string, reading: string])[] = [
  ['crvena zvezda', 'red star'],
  ['etoile rouge', 'red star'],
  ['roter stern', 'red star'],
  ['estrella roja', 'red star'],
  ['kansas city', 'kansas city'],
  ['oklahoma city', 'oklahoma city'],
  ['mexico city', 'mexico city'],
  ['quebec city', 'quebec city'],
  ['salt lake', 'salt lake'],
  ['las vegas', 'las vegas'],
  ['las palmas', 'las palmas'],
  ['los angeles', 'los angeles'],
  ['green bay', 'green bay'],
  ['tampa bay', 'tampa bay'],
  ['golden state', 'golden state'],
  ['tel aviv', 'tel aviv'],
  ['beer sheva', 'beer sheva'],
  ['hong kong', 'hong kong'],
  ['den haag', 'den haag'],
  ['the hague', 'den haag'],
  ['la haye', 'den haag'],
  ['la haya', 'den haag'],
  ['buenos aires', 'buenos aires'],
  ['rio grande', 'rio grande'],
  ['gold coast', 'gold coast'],
  ['central coast', 'central coast'],
  ['trail blazers', 'trail blazers'],
  ['blazers', 'trail blazers'],
  ['okc', 'oklahoma city'],
  ['union sportive', 'us'],
  ['etoile sportive', 'es'],
  ['association sportive', 'as'],
  ['jeunesse sportive', 'js'],
  ['club sportif', 'cs'],
  ['olympique club', 'oc'],
  ['club athletique', 'ca'],
  ['racing club de', 'rc'],
  ['club olympique', 'co'],
  ['sport club', 'sc'],
  ['clube atletico', 'ca'],
  ['club atletico', 'ca'],
  ['buyuksehir belediye', 'bb'],
  ['buyuksehir belediyesi', 'bb'],
  ['nottm', 'nottingham'],
  ['nottm forest', 'nottingham forest'],
]

/**
 * Directions and the like belong to the word after them: North Melbourne is no Melbourne,
 * New England no England. (South at the end, as in Georgia Southern, is a `tellingWord`.)
 */
export const bindingWords = words(`
  north south east west northeast northwest southeast southwest central middle coastal northern southern eastern western upper lower greater new old port fort los
  san santa santo sao saint mount nizhny velky stare novi nova nea puerto 
`)

/** Words after a place that make it another team: Michigan State, Georgia Tech, Texas A&M. */
export const tellingWords = words(`
  state tech am at international polytechnic poly christian baptist southern northern eastern western
  central atlantic gulf methodist wesleyan monroe lafayette wilmington greensboro charlotte
  asheville omaha bakersfield fullerton northridge davis irvine riverside edwardsville pembroke
  south north east west a oh junior challengers rivadavia porteno largo
  novorizontino pine little arlington martin birmingham huntsville upstate military marymount mesa
  milwaukee green-bay san-antonio kansas-city kr kingston vega valley bee rising honda 1860 1948 milit purdue paso juniors commerce corpus christi kingsville upstate
`)

/** States by the last word of their names, before which "N" and "Northern" are one direction. */
export const statesByName = words(`
  alabama alaska arizona arkansas california colorado connecticut florida georgia idaho illinois
  indiana iowa kansas kentucky louisiana maine maryland michigan minnesota mississippi missouri montana
  nebraska nevada oklahoma oregon tennessee texas utah virginia washington wisconsin wyoming
  carolina dakota miss mich ill tenn ky wash fla ga ala ark okla conn ore ariz ind wis
`)

/** Words before "St" or "St." that make it "State"; anywhere else but at the end it is "Saint". */
export const statePlaces = words(`
  michigan ohio iowa kansas oklahoma penn florida arizona oregon washington mississippi miss colorado
  fresno jose san-jose boise utah nc north-carolina carolina kent ball wichita murray morgan norfolk
  illinois indiana missouri montana north-dakota south-dakota dakota idaho weber youngstown wright
  cleveland sacramento arkansas alabama georgia tennessee texas louisiana mcneese nicholls jackson
  jacksonville appalachian app kennesaw sandiego diego tarleton sam alcorn grambling delaware coppin
  south-carolina new-mexico portland morehead jax
`)

/**
 * Cities (names of two words with a hyphen) with several well-known clubs: there the city alone, or with a club form ("AC Milan"), is
 * not short for a club with a further name ("Inter Milan").
 */
export const sharedCities = words(`
  london manchester sheffield bristol glasgow edinburgh dundee
  belfast dublin madrid barcelona sevilla valencia milano roma torino genoa lisboa
  porto berlin munchen hamburg koln stuttgart paris brugge
  brussels antwerp liege rotterdam amsterdam kobenhavn stockholm goteborg oslo 
  helsinki wien graz linz zurich praha 
  bratislava budapest warszawa krakow lodz poznan zagreb split beograd sarajevo mostar
  ljubljana bucuresti cluj craiova timisoara sofia plovdiv athens thessaloniki piraeus istanbul
  ankara izmir kyiv kharkiv odesa lviv minsk moskva tbilisi yerevan baku almaty astana nicosia
  limassol larnaca haifa jerusalem tel-aviv cairo alexandria casablanca tunis tripoli tehran
  isfahan baghdad riyadh jeddah doha dubai kuwait bangkok jakarta
  hanoi singapore hong-kong beijing shanghai guangzhou shenzhen dalian tianjin seoul suwon busan
  tokyo osaka yokohama nagoya kyoto sydney melbourne auckland mexico
  guadalajara lima santiago bogota cali quito guayaquil montevideo asuncion
  skopje reykjavik constanta caracas buenos-aires rosario cordoba mendoza tucuman santa-fe sao-paulo
  curitiba salvador recife new-york los-angeles chicago 
  miami johannesburg pretoria durban lagos accra nairobi 
  
`)

/** Second teams, youth teams, women: part of who plays, so both names must say the same. */
export const women = words(`
  women womens woman w ladies femeni femenino femenina feminine feminin feminines feminino feminina fem
  femenil femminile naisten kvenna kobiet f wom zrk frauen dames vrouwen damer damen wfc lfc wnt female naiset kvinner kvinder
`)
export const reserves = words(`
  ii iii reserves reserve reserva res amateure castilla jong academy futures futuro
  nxt youth juvenil juvenis jugend primavera prospects development nextgen b2
  aspirantes filial
`)

/** Beside a team, what plays in its place: a simulation, old players, a selection. */
export const simulations = words(`
  srl simulated virtual legends cyber esports esport esoccer ebasketball efootball evolleyball vr xi
`)

/** Behind a team, what is counted in place of its game, or a part of it. */
export const countedInstead = words(`
  corners corner bookings cards offsides offside throwins shots target fouls saves kicks tackles
  penalties half quarter quarters period periods innings inning set sets map maps frames hits runs errors
  strikeouts games faults points rebounds assists sacks touchdowns turnovers goals posts
  specials statistics stats
`)

/** Words that mean a second team at the end of a name only. */
export const reservesAtEnd = words('b c 2 3 2nd')

/** Sponsors whose names come and go on the shirts of basketball and hockey clubs. */
export const sponsors = words(`
  emporio armani ea7 meridianbet mozzart bet segafredo playtika cazoo kosner opap aktor betsson td
  systems bitci cimberio umana germani carpegna prosciutto unahotels dolomiti energia beko ulker
  dogus bwin stoiximan novibet qatar airways betika
`)

/**
 * Whole names that no rule of spelling can tell; the first is how we know the team.
 * Well-known short names, renamed clubs, universities by their letters.
 */
export const knownAs: readonly (readonly string[])[] = [
  ['juventus', 'juve'],
  ['boca juniors', 'boca', 'boca jrs'],
  ['argentinos juniors', 'argentinos', 'argentinos jrs'],
  ['young boys', 'young boys bern', 'young boys berne'],
  ['sporting lisbon', 'sporting cp', 'sporting clube de portugal', 'sporting portugal'],
  ['fcsb', 'steaua bucuresti', 'fc steaua bucuresti', 'steaua', 'fcsb bucuresti'],
  ['borussia dortmund', 'bvb', 'bvb dortmund', 'bvb 09'],
  ['athletic bilbao', 'athletic club', 'athletic club bilbao'],
  ['milano', 'ac milan', 'milan ac', 'associazione calcio milan'],
  ['sporting gijon', 'real sporting', 'real sporting de gijon'],
  [
    'olimpia milano',
    'armani milan',
    'ea7 milan',
    'ea7 emporio armani milano',
    'emporio armani milano',
  ],
  ['deportivo coruna', 'rc deportivo', 'deportivo la coruna', 'deportivo de la coruna'],
  ['ldu quito', 'ldu', 'liga de quito', 'liga deportiva universitaria'],
  ['cloud9', 'c9'],
  ['new york city', 'nycfc', 'nyc'],
  ['queens park rangers', 'qpr'],
  ['gremio', 'gremio fbpa', 'gremio porto alegre'],
  ['aalborg', 'aab', 'aalborg bk', 'aab aalborg'],
  ['agf', 'aarhus', 'aarhus gf', 'agf aarhus'],
  ['guadalajara', 'chivas', 'chivas guadalajara', 'guadalajara chivas', 'cd guadalajara'],
  ['monterrey', 'rayados', 'rayados monterrey'],
  ['bilbao athletic', 'athletic bilbao b', 'athletic club b'],
  ['ole miss', 'mississippi', 'mississippi rebels', 'ole miss rebels'],
  ['southern california', 'usc', 'usc trojans', 'southern cal'],
  ['north carolina', 'unc'],
  ['louisiana state', 'lsu', 'lsu tigers'],
  ['brigham young', 'byu', 'byu cougars'],
  ['texas christian', 'tcu', 'tcu horned frogs'],
  ['southern methodist', 'smu', 'smu mustangs'],
  ['central florida', 'ucf', 'ucf knights'],
  ['florida international', 'fiu', 'florida intl'],
  ['florida atlantic', 'fau'],
  ['nevada las vegas', 'unlv', 'unlv rebels'],
  ['virginia commonwealth', 'vcu', 'vcu rams'],
  ['pittsburgh', 'pitt', 'pitt panthers'],
  ['california', 'cal', 'california golden bears', 'cal golden bears'],
  ['louisiana', 'ul lafayette', 'louisiana lafayette', 'louisiana ragin cajuns'],
  ['louisiana monroe', 'ul monroe'],
  ['army', 'army west point', 'army black knights'],
  ['miami fl', 'miami florida', 'miami hurricanes'],
  ['miami oh', 'miami ohio', 'miami redhawks', 'miami oh redhawks'],
  ['natus vincere', 'navi'],
  ['ninjas in pyjamas', 'nip'],
  ['dplus kia', 'dk', 'damwon', 'dwg kia', 'dplus'],
  ['bilibili', 'blg', 'bilibili gaming'],
]

/** Words one slip apart and names one word apart that are nevertheless two places or two teams. */
export const notTheSame: readonly (readonly [string, string])[] = [
  ['bayer', 'bayern'],
  ['queens park', 'queens park rangers'],
  ['nacional', 'nacional potosi'],
  ['celta', 'celtic'],
  ['reggina', 'reggiana'],
  ['kashima', 'kashiwa'],
  ['henan', 'hunan'],
  ['vitoria', 'viktoria'],
  ['santos', 'santa'],
  ['tigre', 'tigres'],
  ['sport', 'sporting'],
  ['valencia', 'valenciennes'],
  ['americana', 'america'],
  ['roma', 'romana'],
  ['atlas', 'atlante'],
  ['juventud', 'juventude'],
  ['juventude', 'juventus'],
  ['juventud', 'juventus'],
  ['guarani', 'guarany'],
]

/**
 * Clubs whose name others have in other countries, and where the best-known one is: without a
 * country in brackets that one is meant.
 */
export const homes: readonly (readonly [country: string, ...names: string[]])[] = [
  [
    'AR',
    'river plate',
    'ca river plate',
    'independiente',
    'racing club',
    'boca juniors',
    'estudiantes',
    'talleres',
  ],
  ['GB', 'everton', 'liverpool', 'arsenal', 'rangers', 'wanderers'],
  ['ES', 'barcelona', 'fc barcelona', 'real madrid', 'athletic', 'valencia'],
  ['BR', 'fluminense', 'corinthians', 'fortaleza', 'santos', 'gremio', 'vasco'],
  ['UY', 'penarol', 'nacional', 'danubio', 'cerro'],
  ['PY', 'olimpia', 'libertad', 'guarani', 'cerro porteno'],
  ['CL', 'universidad catolica', 'universidad de chile', 'colo colo'],
  ['EG', 'al ahly', 'zamalek'],
  ['GR', 'aris', 'apollon', 'olympiacos', 'olympiakos', 'panathinaikos'],
]

/** Given names and what their bearers are called. */
export const givenNames: readonly (readonly string[])[] = [
  ['alexander', 'sascha', 'sasha', 'alex', 'aleksandr', 'alexandre', 'alejandro'],
  ['cori', 'coco'],
  ['robert', 'bob', 'bobby', 'rob'],
  ['michael', 'mike', 'mikhail', 'misha', 'mischa'],
  ['thomas', 'tom', 'tommy', 'tomas'],
  ['william', 'bill', 'will', 'billy'],
  ['daria', 'dasha', 'darya'],
  ['anastasia', 'nastya', 'anastasiya', 'anastasija'],
  ['ekaterina', 'katerina', 'katya', 'kateryna', 'katie'],
  ['elizabeth', 'liz', 'beth', 'lizette'],
  ['margaret', 'maggie', 'margarita', 'rita'],
  ['natalia', 'natasha', 'nataliya', 'natalya'],
  ['maria', 'masha', 'mariya'],
  ['evgeny', 'yevgeny', 'evgenii', 'jevgeni'],
  ['yulia', 'julia', 'iulia', 'yuliya', 'juliya'],
  ['yana', 'jana', 'iana'],
  ['nicholas', 'nick', 'nicolas', 'nikolas', 'nico'],
  ['christopher', 'chris', 'christoph'],
  ['daniel', 'dan', 'danny', 'daniil'],
  ['samuel', 'sam', 'sammy'],
  ['samantha', 'sam'],
  ['joseph', 'joe', 'jose', 'josef'],
  ['john', 'jack', 'johnny'],
  ['james', 'jim', 'jimmy', 'jamie'],
  ['edward', 'ed', 'eddie', 'ned'],
  ['anthony', 'tony', 'antonio'],
  ['steven', 'steve', 'stephen', 'stefan'],
  ['andrew', 'andy', 'drew', 'andrey', 'andrei'],
  ['gregory', 'greg', 'grigor'],
  ['matthew', 'matt', 'mathew', 'matteo'],
  ['benjamin', 'ben', 'benny'],
  ['francisco', 'fran', 'paco', 'frances', 'francis'],
  ['ronald', 'ron', 'ronnie'],
  ['kenneth', 'ken', 'kenny'],
  ['victoria', 'vika', 'viktoria', 'viktoriya', 'viktorija'],
  ['svetlana', 'sveta'],
  ['philip', 'phil', 'philipp', 'filip'],
  ['raymond', 'ray'],
  ['peter', 'pete', 'petr', 'piotr'],
]
