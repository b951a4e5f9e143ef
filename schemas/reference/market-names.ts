/**
 * The names that people and sources have for market types: `spreads`, `Handicap`, `h2h`, `Over/Under`, `totals_q1`,
 * `alternate_spreads`, `batter_rbis`. Only this file reads such names; push ingest, the processor of prices, adapters
 * and the `market` filter use it, and suggestions share its words.
 *
 * Case, blanks, hyphens, slashes and accents do not matter. A name is read as words: the part of the game and words
 * that add nothing are removed (`periods.ts`), and the rest is looked up among ids, names and nicknames of
 * `markets.json` and the names of the main markets in `market-words.json`. The resulting type depends on the sport: a
 * spread is a run line in baseball and a puck line in hockey.
 *
 * The name alone decides, never the selections beside it: a delta that names one side must mean the same market as
 * its snapshot. A name that could mean two markets of a sport means none.
 */

import { listOf, readDataFile, recordOf, row, text, texts } from '../data-file.ts'
import { memoise } from '../memoise.ts'
import type { Answers } from './market-question.ts'
import wordRows from './market-words.json' with { type: 'json' }
import {
  expandMarketFilter,
  findMarket,
  type MainKind,
  type Market,
  mainMarketType,
  markets,
  slugMarket,
  typeInPeriod,
} from './markets.ts'
import { normaliseName } from './normalise-name.ts'
import { asksOfBoth, type Part, readPart, withoutWhole } from './periods.ts'
import { sports } from './sports.ts'

const marketWords = readDataFile(
  'schemas/reference/market-words.json',
  row({
    /** Words that replace others, in names of markets only. */
    abbreviations: recordOf(text),
    /** The main markets by every name that does not depend on the sport. */
    mainMarkets: row({
      moneyline: texts,
      three_way: texts,
      two_way: texts,
      spread: texts,
      total: texts,
      team_total: texts,
    }),
    /**
     * Names of main markets that say what the score counts; they mean the main market only if the
     * sport's score counts that.
     */
    units: recordOf(texts),
    /** Sports in which a game is a part of the match. */
    gamesOfMatch: texts,
    /**
     * Main markets whose plain name does not specify the unit, or what a draw does, with the types it may mean: sets
     * or games, sets or points, sets or legs. A price of one under the name of the other would be worthless.
     */
    unclear: listOf(row({ sports: texts, kinds: recordOf(texts) })),
    /** Words for the whole game that are also short for what a sport counts: field goals, free throws. */
    wholeOrCounted: recordOf(texts),
    /** Names of players' markets that do not say what is counted. */
    ofNoStatistic: texts,
  }),
  wordRows,
)
const namesOfNoStatistic: ReadonlySet<string> = new Set(marketWords.ofNoStatistic)
const abbreviations = new Map(Object.entries(marketWords.abbreviations))

const partWords = 'half|quarter|period|set|map|innings?|[1-9]'
const nthWords = '1st|2nd|3rd|[4-9]th|first|second|third|fourth|fifth|[1-5][hqp]\\b|[hqp][1-5]\\b'

/** Matches the sign between a part of a game and the whole of it, in either order. */
const joinsWhole = new RegExp(
  [
    `(?<=\\b(?:${partWords}|[1-5][hqp]|[hqp][1-5])(?:[\\s-]?time)?)\\s*[/&+]\\s*(?=(?:full[\\s-]?time|(?:full )?(?:match|game)|ft)\\b)`,
    `(?<=\\b(?:full[\\s-]?time|match|game|ft)(?: (?:winner|result))?)\\s*[/&+]\\s*(?=${nthWords}|(?:${partWords})\\b)`,
  ].join('|'),
  'giu',
)

/**
 * Returns a name as words: lower case, abbreviations written out, `matchWinner` split in two, "1st Half / Match" with
 * "and".
 */
export const wordsOfMarket: (text: string) => readonly string[] = memoise((text) =>
  normaliseName(text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(joinsWhole, ' and '))
    .split(' ')
    .filter(Boolean)
    .flatMap((word) => abbreviations.get(word)?.split(' ') ?? [word]),
)

/**
 * The kinds of main markets; `three_way` is the result with a draw, where the game itself is played until somebody
 * wins, `two_way` the winner without one.
 */
type NamedKind = MainKind | 'three_way' | 'two_way'

const kindsByName: ReadonlyMap<string, NamedKind> = new Map(
  Object.entries(marketWords.mainMarkets).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as NamedKind] as const),
  ),
)

const unitsByName: ReadonlyMap<string, string> = new Map(
  Object.entries(marketWords.units).flatMap(([unit, names]) =>
    names.map((name) => [name, unit] as const),
  ),
)

/**
 * Returns whether a sport's score may count the unit in a main market's name; true for a name
 * without a unit.
 */
function mayCount(sport: string, name: string): boolean {
  const unit = unitsByName.get(name)
  const total = mainMarketType(sport, 'total')
  return (
    unit === undefined ||
    total === `total_${unit}` ||
    (total === 'total_points' && !listedSports.has(sport))
  )
}

const sportsOfGames: ReadonlySet<string> = new Set(marketWords.gamesOfMatch)

/**
 * Returns the words without those for the whole of a game; in sports with several games, "game" is
 * not the whole.
 */
const withoutWholeOf = (words: readonly string[], sport: string) =>
  withoutWhole(words, sportsOfGames.has(sport))

/** The types that a main market may mean, by sport and kind. */
const unclear = new Map(
  marketWords.unclear.flatMap(({ sports, kinds }) =>
    sports.flatMap((sport) =>
      Object.entries(kinds).map(([kind, ids]) => [`${sport}|${kind}`, ids] as const),
    ),
  ),
)

/** Returns whether a sport's plain main market could be one of two. Within a set only games or points can be meant. */
export const isUnclear = (sport: string, kind: string, part: string): boolean =>
  part === 'game' && unclear.has(`${sport}|${kind}`)

/** Every type that rows carry, by the words of its id. */
const marketsByWords = new Map(
  markets
    .filter(({ sameAs }) => sameAs === null)
    .map((market) => [wordsOfMarket(market.id).join(' '), market] as const),
)

/**
 * Types of the whole game by the words of their id, name and nicknames; several if sports differ.
 */
const idsByName = new Map<string, string[]>()
/** The same for a player's statistics, by the words after "player". */
const idsByStatistic = new Map<string, string[]>()

for (const { id, period, base, name, nicknames, statistic, sameAs } of markets) {
  if (period !== 'game') continue
  for (const spelling of [id, name, ...nicknames]) addName(idsByName, spelling, sameAs ?? id)
  if (!base.startsWith('player_')) continue
  for (const spelling of [statistic, ...nicknames]) addName(idsByStatistic, spelling, id)
}

function addName(ids: Map<string, string[]>, spelling: string, id: string) {
  const text = wordsOfMarket(spelling).join(' ')
  const known = ids.get(text)
  if (!known) ids.set(text, [id])
  else if (!known.includes(id)) known.push(id)
}

/**
 * Returns the market type that a name means in a sport; undefined for an unknown name, or one that could mean
 * several. A listed id of another sport is returned unchanged.
 * @param isOfPlayer whether a player is named beside it: `points` is then `player_points`
 */
export function findMarketNamed(name: string, sport: string, isOfPlayer = false) {
  return named(`${sport}|${isOfPlayer ? 'player' : ''}|${name}`)
}

/** The most sports whose ids are remembered; a pushed sport may be any word. */
const sportsAtOnce = 64

const named = memoise((key: string): string | undefined => {
  const [sport = '', about = ''] = key.split('|', 2)
  const name = key.slice(sport.length + about.length + 2)
  return findMarketLabelled(name, sport, 'game', about === 'player')
})

/**
 * Returns the market type of a source's label and of the part of the game that it states beside the label.
 * @param stated `game` if it states none; if the label names a part itself, both must be the same
 */
export function findMarketLabelled(
  label: string,
  sport: string,
  stated: Part,
  isOfPlayer = false,
): string | undefined {
  const { part: own, wordings } = readName(label, sport)
  if (own !== 'game' && stated !== 'game' && own !== stated) return undefined
  const part = own === 'game' ? stated : own
  const exact = part === own ? marketsByWords.get(wordsOfMarket(label).join(' ')) : undefined
  const played = exact && isPlayed(exact.id, sport) ? exact.id : undefined
  if (exact && played !== undefined && !isGeneric.has(exact.base)) return played
  // A player's "total" is of a statistic, not of the game.
  // An id in our own words is the sport's main market, whatever its unit.
  const isOwnWord = findMarket(label) !== undefined
  const main = isOfPlayer
    ? undefined
    : firstOf(wordings, (text) =>
        isOwnWord || mayCount(sport, text) ? mainOf(text, sport, part) : undefined,
      )
  return (
    main ??
    played ??
    firstOf(wordings, (text) => listedOf(text, sport, part, isOfPlayer)) ??
    exact?.id
  )
}

/**
 * Returns whether a label names a question that the sport has for the whole game: then only its part of the game is
 * unknown.
 */
export function asksOfWholeGame(label: string, sport: string): boolean {
  const { wordings } = readName(label, sport)
  const find = (text: string) =>
    (mayCount(sport, text) ? mainOf(text, sport, 'game') : undefined) ??
    listedOf(text, sport, 'game', false)
  return firstOf(wordings, find) !== undefined
}

/**
 * Returns whether a label says itself that a draw is among the outcomes: "1X2", "3-Way" and, in soccer, "Full Time
 * Result". Elsewhere "full time" only says which time counts.
 */
export const saysDraw = (label: string, sport: string): boolean =>
  readName(label, sport).wordings.some(
    (text) =>
      kindsByName.get(text) === 'three_way' && (sport === 'soccer' || !text.includes('full time')),
  )

/** A market as a record states it. */
interface StatedMarket {
  readonly marketType: string
  readonly playerName: string | null
  readonly statCategory: string | null
}

/**
 * Returns our id of a stated market: the listed type it names, otherwise a slug of its name. A player's market whose
 * name lacks the statistic ("1st Half Over/Under") is also named by its category. The id stays as it is when it is
 * read again beside the same category.
 */
export function marketTypeOf(
  { marketType, playerName, statCategory }: StatedMarket,
  sport: string,
): string {
  if (idsThatStand(sport).has(marketType)) return marketType
  const id = findMarketNamed(marketType, sport, playerName !== null)
  const isNamed = id !== undefined && id !== 'player_prop'
  const statistic = isNamed || playerName === null ? null : statisticOf(statCategory, sport)
  return statistic === null
    ? (id ?? slugMarket(marketType))
    : typeCounting(statistic, marketType, sport)
}

/** Returns the type of a player's statistic in a whole game, listed or not; null for a category that names none. */
function statisticOf(category: string | null, sport: string): string | null {
  const counted = wordsOfMarket(category ?? '')
    .filter((word) => word !== 'player')
    .join(' ')
  if (counted === '' || namesOfNoStatistic.has(counted)) return null
  const named = findMarketNamed(`player ${counted}`, sport) ?? findMarketNamed(counted, sport, true)
  return findMarket(named ?? '')?.isPlayerProp ? (named as string) : slugMarket(`player ${counted}`)
}

/**
 * Returns the type of a player's market by its name and statistic. It is the statistic's own type,
 * in a part of the game, only if the name asks nothing else: "Milestones" and "Most" of points are
 * other questions than points. Beside another name, a statistic that is not listed may mean
 * anything, and is left out.
 */
function typeCounting(statistic: string, name: string, sport: string): string {
  const { part, wordings } = readName(name, sport)
  const asksNoMore = wordings.some((text) => text === '' || namesOfNoStatistic.has(text))
  if (part !== null && asksNoMore) return typeInPeriod(statistic, part)
  const words = wordsOfMarket(name)
  const unsaid = wordsOfMarket(statistic).filter(
    (word) => word !== 'player' && !words.includes(word),
  )
  const whole = [name, ...unsaid].join(' ')
  return findMarketNamed(whole, sport, true) ?? slugMarket(findMarket(statistic) ? whole : name)
}

/** Returns the ids that are their own names in a sport: nearly all names of feeds, so they are looked up first. */
const idsThatStand = memoise(
  (sport): ReadonlySet<string> =>
    new Set(
      markets.flatMap(({ id }) =>
        id !== 'player_prop' && findMarketNamed(id, sport) === id ? [id] : [],
      ),
    ),
  sportsAtOnce,
)

/** Types that several sports have besides their own type for the same question: the sport's own is meant. */
const isGeneric: ReadonlySet<string> = new Set([
  'moneyline_3-way',
  'point_spread',
  'total_points',
  'team_total',
])

function firstOf<Found>(texts: readonly string[], find: (text: string) => Found | undefined) {
  for (const text of texts) {
    const found = find(text)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns whether a type is listed for the sport; a sport that we do not list may have any. */
function isPlayed(id: string, sport: string): boolean {
  const market = findMarket(id)
  return market !== undefined && (market.sports.includes(sport) || !listedSports.has(sport))
}

const listedSports: ReadonlySet<string> = new Set(sports.map(({ id }) => id))

/** Words for the lines of a market or the form of the bet, not for its question. */
const lineWords: ReadonlySet<string> = new Set(['alternate', 'alternative', 'main', 'lines'])

/** Returns the question of a name, with and without the words for the whole game, and its part of the game. */
function readName(name: string, sport: string): { part: Part; wordings: readonly string[] } {
  const words = wordsOfMarket(name).filter((word) => !lineWords.has(word))
  // A question of its own about the game.
  if (asksOfBoth(words)) return { part: 'game', wordings: [words.join(' ')] }
  const { part, rest } = readPart(words, sport)
  const plain = withoutWholeOf(rest, sport).join(' ')
  const isCounted = isBareTotal(plain) && rest.some((word) => countedIn(sport).includes(word))
  return { part, wordings: [rest.join(' '), ...(isCounted ? [] : [plain])] }
}

/** Returns whether a total does not say what it counts. */
const isBareTotal = (text: string) =>
  /total$/.test(kindsByName.get(text) ?? '') && !/\b(?:points|goals|score)\b/.test(text)

const wholeOrCounted = new Map(Object.entries(marketWords.wholeOrCounted))

/** Returns words for the whole game that are also short for what a total of the sport counts. */
const countedIn = (sport: string): readonly string[] => wholeOrCounted.get(sport) ?? []

/** Returns the part of the game that a label names alone; null for one that no type is about. */
export function partNamed(label: string, sport: string): Part {
  const { part, rest } = readPart(wordsOfMarket(label), sport)
  return withoutWhole(rest).length === 0 ? part : null
}

/** The most words of a run that is read as a market's name. */
const longestRun = 4

/**
 * Returns each run of words that names a listed market of a sport, with that market: by itself ("draw no bet"), or
 * with the word that a market of the kind leaves out ("3 way" of a handicap, "corners" of a total).
 * @param words words of a label, without its part of the game
 */
export function marketsWithin(
  words: readonly string[],
  sport: string,
  kind: 'player' | 'handicap' | null,
): { readonly words: readonly string[]; readonly named: Market }[] {
  const plain = withoutWholeOf(words, sport).filter((word) => !lineWords.has(word))
  const runs = plain.flatMap((_, from) =>
    plain.slice(from, from + longestRun).map((_, more) => plain.slice(from, from + more + 1)),
  )
  const find = (name: string) => {
    const id = findMarketLabelled(name, sport, 'game', kind === 'player')
    return id !== undefined && isPlayed(id, sport) ? findMarket(id) : undefined
  }
  return runs.flatMap((run) => {
    const text = run.join(' ')
    const ofHandicap = kind === 'handicap' ? [`${text} handicap`] : []
    const names = kind === 'player' ? [text] : [...ofHandicap, `total ${text}`, text]
    const named = firstOf(names, find)
    return named === undefined ? [] : [{ words: run, named }]
  })
}

function mainOf(text: string, sport: string, part: Part): string | undefined {
  const kind = kindsByName.get(text)
  return kind && kindInPart(kind, sport, part)
}

/**
 * Returns the type of a main market in a part of the game; undefined if it is not listed, or
 * ambiguous. A result after regulation time has a draw; other markets of regulation time are not
 * listed.
 */
function kindInPart(kind: NamedKind, sport: string, part: Part): string | undefined {
  if (part === null) return undefined
  const hasDraw = kind === 'three_way' || (kind === 'moneyline' && part === 'regulation')
  if (part === 'regulation' && !hasDraw) return undefined
  const period = part === 'regulation' ? 'game' : part
  if (hasDraw && sport !== 'soccer') {
    const threeWays = typeInPeriod('moneyline_3-way', period)
    // Where no such type is listed, the sport's winner market has a draw when a sportsbook quotes one.
    if (isPlayed(threeWays, sport)) return threeWays
    if (part === 'regulation') return undefined
  }
  // It is unclear how a draw in soccer settles such a bet: most return the stake, others go on
  // until somebody wins.
  if (kind === 'two_way' && sport === 'soccer') return undefined
  const main = kind === 'three_way' || kind === 'two_way' ? 'moneyline' : kind
  if (isUnclear(sport, main, period)) return undefined
  const id = mainMarketType(sport, main, period)
  return isPlayed(id, sport) ? id : undefined
}

function listedOf(text: string, sport: string, part: Part, isOfPlayer: boolean) {
  if (part === null || part === 'regulation') return undefined
  const inSport = (ids: readonly string[] | undefined) => {
    const played = (ids ?? [])
      .map((id) => typeInPeriod(id, part))
      .filter((id) => isPlayed(id, sport))
    return played.length === 1 ? played[0] : undefined
  }
  const id = inSport(idsByName.get(text)) ?? (isOfPlayer ? undefined : ofForm(text, inSport))
  if (id !== undefined) return id
  const [, statistic] = /^(?:player|batter|pitcher|goalie) (.+)$/.exec(text) ?? []
  if (statistic === undefined && !isOfPlayer) return undefined
  const counted = (statistic ?? text).replace(/ (total|over under|o u)$/, '')
  return (
    inSport(idsByStatistic.get(counted)) ??
    inSport(idsByStatistic.get(counted.replace(/^total /, '')))
  )
}

/** The words around a name for the form of its outcomes, with the form that they say. */
const forms = [
  [
    /^(?:over under|o u) | (?:over under|o u)$/,
    new Set<Answers>(['over_under', 'team_over_under']),
  ],
  [/ yes no$/, new Set<Answers>(['yes_no'])],
] as const

/** Returns the type of a name with its form: "Total Games Over/Under", "Corners O/U", "Overtime Yes/No". */
function ofForm(
  text: string,
  inSport: (ids: readonly string[] | undefined) => string | undefined,
): string | undefined {
  for (const [form, answers] of forms) {
    const plain = text.replace(form, '')
    if (plain === text) continue
    // "Home Runs" may be those of the home side.
    const names = /^(?:home|away) /.test(plain) ? [plain] : [plain, `total ${plain}`]
    const id = firstOf(names, (name) => inSport(idsByName.get(name)))
    if (id !== undefined && answers.has(findMarket(id)!.answers)) return id
  }
  return undefined
}

/**
 * Returns whether a name is that of a statistic with the form of an over or under: "Hits O/U", "Points Over/Under", but
 * not "O/U".
 */
export const isStatisticOverUnder = (name: string, sport: string): boolean =>
  statisticOverUnder(`${sport}|${name}`)

const statisticOverUnder = memoise((key: string): boolean => {
  const [sport = ''] = key.split('|', 1)
  const { wordings } = readName(key.slice(sport.length + 1), sport)
  const [[overUnder]] = forms
  const isOfNoUnit = (text: string) => kindsByName.has(text) && !unitsByName.has(text)
  return wordings.some((text) => overUnder.test(text)) && !wordings.some(isOfNoUnit)
})

/**
 * Returns the market types that a value of a `market` filter names when it is no id: the types of
 * all sports together. For a main market they are the types of the filter's own word for it.
 * @returns undefined for an unknown name
 */
export const marketsNamed: (text: string) => readonly string[] | undefined = memoise((text) => {
  const kind = firstOf(readName(text, '').wordings, (text) => kindsByName.get(text))
  const { part } = readName(text, '')
  if (part === 'game' && (kind === 'spread' || kind === 'total')) return expandMarketFilter(kind)
  if (part === 'game' && kind === 'three_way') return ['moneyline', 'moneyline_3-way']
  // Not cached: a name for each sport would push out the names that feeds send.
  const ids = new Set(sports.flatMap(({ id }) => findMarketLabelled(text, id, 'game') ?? []))
  return ids.size === 0 ? undefined : [...ids]
})

/** Returns the markets of a sport that an ambiguous name could mean; empty for any other name. */
export function possibleMarkets(name: string, sport: string): readonly string[] {
  const { part, wordings } = readName(name, sport)
  const kind = firstOf(wordings, (text) => kindsByName.get(text))
  return (part === 'game' && unclear.get(`${sport}|${kind}`)) || []
}
