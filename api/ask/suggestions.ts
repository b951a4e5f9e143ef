/**
 * Suggests what a client may have meant by an unknown filter value: `did_you_mean` of `invalid_filter`. Three kinds
 * of slips are recognised, in this order: another spelling of a name, a value of another filter (a market sent as
 * league), and a typo or unfinished name.
 *
 * Suggestions come from reference data, never from a board, so that they cannot reveal other scopes' data. A wrong
 * suggestion is worse than none: ambiguous names, digits, short words and words that are themselves names ("Iceland"
 * for "Ireland") are never treated as typos.
 */

import { distance } from 'fastest-levenshtein'
import { leagueById, leagues } from '../../schemas/reference/leagues.ts'
import { wordsOfMarket } from '../../schemas/reference/market-names.ts'
import type { MarketAlias } from '../../schemas/reference/market-question.ts'
import {
  findMarket,
  type MainKind,
  mainMarketType,
  marketAliases,
  markets,
  typeInPeriod,
} from '../../schemas/reference/markets.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import { findSport, sports } from '../../schemas/reference/sports.ts'
import { sportsbooks } from '../../schemas/reference/sportsbooks.ts'

export type Filter = 'sport' | 'league' | 'sportsbook' | 'market'

export interface Suggestion {
  /** The filter that was sent. */
  readonly field: Filter
  readonly value: string
  /** Query parameters to send instead. */
  readonly try: Readonly<Record<string, string>>
}

/** Longer values are not treated as misspelt names. */
const maxLength = 200
const maxWords = 8
/** Values with fewer letters are not looked up in other filters: "F1" is too ambiguous. */
const minElsewhere = 3
/** Values with fewer letters are not treated as typos of another filter's names. */
const minTypoElsewhere = 5
/** Shorter values are not completed, nor is a value completed to a name of more than twice its length. */
const minPrefix = 4
const minCoverage = 0.5

/** @returns undefined if nothing is close, or several names are equally close */
export function suggest(field: Filter, value: string): Suggestion | undefined {
  if (value.length > maxLength) return undefined
  const target = find(field, value)
  return target && { field, value, try: { [target.field]: target.id } }
}

interface Target {
  readonly field: Filter
  /** One value or several, separated by commas. */
  readonly id: string
}

function find(field: Filter, value: string): Target | undefined {
  const own = names[field]
  const words = own.wordsOf(value)
  if (words.length === 0) return undefined
  const exact = findExactly(own, words)
  if (exact !== undefined) return exact === null ? undefined : { field, id: exact }
  const elsewhere = others[field].flatMap((other) => {
    const heard = names[other].wordsOf(value)
    const id = letters(heard) < minElsewhere ? null : findExactly(names[other], heard)
    return id ? [{ field: other, id }] : []
  })
  if (elsewhere[0]) return elsewhere[0]
  if (words.length > maxWords) return undefined
  const near =
    own.byWordSet.get(wordSet(words)) ??
    findTypo(own, words) ??
    findWithoutNoise(field, words) ??
    findCompletion(own, words)
  if (near) return { field, id: near }
  const typos = others[field].flatMap((other) => {
    const heard = names[other].wordsOf(value)
    if (letters(heard) < minTypoElsewhere || heard.length > maxWords) return []
    const id = names[other].byWordSet.get(wordSet(heard)) ?? findTypo(names[other], heard)
    return id ? [{ field: other, id }] : []
  })
  return typos.length === 1 ? typos[0] : undefined
}

/** The other filters a value may belong to, likeliest first. */
const others: Readonly<Record<Filter, readonly Filter[]>> = {
  sport: ['league', 'market', 'sportsbook'],
  league: ['sport', 'market', 'sportsbook'],
  sportsbook: ['sport', 'league', 'market'],
  market: ['sport', 'league', 'sportsbook'],
}

// ---- names

interface Name {
  readonly words: readonly string[]
  /** The words joined with spaces, and joined without. */
  readonly text: string
  readonly squeezed: string
  readonly target: string
}

/** The names of one filter's values. */
interface Names {
  wordsOf(text: string): readonly string[]
  /** Target by name, with spaces and without; null for an ambiguous name. */
  readonly exact: ReadonlyMap<string, string | null>
  /** Target by the words in alphabetical order; null if ambiguous. */
  readonly byWordSet: ReadonlyMap<string, string | null>
  /** All unambiguous names. */
  readonly all: readonly Name[]
  readonly vocabulary: ReadonlySet<string>
}

type Named = readonly [name: string, target: string]

const letters = (words: readonly string[]) => words.reduce((sum, { length }) => sum + length, 0)
const wordSet = (words: readonly string[]) => [...words].sort().join(' ')

const plainWords = (text: string) => normaliseName(text).split(' ').filter(Boolean)

/**
 * @param written full names of values
 * @param short short names; ignored if a full name is the same
 */
function namesOf(
  written: readonly Named[],
  short: readonly Named[] = [],
  wordsOf: Names['wordsOf'] = plainWords,
): Names {
  const texts = owners(written, (name) => wordsOf(name).join(' '))
  for (const [text, target] of owners(short, (name) => wordsOf(name).join(' '))) {
    if (!texts.has(text)) texts.set(text, target)
  }
  const known = [...texts]
  const all = known.flatMap(([text, target]): Name[] => {
    if (target === null) return []
    return [{ words: text.split(' '), text, squeezed: text.replaceAll(' ', ''), target }]
  })
  const squeezed = owners(
    all.map((name) => [name.squeezed, name.target]),
    (text) => text,
  )
  return {
    wordsOf,
    exact: new Map([...squeezed, ...known]),
    byWordSet: owners(
      all.map((name) => [name.text, name.target]),
      (text) => wordSet(text.split(' ')),
    ),
    all,
    vocabulary: new Set(known.flatMap(([text]) => text.split(' '))),
  }
}

/** Maps each key to its only target, or to null if it has several. */
function owners(named: readonly Named[], keyOf: (name: string) => string) {
  const found = new Map<string, string | null>()
  for (const [name, target] of named) {
    const key = keyOf(name)
    if (key === '') continue
    const before = found.get(key)
    found.set(key, before === undefined || before === target ? target : null)
  }
  return found
}

const each = (names: readonly string[], target: string) =>
  names.map((name): Named => [name, target])

// ---- markets: their names beside their ids

const aliasNicknames: Readonly<Partial<Record<MarketAlias, readonly string[]>>> = {
  spread: ['spreads', 'handicap', 'handicaps', 'alternate spread', 'alternate spreads'],
  total: ['totals', 'over under', 'o u', 'alternate total', 'alternate totals'],
  props: ['prop', 'player props'],
}

const wholeGame = markets.filter(({ period }) => period === 'game')

/** Returns the listed types that are a main market of some sport in the period, in catalogue order. */
function mainTypes(kind: MainKind, period: string): string[] {
  const sportIds = markets
    .filter((market) => market.period === period)
    .flatMap(({ sports }) => sports)
  const main = new Set(sportIds.map((sport) => mainMarketType(sport, kind, period)))
  return wholeGame
    .map(({ id }) => typeInPeriod(id, period))
    .filter((id) => main.has(id) && findMarket(id))
}

/** Segments of a game. They are not market types and stand for the segment's main markets. */
const segmentNames = [...new Set(markets.map(({ period }) => period))].flatMap((period) => {
  if (period === 'game') return []
  const spreads = mainTypes('spread', period)
  const totals = mainTypes('total', period)
  const main = [...mainTypes('moneyline', period), ...spreads, ...totals]
  const named = (types: readonly string[], ...suffixes: readonly string[]) =>
    types.length > 0
      ? each(
          suffixes.map((suffix) => `${period} ${suffix}`),
          types.join(','),
        )
      : []
  return [
    ...named(main, ''),
    ...named(spreads, 'spread', 'spreads', 'handicap'),
    ...named(totals, 'total', 'totals', 'over under'),
  ]
})
/** The catalogue lists two segments as ids of their own. No row has such a type. */
const segments = new Set(segmentNames.map(([name]) => wordsOfMarket(name).join(' ')))

const names: Readonly<Record<Filter, Names>> = {
  sport: namesOf(sports.flatMap(({ id, name, aliases }) => each([id, name, ...aliases], id))),
  league: namesOf(
    leagues.flatMap(({ id, name, aliases }) => {
      // A name without its country ("Super League") may exist in several countries, so it counts as a short name.
      const full = name.includes(' - ') ? [name] : []
      return each([id, ...full, ...aliases], id)
    }),
    leagues.flatMap(({ id, name }) => each(name.split(' - ').slice(-1), id)),
  ),
  sportsbook: namesOf(
    sportsbooks.flatMap(({ id, displayName, aliases }) => each([id, displayName, ...aliases], id)),
    sportsbooks.flatMap(({ id, shortName }) => each([shortName], id)),
  ),
  market: namesOf(
    [
      ...segmentNames,
      ...markets
        .flatMap(({ id, name }) => each([id, name], id))
        .filter(([name]) => !segments.has(wordsOfMarket(name).join(' '))),
      ...Object.keys(marketAliases).flatMap((alias) => each([alias], alias)),
      ...markets.flatMap(({ id, nicknames }) => each(nicknames, id)),
      ...Object.entries(aliasNicknames).flatMap(([alias, nicknames]) => each(nicknames, alias)),
    ],
    // A player's statistic without the word "player", unless there is a team total of it.
    markets
      .filter(({ aliases }) => aliases.includes('props'))
      .map(({ id, statistic }): Named => [statistic, id])
      .filter(([statistic]) => !findMarket(`total_${statistic}`)),
    wordsOfMarket,
  ),
}

// ---- ways to match a value with a name

function findExactly({ exact }: Names, words: readonly string[]): string | null | undefined {
  const text = words.join(' ')
  const found = exact.get(text)
  return found === undefined ? exact.get(text.replaceAll(' ', '')) : found
}

/** Returns the one name with the fewest typing errors; undefined if two are equally close. */
function findTypo({ all, vocabulary }: Names, words: readonly string[]): string | undefined {
  // Known words are not corrected.
  const strangers = words.filter((word) => !vocabulary.has(word))
  if (strangers.length === 0) return undefined
  const meant = words.map((word) => {
    const near = new Map([[word, 0]])
    if (vocabulary.has(word)) return near
    for (const other of vocabulary) {
      const cost = typoCost(word, other)
      if (cost < Number.POSITIVE_INFINITY) near.set(other, cost)
    }
    return near
  })
  const squeezed = words.join('')
  let found: string | null | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of all) {
    const isAsLong = name.words.length === words.length
    const cost = isAsLong
      ? name.words.reduce((sum, word, i) => sum + (meant[i]?.get(word) ?? Number.NaN), 0)
      : words.length === 1 || name.words.length === 1
        ? typoCost(squeezed, name.squeezed)
        : Number.NaN
    if (!(cost <= least)) continue
    found = cost === least && found !== name.target ? null : name.target
    least = cost
  }
  return (least < Number.POSITIVE_INFINITY && found) || undefined
}

/**
 * Returns the number of typing errors between two words: two letters swapped, or a letter left out, added or wrong.
 * Infinite if there are too many for the word's length, or they are of an unlikely kind.
 */
function typoCost(word: string, other: string): number {
  const { length } = word
  if (length < 4 || Math.abs(length - other.length) > Math.max(1, length / 5)) return tooFar
  if (word[0] !== other[0] && word[0] !== other[1]) return tooFar
  if (digits(word) !== digits(other)) return tooFar
  if (isExchange(word, other)) return 1
  // The first letter is rarely wrong.
  if (word[0] !== other[0]) return tooFar
  // Four letters are often an acronym: WNBL is no typo of WNBA, but EPLL is one of EPL.
  if (length === 4) return isDoubling(word, other) ? 1 : tooFar
  const cost = distance(word, other)
  return cost <= Math.floor(length / 5) ? cost : tooFar
}

const tooFar = Number.POSITIVE_INFINITY

const digits = (word: string) => word.replace(/\D+/g, ' ').trim()

/** Returns whether two neighbouring letters are swapped. */
function isExchange(word: string, other: string): boolean {
  if (word.length !== other.length) return false
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  return (
    word[at] === other[at + 1] &&
    word[at + 1] === other[at] &&
    word.slice(at + 2) === other.slice(at + 2)
  )
}

/** Returns whether a word equals the other with one letter doubled. */
function isDoubling(word: string, other: string): boolean {
  if (word.length !== other.length + 1) return false
  for (let i = 1; i < word.length; i++) {
    if (word[i] === word[i - 1] && word.slice(0, i) + word.slice(i + 1) === other) return true
  }
  return false
}

/** Words that do not help to identify a name. */
const noise: Readonly<Record<Filter, ReadonlySet<string>>> = {
  sport: new Set('mens men womens women pro professional college odds betting'.split(' ')),
  league: new Set('the league odds betting games season regular'.split(' ')),
  sportsbook: new Set('sportsbook sports bet betting casino book odds com www'.split(' ')),
  market: new Set('market markets odds betting bet line lines game full'.split(' ')),
}

/** Finds a name among words that add nothing to it: `nba basketball`, `england epl`, `draftkings.com`. */
function findWithoutNoise(field: Filter, words: readonly string[]): string | undefined {
  if (words.length < 2) return undefined
  const bare = words.filter((word) => !noise[field].has(word))
  const candidates = field === 'league' ? [words, bare].map(withoutPlace) : [{ words: bare }]
  for (const candidate of candidates) {
    if (candidate.words.length === 0 || candidate.words.length === words.length) continue
    const id = findExactly(names[field], candidate.words)
    if (id && (!('fits' in candidate) || candidate.fits(id))) return id
  }
  return undefined
}

/** Removes sport and country from a league's name. The league found must match them. */
function withoutPlace(words: readonly string[]) {
  const isSport = (word: string) => findSport(word) !== undefined
  const said = words.filter((word) => isSport(word) || countries.has(word))
  return {
    words: words.filter((word) => !said.includes(word)),
    fits(id: string) {
      const league = leagueById(id)
      return said.every((word) => {
        const sport = findSport(word)?.id
        const isBall = sport === 'football' && league?.sport === 'soccer'
        return sport === undefined ? league?.country === word : sport === league?.sport || isBall
      })
    },
  }
}

const countries = new Set(leagues.flatMap(({ country }) => country ?? []))

/**
 * Completes a value to a name. All names it begins must mean the same, or be longer forms of the shortest (`bundes`:
 * "Bundesliga", "Bundesliga 2").
 */
function findCompletion({ all }: Names, words: readonly string[]): string | undefined {
  const text = words.join(' ')
  if (text.length < minPrefix) return undefined
  const whole = all.filter((name) => name.text.startsWith(`${text} `))
  const begun = whole.length > 0 ? whole : all.filter((name) => name.text.startsWith(text))
  const shortest = begun.reduce<Name | undefined>(
    (least, name) => (least && least.text.length <= name.text.length ? least : name),
    undefined,
  )
  if (!shortest || letters(words) / shortest.squeezed.length < minCoverage) return undefined
  const { target } = shortest
  const longer = begun.filter((name) => name.text.startsWith(`${shortest.text} `))
  const explained = new Set([target, ...longer.map((name) => name.target)])
  return begun.every((name) => explained.has(name.target)) ? target : undefined
}
