/**
 * The comparison of names: two spellings are the same name when they normalise alike. Used for teams, leagues, sports
 * and sportsbooks; other files resolve aliases.
 */

/** Letters that NFD does not split into a base and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const marks = /\p{M}+/gu
const standalone = /[øæœßłđðþı]/g

/**
 * Returns lower case without accents; punctuation stays. Letters of other scripts are kept, so that two Greek names
 * do not become one empty name.
 */
export function foldAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .replace(standalone, (letter) => plainLetters[letter] ?? letter)
}

/**
 * Returns the form in which names are compared: lower case, accents removed, apostrophes dropped ("Nott'm" is
 * "nottm"), other punctuation a blank, blanks collapsed. Empty for no letters.
 */
export function normaliseName(text: string): string {
  return foldAccents(text)
    .replace(/['’‘`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
