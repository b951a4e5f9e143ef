import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readByPosition } from '../../../../pipeline/feeds/kit/ask.ts'
import { definePolledSource } from '../../../../pipeline/feeds/kit/source.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'
import { createRecordingSink } from '../loopback.ts'

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

describe('a reading of several responses', () => {
  it('leaves out a game that begins between the first and the last of them', async () => {
    let now = 0
    const controller = new AbortController()
    const source = definePolledSource({
      name: 'test',
      isOfficial: true,
      settings: {},
      baseUrl: 'http://source.test',
      intervalMs: 1_000,
      targets: () => ['all'],
      read: ({ baseUrl }) => ({
        async gather(_target, ask, askList) {
          for (const path of ['games', 'prices', 'prices']) {
            now += 10
            await (path === 'games' ? askList : ask)(`${baseUrl}/${path}`, z.unknown())
          }
          return (receivedAt) => ({
            records: [19, 20, 21, 30, 31].flatMap((startsAt) =>
              [false, true].map((isLive) => oddsStarting(startsAt, isLive, receivedAt)),
            ),
            skipped: [],
          })
        },
      }),
    })
    const { sink, records, skips } = createRecordingSink()
    const http = {
      now: () => now,
      fetch: async () => new Response('{}'),
      sleep: async () => controller.abort(),
    }
    await source.open({ http }).run(sink, controller.signal)
    const published = records.flatMap((record) =>
      record.type === 'odds' && !record.event.isLive
        ? [[record.observedAt, record.event.startsAt]]
        : [],
    )
    expect(published).toEqual([
      [20, 19],
      [20, 20],
      [20, 31],
    ])
    expect(skips).toMatchObject([
      { reason: 'begun_meanwhile', hides: { externalId: '21' } },
      { reason: 'begun_meanwhile', hides: { externalId: '30' } },
    ])
    expect(records.filter((record) => 'event' in record && record.event.isLive)).toHaveLength(5)
  })
})

const oddsStarting = (startsAt: number, isLive: boolean, observedAt: number): OddsRecord => ({
  type: 'odds',
  sportsbook: 'test',
  mode: 'snapshot',
  observedAt,
  event: {
    ...{ externalId: String(startsAt), sport: 'football', league: 'NFL' },
    ...{ homeTeam: 'H', awayTeam: 'A', startsAt, isLive },
  },
  markets: [],
})
