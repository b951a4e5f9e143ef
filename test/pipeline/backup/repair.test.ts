/** Repairs of logs that lost a row which others depend on: the pipeline has to start on the repaired log. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repairDirectory } from '../../../pipeline/backup/repair.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { repairLog } from '../../../pipeline/log/embedded/repair.ts'
import { LogFullError, type LogRecord } from '../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'

const { signal } = new AbortController()
/** A name of the sighting that is damaged, found by its bytes. */
const mark = 'ZZHOME'

let dataDir: string
let path: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'overround-repair-'))
  path = join(dataDir, 'log')
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const event = {
  id: 'e1',
  sport: 'basketball',
  league: 'nba',
  leagueMapped: true,
  homeTeam: 'a',
  awayTeam: 'b',
  listedHome: null,
  listedAway: null,
  flipped: false,
  startsAt: 1,
  status: 'live',
  isLive: true,
  updatedAt: 1,
}
const sightingOf = (sportsbook: string, homeTeam: string) => ({
  eventId: 'e1',
  league: 'nba',
  sportsbook,
  lastSeenAt: 1,
  hasGivenPrices: true,
  statedAt: null,
  externalId: 'x',
  listing: 'x',
  formerListings: [],
  homeTeam,
  awayTeam: 'b',
  startsAt: 1,
  swapped: false,
  isLive: true,
  statedStatus: null,
})
const reportOf = (sportsbook: string) => ({
  sportsbook,
  observedAt: 1,
  homeScore: 1,
  awayScore: 0,
  period: null,
  clock: null,
  situation: {},
})
const gameStateOf = (...sportsbooks: string[]) => ({
  eventId: 'e1',
  sport: 'basketball',
  league: 'nba',
  reports: sportsbooks.map(reportOf),
  states: [],
})
const closeOf = (sportsbook: string) => ({
  oddsId: 7,
  eventId: 'e1',
  sport: 'basketball',
  league: 'nba',
  startsAt: 1,
  capturedAt: 2,
  pricedAt: 1,
  price: 2,
  noVig: 0.5,
  missing: null,
  missingSince: null,
  sportsbook,
  marketType: 'moneyline',
  selection: 'a',
  selectionType: 'home',
  line: null,
  playerName: null,
  statCategory: null,
})

type Row = readonly [topic: Topic, key: string, value: unknown]

async function write(rows: readonly Row[]) {
  const log = await openEmbeddedLog({ path })
  for (const [topic, key, value] of rows) {
    await log.append([{ topic, partitionKey: 'nba', key, value }])
  }
  await log.close()
}

function damageSighting() {
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

/** Restores the pipeline's tables, and returns their rows. */
async function restored(): Promise<LogRecord[]> {
  const { tables, create } = serviceProcessor(['pinnacle'])
  const processor = create()
  const rows: LogRecord[] = []
  const log = await openEmbeddedLog({ path })
  for await (const records of log.replay(tables, { partitions: [0], signal })) {
    for (const record of records) processor.restore(record)
    rows.push(...records)
  }
  await log.close()
  return rows
}

const whole: readonly Row[] = [
  [topics.events, 'e1', event],
  [topics.sightings, 'e1|fanduel', sightingOf('fanduel', 'a')],
  [topics.sightings, 'e1|pinnacle', sightingOf('pinnacle', mark)],
]

describe('a repair that loses a sighting takes out', () => {
  test.each<readonly [string, ...Row]>([
    ['the closing line', topics.closingLines, '7', closeOf('pinnacle')],
    ['the game state', topics.gameStates, 'e1', gameStateOf('pinnacle')],
    ['a game state of others too', topics.gameStates, 'e1', gameStateOf('fanduel', 'pinnacle')],
  ])('%s', async (_of, topic, key, value) => {
    await write([...whole, [topic, key, value]])
    damageSighting()
    const repair = await repairDirectory(dataDir)
    expect(repair).toMatchObject({ losses: [{ topic: 'sightings', lost: 1 }], orphans: 1 })
    expect((await restored()).map(({ key }) => key)).toEqual(['e1', 'e1|fanduel'])
  })
})

test('a repair leaves rows of sportsbooks whose sightings are whole', async () => {
  await write([
    ...whole,
    [topics.gameStates, 'e1', gameStateOf('fanduel')],
    [topics.closingLines, '7', closeOf('fanduel')],
  ])
  damageSighting()
  expect(await repairDirectory(dataDir)).toMatchObject({ orphans: 0 })
  expect(await restored()).toHaveLength(4)
})

test('a whole log with such rows, as an earlier repair may have left it, loses them', async () => {
  await write([[topics.sightings, 'e1|pinnacle', sightingOf('pinnacle', 'a')]])
  expect(await repairDirectory(dataDir)).toMatchObject({ damagedAt: null, orphans: 1 })
  expect(await restored()).toEqual([])
  expect(await repairDirectory(dataDir)).toMatchObject({ damagedAt: null, orphans: 0 })
})

test('a repair that fails half-way leaves the damaged log, and the next one does all', async () => {
  await write([...whole, [topics.closingLines, '7', closeOf('pinnacle')]])
  damageSighting()
  const damaged = readFileSync(join(path, 'data.mdb'))
  const full = new LogFullError('the disk is full')
  const failing = repairLog(path, [], new Date(), () => Promise.reject(full))
  await expect(failing).rejects.toBe(full)
  expect(readFileSync(join(path, 'data.mdb')).equals(damaged)).toBe(true)
  expect(readdirSync(dataDir)).toEqual(['log'])
  expect(await repairDirectory(dataDir)).toMatchObject({ orphans: 1 })
  expect(await restored()).toHaveLength(2)
})
