/**
 * The sound of a word, for names that come from other scripts and languages: "Iekaterinbourg" and "Yekaterinburg",
 * "Kardjali" and "Kardzhali", "Pise" and "Pisa".
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'

/** Replacements in order: different spellings of a sound become one. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/tsch|tch|dzh|dsch|sch|sh|ch|zh|cz|sz|dj/g, 'S'],
  [/ts|tz|c|q/g, 'k'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/w/g, 'v'],
  [/ou|oo/g, 'u'],
  [/y/g, 'i'],
  [/([a-zS])\1+/g, '$1'],
  [/i[aeo]?(?=[iu])/g, 'i'],
  [/^i(?=e)/, ''],
  [/i(?=$)/, ''],
]

function sound(plain: string, j: string): string {
  let heard = plain.replace(/dj/g, 'dzh').replace(/j/g, j)
  for (const [written, spoken] of sounds) heard = heard.replace(written, spoken)
  return heard
}

/**
 * Returns the sounds that a word may have. Some read "j" as a vowel and others as a consonant; some
 * read "ch" after a vowel as "kh": Petach and Petah. Empty for a word that has a number or is too
 * short to be identified by its sound.
 */
export function soundsOf(word: string): readonly string[] {
  const plain = foldAccents(word).replace(/[^\p{L}\p{N}]/gu, '')
  if (plain.length < 4 || /[^a-z]/.test(plain)) return []
  const spellings = new Set([plain, plain.replace(/(?<=[aeiou])ch(?!h)/g, 'h')])
  const heard = new Set<string>()
  for (const spelling of spellings) {
    heard.add(sound(spelling, 'i'))
    if (spelling.includes('j')) heard.add(sound(spelling, 'sh'))
  }
  return [...heard]
}

/** Returns whether two words sound alike, or one is the other with a French ending: Pise, Côme, Nicosie. */
export function soundAlike(a: readonly string[], b: readonly string[]): boolean {
  for (const one of a)
    for (const other of b)
      if (
        one.length === other.length &&
        (one === other || isFrenchFor(one, other) || isFrenchFor(other, one))
      )
        return true
  return false
}

const isFrenchFor = (french: string, own: string) =>
  french.length > 3 &&
  french.endsWith('e') &&
  /[aio]$/.test(own) &&
  french.slice(0, -1) === own.slice(0, -1)
