/**
 * Invented persons. Two pools share no surname: players of teams, and players who compete alone.
 * Each name is used once: nobody plays for two teams or in two sports. No real person is meant;
 * `data/people.json` has parts of common surnames.
 */

import { readDataFile, row, type TypeOf, texts } from '../../../schemas/data-file.ts'
import people from './data/people.json' with { type: 'json' }
import { trait } from './random.ts'

export type Pool = 'team' | 'alone'
/** The origins of the names. */
export const stocks = ['american men', 'american women', 'world men', 'world women'] as const
export type Stock = (typeof stocks)[number]

const parts = row({ starts: texts, ends: texts })
const { firstNames, surnames } = readDataFile(
  'pipeline/feeds/simulator/data/people.json',
  row({
    firstNames: row({
      'american men': texts,
      'american women': texts,
      'world men': texts,
      'world women': texts,
    }),
    surnames: row({ american: parts, world: parts }),
  }),
  people,
)

/** Returns all surnames made of the parts, in an order without a visible pattern. */
function join({ starts, ends }: TypeOf<typeof parts>): string[] {
  const all = starts.flatMap((start) => ends.map((end) => `${start}${end}`))
  return [...new Set(all)].sort((a, b) => trait(a, 1) - trait(b, 1))
}

const halves = (all: readonly string[]): Readonly<Record<Pool, readonly string[]>> => ({
  team: all.filter((_, at) => at % 2 === 0),
  alone: all.filter((_, at) => at % 2 === 1),
})
const american = halves(join(surnames.american))
const world = halves(
  join(surnames.world).filter(
    (name) => !american.team.includes(name) && !american.alone.includes(name),
  ),
)

/** Deals persons, each once. */
export interface Dealer {
  deal(pool: Pool, stock: Stock, count: number): string[]
}

export function createDealer(): Dealer {
  const dealt = new Map<string, number>()
  return {
    deal(pool, stock, count) {
      const firsts = firstNames[stock]
      const last = (stock.startsWith('american') ? american : world)[pool]
      const from = dealt.get(`${pool} ${stock}`) ?? 0
      dealt.set(`${pool} ${stock}`, from + count)
      return Array.from({ length: count }, (_, i) => {
        const at = from + i
        // Every surname once, then all again with the first names moved on by one.
        const turn = Math.floor(at / last.length)
        if (turn >= firsts.length) throw new RangeError(`no more ${stock}`)
        const surname = last[at % last.length]!
        return `${firsts[((at % last.length) + turn) % firsts.length]} ${surname}`
      })
    },
  }
}
