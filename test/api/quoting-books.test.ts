/** Which sportsbooks count as quoting the market of a +EV: those whose price can be used now. */

import { afterEach, describe, expect, it } from 'vitest'
import { topics } from '../../schemas/topics.ts'
import { gameTotal } from './game-total.ts'
import { type InProcess, type InProcessOptions, startInProcess } from './service-in-process.ts'

let service: InProcess
afterEach(() => service.close())

async function start(records: object[], options: InProcessOptions = {}) {
  service = await startInProcess(options)
  await ingest(...records)
}

async function ingest(...records: object[]) {
  const { body } = await service.ingest(records)
  expect(body.data).toMatchObject({ accepted: records.length, rejected_count: 0 })
  await service.settled()
}

const now = () => new Date(service.clock()).toISOString()
const pinnacle = gameTotal('pinnacle', 1.91, 1.91)
const circa = gameTotal('circa', 1.92, 1.9)
const draftkings = gameTotal('draftkings', 2.05, 1.77)

/** Returns the +EV at a sportsbook, the same from the list, each tier and the explanation. */
async function found(sportsbook = 'draftkings') {
  const list = async (query: string, tier: 'sharp' | 'pro' = 'sharp') => {
    const { body } = await service.get(`/opportunities/ev?max_hold=10${query}`, tier)
    return body.data.find((item: { sportsbook: string }) => item.sportsbook === sportsbook)
  }
  const item = await list('')
  expect(await list('&sort=-confidence')).toEqual(item)
  const { body } = await service.get(`/opportunities/${item.id}/explain`)
  expect(body.data.warnings).toEqual(item.warnings)
  if (sportsbook === 'draftkings') {
    expect((await list('', 'pro')).warnings).toEqual(item.warnings)
  }
  const { warnings, book_count, confidence } = item
  return { isSingle: warnings.includes('SINGLE_SHARP_REF'), book_count, confidence }
}

/** 0.35 n / 8 + 0.25 + 0.2 (1 - (2 / 1.91 - 1) / 0.08) + 0.2, of n sportsbooks. */
const confidenceOf = (count: number) =>
  Math.round(100 * ((0.35 * count) / 8 + 0.25 + 0.2 * (1 - (2 / 1.91 - 1) / 0.08) + 0.2))

const checked = { isSingle: false, book_count: 3, confidence: confidenceOf(3) }
const alone = { isSingle: true, book_count: 2, confidence: confidenceOf(2) }

describe('a second sharp book', () => {
  it('checks the reference while it quotes the market', async () => {
    await start([pinnacle, circa, draftkings])
    expect(await found()).toEqual(checked)
  })

  it('does not with a price that is too old', async () => {
    await start([pinnacle, circa, draftkings])
    expect(await found()).toEqual(checked)
    service.advance(5 * 60_000 + 1)
    const again = [
      gameTotal('pinnacle', 1.91, 1.91, 210.5, now()),
      gameTotal('draftkings', 2.05, 1.77, 210.5, now()),
    ]
    await ingest(...again)
    expect(await found()).toEqual(alone)
    await ingest(gameTotal('circa', 1.92, 1.9, 210.5, now()))
    expect(await found()).toEqual(checked)
  })

  it('does not while its source is down', async () => {
    await start([pinnacle, circa, draftkings])
    expect(await found()).toEqual(checked)
    const value = { sportsbook: 'circa', status: 'down', since: service.clock(), audience: 'all' }
    const row = { topic: topics.sportsbookStatus, partitionKey: 0, key: 'circa', value }
    await service.log.append([row as never])
    await service.settled()
    expect(await found()).toEqual(alone)
  })

  it('does not with a price that is withheld', async () => {
    await start([pinnacle, circa, draftkings])
    expect(await found()).toEqual(checked)
    const { body } = await service.get('/odds?sportsbook=circa')
    const { id } = body.data.find(
      (row: { selection_type: string }) => row.selection_type === 'over',
    )
    const about = { sportsbook: 'circa', league: 'nba', reason: 'swapped', since: service.clock() }
    const value = { id: Number(id), ...about }
    await service.log.append([
      { topic: topics.withheldPrices, partitionKey: 'nba', key: id, value } as never,
    ])
    await service.settled()
    expect(await found()).toEqual(alone)
  })

  it('does not with one side of the line alone, though it quotes the selection', async () => {
    const [market] = circa.markets
    const over = { ...circa, markets: [{ ...market!, selections: [market!.selections[0]!] }] }
    await start([pinnacle, over, draftkings])
    expect((await found()).isSingle).toBe(true)
  })

  it('does not check the price that is its own', async () => {
    await start([pinnacle, gameTotal('circa', 2.05, 1.77)])
    expect(await found('circa')).toEqual(alone)
  })

  it('may be a reference, at which nobody bets', async () => {
    await start([pinnacle, circa, draftkings], { references: new Set(['circa']) })
    expect(await found()).toEqual(checked)
  })
})

it('counts for the confidence of a low hold where its price can be used', async () => {
  await start([gameTotal('caesars', 1.9, 1.9), gameTotal('draftkings', 1.96, 1.8)])
  const fanduel = () => gameTotal('fanduel', 1.8, 1.98, 210.5, now())
  await ingest(fanduel())
  const confidence = async () =>
    (await service.get('/opportunities/low-hold')).body.data[0].confidence
  // 0.35 n / 8 + 0.25 + 0.2 (1 - hold / 0.08) + 0.2 x 0.8, the hold of 1.96 and 1.98 being 0.01525.
  const expected = (count: number) =>
    Math.round(
      100 * ((0.35 * count) / 8 + 0.25 + 0.2 * (1 - (1 / 1.96 + 1 / 1.98 - 1) / 0.08) + 0.16),
    )
  expect(await confidence()).toBe(expected(3))
  service.advance(5 * 60_000 + 1)
  await ingest(gameTotal('draftkings', 1.96, 1.8, 210.5, now()), fanduel())
  expect(await confidence()).toBe(expected(2))
})
