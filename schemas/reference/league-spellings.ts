/**
 * Further spellings of listed leagues: "NBA Matches", "NBA - Regular Season", "Premier League (England)", "Spanish
 * ACB", "UFC 310". Names are compared word by word, in any order, without words that every league may have beside it
 * (a stage, a year, a sponsor, its sport) and without its country. Each other word counts: "NBA Africa" and "Premier
 * League 2" are other leagues.
 */

import { listOf, readDataFile, recordOf, row, textLike, texts } from '../data-file.ts'
import words from './league-words.json' with { type: 'json' }
import { normaliseName } from './normalise-name.ts'
import { sports } from './sports.ts'

const { usual, men, women, regions, countries, besideSports, tours, notOfTour } = readDataFile(
  'schemas/reference/league-words.json',
  row({
    /** Words that may stand beside any league's name. */
    usual: texts,
    men: texts,
    women: texts,
    /** Words in the place of a country, for leagues that have none. */
    regions: texts,
    /** Other words for a country of `leagues.json`. */
    countries: recordOf(texts),
    /** Words beside a sport's name that make no other sport. */
    besideSports: texts,
    /** Leagues whose name goes on with a tournament or a card. */
    tours: listOf(textLike('[a-z_]+')),
    /** Words behind a tour's name that mean another contest. */
    notOfTour: texts,
  }),
  words,
)

interface Spelt {
  readonly id: string
  readonly name: string
  readonly sport: string
  readonly country: string | null
  readonly aliases: readonly string[]
}

const namesOf = ({ id, name, aliases }: Pick<Spelt, 'id' | 'name' | 'aliases'>) =>
  [id, name, ...aliases].map(normaliseName)

/** The names of each listed sport. */
const namesOfSports = new Map(sports.map((sport) => [sport.id, namesOf(sport)]))

/** Returns a function that finds a league of a sport by a name that is not listed. */
export function createSpellings<League extends Spelt>(leagues: readonly League[]) {
  /** The leagues of each sport by the words of their names, with and without those of the country. */
  const withCountry = new Map<string, Set<League>>()
  const withoutCountry = new Map<string, Set<League>>()
  const isOfWomen = new Set<League>()
  for (const league of leagues) {
    const { sport, country } = league
    for (const own of namesOf(league).map((each) => essence(each, sport))) {
      if (hasPhrase(own, 'women')) isOfWomen.add(league)
      add(withCountry, keyOf(sport, own), league)
      add(withoutCountry, keyOf(sport, without(own, spokenOf(country)), country), league)
    }
  }
  const places = new Map([
    ...regions.map((phrase) => [phrase, null] as const),
    ...leagues.flatMap(({ country }) =>
      spokenOf(country).map((phrase) => [phrase, country] as const),
    ),
  ])
  const namesOfTours = leagues
    .filter(({ id }) => tours.includes(id))
    .flatMap((tour) => namesOf(tour).map((each) => ({ tour, own: essence(each, tour.sport) })))
    .filter(({ own }) => own !== '')
    .sort((a, b) => b.own.length - a.own.length)

  return (text: string, sport: string): League | undefined => {
    const name = essence(text, sport)
    const found = named(name, sport)
    if (found) return found
    const ofMen = named(without(name, ['men']), sport)
    if (ofMen && !isOfWomen.has(ofMen)) return ofMen
    const ofWomen = named(without(name, ['women']), sport)
    return ofWomen && isOfWomen.has(ofWomen) ? ofWomen : ofTour(name, sport)
  }

  /** Returns the only league with these words, or with these words in this country. */
  function named(name: string, sport: string): League | undefined {
    if (name === '') return undefined
    const found = new Set(withCountry.get(keyOf(sport, name)))
    for (const [phrase, country] of places) {
      if (!hasPhrase(name, phrase)) continue
      const rest = without(name, country === null ? [phrase] : spokenOf(country))
      if (rest === '') continue
      for (const league of withoutCountry.get(keyOf(sport, rest, country)) ?? []) found.add(league)
    }
    return onlyOf(found)
  }

  /** Returns the tour whose name a text begins with, or its listed tournament that the text names. */
  function ofTour(name: string, sport: string): League | undefined {
    if (notOfTour.some((phrase) => hasPhrase(name, phrase))) return undefined
    const begun = namesOfTours.find(
      ({ tour, own }) => tour.sport === sport && `${name} `.startsWith(`${own} `),
    )
    if (!begun) return undefined
    const { tour } = begun
    const spoken = new Set(name.split(' '))
    const tournament = leagues.find(
      ({ id, name: own }) =>
        id.startsWith(`${tour.id}_-_`) &&
        normaliseName(own)
          .split(' ')
          .every((word) => spoken.has(word)),
    )
    return tournament ?? tour
  }
}

function add<League>(to: Map<string, Set<League>>, key: string, league: League) {
  const before = to.get(key)
  if (before) before.add(league)
  else to.set(key, new Set([league]))
}

function onlyOf<League>(found: ReadonlySet<League>): League | undefined {
  const [league] = found
  return found.size === 1 ? league : undefined
}

/** Returns the words of a name in one order, below its sport and country. */
const keyOf = (sport: string, name: string, country: string | null = '') =>
  `${sport}|${country}|${name.split(' ').sort().join(' ')}`

const spokenOf = (country: string | null): string[] =>
  country === null ? [] : [country, ...(countries[country] ?? [])]

const hasPhrase = (name: string, phrase: string) => ` ${name} `.includes(` ${phrase} `)

/** Returns a name without these phrases, removing the longest first. */
function without(name: string, phrases: readonly string[]): string {
  let left = ` ${name} `
  for (const phrase of phrases.toSorted((a, b) => b.length - a.length)) {
    left = left.replaceAll(` ${phrase} `, ' ')
  }
  return left.trim()
}

const besideOf = new Map(
  [...namesOfSports].map(([id, names]) => [
    id,
    // An alias that is a tour's name too ("UFC MMA") tells leagues apart.
    [...usual, ...names].filter((phrase) => !tours.some((tour) => hasPhrase(phrase, tour))),
  ]),
)

/**
 * Returns whether the text of a sport says nothing but the sport of a league: with words of the league's names ("NBA
 * Basketball"), or with other listed sports ("Soccer / Football").
 */
export function saysSportOf(league: Spelt, sportText: string): boolean {
  const own = new Set(namesOf(league).flatMap((name) => name.split(' ')))
  const written = normaliseName(sportText)
    .split(' ')
    .filter((word) => !/^\d+$/.test(word))
    .join(' ')
  const rest = without(written, [...namesOfSports.values(), besideSports].flat())
  if (rest.split(' ').some((word) => word !== '' && !own.has(word))) return false
  const said = [...namesOfSports.entries()].filter(([, names]) =>
    names.some((name) => hasPhrase(written, name)),
  )
  return said.length === 0 || said.some(([sport]) => sport === league.sport)
}

/** Matches the number of a week or round. */
const numberOfRound = /(?<!\S)(?:week|round|matchday|gameweek|day) \d+(?!\S)/g

/** Returns the words of a name that tell leagues of a sport apart. */
function essence(text: string, sport: string): string {
  const named = normaliseName(text)
    .replace(/(?<!\S)pre season(?!\S)/g, 'preseason')
    // A year or season ("2025 26").
    .replace(/(?<!\S)20\d\d(?: (?:20)?\d\d)?(?!\S)/g, ' ')
  // In golf a round is a contest of its own, which the same players have beside the tournament.
  const spelt = (sport === 'golf' ? named : named.replace(numberOfRound, ' '))
    .split(/ +/)
    .map((word) => {
      if (men.includes(word)) return 'men'
      if (women.includes(word)) return 'women'
      return /^i{1,3}$/.test(word) ? String(word.length) : word
    })
  return without(spelt.join(' ').trim(), besideOf.get(sport) ?? usual)
}
