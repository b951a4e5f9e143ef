import { describe, expect, it } from 'vitest'
import { readByPosition } from '../../../../pipeline/feeds/kit/ask.ts'

const pageSize = 100
const games = (count: number) => Array.from({ length: count }, (_, id) => ({ id, reading: 0 }))

/** Reads a list that a test changes before each call. */
async function read(
  list: { id: number; reading: number }[],
  change: (nth: number, list: { id: number; reading: number }[]) => void = () => {},
  totalOf?: (length: number) => number,
) {
  const offsets: number[] = []
  const items = await readByPosition('games', pageSize, async (offset) => {
    change(offsets.length, list)
    offsets.push(offset)
    const page = list.slice(offset, offset + pageSize)
    const items = page.map(({ id }) => ({ id, reading: offsets.length }))
    return { items, ...(totalOf && { total: totalOf(list.length) }) }
  })
  return { items, ids: items.map(({ id }) => id), offsets }
}

describe('a list that is read by position', () => {
  for (const [name, totalOf] of [
    ['to a page that is not full', undefined],
    ['to its total', (length: number) => length],
  ] as const) {
    it(`is read ${name}, each item once`, async () => {
      for (const count of [0, 1, 99, 100, 101, 190, 191, 250]) {
        const { ids } = await read(games(count), undefined, totalOf)
        expect(ids, String(count)).toEqual(games(count).map(({ id }) => id))
      }
    })

    it(`is read ${name} while items of pages that were read leave it`, async () => {
      const closed = new Set([3, 4, 5, 99, 150])
      const { ids } = await read(
        games(250),
        (nth, list) => {
          if (nth === 0) return
          const gone = nth === 1 ? [3, 4, 5, 99] : [150]
          list.splice(0, list.length, ...list.filter(({ id }) => !gone.includes(id)))
        },
        totalOf,
      )
      const stillListed = games(250).flatMap(({ id }) => (closed.has(id) ? [] : [id]))
      expect(ids).toEqual(expect.arrayContaining(stillListed))
      expect(new Set(ids).size).toBe(ids.length)
    })
  }

  it('shows an item that is on two pages as it was last read', async () => {
    const { items } = await read(games(101))
    expect(items[89]?.reading).toBe(1)
    expect(items[90]?.reading).toBe(2)
  })

  it('is read again where so many have left it that two pages do not meet', async () => {
    const { ids, offsets } = await read(games(250), (nth, list) => {
      if (nth === 1) list.splice(0, 20)
    })
    expect(offsets).toEqual([0, 90, 0, 90, 180])
    expect(ids).toEqual(
      games(250)
        .slice(20)
        .map(({ id }) => id),
    )
  })

  it('fails where its pages never meet, and where it does not end', async () => {
    let first = 0
    const changing = readByPosition('games', pageSize, async () => {
      first += pageSize
      return { items: games(pageSize).map(({ id }) => ({ id: id + first })) }
    })
    await expect(changing).rejects.toMatchObject({ reason: 'changing' })
    const same = readByPosition('games', pageSize, async () => ({ items: games(pageSize) }))
    await expect(same).rejects.toMatchObject({ reason: 'malformed' })
  })

  it('ends where the total counts more than is listed', async () => {
    const { ids } = await read(games(150), undefined, (length) => length + 7)
    expect(ids).toHaveLength(150)
    expect((await read([], undefined, () => 7)).ids).toEqual([])
  })
})
