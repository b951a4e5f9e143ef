/**
 * The questions of futures markets, and their wordings at sportsbooks. A wording that is not here is a question of
 * its own: two sportsbooks share it when they use the same words. Wordings are written as
 * `normaliseName` writes them, without league, season, team and player.
 */

import { listOf, oneOf, readDataFile, recordOf, row, text, texts } from '../data-file.ts'
import type { FutureType } from '../feed-record.ts'
import rows from './future-questions.json' with { type: 'json' }

export interface FutureQuestion {
  readonly id: string
  /** As it is shown, behind the league or the subject. */
  readonly name: string
  /** The kind of its answers; null: those who play in the sport, teams or persons. */
  readonly futureType: FutureType | null
  readonly wordings: readonly string[]
}

const types = ['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'] as const satisfies readonly FutureType[]
const stated = readDataFile(
  'schemas/reference/future-questions.json',
  row({
    questions: listOf(row({ id: text, name: text, futureType: oneOf(types), wordings: texts })),
    /** The title that makes a league's champion, as the league calls it. */
    titles: recordOf(texts),
    /** The title in any league but those of two: there the best record is a trophy beside the title. */
    plainTitles: texts,
    leaguesOfTwoTitles: texts,
    /**
     * Tours, series and leagues that crown several champions in a season: none is meant by default. Some
     * leagues of South and Central America have an opening and a closing championship.
     */
    leaguesOfManyTitles: texts,
    /**
     * Where a season begins and ends in one year, so that a single year names it. Elsewhere "2026" may be
     * the season that begins then or the one that ends.
     */
    oneYearSports: texts,
    oneYearLeagues: texts,
    /** Of those sports, leagues that play over New Year. */
    winterLeagues: texts,
  }),
  rows,
)

/** The winner of the competition; a rule reads its wordings, see `pipeline/rules/odds/futures.ts`. */
export const champion: FutureQuestion = {
  id: 'champion',
  name: 'Champion',
  futureType: null,
  wordings: [],
}

export const futureQuestions: readonly FutureQuestion[] = [champion, ...stated.questions]
export const { titles, plainTitles } = stated
export const leaguesOfTwoTitles: ReadonlySet<string> = new Set(stated.leaguesOfTwoTitles)
export const leaguesOfManyTitles: ReadonlySet<string> = new Set(stated.leaguesOfManyTitles)
export const oneYearSports: ReadonlySet<string> = new Set(stated.oneYearSports)
export const oneYearLeagues: ReadonlySet<string> = new Set(stated.oneYearLeagues)
export const winterLeagues: ReadonlySet<string> = new Set(stated.winterLeagues)
