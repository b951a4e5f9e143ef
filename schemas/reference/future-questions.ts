/**
 * The questions of futures markets, and their wordings at sportsbooks. A wording that is not here is its own
 * question, shared only by sportsbooks with the same words. Wordings are in the form of `normaliseName`, without
 * league, season, team and player.
 */

import { listOf, oneOf, readDataFile, recordOf, row, text, texts } from '../data-file.ts'
import type { FutureType } from '../feed-record.ts'
import rows from './future-questions.json' with { type: 'json' }

export interface FutureQuestion {
  readonly id: string
  /** The displayed name, behind the league or the subject. */
  readonly name: string
  /** The kind of its outcomes; null for the competitors of the sport, teams or persons. */
  readonly futureType: FutureType | null
  readonly wordings: readonly string[]
}

const types = ['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'] as const satisfies readonly FutureType[]
const stated = readDataFile(
  'schemas/reference/future-questions.json',
  row({
    questions: listOf(row({ id: text, name: text, futureType: oneOf(types), wordings: texts })),
    /** A league's own name of its champion's title. */
    titles: recordOf(texts),
    /**
     * Wordings of the title in any league except `leaguesOfTwoTitles`: there the best record wins a
     * trophy of its own.
     */
    plainTitles: texts,
    leaguesOfTwoTitles: texts,
    /**
     * Tours, series and leagues that crown several champions in a season, so that there is no default. Some leagues
     * of South and Central America have an opening and a closing championship.
     */
    leaguesOfManyTitles: texts,
    /**
     * Sports whose season begins and ends in one year, so that a single year names it. Elsewhere "2026" may be the
     * season that begins then or the one that ends.
     */
    oneYearSports: texts,
    oneYearLeagues: texts,
    /** Leagues of those sports that play over New Year. */
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
