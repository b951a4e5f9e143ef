/**
 * Who plays. Teams come from the reference table with the spellings sportsbooks use for them;
 * persons, esports sides and players are invented here, the same for every seed.
 */
import { trait } from './random.ts'

export interface Participant {
  /** Unique within its league. */
  readonly key: string
  /** The first is the usual one; the others name the same side at some sportsbooks. */
  readonly names: readonly string[]
}

const firstNames = (
  'Aldin Bram Casimir Dario Edvin Fabio Goran Hugo Ilias Jonas Kaito Luka Marek Nilo Oskar Pavel ' +
  'Quin Rafal Stellan Tomas Ugo Viktor Wim Yannis Zoran Alba Brita Carla Dunja Elif Freya Greta ' +
  'Hana Ines Jana Katja Lena Mira Nora Odile'
).split(' ')

const surnameStarts =
  'Bran Cal Dor Fel Gar Hal Jar Kess Lor Mar Nor Ost Pel Quil Ros Sten Tor Val Wex Zan Ard Bel'.split(
    ' ',
  )

const surnameEnds =
  'dell kovik ingham aro esco wick strom anen ovane mond tley berg ucci enko ador hart iva'.split(
    ' ',
  )

/** The n-th of many invented persons; all are different for n below ten thousand. */
export function inventPerson(n: number): string {
  const surnames = surnameStarts.length * surnameEnds.length
  const at = (n * 211) % surnames
  const start = surnameStarts[at % surnameStarts.length]!
  const end = surnameEnds[Math.floor(at / surnameStarts.length)]!
  // Each full round of the surnames moves on by one first name.
  const first = firstNames[(n + Math.floor(n / surnames)) % firstNames.length]!
  return `${first} ${start}${end}`
}

/**
 * Persons of an individual sport. The second spelling has an accent: without a table of persons,
 * case, accents and punctuation are all that sportsbooks may differ in and still be understood.
 */
export function inventField(league: string, size: number): Participant[] {
  const offset = Math.floor(trait(league, 1) * 6000)
  return Array.from({ length: size }, (_, i) => {
    const name = inventPerson(offset + i)
    return { key: name, names: [name, name.replace(/o(?=[^o]*$)/, 'ó').replace(' ', '  ')] }
  })
}

const sideWords = (
  'Copper Falcon|Night Harbor|Polar Engine|Silver Thread|Iron Lantern|Velvet Storm|Amber Circuit|' +
  'Hollow Crown|Static Bloom|Crimson Atlas|Quiet Signal|Paper Tigers|Northgate|Blue Meridian|' +
  'Rapid Foxes|Glass Anvil|Solar Drift|Winter Guard|Echo Seven|Lucky Cobalt'
).split('|')

/** Esports sides, all invented. */
export function inventSides(league: string): Participant[] {
  const shift = Math.floor(trait(league, 2) * sideWords.length)
  return Array.from({ length: 16 }, (_, i) =>
    inShouting(sideWords[(i + shift) % sideWords.length]!),
  )
}

/** A side that has no entry in the reference table: some sportsbooks write it in capitals. */
export function inShouting(name: string): Participant {
  return { key: name, names: [name, name.toUpperCase()] }
}

/** The players of a team, stable for as long as the team is called the same. */
export function inventPlayers(league: string, team: string, size: number): string[] {
  const offset = Math.floor(trait(`${league}|${team}`, 3) * 9000)
  return Array.from({ length: size }, (_, i) => inventPerson(offset + i))
}
