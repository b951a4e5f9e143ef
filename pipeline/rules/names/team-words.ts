/**
 * The meaning of single words in the names of teams: facts about language, not a list of teams.
 *
 * All words are in `words/team-words.json` as people write them, in lower case. Readers fold them the way incoming
 * names are folded, so that accents, doubled letters and c/k need no rows of their own.
 */

import {
  listOf,
  readDataFile,
  recordOf,
  row,
  spellings,
  text,
  textLike,
  texts,
} from '../../../schemas/data-file.ts'
import rows from './words/team-words.json' with { type: 'json' }

const words = readDataFile(
  'pipeline/rules/names/words/team-words.json',
  row({
    forms: texts,
    particles: texts,
    placing: texts,
    sharedWords: texts,
    bindingWords: texts,
    tellingWords: texts,
    statesByName: texts,
    statePlaces: texts,
    sharedCities: texts,
    women: texts,
    marksInBrackets: recordOf(texts),
    reserves: texts,
    reserveKinds: texts,
    countedTeams: texts,
    countedGames: texts,
    namesWithMarks: recordOf(texts),
    secondSquads: texts,
    simulations: texts,
    simulationsInFront: texts,
    computerContests: texts,
    countedInstead: texts,
    reservesAtEnd: texts,
    sponsors: texts,
    synonyms: listOf(spellings),
    exonyms: listOf(spellings),
    knownAs: listOf(spellings),
    givenNames: listOf(spellings),
    phrases: recordOf(text),
    notTheSame: listOf(spellings),
    speltApart: listOf(spellings),
    homes: recordOf(texts, textLike('[A-Z]{2,3}')),
  }),
  rows,
)

export const {
  /** Club forms and descriptors: they name the kind of club only. */
  forms,
  /** Optional little words; "LA" as well, because its teams' names are enough. */
  particles,
  /** Words behind the name of a town that say where it lies: on a river, at the sea. */
  placing,
  /** Words that many clubs share: alone they identify no club, but two that differ are two clubs. */
  sharedWords,
  /**
   * Directions and the like, which belong to the word after them: North Melbourne is no Melbourne, New England no
   * England. (South at the end, as in Georgia Southern, is one of the `tellingWords`.)
   */
  bindingWords,
  /** Words after a place that make it another team: Michigan State, Georgia Tech, Texas A&M. */
  tellingWords,
  /** States by the last word of their names, before which "N" and "Northern" are one direction. */
  statesByName,
  /** Words before "St" or "St." that make it "State"; anywhere else but at the end it is "Saint". */
  statePlaces,
  /**
   * Cities (names of two words with a hyphen) with several well-known clubs: there the city alone, or with a club
   * form ("AC Milan"), is not short for a club with a further name ("Inter Milan").
   */
  sharedCities,
  /**
   * Words for women, and of nicknames of their own (Sugar Bears): as with second and youth teams, both names must have
   * the same.
   */
  women,
  /** Letters and short forms that are marks where they stand alone in brackets, by the mark. */
  marksInBrackets,
  /** Second and youth teams, by a number or a name. */
  reserves,
  /** Words for the kind of such teams, in names of teams and of leagues that have no others. */
  reserveKinds,
  /** Words for one of a college's teams, which a number behind them counts. */
  countedTeams,
  /** Words for a game, beside the number that it has in a day or a series. */
  countedGames,
  /**
   * Words that say who plays, by how they are read: the second teams of Japan and Korea, a name that is of women
   * alone, and one with a word that is no mark there. What a hyphen joins may be two words, or one.
   */
  namesWithMarks,
  /** Words behind a team of computer games for another of its teams: of women, of the young, by a colour. */
  secondSquads,
  /** Words beside a team for another side in its place: a simulation, old players, a selection. */
  simulations,
  /** Those of them that also stand in front of a team's name. */
  simulationsInFront,
  /** Words of leagues that are played on a computer, whatever their sport. */
  computerContests,
  /** Words behind a team for a statistic counted in place of its game, or for a part of it. */
  countedInstead,
  /** Words that mean a second team at the end of a name only. */
  reservesAtEnd,
  /** Sponsors, whose names come and go in those of basketball and hockey clubs. */
  sponsors,
  /** Spellings of one shared word, and unambiguous abbreviations. */
  synonyms,
  /** One place (or thing) under its names in several languages; the first is ours. */
  exonyms,
  /**
   * Whole names beyond any rule of spelling; the first is ours. Well-known short names, renamed clubs, universities
   * by their letters.
   */
  knownAs,
  /** Given names and their short forms. */
  givenNames,
  /** Words that belong together, read as one word anywhere, with their reading. */
  phrases,
  /**
   * Words that differ by one slip, and names that differ by one word, that are nevertheless two places or two teams.
   */
  notTheSame,
  /** Pairs that sound alike, each alone the name of another club. */
  speltApart,
  /**
   * By country, clubs whose name clubs of other countries have too; the best-known one is there. Without a country in
   * brackets that one is meant.
   */
  homes,
} = words
