/**
 * One spelling for a player whom sportsbooks spell with and without accents and dots, so that their
 * prices on him are prices of one selection.
 */

import { memoise } from '../../schemas/memoise.ts'

/** "Julián  Álvarez" is "Julian Alvarez", "J.J. Watt" is "JJ Watt"; letters keep their case. */
export const playerNameOf: (stated: string) => string = memoise((stated) => {
  const plain = stated
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[øØłŁđĐıßæÆœŒ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[.]/g, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? stated : plain
})

const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
}
