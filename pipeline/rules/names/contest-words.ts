/** Words beside a name that name the contest, or how a player entered it. */
import { readDataFile, row, texts } from '../../../schemas/data-file.ts'
import rows from './words/contest-words.json' with { type: 'json' }

export const contestWords = readDataFile(
  'pipeline/rules/names/words/contest-words.json',
  row({
    periods: texts,
    statistics: texts,
    statisticsLikeForms: texts,
    phrases: texts,
    besideTeams: texts,
    /** Words that number a game of a tie or a series. */
    partsOfTies: texts,
    draws: texts,
  }),
  rows,
)
