/** An archive takes prices of one origin, unless its log or its operator has decided otherwise. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runArchive } from '../../../pipeline/archive/run-archive.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import { ConfigError } from '../../../pipeline/settings/config.ts'
import type { PriceOrigin } from '../../../schemas/deployment.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 10_000, readRows: 1e7, memoryBytes: 1e9 }
const signal = new AbortController().signal

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())
beforeEach(() => engine.archive.command('TRUNCATE TABLE logs'))

interface Start {
  readonly epoch?: string
  readonly formerEpoch?: string
  readonly mayFollowOthers?: boolean
  readonly keptDays?: number
}

/** Starts the archiver of a log without records. @returns the warnings */
async function start(origin: PriceOrigin, of: Start = {}) {
  const { epoch = 'a', formerEpoch, mayFollowOthers = false, keptDays = 10_000 } = of
  const log = {
    epoch,
    continues: formerEpoch === undefined ? [] : [{ epoch: formerEpoch, ends: null }],
    async *join() {
      yield* []
    },
    places: async () => [],
  }
  const warnings: object[] = []
  const logger = { error() {}, info() {}, warn: (fields: object) => void warnings.push(fields) }
  await runArchive(
    { url: 'http://embedded', socket: engine.engine.socket },
    { database: 'overround', cluster: null, keptDays },
    { origin, mayFollowOthers, archive: 'The archive', setting: 'OVERROUND_DATA_DIR' },
    log,
    sharpChain('pinnacle'),
    logger as never,
    signal,
  )
  return warnings
}

const origins = async () => {
  const rows = await engine.archive.query<{ log_epoch: string; prices: string | null }>(
    'SELECT log_epoch, prices FROM logs ORDER BY began_at',
    {},
    limits,
  )
  return rows.map(({ log_epoch, prices }) => `${log_epoch} ${prices}`)
}

it('takes that of its first prices, and notes that of each log once', async () => {
  await start('live')
  await start('live')
  await start('live', { epoch: 'b' })
  expect(await origins()).toEqual(['a live', 'b live'])
})

it.each([
  ['live', 'simulated'],
  ['live', 'recorded'],
  ['simulated', 'live'],
  ['simulated', 'recorded'],
  ['recorded', 'live'],
] as const)(
  'of %s prices refuses %s ones of another log, and is left as it is',
  async (first, second) => {
    const lifetime = () =>
      engine.archive.query(
        "SELECT engine_full FROM system.tables WHERE database = 'overround' AND name = 'splits'",
        {},
        limits,
      )
    await start(first)
    const before = await lifetime()
    const refused = start(second, { epoch: 'b', keptDays: 30 })
    await expect(refused).rejects.toThrow(ConfigError)
    await expect(refused).rejects.toThrow(`The archive has ${first} prices (noted at 20`)
    await expect(refused).rejects.toThrow(`would mix ${second} ones (OVERROUND_FEEDS) with them`)
    await expect(refused).rejects.toThrow('Name another archive by OVERROUND_DATA_DIR')
    expect(await origins()).toEqual([`a ${first}`])
    expect(await lifetime()).toEqual(before)
  },
)

it('is taken over if the operator allows it, and then refuses those of before', async () => {
  await start('simulated')
  expect(await start('live', { epoch: 'b', mayFollowOthers: true })).toEqual([
    { from: 'simulated', to: 'live' },
  ])
  expect(await start('live', { epoch: 'b' })).toEqual([])
  await expect(start('simulated')).rejects.toThrow('has live prices')
  await start('simulated', { mayFollowOthers: true })
  expect(await origins()).toEqual(['a simulated', 'b live', 'a simulated'])
})

it('follows its own log, which has compared its origin itself, and one restored from it', async () => {
  await start('simulated')
  expect(await start('recorded')).toEqual([{ from: 'simulated', to: 'recorded' }])
  expect(await start('live', { epoch: 'b', formerEpoch: 'a' })).toEqual([
    { from: 'recorded', to: 'live' },
  ])
})

it('of an earlier version takes the first that comes', async () => {
  await engine.archive.insert('logs', 'of before', [{ log_epoch: 'a' }])
  await engine.archive.command('ALTER TABLE logs DROP COLUMN prices')
  await engine.archive.command('DELETE FROM migrations WHERE number = 10')
  expect(await start('live')).toEqual([])
  expect(await origins()).toEqual(['a null', 'a live'])
  await expect(start('simulated', { epoch: 'b' })).rejects.toThrow('has live prices')
})

it('of an earlier version that another log has filled is decided by the operator alone', async () => {
  await engine.archive.insert('logs', 'of another before', [{ log_epoch: 'a' }])
  await engine.archive.command('ALTER TABLE logs DROP COLUMN prices')
  await engine.archive.command('DELETE FROM migrations WHERE number = 10')
  expect(await start('recorded', { epoch: 'b' })).toEqual([{ prices: 'recorded' }])
  await engine.archive.insert('logs', 'of the stranger', [{ log_epoch: 'b' }])
  expect(await start('recorded', { epoch: 'b' })).toEqual([{ prices: 'recorded' }])
  expect(await start('live')).toEqual([{ prices: 'live' }])
  expect(await origins()).not.toContainEqual(expect.stringMatching(/live|recorded/))
  expect(await start('live', { mayFollowOthers: true })).toEqual([])
  expect(await origins()).toContain('a live')
  await expect(start('recorded', { epoch: 'b' })).rejects.toThrow('has live prices')
})
