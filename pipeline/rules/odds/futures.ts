/**
 * Matches futures markets of several sportsbooks, and their selections.
 *
 * A market is identified by its league, question, subject and season. Each is read from the
 * sportsbook's words and compared exactly, by a list of wordings and the names of leagues and
 * teams; similarity does not count. A market with a doubtful season or question stays separate,
 * under its sportsbook's name. Shown separately it is a nuisance; joined to another season it would
 * be a false price.
 */

import type { FeedFuture, FutureType } from '../../../schemas/feed-record.ts'
import type { FutureRow } from '../../../schemas/future.ts'
import { oddsId } from '../../../schemas/ids.ts'
import { memoise } from '../../../schemas/memoise.ts'
import {
  champion,
  futureQuestions,
  leaguesOfManyTitles,
  leaguesOfTwoTitles,
  oneYearLeagues,
  oneYearSports,
  plainTitles,
  titles,
  winterLeagues,
} from '../../../schemas/reference/future-questions.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import {
  findTeam,
  findTeamInSport,
  isNameInSport,
  type Team,
  teams,
} from '../../../schemas/reference/teams.ts'
import { plainNameOf } from '../names/player-names.ts'
import { nameKindOf } from '../names/team-names.ts'

export type FutureIdentity = Pick<
  FutureRow,
  'marketId' | 'sport' | 'league' | 'question' | 'futureType' | 'subject' | 'season'
>

/**
 * Identifies the market that a sportsbook's words mean.
 * @param stated the market; its league and sport are already ours
 * @param observedAt epoch ms; a year far from it is no season
 */
export function identifyFuture(
  stated: FeedFuture,
  sportsbook: string,
  observedAt: number,
): FutureIdentity {
  const { sport, league, futureType } = stated
  const team = stated.subject === null ? undefined : findTeam(stated.subject, league)
  const subject = stated.subject === null ? null : (team?.name ?? inOrder(stated.subject))
  const subjectKey = subject === null ? '' : (team?.id ?? normaliseName(subject))
  const season = seasonOf(stated, observedAt)
  const words = questionWords(stated, team)
  const known = questions.get(words)
  const question = words === '' ? 'unnamed' : (known?.id ?? slugOf(words))
  const isAlone =
    season === null ||
    words === '' ||
    hasManyTitles(league, sport) ||
    (subject !== null && !team && namesSeveral(subject, league, sport))
  const ofWhom = subject === null ? '' : subjectSlug(subject, team, league)
  const readable = [league, question, ofWhom, season, isAlone ? sportsbook : '']
  // Two markets must never share an id: unless all its parts are in our lists, it ends in a hash.
  const isListed = !isAlone && known !== undefined && leagueById(league) !== undefined
  const usualType = known?.futureType ?? typeOfEntrants(sport)
  if (!isListed || futureType !== usualType) {
    const own = isAlone ? [sportsbook, stated.name, stated.season, stated.externalId] : []
    readable.push(hashOf(JSON.stringify([league, futureType, words, subjectKey, season, ...own])))
  }
  const marketId = readable.filter(Boolean).join('_')
  return { marketId, sport, league, question, futureType, subject, season }
}

/** Returns whether the champion of a competition is a team or a player. */
export const typeOfEntrants = (sport: string): FutureType =>
  nameKindOf(sport) === 'person' ? 'PLAYER' : 'TEAM'

const questions = new Map(
  futureQuestions.flatMap((question) =>
    [question.id, ...question.wordings].map((words) => [words, question]),
  ),
)

/** Returns a question of our list; undefined for one in a sportsbook's own words. */
export const listedQuestion = (id: string) => questions.get(id)

// ---- the question

/** Words that do not change the question. */
const fillers = /\b(the|of|a|betting|market|odds|futures?)\b/g
const abbreviations: readonly (readonly [RegExp, string])[] = [
  [/\btds?\b/g, 'touchdowns'],
  [/\byds\b/g, 'yards'],
  [/\bpts\b/g, 'points'],
  [/\bplay ?offs?\b/g, 'playoffs'],
]

/**
 * Returns the question without league, season and subject, in one wording for all that mean the
 * same: the id, if it is listed; '' if nothing is left.
 */
function questionWords({ name, league, subject }: FeedFuture, team: Team | undefined): string {
  let words = normaliseName(name.replace(seasonText, ' ').replace(yearText, ' '))
  for (const own of namesOf(league)) words = withoutPhrase(words, own)
  const subjects = team ? [team.name, ...team.aliases] : subject === null ? [] : [subject]
  for (const own of longestFirst(subjects.map(normaliseName))) words = withoutPhrase(words, own)
  for (const [pattern, full] of abbreviations) words = words.replace(pattern, full)
  words = words.replace(fillers, ' ').replace(/\s+/g, ' ').trim()
  const listed = questions.get(words)
  if (listed) return listed.id
  const won = wonIn(words)
  if (won === null) return words
  if (isTitle(won, league)) return champion.id
  return questions.get(won)?.id ?? `${won.replace(/ division$/, '')} ${champion.id}`
}

/**
 * Returns the title that the question is about: "afc east" of "to win the AFC East", "AFC East
 * winner" and "AFC East champion"; '' for the competition itself, null if the words are about
 * something else.
 */
function wonIn(words: string): string | null {
  const [before, what = ''] = /^to win(?: outright)?(?: (.+))?$/.exec(words) ?? []
  if (before !== undefined) return wonIn(what) ?? what
  if (/^outrights?$/.test(words)) return ''
  const rest = words
    .replace(/(?:^| )(?:outright )?(?:winners?|champions?)$/, '')
    .replace(/(?:^| )championship$/, '')
  return rest === words ? null : rest
}

const isTitle = (won: string, league: string) =>
  won === '' ||
  titles[league]?.includes(won) ||
  (!leaguesOfTwoTitles.has(league) && plainTitles.includes(won))

const longestFirst = (texts: readonly string[]) =>
  [...new Set(texts)].filter((text) => text !== '').sort((a, b) => b.length - a.length)

/** Returns the names of a league, without the years that some have. */
const namesOf = memoise((league) => {
  const known = leagueById(league)
  if (!known) return longestFirst([normaliseName(league)])
  const [, ...afterCountry] = known.name.split(' - ')
  const names = [known.id, known.name, ...known.aliases, afterCountry.join(' ')]
  return longestFirst(names.map((name) => normaliseName(name.replace(yearText, ' '))))
}, 512)

function withoutPhrase(words: string, phrase: string): string {
  const at = ` ${words} `.indexOf(` ${phrase} `)
  if (at < 0) return words
  return `${words.slice(0, at)} ${words.slice(at + phrase.length)}`.replace(/\s+/g, ' ').trim()
}

// ---- the season

const seasonText = /\b(20\d\d)\s?[/–-]\s?(?:20)?(\d\d)\b/g
const yearText = /\b20\d\d\b/g
/**
 * A year may be a season within this distance from the observation; other years are plain numbers.
 */
const yearsBack = 1
const yearsAhead = 6

/** Returns the year in which the season ends; null when that is in doubt. */
function seasonOf({ season, name, settlesAt, sport, league }: FeedFuture, observedAt: number) {
  const text = `${season ?? ''} ${name}`
  const spans = new Set<string>()
  for (const [, from = '', to = ''] of text.matchAll(seasonText)) {
    if ((Number(from) + 1) % 100 === Number(to)) spans.add(String(Number(from) + 1))
  }
  const now = new Date(observedAt).getUTCFullYear()
  const years = new Set<string>()
  for (const [year] of text.replace(seasonText, ' ').matchAll(yearText)) {
    if (Number(year) >= now - yearsBack && Number(year) <= now + yearsAhead) years.add(year)
  }
  const settled = settlesAt === null ? null : new Date(settlesAt).getUTCFullYear()
  if (spans.size > 0) {
    const [end] = [...spans]
    return spans.size === 1 && years.size === 0 ? (end as string) : null
  }
  if (years.size > 1) return null
  const [year] = [...years]
  if (isOfOneYear(sport, league)) {
    if (year !== undefined) return year
    // A market may be settled on New Year's Day for a season that ended long before.
    const isEarly = settlesAt !== null && new Date(settlesAt).getUTCMonth() === 0
    return settled === null || isEarly ? null : String(settled)
  }
  if (settled === null) return null
  return year === undefined || settled - Number(year) === 0 || settled - Number(year) === 1
    ? String(settled)
    : null
}

/** Returns whether "Winner, 2026" may mean one of several tournaments of a league. */
const hasManyTitles = (league: string, sport: string) =>
  leaguesOfManyTitles.has(league) ||
  (leagueById(league) === undefined && (nameKindOf(sport) !== 'team' || sport === 'motorsports'))

const isOfOneYear = (sport: string, league: string) =>
  oneYearLeagues.has(league) || (oneYearSports.has(sport) && !winterLeagues.has(league))

// ---- names

/** Matches names of "the field", which has other selections at each sportsbook. */
const others = /^(?:the )?(?:field|any other\b.*|others?|none|no winner|not listed|unlisted.*)$/

/**
 * Returns the key of a selection within its market, which is equal at all sportsbooks for the same
 * selection.
 * @param selection as `shownSelection` returns it
 */
export function selectionKey(
  selection: string,
  { futureType, league, sport }: Pick<FutureIdentity, 'futureType' | 'league' | 'sport'>,
  sportsbook: string,
): string {
  const name = normaliseName(selection)
  const ofItsOwn = `${name}|${sportsbook}`
  if (others.test(name)) return ofItsOwn
  if (futureType !== 'TEAM') return name || selection
  const team = findTeam(selection, league)
  if (team) return team.id
  return namesSeveral(selection, league, sport) ? ofItsOwn : name || selection
}

/** Returns whether several teams of the league share a name that is no team's full name. */
const namesSeveral = (name: string, league: string, sport: string) =>
  (isNameInSport(name, sport) && !findTeamInSport(name, sport)) ||
  sharedCities(league).has(normaliseName(name))

/** Returns the cities with several teams in a league: a city's name alone identifies no team. */
const sharedCities = memoise((league): ReadonlySet<string> => {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { city, leagues } of teams) {
    if (city === null || !leagues.includes(league)) continue
    const name = normaliseName(city)
    if (seen.has(name)) shared.add(name)
    else seen.add(name)
  }
  return shared
}, 512)

/**
 * Returns a selection as shown: a listed team by its usual name, a player without the text after
 * the name.
 */
export function shownSelection(
  stated: string,
  { futureType, league }: Pick<FutureIdentity, 'futureType' | 'league'>,
): string {
  const name = stated.replace(/\s+/g, ' ').trim()
  switch (futureType) {
    case 'TEAM':
      return findTeam(name, league)?.name ?? name
    case 'PLAYER':
      return personOf(name)
    default:
      return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
  }
}

/**
 * Reads "Dembélé, Ousmane (FRA) [2 goals]" as "Ousmane Dembele". A single name keeps its mark: "Danilo (BRA)" and
 * "Danilo (POR)" are two.
 */
function personOf(stated: string): string {
  const bare = stated.replace(/\s*\[[^\]]*\]\s*$/, '').trim() || stated
  const unmarked = bare.replace(/\s*\([^)]*\)\s*$/, '').trim()
  return inOrder(/[\s,]/.test(unmarked) ? unmarked : bare)
}

/** Puts a person's first name in front. */
function inOrder(stated: string): string {
  const [last = '', first, ...more] = stated.trim().split(/\s*,\s*/)
  return plainNameOf(first && last && more.length === 0 ? `${first} ${last}` : stated)
}

function subjectSlug(subject: string, team: Team | undefined, league: string): string {
  const isNickname = team?.mascot && leagueById(league)?.us
  return slugOf(isNickname ? team.mascot : (team?.id ?? subject))
}

const slugMaxLength = 100
const slugOf = (text: string) =>
  normaliseName(text).replaceAll(' ', '_').slice(0, slugMaxLength).replace(/_+$/, '')

const hashOf = (text: string) => oddsId(text).toString(36)
