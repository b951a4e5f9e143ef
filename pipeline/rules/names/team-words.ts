/**
 * The meaning of single words in the names of teams: facts about language, not a list of teams.
 *
 * All words are in `words/team-words.json` as people write them, in lower case. They are folded
 * like incoming names, so variants with accents, doubled letters or c/k need no entries.
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
  /** Club forms and descriptors: they only name the kind of club. */
  forms,
  /** Optional little words; also "LA", because the rest of its teams' names suffices. */
  particles,
  /** Words after the name of a town that say where it lies: on a river, at the sea. */
  placing,
  /**
   * Words that many clubs share: alone they identify no club, but different ones mean two clubs.
   */
  sharedWords,
  /**
   * Directions and the like, which belong to the word after them: North Melbourne is not Melbourne,
   * New England not England. (South at the end, as in Georgia Southern, is one of the
   * `tellingWords`.)
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
   * Words for women, including nicknames of women's teams (Sugar Bears). As with second and youth
   * teams, both names must have the same.
   */
  women,
  /** Letters and short forms that are marks where they stand alone in brackets, by the mark. */
  marksInBrackets,
  /** Second and youth teams, by a number or a name. */
  reserves,
  /** Words for such kinds of teams, in names of teams and of leagues that have only such teams. */
  reserveKinds,
  /** Words for one of a college's teams, followed by its number. */
  countedTeams,
  /** Words for a game, beside its number in a day or a series. */
  countedGames,
  /**
   * Words that say who plays, by their reading: second teams of Japan and Korea, names that only
   * women's teams have, and names with a word that is no mark there. Words joined by a hyphen may
   * also be two words.
   */
  namesWithMarks,
  /** Words after an esports team for another of its teams: women, youth, or a colour. */
  secondSquads,
  /**
   * Words beside a team for another side that plays in its place: a simulation, veterans, a
   * selection.
   */
  simulations,
  /** The simulations that also come before a team's name. */
  simulationsInFront,
  /** Words of leagues that are played on a computer, in any sport. */
  computerContests,
  /** Words after a team for a statistic counted in place of its game, or for a part of the game. */
  countedInstead,
  /** Words that mean a second team at the end of a name only. */
  reservesAtEnd,
  /** Sponsors: basketball and hockey clubs add and drop them. */
  sponsors,
  /** Spellings of one shared word, and unambiguous abbreviations. */
  synonyms,
  /** One place (or thing) under its names in several languages; the first is ours. */
  exonyms,
  /**
   * Whole names that no spelling rule connects; the first is ours. Well-known short names, renamed
   * clubs, initials of universities.
   */
  knownAs,
  /** Given names and their short forms. */
  givenNames,
  /** Words that always belong together, with their reading as one word. */
  phrases,
  /** Words that differ by one letter, or names by one word, and yet are two places or teams. */
  notTheSame,
  /** Pairs that sound alike; each alone is the name of another club. */
  speltApart,
  /**
   * By country, the best-known club of a name that clubs of several countries have. Without a
   * country in brackets, this one is meant.
   */
  homes,
} = words
