/**
 * The marks beside the names of a game's sides: women, an age group or second team, or something counted in place of
 * the game. Listings whose marks differ are two games. If a league implies a mark for all its
 * sides, names may omit it.
 */
import { memoise } from '../../../schemas/memoise.ts'
import { isCollegeLeague } from '../../../schemas/reference/known-sides.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { contestWords } from './contest-words.ts'
import type { TeamName } from './parsed-name.ts'
import { namesReserves } from './team-marks.ts'
import { parseTeamName } from './team-names.ts'

/** The marks that a league implies. */
export interface LeagueMarks {
  readonly women: boolean
  /** Whether all its sides are of one age, or all are reserves. */
  readonly young: boolean
  readonly isOfCollege: boolean
}

export interface GameMarks {
  /** The marks of the game that one side implies for both: a women's team plays women. */
  readonly game: string
  readonly home: string
  readonly away: string
  /** The number of the game of the day; 0 for not stated. */
  readonly gameNumber: number
}

const womensLeagues =
  /\b(?:wnba|ncaaw|wcbb|nwsl|wsl|uwcl|wta|pwhl|aflw|nrlw|wbbl|wncaab|wbl|wpl|lpga|liga f|frauen bundesliga|elitettan|lfb|zeny|zen|zenska|zenske|girls|damallsvenskan|toppserien|kvindeligaen|itf women|billie jean king cup|w league|a league women)\b/
/** Words for young teams in clubs' names, and leagues of young teams whose names do not say so. */
const youngLeagues =
  /\b(?:olympics?|olympique|juniors?|juniores|espoirs|premier league 2|next pro)\b/

/** Returns the marks that the words of a league's id and name imply for all its sides. */
export const marksOfLeague: (league: string) => LeagueMarks = memoise((league) => {
  const texts = [league, leagueById(league)?.name ?? ''].map((text) =>
    foldAccents(text).replace(/[^\p{L}\p{N}()]+/gu, ' '),
  )
  const qualifiers = texts.map((text) => ` ${parseTeamName(text).qualifiers} `).join('')
  return {
    women: qualifiers.includes(' women ') || texts.some((text) => womensLeagues.test(text)),
    young:
      / u\d\d /.test(qualifiers) ||
      texts.some((text) => namesReserves(text) || youngLeagues.test(text)),
    isOfCollege: isCollegeLeague(league),
  }
})

/** The marks of most games. */
const unmarked: GameMarks = { game: '', home: '', away: '', gameNumber: 0 }
const ofWomen: GameMarks = { ...unmarked, game: 'women' }

const isOfSide = (mark: string) => /^(?:u\d\d|second|third)$/.test(mark)

const sportsWithSeries = new Set(contestWords.sportsWithSeries)
const collegeSportsWithSeries = new Set(contestWords.collegeSportsWithSeries)

/** In a sport without series of games, a number beside a name is a mark of another contest. */
export function marksOfGame(
  home: TeamName,
  away: TeamName,
  league: LeagueMarks,
  sport: string,
): GameMarks {
  const saysNothing = home.qualifiers === '' && away.qualifiers === ''
  if (saysNothing && home.gameNumber === 0 && away.gameNumber === 0)
    return league.women ? ofWomen : unmarked
  const all = [home, away].map(({ qualifiers }) => qualifiers.split(' '))
  const ofGame = all.flat().filter((mark) => mark !== '' && !isOfSide(mark))
  if (league.women) ofGame.push('women')
  const number = home.gameNumber || away.gameNumber
  const isOfSeries = (league.isOfCollege ? collegeSportsWithSeries : sportsWithSeries).has(sport)
  if (number > 0 && !isOfSeries) ofGame.push(`game ${number}`)
  const [ofHome = '', ofAway = ''] = all.map((marks) =>
    league.young ? '' : marks.filter(isOfSide).join(' '),
  )
  return {
    game: [...new Set(ofGame)].sort().join(' '),
    home: ofHome,
    away: ofAway,
    gameNumber: isOfSeries ? number : 0,
  }
}

/** Returns false for two numbers that differ; a number may be omitted. */
export const numbersMayAgree = ({ gameNumber: a }: GameMarks, { gameNumber: b }: GameMarks) =>
  a === b || a === 0 || b === 0

/**
 * Returns whether two games, with sides in this order, are of one kind: women, under 21, corners.
 */
export function marksAgree(a: GameMarks, b: GameMarks, swapped: boolean): boolean {
  if (a.game !== b.game) return false
  return swapped ? a.home === b.away && a.away === b.home : a.home === b.home && a.away === b.away
}
