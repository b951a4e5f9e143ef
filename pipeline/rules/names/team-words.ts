/**
 * What single words mean in the names of teams: facts about language, not a list of teams.
 *
 * All words stand in `words/team-words.json` as people write them, in lower case; who uses them folds them the way
 * incoming names are folded, so that accents, doubled letters and c/k need no rows of their own.
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
    reserves: texts,
    simulations: texts,
    countedInstead: texts,
    reservesAtEnd: texts,
    sponsors: texts,
    synonyms: listOf(spellings),
    exonyms: listOf(spellings),
    knownAs: listOf(spellings),
    givenNames: listOf(spellings),
    phrases: recordOf(text),
    notTheSame: listOf(spellings),
    homes: recordOf(texts, textLike('[A-Z]{2}')),
  }),
  rows,
)

export const {
  /** Club forms and descriptors: they say what kind of club it is, not which. */
  forms,
  /** Little words that are written or left out at will; "LA" as well, its team's name says enough. */
  particles,
  /** Words behind the name of a town that say where it lies: on a river, at the sea. */
  placing,
  /** Words that many clubs share: alone they name nobody, but two of them that differ are two clubs. */
  sharedWords,
  /**
   * Directions and the like belong to the word after them: North Melbourne is no Melbourne, New England no
   * England. (South at the end, as in Georgia Southern, is a `tellingWord`.)
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
  /** Women: part of who plays, as second and youth teams are, so both names must say the same. */
  women,
  /** Second and youth teams. */
  reserves,
  /** Beside a team, what plays in its place: a simulation, old players, a selection. */
  simulations,
  /** Behind a team, what is counted in place of its game, or a part of it. */
  countedInstead,
  /** Words that mean a second team at the end of a name only. */
  reservesAtEnd,
  /** Sponsors whose names come and go on the shirts of basketball and hockey clubs. */
  sponsors,
  /** Spellings of one shared word, and abbreviations that cannot be read another way. */
  synonyms,
  /** One place (or thing) under its names in several languages; the first is how we know it. */
  exonyms,
  /**
   * Whole names that no rule of spelling can tell; the first is how we know the team.
   * Well-known short names, renamed clubs, universities by their letters.
   */
  knownAs,
  /** Given names and what their bearers are called. */
  givenNames,
  /** Words that belong together, read as one word wherever they stand, with their reading. */
  phrases,
  /** Words one slip apart and names one word apart that are nevertheless two places or two teams. */
  notTheSame,
  /**
   * By country, clubs whose name others have in other countries; the best-known one is there. Without a country in
   * brackets that one is meant.
   */
  homes,
} = words
