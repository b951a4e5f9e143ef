/**
 * Invented persons. There are two pools that share no surname, players of teams and those who compete
 * alone, and each name is dealt once: nobody plays for two teams or in two sports. Nobody real is
 * meant; the parts are those of common surnames.
 */

import { trait } from './random.ts'

export type Pool = 'team' | 'alone'
/** Where the names are from. */
export type Stock = 'american men' | 'american women' | 'world men' | 'world women'

const words = (text: string) => text.split(' ')

const americanMen = words(
  'Marcus Trey Darnell Cody Isaiah Brent Andre Tyson Elijah Wade Devin Corey Jamal Logan Terrence Mason ' +
    'Malik Grant Xavier Dalton Reggie Colin Quentin Shane Kendrick Travis Dominic Hunter Jerome',
)
const americanWomen = words(
  'Tasha Kayla Brianna Alexis Monique Jordan Danielle Imani Courtney Shanice Morgan Taryn Aliyah ' +
    'Kendra Paige Simone Jasmine Brooke Kiara Lauren Nadia Erica Tiana',
)
const worldMen = words(
  'Aldin Bram Casimir Dario Edvin Fabio Goran Hugo Ilias Jonas Kaito Luka Marek Nilo Oskar Pavel ' +
    'Rafal Stellan Tomas Viktor Wim Yannis Zoran Emil Mateo Andrei Lorenzo Anders Milan',
)
const worldWomen = words(
  'Alba Brita Carla Dunja Elif Freya Greta Hana Ines Jana Katja Lena Mira Nora Odile Petra Ronja ' +
    'Silvia Tereza Ulrika Vesna Yara Zofia',
)

const americanStarts = words(
  'Ash Brad Brock Clay Cole Dal Fair Gar Hal Har Hol Ken Lang Mar Mer Nor Oak Pres Rad Red Rock Shel ' +
    'Stan Thorn Wal Wes Whit Wil Win',
)
const americanEnds = words(
  'bridge brook by den field ford ham land ley man more ridge ton well wick worth',
)
const worldStarts = words(
  'Bran Cal Dor Fel Gar Hal Jar Kess Lor Mar Nor Ost Pel Quil Ros Sten Tor Val Wex Zan Ard Bel Kov',
)
const worldEnds = words(
  'dell ovic inger aro esco wick strom anen mond ley berg ucci enko ador hart iva',
)

/** All surnames of the parts, in an order that shows no pattern. */
function join(starts: readonly string[], ends: readonly string[]): string[] {
  const all = starts.flatMap((start) => ends.map((end) => `${start}${end}`))
  return [...new Set(all)].sort((a, b) => trait(a, 1) - trait(b, 1))
}

const firstNames: Readonly<Record<Stock, readonly string[]>> = {
  'american men': americanMen,
  'american women': americanWomen,
  'world men': worldMen,
  'world women': worldWomen,
}

const halves = (surnames: readonly string[]): Readonly<Record<Pool, readonly string[]>> => ({
  team: surnames.filter((_, at) => at % 2 === 0),
  alone: surnames.filter((_, at) => at % 2 === 1),
})
const american = halves(join(americanStarts, americanEnds))
const world = halves(
  join(worldStarts, worldEnds).filter(
    (name) => !american.team.includes(name) && !american.alone.includes(name),
  ),
)

/** Gives out persons, each once. */
export interface Dealer {
  deal(pool: Pool, stock: Stock, count: number): string[]
}

export function createDealer(): Dealer {
  const dealt = new Map<string, number>()
  return {
    deal(pool, stock, count) {
      const firsts = firstNames[stock]
      const surnames = (stock.startsWith('american') ? american : world)[pool]
      const from = dealt.get(`${pool} ${stock}`) ?? 0
      dealt.set(`${pool} ${stock}`, from + count)
      return Array.from({ length: count }, (_, i) => {
        const at = from + i
        // Every surname once, then all again with the first names moved on by one.
        const turn = Math.floor(at / surnames.length)
        if (turn >= firsts.length) throw new RangeError(`no more ${stock}`)
        const surname = surnames[at % surnames.length]!
        return `${firsts[((at % surnames.length) + turn) % firsts.length]} ${surname}`
      })
    },
  }
}
