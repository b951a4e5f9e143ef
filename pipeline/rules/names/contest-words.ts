/** Words beside a name that name the contest, or how a player entered it. */
import { readDataFile, recordOf, row, texts } from '../../../schemas/data-file.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import rows from './words/contest-words.json' with { type: 'json' }

export const contestWords = readDataFile(
  'pipeline/rules/names/words/contest-words.json',
  row({
    periods: texts,
    statistics: texts,
    statisticsLikeForms: texts,
    /**
     * By sport, the words of `statisticsLikeForms` that name the sport itself in its clubs' names.
     */
    formsOfSports: recordOf(texts),
    /** By country, forms that stand in front of the names of its clubs, and elsewhere are the name of another contest. */
    formsOfCountries: recordOf(texts),
    phrases: texts,
    /** Words that number a part of a game, of any language; "1st", "1er" and "1." are numbers. */
    partOrdinals: texts,
    /** Words for a part of a game, of any language, beside a number of it. */
    partNouns: texts,
    /** The same where the game is played on a computer. */
    partNounsOfEsports: texts,
    statisticsOfEsports: texts,
    /** Words beside one team's name for another contest or a statistic; up to two letters only beside a known team. */
    contests: texts,
    /** Those of them that beside a team in baseball may name the pitcher. */
    contestsLikePersons: texts,
    besideTeams: texts,
    /** Words that number a game of a tie or a series. */
    partsOfTies: texts,
    /** Sports in which two teams meet in a series of numbered games. */
    sportsWithSeries: texts,
    /** Those in which US colleges do. */
    collegeSportsWithSeries: texts,
    /** Texts set apart from a name that say how the side came to the game, or where it is. */
    entries: texts,
    /** Texts that say where a side stands, if only one side has them: on both they are the contest. */
    standings: texts,
    draws: texts,
  }),
  rows,
)

const entries = new Set(contestWords.entries)
const standings = new Set(contestWords.standings)

/** Returns the words of a text, without the numbers beside them: "#1 Seed", "2nd Tier". */
const withoutNumbers = (text: string) =>
  (
    foldAccents(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .filter((word) => !/^\d+(?:st|nd|rd|th)?$/.test(word))
    .join(' ')

/** Returns whether a whole text says how the side came to the game: (Wildcard), (Seed 1), (Retired). */
export const isEntry = (text: string) => entries.has(withoutNumbers(text))

/** Returns whether a whole text says where a side stands: (East), (1st West), (Champion). */
export const isStanding = (text: string) => standings.has(withoutNumbers(text))
